//! A* and what it stands on.
//!
//! | module | what |
//! |---|---|
//! | `memory` | zeroed memory from the system in large pages; prefetching |
//! | `transitions` | what an operator does to a packed state, axioms included |
//! | `successors` | which operators are applicable: a decision tree |
//! | `registry` | every state seen, once, with its parent and cost |
//! | `open_list` | which state comes next |
//! | `astar` | the search |
//! | `walk` | samples of its states |

mod astar;
mod blind;
mod memory;
mod open_list;
mod registry;
mod statistics;
mod successors;
mod transitions;
mod walk;

pub use astar::{Outcome, SearchResult, astar};
pub use blind::Blind;
pub use statistics::{Observer, Statistics};
pub use walk::Walks;
