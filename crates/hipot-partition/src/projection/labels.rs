//! The labels of all projections and their transitions.
//!
//! A pattern is the set of variables of a projection. For each pattern, the
//! operators that change one of its variables are grouped by their mentions of
//! its variables; each group becomes a [`Label`]. The transitions of a label
//! follow from these mentions: one for each assignment to the variables of the
//! pattern that the operators do not mention.
//!
//! The number of transitions is a product of domain sizes, so it is computed, and
//! compared with the limits, before any transition is enumerated: a task that is
//! too large gives an error instead of exhausting the memory.

use std::collections::{BTreeMap, BTreeSet};

use hipot_analysis::{Mention, TnfTask};
use hipot_task::{Facts, Limits, OperatorId, VariableId};

use super::single::{AbstractState, Choice, Label, Projection};
use crate::error::Error;

/// The memory of transitions and labels, in bytes per nonzero.
const BYTES_PER_NONZERO: u64 = 16;

/// The labels of all projections, and where those of each projection begin.
pub(super) fn enumerate(
    tnf: &TnfTask,
    projections: &[Projection],
    choice: Choice,
    limits: &Limits,
) -> Result<(Vec<Label>, Vec<usize>), Error> {
    let groups = groups(tnf, projections, choice, limits)?;
    let mut labels = Vec::new();
    let mut begins = vec![0];
    for (projection, groups) in projections.iter().zip(groups) {
        limits.check()?;
        for (changes, operators) in groups {
            let transitions = transitions(tnf.facts(), projection, &changes);
            labels.push(Label { operators, transitions });
        }
        begins.push(labels.len());
    }
    Ok((labels, begins))
}

/// The operators that change something in a projection, by what they require and set
/// there.
type Groups = BTreeMap<Vec<Mention>, Vec<OperatorId>>;

/// The groups of all projections, if there are not too many transitions.
fn groups(
    tnf: &TnfTask,
    projections: &[Projection],
    choice: Choice,
    limits: &Limits,
) -> Result<Vec<Groups>, Error> {
    let facts = tnf.facts();
    let mut changing = vec![Vec::new(); facts.variable_count()];
    for operator in tnf.task().operator_ids() {
        for mention in tnf.mentions(operator).iter().filter(|mention| mention.is_change()) {
            changing[facts.variable(mention.before).index()].push(operator);
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
            let is_own = |it: &&Mention| projection.variables.contains(&facts.variable(it.before));
            let own = tnf.mentions(operator).iter().filter(is_own).copied().collect();
            groups.entry(own).or_default().push(operator);
        }
        nonzeros = nonzeros.saturating_add(predict(facts, projection, &groups));
        choice.check("nonzeros of the LP", nonzeros)?;
        all.push(groups);
    }
    limits.reserve(nonzeros.saturating_mul(BYTES_PER_NONZERO))?;
    Ok(all)
}

/// The number of nonzeros for a projection: three for each transition (two states and
/// a share), and at most two for each operator.
fn predict(facts: &Facts, projection: &Projection, groups: &Groups) -> u64 {
    let of_group = |(mentions, operators): (&Vec<Mention>, &Vec<OperatorId>)| {
        let open = open_variables(facts, projection, mentions);
        let sizes = open.map(|(id, _)| facts.domain_size(id) as u64);
        let transitions = sizes.fold(1, u64::saturating_mul);
        transitions.saturating_mul(3).saturating_add(2 * operators.len() as u64)
    };
    groups.iter().map(of_group).fold(0, u64::saturating_add)
}

/// The variables of a projection that `mentions` does not contain, with their steps.
fn open_variables(
    facts: &Facts,
    projection: &Projection,
    mentions: &[Mention],
) -> impl Iterator<Item = (VariableId, usize)> {
    let places = projection.variables.iter().copied().zip(projection.steps.iter().copied());
    places.filter(|(id, _)| mentions.iter().all(|it| facts.variable(it.before) != *id))
}

/// A transition for each assignment to the variables that `mentions` does not contain.
fn transitions(
    facts: &Facts,
    projection: &Projection,
    mentions: &[Mention],
) -> Vec<(AbstractState, AbstractState)> {
    let (mut from, mut to) = (projection.begin, projection.begin);
    for mention in mentions {
        let (before, after) = (facts.fact(mention.before), facts.fact(mention.after));
        let place = projection.variables.iter().position(|&own| own == before.variable);
        let step = projection.steps[place.expect("mentions on the projection's variables")];
        from += before.value as usize * step;
        to += after.value as usize * step;
    }
    let mut transitions = vec![(from, to)];
    for (variable, step) in open_variables(facts, projection, mentions) {
        let values = 0..facts.domain_size(variable);
        let spread = |&(from, to): &(usize, usize)| {
            values.clone().map(move |value| (from + value * step, to + value * step))
        };
        transitions = transitions.iter().flat_map(spread).collect();
    }
    let state = AbstractState::new;
    transitions.into_iter().map(|(from, to)| (state(from), state(to))).collect()
}
