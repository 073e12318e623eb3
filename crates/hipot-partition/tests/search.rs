//! A* with each heuristic finds plans of optimal cost, and sees dead ends.

mod common;

use hipot_partition::projection::AbstractStates;
use hipot_search::{Outcome, SearchParams, Statistics, astar};
use hipot_task::{Heuristic, Limits, Packing, Task};

use common::{explore, operator_costs, random_task, state_equation, transition_costs};

const SEEDS: u64 = 150;

fn check<H: Heuristic>(task: &Task, mut heuristic: H, optimal: Option<u64>) -> Statistics {
    assert!(!heuristic.is_consistent());
    let packing = Packing::new(task);
    let result = astar(
        task,
        &packing,
        &mut heuristic,
        SearchParams::default(),
        &Limits::none(),
        &mut |_| {},
    );
    match (&result.outcome, optimal) {
        (Outcome::Solved(plan), Some(cost)) => assert_eq!(plan.cost, cost),
        (Outcome::Unsolvable, None) => {}
        (outcome, cost) => panic!("{outcome:?}, but h* is {cost:?}"),
    }
    result.statistics
}

#[test]
fn plans_are_optimal() {
    let (mut dead_ends, mut solved) = (0, 0);
    for seed in 0..SEEDS {
        let task = random_task(seed);
        let optimal = explore(&task).optimal_cost();
        let statistics = [
            check(&task, state_equation(&task), optimal),
            check(&task, operator_costs(&task, 2, AbstractStates::All), optimal),
            check(&task, operator_costs(&task, 2, AbstractStates::Reachable), optimal),
            check(&task, transition_costs(&task, 2), optimal),
        ];
        dead_ends += statistics.iter().map(|statistics| statistics.dead_ends).sum::<u64>();
        solved += u64::from(optimal.is_some());
    }
    assert!(dead_ends > 20 && solved > SEEDS / 4, "{dead_ends} dead ends, {solved} solved");
}
