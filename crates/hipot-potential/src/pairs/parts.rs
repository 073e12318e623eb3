//! Operators by what they change.

use std::collections::HashMap;

use hipot_task::{OperatorId, Task, VariableId};

use crate::feature::Facts;

/// What some operators change: facts before and after, one pair for each
/// changed variable, in the order of the variables.
pub(crate) type Changes = Vec<(u32, u32)>;

/// An operator of a TNF task, apart from its changes.
#[derive(Clone, Debug)]
pub(crate) struct Requirement {
    pub(crate) operator: OperatorId,
    /// What it requires and does not change.
    pub(crate) prevail: Vec<u32>,
    pub(crate) cost: u32,
}

/// The operators that make the same changes.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) changes: Changes,
    pub(crate) requirements: Vec<Requirement>,
}

impl Part {
    /// The variables that change, in order.
    pub(crate) fn changed(&self, facts: &Facts) -> Vec<VariableId> {
        self.changes.iter().map(|&(before, _)| facts.variable_of(before)).collect()
    }
}

/// The operators of a TNF task by their changes. Operators that change nothing
/// have no constraint and are left out.
pub(crate) fn parts(task: &Task, facts: &Facts) -> Vec<Part> {
    let mut index_of: HashMap<Changes, usize> = HashMap::new();
    let mut parts: Vec<Part> = Vec::new();
    for operator in task.operator_ids() {
        let (changes, requirement) = split(task, facts, operator);
        if changes.is_empty() {
            continue;
        }
        let index = *index_of.entry(changes).or_insert_with_key(|changes| {
            parts.push(Part { changes: changes.clone(), requirements: Vec::new() });
            parts.len() - 1
        });
        parts[index].requirements.push(requirement);
    }
    parts
}

fn split(task: &Task, facts: &Facts, id: OperatorId) -> (Changes, Requirement) {
    let operator = task.operator(id);
    let mut changes = Changes::new();
    let mut prevail = Vec::new();
    for effect in &operator.effects {
        let variable = effect.fact.variable;
        let value = operator.precondition_on(variable).expect("the task is in TNF");
        let before = facts.id(hipot_task::Fact::new(variable, value)).index() as u32;
        let after = facts.id(effect.fact).index() as u32;
        if before == after {
            prevail.push(before);
        } else {
            changes.push((before, after));
        }
    }
    changes.sort_unstable();
    prevail.sort_unstable();
    (changes, Requirement { operator: id, prevail, cost: operator.cost })
}

/// Drops requirements that others dominate: those that are part of them and
/// cost no more. Compares with few only where there are many.
pub(crate) fn drop_dominated(part: &mut Part) {
    const COMPARED: usize = 200;
    let requirements = &mut part.requirements;
    requirements.sort_by_key(|it| (it.prevail.len(), it.cost, it.operator));
    let mut kept: Vec<Requirement> = Vec::new();
    for requirement in requirements.drain(..) {
        let dominates = |other: &Requirement| {
            other.cost <= requirement.cost && is_part(&other.prevail, &requirement.prevail)
        };
        if !kept.iter().take(COMPARED).any(dominates) {
            kept.push(requirement);
        }
    }
    *requirements = kept;
}

/// Whether all of `part`, which is sorted, is in `whole`, which is too.
fn is_part(part: &[u32], whole: &[u32]) -> bool {
    part.iter().all(|fact| whole.binary_search(fact).is_ok())
}
