//! Mending free operators that lower φ by a little.
//!
//! Weights that come from a method that was stopped early, or from rounding, may let a free
//! operator lower φ, and no denominator repairs that. But where the operator is on no cycle of
//! free operators, some function of one variable rises along it and falls along no other free
//! operator ([`free_operators`](crate::free_operators)): enough of this function is added, in
//! integers. What that does to operators that cost something, a larger denominator repairs.
//!
//! Variables that share weights (because of symmetries) get the same multiple, so that the sum
//! has the same symmetries.

use std::collections::HashMap;

use hipot_task::{OperatorId, VariableId};

use super::classes::NO_FEATURE;
use super::exact::ClassWeights;
use crate::free_operators::{FreeOperators, Layer};

/// Adds to `weights` what keeps the free operators that are on no cycle from lowering φ.
pub(super) fn mend(weights: &mut ClassWeights<'_>, free: &FreeOperators) {
    for layer in free.layers.iter().rev() {
        let needed = needed(weights, layer);
        if needed.iter().any(|&multiple| multiple > 0) {
            add(weights, layer, &needed);
        }
    }
}

/// For each variable, the multiple of its function that its operators need.
fn needed(weights: &ClassWeights<'_>, layer: &Layer) -> Vec<i64> {
    let facts = weights.classes().facts();
    let variable_of: HashMap<OperatorId, VariableId> = layer.raised.iter().copied().collect();
    let mut needed = vec![0; facts.variable_count()];
    weights.for_each_decrease(
        weights.groups(),
        |operator| variable_of.contains_key(&operator),
        |operator, decrease| {
            let variable = variable_of[&operator];
            let mentions = weights.normal().mentions(operator).iter();
            let mut own = mentions.filter(|it| facts.variable(it.before) == variable);
            let change = own.next().expect("the operator changes it");
            let rise = layer.height(change.after) - layer.height(change.before);
            let multiple = decrease.max(0).unsigned_abs().div_ceil(rise.unsigned_abs().into());
            let multiple = i64::try_from(multiple).unwrap_or(i64::MAX);
            needed[variable.index()] = needed[variable.index()].max(multiple);
        },
    );
    weights.classes().make_equal(&mut needed);
    needed
}

/// Adds multiples of the layer's functions, which are shifted so that they are 0 for values
/// without a weight.
fn add(weights: &mut ClassWeights<'_>, layer: &Layer, multiples: &[i64]) {
    let facts = weights.classes().facts().clone();
    let mut is_done = vec![false; weights.classes().len() + 1];
    for variable in facts.variable_ids() {
        let multiple = multiples[variable.index()];
        if multiple == 0 {
            continue;
        }
        let mut without_weight =
            facts.of_variable(variable).filter(|&it| weights.classes().class(it, it) == NO_FEATURE);
        let lowest = without_weight.next().map_or(0, |fact| layer.height(fact));
        for fact in facts.of_variable(variable) {
            let class = weights.classes().class(fact, fact) as usize;
            if class != NO_FEATURE as usize && !std::mem::replace(&mut is_done[class], true) {
                let height = layer.height(fact) - lowest;
                weights.add(class, height.saturating_mul(multiple));
            }
        }
    }
}
