//! The Chinese rings: take n rings off a bar, as their cords allow.
//!
//! Ring 1 can always be taken off or put on. Ring i + 1 can be moved just if
//! ring i is on the bar and rings 1 to i − 1 are off. In the beginning all
//! rings are on; in the end all must be off. A binary variable for each ring
//! and two operators for each, with at most n preconditions.
//!
//! *Optimal cost: ⌊2ⁿ⁺¹ / 3⌋.* Read the rings as bits gₙ … g₁ (on is 1) of a
//! reflected Gray code, and let b be the binary number that it stands for:
//! bᵢ = gᵢ ⊕ gᵢ₊₁ ⊕ … ⊕ gₙ. A move of ring 1 changes the last bit of b only.
//! A move of ring i + 1 flips bᵢ₊₁, …, b₁; since gᵢ = 1 and gⱼ = 0 for j < i,
//! these bits are 01…1 or 10…0 and become the other, which is a step of 1 up
//! or down. So every move changes b by 1. A state has a move of ring 1, and one
//! of the ring behind the first that is on if there is such a ring; the two
//! change b in different directions, so that only b = 0 (no ring on) and
//! b = 2ⁿ − 1 (only ring n on) have a single neighbor: the state space is a
//! path, ordered by b. All off is b = 0; all on is b = 1010…₂, alternating from
//! the first bit, and that number is ⌊2ⁿ⁺¹ / 3⌋ (doubling it and adding it to
//! itself gives 11…1₂ or 11…10₂ with n + 1 bits).
//!
//! *Reachable states: 2ⁿ*, the whole path.

use hipot_task::{Fact, Variable};

use super::draft::{Draft, fact};
use super::{GenerateError, Generated, check_range};

const OFF: u32 = 0;
const ON: u32 = 1;

/// The Chinese rings with 1 to 62 rings; optimal cost ⌊2ⁿ⁺¹ / 3⌋.
pub(crate) fn rings(rings: u32) -> Result<Generated, GenerateError> {
    check_range("rings", rings, 1..=62)?;
    let mut draft = Draft::new(false, (0..rings).map(|ring| (ring_variable(ring), ON)));
    for ring in 0..rings {
        add_move(&mut draft, "take-off", ring, ON, OFF);
        add_move(&mut draft, "put-on", ring, OFF, ON);
    }
    let goal = (0..rings).map(|ring| fact(ring, OFF)).collect();
    Ok(Generated { task: draft.build(goal), optimal_cost: Some((1 << (rings + 1)) / 3) })
}

fn ring_variable(ring: u32) -> Variable {
    let name = ring_name(ring);
    let values = [format!("{name} off"), format!("{name} on")];
    Variable::new(name, values)
}

fn add_move(draft: &mut Draft, verb: &str, ring: u32, from: u32, to: u32) {
    let before = |other| fact(other, if other + 1 == ring { ON } else { OFF });
    let preconditions: Vec<Fact> = (0..ring).map(before).chain([fact(ring, from)]).collect();
    draft.operator(format!("{verb} {}", ring_name(ring)), preconditions, &[fact(ring, to)]);
}

fn ring_name(ring: u32) -> String {
    format!("ring{}", ring + 1)
}
