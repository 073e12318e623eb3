//! The algorithm: each abstraction in turn takes as much of the costs as it needs.
//!
//! Let h be the distances in the first abstraction. It needs from the cost of an operator no more
//! than the largest decrease of h along the operator's transitions: with these *saturated* costs,
//! h stays consistent. What is left is for the others. The sum of all these functions is
//! consistent for the whole costs, hence admissible.
//!
//! *Saturated costs may be negative*, if all transitions of an operator increase h. Then more than
//! its cost is left (general cost partitioning; Pommerening et al., AAAI 2015). What is left is
//! never negative, since the decrease of a distance is at most the cost.
//!
//! *Saturators* say for which states h is to be kept. `perim` keeps it in the states that are no
//! farther from the goal than a given state s, and needs less for that: it replaces h by
//! min(h, h(s)), which is consistent for the saturated costs as well. `perimstar` goes on with a
//! second turn over the same order, in which each abstraction takes what is left, with `all`;
//! the function of an abstraction is then the sum of its two.

use hipot_task::Limits;

use crate::collection::Collection;
use crate::cost::{Costs, INFINITE};
use crate::error::Error;

/// For which states the values of an abstraction are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Saturator {
    /// For all.
    All,
    /// For those no farther from the goal than the given state.
    Perim,
    /// First `Perim`, then `All` with what is left.
    #[default]
    PerimStar,
}

/// The share of an abstraction: a value for each of its states, and 0 for dead ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The abstraction.
    pub abstraction: usize,
    /// The values.
    pub values: Vec<i64>,
}

/// The shares of abstractions in the costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitioning {
    /// The abstractions with values other than 0. Each occurs once.
    pub parts: Vec<Part>,
    /// What is left of the costs.
    pub left: Costs,
}

impl Partitioning {
    /// The sum of the values in a state that is given by its abstract states.
    pub fn value(&self, states: &[u32]) -> i64 {
        let value = |part: &Part| part.values[states[part.abstraction] as usize];
        self.parts.iter().map(value).sum()
    }
}

/// The saturated cost partitioning of `costs` over the abstractions in `order`, for a state that
/// is given by its abstract states.
pub fn saturated_cost_partitioning(
    collection: &Collection,
    order: &[usize],
    costs: &Costs,
    saturator: Saturator,
    states: &[u32],
    limits: &Limits,
) -> Result<Partitioning, Error> {
    let mut left = collection.usable(costs);
    let mut parts: Vec<Part> = Vec::new();
    let mut saturated = vec![0; collection.operators()];
    let turns = match saturator {
        Saturator::All => &[Saturator::All][..],
        Saturator::Perim => &[Saturator::Perim],
        Saturator::PerimStar => &[Saturator::Perim, Saturator::All],
    };
    for &turn in turns {
        for &index in order {
            limits.check()?;
            let abstraction = &collection.abstractions()[index];
            let mut values = abstraction.distances(&left, limits)?;
            if turn == Saturator::Perim {
                let limit = values[states[index] as usize];
                keep_perimeter(&mut values, limit);
            }
            if values.iter().all(|&value| value == 0 || value == INFINITE) {
                continue;
            }
            abstraction.saturate(&values, &mut saturated);
            left.subtract(&saturated, abstraction.touched());
            add(&mut parts, index, values);
        }
    }
    Ok(Partitioning { parts, left })
}

/// min(h, `limit`), and infinite where h is.
fn keep_perimeter(values: &mut [i64], limit: i64) {
    let finite = values.iter_mut().filter(|value| **value != INFINITE);
    finite.for_each(|value| *value = limit.min(*value));
}

/// Adds the values of an abstraction to those that it has.
fn add(parts: &mut Vec<Part>, abstraction: usize, mut values: Vec<i64>) {
    values.iter_mut().filter(|value| **value == INFINITE).for_each(|value| *value = 0);
    match parts.iter_mut().find(|part| part.abstraction == abstraction) {
        Some(part) => part.values.iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
        None => parts.push(Part { abstraction, values }),
    }
}
