//! Operators and variables by name.
//!
//! Operators of the task in TNF have the names of the task's operators, and `forget FACT`
//! for those that forget a value. Plans write names in parentheses; both forms are accepted,
//! in upper or lower case. If several operators have one name, `NAME#2` is the second.
//!
//! The names are looked up before the heuristic is computed, which may take long. A
//! forgetting operator may still be missing later: which of them are needed depends on the
//! normal form.

use hipot::Failure;
use hipot_task::{Fact, Task};

/// The number of similar names in an error message.
const MAX_SIMILAR: usize = 5;
/// The length in bytes of the longest name that is compared for similarity.
const MAX_LENGTH: usize = 200;

/// What the user names.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// The operator.
    pub(crate) operator: String,
    /// The beginning of the elimination order.
    pub(crate) order: Option<Vec<String>>,
}

/// The operator and the order that were chosen.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    operator: String,
    /// Variables by index.
    pub(super) order: Option<Vec<usize>>,
}

/// An operator that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its index.
    pub(super) index: usize,
    /// Its place among the operators of this name, from 1.
    pub(super) number: usize,
    /// The number of operators of this name.
    pub(super) namesakes: usize,
}

impl Choice {
    /// Checks the names against a task.
    pub(crate) fn new(task: &Task, names: &Names) -> Result<Self, Failure> {
        let forgetting = |id| {
            let values = 0..task.variable(id).domain_size();
            values.map(move |value| format!("forget {}", task.fact_name(Fact::new(id, value))))
        };
        let forgetting: Vec<String> = task.variable_ids().flat_map(forgetting).collect();
        let known = || operator_names(task).chain(forgetting.iter().map(String::as_str));
        if find(&names.operator, known).is_none() {
            return Err(unknown("operator", &names.operator, known()));
        }
        let order = names.order.as_ref().map(|order| variables(task, order)).transpose()?;
        Ok(Self { operator: names.operator.clone(), order })
    }

    /// The chosen operator of a task in TNF.
    pub(super) fn find(&self, task: &Task) -> Option<Found> {
        find(&self.operator, || operator_names(task))
    }

    /// The failure if no task in TNF has the operator; `task` is one of them.
    pub(super) fn missing(&self, task: &Task) -> Failure {
        unknown("operator in the normal form", &self.operator, operator_names(task))
    }
}

fn operator_names(task: &Task) -> impl Iterator<Item = &str> + Clone {
    task.operators().iter().map(|operator| operator.name.as_str())
}

fn without_parentheses(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(name)
}

fn find<'a, I: Iterator<Item = &'a str>>(wanted: &str, names: impl Fn() -> I) -> Option<Found> {
    let all_of = |wanted: &str| {
        let wanted = without_parentheses(wanted);
        let is_same = |name: &str| without_parentheses(name).eq_ignore_ascii_case(wanted);
        let places = names().enumerate().filter(|(_, name)| is_same(name));
        places.map(|(index, _)| index).collect::<Vec<usize>>()
    };
    let found = |places: &[usize], number: usize| {
        let index = *places.get(number.checked_sub(1)?)?;
        Some(Found { index, number, namesakes: places.len() })
    };
    found(&all_of(wanted), 1).or_else(|| {
        let (name, number) = wanted.rsplit_once('#')?;
        found(&all_of(name), number.parse().ok()?)
    })
}

fn variables(task: &Task, order: &[String]) -> Result<Vec<usize>, Failure> {
    let mut found = Vec::new();
    for name in order {
        let names = || task.variables().iter().map(|variable| variable.name.as_str());
        let place = names().position(|other| other == name);
        let place = place.ok_or_else(|| unknown("variable", name, names()))?;
        if found.contains(&place) {
            return Err(Failure::Usage(format!("--order names the variable '{name}' twice")));
        }
        found.push(place);
    }
    Ok(found)
}

fn unknown<'a>(what: &str, wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> Failure {
    let similar = similar(without_parentheses(wanted), names.clone());
    let hint = if similar.is_empty() {
        let mut some: Vec<&str> = Vec::new();
        for name in names {
            if some.len() < MAX_SIMILAR && !some.contains(&name) {
                some.push(name);
            }
        }
        format!("; some names: {}", some.join(", "))
    } else {
        format!("; similar names: {}", similar.join(", "))
    };
    Failure::Usage(format!("there is no {what} '{wanted}'{hint}"))
}

/// The most similar names, best first: names that contain the wanted one, and names with few
/// typing mistakes.
fn similar<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    if wanted.is_empty() || wanted.len() > MAX_LENGTH {
        return Vec::new();
    }
    let wanted = wanted.to_lowercase();
    let max_mistakes = (wanted.chars().count() / 2).max(1);
    let score = |name: &'a str| {
        let lower = name.to_lowercase();
        let mistakes = strsim::osa_distance(&wanted, &lower);
        let is_near = lower.contains(&wanted) || mistakes <= max_mistakes;
        is_near.then_some((mistakes, name))
    };
    let names = names.filter(|name| name.len() <= MAX_LENGTH);
    let mut scored: Vec<(usize, &str)> = names.filter_map(score).collect();
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().map(|(_, name)| name).take(MAX_SIMILAR).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["open door", "close door", "open door", "forget Atom open()"];

    fn found(wanted: &str) -> Option<(usize, usize, usize)> {
        let found = find(wanted, || NAMES.into_iter())?;
        Some((found.index, found.number, found.namesakes))
    }

    #[test]
    fn names_are_found_as_plans_write_them() {
        assert_eq!(found("close door"), Some((1, 1, 1)));
        assert_eq!(found("(CLOSE Door)"), Some((1, 1, 1)));
        assert_eq!(found("forget Atom open()"), Some((3, 1, 1)));
        assert_eq!(found("close"), None);
    }

    #[test]
    fn a_number_tells_namesakes_apart() {
        assert_eq!(found("open door"), Some((0, 1, 2)));
        assert_eq!(found("open door#2"), Some((2, 2, 2)));
        for wrong in ["open door#0", "open door#3", "open door#", "open door#x", "#1"] {
            assert_eq!(found(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn similar_names_come_best_first() {
        assert_eq!(similar("opne door", NAMES.into_iter()), ["open door", "close door"]);
        assert_eq!(similar("close", NAMES.into_iter()), ["close door"]);
        assert!(similar("", NAMES.into_iter()).is_empty());
        assert!(similar(&"x".repeat(MAX_LENGTH + 1), NAMES.into_iter()).is_empty());
    }
}
