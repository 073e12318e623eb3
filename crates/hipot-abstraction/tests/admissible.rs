//! No value is higher than h* in any reachable state, and values are consistent where they should
//! be: for random tasks, against brute force.

mod common;

use common::{SEEDS, cartesian, costs, explore, frame, mutexes, projections, random_task};
use hipot_abstraction::partitioning::{
    Lookup, Params, Saturator, diverse,
    lookup::{Evaluated, Scratch},
    saturated_cost_partitioning,
};
use hipot_abstraction::{Abstraction, Collection};
use hipot_task::{Limits, Rng};

const SATURATORS: [Saturator; 3] = [Saturator::All, Saturator::Perim, Saturator::PerimStar];

#[derive(Default)]
struct Tally {
    states: u64,
    positive: u64,
    perfect: u64,
    dead: u64,
    negative: u64,
}

#[test]
fn values_are_admissible_and_consistent() {
    let limits = Limits::none();
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let task = random_task(seed);
        let kind = seed / 3;
        let mutexes = mutexes(&task, kind);
        let frame = frame(&task, mutexes.as_ref());
        let mut all: Vec<Abstraction> = projections(&frame);
        all.extend(cartesian(&frame, 5 + (seed % 40) as usize));
        let collection = Collection::new(&frame, all, &limits).unwrap();
        let space = explore(&task);
        let states: Vec<_> = space.states.iter().map(|it| collection.states(it)).collect();
        let Some(initial) = &states[0] else {
            assert_eq!(space.optimal_cost(), None, "seed {seed}: it has a plan");
            tally.dead += 1;
            continue;
        };
        let saturator = SATURATORS[(seed % 7 % 3) as usize];
        let params = Params { saturator, max_orders: 5, ..Params::default() };
        let samples: Vec<_> = states.iter().flatten().step_by(7).cloned().collect();
        let costs = costs(&task);
        let (tables, first) =
            diverse(&collection, &costs, initial, &samples, &params, &limits, &limits).unwrap();
        let lookup = Lookup::new(&collection, &tables);
        let variables = || task.variable_ids();
        assert_eq!(lookup.reads(variables()), lookup.reads_of_state(), "seed {seed}");
        let mut values = Vec::new();
        for ((state, own), distance) in space.states.iter().zip(&states).zip(&space.goal_distances)
        {
            tally.states += 1;
            let mut found = Evaluated::default();
            let is_alive = lookup.evaluate(state, &mut found);
            let Some(own) = own else {
                assert_eq!(*distance, None, "seed {seed}, {state:?}: not dead");
                tally.dead += 1;
                values.push(None);
                continue;
            };
            assert!(is_alive, "seed {seed}, {state:?}");
            let of_tables: Vec<i64> = (0..tables.len()).map(|it| tables.value(it, own)).collect();
            let value = found.highest();
            assert_eq!(value, *of_tables.iter().max().unwrap(), "seed {seed}, {state:?}");
            assert_eq!(of_tables[0], first.value(own));
            tally.negative += u64::from(of_tables.iter().any(|&it| it < 0));
            values.push(Some(value));
            if let Some(distance) = *distance {
                assert!(
                    value <= distance.cast_signed(),
                    "seed {seed}, {state:?}: {value} > {distance}"
                );
                tally.positive += u64::from(distance > 0);
                tally.perfect += u64::from(distance > 0 && value == distance.cast_signed());
            }
        }
        // A successor has the value that it has from scratch.
        let mut scratch = Scratch::default();
        for &(source, operator, target) in &space.transitions {
            let mut parent = Evaluated::default();
            if !lookup.evaluate(&space.states[source], &mut parent) {
                continue;
            }
            let effects = &task.operator(operator).effects;
            let changed = effects.iter().map(|effect| effect.fact.variable);
            let found = lookup.successor(&parent, &space.states[target], changed, &mut scratch);
            let mut own = Evaluated::default();
            let is_alive = lookup.evaluate(&space.states[target], &mut own);
            // The parent is alive, so what it does not change is alive, too.
            assert_eq!(found, is_alive.then(|| own.highest()), "seed {seed}");
        }
        // Mutexes of states of plans say nothing about other transitions.
        for &(source, operator, target) in &space.transitions {
            let is_on_plan = space.goal_distances[target].is_some();
            if !is_on_plan && kind % 3 == 2 {
                continue;
            }
            if let (Some(before), Some(after)) = (values[source], values[target]) {
                let cost = i64::from(task.operator(operator).cost);
                assert!(before <= cost + after, "seed {seed}: {before} > {cost} + {after}");
            }
            assert!(values[source].is_some() || values[target].is_none() || kind % 3 == 2);
        }
    }
    assert!(tally.dead > 300, "{}", tally.dead);
    assert!(tally.perfect * 3 > tally.positive * 2, "{} of {}", tally.perfect, tally.positive);
}

/// Random orders and costs: the shares of the costs add up to no more than the costs.
#[test]
fn shares_add_up_to_the_costs() {
    let limits = Limits::none();
    let mut rng = Rng::new(5);
    let mut negative = 0;
    for seed in 0..SEEDS / 3 {
        let task = random_task(seed);
        let frame = frame(&task, None);
        let mut all = projections(&frame);
        all.extend(cartesian(&frame, 30));
        let collection = Collection::new(&frame, all, &limits).unwrap();
        let Some(initial) = collection.states(task.initial()) else { continue };
        let mut order: Vec<usize> = (0..collection.len()).collect();
        order.sort_by_cached_key(|_| rng.next_u64());
        let costs = costs(&task);
        let saturator = SATURATORS[(seed % 3) as usize];
        let found =
            saturated_cost_partitioning(&collection, &order, &costs, saturator, &initial, &limits)
                .unwrap();
        let mut sums = vec![0; task.operators().len()];
        let mut saturated = sums.clone();
        for part in &found.parts {
            let abstraction = &collection.abstractions()[part.abstraction];
            let mut values = part.values.clone();
            for state in 0..abstraction.size() as u32 {
                if collection.is_dead(part.abstraction, state) {
                    values[state as usize] = hipot_abstraction::INFINITE;
                }
            }
            abstraction.saturate(&values, &mut saturated);
            for operator in abstraction.touched() {
                if !collection.is_impossible(*operator) {
                    sums[operator.index()] += saturated[operator.index()];
                    negative += u64::from(saturated[operator.index()] < 0);
                }
            }
        }
        for id in task.operator_ids().filter(|&id| !collection.is_impossible(id)) {
            let sum = sums[id.index()];
            assert!(sum <= costs.of(id), "seed {seed}, {id}: {sum}");
            assert!(found.left.of(id) <= costs.of(id) - sum, "seed {seed}, {id}");
        }
    }
    assert!(negative > 60, "{negative}");
}
