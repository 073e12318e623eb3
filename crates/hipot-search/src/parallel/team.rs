//! The states of all threads, and what they find in an advance.

use std::panic::resume_unwind;
use std::thread;

use hipot_task::{Estimate, Heuristic, Limits, Plan, StateView, Stop};

use super::address::{Address, Distribution};
use super::mail::Format;
use super::params::ParallelParams;
use super::rounds::{End, Known, Rounds};
use super::share::{Origin, Share};
use super::worker::{Common, Worker};
use crate::layer_search::{Ending, LayerSearch};
use crate::progress::{Progress, StateBudget};
use crate::registry::{Layout, StateId};
use crate::rules::Rules;
use crate::statistics::Statistics;

/// What is given for one advance: rules and a heuristic for each thread.
pub(super) struct Advance<'a, H> {
    pub(super) rules: &'a mut [Rules],
    pub(super) heuristics: &'a mut [H],
    pub(super) params: ParallelParams,
    pub(super) budget: StateBudget,
    pub(super) limits: &'a Limits,
    pub(super) tell: &'a mut dyn FnMut(Progress<'_>),
}

/// The states of a search, with records of one layout.
pub(super) struct Team<L> {
    layout: L,
    distribution: Distribution,
    /// One for each thread.
    shares: Vec<Share<L>>,
    /// The initial state's first estimate.
    initial: Option<Estimate>,
    known: Known,
    /// The bound that was told last.
    told: Option<u64>,
}

/// The number of states that are divided between two looks at the limits.
const PORTION: usize = 1 << 10;

impl<L: Layout> Team<L> {
    /// No states, for so many threads.
    pub(super) fn new(layout: L, threads: usize, params: &ParallelParams) -> Result<Self, Stop> {
        let distribution = Distribution::new(threads);
        let share = |number| {
            let (ties, capacity) = (params.search.ties, distribution.capacity());
            Share::new(layout, ties, number, threads, capacity)
        };
        let shares = (0..threads).map(share).collect::<Result<_, _>>()?;
        let (initial, known, told) = (None, Known::default(), None);
        Ok(Self { layout, distribution, shares, initial, known, told })
    }

    /// The states of a search by one thread, divided among so many threads.
    pub(super) fn dividing(
        search: &LayerSearch<L>,
        threads: usize,
        params: &ParallelParams,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let mut team = Self::new(search.registry.layout(), threads, params)?;
        let (initial, f, statistics) = search.report();
        if initial.is_none() {
            return Ok(team);
        }
        let addresses = team.copy_records(search, limits)?;
        team.copy_open_list(search, &addresses, limits)?;
        team.shares[0].statistics = statistics;
        team.initial = initial;
        team.known = Known { lower_bound: f, best: None, at_last_jump: statistics };
        team.told = Some(f);
        Ok(team)
    }

    /// Copies the records; returns the new addresses of the states.
    fn copy_records(
        &mut self,
        search: &LayerSearch<L>,
        limits: &Limits,
    ) -> Result<Vec<Address>, Stop> {
        let registry = &search.registry;
        let mut addresses = Vec::new();
        addresses.try_reserve_exact(registry.len()).map_err(|_| Stop::MemoryLimit)?;
        for (number, state) in registry.states().enumerate() {
            if number.is_multiple_of(PORTION) {
                limits.check()?;
                self.make_room(PORTION, limits)?;
            }
            let words = registry.words(state);
            let hash = registry.hash(words);
            let owner = self.distribution.owner(hash);
            let (copy, _) = self.shares[owner].registry.insert(words, hash);
            addresses.push(self.distribution.address(owner, copy));
        }
        for (state, &address) in registry.states().zip(&addresses) {
            let (owner, copy) = self.distribution.locate(address);
            let (cost, is_expanded) = registry.cost(state);
            let Address(parent) = addresses[registry.parent(state).number() as usize];
            self.shares[owner].registry.set_cost(copy, cost, is_expanded);
            self.shares[owner].registry.set_parent(copy, StateId::nth(parent));
        }
        Ok(addresses)
    }

    /// Copies the entries of open states, first those from before the heuristic last changed.
    fn copy_open_list(
        &mut self,
        search: &LayerSearch<L>,
        addresses: &[Address],
        limits: &Limits,
    ) -> Result<(), Stop> {
        for is_new in [false, true] {
            for share in &mut self.shares {
                share.open.begin_epoch();
            }
            let entries = search.open.entries().filter(|entry| entry.is_new == is_new);
            for (number, mut entry) in entries.enumerate() {
                if number.is_multiple_of(PORTION) {
                    limits.check()?;
                    self.make_room(PORTION, limits)?;
                }
                let address = addresses[entry.state.number() as usize];
                let (owner, copy) = self.distribution.locate(address);
                entry.state = copy;
                if self.shares[owner].is_current(entry) {
                    self.shares[owner].open.add(entry.f, entry.h, copy);
                }
            }
        }
        Ok(())
    }

    fn make_room(&mut self, count: usize, limits: &Limits) -> Result<(), Stop> {
        self.shares.iter_mut().try_for_each(|share| share.make_room(count, limits))
    }

    /// From now on, entries in the open lists have estimates of another heuristic.
    pub(super) fn change_heuristic(&mut self) {
        for share in &mut self.shares {
            share.open.begin_epoch();
        }
    }

    /// The initial state's first estimate, the lower bound, the counters.
    pub(super) fn report(&self) -> (Option<Estimate>, u64, Statistics) {
        let sum = |sum: Statistics, share: &Share<L>| sum.plus(&share.statistics);
        let statistics = self.shares.iter().fold(Statistics::default(), sum);
        let statistics = statistics.with_jump(&self.known.at_last_jump);
        (self.initial, self.known.lower_bound, statistics)
    }

    /// Expands states until the search is over, or has to pause.
    pub(super) fn advance<H: Heuristic + Send>(
        &mut self,
        advance: &mut Advance<'_, H>,
    ) -> Result<Option<Plan>, Ending> {
        advance.limits.check()?;
        if self.initial.is_none() {
            self.begin(advance)?;
        }
        let rounds = Rounds::new(&self.known, self.shares.iter().map(|share| share.statistics));
        self.run_threads(&rounds, advance);
        let (end, known) = rounds.into_end();
        self.known = known;
        match end {
            End::Answer => Ok(known.best.map(|(cost, goal)| {
                self.known.lower_bound = cost;
                self.extract_plan(goal, cost, &mut advance.rules[0])
            })),
            End::Early(ending) => {
                self.tell_bound(advance);
                Err(ending)
            }
        }
    }

    /// Tells the lower bound, if the first thread has not.
    fn tell_bound<H>(&mut self, advance: &mut Advance<'_, H>) {
        let Known { lower_bound: f, at_last_jump, .. } = self.known;
        if self.told < Some(f) {
            self.told = Some(f);
            (advance.tell)(Progress { f, is_new_layer: true, statistics: &at_last_jump });
        }
    }

    /// Enters the initial state.
    fn begin<H: Heuristic>(&mut self, advance: &mut Advance<'_, H>) -> Result<(), Stop> {
        let Rules { packing, initial, .. } = &advance.rules[0];
        let estimate = advance.heuristics[0].estimate(StateView::new(packing, initial));
        let hash = self.shares[0].registry.hash(initial);
        let owner = self.distribution.owner(hash);
        let share = &mut self.shares[owner];
        share.make_room(1, advance.limits)?;
        let entered = share.enter(initial, hash, 0).expect("the first state is new");
        let address = self.distribution.address(owner, entered.0);
        share.settle(entered, address, 0, estimate, Origin::Own);
        self.known.lower_bound = estimate.cost().unwrap_or(0);
        self.initial = Some(estimate);
        Ok(())
    }

    /// Runs all threads, this one among them, until the advance is over.
    fn run_threads<H: Heuristic + Send>(&mut self, rounds: &Rounds, advance: &mut Advance<'_, H>) {
        let Advance { rules, heuristics, params, budget, limits, tell } = advance;
        let format = Format::new(self.layout, heuristics[0].is_incremental());
        let (params, budget, limits) = (*params, *budget, *limits);
        let distribution = self.distribution;
        let common = Common { rounds, distribution, format, params, budget, limits };
        let own = rules.iter_mut().zip(heuristics.iter_mut()).zip(&mut self.shares);
        let mut all = own.enumerate();
        let Some((_, ((rules, heuristic), share))) = all.next() else {
            panic!("a search needs a heuristic");
        };
        let told = &mut self.told;
        thread::scope(|scope| {
            let mut handles = Vec::new();
            for (number, ((rules, heuristic), share)) in all {
                let thread = move || {
                    let _guard = EndIfPanicking(rounds);
                    Worker::new(number, common, rules, heuristic, share).run(None);
                };
                match thread::Builder::new().spawn_scoped(scope, thread) {
                    Ok(handle) => handles.push(handle),
                    // There is no memory for its stack.
                    Err(_) => rounds.finish(End::Early(Stop::MemoryLimit.into())),
                }
            }
            let _guard = EndIfPanicking(rounds);
            Worker::new(0, common, rules, heuristic, share).run(Some((&mut **tell, told)));
            for ended in handles.into_iter().map(thread::ScopedJoinHandle::join) {
                ended.unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
    }

    /// Follows the parents from `goal` and finds the operators between them.
    fn extract_plan(&self, goal: Address, cost: u64, rules: &mut Rules) -> Plan {
        let words = |address| {
            let (thread, state): (usize, StateId) = self.distribution.locate(address);
            (self.shares[thread].registry.words(state), self.shares[thread].parent(state))
        };
        let mut operators = Vec::new();
        let mut child = goal;
        loop {
            let (to, parent) = words(child);
            if parent == child {
                break;
            }
            operators.push(rules.cheapest_operator(words(parent).0, to));
            child = parent;
        }
        operators.reverse();
        let plan_cost: u64 = operators.iter().map(|id| u64::from(rules.costs[id.index()])).sum();
        assert_eq!(cost, plan_cost, "the plan costs what the search says");
        Plan { operators, cost }
    }
}

/// Ends the search for all threads if one of them panics.
struct EndIfPanicking<'a>(&'a Rounds);

impl Drop for EndIfPanicking<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.finish(End::Early(Stop::Interrupted.into()));
        }
    }
}
