//! The relaxed plan: what a dual solution says about operators and their contexts.
//!
//! The dual value of an operator's row of Eq. 8 or 12 counts how often the operator is used:
//! y_o times. The rows of Eq. 9 or 13 belong to a maximum over the values of a variable V, and
//! their dual values split y_o among these values: y_o(V = v) of the uses are in states with
//! V = v.
//!
//! The rows may leave a rest. If V has one maximum, these are uses with values that have no
//! row because no feature mentions them, such as the reference value. If V has several maxima
//! (elimination makes one for each context of V), some of them may be 0 and have no rows, and
//! the rest are uses with any value. So for each fact of the context there is an interval for
//! the number of uses with it.

use std::collections::BTreeMap;

use hipot_analysis::Mention;
use hipot_lp::Row;
use hipot_task::{FactId, Facts, VariableId};

use crate::exclusions::Excluded;
use crate::family::{Constraint, ConstraintFamily};
use crate::normal_form::NormalForm;

/// Smaller counts are considered the solver's noise.
pub(super) const MIN_COUNT: f64 = 1e-4;

/// An operator that is used.
pub(super) struct Use {
    /// y_o.
    pub(super) count: f64,
    /// The operator's mentions, in the order of the variables.
    pub(super) mentions: Vec<Mention>,
    excluded: Excluded,
    contexts: BTreeMap<VariableId, Shares>,
}

/// How the uses of an operator are split among the values of a variable.
#[derive(Default)]
struct Shares {
    /// For each fact that has rows, the number of uses that they count.
    known: BTreeMap<FactId, f64>,
    /// The number of maxima of the variable.
    maxima: usize,
}

/// The operators that a dual solution uses.
pub(super) fn relaxed_plan(
    normal: &NormalForm,
    family: &dyn ConstraintFamily,
    duals: &[f64],
) -> Vec<Use> {
    let dual = |row: Row| duals.get(row.index()).copied().unwrap_or(0.0).abs();
    let used = |constraint: &Constraint| {
        let count = dual(constraint.cost_row);
        let excluded = Excluded::new(normal, constraint.operator)?;
        let contexts = contexts(family, constraint, dual);
        let mentions = normal.mentions(constraint.operator).to_vec();
        (count > MIN_COUNT).then_some(Use { count, mentions, excluded, contexts })
    };
    family.constraints().iter().filter_map(used).collect()
}

/// The uses that the rows of an operator's maxima count, by variable.
fn contexts(
    family: &dyn ConstraintFamily,
    constraint: &Constraint,
    dual: impl Fn(Row) -> f64,
) -> BTreeMap<VariableId, Shares> {
    let mut contexts: BTreeMap<VariableId, Shares> = BTreeMap::new();
    let mut last = None;
    for row in constraint.max_rows() {
        let Some(alternative) = family.alternative(row) else { continue };
        let shares = contexts.entry(alternative.variable).or_default();
        shares.maxima += usize::from(last != Some(alternative.maximum));
        last = Some(alternative.maximum);
        if let Some(fact) = alternative.fact {
            *shares.known.entry(fact).or_default() += dual(row);
        }
    }
    contexts
}

impl Use {
    /// The operator's mention of a variable, if any.
    pub(super) fn mention(&self, facts: &Facts, variable: VariableId) -> Option<Mention> {
        let place = self.mentions.binary_search_by_key(&variable, |it| facts.variable(it.before));
        place.ok().map(|place| self.mentions[place])
    }

    /// The smallest and the largest possible number of uses with a fact in their context.
    pub(super) fn interval(&self, facts: &Facts, fact: FactId) -> (f64, f64) {
        if self.excluded.contains(fact) {
            return (0.0, 0.0);
        }
        let variable = facts.variable(fact);
        let possible =
            || facts.of_variable(variable).filter(|&it| !self.excluded.contains(it)).count();
        let Some(shares) = self.contexts.get(&variable) else {
            return (if possible() == 1 { self.count } else { 0.0 }, self.count);
        };
        let rest = (self.count - shares.known.values().sum::<f64>()).max(0.0);
        let is_split = shares.maxima == 1;
        match shares.known.get(&fact) {
            Some(&share) if is_split => (share, share),
            Some(&share) => (share, share + rest),
            None if is_split && possible() == shares.known.len() + 1 => (rest, rest),
            None => (0.0, rest),
        }
    }
}
