//! What solving a task gave.

use std::time::Duration;

use hipot_search::SearchResult;
use hipot_task::Plan;

use crate::heuristic::Computed;
use crate::search::Searched;

/// What solving a task gave.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The heuristic of the last search.
    pub heuristic: Computed,
    /// The outcome, and the counters of all searches. A plan has been executed by
    /// independent code.
    pub result: SearchResult,
    /// The cheapest plan that is known, if no plan is proved to be optimal.
    pub incumbent: Option<Plan>,
    /// The time that computing heuristics took.
    pub heuristic_time: Duration,
    /// The time that searching took.
    pub search_time: Duration,
}

impl Solution {
    pub(crate) fn new(heuristic: Computed, heuristic_time: Duration, searched: Searched) -> Self {
        let Searched { result, time: search_time } = searched;
        Self { heuristic, result, incumbent: None, heuristic_time, search_time }
    }
}
