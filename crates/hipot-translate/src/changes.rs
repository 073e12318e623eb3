//! Effects of operators on finite-domain variables.
//!
//! An add effect becomes a change to the value of its atom. A delete effect
//! becomes a change to "none of those" under three conditions: its own holds,
//! the atom is true, and no add effect on the same variable happens (PDDL adds
//! after it deletes). The last one is the negation of a conjunction for each add
//! effect, so it is multiplied out into several changes.
//!
//! Without conditional effects nothing is multiplied out: an add effect on the
//! same variable always happens, and the delete effect has no effect.

use hipot_task::{Limits, Stop};

use crate::encode::{Change, Conjunction, Encoding, FactPair, value_in};
use crate::ground::GroundLiteral;
use crate::instantiate::{GroundEffect, GroundOperator};

impl Encoding {
    /// The changes that a ground operator makes when its precondition is
    /// `required`. None if it changes nothing, or can never be applicable.
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
            let none = FactPair { value: self.none_of_those(pair.variable), ..pair };
            for literals in self.undisputed(effect, operator, limits)? {
                for condition in self.conditions(&literals, limits)? {
                    changes.push(Change { condition, pair: none });
                }
            }
        }
        self.simplify_changes(&mut changes, required);
        Ok(changes)
    }

    /// The conditions under which a delete effect makes its variable "none of
    /// those": one of them must hold. Each says that the effect happens, the
    /// atom is true, and no add effect on the variable happens.
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

    /// Drops conditions that the precondition decides, and changes without
    /// effect; then [tidies](tidy) up.
    fn simplify_changes(&self, changes: &mut Vec<Change>, required: &Conjunction) {
        let decides = |pair: &FactPair| value_in(required, pair.variable);
        changes.retain_mut(|change| {
            let excluded = |pair: &FactPair| decides(pair).is_some_and(|value| value != pair.value);
            let is_possible = !change.condition.iter().any(excluded);
            change.condition.retain(|pair| decides(pair).is_none());
            is_possible && decides(&change.pair) != Some(change.pair.value)
        });
        self.drop_dual_conditions(changes);
        tidy(changes);
    }

    /// Drops the condition of a change of a binary variable that it has the
    /// other value, unless another change sets that value.
    fn drop_dual_conditions(&self, changes: &mut [Change]) {
        for index in 0..changes.len() {
            let FactPair { variable, value } = changes[index].pair;
            let dual = FactPair { variable, value: 1 - value.min(1) };
            let is_binary = self.sizes[variable as usize] == 2;
            if is_binary && !changes.iter().any(|change| change.pair == dual) {
                changes[index].condition.retain(|&pair| pair != dual);
            }
        }
    }
}

/// Orders changes and drops those that another one includes. If two unconditional
/// changes contradict each other, the operator adds two atoms of one mutex group,
/// so it is never applicable; then all are dropped.
///
/// Conditions may turn out to be always true later, so this is needed whenever they
/// become fewer.
pub(crate) fn tidy(changes: &mut Vec<Change>) {
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

/// The conjunctions in `found`, each extended such that `condition` is false:
/// one for each literal that can be made false, given the precondition.
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
