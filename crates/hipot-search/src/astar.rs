//! A* (Hart, Nilsson & Raphael 1968).
//!
//! The algorithm is the usual one; the way it waits for memory is not. With a cheap
//! heuristic, a search spends nearly all its time finding out whether a successor is
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

use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Packing, Plan, StateView, Stop, Task};

use crate::open_list::{Entry, OpenList};
use crate::params::SearchParams;
use crate::progress::Progress;
use crate::registry::{AnyWidth, Fixed, Layout, Registry, StateId};
use crate::statistics::Statistics;
use crate::successors::SuccessorGenerator;
use crate::transitions::Transitions;
use crate::word_tests::{Test, conjunction, holds};

/// With operators more expensive than this, paths may well cost more than 2³¹.
const LARGE_COST: u32 = 1 << 20;

/// The approximate number of successors that are processed together.
const BATCH: usize = 64;

/// The numbers of successors between two checks of the clock and of the memory.
const CLOCK_INTERVAL: u64 = 1 << 11;
const MEMORY_INTERVAL: u64 = 1 << 16;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It found an optimal plan.
    Solved(Plan),
    /// It proved that there is no plan.
    Unsolvable,
    /// It reached a limit or was interrupted.
    Stopped(Stop),
    /// It used up its [`StateBudget`](crate::StateBudget).
    BudgetSpent,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// How it ended.
    pub outcome: Outcome,
    /// The initial state's estimate; `None` if the search ended before computing it.
    pub initial: Option<Estimate>,
    /// Every plan costs at least this much: the f value of the layer being searched when
    /// the search ended. All states with a smaller f were expanded.
    pub lower_bound: u64,
    /// Counters.
    pub statistics: Statistics,
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
    let mut problem = Problem { task, packing, heuristic, params, limits, tell };
    if task.max_cost() > LARGE_COST {
        return problem.search_wide();
    }
    let result = match packing.width() {
        1 => problem.search(Fixed::<1>),
        2 => problem.search(Fixed::<2>),
        3 => problem.search(Fixed::<3>),
        4 => problem.search(Fixed::<4>),
        5 => problem.search(Fixed::<5>),
        6 => problem.search(Fixed::<6>),
        7 => problem.search(Fixed::<7>),
        8 => problem.search(Fixed::<8>),
        width => problem.search(AnyWidth::<1>(width)),
    };
    result.unwrap_or_else(|CostTooLarge| problem.search_wide())
}

/// A cost does not fit into the records.
#[derive(Debug)]
struct CostTooLarge;

/// Why a search ends without an answer.
enum Failure {
    Stop(Stop),
    BudgetSpent,
    CostTooLarge,
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

struct Problem<'a, H: ?Sized> {
    task: &'a Task,
    packing: &'a Packing,
    heuristic: &'a mut H,
    params: SearchParams,
    limits: &'a Limits,
    tell: &'a mut dyn FnMut(Progress<'_>),
}

impl<H: Heuristic + ?Sized> Problem<'_, H> {
    /// The search with 64-bit costs, which hold every sum: a path has at most 2³¹ states,
    /// and each step costs less than 2³¹.
    fn search_wide(&mut self) -> SearchResult {
        let layout = AnyWidth::<2>(self.packing.width());
        self.search(layout).expect("64 bits hold every cost")
    }

    fn search<L: Layout>(&mut self, layout: L) -> Result<SearchResult, CostTooLarge> {
        let mut statistics = Statistics::default();
        let mut f = 0;
        let mut initial = None;
        let ended = Search::begin(self, layout, &mut statistics, &mut initial)
            .and_then(|mut search| search.run(&mut f, &mut statistics));
        let outcome = match ended {
            Ok(Some(plan)) => Outcome::Solved(plan),
            Ok(None) => Outcome::Unsolvable,
            Err(Failure::Stop(stop)) => Outcome::Stopped(stop),
            Err(Failure::BudgetSpent) => Outcome::BudgetSpent,
            Err(Failure::CostTooLarge) => return Err(CostTooLarge),
        };
        let lower_bound = f.max(initial.and_then(Estimate::cost).unwrap_or(0));
        Ok(SearchResult { outcome, initial, lower_bound, statistics })
    }
}

struct Search<'a, 'p, L, H: ?Sized> {
    problem: &'a mut Problem<'p, H>,
    width: usize,
    goal: Vec<Test>,
    costs: Vec<u32>,
    transitions: Transitions,
    generator: SuccessorGenerator,
    registry: Registry<L>,
    open: OpenList,
    is_consistent: bool,
    batch: Batch,
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
}

impl<'a, 'p, L: Layout, H: Heuristic + ?Sized> Search<'a, 'p, L, H> {
    /// A search with the initial state in its open list.
    fn begin(
        problem: &'a mut Problem<'p, H>,
        layout: L,
        statistics: &mut Statistics,
        initial: &mut Option<Estimate>,
    ) -> Result<Self, Failure> {
        problem.limits.check()?;
        let (task, packing) = (problem.task, problem.packing);
        let width = layout.width();
        let mut search = Self {
            width,
            goal: conjunction(task.goal(), packing),
            costs: task.operators().iter().map(|operator| operator.cost).collect(),
            transitions: Transitions::new(task, packing),
            generator: SuccessorGenerator::new(task, packing),
            registry: Registry::new(layout)?,
            open: OpenList::new(problem.params.ties),
            is_consistent: problem.heuristic.is_consistent(),
            batch: Batch { successors: vec![0; BATCH * width], ..Batch::default() },
            problem,
        };
        let mut words = packing.pack(task.initial());
        search.transitions.derive(&mut words);
        search.registry.make_room(1, search.problem.limits)?;
        let (state, _) = search.registry.insert(&words, search.registry.hash(&words));
        search.registry.set_parent(state, state);
        let estimate = search.problem.heuristic.estimate(StateView::new(packing, &words));
        *initial = Some(estimate);
        statistics.evaluated += 1;
        if let Some(h) = estimate.cost() {
            search.open.push(Entry { f: h, h, state });
        } else {
            statistics.dead_ends += 1;
        }
        Ok(search)
    }

    /// Expands states until a goal state comes up or no state is left. `f` is the
    /// layer being searched.
    fn run(&mut self, f: &mut u64, statistics: &mut Statistics) -> Result<Option<Plan>, Failure> {
        let mut clock = CLOCK_INTERVAL;
        let mut memory = MEMORY_INTERVAL;
        let mut layers = 0_u64;
        while let Some(entry) = self.open.pop() {
            if !self.is_current(entry) {
                continue;
            }
            if entry.f > *f || layers == 0 {
                layers += 1;
                *f = entry.f;
                statistics.begin_layer();
                self.tell(*f, true, statistics);
            }
            if let Some(goal) = self.collect(entry, statistics) {
                return Ok(Some(self.extract_plan(goal, entry.f)));
            }
            self.expand(entry.f - entry.h, statistics)?;
            if statistics.generated >= clock {
                clock = statistics.generated + CLOCK_INTERVAL;
                self.problem.limits.check()?;
                if self.problem.params.budget.is_spent(statistics) {
                    return Err(Failure::BudgetSpent);
                }
                if statistics.generated >= memory {
                    memory = statistics.generated + MEMORY_INTERVAL;
                    self.problem.limits.reserve(0)?;
                    self.tell(*f, false, statistics);
                }
            }
        }
        Ok(None)
    }

    fn tell(&mut self, f: u64, is_new_layer: bool, statistics: &Statistics) {
        (self.problem.tell)(Progress { f, is_new_layer, statistics });
    }

    /// Whether no cheaper path to the entry's state was found since.
    #[inline]
    fn is_current(&self, entry: Entry) -> bool {
        self.registry.cost(entry.state).0 == entry.f - entry.h
    }

    /// Starts a batch with `first` and fills it with other entries like it. Returns a goal
    /// state if one is among them.
    fn collect(&mut self, first: Entry, statistics: &mut Statistics) -> Option<StateId> {
        self.batch.parents.clear();
        self.batch.parent_words.clear();
        self.batch.operators.clear();
        self.batch.origins.clear();
        let mut next = Some(first);
        while let Some(entry) = next {
            if self.is_current(entry) {
                statistics.expanded += 1;
                self.registry.set_cost(entry.state, entry.f - entry.h, true);
                let words = self.registry.words(entry.state);
                if holds(&self.goal, words) {
                    return Some(entry.state);
                }
                let origin = self.batch.parents.len() as u32;
                self.generator.collect(words, &mut self.batch.operators);
                self.batch.origins.resize(self.batch.operators.len(), origin);
                self.batch.parent_words.extend_from_slice(words);
                self.batch.parents.push(entry.state);
            }
            let is_full = self.batch.operators.len() >= BATCH;
            next = if is_full { None } else { self.open.pop_like(first) };
        }
        self.open.end_batch(self.batch.parents.len() as u32, &mut self.batch.operators);
        statistics.generated += self.batch.operators.len() as u64;
        None
    }

    /// Generates and processes the successors of the batch, whose states have
    /// been reached at cost `g`.
    fn expand(&mut self, g: u64, statistics: &mut Statistics) -> Result<(), Failure> {
        let mut entered = u32::MAX;
        for begin in (0..self.batch.operators.len()).step_by(BATCH) {
            let end = self.batch.operators.len().min(begin + BATCH);
            self.registry.make_room(end - begin, self.problem.limits)?;
            self.open.make_room(end - begin)?;
            self.generate(begin, end);
            for &hash in &self.batch.hashes {
                self.registry.prefetch_candidate(hash);
            }
            for &next in self.open.upcoming() {
                self.registry.prefetch_record(next);
            }
            for index in begin..end {
                self.process(g, index, index - begin, &mut entered, statistics)?;
            }
        }
        Ok(())
    }

    /// Computes the successors by `operators[begin..end]` and their hashes.
    fn generate(&mut self, begin: usize, end: usize) {
        let Batch { parent_words, operators, origins, successors, hashes, .. } = &mut self.batch;
        hashes.clear();
        let batch = successors.chunks_exact_mut(self.width);
        let steps = operators[begin..end].iter().zip(&origins[begin..end]);
        for ((&operator, &origin), successor) in steps.zip(batch) {
            let parent = &parent_words[origin as usize * self.width..][..self.width];
            successor.copy_from_slice(parent);
            self.transitions.apply(operator, parent, successor);
            let hash = self.registry.hash(successor);
            self.registry.prefetch_slot(hash);
            hashes.push(hash);
        }
    }

    /// Enters a successor into the registry and, if it is new or cheaper, into the open
    /// list. It is reached by `operators[index]` and is at `place` among those computed.
    /// `entered` is the parent that the heuristic entered last.
    #[inline]
    fn process(
        &mut self,
        g: u64,
        index: usize,
        place: usize,
        entered: &mut u32,
        statistics: &mut Statistics,
    ) -> Result<(), Failure> {
        let Batch { parents, parent_words, operators, origins, successors, hashes } = &self.batch;
        let operator = operators[index];
        let cost = g + u64::from(self.costs[operator.index()]);
        if cost > L::MAX_COST {
            return Err(Failure::CostTooLarge);
        }
        let words = &successors[place * self.width..][..self.width];
        let (state, is_new) = self.registry.insert(words, hashes[place]);
        if !is_new {
            let (known, expanded) = self.registry.cost(state);
            if cost >= known {
                return Ok(());
            }
            if expanded {
                assert!(!self.is_consistent, "a consistent heuristic never reopens a state");
                statistics.reopened += 1;
            }
        }
        let origin = origins[index];
        let packing = self.problem.packing;
        if *entered != origin {
            *entered = origin;
            let parent = &parent_words[origin as usize * self.width..][..self.width];
            self.problem.heuristic.enter(StateView::new(packing, parent));
        }
        let successor = StateView::new(packing, words);
        let estimate = self.problem.heuristic.estimate_successor(operator, successor);
        self.registry.set_parent(state, parents[origin as usize]);
        statistics.evaluated += u64::from(is_new);
        if let Some(h) = estimate.cost() {
            self.registry.set_cost(state, cost, false);
            self.open.push(Entry { f: cost + h, h, state });
        } else {
            // No path is cheaper than 0: a dead end is never evaluated again.
            self.registry.set_cost(state, 0, true);
            statistics.dead_ends += 1;
        }
        Ok(())
    }

    /// Follows the parents from `goal` and finds the operators between them.
    fn extract_plan(&mut self, goal: StateId, cost: u64) -> Plan {
        let mut operators = Vec::new();
        let mut child = goal;
        while child != StateId::FIRST {
            let parent = self.registry.parent(child);
            operators.push(self.cheapest_operator(parent, child));
            child = parent;
        }
        operators.reverse();
        let plan_cost = operators.iter().map(|id| u64::from(self.costs[id.index()])).sum();
        assert_eq!(cost, plan_cost, "the plan costs what the search says");
        Plan { operators, cost }
    }

    fn cheapest_operator(&mut self, parent: StateId, child: StateId) -> OperatorId {
        let parent = self.registry.words(parent).to_vec();
        let mut successor = parent.clone();
        let mut applicable = Vec::new();
        self.generator.collect(&parent, &mut applicable);
        let mut leads_there = Vec::new();
        for operator in applicable {
            successor.copy_from_slice(&parent);
            self.transitions.apply(operator, &parent, &mut successor);
            if successor == self.registry.words(child) {
                leads_there.push(operator);
            }
        }
        let cheapest = leads_there.into_iter().min_by_key(|id| (self.costs[id.index()], *id));
        cheapest.expect("some operator leads from a state's parent to it")
    }
}
