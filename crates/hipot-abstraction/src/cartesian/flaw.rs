//! Flaws: where a cheapest plan of an abstraction fails in the task.
//!
//! The plan is followed from the initial state. It may fail because an operator is not applicable,
//! because the state after it is not in the abstract state that the plan goes on with, or because
//! the last state is no goal state. Each of these names some variables, and for each some values
//! that the failing state does not have: a split between these values and the others removes the
//! flaw.

use hipot_task::{Fact, FactId, Value, VariableId};

use super::paths::Paths;
use super::refined::Refined;

/// A possible split of an abstract state.
#[derive(Clone, Debug)]
pub(super) struct Split {
    pub(super) state: u32,
    pub(super) variable: VariableId,
    pub(super) wanted: Vec<FactId>,
}

/// What became of a plan in the task.
#[derive(Clone, Debug)]
pub(super) enum Traced {
    /// It is a plan of the subtask.
    Plan,
    /// It fails, and one of these splits removes the flaw. There is none if the plan leaves the
    /// states that mutexes allow.
    Fails(Vec<Split>),
}

/// Follows a cheapest plan from the initial state, which has one.
pub(super) fn trace(refined: &Refined<'_, '_>, paths: &Paths) -> Traced {
    let task = refined.frame.task();
    let mut state: Vec<Value> = task.initial().to_vec();
    let mut own = refined.tree.state(&state);
    while let Some((operator, target)) = paths.next(own) {
        let missing = missing(refined, own, &state, &task.operator(operator).preconditions);
        if !missing.is_empty() {
            return Traced::Fails(missing);
        }
        let before = state.clone();
        for change in refined.frame.changes(operator) {
            state[change.variable.index()] = change.after;
        }
        let reached = refined.tree.state(&state);
        if reached != target {
            return Traced::Fails(deviations(refined, own, &before, target, &state));
        }
        own = reached;
    }
    let is_whole = refined.is_whole();
    let missing = if is_whole { missing(refined, own, &state, task.goal()) } else { Vec::new() };
    if missing.is_empty() { Traced::Plan } else { Traced::Fails(missing) }
}

/// The splits for facts that `state` should have.
fn missing(refined: &Refined<'_, '_>, own: u32, state: &[Value], facts: &[Fact]) -> Vec<Split> {
    let missing = facts.iter().filter(|fact| state[fact.variable.index()] != fact.value);
    let split = |fact: &Fact| {
        let wanted = vec![refined.frame.layout().facts().id(*fact)];
        Split { state: own, variable: fact.variable, wanted }
    };
    missing.map(split).filter(|split| is_proper(refined, split)).collect()
}

/// The splits for variables whose value is not the one that `target` needs. No such variable is
/// changed by the operator.
fn deviations(
    refined: &Refined<'_, '_>,
    own: u32,
    before: &[Value],
    target: u32,
    after: &[Value],
) -> Vec<Split> {
    let (frame, layout) = (refined.frame, refined.frame.layout());
    let mut splits = Vec::new();
    for variable in frame.task().variable_ids() {
        let value = after[variable.index()];
        let is_kept = value == before[variable.index()];
        if !is_kept || refined.has(target, layout.facts().id(Fact::new(variable, value))) {
            continue;
        }
        let own_facts = layout.facts_of(variable, refined.values(own));
        let wanted: Vec<FactId> = own_facts.filter(|&fact| refined.has(target, fact)).collect();
        splits.push(Split { state: own, variable, wanted });
    }
    splits.retain(|split| is_proper(refined, split));
    splits
}

/// Whether both parts have values.
fn is_proper(refined: &Refined<'_, '_>, split: &Split) -> bool {
    let count = refined.frame.layout().count(split.variable, refined.values(split.state));
    let wanted = split.wanted.iter().filter(|&&fact| refined.has(split.state, fact)).count();
    wanted > 0 && wanted < count as usize
}
