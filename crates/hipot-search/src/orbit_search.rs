//! A* that uses symmetries if they pay.
//!
//! Representatives take time for each successor and memory for each state, and symmetries have to
//! be found first. Some groups save nothing: their orbits are small among the states that a search
//! sees. Whether they pay shows after a short search without symmetries: count its states, then
//! their representatives. If there are clearly fewer, the search begins again with symmetries.
//! Otherwise it goes on without, and counts once more when it has seen sixteen times as many states.
//! A short search costs nothing extra, not even the symmetries. What was seen before the search
//! begins again is lost.
//!
//! *Tried and dropped:* a third trial, after five million states. In sokoban-opt11 p15 and
//! transport-opt08 p04 the orbits grow so late that only this one shows them, but by then
//! most of the search is done, and it took longer than without symmetries.
//!
//! Nothing here depends on the time, so the same task gives the same plan again.

use hipot_task::{Heuristic, Limits, Packing, Stop, Task};

use crate::astar::{AStar, Outcome, SearchResult};
use crate::orbits::Orbits;
use crate::params::{SearchParams, UseOfSymmetries};
use crate::progress::{Progress, StateBudget};

/// The numbers of states that are seen before it is decided whether symmetries pay.
const TRIALS: [u64; 2] = [20_000, 320_000];

/// Symmetries pay if 100 states have no more representatives than this.
const PAYING_PERCENT: usize = 80;

/// Searches for an optimal plan for `task` as [`astar`](crate::astar()) does. If `params` want
/// symmetries, asks `find` for them.
pub fn orbit_astar<H: Heuristic + ?Sized>(
    (task, packing): (&Task, &Packing),
    heuristic: &mut H,
    params: SearchParams,
    find: impl FnOnce() -> Orbits,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress<'_>),
) -> SearchResult {
    let mut run = Run { task, packing, heuristic, params, limits, tell };
    let result = match params.symmetries {
        UseOfSymmetries::Never => run.search(None),
        UseOfSymmetries::Always => run.search(Some(find()).filter(|orbits| !orbits.is_empty())),
        UseOfSymmetries::IfTheyPay => run.try_without(find),
    };
    result.unwrap_or_else(SearchResult::stopped)
}

/// What is given for a search.
struct Run<'a, 't, H: ?Sized> {
    task: &'a Task,
    packing: &'a Packing,
    heuristic: &'a mut H,
    params: SearchParams,
    limits: &'a Limits,
    tell: &'a mut (dyn FnMut(Progress<'_>) + 't),
}

impl<H: Heuristic + ?Sized> Run<'_, '_, H> {
    fn begin(&self, orbits: Option<Orbits>) -> Result<AStar, Stop> {
        AStar::of_orbits(self.task, self.packing, self.params.ties, orbits)
    }

    fn advance(&mut self, search: &mut AStar, budget: StateBudget) -> SearchResult {
        search.advance(self.heuristic, budget, self.limits, self.tell)
    }

    fn search(&mut self, orbits: Option<Orbits>) -> Result<SearchResult, Stop> {
        let mut search = self.begin(orbits)?;
        Ok(self.advance(&mut search, self.params.budget))
    }

    /// Searches without symmetries, until it turns out that they pay.
    fn try_without(&mut self, find: impl FnOnce() -> Orbits) -> Result<SearchResult, Stop> {
        let mut search = self.begin(None)?;
        let budget = self.params.budget;
        let (mut find, mut orbits) = (Some(find), None);
        for trial in TRIALS {
            let evaluated = budget.evaluated.min(trial);
            let tried = self.advance(&mut search, StateBudget { evaluated, ..budget });
            if is_over(&tried, budget) {
                return Ok(tried);
            }
            orbits = orbits.or_else(|| find.take().map(|find| find()));
            if let Some(found) = orbits.take_if(|orbits| pays(&search, orbits)) {
                drop(search);
                return Ok(self.search(Some(found))?.after(&tried));
            }
        }
        Ok(self.advance(&mut search, budget))
    }
}

/// Whether a search has ended, or used up its whole budget.
fn is_over(result: &SearchResult, budget: StateBudget) -> bool {
    result.outcome != Outcome::BudgetSpent || budget.is_spent(&result.statistics)
}

/// Whether the states that a search has seen have clearly fewer representatives.
fn pays(search: &AStar, orbits: &mut Orbits) -> bool {
    if orbits.is_empty() {
        return false;
    }
    let (states, representatives) = search.count_orbits(orbits);
    representatives * 100 <= states * PAYING_PERCENT
}
