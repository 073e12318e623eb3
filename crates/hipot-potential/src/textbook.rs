//! The LP as the paper writes it: Theorem 1 or 5 over given features.
//!
//! Each operator gets the rows of [`binary`] if no feature has more than two facts, and those
//! of [`general`] otherwise. `pot(dim=1)` and `pot(dim=2)` solve a smaller LP with the same
//! optimum: see [`pairs`](crate::pairs). This one is for features that a user lists, for
//! dimension 3 and more, for `--write-lp-plain`, and for tests, which compare the reduced LP with
//! it.

use std::borrow::Cow;
use std::sync::Arc;

use hipot_lp::{Problem, Row, Size};
use hipot_task::{FactId, OperatorId, Value};

use crate::certify::{Certified, Costs, Violation, Weights, certify, certify_as_given};
use crate::contexts::{Domains, TooWide, largest_decrease, maximize};
use crate::delta::{Delta, true_features};
use crate::elimination::ValueSet;
use crate::family::{Alternative, Constraint, ConstraintFamily};
use crate::feature::{FeatureId, Features};
use crate::helpers::Helpers;
use crate::model::{Letter, Model};
use crate::normal_form::NormalForm;
use crate::objective::{Average, shares};
use crate::{binary, general};

/// The LP that characterizes the consistent potential functions over `features`; its
/// objective is 0. Operators that are never applicable have no rows.
pub fn model(normal: &NormalForm, features: &Features) -> Result<Model, TooWide> {
    let mut model = Model::new(features);
    for operator in normal.operator_ids() {
        if let Some(domains) = Domains::of_operator(normal, operator) {
            let delta = Delta::new(normal, features, operator);
            let cost = f64::from(normal.cost(operator));
            if features.dimension() <= 2 {
                binary::add_operator(&mut model, features, &domains, operator, cost, &delta);
            } else {
                general::add_operator(&mut model, features, &domains, operator, cost, &delta)?;
            }
        }
        model.end_operator();
    }
    Ok(model)
}

/// Sets the LP's objective to φ(`state`) − φ(s_⋆).
pub fn maximize_in_state(
    model: &mut Model,
    normal: &NormalForm,
    features: &Features,
    state: &[Value],
) {
    for feature in features.ids() {
        let column = model.w(feature);
        let holds = |state| f64::from(u8::from(features.holds(feature, state)));
        model.problem_mut().set_objective(column, holds(state) - holds(normal.goal()));
    }
}

/// The exact size of [`model`], computed without building it: the same elimination over the
/// numbers of terms of the expressions.
pub fn predict(normal: &NormalForm, features: &Features) -> Result<Size, TooWide> {
    let mut counter = Counter { size: Size { columns: features.len() as u64, ..Size::default() } };
    for operator in normal.operator_ids() {
        let Some(domains) = Domains::of_operator(normal, operator) else { continue };
        let delta = Delta::new(normal, features, operator);
        let terms = maximize(&delta, features.facts(), &domains, &mut counter, |_, _| 1)?;
        counter.size.rows += 1;
        counter.size.nonzeros += delta.independent.len() as u64 + terms;
    }
    Ok(counter.size)
}

/// Represents an expression by the number of its terms.
struct Counter {
    size: Size,
}

impl ValueSet for Counter {
    type Value = u64;

    fn zero(&mut self) -> u64 {
        0
    }

    fn add(&mut self, sum: &mut u64, value: &u64) {
        *sum += value;
    }

    fn max(&mut self, _variable: usize, alternatives: Vec<u64>) -> u64 {
        if let [only] = alternatives[..] {
            return only;
        }
        let nonzero = alternatives.into_iter().filter(|&terms| terms > 0);
        let (rows, terms) = nonzero.fold((0, 0), |(rows, sum), terms| (rows + 1, sum + terms));
        if rows == 0 {
            return 0;
        }
        self.size.columns += 1;
        self.size.rows += rows;
        self.size.nonzeros += rows + terms;
        1
    }
}

/// The family of constraints of Theorem 1 or 5 over given features.
pub(crate) struct Textbook<'a> {
    normal: &'a Arc<NormalForm>,
    features: Cow<'a, Features>,
    model: Model,
    constraints: Vec<Constraint>,
}

impl<'a> Textbook<'a> {
    pub(crate) fn new(
        normal: &'a Arc<NormalForm>,
        features: Cow<'a, Features>,
    ) -> Result<Self, TooWide> {
        let model = model(normal, &features)?;
        let constraint = |operator| {
            let cost_row = model.cost_row(operator);
            let begin = model.rows(operator).next().map_or(cost_row.0, |row| row.0);
            Constraint { operator, cost_row, max_rows: begin..cost_row.0 }
        };
        let has_rows = |&operator: &OperatorId| model.rows(operator).next().is_some();
        let constraints = normal.operator_ids().filter(has_rows).map(constraint).collect();
        Ok(Self { normal, features, model, constraints })
    }
}

impl ConstraintFamily for Textbook<'_> {
    fn problem(&self) -> &Problem {
        self.model.problem()
    }

    fn problem_mut(&mut self) -> &mut Problem {
        self.model.problem_mut()
    }

    fn weights(&self) -> usize {
        self.features.len()
    }

    fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Whether all facts, except for at most one of each variable, are features.
    fn has_atomic_features(&self) -> bool {
        let features = &*self.features;
        let facts = features.facts();
        let is_atomic = |&feature: &_| features.conjuncts(feature).len() == 1;
        let is_feature = |id| features.mentioning(id).iter().any(is_atomic);
        let missing = |variable| facts.of_variable(variable).filter(|&id| !is_feature(id)).count();
        facts.variable_ids().all(|variable| missing(variable) <= 1)
    }

    fn shares(&self, average: &Average) -> Vec<f64> {
        shares(&self.features, average)
    }

    fn alternative(&self, row: Row) -> Option<Alternative> {
        // The row is Aux − (the sum for one value) ≥ 0: the maximum has the positive sign.
        let (mut maximum, mut feature) = (None, None);
        for (column, value) in self.problem().terms(row) {
            match self.model.letter(column) {
                Letter::Z(_, variable) if value > 0.0 => maximum = Some((column, variable)),
                Letter::Z(..) => {}
                Letter::W(own) => feature = Some(own),
            }
        }
        let (maximum, variable) = maximum?;
        let conjuncts = feature.map_or(&[][..], |feature| self.features.conjuncts(feature));
        let is_own = |&fact: &FactId| self.features.facts().variable(fact) == variable;
        let fact = conjuncts.iter().copied().find(is_own);
        Some(Alternative { maximum, variable, fact })
    }

    fn weight_names(&self) -> Vec<String> {
        let task = self.normal.task();
        self.features.ids().map(|id| format!("w({})", self.features.name(id, task))).collect()
    }

    fn description(&self) -> Vec<String> {
        let equations = if self.features.dimension() <= 2 {
            "Eq. 8 and 9 (Theorem 1) of Pommerening, Helmert and Bonet (AAAI 2017)"
        } else {
            "Eq. 12 and 13 (Theorem 5) of Pommerening, Helmert and Bonet (AAAI 2017)"
        };
        vec![format!("{equations}, over {} features, not reduced.", self.features.len())]
    }

    fn certify(
        &self,
        numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
        helpers: &Helpers,
    ) -> Result<Certified, Violation> {
        let weights = FeatureWeights { normal: self.normal, features: &self.features, numerators };
        certify(self.normal, weights, denominator, costs, helpers)
    }
}

/// The function with these weights over a denominator, which is positive, if every operator
/// allows it as it is. It can come from anywhere: a cost partitioning, for example.
pub fn certify_function(
    normal: &Arc<NormalForm>,
    features: &Features,
    numerators: Vec<i64>,
    denominator: i64,
    costs: Costs,
) -> Result<Certified, Violation> {
    let weights = FeatureWeights { normal, features, numerators };
    certify_as_given(normal, weights, denominator, costs)
}

/// The most that each operator of the normal form takes from a function in any context that
/// mutexes allow, as a numerator; `None` if it has no such context. Fails if elimination takes too
/// much.
pub fn largest_decreases(function: &Certified) -> Result<Vec<Option<i128>>, Violation> {
    let (normal, features) = (function.normal_form(), function.features());
    let weights = FeatureWeights { normal, features, numerators: function.weights().to_vec() };
    let mut decreases = vec![None; normal.task().operators().len()];
    weights.largest_decreases(&Helpers::default(), &mut |operator, decrease| {
        decreases[operator.index()] = Some(decrease);
        Ok(())
    })?;
    Ok(decreases)
}

/// A weight for each feature.
struct FeatureWeights<'a> {
    normal: &'a NormalForm,
    features: &'a Features,
    numerators: Vec<i64>,
}

impl Weights for FeatureWeights<'_> {
    fn absolute_sum(&self) -> i128 {
        self.numerators.iter().map(|&weight| i128::from(weight).abs()).sum()
    }

    fn largest_decreases(
        &self,
        _: &Helpers,
        found: &mut dyn FnMut(OperatorId, i128) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        for operator in self.normal.operator_ids() {
            let Some(domains) = Domains::of_operator(self.normal, operator) else { continue };
            let delta = Delta::new(self.normal, self.features, operator);
            let weight = |feature: FeatureId| i128::from(self.numerators[feature.index()]);
            let decrease = largest_decrease(&delta, self.features.facts(), &domains, weight);
            found(operator, decrease.ok().flatten().ok_or(Violation::TooLarge)?)?;
        }
        Ok(())
    }

    fn value(&self, state: &[Value]) -> i64 {
        let held = true_features(self.features, state).into_iter();
        held.map(|feature| self.numerators[feature.index()]).sum()
    }

    fn expand(self) -> (Features, Vec<i64>) {
        (self.features.clone(), self.numerators)
    }
}
