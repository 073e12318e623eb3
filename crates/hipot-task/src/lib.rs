//! SAS+ planning tasks: the types that all other parts of hipot share.
//!
//! This is the Background section of Pommerening, Helmert and Bonet (AAAI
//! 2017) as types: [`Task`] with its variables, operators, axioms and mutex
//! groups, [`Facts`] numbered, [`Plan`], packed states and the [`Heuristic`]
//! trait; the `.sas` format in [`sas`]; and [`Limits`], which tell long
//! computations when to stop. This crate has types only: what is computed from a
//! task is in `hipot-analysis` and above.
//!
//! ```
//! use hipot_task::{Effect, Fact, Operator, TaskBuilder, Variable};
//!
//! let mut builder = TaskBuilder::new(false);
//! let lamp = builder.add_variable(Variable::new("lamp", ["off", "on"]))?;
//! builder.set_initial(vec![0])?;
//! builder.set_goal(vec![Fact::new(lamp, 1)])?;
//! builder.add_operator(Operator {
//!     name: "switch-on".into(),
//!     preconditions: vec![Fact::new(lamp, 0)],
//!     effects: vec![Effect::new(Fact::new(lamp, 1))],
//!     cost: 1,
//! })?;
//! let task = builder.build();
//! let mut text = Vec::new();
//! hipot_task::sas::write(&task, &mut text)?;
//! assert_eq!(hipot_task::sas::read(&text)?, task);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amount;
mod builder;
mod defect;
mod facts;
mod heuristic;
mod ids;
mod limits;
mod plan;
mod processor_time;
mod quantity;
mod rational;
mod rng;
mod state;
mod task;

pub mod sas;

pub use amount::Amount;
pub use builder::TaskBuilder;
pub use defect::{Defect, Place};
pub use facts::{FactId, Facts};
pub use heuristic::{Estimate, Heuristic};
pub use ids::{Fact, OperatorId, Value, VariableId};
pub use limits::{Growth, Limits, Promise, Stop, resident_bytes};
pub use plan::{Plan, PlanError, PlanStep, read_plan, step_name};
pub use processor_time::processor_time;
pub use quantity::{parse_memory, parse_size, parse_time};
pub use rational::{Rational, gcd};
pub use rng::Rng;
pub use state::{Packing, Slot, StateView};
pub use task::{
    Axiom, Effect, Feature, MAX_COST, MutexGroup, Operator, Task, Unsupported, Variable,
};
