//! A journey over n stages, dear and free: costs that need 64 bits.
//!
//! A car drives from station 0 to station n, stage by stage. Stage i leads
//! from station i − 1 to station i, either by a road that costs 2³¹ − 1, the
//! largest cost an operator can have, or by a village: 2³⁰ + i to get there
//! and 2³⁰ − 2 − i from there, together 2³¹ − 2. At the beginning of each stage
//! there is a barrier, which must be up for the road and for the way to the
//! village; only at station i − 1 can the barrier of stage i be raised and
//! lowered, for nothing. Going back from station i to station i − 1 is free,
//! too, whatever the barrier. So there are cycles of cost 0 everywhere.
//!
//! *Optimal cost: n (2³¹ − 2)*, beyond 32 bits from three stages on. Each stage
//! must be passed forward at least once, and the village is the cheaper way;
//! raising the barriers is free.
//!
//! *Reachable states: 3 · 2ⁿ − 2.* If the car is at station j or in the village
//! before it, the barriers of stages 1 to j are up: each was up when the car
//! passed it last, and can only be lowered behind it by going back. The
//! barriers of the n − j later stages may stand anyhow: go on to the end, come
//! back, and set them one after the other. That makes 2ⁿ states at station 0
//! and twice 2ⁿ⁻ʲ for each j from 1 to n.

use hipot_task::{Fact, MAX_COST, Variable};

use super::draft::{Draft, fact};
use super::{GenerateError, Generated, check_range};

const DOWN: u32 = 0;
const UP: u32 = 1;
/// 2³⁰, about half of the dearest cost.
const HALF: u32 = 1 << 30;
const DETOUR: u32 = MAX_COST - 1;

/// A journey over 1 to 10000 stages; optimal cost n (2³¹ − 2).
pub(crate) fn toll(stations: u32) -> Result<Generated, GenerateError> {
    check_range("stations", stations, 1..=10_000)?;
    let barriers = (1..=stations).map(|stage| (barrier_variable(stage), DOWN));
    let mut draft = Draft::new(true, [(car_variable(stations), 0)].into_iter().chain(barriers));
    for stage in 1..=stations {
        add_barrier(&mut draft, stage);
        add_stage(&mut draft, stage);
    }
    let goal = vec![at_station(stations)];
    let cost = u64::from(stations) * u64::from(DETOUR);
    Ok(Generated { task: draft.build(goal), optimal_cost: Some(cost) })
}

fn add_barrier(draft: &mut Draft, stage: u32) {
    for (verb, from, to) in [("raise", DOWN, UP), ("lower", UP, DOWN)] {
        let preconditions = vec![at_station(stage - 1), fact(stage, from)];
        let name = format!("{verb} barrier{stage}");
        draft.costly_operator(name, preconditions, &[fact(stage, to)], 0);
    }
}

fn add_stage(draft: &mut Draft, stage: u32) {
    let (from, to, village) = (at_station(stage - 1), at_station(stage), at_village(stage));
    let before = stage - 1;
    let mut drive = |name: String, preconditions: Vec<Fact>, to: Fact, cost: u32| {
        draft.costly_operator(name, preconditions, &[to], cost);
    };
    let up = fact(stage, UP);
    let road = format!("take-road station{before} station{stage}");
    drive(road, vec![from, up], to, MAX_COST);
    let enter = format!("enter-village station{before} village{stage}");
    drive(enter, vec![from, up], village, HALF + stage);
    let leave = format!("leave-village village{stage} station{stage}");
    drive(leave, vec![village], to, DETOUR - HALF - stage);
    drive(format!("go-back station{stage} station{before}"), vec![to], from, 0);
}

/// Station 0, village 1, station 1, village 2, …
fn car_variable(stations: u32) -> Variable {
    let mut values = vec!["car at station0".to_owned()];
    for stage in 1..=stations {
        values.push(format!("car in village{stage}"));
        values.push(format!("car at station{stage}"));
    }
    Variable::new("car", values)
}

fn barrier_variable(stage: u32) -> Variable {
    let name = format!("barrier{stage}");
    let values = [format!("{name} down"), format!("{name} up")];
    Variable::new(name, values)
}

fn at_station(station: u32) -> Fact {
    fact(0, 2 * station)
}

fn at_village(stage: u32) -> Fact {
    fact(0, 2 * stage - 1)
}
