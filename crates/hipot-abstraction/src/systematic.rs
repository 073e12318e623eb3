//! Projections to interesting patterns of growing size, kept by their use.
//!
//! The *interesting* patterns (Pommerening, Röger and Helmert, IJCAI 2013) of size 1, 2, … are
//! visited in this order. A projection is of use if its distances are positive in some state
//! under the costs that those kept before leave; then it is kept and takes its saturated costs
//! (Seipp, IJCAI 2019). What a pattern can take depends on the order of those before. So when all
//! are visited, the costs are restored and the patterns are visited again in other orders, large
//! ones first, until a turn finds nothing new.
//!
//! A pattern grows by one neighbor in the causal graph at a time, through interesting patterns
//! only. This finds all of at most four variables: the least interesting pattern that does not
//! contain an interesting one with one variable less needs five.

use std::collections::BTreeSet;

use hipot_analysis::CausalGraph;
use hipot_task::{Limits, Rng, VariableId};

use crate::abstraction::Abstraction;
use crate::cost::{Costs, INFINITE};
use crate::error::Error;
use crate::frame::Frame;
use crate::projection::{Pattern, Projection, predicted_size};

/// Which projections to consider, and how many to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The largest number of variables.
    pub max_size: usize,
    /// The largest number of states of a projection.
    pub max_states: u32,
    /// The largest number of states of all projections together.
    pub max_total_states: u64,
    /// The largest number of patterns of each size.
    pub max_patterns: usize,
    /// How often to visit all patterns.
    pub max_turns: usize,
    /// The seed of the orders in which patterns are visited.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            max_size: 3,
            max_states: 200_000,
            max_total_states: 10_000_000,
            max_patterns: 20_000,
            max_turns: 5,
            seed: 0,
        }
    }
}

/// The projections that are of use under `costs`. If `time` is up, there may be fewer.
pub fn systematic(
    frame: &Frame<'_>,
    costs: &Costs,
    params: &Params,
    time: &Limits,
    limits: &Limits,
) -> Result<Vec<Projection>, Error> {
    let layers = layers(frame, params, time);
    let mut search = Search { frame, params, time, limits, kept: Vec::new(), states: 0 };
    let mut rng = Rng::new(params.seed);
    let mut open: Vec<Pattern> = layers.into_iter().flatten().collect();
    for turn in 0..params.max_turns {
        if turn > 0 {
            shuffle(&mut open, &mut rng);
            open.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        }
        let before = open.len();
        if !search.turn(&mut open, costs)? || open.len() == before {
            break;
        }
    }
    Ok(search.kept)
}

/// The interesting patterns by size.
fn layers(frame: &Frame<'_>, params: &Params, time: &Limits) -> Vec<Vec<Pattern>> {
    let task = frame.task();
    let graph = CausalGraph::new(task);
    let goal: BTreeSet<VariableId> = task.goal().iter().map(|fact| fact.variable).collect();
    let mut layer: BTreeSet<BTreeSet<VariableId>> =
        goal.iter().map(|&variable| BTreeSet::from([variable])).collect();
    let mut layers: Vec<Vec<Pattern>> = Vec::new();
    for _ in 0..params.max_size {
        let patterns = layer.iter().map(|pattern| pattern.iter().copied().collect::<Pattern>());
        let is_small =
            |pattern: &Pattern| predicted_size(frame, pattern) <= u64::from(params.max_states);
        layers.push(patterns.filter(is_small).take(params.max_patterns).collect());
        if layer.len() >= params.max_patterns || time.check().is_err() {
            break;
        }
        let grown = layer.iter().flat_map(|pattern| graph.extensions(pattern));
        layer = grown.filter(|pattern| graph.leads_to(&goal, pattern)).collect();
    }
    layers
}

/// The patterns that are kept so far.
struct Search<'s, 'a> {
    frame: &'s Frame<'a>,
    params: &'s Params,
    time: &'s Limits,
    limits: &'s Limits,
    kept: Vec<Projection>,
    states: u64,
}

impl Search<'_, '_> {
    /// Visits the `open` patterns once and removes those that are kept. Returns whether all were
    /// visited.
    fn turn(&mut self, open: &mut Vec<Pattern>, costs: &Costs) -> Result<bool, Error> {
        let mut left = costs.clone();
        let mut rest = Vec::new();
        let mut saturated = vec![0; costs.as_slice().len()];
        let mut patterns = std::mem::take(open).into_iter();
        for pattern in patterns.by_ref() {
            self.limits.check()?;
            if self.time.check().is_err() || self.states >= self.params.max_total_states {
                return Ok(false);
            }
            let (frame, limits) = (self.frame, self.limits);
            let found = Projection::new(frame, &pattern, self.params.max_states, limits)?;
            let Some(projection) = found else { continue };
            let projection = Abstraction::from(projection);
            let values = projection.distances(&left, limits)?;
            if !values.iter().any(|&value| value > 0 && value != INFINITE) {
                rest.push(pattern);
                continue;
            }
            projection.saturate(&values, &mut saturated);
            left.subtract(&saturated, projection.touched());
            self.states += values.len() as u64;
            let Abstraction::Projection(projection) = projection else { unreachable!("it is one") };
            self.kept.push(*projection);
        }
        *open = rest;
        Ok(true)
    }
}

/// A random order (Fisher and Yates).
fn shuffle<T>(list: &mut [T], rng: &mut Rng) {
    for end in (1..list.len()).rev() {
        list.swap(end, rng.below(end as u32 + 1) as usize);
    }
}
