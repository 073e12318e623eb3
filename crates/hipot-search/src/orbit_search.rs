//! A* that uses symmetries if they pay.
//!
//! Representatives take time for each successor and memory for each state, and symmetries have to
//! be found first. Some groups save nothing: their orbits are small among the states that a search
//! sees. Whether they pay shows after a short search without symmetries: count its states, then
//! their representatives. If there are clearly fewer, the search begins again with symmetries.
//! Otherwise it goes on without, and counts once more when it has seen sixteen times as many states.
//! The more a representative costs, the more it has to save; the cost is measured in generators
//! tried and values set. In logistics98 prob17, with 53 generators, it takes a hundred times as
//! long as everything else, and a quarter of the states is not worth that. With many
//! generators, fewer states are counted, so that a trial takes some tenths of a second at most.
//! A short search costs nothing extra, not even the symmetries. What was seen before the search
//! begins again is lost.
//!
//! *Tried and dropped:* a third trial, after five million states. In sokoban-opt11 p15 and
//! transport-opt08 p04 the orbits grow so late that only this one shows them, but by then
//! most of the search is done, and it took longer than without symmetries.
//!
//! Nothing here depends on the time, so the same task gives the same plan again.

use hipot_task::{Heuristic, Limits, Packing, Stop, Task};

use crate::astar::{AStar, Change, Outcome, SearchResult};
use crate::orbits::Orbits;
use crate::params::{SearchParams, UseOfSymmetries};
use crate::progress::{Progress, StateBudget};

/// The numbers of states that are seen before it is decided whether symmetries pay.
const TRIALS: [u64; 2] = [20_000, 320_000];

/// Symmetries pay if the states have no more representatives than this share of them, divided by
/// what a state costs: so many steps of finding its representative cost as much as all the rest.
const PAYING_SHARE: f64 = 0.8;
const COSTLY_STEPS: f64 = 50.0;

/// The number of generators times the number of states that are looked at in a trial.
const TRIAL_WORK: usize = 500_000;

/// A search that can be continued, as [`AStar`], and uses symmetries if its parameters want that.
pub struct OrbitSearch {
    search: AStar,
    params: SearchParams,
    /// The trials that are still to come.
    trials: &'static [u64],
    /// The symmetries, once they were looked for.
    orbits: Option<Orbits>,
    /// What the search without symmetries has found, if it was given up.
    earlier: Option<SearchResult>,
}

impl OrbitSearch {
    /// A search for an optimal plan for `task`, whose states `packing` packs. Fails if there is no
    /// memory at all.
    pub fn new(task: &Task, packing: &Packing, params: SearchParams) -> Result<Self, Stop> {
        let search = AStar::new(task, packing, params.ties)?;
        let trials: &[u64] = match params.symmetries {
            UseOfSymmetries::Never => &[],
            UseOfSymmetries::IfTheyPay => &TRIALS,
            UseOfSymmetries::Always => &[0],
        };
        Ok(Self { search, params, trials, orbits: None, earlier: None })
    }

    /// Searches on as [`AStar::advance`] does, in the same task. Asks `find` for symmetries once.
    pub fn advance<H: Heuristic + ?Sized>(
        &mut self,
        (task, packing): (&Task, &Packing),
        heuristic: &mut H,
        budget: StateBudget,
        find: &dyn Fn() -> Orbits,
        limits: &Limits,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> SearchResult {
        while let [trial, rest @ ..] = self.trials {
            if *trial > 0 {
                let evaluated = budget.evaluated.min(*trial);
                let short = StateBudget { evaluated, ..budget };
                let tried = self.search.advance(heuristic, short, limits, tell);
                let is_spent = budget.is_spent(&tried.statistics);
                if tried.outcome != Outcome::BudgetSpent || is_spent {
                    return tried;
                }
            }
            self.trials = rest;
            let mut orbits = self.orbits.take().unwrap_or_else(find);
            if orbits.is_empty() || *trial > 0 && !pays(&self.search, &mut orbits) {
                self.orbits = Some(orbits);
                continue;
            }
            self.trials = &[];
            let new = AStar::of_orbits(task, packing, self.params.ties, Some(orbits));
            let before = self.search.result_so_far();
            match new {
                Ok(new) => self.search = new,
                Err(stop) => return SearchResult { outcome: Outcome::Stopped(stop), ..before },
            }
            self.earlier = (*trial > 0).then_some(before);
        }
        let left = match &self.earlier {
            Some(earlier) => budget.less(&earlier.statistics),
            None => budget,
        };
        let result = self.search.advance(heuristic, left, limits, tell);
        self.after_earlier(result)
    }

    /// Announces that the heuristic of the next advance is another one.
    pub fn change_heuristic(&mut self, change: Change) {
        self.search.change_heuristic(change);
    }

    /// What the search has found so far; as if its budget were spent, if it can be continued.
    pub fn result_so_far(&self) -> SearchResult {
        self.after_earlier(self.search.result_so_far())
    }

    /// The search, if it uses no symmetries.
    pub(crate) fn without_symmetries(&self) -> Option<&AStar> {
        self.search.rules.orbits.is_none().then_some(&self.search)
    }

    fn after_earlier(&self, result: SearchResult) -> SearchResult {
        match &self.earlier {
            Some(earlier) => result.after(earlier),
            None => result,
        }
    }
}

/// Whether the states that a search has seen have clearly fewer representatives.
fn pays(search: &AStar, orbits: &mut Orbits) -> bool {
    orbits.take_work();
    let (states, representatives) = search.count_orbits(orbits, TRIAL_WORK / orbits.len());
    let states = states as f64;
    let cost = 1.0 + orbits.take_work() as f64 / (COSTLY_STEPS * states);
    representatives as f64 * cost <= PAYING_SHARE * states
}
