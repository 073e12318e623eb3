//! A heuristic that goes on from the last state has the values of one that
//! starts anew in each.

mod common;

use hipot_partition::PartitionHeuristic;
use hipot_partition::certify::Constraints;
use hipot_partition::projection::AbstractStates;

use common::{
    Tally, assert_certified, explore, operator_costs, random_task, same, state_equation,
    transition_costs, value,
};

const SEEDS: u64 = 60;

fn compare<C: Constraints>(new: impl Fn(u64) -> PartitionHeuristic<C>) {
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let (mut warm, mut forgetful) = (new(seed), new(seed));
        for state in explore(&random_task(seed)).states {
            let context = format!("seed {seed}, {state:?}");
            forgetful.forget();
            let (warm, cold) = (warm.bound(&state), forgetful.bound(&state));
            assert_certified(&warm, &context);
            assert_certified(&cold, &context);
            assert_eq!(warm.estimate(), cold.estimate(), "{context}: {warm:?}, {cold:?}");
            assert!(same(warm.objective, cold.objective), "{context}: {warm:?}, {cold:?}");
            tally.add(value(&warm));
        }
        let statistics = warm.statistics();
        assert_eq!(statistics.earlier, 0, "seed {seed}");
        assert_eq!(statistics.evaluations, forgetful.statistics().evaluations);
    }
    tally.assert_varied();
}

#[test]
fn state_equations() {
    compare(|seed| state_equation(&random_task(seed)));
}

#[test]
fn operator_cost_partitionings() {
    compare(|seed| operator_costs(&random_task(seed), 2, AbstractStates::Reachable));
    compare(|seed| operator_costs(&random_task(seed), 2, AbstractStates::All));
}

#[test]
fn transition_cost_partitionings() {
    compare(|seed| transition_costs(&random_task(seed), 2));
}
