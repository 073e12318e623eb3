//! The labels of all projections and their transitions, counted before they
//! are enumerated.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::{Limits, OperatorId, Task, Value, VariableId};

use super::{AbstractState, Choice, Label, Projection};
use crate::Error;

/// A variable with the values that an operator asks for and sets.
type Change = (VariableId, Value, Value);

/// A transition and its share of a label's, in bytes for each of its nonzeros.
const BYTES_PER_NONZERO: u64 = 16;

/// All sets of `dimension` variables, or the set of all.
pub(super) fn patterns(task: &Task, choice: Choice) -> Result<Vec<Vec<VariableId>>, Error> {
    let dimension = choice.dimension.min(task.variables().len());
    let mut patterns: Vec<Vec<VariableId>> = Vec::new();
    let mut states: u64 = 0;
    let mut pattern: Vec<usize> = (0..dimension).collect();
    loop {
        let variables: Vec<VariableId> = pattern.iter().map(|&i| VariableId::new(i)).collect();
        let sizes = variables.iter().map(|&id| u64::from(task.variable(id).domain_size()));
        states = states.saturating_add(sizes.fold(1, u64::saturating_mul));
        choice.check("abstract states", states)?;
        patterns.push(variables);
        if !advance(&mut pattern, task.variables().len()) {
            return Ok(patterns);
        }
    }
}

/// The next of all increasing sequences of numbers below `end`.
fn advance(pattern: &mut [usize], end: usize) -> bool {
    let length = pattern.len();
    let Some(place) = (0..length).rev().find(|&i| pattern[i] + length - i < end) else {
        return false;
    };
    pattern[place] += 1;
    for later in place + 1..length {
        pattern[later] = pattern[later - 1] + 1;
    }
    true
}

/// The labels of all projections, and where those of each begin.
pub(super) fn enumerate(
    task: &Task,
    projections: &[Projection],
    choice: Choice,
    limits: &Limits,
) -> Result<(Vec<Label>, Vec<usize>), Error> {
    let groups = groups(task, projections, choice, limits)?;
    let mut labels = Vec::new();
    let mut begins = vec![0];
    for (projection, groups) in projections.iter().zip(groups) {
        limits.check()?;
        for (changes, operators) in groups {
            let transitions = transitions(task, projection, &changes);
            labels.push(Label { operators, transitions });
        }
        begins.push(labels.len());
    }
    Ok((labels, begins))
}

/// The operators that change something in a projection, by what they ask for
/// and set there.
type Groups = BTreeMap<Vec<Change>, Vec<OperatorId>>;

/// The groups of all projections, if there are not too many transitions.
fn groups(
    task: &Task,
    projections: &[Projection],
    choice: Choice,
    limits: &Limits,
) -> Result<Vec<Groups>, Error> {
    let changes: Vec<Vec<Change>> = task.operator_ids().map(|id| changes(task, id)).collect();
    let mut changing = vec![Vec::new(); task.variables().len()];
    for (operator, changes) in task.operator_ids().zip(&changes) {
        for &(variable, _, _) in changes.iter().filter(|(_, old, new)| old != new) {
            changing[variable.index()].push(operator);
        }
    }
    let mut nonzeros: u64 = 0;
    let mut all = Vec::with_capacity(projections.len());
    for projection in projections {
        limits.check()?;
        let of_variables = projection.variables.iter().flat_map(|id| &changing[id.index()]);
        let operators: BTreeSet<OperatorId> = of_variables.copied().collect();
        let mut groups = Groups::new();
        for operator in operators {
            let own = changes[operator.index()].iter();
            let own = own.filter(|(variable, _, _)| projection.variables.contains(variable));
            groups.entry(own.copied().collect()).or_default().push(operator);
        }
        nonzeros = nonzeros.saturating_add(predict(task, projection, &groups));
        choice.check("nonzeros of the LP", nonzeros)?;
        all.push(groups);
    }
    limits.reserve(nonzeros.saturating_mul(BYTES_PER_NONZERO))?;
    Ok(all)
}

/// The nonzeros of a projection: two states and a share for each transition,
/// and at most two for each operator.
fn predict(task: &Task, projection: &Projection, groups: &Groups) -> u64 {
    let of_group = |(changes, operators): (&Vec<Change>, &Vec<OperatorId>)| {
        let open = open_variables(projection, changes);
        let sizes = open.map(|(id, _)| u64::from(task.variable(id).domain_size()));
        let transitions = sizes.fold(1, u64::saturating_mul);
        transitions.saturating_mul(3).saturating_add(2 * operators.len() as u64)
    };
    groups.iter().map(of_group).fold(0, u64::saturating_add)
}

/// What an operator in TNF asks for and sets, by variable.
fn changes(task: &Task, operator: OperatorId) -> Vec<Change> {
    let operator = task.operator(operator);
    let mut changes: Vec<Change> = operator
        .effects
        .iter()
        .map(|effect| {
            let old = operator.precondition_on(effect.fact.variable);
            (effect.fact.variable, old.expect("the task is in TNF"), effect.fact.value)
        })
        .collect();
    changes.sort_unstable();
    changes
}

/// The variables of a projection that `changes` leaves alone, with their steps.
fn open_variables(
    projection: &Projection,
    changes: &[Change],
) -> impl Iterator<Item = (VariableId, usize)> {
    let places = projection.variables.iter().copied().zip(projection.steps.iter().copied());
    places.filter(|(id, _)| changes.iter().all(|(changed, _, _)| changed != id))
}

/// A transition for each assignment to the variables that are left alone.
fn transitions(
    task: &Task,
    projection: &Projection,
    changes: &[Change],
) -> Vec<(AbstractState, AbstractState)> {
    let (mut from, mut to) = (projection.begin, projection.begin);
    for &(variable, old, new) in changes {
        let place = projection.variables.iter().position(|&own| own == variable);
        let step = projection.steps[place.expect("changes of the projection")];
        from += old as usize * step;
        to += new as usize * step;
    }
    let mut transitions = vec![(from, to)];
    for (variable, step) in open_variables(projection, changes) {
        let values = 0..task.variable(variable).domain_size() as usize;
        let spread = |&(from, to): &(usize, usize)| {
            values.clone().map(move |value| (from + value * step, to + value * step))
        };
        transitions = transitions.iter().flat_map(spread).collect();
    }
    let state = AbstractState::new;
    transitions.into_iter().map(|(from, to)| (state(from), state(to))).collect()
}
