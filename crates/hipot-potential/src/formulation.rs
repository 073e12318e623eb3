//! An LP over weights, and the way back from numbers to an exact function.

use std::ops::Range;

use hipot_lp::{Column, Problem, Row};
use hipot_task::{OperatorId, Task, Value};

use crate::certify::{Costs, Violation, certify};
use crate::contexts::TooWide;
use crate::feature::Features;
use crate::function::PotentialFunction;
use crate::model::Model;
use crate::objective::{Average, maximize_in_state, shares};
use crate::pairs::Exclusions;

/// The constraint of one operator.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    /// The operator of the TNF task.
    pub(crate) operator: OperatorId,
    /// The row that bounds what it takes from φ by its cost: Eq. 8 or 12.
    pub(crate) cost_row: Row,
    /// The rows of its maxima: Eq. 9 or 13. Operators may share them.
    pub(crate) max_rows: Range<u32>,
}

impl Constraint {
    /// The rows of the maxima.
    pub(crate) fn max_rows(&self) -> impl Iterator<Item = Row> + use<> {
        self.max_rows.clone().map(Row)
    }
}

/// An LP whose solutions are the weights of consistent potential functions,
/// and which maximizes φ(s) − φ(s_⋆) for some state s.
pub(crate) trait Formulation {
    /// The LP.
    fn problem(&self) -> &Problem;

    /// How many columns are weights: the first ones.
    fn weights(&self) -> usize;

    /// The operators that have constraints. What these imply for the others is
    /// implied in exact arithmetic too.
    fn constraints(&self) -> &[Constraint];

    /// Whether all features of size 1 are there, but for one value a variable.
    fn has_atomic_features(&self) -> bool;

    /// How often the features of each weight are true, on average.
    fn shares(&self, average: &Average) -> Vec<f64>;

    /// The function with `numerators` / `denominator` as weights; checks every
    /// operator of the task, see [`certify`].
    fn certify(
        &self,
        numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
    ) -> Result<PotentialFunction, Violation>;

    /// Whether a column is a weight, and not a maximum.
    fn is_weight(&self, column: Column) -> bool {
        column.index() < self.weights()
    }
}

/// The LP of Theorem 1 or 5 over given features.
pub(crate) struct OverFeatures<'a> {
    task: &'a Task,
    features: &'a Features,
    exclusions: Exclusions,
    model: Model,
    constraints: Vec<Constraint>,
}

impl<'a> OverFeatures<'a> {
    pub(crate) fn new(
        task: &'a Task,
        features: &'a Features,
        exclusions: Exclusions,
        state: &[Value],
    ) -> Result<Self, TooWide> {
        let mut model = Model::with_exclusions(task, features, &exclusions)?;
        let goal: Vec<Value> = task.goal().iter().map(|fact| fact.value).collect();
        maximize_in_state(&mut model, features, state, &goal);
        let constraint = |operator| {
            let cost_row = model.cost_row(operator);
            let begin = model.rows(operator).next().map_or(cost_row.0, |row| row.0);
            Constraint { operator, cost_row, max_rows: begin..cost_row.0 }
        };
        let has_rows = |&operator: &OperatorId| model.rows(operator).next().is_some();
        let constraints = task.operator_ids().filter(has_rows).map(constraint).collect();
        Ok(Self { task, features, exclusions, model, constraints })
    }

    /// What rows and columns stand for.
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// The features.
    pub(crate) fn features(&self) -> &Features {
        self.features
    }
}

impl Formulation for OverFeatures<'_> {
    fn problem(&self) -> &Problem {
        self.model.problem()
    }

    fn weights(&self) -> usize {
        self.features.len()
    }

    fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Whether every fact but one of each variable is a feature.
    fn has_atomic_features(&self) -> bool {
        let features = self.features;
        let facts = features.facts();
        let is_atomic = |&feature: &_| features.conjuncts(feature).len() == 1;
        let is_feature = |id| features.mentioning(id).iter().any(is_atomic);
        let missing = |variable| facts.of_variable(variable).filter(|&id| !is_feature(id)).count();
        self.task.variable_ids().all(|variable| missing(variable) <= 1)
    }

    fn shares(&self, average: &Average) -> Vec<f64> {
        shares(self.features, average)
    }

    fn certify(
        &self,
        numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
    ) -> Result<PotentialFunction, Violation> {
        certify(self.task, self.features, &self.exclusions, numerators, denominator, costs)
    }
}
