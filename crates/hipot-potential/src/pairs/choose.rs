//! Features on demand: which pairs of variables to add next.
//!
//! The pairs with the best [prices](super::price) are added, as many as the next LP has room
//! for. Pairs that symmetries map to each other are added together, so that the features stay
//! symmetric and the LP stays small.

use std::collections::BTreeSet;

use hipot_task::{OperatorId, Value, VariableId};

use super::groups::groups;
use super::pair_set::PairSet;
use super::price::{Price, VariablePair, price};
use super::reduction::{Moves, Reduction};

/// Chooses pairs of variables for a task, round by round.
pub(crate) struct PairChooser<'a> {
    reduction: &'a Reduction<'a>,
    moves: Vec<Moves>,
    /// For each variable, the number of groups that change it. A variable that is
    /// paired with it becomes the context of that many maxima of Eq. 9.
    changing_groups: Vec<u64>,
    /// For each operator that represents its orbit, the size of the orbit.
    orbit_sizes: Vec<u32>,
}

/// A set of pairs of variables that must be added together.
struct Orbit {
    price: Price,
    pairs: Vec<VariablePair>,
}

impl<'a> PairChooser<'a> {
    pub(crate) fn new(reduction: &'a Reduction<'a>) -> Self {
        let normal = reduction.normal();
        let facts = normal.facts();
        let mut changing_groups = vec![0; facts.variable_count()];
        for group in groups(normal) {
            if group.members.iter().any(|it| reduction.represents(it.operator)) {
                for variable in group.changed(facts) {
                    changing_groups[variable.index()] += 1;
                }
            }
        }
        let mut orbit_sizes = vec![0; normal.task().operators().len()];
        for operator in normal.operator_ids() {
            orbit_sizes[reduction.representative(operator).index()] += 1;
        }
        let moves = reduction.moved_variables();
        Self { reduction, moves, changing_groups, orbit_sizes }
    }

    /// Adds the most promising pairs of variables to `chosen`, so that the LP grows
    /// by at most about `nonzeros`. `counts` says how often a dual solution for
    /// `state` uses each operator that has a constraint. Returns whether any pair
    /// was added.
    pub(crate) fn extend(
        &self,
        chosen: &mut PairSet,
        counts: &[(OperatorId, f64)],
        state: &[Value],
        nonzeros: u64,
    ) -> bool {
        let prices = price(self.reduction.normal(), &self.spread(counts), state, chosen);
        let mut seen: BTreeSet<VariablePair> = BTreeSet::new();
        let mut orbits: Vec<Orbit> = Vec::new();
        for (&pair, &price) in &prices {
            if !seen.contains(&pair) {
                let pairs = self.orbit(pair);
                seen.extend(&pairs);
                orbits.push(Orbit { price, pairs });
            }
        }
        let by_price = |one: &Orbit, other: &Orbit| {
            other.price.partial_cmp(&one.price).expect("prices are numbers")
        };
        orbits.sort_by(by_price);
        let (mut room, before) = (nonzeros, chosen.len());
        for orbit in orbits {
            let size = orbit.pairs.iter().map(|&pair| self.nonzeros(pair)).sum();
            if let Some(rest) = room.checked_sub(size) {
                room = rest;
                orbit.pairs.iter().for_each(|&(one, other)| chosen.insert(one, other));
            }
        }
        chosen.len() > before
    }

    /// How often each operator is used if all operators of an orbit are used equally often.
    fn spread(&self, counts: &[(OperatorId, f64)]) -> Vec<f64> {
        let mut of_orbit = vec![0.0; self.orbit_sizes.len()];
        for &(operator, count) in counts {
            of_orbit[operator.index()] = count / f64::from(self.orbit_sizes[operator.index()]);
        }
        let of_operator = |id| of_orbit[self.reduction.representative(id).index()];
        self.reduction.normal().operator_ids().map(of_operator).collect()
    }

    /// All pairs of variables to which symmetries map the given one.
    fn orbit(&self, pair: VariablePair) -> Vec<VariablePair> {
        let mut orbit = BTreeSet::from([pair]);
        let mut open = vec![pair];
        while let Some((one, other)) = open.pop() {
            for moves in &self.moves {
                let image = |it: VariableId| moves.get(&it).copied().unwrap_or(it);
                let (one, other) = (image(one), image(other));
                let image = (one.min(other), one.max(other));
                if orbit.insert(image) {
                    open.push(image);
                }
            }
        }
        orbit.into_iter().collect()
    }

    /// The approximate number of nonzeros that a pair of variables adds to the LP: a
    /// row of Eq. 9 usually has three.
    fn nonzeros(&self, (one, other): VariablePair) -> u64 {
        let facts = self.reduction.normal().facts();
        let rows = |changed: VariableId, context: VariableId| {
            self.changing_groups[changed.index()] * facts.domain_size(context) as u64
        };
        3 * (rows(one, other) + rows(other, one))
    }
}
