//! A* with several threads against Dijkstra's algorithm on thousands of random tiny tasks. Buffers
//! and rounds are so small that every message matters.

use std::collections::HashMap;
use std::sync::Arc;

use hipot_check::execute;
use hipot_search::{
    Blind, Outcome, ParallelParams, SearchParams, SearchResult, Ties, parallel_astar,
};
use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Packing, StateView, Task, Value};
use hipot_testing::{RandomTask, Rng, StateSpace};

const MAX_STATES: usize = 20_000;
const SEEDS: u64 = 600;

fn plain() -> RandomTask {
    RandomTask::default()
}

/// Another number of threads, size of buffers, length of rounds and order for each seed.
fn params(seed: u64) -> (usize, ParallelParams) {
    let rng = &mut Rng::new(seed ^ 0x5eed);
    let ties = match rng.below(3) {
        0 => Ties::Newest,
        1 => Ties::Oldest,
        _ => Ties::Dives { seed, patience: u64::from(rng.below(8)) },
    };
    let search = SearchParams { ties, ..SearchParams::default() };
    let messages = 1 + rng.below(4) as usize;
    let round = [1, 3, 20, 1024][rng.below(4) as usize];
    (2 + rng.below(3) as usize, ParallelParams { messages, round, ..search.into() })
}

fn run<H: Heuristic + Clone + Send>(task: &Task, heuristic: &H, seed: u64) -> SearchResult {
    let (threads, params) = params(seed);
    let (packing, limits) = (Packing::new(task), Limits::none());
    let heuristics = &mut vec![heuristic.clone(); threads];
    parallel_astar(task, &packing, heuristics, params, &limits, &mut |_| {})
}

/// Checks outcome, lower bound and plan against the true optimal cost.
fn check(task: &Task, space: &StateSpace, result: &SearchResult, seed: u64) {
    match (&result.outcome, space.optimal_cost()) {
        (Outcome::Solved(plan), Some(cost)) => {
            assert_eq!((plan.cost, result.lower_bound), (cost, cost), "seed {seed}");
            let operators = plan.operators.iter().map(|&id| task.operator(id));
            assert_eq!(execute(task, operators), Ok(cost), "seed {seed}");
        }
        (Outcome::Unsolvable, None) => {}
        (outcome, cost) => panic!("seed {seed}: {outcome:?}, but h* is {cost:?}"),
    }
    let statistics = &result.statistics;
    assert!(statistics.evaluated <= space.states.len() as u64, "seed {seed}");
    assert!(statistics.expanded <= statistics.evaluated + statistics.reopened, "seed {seed}");
}

/// Blind search on `SEEDS` tasks.
fn blind_search_is_right(shape: RandomTask) {
    let mut solvable = 0;
    for seed in 0..SEEDS {
        let task = shape.generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let blind = Blind::new(&task, &Packing::new(&task));
        check(&task, &space, &run(&task, &blind, seed), seed);
        solvable += u64::from(space.optimal_cost().is_some());
    }
    // A test on trivial tasks would show nothing.
    assert!(solvable > SEEDS / 8, "only {solvable} tasks have a plan");
    assert!(solvable < SEEDS, "all tasks have a plan");
}

#[test]
fn blind_on_plain_tasks() {
    blind_search_is_right(plain());
}

#[test]
fn blind_with_unit_costs() {
    blind_search_is_right(RandomTask { cost: 1, variables: 6, operators: 24, ..plain() });
}

#[test]
fn blind_with_zero_costs() {
    blind_search_is_right(RandomTask { percent_free: 60, ..plain() });
}

#[test]
fn blind_with_conditional_effects_and_axioms() {
    blind_search_is_right(RandomTask { derived: 3, percent_conditional: 40, ..plain() });
}

#[test]
fn blind_with_large_costs() {
    blind_search_is_right(RandomTask { cost: i32::MAX as u32 - 1, percent_free: 10, ..plain() });
}

#[test]
fn blind_with_many_variables() {
    blind_search_is_right(RandomTask { variables: 12, domain: 2, operators: 30, ..plain() });
}

/// A heuristic given as a table, which asks for a successor's estimate through its parent's.
#[derive(Clone)]
struct Table {
    task: Arc<Task>,
    estimates: Arc<HashMap<Vec<Value>, Estimate>>,
    is_incremental: bool,
    parent: Vec<Value>,
}

impl Table {
    fn new(
        task: &Task,
        space: &StateSpace,
        is_incremental: bool,
        estimate: impl FnMut(Option<u64>) -> Estimate,
    ) -> Self {
        let estimates = space.goal_distances.iter().copied().map(estimate);
        let estimates = Arc::new(space.states.iter().cloned().zip(estimates).collect());
        Self { task: Arc::new(task.clone()), estimates, is_incremental, parent: Vec::new() }
    }
}

impl Heuristic for Table {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.estimates[&state.unpack()]
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.parent = parent.unpack();
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        let state = hipot_check::apply(&self.task, self.task.operator(operator), &self.parent);
        assert_eq!(successor.unpack(), state);
        self.estimates[&state]
    }

    fn is_incremental(&self) -> bool {
        self.is_incremental
    }

    fn is_consistent(&self) -> bool {
        false
    }
}

/// Searches with tables made by `estimate`; the number of states reopened.
fn tables_are_right(
    shape: RandomTask,
    mut estimate: impl FnMut(&mut Rng, Option<u64>) -> Estimate,
) -> u64 {
    let mut reopened = 0;
    for seed in 0..SEEDS {
        let task = shape.generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let rng = &mut Rng::new(seed);
        let table = Table::new(&task, &space, seed % 2 == 0, |cost| estimate(rng, cost));
        let result = run(&task, &table, seed);
        check(&task, &space, &result, seed);
        reopened += result.statistics.reopened;
    }
    reopened
}

#[test]
fn perfect_estimates() {
    let shape = RandomTask { percent_free: 20, ..plain() };
    tables_are_right(shape, |_, cost| cost.map_or(Estimate::DEAD_END, Estimate::at_least));
}

#[test]
fn inconsistent_estimates_reopen_and_stay_optimal() {
    let shape = RandomTask { variables: 6, operators: 20, cost: 20, ..plain() };
    let reopened = tables_are_right(shape, |rng, cost| match cost {
        Some(cost) => Estimate::at_least(u64::from(rng.below(cost as u32 + 1))),
        None if rng.chance(50) => Estimate::DEAD_END,
        None => Estimate::at_least(rng.below(50).into()),
    });
    assert!(reopened > 0, "no heuristic was inconsistent enough");
}

#[test]
fn estimates_beyond_32_bits() {
    let shape = RandomTask { operators: 20, percent_free: 20, ..plain() };
    tables_are_right(shape, |_, cost| match cost {
        Some(cost) => Estimate::at_least(cost),
        None => Estimate::at_least(1 << 40),
    });
}
