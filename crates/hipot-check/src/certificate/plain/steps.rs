//! An operator in parts, and each part in steps.
//!
//! Two variables are in one part if a conditional effect mentions both. A part with few cases has
//! a step for each of them. Another part is cut into one for each variable that it sets; the order
//! is such that a variable is set when no others have to read it, or, if there is none, the
//! lowest one is. If some of what has to be read was set before, or if there are still
//! too many cases, the steps are *loose*: one for each effect, which requires what can be read of
//! its conditions, and one that sets nothing, unless some effect always fires.
//!
//! Whatever the effects on the variable do in a state, some loose step does: the last effect that
//! fires has a step whose requirements hold.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use hipot_task::{Fact, Operator, Task, VariableId};

use super::cases::{Case, Rule, cases, fired};

/// A step: what it requires and what it sets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) required: Vec<Fact>,
    pub(super) set: Vec<Fact>,
}

/// An operator in parts.
pub(super) struct InParts {
    /// What is set when it begins.
    pub(super) beginning: Vec<Fact>,
    /// For each part, its steps.
    pub(super) steps: Vec<Vec<Step>>,
}

/// The parts of an operator with these effects, some of which have conditions.
pub(super) fn in_parts(task: &Task, operator: &Operator, rules: &[Rule], limit: usize) -> InParts {
    let part_of = parts(rules);
    let mut members: BTreeMap<VariableId, Vec<&Rule>> = BTreeMap::new();
    let mut others: Vec<&Rule> = Vec::new();
    for rule in rules {
        match part_of.get(&rule.set.variable) {
            Some(&part) => members.entry(part).or_default().push(rule),
            None => others.push(rule),
        }
    }
    let beginning = fired(&others, &Case::new()).into_iter();
    let beginning = beginning.map(|(variable, value)| Fact::new(variable, value)).collect();
    let mut steps = Vec::new();
    for rules in members.values() {
        match cases(task, rules, limit) {
            Some(found) => steps.push(exact(operator, rules, found)),
            None => cut(task, operator, rules, limit, &mut steps),
        }
    }
    InParts { beginning, steps }
}

/// For each variable of a conditional effect, the lowest variable of its part.
fn parts(rules: &[Rule]) -> BTreeMap<VariableId, VariableId> {
    let mut neighbors: BTreeMap<VariableId, Vec<VariableId>> = BTreeMap::new();
    for rule in rules {
        for condition in &rule.conditions {
            neighbors.entry(condition.variable).or_default().push(rule.set.variable);
            neighbors.entry(rule.set.variable).or_default().push(condition.variable);
        }
    }
    let mut part_of = BTreeMap::new();
    for &lowest in neighbors.keys() {
        let mut open = vec![lowest];
        while let Some(variable) = open.pop() {
            if let Entry::Vacant(entry) = part_of.entry(variable) {
                entry.insert(lowest);
                open.extend(&neighbors[&variable]);
            }
        }
    }
    part_of
}

/// The steps of a part that has few cases.
fn exact(operator: &Operator, rules: &[&Rule], cases: Vec<Case>) -> Vec<Step> {
    let step = |case: Case| {
        let set = fired(rules, &case);
        step(operator, case, set)
    };
    cases.into_iter().map(step).collect()
}

/// A step, which also requires what the operator requires of the variables that it sets.
fn step(operator: &Operator, mut required: Case, mut set: Case) -> Step {
    for &variable in set.keys() {
        if let Some(value) = operator.precondition_on(variable) {
            required.insert(variable, value);
        }
    }
    set.retain(|variable, value| required.get(variable) != Some(value));
    let facts = |case: Case| case.into_iter().map(|(id, value)| Fact::new(id, value)).collect();
    Step { required: facts(required), set: facts(set) }
}

/// Cuts a part by the variables that it sets.
fn cut(
    task: &Task,
    operator: &Operator,
    rules: &[&Rule],
    limit: usize,
    steps: &mut Vec<Vec<Step>>,
) {
    let mut own: BTreeMap<VariableId, Vec<&Rule>> = BTreeMap::new();
    for &rule in rules {
        own.entry(rule.set.variable).or_default().push(rule);
    }
    let mut was_set = BTreeSet::new();
    for variable in order(&own) {
        let rules = &own[&variable];
        let mut conditions = rules.iter().flat_map(|rule| &rule.conditions);
        let can_be_read = !conditions.any(|fact| was_set.contains(&fact.variable));
        let found = if can_be_read { cases(task, rules, limit) } else { None };
        steps.push(match found {
            Some(found) => exact(operator, rules, found),
            None => loose(operator, rules, &was_set),
        });
        was_set.insert(variable);
    }
}

/// The order in which the variables of a part are set.
fn order(own: &BTreeMap<VariableId, Vec<&Rule>>) -> Vec<VariableId> {
    let mut reads: BTreeMap<VariableId, BTreeSet<VariableId>> = BTreeMap::new();
    let mut read_by: BTreeMap<VariableId, usize> = BTreeMap::new();
    for (&variable, rules) in own {
        let conditions = rules.iter().flat_map(|rule| &rule.conditions);
        let others = conditions.map(|fact| fact.variable).filter(|&other| other != variable);
        let others: BTreeSet<VariableId> = others.filter(|it| own.contains_key(it)).collect();
        for &other in &others {
            *read_by.entry(other).or_default() += 1;
        }
        reads.insert(variable, others);
    }
    let is_free = |variable: &VariableId| !read_by.contains_key(variable);
    let mut free: BTreeSet<VariableId> = own.keys().copied().filter(is_free).collect();
    let mut order = Vec::new();
    while let Some((&lowest, _)) = reads.first_key_value() {
        let next = free.pop_first().unwrap_or(lowest);
        let others = reads.remove(&next).expect("it is left");
        for other in others {
            let count = read_by.get_mut(&other).expect("it is read");
            *count -= 1;
            if *count == 0 && reads.contains_key(&other) {
                free.insert(other);
            }
        }
        order.push(next);
    }
    order
}

/// Loose steps; conditions on variables that were set before are not read.
fn loose(operator: &Operator, rules: &[&Rule], was_set: &BTreeSet<VariableId>) -> Vec<Step> {
    let mut steps = BTreeSet::new();
    for rule in rules {
        let read = rule.conditions.iter().filter(|fact| !was_set.contains(&fact.variable));
        let read = read.map(|fact| (fact.variable, fact.value)).collect();
        let set = Case::from([(rule.set.variable, rule.set.value)]);
        steps.insert(step(operator, read, set));
    }
    if rules.iter().all(|rule| !rule.conditions.is_empty()) {
        steps.insert(Step { required: Vec::new(), set: Vec::new() });
    }
    steps.into_iter().collect()
}
