//! Listed states against brute force: exactly those that can be reached, below the bound, among
//! themselves, at the lowest cost, in the order of costs.

use std::collections::BTreeMap;

use hipot_check::State;
use hipot_search::Listing;
use hipot_task::{Estimate, Heuristic, Limits, Packing, StateView, Stop, Task};
use hipot_testing::{RandomTask, Rng, StateSpace, switches};

/// Any estimates, not even consistent ones.
struct Arbitrary {
    estimates: BTreeMap<State, Estimate>,
}

impl Heuristic for Arbitrary {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.estimates[&state.unpack()]
    }

    fn is_consistent(&self) -> bool {
        false
    }
}

fn arbitrary(space: &StateSpace, rng: &mut Rng) -> Arbitrary {
    let estimate = |rng: &mut Rng| match rng.below(8) {
        0 => Estimate::DEAD_END,
        _ => Estimate::at_least(rng.below(10).into()),
    };
    let estimates = space.states.iter().map(|state| (state.clone(), estimate(rng))).collect();
    Arbitrary { estimates }
}

fn listed(task: &Task, heuristic: &mut Arbitrary, bound: Option<u64>) -> Vec<(u64, State)> {
    let (packing, limits) = (Packing::new(task), Limits::none());
    let mut found = Vec::new();
    let listing = Listing { task, packing: &packing, heuristic, bound, limits: &limits };
    let mut add = |cost, state: StateView<'_>| {
        found.push((cost, state.unpack()));
        Ok(())
    };
    listing.each(&mut add).unwrap();
    found
}

/// The same by repeated relaxation.
fn expected(
    task: &Task,
    space: &StateSpace,
    heuristic: &Arbitrary,
    bound: Option<u64>,
) -> BTreeMap<State, u64> {
    let is_near = |state: &State, cost: u64| {
        let estimate = heuristic.estimates[state].cost();
        estimate.is_some_and(|estimate| bound.is_none_or(|bound| cost + estimate < bound))
    };
    let mut costs = BTreeMap::new();
    if is_near(&space.states[0], 0) {
        costs.insert(space.states[0].clone(), 0);
    }
    loop {
        let before = costs.clone();
        for &(source, operator, target) in &space.transitions {
            let Some(&cost) = costs.get(&space.states[source]) else { continue };
            let step = bound.map_or(0, |_| u64::from(task.operator(operator).cost));
            let (target, reached) = (&space.states[target], cost + step);
            if is_near(target, reached) && costs.get(target).is_none_or(|&cost| reached < cost) {
                costs.insert(target.clone(), reached);
            }
        }
        if costs == before {
            return costs;
        }
    }
}

#[test]
fn the_states_below_the_bound_are_listed_at_their_lowest_cost() {
    for seed in 0..1500 {
        let shape = RandomTask {
            derived: [0, 3][seed as usize % 2],
            percent_free: [0, 40][(seed / 2) as usize % 2],
            percent_conditional: [0, 30][(seed / 4) as usize % 2],
            ..RandomTask::default()
        };
        let task = shape.generate(seed);
        let space = StateSpace::explore(&task, 10_000).unwrap();
        let mut rng = Rng::new(seed);
        let mut heuristic = arbitrary(&space, &mut rng);
        let bound = match rng.below(5) {
            0 => None,
            1 => Some((1 << 40) + u64::from(rng.below(9))),
            _ => Some(u64::from(rng.below(25))),
        };
        let found = listed(&task, &mut heuristic, bound);
        assert!(found.is_sorted_by_key(|(cost, _)| *cost), "seed {seed}");
        let count = found.len();
        let found: BTreeMap<State, u64> =
            found.into_iter().map(|(cost, state)| (state, cost)).collect();
        assert_eq!(found.len(), count, "seed {seed}: each state once");
        assert_eq!(found, expected(&task, &space, &heuristic, bound), "seed {seed}");
    }
}

#[test]
fn limits_end_a_listing() {
    let task = switches(12, 1, true);
    let packing = Packing::new(&task);
    let limits = Limits::none();
    limits.request(Stop::Interrupted);
    let heuristic = &mut hipot_search::Blind::new(&task, &packing);
    let listing =
        Listing { task: &task, packing: &packing, heuristic, bound: None, limits: &limits };
    let error = listing.each(&mut |_, _| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "interrupted");
}
