//! Cost partitioning over projections, and the state equation.
//!
//! The heuristics that Pommerening, Helmert and Bonet (AAAI 2017, PHB17)
//! relate potential heuristics to. Each is the optimum of a linear program that
//! is solved again in every state, starting from its last solution:
//!
//! | heuristic | place |
//! |---|---|
//! | `seq`, the state equation: counts of operators | [`state_equation`] |
//! | `ocp(dim=K, …)`, optimal operator cost partitioning over projections | [`operator_cost`] |
//! | `tcp(dim=K, …)`, optimal transition cost partitioning over projections; Theorem 7, Eq. 14–16 | [`transition_cost`] |
//! | projections | [`projection`] |
//! | from floating point to integers | [`certify`] |
//! | what all of them share, and the heuristic for a search | [`heuristic`] |
//! | an LP that is solved in one state after another | `warm` |
//!
//! ```
//! use hipot_partition::{ocp, operator_cost, seq};
//! use hipot_task::{Effect, Fact, Limits, Operator, TaskBuilder, Variable};
//!
//! // Two lamps, one switch each.
//! let mut builder = TaskBuilder::new(false);
//! for name in ["left", "right"] {
//!     builder.add_variable(Variable::new(name, ["off", "on"]))?;
//! }
//! builder.set_initial(vec![0, 0])?;
//! let goal = vec![builder.fact(0, 1)?, builder.fact(1, 1)?];
//! builder.set_goal(goal.clone())?;
//! for fact in goal {
//!     builder.add_operator(Operator {
//!         name: format!("switch {}", fact.variable),
//!         preconditions: vec![Fact::new(fact.variable, 0)],
//!         effects: vec![Effect::new(fact)],
//!         cost: 1,
//!     })?;
//! }
//! let task = builder.build();
//!
//! let bound = seq(&task, &Limits::none())?.bound(task.initial());
//! assert_eq!(bound.value.map(|value| value.to_string()), Some("2".to_owned()));
//!
//! let params = operator_cost::Params::default();
//! let mut heuristic = ocp(&task, &params, &Limits::none())?;
//! assert_eq!(heuristic.bound(task.initial()).estimate().cost(), Some(2));
//! assert_eq!(heuristic.bound(&[0, 1]).estimate().cost(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is printed. All bounds are exact; the floating-point values in the
//! public interface are for information only.

pub mod certify;
pub mod heuristic;
pub mod operator_cost;
pub mod projection;

pub mod state_equation;
pub mod transition_cost;

mod error;
mod warm;

use hipot_analysis::TnfTask;
use hipot_task::{Limits, Task};

pub use certify::Proof;
pub use error::Error;
pub use heuristic::{Bound, PartitionHeuristic, Progress, Source, Statistics};
use operator_cost::OperatorCosts;
use state_equation::StateEquation;
use transition_cost::TransitionCosts;

/// The state equation heuristic for states of `task`.
pub fn seq(task: &Task, limits: &Limits) -> Result<PartitionHeuristic<StateEquation>, Error> {
    let tnf = TnfTask::new(task)?;
    PartitionHeuristic::new(StateEquation::formulate(&tnf, limits)?, limits)
}

/// The optimal operator cost partitioning heuristic for states of `task`.
pub fn ocp(
    task: &Task,
    params: &operator_cost::Params,
    limits: &Limits,
) -> Result<PartitionHeuristic<OperatorCosts>, Error> {
    let tnf = TnfTask::new(task)?;
    PartitionHeuristic::new(OperatorCosts::formulate(task, &tnf, params, limits)?, limits)
}

/// The optimal transition cost partitioning heuristic for states of `task`.
pub fn tcp(
    task: &Task,
    params: &transition_cost::Params,
    limits: &Limits,
) -> Result<PartitionHeuristic<TransitionCosts>, Error> {
    let tnf = TnfTask::new(task)?;
    PartitionHeuristic::new(TransitionCosts::formulate(task, &tnf, params, limits)?, limits)
}
