//! Which order to begin with: abstractions that give much and take little from others come first.
//!
//! Under the whole costs, let h be the value of an abstraction in the given state. Its saturated
//! costs take from the other abstractions what these would need as well: where all together need
//! more of an operator's cost than there is, the abstraction *steals* what it needs, up to what is
//! missing. Abstractions are ordered by h per stolen cost (Seipp, Keller and Helmert, JAIR 2020,
//! Section 6.2: "h/stolen"). Ratios are floating point, since nothing depends on them but which
//! order is tried.

use hipot_task::Limits;

use crate::abstraction::Abstraction;
use crate::collection::Collection;
use crate::cost::{Costs, INFINITE};
use crate::error::Error;

/// What comes first in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The abstraction with the highest value per stolen cost.
    PerStolen,
    /// The abstraction with the highest value.
    Value,
    /// Cartesian abstractions before projections, each by value per stolen cost. Many projections
    /// that steal little each can leave nothing for a few good Cartesian abstractions.
    CartesianFirst,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::PerStolen, Self::Value, Self::CartesianFirst];
}

/// What is known about abstractions that have all costs to themselves.
#[derive(Clone, Debug)]
pub struct Alone {
    /// The distances in each abstraction, as floating point in 32 bits.
    distances: Vec<Vec<f32>>,
    stolen: Vec<f64>,
    is_projection: Vec<bool>,
}

impl Alone {
    /// Computes distances and saturated costs of each abstraction.
    pub fn new(collection: &Collection, costs: &Costs, limits: &Limits) -> Result<Self, Error> {
        let costs = collection.usable(costs);
        let mut sums = vec![0.0; collection.operators()];
        let mut buffer = vec![0; collection.operators()];
        let (mut distances, mut saturated) = (Vec::new(), Vec::new());
        for abstraction in collection.abstractions() {
            limits.check()?;
            let memory = 4 * abstraction.size() + 12 * collection.operators();
            limits.reserve(memory as u64)?;
            let own = abstraction.distances(&costs, limits)?;
            abstraction.saturate(&own, &mut buffer);
            let touched =
                abstraction.touched().iter().map(|id| (id.index() as u32, buffer[id.index()]));
            let needed: Vec<(u32, f64)> =
                touched.filter(|&(_, cost)| cost > 0).map(|(id, cost)| (id, cost as f64)).collect();
            for &(operator, cost) in &needed {
                sums[operator as usize] += cost;
            }
            saturated.push(needed);
            distances.push(compact(&own));
        }
        let missing = |operator: u32| {
            let cost = costs.as_slice()[operator as usize];
            if cost == INFINITE { 0.0 } else { (sums[operator as usize] - cost as f64).max(0.0) }
        };
        let steal = |&(operator, cost): &(u32, f64)| missing(operator).min(cost);
        let stolen = saturated.iter().map(|own| own.iter().map(steal).sum()).collect();
        let kinds = collection.abstractions().iter();
        let is_projection = kinds.map(|it| matches!(it, Abstraction::Projection(_))).collect();
        Ok(Self { distances, stolen, is_projection })
    }

    /// The greedy order for a state that is given by its abstract states, and the number of
    /// abstractions whose value is not 0; the others come last.
    pub fn order(&self, states: &[u32], rule: Rule) -> (Vec<usize>, usize) {
        let value = |index: usize| f64::from(self.distances[index][states[index] as usize]);
        let score = |index: usize| match rule {
            Rule::PerStolen | Rule::CartesianFirst => value(index) / self.stolen[index].max(1.0),
            Rule::Value => value(index),
        };
        let is_late = |index: usize| {
            value(index) <= 0.0 || rule == Rule::CartesianFirst && self.is_projection[index]
        };
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by(|&one, &other| {
            let late = is_late(one).cmp(&is_late(other));
            late.then_with(|| score(other).total_cmp(&score(one)))
        });
        let positive = order.iter().take_while(|&&index| value(index) > 0.0).count();
        (order, positive)
    }
}

fn compact(distances: &[i64]) -> Vec<f32> {
    distances.iter().map(|&it| if it == INFINITE { 0.0 } else { it as f32 }).collect()
}
