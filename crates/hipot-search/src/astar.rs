//! A* (Hart, Nilsson & Raphael 1968).
//!
//! The usual algorithm; what is not usual is how it waits for memory. Nearly
//! all of the time of a cheap heuristic's search goes into finding out whether
//! a successor is known: one access at random to the hash table and one to
//! the state's record. So the successors of a state are generated together
//! and processed in three passes: compute all and ask for their slots, ask
//! for the records that the slots name, then look. When the third pass needs
//! the memory it has arrived, and many accesses wait at once instead of one
//! after another. The record of the state that will probably be expanded next
//! is asked for at the same time.
//!
//! Costs are exact integers throughout. Records hold 32-bit costs where
//! operators are cheap; if a path should become too expensive for that, the
//! search starts again with 64 bits, in which no path can.

use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Packing, Plan, StateView, Stop, Task};

use crate::open_list::{Buckets, Entry, Heap, OpenList};
use crate::registry::{AnyWidth, Fixed, Layout, Registry, StateId};
use crate::statistics::{Observer, Statistics};
use crate::successors::SuccessorGenerator;
use crate::transitions::{Test, Transitions, conjunction, holds};

/// Operators dearer than this make buckets too many: a heap serves.
const LARGE_COST: u32 = 1 << 12;

/// Successors processed together.
const BATCH: usize = 64;

/// How many successors are generated between two looks at the clock, and
/// between two looks at the memory.
const CLOCK_INTERVAL: u64 = 1 << 11;
const MEMORY_INTERVAL: u64 = 1 << 16;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With an optimal plan.
    Solved(Plan),
    /// There is no plan.
    Unsolvable,
    /// Too early.
    Stopped(Stop),
}

/// What a search found out.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// How it ended.
    pub outcome: Outcome,
    /// The initial state's estimate; `None` where the search ended before.
    pub initial: Option<Estimate>,
    /// Every plan costs at least this much: the f value of the layer that was
    /// being searched. All states with a smaller f had been expanded.
    pub lower_bound: u64,
    /// Counters.
    pub statistics: Statistics,
}

/// Searches an optimal plan for `task`. `heuristic` is admissible and reads
/// states packed by `packing`, a packing for `task`.
pub fn astar<H: Heuristic + ?Sized>(
    task: &Task,
    packing: &Packing,
    heuristic: &mut H,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> SearchResult {
    let mut problem = Problem { task, packing, heuristic, limits, observer };
    if task.max_cost() > LARGE_COST {
        return problem.search_wide();
    }
    let result = match packing.width() {
        1 => problem.search::<_, Buckets>(Fixed::<1>),
        2 => problem.search::<_, Buckets>(Fixed::<2>),
        3 => problem.search::<_, Buckets>(Fixed::<3>),
        4 => problem.search::<_, Buckets>(Fixed::<4>),
        5 => problem.search::<_, Buckets>(Fixed::<5>),
        6 => problem.search::<_, Buckets>(Fixed::<6>),
        7 => problem.search::<_, Buckets>(Fixed::<7>),
        8 => problem.search::<_, Buckets>(Fixed::<8>),
        width => problem.search::<_, Buckets>(AnyWidth::<1>(width)),
    };
    result.unwrap_or_else(|CostTooLarge| problem.search_wide())
}

/// A cost does not fit into the records.
#[derive(Debug)]
struct CostTooLarge;

/// Why an expansion did not go through.
enum Failure {
    Stop(Stop),
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
    limits: &'a Limits,
    observer: &'a mut dyn Observer,
}

impl<H: Heuristic + ?Sized> Problem<'_, H> {
    /// The search with costs in which every sum fits: at most 2³¹ states on a
    /// path, each step below 2³¹.
    fn search_wide(&mut self) -> SearchResult {
        let layout = AnyWidth::<2>(self.packing.width());
        self.search::<_, Heap>(layout).expect("64 bits hold every cost")
    }

    fn search<L: Layout, O: OpenList>(&mut self, layout: L) -> Result<SearchResult, CostTooLarge> {
        let mut statistics = Statistics::default();
        let mut f = 0;
        let mut initial = None;
        let ended = Search::<L, O, H>::begin(self, layout, &mut statistics, &mut initial)
            .and_then(|mut search| search.run(&mut f, &mut statistics));
        let outcome = match ended {
            Ok(Some(plan)) => Outcome::Solved(plan),
            Ok(None) => Outcome::Unsolvable,
            Err(Failure::Stop(stop)) => Outcome::Stopped(stop),
            Err(Failure::CostTooLarge) => return Err(CostTooLarge),
        };
        let lower_bound = f.max(initial.and_then(Estimate::cost).unwrap_or(0));
        Ok(SearchResult { outcome, initial, lower_bound, statistics })
    }
}

struct Search<'a, 'p, L, O, H: ?Sized> {
    problem: &'a mut Problem<'p, H>,
    width: usize,
    goal: Vec<Test>,
    costs: Vec<u32>,
    transitions: Transitions,
    generator: SuccessorGenerator,
    registry: Registry<L>,
    open: O,
    is_consistent: bool,
    /// The state being expanded.
    parent: Vec<u32>,
    applicable: Vec<OperatorId>,
    /// The successors of a batch, one after another, and their hashes.
    successors: Vec<u32>,
    hashes: Vec<u64>,
}

impl<'a, 'p, L: Layout, O: OpenList, H: Heuristic + ?Sized> Search<'a, 'p, L, O, H> {
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
            open: O::default(),
            is_consistent: problem.heuristic.is_consistent(),
            parent: packing.pack(task.initial()),
            applicable: Vec::new(),
            successors: vec![0; BATCH * width],
            hashes: Vec::with_capacity(BATCH),
            problem,
        };
        search.transitions.derive(&mut search.parent);
        search.registry.make_room(1, search.problem.limits)?;
        let hash = search.registry.hash(&search.parent);
        let (state, _) = search.registry.insert(&search.parent, hash);
        search.registry.set_parent(state, state);
        let estimate = search.problem.heuristic.estimate(StateView::new(packing, &search.parent));
        *initial = Some(estimate);
        statistics.evaluated += 1;
        if let Some(h) = estimate.cost() {
            search.open.push(Entry { f: h, h, state });
        } else {
            statistics.dead_ends += 1;
        }
        Ok(search)
    }

    /// Expands states until a goal state comes up or none is left. `f` is the
    /// layer being searched.
    fn run(&mut self, f: &mut u64, statistics: &mut Statistics) -> Result<Option<Plan>, Failure> {
        let mut clock = CLOCK_INTERVAL;
        let mut memory = MEMORY_INTERVAL;
        let mut first = true;
        while let Some(entry) = self.open.pop() {
            let g = entry.f - entry.h;
            if self.registry.cost(entry.state).0 != g {
                continue;
            }
            if entry.f > *f || first {
                debug_assert!(first || entry.f > *f);
                first = false;
                *f = entry.f;
                statistics.begin_layer();
                self.problem.observer.layer(*f, statistics);
            }
            self.registry.set_cost(entry.state, g, true);
            statistics.expanded += 1;
            self.parent.clear();
            self.parent.extend_from_slice(self.registry.words(entry.state));
            if holds(&self.goal, &self.parent) {
                return Ok(Some(self.extract_plan(entry.state, g)));
            }
            self.expand(entry.state, g, statistics)?;
            if statistics.generated >= clock {
                clock = statistics.generated + CLOCK_INTERVAL;
                self.problem.limits.check()?;
                if statistics.generated >= memory {
                    memory = statistics.generated + MEMORY_INTERVAL;
                    self.problem.limits.reserve(0)?;
                    self.problem.observer.progress(*f, statistics);
                }
            }
        }
        Ok(None)
    }

    fn expand(
        &mut self,
        state: StateId,
        g: u64,
        statistics: &mut Statistics,
    ) -> Result<(), Failure> {
        self.applicable.clear();
        self.generator.collect(&self.parent, &mut self.applicable);
        statistics.generated += self.applicable.len() as u64;
        let mut entered = false;
        for begin in (0..self.applicable.len()).step_by(BATCH) {
            let end = self.applicable.len().min(begin + BATCH);
            self.registry.make_room(end - begin, self.problem.limits)?;
            self.open.make_room(end - begin)?;
            self.generate(begin, end);
            for &hash in &self.hashes {
                self.registry.prefetch_candidate(hash);
            }
            if let Some(next) = self.open.peek() {
                self.registry.prefetch_record(next);
            }
            for index in 0..end - begin {
                let operator = self.applicable[begin + index];
                self.process(state, g, operator, index, &mut entered, statistics)?;
            }
        }
        Ok(())
    }

    /// Computes the successors by `applicable[begin..end]` and their hashes.
    fn generate(&mut self, begin: usize, end: usize) {
        self.hashes.clear();
        let batch = self.successors.chunks_exact_mut(self.width);
        for (&operator, successor) in self.applicable[begin..end].iter().zip(batch) {
            successor.copy_from_slice(&self.parent);
            self.transitions.apply(operator, &self.parent, successor);
            let hash = self.registry.hash(successor);
            self.registry.prefetch_slot(hash);
            self.hashes.push(hash);
        }
    }

    /// Enters the successor number `index` of the batch, reached from `parent`
    /// by `operator`, into the registry and, if that is news, the open list.
    #[inline]
    fn process(
        &mut self,
        parent: StateId,
        g: u64,
        operator: OperatorId,
        index: usize,
        entered: &mut bool,
        statistics: &mut Statistics,
    ) -> Result<(), Failure> {
        let cost = g + u64::from(self.costs[operator.index()]);
        if cost > L::MAX_COST {
            return Err(Failure::CostTooLarge);
        }
        let words = &self.successors[index * self.width..(index + 1) * self.width];
        let (state, is_new) = self.registry.insert(words, self.hashes[index]);
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
        let packing = self.problem.packing;
        if !*entered {
            *entered = true;
            self.problem.heuristic.enter(StateView::new(packing, &self.parent));
        }
        let successor = StateView::new(packing, words);
        let estimate = self.problem.heuristic.estimate_successor(operator, successor);
        self.registry.set_parent(state, parent);
        statistics.evaluated += u64::from(is_new);
        if let Some(h) = estimate.cost() {
            self.registry.set_cost(state, cost, false);
            self.open.push(Entry { f: cost + h, h, state });
        } else {
            // No way is cheaper than 0: a dead end is never looked at again.
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
        self.applicable.clear();
        self.generator.collect(&parent, &mut self.applicable);
        let mut leads_there = Vec::new();
        for &operator in &self.applicable {
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
