//! Optimal transition cost partitioning, explicitly: `tcp(dim=K, patterns=…)`.
//! [PHB17, Theorem 7; thm:relation-pot-tcp]
//!
//! A transition cost partitioning (Keller et al., IJCAI 2016) distributes the
//! cost of each transition, not of each operator: an operator's cost may go to
//! one projection in some states and to another elsewhere. Theorem 7: the value of
//! the best one in a state is that of the best potential function with the
//! projections' abstract states as features. This module exists only to verify
//! that: its LP has a row for each transition of the task and each projection, as
//! the paper writes it. Potentials give the same values on tasks of any size.
//!
//! All transitions of the task in TNF are used, including those from unreachable
//! states ([`AbstractStates::All`]), as in the paper.
//!
//! Two things are left out: loops, and the share of a transition in projections in
//! which it does not change the state, where 0 is the smallest that Eq. 15 allows.

use std::collections::BTreeMap;

use hipot_analysis::TnfTask;
use hipot_lp::{Column, Problem};
use hipot_task::{Limits, OperatorId, Task, Value, VariableId};

use crate::certify::Constraints;
use crate::error::Error;
use crate::heuristic::PartitionLp;
use crate::projection::{AbstractState, AbstractStates, Choice, Patterns, Projections};
use crate::warm::Columns;

/// Which projections to use, and how large the task may be.
#[derive(Clone, Debug)]
pub struct Params {
    /// The sets of variables to project to.
    pub patterns: Patterns,
    /// The maximum number of transitions of the task.
    pub max_transitions: u64,
    /// The maximum number of nonzeros of the LP, as predicted.
    pub max_nonzeros: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { patterns: Patterns::default(), max_transitions: 20_000, max_nonzeros: 5_000_000 }
    }
}

/// A transition s –o→ s′: its cost, and its steps in the projections in which it
/// changes the state.
#[derive(Clone, Debug)]
struct Transition {
    cost: u32,
    /// The variable that it forgets, if it does.
    forgets: Option<VariableId>,
    steps: Vec<(AbstractState, AbstractState)>,
}

/// The LP of Eq. 14–16.
#[derive(Debug)]
pub struct TransitionCosts {
    projections: Projections,
    transitions: Vec<Transition>,
}

impl TransitionCosts {
    /// The LP for a task, given with its transition normal form.
    pub fn formulate(
        task: &Task,
        tnf: &TnfTask,
        params: &Params,
        limits: &Limits,
    ) -> Result<PartitionLp<Self>, Error> {
        let (predicted, limit) = (count_transitions(tnf), params.max_transitions);
        if predicted > limit {
            return Err(Error::TooLarge { what: "transitions of the task", predicted, limit });
        }
        let choice = Choice { states: AbstractStates::All, max_nonzeros: params.max_nonzeros };
        let patterns = params.patterns.select(task, tnf.facts(), choice, limits)?;
        let projections = Projections::new(tnf, patterns, choice, limits)?;
        // Three nonzeros for each row of Eq. 15, and one in Eq. 16.
        let rows = predicted.saturating_mul(projections.iter().count() as u64);
        choice.check("nonzeros of the LP", rows.saturating_mul(4))?;
        let transitions = transitions(tnf, &projections, limits)?;
        let (problem, columns) = formulate(&projections, &transitions);
        Ok(PartitionLp { problem, columns, constraints: Self { projections, transitions } })
    }
}

/// The operators that change some variable.
fn changing_operators(tnf: &TnfTask) -> impl Iterator<Item = OperatorId> {
    let changes = |&id: &OperatorId| tnf.mentions(id).iter().any(|mention| mention.is_change());
    tnf.task().operator_ids().filter(changes)
}

/// The number of transitions other than loops.
fn count_transitions(tnf: &TnfTask) -> u64 {
    let task = tnf.task();
    let from = |operator: OperatorId| {
        let operator = task.operator(operator);
        let open = task.variable_ids().filter(|&id| operator.precondition_on(id).is_none());
        let sizes = open.map(|id| u64::from(task.variable(id).domain_size()));
        sizes.fold(1, u64::saturating_mul)
    };
    changing_operators(tnf).map(from).fold(0, u64::saturating_add)
}

fn transitions(
    tnf: &TnfTask,
    projections: &Projections,
    limits: &Limits,
) -> Result<Vec<Transition>, Error> {
    let mut transitions = Vec::new();
    let task = tnf.task();
    let forgotten: BTreeMap<OperatorId, VariableId> = tnf.forgetting().collect();
    for operator in changing_operators(tnf) {
        limits.check()?;
        let forgets = forgotten.get(&operator).copied();
        for before in states_before(task, operator) {
            let mut after = before.clone();
            for effect in &task.operator(operator).effects {
                after[effect.fact.variable.index()] = effect.fact.value;
            }
            let steps = projections.states(&before).zip(projections.states(&after));
            let steps = steps.filter(|(from, to)| from != to).collect();
            transitions.push(Transition { cost: task.operator(operator).cost, forgets, steps });
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
    for Transition { cost, steps, .. } in transitions {
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
        self.transitions.iter().all(|transition| visit(transition.cost, transition.decrease(h)))
    }

    fn forgetting(&self, h: &[i64], visit: &mut dyn FnMut(VariableId, i128)) {
        for transition in &self.transitions {
            if let Some(variable) = transition.forgets {
                visit(variable, transition.decrease(h));
            }
        }
    }
}

impl Transition {
    /// By how much it lowers Σ_α `h`.
    fn decrease(&self, h: &[i64]) -> i128 {
        let value = |state: AbstractState| i128::from(h[state.index()]);
        self.steps.iter().map(|&(from, to)| value(from) - value(to)).sum()
    }
}
