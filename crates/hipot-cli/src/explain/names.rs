//! Facts, features and variables in words.
//!
//! The name of a value is enough, `Atom at(ball1, rooma)`, unless two variables have a value
//! of the same name: `<none of those>`, `unknown`, or just `on`. These are written with their
//! variable, `lamp=on`. Variables are often called `var0`; what their values have in common
//! says more.

use std::collections::HashMap;

use hipot_potential::NormalForm;
use hipot_potential::feature::{FeatureId, Features};
use hipot_task::{Fact, Task, Variable, VariableId};

/// Names for the parts of a task in TNF.
pub(super) struct Names<'a> {
    normal: &'a NormalForm,
    /// The number of values with a name.
    uses: HashMap<&'a str, u32>,
}

impl<'a> Names<'a> {
    pub(super) fn new(normal: &'a NormalForm) -> Self {
        let mut uses = HashMap::new();
        for value in normal.task().variables().iter().flat_map(|variable| &variable.values) {
            *uses.entry(value.as_str()).or_insert(0) += 1;
        }
        Self { normal, uses }
    }

    fn task(&self) -> &'a Task {
        self.normal.task()
    }

    /// The fact's name, with its variable if the name alone would be ambiguous.
    pub(super) fn fact(&self, fact: Fact) -> String {
        let name = self.task().fact_name(fact);
        let is_unknown = self.normal.unknown(fact.variable) == Some(fact.value);
        if !is_unknown && self.uses[name] == 1 {
            return name.to_owned();
        }
        format!("{}={name}", self.task().variable(fact.variable).name)
    }

    /// The names of the feature's facts, joined by ` & `.
    pub(super) fn feature(&self, features: &Features, feature: FeatureId) -> String {
        let facts = features.conjuncts(feature).iter().map(|&id| features.facts().fact(id));
        facts.map(|fact| self.fact(fact)).collect::<Vec<_>>().join(" & ")
    }
}

/// Titles for all variables. Those that several variables have get the name as well.
pub(super) fn titles(normal: &NormalForm) -> Vec<String> {
    let of_variable = |id: VariableId| {
        let variable = normal.task().variable(id);
        title(variable, variable.values.len() - usize::from(normal.unknown(id).is_some()))
    };
    let titles: Vec<String> = normal.task().variable_ids().map(of_variable).collect();
    let mut uses: HashMap<&str, u32> = HashMap::new();
    for title in &titles {
        *uses.entry(title).or_insert(0) += 1;
    }
    let tell_apart = |(title, variable): (&String, &Variable)| {
        let is_clear = uses[title.as_str()] == 1 || *title == variable.name;
        if is_clear { title.clone() } else { format!("{title} ({})", variable.name) }
    };
    titles.iter().zip(normal.task().variables()).map(tell_apart).collect()
}

/// What the names of a variable's values have in common, such as
/// `at(ball1, …)`, or just `ball1`; the variable's name if they have nothing in common.
/// `known` is the number of values that the variable had before TNF.
pub(super) fn title(variable: &Variable, known: usize) -> String {
    const MIN_PREFIX: usize = 4;
    let values: Vec<&str> = variable.values[..known]
        .iter()
        .filter(|value| !value.starts_with('<'))
        .map(|value| value.trim_start_matches("Negated").trim_start_matches("Atom "))
        .collect();
    let Some((&first, others)) = values.split_first() else { return variable.name.clone() };
    if others.iter().all(|&other| other == first) {
        let is_atom = first.contains('(');
        return if is_atom { first.to_owned() } else { variable.name.clone() };
    }
    let prefix = others.iter().fold(first, |prefix, other| common_prefix(prefix, other));
    // Whole words only: `at(ball1, room` ends after the comma.
    let prefix = &prefix[..prefix.rfind(['(', ' ']).map_or(0, |place| place + 1)];
    if prefix.len() < MIN_PREFIX {
        let shared = shared_object(first, others);
        return shared.map_or(variable.name.clone(), str::to_owned);
    }
    if prefix.starts_with(&variable.name) {
        return variable.name.clone();
    }
    let closes = values.iter().all(|value| value.ends_with(')'));
    format!("{prefix}…{}", if closes { ")" } else { "" })
}

/// The first argument of an atom that all other atoms have too: `mug` for
/// `at(mug, lab)` and `held(mug)`.
fn shared_object<'a>(first: &'a str, others: &[&str]) -> Option<&'a str> {
    arguments(first)
        .find(|&object| others.iter().all(|other| arguments(other).any(|a| a == object)))
}

fn arguments(atom: &str) -> impl Iterator<Item = &str> {
    let inside = atom.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inside.unwrap_or("").split(',').map(str::trim).filter(|argument| !argument.is_empty())
}

fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let differ = a.char_indices().zip(b.chars()).find(|((_, left), right)| left != right);
    let shorter = a.char_indices().nth(b.chars().count()).map_or(a.len(), |(place, _)| place);
    &a[..differ.map_or(shorter, |((place, _), _)| place)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title_of(values: &[&str]) -> String {
        let variable = Variable::new("var0", values.iter().copied());
        title(&variable, values.len())
    }

    #[test]
    fn titles_are_what_values_have_in_common() {
        assert_eq!(title_of(&["Atom at(ball1, rooma)", "Atom at(ball1, roomb)"]), "at(ball1, …)");
        assert_eq!(title_of(&["Atom lit()", "NegatedAtom lit()"]), "lit()");
        assert_eq!(title_of(&["Atom on(a, b)", "Atom on(a, c)", "<none of those>"]), "on(a, …)");
        assert_eq!(title_of(&["Atom holding(a)", "Atom on(a, b)"]), "a");
        assert_eq!(title_of(&["Atom up(a)", "Atom on(b, c)"]), "var0");
        assert_eq!(title_of(&["red", "green"]), "var0");
        assert_eq!(title_of(&["var0 at a", "var0 in b"]), "var0");
        assert_eq!(title_of(&["ball at a", "ball in b"]), "ball …");
        assert_eq!(title_of(&["red"]), "var0");
        assert_eq!(title_of(&[]), "var0");
    }

    #[test]
    fn prefixes() {
        assert_eq!(common_prefix("abc", "abd"), "ab");
        assert_eq!(common_prefix("abc", "ab"), "ab");
        assert_eq!(common_prefix("é1", "é2"), "é");
    }
}
