//! A shuttle with c places carries p parcels from depot a to depot b.
//!
//! Loading a parcel into a free place, unloading it, and driving to the other
//! depot cost 1 each. Places are individual: which parcel lies in which place
//! is part of the state, although nothing depends on it. A search without
//! symmetry reduction drowns in these permutations soon.
//!
//! Variables: where the shuttle is; where each parcel is (at a, at b, in place
//! 1, …, in place c); whether each place is free. For each place, "free" and
//! "parcel i is in it" for all i are a mutex group.
//!
//! *Optimal cost: 2p + 2⌈p / c⌉ − 1.* Each parcel must be loaded and unloaded,
//! which makes 2p. A drive from a to b carries at most c parcels, so there are
//! at least ⌈p / c⌉ of them, and between two of them the shuttle must drive
//! back. Going to and fro with a full shuttle needs no more.
//!
//! *Reachable states: 2 Σₖ C(p, k) · c! / (c − k)! · 2ᵖ⁻ᵏ*, with k ≤ min(p, c)
//! the number of parcels in the shuttle: the shuttle at either depot, k parcels
//! in different places, the others at either depot. Each of these states can
//! be reached, since parcels can be moved one by one.

use hipot_task::{Fact, Variable};

use super::draft::{Draft, fact};
use super::{GenerateError, Generated, check_range};

const DEPOTS: [&str; 2] = ["depot-a", "depot-b"];
const A: u32 = 0;
const B: u32 = 1;
const FREE: u32 = 0;
const TAKEN: u32 = 1;

/// 1 to 200 parcels, a shuttle with 1 to 50 places; optimal cost
/// 2p + 2⌈p / c⌉ − 1.
pub(crate) fn shuttle(parcels: u32, capacity: u32) -> Result<Generated, GenerateError> {
    check_range("parcels", parcels, 1..=200)?;
    check_range("capacity", capacity, 1..=50)?;
    let layout = Layout { parcels, capacity };
    let mut draft = Draft::new(false, layout.variables());
    for place in 0..capacity {
        draft.mutex_group(layout.at_most_one_in(place));
    }
    add_drives(&mut draft);
    for parcel in 0..parcels {
        for place in 0..capacity {
            for depot in [A, B] {
                add_load_and_unload(&mut draft, &layout, parcel, place, depot);
            }
        }
    }
    let goal = (0..parcels).map(|parcel| layout.parcel_at(parcel, B)).collect();
    let cost = 2 * parcels + 2 * parcels.div_ceil(capacity) - 1;
    Ok(Generated { task: draft.build(goal), optimal_cost: Some(cost.into()) })
}

/// The order of the variables: the shuttle, the parcels, the places.
struct Layout {
    parcels: u32,
    capacity: u32,
}

impl Layout {
    fn variables(&self) -> Vec<(Variable, u32)> {
        let shuttle = Variable::new("shuttle", DEPOTS.map(|depot| format!("shuttle at {depot}")));
        let mut variables = vec![(shuttle, A)];
        variables.extend((0..self.parcels).map(|parcel| (self.parcel_variable(parcel), A)));
        for place in 0..self.capacity {
            let name = place_name(place);
            let values = [format!("{name} free"), format!("{name} taken")];
            variables.push((Variable::new(name, values), FREE));
        }
        variables
    }

    fn parcel_variable(&self, parcel: u32) -> Variable {
        let name = parcel_name(parcel);
        let at = DEPOTS.iter().map(|depot| format!("{name} at {depot}"));
        let within = (0..self.capacity).map(|place| format!("{name} in {}", place_name(place)));
        let values: Vec<String> = at.chain(within).collect();
        Variable::new(name, values)
    }

    fn parcel_at(&self, parcel: u32, depot: u32) -> Fact {
        debug_assert!(parcel < self.parcels);
        fact(1 + parcel, depot)
    }

    fn parcel_in(&self, parcel: u32, place: u32) -> Fact {
        debug_assert!(parcel < self.parcels);
        fact(1 + parcel, 2 + place)
    }

    fn place(&self, place: u32, taken: u32) -> Fact {
        fact(1 + self.parcels + place, taken)
    }

    fn at_most_one_in(&self, place: u32) -> Vec<Fact> {
        let parcels = (0..self.parcels).map(|parcel| self.parcel_in(parcel, place));
        parcels.chain([self.place(place, FREE)]).collect()
    }
}

fn add_drives(draft: &mut Draft) {
    for (from, to) in [(A, B), (B, A)] {
        let name = format!("drive {} {}", DEPOTS[from as usize], DEPOTS[to as usize]);
        draft.operator(name, vec![shuttle_at(from)], &[shuttle_at(to)]);
    }
}

fn add_load_and_unload(draft: &mut Draft, layout: &Layout, parcel: u32, place: u32, depot: u32) {
    let outside = [layout.parcel_at(parcel, depot), layout.place(place, FREE)];
    let inside = [layout.parcel_in(parcel, place), layout.place(place, TAKEN)];
    let arguments =
        format!("{} {} {}", parcel_name(parcel), place_name(place), DEPOTS[depot as usize]);
    let here = shuttle_at(depot);
    draft.operator(format!("load {arguments}"), vec![here, outside[0], outside[1]], &inside);
    draft.operator(format!("unload {arguments}"), vec![here, inside[0], inside[1]], &outside);
}

fn shuttle_at(depot: u32) -> Fact {
    fact(0, depot)
}

fn parcel_name(parcel: u32) -> String {
    format!("parcel{}", parcel + 1)
}

fn place_name(place: u32) -> String {
    format!("place{}", place + 1)
}
