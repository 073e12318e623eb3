//! A* search, and random walks.
//!
//! | module | what |
//! |---|---|
//! | `memory` | zeroed memory from the system in large pages; prefetching |
//! | `word_tests`, `index_range` | facts as tests and patches of words; lists stored as one |
//! | `transitions`, `axioms` | what operators and axioms do to a packed state |
//! | `successors` | the applicable operators: a decision tree |
//! | `orbits` | one state for all that symmetries map to each other |
//! | `rules` | all of this for one task |
//! | `layouts` | one value for each layout of records |
//! | `registry` | every state seen, once, with its parent and cost |
//! | `bucket`, `open_list` | lists with two ends; the states to expand, in order |
//! | `ties` | the order among states with the least f |
//! | `astar`, `layer_search` | the search: why it is right, and its loop |
//! | `orbit_search` | the search with symmetries, if they pay |
//! | `parallel` | the search by several threads |
//! | `threaded` | the search that several threads continue if it is long |
//! | `blind` | the simplest heuristic |
//! | `params`, `progress`, `statistics` | parameters, progress reports, a limit on states, counters |
//! | `anytime` | a first plan soon, and cheaper ones later |
//! | `greedy`, `relaxed` | a search that follows relaxed plans |
//! | `elimination` | plans without steps that they do not need |
//! | `found` | what a search for any plan finds |
//! | `width`, `novelty` | a search that looks for what is new |
//! | `walk` | samples of states by random walks |
//! | `listing` | the states that a proof of a search has to list |

mod anytime;
mod astar;
mod axioms;
mod blind;
mod bucket;
mod elimination;
mod found;
mod greedy;
mod index_range;
mod layer_search;
mod layouts;
mod listing;
mod memory;
mod novelty;
mod open_list;
mod orbit_search;
mod orbits;
mod parallel;
mod params;
mod progress;
mod registry;
mod relaxed;
mod rules;
mod statistics;
mod successors;
mod threaded;
mod ties;
mod transitions;
mod walk;
mod width;
mod word_tests;

pub use anytime::Anytime;
pub use astar::{AStar, Change, Outcome, SearchResult, astar};
pub use blind::Blind;
pub use listing::{ListError, Listing};
pub use orbit_search::OrbitSearch;
pub use orbits::{MovedFacts, Orbits};
pub use parallel::{MAX_THREADS, ParallelAStar, ParallelParams, parallel_astar};
pub use params::{SearchParams, UseOfSymmetries};
pub use progress::{Progress, StateBudget};
pub use statistics::Statistics;
pub use threaded::ThreadedSearch;
pub use ties::Ties;
pub use walk::Walks;
