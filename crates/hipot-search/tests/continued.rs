//! A* that is continued with other heuristics, against Dijkstra's algorithm: random tiny tasks,
//! random consistent functions, added or exchanged at random moments.

use std::collections::HashMap;
use std::rc::Rc;

use hipot_search::{AStar, Change, Outcome, SearchResult, StateBudget, Statistics, Ties};
use hipot_task::{Estimate, Heuristic, Limits, Packing, StateView, Task};
use hipot_testing::{RandomTask, Rng, StateSpace};

const MAX_STATES: usize = 20_000;
const SEEDS: u64 = 1500;

/// The maximum of consistent functions, given as tables.
struct Tables {
    states: Rc<HashMap<Vec<u32>, usize>>,
    functions: Vec<Vec<Estimate>>,
}

impl Heuristic for Tables {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let index = self.states[&state.unpack()];
        self.functions.iter().map(|it| it[index]).max().unwrap_or(Estimate::at_least(0))
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// A random consistent function: random values up to h*, lowered until no operator lowers them by
/// more than its cost. Dead ends are all known as such, or none is.
fn consistent(task: &Task, space: &StateSpace, rng: &mut Rng) -> Vec<Estimate> {
    let knows_dead_ends = rng.chance(50);
    let share = rng.below(101);
    let value = |distance: &Option<u64>| match *distance {
        Some(distance) if rng.chance(share) => distance,
        Some(distance) => rng.below(distance as u32 + 1).into(),
        None if knows_dead_ends => u64::MAX,
        None => rng.below(50).into(),
    };
    let mut values: Vec<u64> = space.goal_distances.iter().map(value).collect();
    loop {
        let mut is_consistent = true;
        for &(source, operator, target) in &space.transitions {
            let cost = u64::from(task.operator(operator).cost);
            let most = values[target].saturating_add(cost);
            if values[source] > most {
                (values[source], is_consistent) = (most, false);
            }
        }
        if is_consistent {
            break;
        }
    }
    let estimate =
        |value| if value == u64::MAX { Estimate::DEAD_END } else { Estimate::at_least(value) };
    values.into_iter().map(estimate).collect()
}

/// Searches a random task, with a random change of the heuristic whenever a random budget is
/// spent. Checks the lower bound after each advance, and the outcome.
fn search(seed: u64, change: Change) -> Statistics {
    let task =
        RandomTask { variables: 6, operators: 24, percent_free: 15, ..RandomTask::default() }
            .generate(seed);
    let space = StateSpace::explore(&task, MAX_STATES).unwrap();
    let rng = &mut Rng::new(seed);
    let states = space.states.iter().cloned().zip(0..).collect();
    let functions = vec![consistent(&task, &space, rng)];
    let mut heuristic = Tables { states: Rc::new(states), functions };
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
                heuristic.functions.clear();
            }
            heuristic.functions.push(consistent(&task, &space, rng));
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
        let states = Rc::new(space.states.iter().cloned().zip(0..).collect());
        let functions = vec![consistent(&task, &space, &mut Rng::new(seed))];
        let mut heuristic = Tables { states, functions };
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
