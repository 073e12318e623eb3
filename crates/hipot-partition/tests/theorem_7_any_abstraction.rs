//! Theorem 7 for arbitrary abstractions: for random maps from states to abstract states, the LP
//! of Eq. 14–16 has in every state the value of the LP of Eq. 1–2 over the features
//! "α(s) = a". Both are written explicitly, one row for each transition, by code that shares
//! nothing with the planner's.

mod common;

use common::abstractions::System;
use common::{Tally, at_most, same};

const SEEDS: u64 = 200;

#[test]
fn both_linear_programs_have_the_same_value_in_every_state() {
    let mut tally = Tally::default();
    let mut perfect = 0;
    for seed in 0..SEEDS {
        let Some(system) = System::random(seed) else { continue };
        let [shares, potentials] = [system.cost_partitionings(), system.potentials()];
        let [mut first, mut second] = [shares.solver(), potentials.solver()];
        for state in 0..system.space.states.len() {
            let value = |optimum: Option<(f64, Vec<f64>)>| optimum.map_or(f64::INFINITY, |it| it.0);
            let a = value(shares.maximize(&mut first, &system, state));
            let b = value(potentials.maximize(&mut second, &system, state));
            let best = system.space.goal_distances[state].map_or(f64::INFINITY, |it| it as f64);
            let context = format!("seed {seed}, state {state}: {a} {b}, h* {best}");
            assert!(same(a, b) && at_most(a, best), "{context}");
            tally.add(a);
            perfect += usize::from(same(a, best) && best.is_finite() && best > 0.0);
        }
    }
    println!("{tally:?}, {perfect} perfect");
    tally.assert_varied();
    assert!(perfect >= 10, "{perfect}");
}
