//! What a dual solution says about operators and their contexts.
//!
//! The dual value of an operator's row of Eq. 8 or 12 counts how often the
//! operator is used: y_o times. The rows of Eq. 9 or 13 belong to a maximum over
//! the values of a variable V, and their dual values split y_o among these: so
//! y_o(V = v) of the uses are in states with V = v. What the rows leave over are
//! uses with the values that have no row because no feature mentions them, such
//! as the reference value; or, where V has several maxima because its values
//! depend on each other's context, of which some are 0 and have no rows, uses
//! with any value. So each fact of the context has an interval for the number
//! of uses with it.

use std::collections::BTreeMap;

use hipot_task::{Task, VariableId};

use crate::feature::Facts;
use crate::formulation::{Constraint, Formulation, OverFeatures};
use crate::model::Letter;
use crate::pairs::{Excluded, Exclusions, Mention, mentions};

/// Counts below this are taken for the solver's noise.
pub(super) const LEAST_COUNT: f64 = 1e-4;

/// An operator that is used.
pub(super) struct Use {
    /// y_o.
    pub(super) count: f64,
    /// What the operator mentions, in the order of the variables.
    pub(super) mentions: Vec<Mention>,
    excluded: Excluded,
    contexts: BTreeMap<VariableId, Shares>,
}

/// How the uses of an operator are split among the values of a variable.
#[derive(Default)]
struct Shares {
    /// Facts that have rows, and how many uses these count.
    known: BTreeMap<u32, f64>,
    /// How many maxima the variable has.
    maxima: usize,
}

/// The operators that a dual solution uses.
pub(super) fn relaxed_plan(
    task: &Task,
    facts: &Facts,
    exclusions: &Exclusions,
    formulation: &OverFeatures<'_>,
    duals: &[f64],
) -> Vec<Use> {
    let dual = |row: hipot_lp::Row| duals.get(row.index()).copied().unwrap_or(0.0).abs();
    let used = |constraint: &Constraint| {
        let count = dual(constraint.cost_row);
        let mentions = mentions(task, facts, constraint.operator);
        let before: Vec<u32> = mentions.iter().map(|it| it.before).collect();
        let after: Vec<u32> = mentions.iter().map(|it| it.after).collect();
        let excluded = exclusions.with(&before, &after)?;
        let contexts = contexts(facts, formulation, constraint, dual);
        (count > LEAST_COUNT).then_some(Use { count, mentions, excluded, contexts })
    };
    formulation.constraints().iter().filter_map(used).collect()
}

/// What the rows of an operator's maxima count.
fn contexts(
    facts: &Facts,
    formulation: &OverFeatures<'_>,
    constraint: &Constraint,
    dual: impl Fn(hipot_lp::Row) -> f64,
) -> BTreeMap<VariableId, Shares> {
    let (model, problem) = (formulation.model(), formulation.problem());
    let mut contexts: BTreeMap<VariableId, Shares> = BTreeMap::new();
    let mut last = None;
    for row in constraint.max_rows() {
        // Aux ≥ the sum for one value: the maximum has the positive sign.
        let mut maximum = None;
        let mut feature = None;
        for (column, value) in problem.terms(row) {
            match model.letter(column) {
                Letter::Z(_, variable) if value > 0.0 => maximum = Some((column, variable)),
                Letter::Z(..) => {}
                Letter::W(own) => feature = Some(own),
            }
        }
        let Some((column, variable)) = maximum else { continue };
        let shares = contexts.entry(variable).or_default();
        shares.maxima += usize::from(last != Some(column));
        last = Some(column);
        let conjuncts =
            feature.map_or(&[][..], |feature| formulation.features().conjuncts(feature));
        let fact = conjuncts.iter().find(|&&fact| facts.variable(fact) == variable);
        if let Some(fact) = fact {
            *shares.known.entry(fact.index() as u32).or_default() += dual(row);
        }
    }
    contexts
}

impl Use {
    /// What the operator does with a variable, if it mentions it.
    pub(super) fn mention(&self, facts: &Facts, variable: VariableId) -> Option<Mention> {
        let place =
            self.mentions.binary_search_by_key(&variable, |it| facts.variable_of(it.before));
        place.ok().map(|place| self.mentions[place])
    }

    /// Between which numbers of uses have a fact in their context.
    pub(super) fn interval(&self, facts: &Facts, fact: u32) -> (f64, f64) {
        if self.excluded.contains(fact) {
            return (0.0, 0.0);
        }
        let variable = facts.variable_of(fact);
        let possible =
            || facts.range_of(variable).filter(|&it| !self.excluded.contains(it as u32)).count();
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
