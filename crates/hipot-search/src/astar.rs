//! A* (Hart, Nilsson & Raphael 1968), which can be continued with a better heuristic.
//!
//! An [`AStar`] is a value: [`advance`](AStar::advance) expands states until a plan is found or a
//! budget of states is used up, and can be called again. In between, the heuristic may change.
//! States in the open list keep the estimates that they have, and are evaluated again when they
//! come up. So a change costs nothing at first, and nothing at all for states that never come up.
//!
//! # Why the plan is optimal
//!
//! Let h_t be the heuristic of the t-th advance, and h*(s) the cost of reaching the goal from s.
//! An entry of the open list has the cost g of a path to its state s and an estimate h ≤ h*(s)
//! from some advance t′ ≤ t; its f is g + h. A state is expanded if its entry has the least f and,
//! unless it was evaluated in this advance, h_t(s) ≤ h. Otherwise the entry is put back with
//! h_t(s). Changed heuristics of this kind are *dynamic heuristics* (Christen, Pommerening,
//! Büchner and Helmert, ICAPS 2025).
//!
//! *The least f is a lower bound, at any time, and the plan is optimal.* As long as no goal state
//! was expanded at cost h*(s_I), some state s on an optimal plan is in the open list at its
//! optimal cost g*(s): the first one that was not expanded at that cost. All estimates are
//! admissible, so its f is at most g*(s) + h*(s) = h*(s_I). And a goal state has estimates of 0
//! only, so when it comes up with the least f, its g is at most h*(s_I).
//!
//! *Nothing is reopened if heuristics are consistent and only rise*: h_t ≥ h_t′ for t ≥ t′, as if
//! functions are added to a maximum ([`Change::Higher`]). Suppose that s is expanded at a cost
//! g > g*(s). On a cheapest path to s there is an open state s′ with g(s′) = g*(s′). The estimate
//! of its entry is at most h_t(s′), so its f is at most g*(s′) + h_t(s′) ≤ g*(s) + h_t(s), since
//! h_t is consistent along the path. Because s is expanded, h_t(s) is at most its entry's
//! estimate h, so this is below g + h: s did not have the least f. Hence closed states stay
//! closed. This is asserted, and so is that no estimate falls.
//!
//! *If functions are dropped* ([`Change::Other`]), entries can have a higher estimate than the
//! heuristic gives now. They keep it: it is admissible, and a lower one would only delay the
//! goal. But s′ above may have an estimate above h_t(s′), so s may come up too early, and is
//! reopened if a cheaper path is found. The first argument does not need consistency, so the plan
//! is optimal all the same.
//!
//! *Among states of plans.* A heuristic may be admissible and consistent among states of plans
//! only (functions with backward mutexes; such a heuristic says that it is not consistent). All
//! states on a path to a state of a plan are states of plans, so both arguments hold for these;
//! others may be reopened, or be taken for dead ends, which they are.
//!
//! *With symmetries*, the same holds for orbits of states (see the essay of `orbits`).
//!
//! # How it waits for memory
//!
//! With a cheap heuristic, a search spends nearly all its time finding out whether a successor is
//! known: one random access to the hash table and one to the state's record. So
//! successors are generated in batches and processed in three passes: compute all
//! successors and prefetch their slots; prefetch the records that the slots name; then
//! look them up. By the third pass the memory has arrived, and many accesses waited at
//! once instead of one after another. The records of the states that come next are
//! prefetched at the same time. If states have few successors, a batch takes several
//! states from the open list, all with the same f and h and hence the same g. None of
//! them can make the path to another cheaper, so it is safe to expand them together.
//!
//! Costs are exact integers throughout. Records have 32-bit costs if operators are
//! cheap. If a path becomes too expensive for that, the search starts again with 64
//! bits, which suffice for every path.

use hipot_task::{Estimate, Heuristic, Limits, Packing, Plan, Stop, Task};

use crate::layer_search::{Advance, Ending, LayerSearch};
use crate::layouts::{ByLayout, Family, for_width, in_any};
use crate::orbits::Orbits;
use crate::params::SearchParams;
use crate::progress::{Progress, StateBudget};
use crate::registry::{AnyWidth, Layout};
use crate::rules::Rules;
use crate::statistics::Statistics;
use crate::ties::Ties;

/// With operators more expensive than this, paths may well cost more than 2³¹.
const LARGE_COST: u32 = 1 << 20;

/// Whether a search should begin with 64-bit costs.
pub(crate) fn is_expensive(task: &Task) -> bool {
    task.max_cost() > LARGE_COST
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It found an optimal plan.
    Solved(Plan),
    /// It proved that there is no plan.
    Unsolvable,
    /// It reached a limit or was interrupted.
    Stopped(Stop),
    /// It used up its [`StateBudget`].
    BudgetSpent,
}

impl Outcome {
    /// Whether a search that has ended so can be continued.
    pub(crate) fn can_go_on(&self) -> bool {
        matches!(
            self,
            Self::BudgetSpent
                | Self::Stopped(Stop::TimeLimit | Stop::ProcessorLimit | Stop::Interrupted)
        )
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// How it ended.
    pub outcome: Outcome,
    /// The initial state's first estimate; `None` if the search ended before computing it.
    pub initial: Option<Estimate>,
    /// Every plan costs at least this much: the f value of the layer being searched when
    /// the search ended. All states with a smaller f were expanded.
    pub lower_bound: u64,
    /// Counters.
    pub statistics: Statistics,
    /// The number of symmetries whose group it used: one state of each orbit was searched.
    pub symmetries: usize,
}

impl SearchResult {
    /// The result of a search that was stopped before it began.
    pub fn stopped(stop: Stop) -> Self {
        Self {
            outcome: Outcome::Stopped(stop),
            initial: None,
            lower_bound: 0,
            statistics: Statistics::default(),
            symmetries: 0,
        }
    }

    /// This result, after an earlier search for the same task that did not end it.
    #[must_use]
    pub fn after(mut self, earlier: &Self) -> Self {
        self.statistics = self.statistics.after(&earlier.statistics);
        self.lower_bound = self.lower_bound.max(earlier.lower_bound);
        self.initial = self.initial.or(earlier.initial);
        self
    }
}

/// How the heuristic of the next advance differs from the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is nowhere lower: functions were added to a maximum.
    Higher,
    /// It may be lower in some states: functions were dropped.
    Other,
}

/// Searches for an optimal plan for `task`. `heuristic` must be admissible and reads
/// states packed by `packing`, a packing for `task`. `tell` is called with the progress.
pub fn astar<H: Heuristic + ?Sized>(
    task: &Task,
    packing: &Packing,
    heuristic: &mut H,
    params: SearchParams,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress<'_>),
) -> SearchResult {
    match AStar::new(task, packing, params.ties) {
        Ok(mut search) => search.advance(heuristic, params.budget, limits, tell),
        Err(stop) => SearchResult::stopped(stop),
    }
}

/// A search that can be continued.
pub struct AStar {
    pub(crate) rules: Rules,
    ties: Ties,
    pub(crate) search: AnySearch,
    /// How it ended, if it cannot be continued.
    pub(crate) outcome: Option<Outcome>,
}

/// The searches with records of some layout.
pub(crate) struct LayerSearches;

impl Family for LayerSearches {
    type Of<L: Layout> = LayerSearch<L>;
}

pub(crate) type AnySearch = ByLayout<LayerSearches>;

/// A search with 32-bit costs.
fn narrow(width: usize, ties: Ties, has_orbits: bool) -> Result<AnySearch, Stop> {
    Ok(for_width!(width, layout => LayerSearch::new(layout, ties, has_orbits)?))
}

/// A search with 64-bit costs.
fn wide(width: usize, ties: Ties, has_orbits: bool) -> Result<AnySearch, Stop> {
    Ok(ByLayout::Wide(LayerSearch::new(AnyWidth(width), ties, has_orbits)?))
}

impl AStar {
    /// A search for an optimal plan for `task`, whose states `packing` packs. Fails if there is no
    /// memory at all.
    pub fn new(task: &Task, packing: &Packing, ties: Ties) -> Result<Self, Stop> {
        Self::of_orbits(task, packing, ties, None)
    }

    /// A search of one state of each orbit, or of all states if there are no symmetries.
    pub fn of_orbits(
        task: &Task,
        packing: &Packing,
        ties: Ties,
        orbits: Option<Orbits>,
    ) -> Result<Self, Stop> {
        let new = if is_expensive(task) { wide } else { narrow };
        let search = new(packing.width(), ties, orbits.is_some())?;
        Ok(Self { rules: Rules::new(task, packing, orbits), ties, search, outcome: None })
    }

    /// Of the states that the search has seen, the number of the first ones, at most `most`, and of
    /// their representatives; the latter are told apart by hashes.
    pub(crate) fn count_orbits(&self, orbits: &mut Orbits, most: usize) -> (usize, usize) {
        in_any!(&self.search, search => search.count_orbits(orbits, most))
    }

    /// Searches on with `heuristic`, which must be admissible, until the search has seen as many
    /// states in all as `budget` allows. A search that has ended, or run out of memory, stays so.
    /// The heuristic must be the same as in the last advance, unless a change was
    /// [announced](Self::change_heuristic).
    pub fn advance<H: Heuristic + ?Sized>(
        &mut self,
        heuristic: &mut H,
        budget: StateBudget,
        limits: &Limits,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> SearchResult {
        if let Some(outcome) = self.outcome.clone() {
            return self.result(outcome);
        }
        let rules = &mut self.rules;
        let (width, has_orbits) = (rules.packing.width(), rules.orbits.is_some());
        let advance = &mut Advance { rules, heuristic, budget, limits, tell };
        let mut ended = in_any!(&mut self.search, search => search.advance(advance));
        if let Err(Ending::CostTooLarge) = ended {
            ended = match wide(width, self.ties, has_orbits) {
                Ok(wide) => {
                    self.search = wide;
                    in_any!(&mut self.search, search => search.advance(advance))
                }
                Err(stop) => Err(stop.into()),
            };
        }
        let outcome = match ended {
            Ok(Some(plan)) => Outcome::Solved(plan),
            Ok(None) => Outcome::Unsolvable,
            Err(Ending::Stop(stop)) => Outcome::Stopped(stop),
            Err(Ending::BudgetSpent) => Outcome::BudgetSpent,
            Err(Ending::CostTooLarge) => unreachable!("64 bits hold every cost"),
        };
        self.outcome = (!outcome.can_go_on()).then(|| outcome.clone());
        self.result(outcome)
    }

    /// Announces that the heuristic of the next advance is another one.
    pub fn change_heuristic(&mut self, change: Change) {
        in_any!(&mut self.search, search => search.change_heuristic(change == Change::Higher));
    }

    /// What the search has found so far; as if its budget were spent, if it can be continued.
    pub fn result_so_far(&self) -> SearchResult {
        self.result(self.outcome.clone().unwrap_or(Outcome::BudgetSpent))
    }

    fn result(&self, outcome: Outcome) -> SearchResult {
        let (initial, f, statistics) = in_any!(&self.search, search => search.report());
        let lower_bound = f.max(initial.and_then(Estimate::cost).unwrap_or(0));
        let symmetries = self.rules.orbits.as_ref().map_or(0, Orbits::len);
        SearchResult { outcome, initial, lower_bound, statistics, symmetries }
    }
}
