//! Features and potential functions as JSON files.
//!
//! ```json
//! {"constant": "-1/2",
//!  "features": [{"facts": [["door", "Atom open()"]], "weight": 3},
//!               {"facts": [["door", "Atom open()"], ["robot", 0]], "weight": "-7/2"}]}
//! ```
//!
//! A fact is a variable and a value, each by name or by index; the value that transition
//! normal form adds is called `unknown`. Weights are integers, decimals, or fractions in
//! quotes, and are read exactly. In a list of features that is not a function, weights may
//! be left out.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use hipot_potential::feature::{FeatureError, Features};
use hipot_potential::{Certified, NormalForm};
use hipot_task::{Fact, FactId, Facts, Rational, Task, Variable, VariableId};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::json_file::{JsonFile, indices};

/// A potential function from a file. It need not be consistent or goal-aware.
#[derive(Clone, Debug)]
pub struct GivenPotential {
    /// Its features.
    pub features: Features,
    /// Their weights; 0 for features without a weight in the file.
    pub weights: Vec<Rational>,
    /// The constant that is added to their sum.
    pub constant: Rational,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    #[serde(borrow, default)]
    constant: Option<&'a RawValue>,
    #[serde(borrow)]
    features: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<'a> {
    #[serde(borrow)]
    facts: Vec<(&'a RawValue, &'a RawValue)>,
    #[serde(borrow, default)]
    weight: Option<&'a RawValue>,
}

/// Writes a potential function with all of its features, so that a
/// [`FunctionFile`](crate::function_file::FunctionFile) gives the same function again.
pub fn write_potential(function: &Certified, file: &Path) -> Result<(), Failure> {
    let written = File::create(file).and_then(|out| {
        let mut out = BufWriter::new(out);
        write(function, &mut out)?;
        out.flush()
    });
    written.map_err(|error| Failure::Unwritable { file: file.to_owned(), error })
}

fn write(function: &Certified, out: &mut impl Write) -> io::Result<()> {
    let (features, task) = (function.features(), function.normal_form().task());
    let names = Names::new(task);
    let number = |numerator: i64| {
        let denominator = function.denominator().into();
        match (Rational { numerator: numerator.into(), denominator }).reduced() {
            Rational { numerator, denominator: 1 } => numerator.to_string(),
            fraction => format!("\"{fraction}\""),
        }
    };
    writeln!(out, "{{\"constant\": {},", number(function.constant()))?;
    write!(out, " \"features\": [")?;
    for (feature, &weight) in features.ids().zip(function.weights()) {
        let separator = if feature.index() == 0 { "" } else { ",\n              " };
        let facts = features.conjuncts(feature).iter().map(|&id| features.facts().fact(id));
        let facts: Vec<_> = facts.map(|fact| names.fact(task, fact)).collect();
        let facts = serde_json::to_string(&facts)?;
        write!(out, "{separator}{{\"facts\": {facts}, \"weight\": {}}}", number(weight))?;
    }
    writeln!(out, "]}}")
}

/// The index of each variable's name, and of the names of its values.
struct Names {
    variables: HashMap<String, usize>,
    values: Vec<HashMap<String, usize>>,
}

impl Names {
    fn new(task: &Task) -> Self {
        let values = |variable: &Variable| indices(variable.values.iter().map(String::as_str));
        Self {
            variables: indices(task.variables().iter().map(|variable| variable.name.as_str())),
            values: task.variables().iter().map(values).collect(),
        }
    }

    /// A variable and a value, each by name if the name finds it again and by index otherwise.
    fn fact(&self, task: &Task, fact: Fact) -> [serde_json::Value; 2] {
        let (index, value) = (fact.variable.index(), fact.value as usize);
        let by_name = |name: &str, names: &HashMap<String, usize>, index: usize| {
            if names.get(name) == Some(&index) { name.into() } else { index.into() }
        };
        [
            by_name(&task.variable(fact.variable).name, &self.variables, index),
            by_name(task.fact_name(fact), &self.values[index], value),
        ]
    }
}

/// Reads the features in the text of a file. Weights are optional and ignored.
pub(crate) fn parse_features(
    normal: &NormalForm,
    file: &Path,
    text: &str,
) -> Result<Features, Failure> {
    Ok(parse_file(normal, file, text, false)?.features)
}

/// Reads a potential function for the task in TNF from the text of a file.
pub(crate) fn parse_potential(
    normal: &NormalForm,
    file: &Path,
    text: &str,
) -> Result<GivenPotential, Failure> {
    parse_file(normal, file, text, true)
}

fn parse_file(
    normal: &NormalForm,
    file: &Path,
    text: &str,
    needs_weights: bool,
) -> Result<GivenPotential, Failure> {
    let task = normal.task();
    let (facts, names) = (normal.facts().clone(), Names::new(task));
    Reader { json: JsonFile { file, text }, task, facts, names, needs_weights }.read()
}

struct Reader<'a> {
    json: JsonFile<'a>,
    task: &'a Task,
    facts: Facts,
    names: Names,
    needs_weights: bool,
}

impl<'a> Reader<'a> {
    fn read(self) -> Result<GivenPotential, Failure> {
        let json = self.json;
        let parsed: Document<'a> = json.parse(json.text, 0)?;
        let constant = parsed.constant.map_or(Ok(Rational::ZERO), |raw| self.fraction(raw))?;
        let mut lists = Vec::new();
        let mut weights = Vec::new();
        for raw in &parsed.features {
            let entry: Entry<'a> = json.parse(raw.get(), json.offset(raw))?;
            let facts = entry.facts.iter().map(|&(variable, value)| self.fact(variable, value));
            lists.push(facts.collect::<Result<Vec<FactId>, Failure>>()?);
            if entry.weight.is_none() && self.needs_weights {
                return Err(json.failure(json.offset(raw), "the feature has no weight".to_owned()));
            }
            weights.push(entry.weight.map_or(Ok(Rational::ZERO), |raw| self.fraction(raw))?);
        }
        let features = Features::new(self.facts.clone(), lists);
        let features = features.map_err(|(index, error)| {
            let message = match error {
                FeatureError::VariableTwice(variable) => {
                    let name = &self.task.variable(variable).name;
                    format!("the feature mentions variable '{name}' twice")
                }
                other => other.to_string(),
            };
            json.failure(json.offset(parsed.features[index]), message)
        })?;
        Ok(GivenPotential { features, weights, constant })
    }

    fn fact(&self, variable: &RawValue, value: &RawValue) -> Result<FactId, Failure> {
        let variables = self.task.variables();
        let names = &self.names.variables;
        let index = self.json.choice(variable, "variable", names, variables.len())?;
        let what = format!("value of variable '{}'", variables[index].name);
        let count = variables[index].values.len();
        let value = self.json.choice(value, &what, &self.names.values[index], count)?;
        Ok(self.facts.id(Fact::new(VariableId::new(index), value as u32)))
    }

    fn fraction(&self, raw: &RawValue) -> Result<Rational, Failure> {
        parse(raw.get().trim_matches('"')).ok_or_else(|| {
            let message =
                format!("expected a number or a fraction such as \"-7/2\", found {}", raw.get());
            self.json.failure(self.json.offset(raw), message)
        })
    }
}

/// Reads `3`, `-1.25` or `-7/2`.
fn parse(text: &str) -> Option<Rational> {
    let (numerator, denominator) = match text.split_once('/') {
        Some((numerator, denominator)) => (numerator.trim(), denominator.trim().parse().ok()?),
        None => (text.trim(), 1),
    };
    let (whole, decimals) = numerator.split_once('.').unwrap_or((numerator, ""));
    let digits = decimals.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || decimals.len() > 30 || denominator <= 0 || whole.is_empty() {
        return None;
    }
    let numerator = format!("{whole}{decimals}").parse().ok()?;
    let denominator = 10_i128.checked_pow(decimals.len() as u32)?.checked_mul(denominator)?;
    Some(Rational { numerator, denominator })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions() {
        let parse = |text| parse(text).map(|f| (f.numerator, f.denominator));
        assert_eq!(parse("3"), Some((3, 1)));
        assert_eq!(parse("-1.25"), Some((-125, 100)));
        assert_eq!(parse("-7/2"), Some((-7, 2)));
        for wrong in ["", "x", "1/0", "1/-2", "1.x", "1e5", "nan", ".", "--1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
