//! The loop of A*, for records of one layout: layer by layer of f, in batches. The essay is at
//! the head of `astar`.

use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Plan, StateView, Stop};

use crate::open_list::{Entry, OpenList};
use crate::orbits::Orbits;
use crate::progress::{Progress, StateBudget};
use crate::registry::{Layout, Registry, StateId};
use crate::rules::Rules;
use crate::statistics::Statistics;
use crate::ties::Ties;
use crate::word_tests::holds;

/// The approximate number of successors that are processed together.
const BATCH: usize = 64;

/// The number of entries after which a batch is complete, whatever became of them: limits must be
/// checked.
const MAX_LOOKS: usize = 1 << 10;

/// The numbers of successors between two checks of the clock and of the memory.
const CLOCK_INTERVAL: u64 = 1 << 11;
const MEMORY_INTERVAL: u64 = 1 << 16;

/// What is given for one advance.
pub(crate) struct Advance<'a, H: ?Sized> {
    pub(crate) rules: &'a mut Rules,
    pub(crate) heuristic: &'a mut H,
    pub(crate) budget: StateBudget,
    pub(crate) limits: &'a Limits,
    pub(crate) tell: &'a mut dyn FnMut(Progress<'_>),
}

/// Why an advance ends without an answer.
pub(crate) enum Ending {
    Stop(Stop),
    BudgetSpent,
    CostTooLarge,
}

impl From<Stop> for Ending {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// A* with records of one layout.
pub(crate) struct LayerSearch<L> {
    width: usize,
    pub(crate) registry: Registry<L>,
    pub(crate) open: OpenList,
    batch: Batch,
    statistics: Statistics,
    /// The initial state's first estimate.
    initial: Option<Estimate>,
    /// The layer being searched.
    f: u64,
    /// Whether all heuristics were consistent and none was lower than one before.
    is_consistent: bool,
    pub(crate) only_rises: bool,
}

/// States that are expanded together, and their successors.
#[derive(Default)]
struct Batch {
    /// The expanded states, and their words one after another.
    parents: Vec<StateId>,
    parent_words: Vec<u32>,
    /// The operators applicable in them, and in which of them.
    operators: Vec<OperatorId>,
    origins: Vec<u32>,
    /// Some of the successors: their words one after another, their hashes.
    successors: Vec<u32>,
    hashes: Vec<u64>,
    /// Their representatives, if there are symmetries.
    representatives: Vec<u32>,
}

impl<L: Layout> LayerSearch<L> {
    /// A search of states, or of orbits.
    pub(crate) fn new(layout: L, ties: Ties, has_orbits: bool) -> Result<Self, Stop> {
        let width = layout.width();
        Ok(Self {
            width,
            registry: Registry::new(layout, has_orbits)?,
            open: OpenList::new(ties),
            batch: Batch {
                successors: vec![0; BATCH * width],
                representatives: vec![0; BATCH * width],
                ..Batch::default()
            },
            statistics: Statistics::default(),
            initial: None,
            f: 0,
            is_consistent: true,
            only_rises: true,
        })
    }

    /// The initial state's first estimate, the layer being searched, the counters.
    pub(crate) fn report(&self) -> (Option<Estimate>, u64, Statistics) {
        (self.initial, self.f, self.statistics)
    }

    /// Of the states seen, the number of the first ones, at most `most`, and of their
    /// representatives.
    pub(crate) fn count_orbits(&self, orbits: &mut Orbits, most: usize) -> (usize, usize) {
        let mut representative = vec![0; self.width];
        let mut hash = |state| {
            representative.copy_from_slice(self.registry.words(state));
            orbits.represent(&mut representative);
            self.registry.hash(&representative)
        };
        let mut hashes: Vec<u64> = self.registry.states().take(most).map(&mut hash).collect();
        let states = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        (states, hashes.len())
    }

    /// From now on, entries in the open list have estimates of another heuristic.
    pub(crate) fn change_heuristic(&mut self, rises: bool) {
        self.only_rises &= rises;
        self.open.begin_epoch();
    }

    /// Expands states until a goal state comes up or no state is left.
    pub(crate) fn advance<H: Heuristic + ?Sized>(
        &mut self,
        advance: &mut Advance<'_, H>,
    ) -> Result<Option<Plan>, Ending> {
        advance.limits.check()?;
        self.is_consistent &= advance.heuristic.is_consistent();
        if let Some(orbits) = &advance.rules.orbits {
            let is_invariant = orbits.moved().all(|it| advance.heuristic.is_invariant_under(it));
            // Otherwise an orbit has several estimates, and its estimate may fall.
            self.is_consistent &= is_invariant;
            self.only_rises &= is_invariant;
        }
        if self.initial.is_none() {
            self.begin(advance)?;
        }
        let mut clock = self.work() + CLOCK_INTERVAL;
        let mut memory = self.work() + MEMORY_INTERVAL;
        while let Some(entry) = self.open.pop() {
            if !self.is_current(entry) {
                continue;
            }
            if entry.f > self.f || self.statistics.expanded == 0 {
                self.f = entry.f;
                self.statistics.begin_layer();
                self.tell(true, advance);
            }
            if let Some(goal) = self.collect(entry, advance)? {
                return Ok(Some(self.extract_plan(goal, entry.f, advance.rules)));
            }
            self.expand(entry.f - entry.h, advance)?;
            if advance.budget.is_spent(&self.statistics) {
                return Err(Ending::BudgetSpent);
            }
            if self.work() >= clock {
                clock = self.work() + CLOCK_INTERVAL;
                advance.limits.check()?;
                if self.work() >= memory {
                    memory = self.work() + MEMORY_INTERVAL;
                    advance.limits.reserve(0)?;
                    self.tell(false, advance);
                }
            }
        }
        Ok(None)
    }

    /// Enters the initial state.
    fn begin<H: Heuristic + ?Sized>(&mut self, advance: &mut Advance<'_, H>) -> Result<(), Ending> {
        self.registry.make_room(1, advance.limits)?;
        let words = &advance.rules.initial;
        let mut representative = words.clone();
        if let Some(orbits) = &mut advance.rules.orbits {
            orbits.represent(&mut representative);
        }
        let hash = self.registry.hash(&representative);
        let (state, _) = self.registry.insert(&representative, hash);
        self.registry.set_words(state, words);
        self.registry.set_parent(state, state);
        let estimate = advance.heuristic.estimate(StateView::new(&advance.rules.packing, words));
        self.initial = Some(estimate);
        self.statistics.evaluated += 1;
        match estimate.cost() {
            Some(h) => self.open.push(h, h, state),
            None => self.statistics.dead_ends += 1,
        }
        Ok(())
    }

    /// What the clock is checked by: states generated or evaluated again.
    fn work(&self) -> u64 {
        self.statistics.generated + self.statistics.reevaluated
    }

    fn tell<H: ?Sized>(&self, is_new_layer: bool, advance: &mut Advance<'_, H>) {
        (advance.tell)(Progress { f: self.f, is_new_layer, statistics: &self.statistics });
    }

    /// Whether no cheaper path to the entry's state was found since.
    #[inline]
    fn is_current(&self, entry: Entry) -> bool {
        self.registry.cost(entry.state).0 == entry.f - entry.h
    }

    /// Starts a batch with `first` and fills it with other entries like it. Returns a goal
    /// state if one is among them.
    fn collect<H: Heuristic + ?Sized>(
        &mut self,
        first: Entry,
        advance: &mut Advance<'_, H>,
    ) -> Result<Option<StateId>, Ending> {
        self.batch.parents.clear();
        self.batch.parent_words.clear();
        self.batch.operators.clear();
        self.batch.origins.clear();
        let (mut next, mut looks) = (Some(first), 0);
        while let Some(entry) = next {
            looks += 1;
            if self.is_current(entry) && (entry.is_new || self.confirm(entry, advance)?) {
                self.statistics.expanded += 1;
                self.registry.set_cost(entry.state, entry.f - entry.h, true);
                let words = self.registry.words(entry.state);
                if holds(&advance.rules.goal, words) {
                    return Ok(Some(entry.state));
                }
                let origin = self.batch.parents.len() as u32;
                advance.rules.generator.collect(words, &mut self.batch.operators);
                self.batch.origins.resize(self.batch.operators.len(), origin);
                self.batch.parent_words.extend_from_slice(words);
                self.batch.parents.push(entry.state);
            }
            // States that are evaluated again and put back do not fill a batch.
            let is_full = self.batch.operators.len() >= BATCH || looks >= MAX_LOOKS;
            next = if is_full { None } else { self.open.pop_like(first) };
        }
        self.open.end_batch(self.batch.parents.len() as u32, &mut self.batch.operators);
        self.statistics.generated += self.batch.operators.len() as u64;
        Ok(None)
    }

    /// Evaluates a state that has an estimate of an earlier heuristic, and returns whether the
    /// estimate is still the highest. Otherwise the state goes back to the open list.
    #[cold]
    fn confirm<H: Heuristic + ?Sized>(
        &mut self,
        entry: Entry,
        advance: &mut Advance<'_, H>,
    ) -> Result<bool, Ending> {
        let words = self.registry.words(entry.state);
        let estimate = advance.heuristic.estimate(StateView::new(&advance.rules.packing, words));
        self.statistics.reevaluated += 1;
        let Some(h) = estimate.cost() else {
            self.registry.set_cost(entry.state, 0, true);
            self.statistics.dead_ends += 1;
            return Ok(false);
        };
        assert!(h >= entry.h || !self.only_rises, "the heuristic is nowhere lower than before");
        if h > entry.h {
            self.open.make_room(1)?;
            self.open.push(entry.f - entry.h + h, h, entry.state);
        }
        Ok(h <= entry.h)
    }

    /// Generates and processes the successors of the batch, whose states have
    /// been reached at cost `g`.
    fn expand<H: Heuristic + ?Sized>(
        &mut self,
        g: u64,
        advance: &mut Advance<'_, H>,
    ) -> Result<(), Ending> {
        let mut entered = u32::MAX;
        for begin in (0..self.batch.operators.len()).step_by(BATCH) {
            let end = self.batch.operators.len().min(begin + BATCH);
            self.registry.make_room(end - begin, advance.limits)?;
            self.open.make_room(end - begin)?;
            self.generate(begin, end, advance.rules);
            for &hash in &self.batch.hashes {
                self.registry.prefetch_candidate(hash);
            }
            for &next in self.open.upcoming() {
                self.registry.prefetch_record(next);
            }
            for index in begin..end {
                self.process(g, index, index - begin, &mut entered, advance)?;
            }
        }
        Ok(())
    }

    /// Computes the successors by `operators[begin..end]` and their hashes.
    fn generate(&mut self, begin: usize, end: usize, rules: &mut Rules) {
        let Batch { parent_words, operators, origins, successors, hashes, representatives, .. } =
            &mut self.batch;
        hashes.clear();
        let batch = successors.chunks_exact_mut(self.width);
        let batch = batch.zip(representatives.chunks_exact_mut(self.width));
        let steps = operators[begin..end].iter().zip(&origins[begin..end]);
        let mut entered = u32::MAX;
        for ((&operator, &origin), (successor, representative)) in steps.zip(batch) {
            let parent = &parent_words[origin as usize * self.width..][..self.width];
            successor.copy_from_slice(parent);
            rules.transitions.apply(operator, parent, successor);
            let hash = if let Some(orbits) = &mut rules.orbits {
                if entered != origin {
                    entered = origin;
                    orbits.enter(parent);
                }
                representative.copy_from_slice(successor);
                orbits.represent_successor(operator, representative);
                self.registry.hash(representative)
            } else {
                self.registry.hash(successor)
            };
            self.registry.prefetch_slot(hash);
            hashes.push(hash);
        }
    }

    /// Enters a successor into the registry and, if it is new or cheaper, into the open
    /// list. It is reached by `operators[index]` and is at `place` among those computed.
    /// `entered` is the parent that the heuristic entered last.
    #[inline]
    fn process<H: Heuristic + ?Sized>(
        &mut self,
        g: u64,
        index: usize,
        place: usize,
        entered: &mut u32,
        advance: &mut Advance<'_, H>,
    ) -> Result<(), Ending> {
        let Advance { rules, heuristic, .. } = advance;
        let Batch {
            parents,
            parent_words,
            operators,
            origins,
            successors,
            hashes,
            representatives,
        } = &self.batch;
        let operator = operators[index];
        let cost = g + u64::from(rules.costs[operator.index()]);
        if cost > L::MAX_COST {
            return Err(Ending::CostTooLarge);
        }
        let words = &successors[place * self.width..][..self.width];
        let representative = match &rules.orbits {
            Some(_) => &representatives[place * self.width..][..self.width],
            None => words,
        };
        let (state, is_new) = self.registry.insert(representative, hashes[place]);
        if !is_new {
            let (known, expanded) = self.registry.cost(state);
            if cost >= known {
                return Ok(());
            }
            if expanded {
                let must_not = self.is_consistent && self.only_rises;
                assert!(!must_not, "consistent heuristics that only rise never reopen a state");
                self.statistics.reopened += 1;
            }
        }
        let origin = origins[index];
        let packing = &rules.packing;
        if *entered != origin {
            *entered = origin;
            let parent = &parent_words[origin as usize * self.width..][..self.width];
            heuristic.enter(StateView::new(packing, parent));
        }
        let successor = StateView::new(packing, words);
        let estimate = heuristic.estimate_successor(operator, successor);
        if rules.orbits.is_some() {
            self.registry.set_words(state, words);
        }
        self.registry.set_parent(state, parents[origin as usize]);
        self.statistics.evaluated += u64::from(is_new);
        if let Some(h) = estimate.cost() {
            self.registry.set_cost(state, cost, false);
            self.open.push(cost + h, h, state);
        } else {
            // No path is cheaper than 0: a dead end is never evaluated again.
            self.registry.set_cost(state, 0, true);
            self.statistics.dead_ends += 1;
        }
        Ok(())
    }

    /// Follows the parents from `goal` and finds the operators between them.
    fn extract_plan(&self, goal: StateId, cost: u64, rules: &mut Rules) -> Plan {
        let mut operators = Vec::new();
        let mut child = goal;
        while child != StateId::FIRST {
            let parent = self.registry.parent(child);
            let (from, to) = (self.registry.words(parent), self.registry.words(child));
            operators.push(rules.cheapest_operator(from, to));
            child = parent;
        }
        operators.reverse();
        let plan_cost: u64 = operators.iter().map(|id| u64::from(rules.costs[id.index()])).sum();
        assert_eq!(cost, plan_cost, "the plan costs what the search says");
        Plan { operators, cost }
    }
}
