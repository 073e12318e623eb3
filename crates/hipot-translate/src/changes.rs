//! What an operator does to finite-domain variables.

use hipot_task::{Limits, Stop};

use crate::encode::{Change, Conjunction, Encoding, Pair, value_in};
use crate::ground::GroundLiteral;
use crate::instantiate::{GroundEffect, GroundOperator};

impl Encoding {
    /// The changes that a ground operator makes where its precondition is
    /// `required`; none if it changes nothing, or is never applicable.
    pub(crate) fn changes(
        &mut self,
        operator: &GroundOperator,
        required: &Conjunction,
        limits: &Limits,
    ) -> Result<Vec<Change>, Stop> {
        let mut changes = Vec::new();
        for effect in operator.effects.iter().filter(|effect| !effect.literal.negated) {
            let pair = self.pair(effect.literal.atom);
            for condition in self.conditions(&effect.condition, limits)? {
                changes.push(Change { condition, pair });
            }
        }
        for effect in operator.effects.iter().filter(|effect| effect.literal.negated) {
            let pair = self.pair(effect.literal.atom);
            if value_in(required, pair.variable).is_some_and(|value| value != pair.value) {
                continue;
            }
            let none = Pair { value: self.none_of_those(pair.variable), ..pair };
            for literals in self.undisputed(effect, operator, limits)? {
                for condition in self.conditions(&literals, limits)? {
                    changes.push(Change { condition, pair: none });
                }
            }
        }
        self.simplify_changes(&mut changes, required);
        Ok(changes)
    }

    /// The conditions, one of which must hold, under which a delete effect
    /// makes its variable "none of those": its own, the atom is true, and no
    /// add effect on the variable happens.
    fn undisputed(
        &self,
        delete: &GroundEffect,
        operator: &GroundOperator,
        limits: &Limits,
    ) -> Result<Vec<Vec<GroundLiteral>>, Stop> {
        let variable = self.pair(delete.literal.atom).variable;
        let mut guard = delete.condition.clone();
        let is_true = delete.literal.negate();
        if !guard.contains(&is_true) {
            guard.push(is_true);
        }
        let mut found = vec![guard];
        let adds = operator.effects.iter().filter(|effect| {
            !effect.literal.negated && self.pair(effect.literal.atom).variable == variable
        });
        for add in adds {
            found = without(found, &add.condition, &operator.precondition);
            if found.len() > 1000 {
                limits.check()?;
                limits.reserve((found.len() * (found[0].len() + 4) * 8) as u64)?;
            }
        }
        Ok(found)
    }

    /// Drops what the precondition decides, what changes nothing, and what
    /// another change includes. Contradictory changes leave none.
    fn simplify_changes(&self, changes: &mut Vec<Change>, required: &Conjunction) {
        let decides = |pair: &Pair| value_in(required, pair.variable);
        changes.retain_mut(|change| {
            let excluded = |pair: &Pair| decides(pair).is_some_and(|value| value != pair.value);
            let is_possible = !change.condition.iter().any(excluded);
            change.condition.retain(|pair| decides(pair).is_none());
            is_possible && decides(&change.pair) != Some(change.pair.value)
        });
        self.drop_dual_conditions(changes);
        changes.sort_by(|one, other| {
            (one.pair, one.condition.len(), &one.condition).cmp(&(
                other.pair,
                other.condition.len(),
                &other.condition,
            ))
        });
        changes.dedup_by(|later, earlier| {
            later.pair == earlier.pair
                && (earlier.condition.is_empty() || later.condition == earlier.condition)
        });
        let unconditional = changes.iter().filter(|change| change.condition.is_empty());
        let variables: Vec<u32> = unconditional.map(|change| change.pair.variable).collect();
        if variables.windows(2).any(|pair| pair[0] == pair[1]) {
            changes.clear();
        }
    }

    /// A change of a binary variable need not ask for the other value, unless
    /// another change produces that.
    fn drop_dual_conditions(&self, changes: &mut [Change]) {
        for index in 0..changes.len() {
            let Pair { variable, value } = changes[index].pair;
            let dual = Pair { variable, value: 1 - value.min(1) };
            let is_binary = self.sizes[variable as usize] == 2;
            if is_binary && !changes.iter().any(|change| change.pair == dual) {
                changes[index].condition.retain(|&pair| pair != dual);
            }
        }
    }
}

/// The conjunctions in `found`, each with one literal of `condition` made
/// false; what `precondition` forbids is dropped.
fn without(
    found: Vec<Vec<GroundLiteral>>,
    condition: &[GroundLiteral],
    precondition: &[GroundLiteral],
) -> Vec<Vec<GroundLiteral>> {
    let mut result = Vec::new();
    for conjunction in found {
        let fails = |literal: &GroundLiteral| {
            conjunction.contains(&literal.negate()) || precondition.contains(&literal.negate())
        };
        if condition.iter().any(fails) {
            result.push(conjunction);
            continue;
        }
        let holds = |literal: &&GroundLiteral| {
            conjunction.contains(literal) || precondition.contains(literal)
        };
        for literal in condition.iter().filter(|literal| !holds(literal)) {
            let mut extended = conjunction.clone();
            extended.push(literal.negate());
            result.push(extended);
        }
    }
    result
}
