//! Orders that complement each other (Seipp, Keller and Helmert, JAIR 2020, Section 7).
//!
//! The first order is for the initial state, the best of several rules. Then, for one sample state after the other, an order
//! is made for that state. It is kept if some sample has a higher value with it than with all
//! orders before.

use hipot_task::Limits;

use super::climb::{Work, climb};
use super::greedy::{Alone, Rule};
use super::saturated::{Partitioning, Saturator};
use super::tables::Tables;
use crate::collection::Collection;
use crate::cost::Costs;
use crate::error::Error;

/// How many orders to make, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The saturator of all orders.
    pub saturator: Saturator,
    /// The largest number of orders.
    pub max_orders: usize,
    /// How long to improve the order of the initial state.
    pub first_work: Work,
    /// How long to improve each other order.
    pub work: Work,
    /// The largest number of bytes of all tables.
    pub max_bytes: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            saturator: Saturator::PerimStar,
            max_orders: 100,
            first_work: Work(300_000_000),
            work: Work(10_000_000),
            max_bytes: 1 << 30,
        }
    }
}

/// Partitionings of `costs` for the initial state and for samples, all given by their abstract
/// states. If `time` is up, there may be fewer; if `limits` are reached, there are none.
/// Returns them with the one for the initial state.
pub fn diverse(
    collection: &Collection,
    costs: &Costs,
    initial: &[u32],
    samples: &[Vec<u32>],
    params: &Params,
    time: &Limits,
    limits: &Limits,
) -> Result<(Tables, Partitioning), Error> {
    let alone = Alone::new(collection, costs, limits)?;
    let climb_from = |order: (&mut [usize], usize), states: &[u32], work: Work, limits: &Limits| {
        climb(collection, order, costs, params.saturator, states, work, limits)
    };
    let mut tables = Tables::new(collection.len());
    // The first partitioning has all the time that there is; only better ones have not.
    let (mut order, mut positive) = alone.order(initial, Rule::PerStolen);
    let mut first = climb_from((&mut order, positive), initial, Work(0), limits)?;
    for rule in Rule::ALL {
        let (mut other, count) = alone.order(initial, rule);
        match climb_from((&mut other, count), initial, Work(0), time) {
            Err(Error::Stopped(_)) => break,
            found => {
                let found = found?;
                if found.value(initial) > first.value(initial) {
                    (first, order, positive) = (found, other, count);
                }
            }
        }
    }
    let half = time.with_share(0.5);
    let better = climb_from((&mut order, positive), initial, params.first_work, &half);
    let first = match better {
        Err(Error::Stopped(_)) => first,
        better => better?,
    };
    tables.push(&first);
    let mut best: Vec<i64> = samples.iter().map(|states| first.value(states)).collect();
    for (states, rule) in samples.iter().zip(Rule::ALL.into_iter().cycle()) {
        limits.check()?;
        if tables.len() >= params.max_orders || tables.bytes() >= params.max_bytes {
            break;
        }
        let (mut order, positive) = alone.order(states, rule);
        let found = match climb_from((&mut order, positive), states, params.work, time) {
            Err(Error::Stopped(_)) => break,
            found => found?,
        };
        let values: Vec<i64> = samples.iter().map(|sample| found.value(sample)).collect();
        if values.iter().zip(&best).any(|(value, best)| value > best) {
            best.iter_mut().zip(values).for_each(|(best, value)| *best = value.max(*best));
            limits
                .reserve(16 * found.parts.iter().map(|it| it.values.len() as u64).sum::<u64>())?;
            tables.push(&found);
        }
    }
    tables.shrink();
    Ok((tables, first))
}
