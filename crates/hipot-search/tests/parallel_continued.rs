//! Parallel searches that pause, get other heuristics and go on, against Dijkstra's algorithm:
//! random tiny tasks and consistent functions, from one thread to four.

use hipot_check::execute;
use hipot_search::{
    Change, MovedFacts, Orbits, Outcome, ParallelAStar, ParallelParams, SearchParams, SearchResult,
    StateBudget, Statistics, ThreadedSearch, Ties, UseOfSymmetries,
};
use hipot_task::{Limits, Packing, Stop, Task};
use hipot_testing::{RandomTask, Rng, StateSpace, Tables};

const MAX_STATES: usize = 20_000;
const SEEDS: u64 = 600;

fn shape() -> RandomTask {
    RandomTask { variables: 7, operators: 30, percent_free: 15, ..RandomTask::default() }
}

/// Another order, size of buffers, length of rounds and number of looks at the budget each time.
fn params(rng: &mut Rng, seed: u64) -> ParallelParams {
    let ties = match rng.below(3) {
        0 => Ties::Newest,
        1 => Ties::Oldest,
        _ => Ties::Dives { seed, patience: u64::from(rng.below(8)) },
    };
    let search =
        SearchParams { ties, symmetries: UseOfSymmetries::Never, ..SearchParams::default() };
    ParallelParams {
        search,
        alone: rng.below(20).into(),
        messages: 1 + rng.below(4) as usize,
        round: [1, 3, 20, 1024][rng.below(4) as usize],
        clock: 1 + u64::from(rng.below(20)),
    }
}

/// A search, and who takes part in it.
struct Running {
    task: Task,
    packing: Packing,
    search: ThreadedSearch,
    threads: usize,
    limits: Limits,
}

impl Running {
    fn advance(&mut self, heuristic: &Tables, evaluated: u64) -> SearchResult {
        let Self { task, packing, search, threads, limits } = self;
        let heuristics = &mut vec![heuristic.clone(); *threads];
        let budget = StateBudget { evaluated, ..StateBudget::default() };
        let find = &|| no_symmetries(task, packing);
        search.advance((task, packing), heuristics, budget, find, limits, &mut |_| {})
    }
}

fn no_symmetries(task: &Task, packing: &Packing) -> Orbits {
    Orbits::new(task, packing, &[] as &[MovedFacts])
}

/// What was seen in searches.
#[derive(Default)]
struct Seen {
    statistics: Statistics,
    pauses: u64,
    parallel: u64,
    rises: u64,
}

/// Searches a random task, with a random change of the heuristic whenever the search has paused.
/// Checks the lower bound at each pause, and the outcome.
fn search(seed: u64, threads: usize, change: Change) -> Seen {
    let task = shape().generate(seed);
    let space = StateSpace::explore(&task, MAX_STATES).unwrap();
    let rng = &mut Rng::new(seed);
    let mut heuristic = Tables::new(&space, rng.chance(50));
    heuristic.add(&task, &space, rng);
    let packing = Packing::new(&task);
    let search = ThreadedSearch::new(&task, &packing, params(rng, seed)).unwrap();
    let limits = Limits::none();
    let mut running = Running { task, packing, search, threads, limits };
    let (mut budget, mut bound, mut seen) = (0, 0, Seen::default());
    loop {
        budget += u64::from(rng.below(1 + space.states.len() as u32 / 8));
        let result = running.advance(&heuristic, budget);
        if let Some(cost) = space.optimal_cost() {
            assert!(bound <= result.lower_bound && result.lower_bound <= cost, "seed {seed}");
        }
        seen.rises += u64::from(result.lower_bound > bound);
        bound = result.lower_bound;
        if result.outcome != Outcome::BudgetSpent {
            check(&mut running, &heuristic, &space, &result, seed);
            seen.statistics = result.statistics;
            return seen;
        }
        seen.pauses += 1;
        seen.parallel += u64::from(running.search.is_parallel());
        if rng.chance(70) {
            if change == Change::Other {
                heuristic.clear();
            }
            heuristic.add(&running.task, &space, rng);
            running.search.change_heuristic(change);
        }
    }
}

/// The outcome is right, and stays if the search is asked again.
fn check(
    running: &mut Running,
    heuristic: &Tables,
    space: &StateSpace,
    result: &SearchResult,
    seed: u64,
) {
    match (&result.outcome, space.optimal_cost()) {
        (Outcome::Solved(plan), Some(cost)) => {
            assert_eq!((plan.cost, result.lower_bound), (cost, cost), "seed {seed}");
            let operators = plan.operators.iter().map(|&id| running.task.operator(id));
            assert_eq!(execute(&running.task, operators), Ok(cost), "seed {seed}");
        }
        (Outcome::Unsolvable, None) => {}
        (outcome, cost) => panic!("seed {seed}: {outcome:?}, but h* is {cost:?}"),
    }
    let Statistics { evaluated, expanded, reopened, .. } = result.statistics;
    assert!(evaluated <= space.states.len() as u64, "seed {seed}");
    assert!(expanded <= evaluated + reopened, "seed {seed}");
    let again = running.advance(heuristic, u64::MAX);
    assert_eq!((again.outcome, again.statistics), (result.outcome.clone(), result.statistics));
}

fn searches_are_right(threads: usize, change: Change) {
    let mut all = Seen::default();
    for seed in 0..SEEDS {
        let seen = search(seed, threads, change);
        all.statistics.reevaluated += seen.statistics.reevaluated;
        all.pauses += seen.pauses;
        all.parallel += seen.parallel;
        all.rises += seen.rises;
    }
    // A test that never pauses, or never goes on in parallel, would show nothing.
    let Seen { statistics, pauses, parallel, rises } = all;
    assert!(statistics.reevaluated > SEEDS / 4, "{}", statistics.reevaluated);
    assert!(pauses > SEEDS / 2 && rises > SEEDS / 2, "{pauses} {rises}");
    assert_eq!(parallel > SEEDS / 4, threads > 1, "{parallel}");
}

#[test]
fn functions_that_are_added_leave_the_plan_optimal() {
    for threads in 1..=4 {
        searches_are_right(threads, Change::Higher);
    }
}

#[test]
fn functions_that_are_exchanged_leave_the_plan_optimal() {
    for threads in 1..=4 {
        searches_are_right(threads, Change::Other);
    }
}

/// A search that was stopped from outside can be continued.
#[test]
fn an_interrupted_search_goes_on() {
    let mut interrupted = 0;
    for seed in 0..SEEDS / 2 {
        let task = shape().generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let rng = &mut Rng::new(seed);
        let mut heuristics = vec![Tables::new(&space, seed % 2 == 0); 2 + seed as usize % 3];
        let params = ParallelParams { clock: 1, round: 1, ..params(rng, seed) };
        let packing = Packing::new(&task);
        let mut search = ParallelAStar::new(&task, &packing, heuristics.len(), params).unwrap();
        let (limits, budget) = (Limits::none(), StateBudget::default());
        let layer = rng.below(space.optimal_cost().unwrap_or(20) as u32 / 2 + 1);
        let result = search.advance(&mut heuristics, budget, &limits, &mut |progress| {
            if progress.f >= u64::from(layer) {
                limits.request(Stop::Interrupted);
            }
        });
        let is_interrupted = result.outcome == Outcome::Stopped(Stop::Interrupted);
        interrupted += u64::from(is_interrupted);
        let result = search.advance(&mut heuristics, budget, &Limits::none(), &mut |_| {});
        let cost = match result.outcome {
            Outcome::Solved(plan) => Some(plan.cost),
            Outcome::Unsolvable => None,
            other => panic!("seed {seed}: {other:?}"),
        };
        assert_eq!(cost, space.optimal_cost(), "seed {seed}");
    }
    assert!(interrupted > SEEDS / 10, "{interrupted}");
}
