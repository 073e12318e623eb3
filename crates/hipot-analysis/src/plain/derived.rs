//! The derived variables whose axioms an operator may touch.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::{Task, VariableId};

/// If there are more such variables for all operators together, they are left as they are.
const MAX_IN_ALL: usize = 100_000;

/// For each operator, the derived variables that depend on what it sets, directly or by other
/// derived variables, in order; none if there are too many.
pub(super) fn affected(task: &Task) -> Vec<Vec<VariableId>> {
    let nothing = || vec![Vec::new(); task.operators().len()];
    if task.axioms().is_empty() {
        return nothing();
    }
    let mut heads: BTreeMap<VariableId, BTreeSet<VariableId>> = BTreeMap::new();
    for axiom in task.axioms() {
        for fact in &axiom.body {
            heads.entry(fact.variable).or_default().insert(axiom.head.variable);
        }
    }
    let mut known: BTreeMap<VariableId, BTreeSet<VariableId>> = BTreeMap::new();
    let (mut all, mut count) = (Vec::new(), 0);
    for operator in task.operators() {
        let mut own = BTreeSet::new();
        for effect in &operator.effects {
            let variable = effect.fact.variable;
            let dependent = known.entry(variable).or_insert_with(|| dependents(variable, &heads));
            own.extend(dependent.iter().copied());
        }
        count += own.len();
        if count > MAX_IN_ALL {
            return nothing();
        }
        all.push(own.into_iter().collect());
    }
    all
}

/// The derived variables that depend on `variable`.
fn dependents(
    variable: VariableId,
    heads: &BTreeMap<VariableId, BTreeSet<VariableId>>,
) -> BTreeSet<VariableId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![variable]);
    while let Some(next) = open.pop() {
        for &head in heads.get(&next).into_iter().flatten() {
            if found.insert(head) {
                open.push(head);
            }
        }
    }
    found
}
