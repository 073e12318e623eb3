//! Better orders for one state: two abstractions are exchanged as long as that raises its value.
//!
//! Each exchange takes a whole partitioning. How many are tried depends on the size of the
//! abstractions, not on the clock, so that the same input gives the same orders.

use hipot_task::Limits;

use super::saturated::{Partitioning, Saturator, saturated_cost_partitioning};
use crate::abstraction::Abstraction;
use crate::collection::Collection;
use crate::cost::Costs;
use crate::error::Error;

/// How many abstract states and operators all partitionings of one climb may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work(pub u64);

impl Work {
    /// The number of partitionings of `collection`.
    fn partitionings(self, collection: &Collection) -> u64 {
        let own = |it: &Abstraction| it.work() + collection.operators() as u64;
        let each: u64 = collection.abstractions().iter().map(own).sum();
        self.0 / each.max(1)
    }
}

/// Improves an order by exchanges among the first abstractions (so many) while `limits` allow.
/// Returns the partitioning of the best order.
pub fn climb(
    collection: &Collection,
    (order, first_ones): (&mut [usize], usize),
    costs: &Costs,
    saturator: Saturator,
    states: &[u32],
    work: Work,
    limits: &Limits,
) -> Result<Partitioning, Error> {
    let partition = |order: &[usize]| {
        saturated_cost_partitioning(collection, order, costs, saturator, states, limits)
    };
    let mut best = partition(order)?;
    let mut left = work.partitionings(collection);
    let mut has_improved = true;
    while has_improved {
        has_improved = false;
        for first in 0..first_ones {
            for second in first + 1..first_ones {
                if left == 0 {
                    return Ok(best);
                }
                left -= 1;
                order.swap(first, second);
                let found = match partition(order) {
                    // What was found before is still good.
                    Err(Error::Stopped(_)) => return Ok(best),
                    found => found?,
                };
                if found.value(states) > best.value(states) {
                    best = found;
                    has_improved = true;
                } else {
                    order.swap(first, second);
                }
            }
        }
    }
    Ok(best)
}
