//! Features on demand: which pairs of variables come next.

use std::collections::BTreeSet;

use hipot_task::{OperatorId, Task, Value, VariableId};

use super::parts::parts;
use super::price::{Price, VariablePair, price};
use super::reduction::{Moves, Reduction};
use super::scope::Scope;

/// Chooses pairs of variables for a task, round by round.
pub(crate) struct Chooser<'a> {
    task: &'a Task,
    reduction: &'a Reduction,
    moves: Vec<Moves>,
    /// How many maxima of Eq. 9 each variable is the context of, if it is
    /// paired with a given one: changed parts of the given one.
    changed_parts: Vec<u64>,
    /// How many operators share the constraint of each.
    orbit_sizes: Vec<u32>,
}

/// A set of pairs of variables that must come together.
struct Orbit {
    price: Price,
    pairs: Vec<VariablePair>,
}

impl<'a> Chooser<'a> {
    pub(crate) fn new(task: &'a Task, reduction: &'a Reduction) -> Self {
        let facts = reduction.facts();
        let mut changed_parts = vec![0; facts.variable_count()];
        for part in parts(task, facts) {
            if part.requirements.iter().any(|it| reduction.represents(it.operator)) {
                for variable in part.changed(facts) {
                    changed_parts[variable.index()] += 1;
                }
            }
        }
        let mut orbit_sizes = vec![0; task.operators().len()];
        for operator in task.operator_ids() {
            orbit_sizes[reduction.representative(operator).index()] += 1;
        }
        let moves = reduction.moved_variables();
        Self { task, reduction, moves, changed_parts, orbit_sizes }
    }

    /// Adds the most promising pairs of variables to `scope`, as long as the LP
    /// grows by at most about `nonzeros`. `counts` tells how often each
    /// constraint's operator is used in a dual solution for `state`. Returns
    /// whether any pair was added.
    pub(crate) fn extend(
        &self,
        scope: &mut Scope,
        counts: &[(OperatorId, f64)],
        state: &[Value],
        nonzeros: u64,
    ) -> bool {
        let facts = self.reduction.facts();
        let prices = price(self.task, facts, &self.spread(counts), state, scope);
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
        let (mut left, before) = (nonzeros, scope.len());
        for orbit in orbits {
            let size = orbit.pairs.iter().map(|&pair| self.nonzeros(pair)).sum();
            if let Some(rest) = left.checked_sub(size) {
                left = rest;
                orbit.pairs.iter().for_each(|&(one, other)| scope.insert(one, other));
            }
        }
        scope.len() > before
    }

    /// How often each operator is used, where all of an orbit are used alike.
    fn spread(&self, counts: &[(OperatorId, f64)]) -> Vec<f64> {
        let mut of_orbit = vec![0.0; self.orbit_sizes.len()];
        for &(operator, count) in counts {
            of_orbit[operator.index()] = count / f64::from(self.orbit_sizes[operator.index()]);
        }
        let of_operator = |id| of_orbit[self.reduction.representative(id).index()];
        self.task.operator_ids().map(of_operator).collect()
    }

    /// All pairs of variables to which symmetries map one.
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

    /// About how many nonzeros a pair of variables adds to the LP: a row of
    /// Eq. 9 has three as a rule.
    fn nonzeros(&self, (one, other): VariablePair) -> u64 {
        let facts = self.reduction.facts();
        let rows = |changed: VariableId, context: VariableId| {
            self.changed_parts[changed.index()] * facts.domain_size(context) as u64
        };
        3 * (rows(one, other) + rows(other, one))
    }
}
