//! Saturated cost partitioning (Seipp, Keller and Helmert, JAIR 2020).
//!
//! | module | what |
//! |---|---|
//! | [`saturated`] | the algorithm |
//! | [`greedy`] | which order of abstractions to begin with |
//! | [`climb`] | better orders by exchanging abstractions |
//! | [`mod@diverse`] | orders that complement each other |
//! | [`tables`] | all of their values, without repetitions |
//! | [`lookup`] | values of states, fast |

pub mod climb;
pub mod diverse;
pub mod greedy;
pub mod lookup;
pub mod saturated;
pub mod tables;

pub use diverse::{Params, diverse};
pub use lookup::Lookup;
pub use saturated::{Part, Partitioning, Saturator, saturated_cost_partitioning};
pub use tables::Tables;
