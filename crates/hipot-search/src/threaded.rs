//! A* that several threads continue if it is long.
//!
//! One thread searches alone for some time, even where it may have help. If the bound is perfect,
//! the order among the states of the last layer decides how many of them are seen, and one thread
//! knows all of them. And whether symmetries pay shows only then; if they do, one thread goes on
//! alone, because a group that is worth it saves more than a second thread. Otherwise the states
//! are divided among all threads, and nothing is lost. If there is not enough memory to have them
//! twice for a moment, one thread goes on alone, too.
//!
//! Cheap heuristics get a third of that time: to see whether symmetries pay is all that it is
//! for, because there is no perfect bound. If no symmetries are wanted, all threads search at once.

use hipot_task::{Heuristic, Limits, Packing, Stop, Task};

use crate::astar::{Change, Outcome, SearchResult};
use crate::orbit_search::OrbitSearch;
use crate::orbits::Orbits;
use crate::parallel::{MAX_THREADS, ParallelAStar, ParallelParams};
use crate::params::UseOfSymmetries;
use crate::progress::{Progress, StateBudget};

/// A search that can be continued, as [`OrbitSearch`], with several threads.
pub struct ThreadedSearch {
    stage: Stage,
    params: ParallelParams,
    /// Whether one thread searches to the end.
    stays_alone: bool,
}

enum Stage {
    One(Box<OrbitSearch>),
    Several(Box<ParallelAStar>),
}

impl ThreadedSearch {
    /// A search for an optimal plan for `task`, whose states `packing` packs. Fails if there is no
    /// memory at all.
    pub fn new(task: &Task, packing: &Packing, params: ParallelParams) -> Result<Self, Stop> {
        let stage = Stage::One(Box::new(OrbitSearch::new(task, packing, params.search)?));
        Ok(Self { stage, params, stays_alone: false })
    }

    /// Searches on as [`OrbitSearch::advance`] does, with a thread for each heuristic, at most
    /// [`MAX_THREADS`]. These are copies of one heuristic. With a single one, no other threads join
    /// the first one during this advance. Once they have joined it, their number must stay the
    /// same.
    ///
    /// # Panics
    /// If there is no heuristic, if there is another number of them than of threads, or if a thread
    /// panics.
    pub fn advance<H: Heuristic + Send>(
        &mut self,
        scene: (&Task, &Packing),
        heuristics: &mut [H],
        budget: StateBudget,
        find: &dyn Fn() -> Orbits,
        limits: &Limits,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> SearchResult {
        let threads = heuristics.len().min(MAX_THREADS);
        let heuristics = &mut heuristics[..threads];
        loop {
            let alone = if threads == 1 { u64::MAX } else { self.alone(&heuristics[0]) };
            let search = match &mut self.stage {
                Stage::Several(search) => return search.advance(heuristics, budget, limits, tell),
                Stage::One(search) => search,
            };
            let short = StateBudget { evaluated: budget.evaluated.min(alone), ..budget };
            let mut result = search.result_so_far();
            if short == budget || !short.is_spent(&result.statistics) {
                result = search.advance(scene, &mut heuristics[0], short, find, limits, tell);
            }
            let is_over = short == budget || budget.is_spent(&result.statistics);
            if is_over || result.outcome != Outcome::BudgetSpent {
                return result;
            }
            self.join(threads, limits);
        }
    }

    /// The number of estimates after which other threads join the first one.
    fn alone<H: Heuristic>(&self, heuristic: &H) -> u64 {
        let ParallelParams { alone, search, .. } = self.params;
        match search.symmetries {
            _ if self.stays_alone => u64::MAX,
            _ if heuristic.is_incremental() => alone.max(1),
            UseOfSymmetries::Never => 0,
            UseOfSymmetries::IfTheyPay | UseOfSymmetries::Always => (alone / 3).max(1),
        }
    }

    /// Divides the states among so many threads, unless there are symmetries, or too little memory.
    fn join(&mut self, threads: usize, limits: &Limits) {
        let Stage::One(search) = &self.stage else { return };
        let plain = search.without_symmetries();
        let divided = plain.map(|it| ParallelAStar::dividing(it, threads, self.params, limits));
        match divided {
            Some(Ok(divided)) => self.stage = Stage::Several(Box::new(divided)),
            _ => self.stays_alone = true,
        }
    }

    /// Whether several threads search.
    pub fn is_parallel(&self) -> bool {
        matches!(self.stage, Stage::Several(_))
    }

    /// Announces that the heuristic of the next advance is another one.
    pub fn change_heuristic(&mut self, change: Change) {
        match &mut self.stage {
            Stage::One(search) => search.change_heuristic(change),
            Stage::Several(search) => search.change_heuristic(change),
        }
    }

    /// What the search has found so far; as if its budget were spent, if it can be continued.
    pub fn result_so_far(&self) -> SearchResult {
        match &self.stage {
            Stage::One(search) => search.result_so_far(),
            Stage::Several(search) => search.result_so_far(),
        }
    }
}
