//! How heuristics are computed and plans searched, whatever the spec.

use std::time::Duration;

use hipot_lp::Library;
use hipot_partition::projection::AbstractStates;
pub use hipot_potential::{Completeness, Precision};
pub use hipot_search::UseOfSymmetries;
use hipot_search::{SearchParams, StateBudget, Ties};

use crate::events::Events;

/// The settings of a run. Limits on the whole run are kept apart, in
/// [`Limits`](hipot_task::Limits).
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The time that an LP may take.
    pub lp_time_limit: Option<Duration>,
    /// The HiGHS library that solves LPs.
    pub library: Library,
    /// Whether a weaker heuristic may replace the one that is asked for. The schedule of `auto`
    /// always allows this, and a spec with a budget asks for fewer features itself.
    pub completeness: Completeness,
    /// How precisely small LPs are solved. The schedule of `auto` wants no more than the bound.
    pub precision: Precision,
    /// Whether the reports of potentials hold their LPs.
    pub keeps_lps: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// The maximum number of threads; 0 is one, too.
    pub threads: usize,
    /// The abstract states that take part in operator cost partitionings. A certificate
    /// needs all of them.
    pub abstract_states: AbstractStates,
    /// Whether searches use the symmetries of the task.
    pub symmetries: UseOfSymmetries,
    /// Who is told what happens.
    pub events: Events,
}

impl Settings {
    /// The parameters of a search with this budget.
    pub fn search_params(&self, budget: StateBudget) -> SearchParams {
        let Self { symmetries, threads, .. } = *self;
        SearchParams { budget, ties: Ties::dives(self.seed), symmetries, threads }
    }
}
