//! Counterexample-guided abstraction refinement.
//!
//! While the cheapest plan of the abstraction fails in the task, the abstract state where it fails
//! is split. Of several possible splits the one is made whose variable has been split most, in
//! relation to its number of values ("max refined" of Seipp and Helmert): abstractions of few
//! variables in detail add up better than those that look at everything a little.

use hipot_task::{FactId, Limits, OperatorId};

use super::abstraction::Cartesian;
use super::flaw::{Split, Traced, trace};
use super::labels::group;
use super::paths::Paths;
use super::refined::Refined;
use super::subtask::Subtask;
use super::tree::SplitTree;
use crate::error::Error;
use crate::frame::Frame;

/// Limits on the size of Cartesian abstractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The largest number of transitions in all abstractions together.
    pub max_transitions: usize,
    /// The largest number of states in all abstractions together.
    pub max_states: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self { max_transitions: 1_000_000, max_states: 100_000 }
    }
}

/// The number of splits between two checks of the limits.
const SPLITS_PER_CHECK: usize = 16;

/// Refines the abstraction of a subtask as far as `params` and `time` allow. If `limits` are
/// reached there is no abstraction; if only `time` is, it stays as it is.
pub(crate) fn refine(
    frame: &Frame<'_>,
    subtask: &Subtask,
    params: &Params,
    time: &Limits,
    limits: &Limits,
) -> Result<Cartesian, Error> {
    let mut refined = Refined::new(frame, subtask);
    let mut paths = Paths::new(&refined);
    let mut splits = 0_usize;
    let words = refined.values(0).len() as u64;
    while refined.transitions < params.max_transitions && refined.states.len() < params.max_states {
        if splits.is_multiple_of(SPLITS_PER_CHECK) {
            limits.check()?;
            limits
                .reserve(SPLITS_PER_CHECK as u64 * 8 * words + 32 * refined.transitions as u64)?;
            if time.check().is_err() {
                break;
            }
        }
        splits += 1;
        let initial = refined.tree.state(frame.task().initial());
        if !paths.is_solvable(initial) {
            break;
        }
        let Traced::Fails(found) = trace(&refined, &paths) else { break };
        let Some(Split { state, variable, wanted }) = choose(&refined, found) else { break };
        let relied = paths.relying_on(&refined, state);
        refined.split(state, variable, &wanted);
        paths.repair(&refined, state, &relied);
    }
    Ok(finish(refined))
}

/// The split whose variable has been refined most.
fn choose(refined: &Refined<'_, '_>, splits: Vec<Split>) -> Option<Split> {
    let layout = refined.frame.layout();
    let share = |split: &Split| {
        let left = u64::from(layout.count(split.variable, refined.values(split.state)));
        (left << 32) / layout.facts().domain_size(split.variable) as u64
    };
    splits.into_iter().min_by_key(share)
}

/// The abstraction without what only refinement needs.
fn finish(refined: Refined<'_, '_>) -> Cartesian {
    let frame = refined.frame;
    let size = refined.states.len();
    let numbered = || (0..size as u32).zip(&refined.states);
    let goals = numbered().filter(|(_, it)| it.is_goal && !it.is_left_out);
    let goals = goals.map(|(number, _)| number).collect();
    let left_out = numbered().filter(|(_, it)| it.is_left_out).map(|(number, _)| number).collect();
    let mut transitions = Vec::with_capacity(refined.transitions);
    let mut has_transition = vec![false; frame.task().operators().len()];
    for (target, state) in numbered() {
        for &(operator, source) in &state.incoming {
            transitions.push((target, source, operator));
            has_transition[operator.index()] = true;
        }
    }
    let loopless = loopless(&refined);
    let is_impossible = |operator: &OperatorId| !has_transition[operator.index()];
    let impossible = loopless.iter().copied().filter(is_impossible).collect();
    let mut touched = loopless.clone();
    touched.extend(frame.task().operator_ids().filter(|id| has_transition[id.index()]));
    touched.sort_unstable();
    touched.dedup();
    let tree = refined.tree;
    let (labels, begins, incoming) = group(transitions, size);
    Cartesian {
        tree,
        size: size as u32,
        goals,
        left_out,
        labels,
        begins,
        incoming,
        touched,
        loopless,
        impossible,
    }
}

/// The useful operators that never lead from a state to itself.
fn loopless(refined: &Refined<'_, '_>) -> Vec<OperatorId> {
    let frame = refined.frame;
    let useful = frame.task().operator_ids().filter(|&operator| !frame.is_useless(operator));
    useful.filter(|&operator| !has_loop(refined, &refined.tree, operator)).collect()
}

fn has_loop(refined: &Refined<'_, '_>, tree: &SplitTree, operator: OperatorId) -> bool {
    let (frame, facts) = (refined.frame, refined.frame.layout().facts());
    let task = frame.task();
    tree.any(
        &|variable, is_in| {
            let required = task.operator(operator).precondition_on(variable);
            let mut changes = frame.changes(operator).iter();
            let change = changes.find(|change| change.variable == variable);
            required.is_none_or(is_in) && change.is_none_or(|change| is_in(change.after))
        },
        &mut |state| {
            let has = |fact: FactId| refined.has(state, fact);
            let is_there = !refined.states[state as usize].is_left_out;
            is_there && {
                let required = &task.operator(operator).preconditions;
                let changes = frame.changes(operator);
                required.iter().all(|&fact| has(facts.id(fact)))
                    && changes
                        .iter()
                        .all(|it| has(facts.id(hipot_task::Fact::new(it.variable, it.after))))
                    && refined.has_transition(operator, state, state)
            }
        },
    )
}
