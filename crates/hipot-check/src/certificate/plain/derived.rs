//! The derived variables that an operator can make wrong.

use std::collections::{BTreeSet, HashMap};

use hipot_task::{Fact, Task, VariableId};

use super::cases::Case;

/// The maximum number of derived variables that operators can make wrong, counted for each.
const MAX_WRONG: usize = 100_000;

/// For each operator, the derived variables that rest on a variable that it sets; `None` if these
/// are too many in all.
pub(super) fn wrong_after(task: &Task) -> Option<Vec<BTreeSet<VariableId>>> {
    let mut rests_on: HashMap<VariableId, BTreeSet<VariableId>> = HashMap::new();
    for axiom in task.axioms() {
        for fact in &axiom.body {
            rests_on.entry(fact.variable).or_default().insert(axiom.head.variable);
        }
    }
    let mut of_variable: Vec<Option<BTreeSet<VariableId>>> = vec![None; task.variables().len()];
    let (mut all, mut left) = (Vec::new(), MAX_WRONG);
    for operator in task.operators() {
        let mut wrong = BTreeSet::new();
        for effect in &operator.effects {
            let set = effect.fact.variable;
            let found = of_variable[set.index()].get_or_insert_with(|| reach(set, &rests_on));
            wrong.extend(&*found);
        }
        left = left.checked_sub(wrong.len())?;
        all.push(wrong);
    }
    Some(all)
}

fn reach(
    from: VariableId,
    rests_on: &HashMap<VariableId, BTreeSet<VariableId>>,
) -> BTreeSet<VariableId> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<VariableId> = vec![from];
    while let Some(variable) = open.pop() {
        if let Some(heads) = rests_on.get(&variable) {
            open.extend(heads.iter().filter(|&&head| reached.insert(head)));
        }
    }
    reached
}

/// Adds to what an operator requires and sets that these derived variables have their defaults
/// afterwards, and before unless it requires something else of them.
pub(super) fn reset(
    task: &Task,
    variables: impl IntoIterator<Item = VariableId>,
    required: &mut Case,
    set: &mut Vec<Fact>,
) {
    for variable in variables {
        let default = task.initial()[variable.index()];
        if *required.entry(variable).or_insert(default) != default {
            set.push(Fact::new(variable, default));
        }
    }
}
