//! SAS+ planning tasks and what every other part of hipot says about them.
//!
//! This is the Background section of Pommerening, Helmert and Bonet (AAAI
//! 2017) as types: [`Task`] with its variables, operators, axioms and mutex
//! groups, [`TnfTask`] in transition normal form, [`Plan`], packed states and
//! the [`Heuristic`] trait; the `.sas` format in [`sas`]; mutexes by [`h2`]
//! and tasks without what they make useless by [`prune()`]; and [`Limits`],
//! which long computations ask whether they may go on.
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

mod bit_matrix;
mod builder;
mod defect;
mod heuristic;
mod ids;
mod limits;
mod mutex;
mod plan;
mod prune;
mod quantity;
mod rng;
mod state;
mod task;
mod tnf;

pub mod h2;
pub mod sas;
pub mod symmetry;

pub use builder::TaskBuilder;
pub use defect::{Defect, Place};
pub use heuristic::{Estimate, Heuristic};
pub use ids::{Fact, OperatorId, Value, VariableId};
pub use limits::{Limits, Stop, resident_bytes};
pub use mutex::{MutexGroup, Mutexes};
pub use plan::{Plan, PlanError, PlanStep, read_plan};
pub use prune::{PruneError, PrunedTask, Truth, prune};
pub use quantity::{parse_size, parse_time};
pub use rng::Rng;
pub use state::{Packing, Slot, StateView};
pub use task::{Axiom, Effect, Feature, MAX_COST, Operator, Task, Unsupported, Variable};
pub use tnf::{OpenValues, TnfTask};
