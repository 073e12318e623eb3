//! Optimal transition cost partitioning, explicitly: `tcp(dim=K)`.
//! [PHB17, Theorem 7; thm:relation-pot-tcp]
//!
//! A transition cost partitioning (Keller et al., IJCAI 2016) shares out the
//! cost of each transition, not of each operator: an operator's cost may go to
//! one projection in some states and to another elsewhere. Theorem 7: the best
//! one in a state has the value of the best potential function over the
//! projections' abstract states. So there is no need for this module but to see
//! that it is so: its LP has a row for each transition of the task and each
//! projection, as the paper writes it down. Potentials give the same values on
//! tasks of any size.
//!
//! All transitions of the task in TNF count, also those from states that cannot
//! be reached ([`Scope::All`]), as in the paper.
//!
//! Left out are loops, and the share of a transition in projections where it
//! does not change the state: 0 is the least that Eq. 15 allows there.

use hipot_lp::{Column, Problem};
use hipot_task::{Limits, OperatorId, Task, Value};

use crate::Error;
use crate::certify::Constraints;
use crate::projection::{AbstractState, Choice, Projections, Scope};
use crate::reoptimize::Formulation;
use crate::warm::Columns;

/// Which projections, and how large a task may be.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// K: projections to at most this many variables.
    pub dimension: usize,
    /// The most transitions that are enumerated.
    pub most_transitions: u64,
    /// The largest LP that is begun, in nonzeros predicted.
    pub most_nonzeros: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { dimension: 2, most_transitions: 20_000, most_nonzeros: 5_000_000 }
    }
}

/// A transition s –o→ s′: what it costs, and where it leads in projections that
/// see it.
#[derive(Clone, Debug)]
struct Transition {
    cost: u32,
    steps: Vec<(AbstractState, AbstractState)>,
}

/// The LP of Eq. 14–16.
#[derive(Debug)]
pub struct TransitionCosts {
    projections: Projections,
    transitions: Vec<Transition>,
}

impl TransitionCosts {
    /// The LP for `task`, which is in TNF.
    pub fn formulate(
        task: &Task,
        params: &Params,
        limits: &Limits,
    ) -> Result<Formulation<Self>, Error> {
        let (predicted, limit) = (count_transitions(task), params.most_transitions);
        if predicted > limit {
            return Err(Error::TooLarge { what: "transitions of the task", predicted, limit });
        }
        let Params { dimension, most_nonzeros, .. } = *params;
        let choice = Choice { dimension, scope: Scope::All, most_nonzeros };
        let projections = Projections::new(task, choice, limits)?;
        // Three for each row of Eq. 15, and one in Eq. 16.
        let rows = predicted.saturating_mul(projections.iter().count() as u64);
        choice.check("nonzeros of the LP", rows.saturating_mul(4))?;
        let transitions = transitions(task, &projections, limits)?;
        let (problem, columns) = formulate(&projections, &transitions);
        Ok(Formulation { problem, columns, constraints: Self { projections, transitions } })
    }
}

/// Whether an operator in TNF changes anything.
fn is_change(task: &Task, operator: OperatorId) -> bool {
    let operator = task.operator(operator);
    let changes =
        |fact: hipot_task::Fact| operator.precondition_on(fact.variable) != Some(fact.value);
    operator.effects.iter().any(|effect| changes(effect.fact))
}

/// The number of transitions other than loops.
fn count_transitions(task: &Task) -> u64 {
    let from = |operator: OperatorId| {
        let operator = task.operator(operator);
        let open = task.variable_ids().filter(|&id| operator.precondition_on(id).is_none());
        let sizes = open.map(|id| u64::from(task.variable(id).domain_size()));
        sizes.fold(1, u64::saturating_mul)
    };
    let operators = task.operator_ids().filter(|&operator| is_change(task, operator));
    operators.map(from).fold(0, u64::saturating_add)
}

fn transitions(
    task: &Task,
    projections: &Projections,
    limits: &Limits,
) -> Result<Vec<Transition>, Error> {
    let mut transitions = Vec::new();
    for operator in task.operator_ids().filter(|&operator| is_change(task, operator)) {
        limits.check()?;
        for before in states_before(task, operator) {
            let mut after = before.clone();
            for effect in &task.operator(operator).effects {
                after[effect.fact.variable.index()] = effect.fact.value;
            }
            let steps = projections.states(&before).zip(projections.states(&after));
            let steps = steps.filter(|(from, to)| from != to).collect();
            transitions.push(Transition { cost: task.operator(operator).cost, steps });
        }
    }
    Ok(transitions)
}

/// All states in which an operator is applicable.
fn states_before(task: &Task, operator: OperatorId) -> Vec<Vec<Value>> {
    let mut states = vec![Vec::new()];
    for id in task.variable_ids() {
        let values = match task.operator(operator).precondition_on(id) {
            Some(value) => value..value + 1,
            None => 0..task.variable(id).domain_size(),
        };
        let extend = |state: &Vec<Value>| {
            let longer = |value| state.iter().copied().chain([value]).collect();
            values.clone().map(longer).collect::<Vec<Vec<Value>>>()
        };
        states = states.iter().flat_map(extend).collect();
    }
    states
}

fn formulate(projections: &Projections, transitions: &[Transition]) -> (Problem, Columns) {
    let mut problem = Problem::maximize();
    let mut h: Columns = vec![None; projections.state_count()];
    for projection in projections.iter() {
        // [PHB17, Eq. 14; constraint:tcp-goal] h(α(s_⋆)) = 0. No column.
        for state in projection.states().filter(|&state| state != projection.goal()) {
            h[state.index()] = Some(problem.add_column(0.0, ..));
        }
    }
    for Transition { cost, steps } in transitions {
        let shares: Vec<Column> = steps
            .iter()
            .map(|&(from, to)| {
                // [PHB17, Eq. 15; constraint:tcp-consistency]
                // h(α(s)) − h(α(s′)) ≤ c^α(t): distances under the shares.
                let share = problem.add_column(0.0, ..);
                let signed = [(h[from.index()], 1.0), (h[to.index()], -1.0), (Some(share), -1.0)];
                let terms = signed.into_iter().filter_map(|(column, sign)| Some((column?, sign)));
                problem.add_row(..=0.0, terms);
                share
            })
            .collect();
        // [PHB17, Eq. 16; constraint:tcp-cost-partitioning]
        // Σ_α c^α(t) ≤ cost(o): nothing is given away twice.
        problem.add_row(..=f64::from(*cost), shares.into_iter().map(|share| (share, 1.0)));
    }
    (problem, h)
}

impl Constraints for TransitionCosts {
    fn projections(&self) -> &Projections {
        &self.projections
    }

    fn decreases(&self, h: &[i64], visit: &mut dyn FnMut(u32, i128) -> bool) -> bool {
        let value = |state: AbstractState| i128::from(h[state.index()]);
        self.transitions.iter().all(|Transition { cost, steps }| {
            visit(*cost, steps.iter().map(|&(from, to)| value(from) - value(to)).sum())
        })
    }
}
