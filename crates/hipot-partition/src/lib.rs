//! Cost partitioning over projections, and the state equation.
//!
//! The heuristics that Pommerening, Helmert and Bonet (AAAI 2017, PHB17)
//! relate potential heuristics to, each the optimum of a linear program that is
//! solved again in every state, from where it ended in the last:
//!
//! | heuristic | place |
//! |---|---|
//! | `seq`, the state equation: counts of operators | [`state_equation`] |
//! | `ocp(dim=K)`, optimal operator cost partitioning over projections to K variables | [`operator_cost`] |
//! | `tcp(dim=K)`, optimal transition cost partitioning over the same; Theorem 7, Eq. 14–16 | [`transition_cost`] |
//! | projections | [`projection`] |
//! | from floating point to integers | [`certify`] |
//! | what all of them share, and the heuristic for a search | [`reoptimize`] |
//! | an LP that goes on from state to state | `warm` |
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
//! Nothing is printed, and no value that leaves this crate is floating point
//! but those that say so.

pub mod certify;
pub mod operator_cost;
pub mod projection;
pub mod reoptimize;
pub mod state_equation;
pub mod transition_cost;

mod error;
mod warm;

use hipot_task::{Limits, Task, TnfTask};

pub use certify::Proof;
pub use error::Error;
use operator_cost::OperatorCosts;
pub use reoptimize::{Bound, Reoptimized, Source, Statistics};
use state_equation::StateEquation;
use transition_cost::TransitionCosts;

/// The state equation heuristic for states of `task`.
pub fn seq(task: &Task, limits: &Limits) -> Result<Reoptimized<StateEquation>, Error> {
    let tnf = TnfTask::new(task)?;
    Reoptimized::new(StateEquation::formulate(tnf.task(), limits)?, limits)
}

/// The optimal operator cost partitioning heuristic for states of `task`.
pub fn ocp(
    task: &Task,
    params: &operator_cost::Params,
    limits: &Limits,
) -> Result<Reoptimized<OperatorCosts>, Error> {
    let tnf = TnfTask::new(task)?;
    Reoptimized::new(OperatorCosts::formulate(tnf.task(), params, limits)?, limits)
}

/// The optimal transition cost partitioning heuristic for states of `task`.
pub fn tcp(
    task: &Task,
    params: &transition_cost::Params,
    limits: &Limits,
) -> Result<Reoptimized<TransitionCosts>, Error> {
    let tnf = TnfTask::new(task)?;
    Reoptimized::new(TransitionCosts::formulate(tnf.task(), params, limits)?, limits)
}
