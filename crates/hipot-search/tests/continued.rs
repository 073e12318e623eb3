//! A* that is continued with other heuristics, against Dijkstra's algorithm: random tiny tasks,
//! random consistent functions, added or exchanged at random moments.

use hipot_search::{AStar, Change, Outcome, SearchResult, StateBudget, Statistics, Ties};
use hipot_task::{Limits, Packing};
use hipot_testing::{RandomTask, Rng, StateSpace, Tables};

const MAX_STATES: usize = 20_000;
const SEEDS: u64 = 1500;

/// Searches a random task, with a random change of the heuristic whenever a random budget is
/// spent. Checks the lower bound after each advance, and the outcome.
fn search(seed: u64, change: Change) -> Statistics {
    let task =
        RandomTask { variables: 6, operators: 24, percent_free: 15, ..RandomTask::default() }
            .generate(seed);
    let space = StateSpace::explore(&task, MAX_STATES).unwrap();
    let rng = &mut Rng::new(seed);
    let mut heuristic = Tables::new(&space, false);
    heuristic.add(&task, &space, rng);
    let ties = if rng.chance(50) { Ties::Newest } else { Ties::Dives { seed, patience: 3 } };
    let mut search = AStar::new(&task, &Packing::new(&task), ties).unwrap();
    let (mut budget, mut bound) = (StateBudget::default(), 0);
    budget.evaluated = 0;
    loop {
        budget.evaluated += u64::from(rng.below(1 + space.states.len() as u32 / 4));
        let result = search.advance(&mut heuristic, budget, &Limits::none(), &mut |_| {});
        if let Some(cost) = space.optimal_cost() {
            assert!(bound <= result.lower_bound && result.lower_bound <= cost, "seed {seed}");
        }
        bound = result.lower_bound;
        if result.outcome != Outcome::BudgetSpent {
            check(&mut search, &mut heuristic, &space, &result, seed);
            return result.statistics;
        }
        if rng.chance(70) {
            if change == Change::Other {
                heuristic.clear();
            }
            heuristic.add(&task, &space, rng);
            search.change_heuristic(change);
        }
    }
}

/// The outcome is right, and stays if the search is asked again.
fn check(
    search: &mut AStar,
    heuristic: &mut Tables,
    space: &StateSpace,
    result: &SearchResult,
    seed: u64,
) {
    match (&result.outcome, space.optimal_cost()) {
        (Outcome::Solved(plan), Some(cost)) => {
            assert_eq!((plan.cost, result.lower_bound), (cost, cost), "seed {seed}");
        }
        (Outcome::Unsolvable, None) => {}
        (outcome, cost) => panic!("seed {seed}: {outcome:?}, but h* is {cost:?}"),
    }
    let again = search.advance(heuristic, StateBudget::default(), &Limits::none(), &mut |_| {});
    assert_eq!((again.outcome, again.statistics), (result.outcome.clone(), result.statistics));
}

#[test]
fn functions_that_are_added_reopen_nothing() {
    let mut reevaluated = 0;
    for seed in 0..SEEDS {
        let statistics = search(seed, Change::Higher);
        assert_eq!(statistics.reopened, 0, "seed {seed}");
        reevaluated += statistics.reevaluated;
    }
    assert!(reevaluated > SEEDS / 3, "{reevaluated}");
}

#[test]
fn functions_that_are_exchanged_leave_the_plan_optimal() {
    let reopened: u64 = (0..SEEDS).map(|seed| search(seed, Change::Other).reopened).sum();
    assert!(reopened > 0, "no function was dropped at a bad moment");
}

/// A search that is cut into pieces is the same search.
#[test]
fn a_search_in_pieces_expands_the_same_states() {
    for seed in 0..SEEDS / 3 {
        let task = RandomTask { operators: 24, ..RandomTask::default() }.generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let mut heuristic = Tables::new(&space, false);
        heuristic.add(&task, &space, &mut Rng::new(seed));
        let begin = || AStar::new(&task, &Packing::new(&task), Ties::dives(seed)).unwrap();
        let (mut whole, mut cut) = (begin(), begin());
        let mut advance = |search: &mut AStar, evaluated| {
            let budget = StateBudget { evaluated, ..StateBudget::default() };
            search.advance(&mut heuristic, budget, &Limits::none(), &mut |_| {})
        };
        let expected = advance(&mut whole, u64::MAX);
        let pieces = (0..).map(|piece| advance(&mut cut, 7 * piece));
        let last = { pieces }.find(|it| it.outcome != Outcome::BudgetSpent).unwrap();
        assert_eq!((last.outcome, last.statistics), (expected.outcome, expected.statistics));
    }
}
