//! Larger patterns by hill climbing inside a partitioning.
//!
//! Given a partitioning, a projection may use its own share of the costs and whatever is left
//! over. A pattern with one variable more, a neighbor in the causal graph, is compared with it
//! under just these costs, by the sum of its values in sample states (after Haslum et al., AAAI
//! 2007, who compare whole collections for each neighbor). If it is better, it takes the place of
//! the smaller pattern with its share, and goes on to grow. The smaller patterns stay in the
//! collection, as other orders may have use for them.
//!
//! The shares are only a guide: what comes of it are patterns, and partitionings of the collection
//! begin anew. So it does no harm that others may have used what a negative share left them, when
//! the projection with that share grows.

use std::collections::BTreeSet;

use hipot_analysis::CausalGraph;
use hipot_task::{Limits, OperatorId, Value, VariableId};

use crate::abstraction::Abstraction;
use crate::cost::{Costs, INFINITE};
use crate::error::Error;
use crate::frame::Frame;
use crate::projection::{Pattern, Projection, predicted_size};
use crate::systematic::Params;

/// A projection with its share of the costs.
struct Grown {
    pattern: BTreeSet<VariableId>,
    projection: Abstraction,
    /// The saturated costs of the operators that it touches.
    share: Vec<(OperatorId, i64)>,
    values: Vec<i64>,
}

/// Projections to larger patterns than those of `projections`, which share `costs` in this order.
/// `samples` are states, of which the first counts most: a pattern that is better there is better.
pub fn grow(
    frame: &Frame<'_>,
    projections: &[Projection],
    costs: &Costs,
    samples: &[Vec<Value>],
    params: &Params,
    time: &Limits,
    limits: &Limits,
) -> Result<Vec<Projection>, Error> {
    let graph = CausalGraph::new(frame.task());
    let goal = frame.task().goal().iter().map(|fact| fact.variable).collect();
    let mut climb = Climb {
        frame,
        graph,
        goal,
        left: costs.clone(),
        samples,
        limits,
        max_states: params.max_states,
        saturated: vec![0; costs.as_slice().len()],
        seen: BTreeSet::new(),
    };
    let mut current = Vec::new();
    for projection in projections {
        if time.check().is_err() {
            break;
        }
        let pattern = projection.pattern().into_iter().collect();
        let projection = Abstraction::from(projection.clone());
        current.push(climb.settle(pattern, projection)?);
    }
    let mut states = 0;
    let mut has_grown = vec![false; current.len()];
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for (grown, has_grown) in current.iter_mut().zip(&mut has_grown) {
            limits.check()?;
            if time.check().is_err() || states >= params.max_total_states {
                goes_on = false;
                break;
            }
            if climb.step(grown)? {
                states += grown.projection.size() as u64;
                (goes_on, *has_grown) = (true, true);
            }
        }
    }
    let grown = current.into_iter().zip(has_grown).filter(|(_, has_grown)| *has_grown);
    let projection = |(grown, _): (Grown, bool)| match grown.projection {
        Abstraction::Projection(projection) => *projection,
        Abstraction::Cartesian(_) => unreachable!("it is a projection"),
    };
    Ok(grown.map(projection).collect())
}

/// The state of hill climbing.
struct Climb<'s, 'a> {
    frame: &'s Frame<'a>,
    graph: CausalGraph,
    goal: BTreeSet<VariableId>,
    /// What is left of the costs.
    left: Costs,
    samples: &'s [Vec<Value>],
    limits: &'s Limits,
    max_states: u32,
    saturated: Vec<i64>,
    /// The patterns that were no better than what they come from.
    seen: BTreeSet<Pattern>,
}

impl Climb<'_, '_> {
    /// Gives a projection its share of what is left.
    fn settle(
        &mut self,
        pattern: BTreeSet<VariableId>,
        projection: Abstraction,
    ) -> Result<Grown, Error> {
        let distances = projection.distances(&self.left, self.limits)?;
        projection.saturate(&distances, &mut self.saturated);
        self.left.subtract(&self.saturated, projection.touched());
        let touched = projection.touched().iter();
        let share = touched.map(|&id| (id, self.saturated[id.index()])).collect();
        let values = self.values(&projection, &distances);
        Ok(Grown { pattern, projection, share, values })
    }

    fn values(&self, projection: &Abstraction, distances: &[i64]) -> Vec<i64> {
        let own = |state: &Vec<Value>| projection.state(state).map(|own| distances[own as usize]);
        self.samples.iter().map(|state| own(state).unwrap_or(INFINITE)).collect()
    }

    /// Replaces a projection by the best one with one variable more, if that is better.
    fn step(&mut self, grown: &mut Grown) -> Result<bool, Error> {
        let before = self.left.clone();
        self.left.give_back(&grown.share);
        let mut best: Option<(BTreeSet<VariableId>, Abstraction, Vec<i64>)> = None;
        let mut candidates: Vec<_> = self.graph.extensions(&grown.pattern).collect();
        candidates.sort_unstable();
        candidates.dedup();
        for pattern in candidates {
            if self.limits.check().is_err() {
                break;
            }
            let list: Pattern = pattern.iter().copied().collect();
            let is_small = predicted_size(self.frame, &list) <= u64::from(self.max_states);
            if !is_small || !self.graph.leads_to(&self.goal, &pattern) || self.seen.contains(&list)
            {
                continue;
            }
            let found = Projection::new(self.frame, &list, self.max_states, self.limits)?;
            let Some(projection) = found.map(Abstraction::from) else { continue };
            let distances = projection.distances(&self.left, self.limits)?;
            let values = self.values(&projection, &distances);
            let least = best.as_ref().map_or(&grown.values, |(_, _, values)| values);
            if rank(&values) > rank(least) {
                best = Some((pattern, projection, values));
            } else {
                self.seen.insert(list);
            }
        }
        let Some((pattern, projection, _)) = best else {
            self.left = before;
            return Ok(false);
        };
        *grown = self.settle(pattern, projection)?;
        Ok(true)
    }
}

/// The value of the first sample, then the sum of all that are finite.
fn rank(values: &[i64]) -> (i64, i128) {
    let finite = values.iter().filter(|&&value| value != INFINITE);
    let sum = finite.map(|&value| i128::from(value)).sum();
    (values.first().copied().unwrap_or(0), sum)
}
