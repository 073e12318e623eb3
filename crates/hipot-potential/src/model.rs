//! The LP over the weights of a potential function.
//!
//! Columns carry the paper's letters: w(f) for each feature, z for the bounds
//! of Theorem 1, Aux for those of Theorem 5. There is no row for
//! goal-awareness (Eq. 1): a potential function here has a constant, so the
//! LP maximizes φ(s) − φ(s_⋆) and the constant becomes −φ(s_⋆) afterwards.

use std::ops::Range;

use hipot_lp::{Bounds, Column, Problem, Row};
use hipot_task::{OperatorId, Task, VariableId};

use crate::binary;
use crate::contexts::{Domains, TooWide, maximize};
use crate::delta::Delta;
use crate::elimination::ValueSet;
use crate::feature::{FeatureId, Features};
use crate::general;
use crate::pairs::Exclusions;

/// What a column stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// w(f).
    W(FeatureId),
    /// z_V^o of Eq. 8 and 9, or Aux_{V,ν} for operator o of Eq. 11 to 13.
    Z(OperatorId, VariableId),
}

/// The LP that characterizes the consistent potential functions over a set of
/// features.
#[derive(Debug)]
pub struct Model {
    problem: Problem,
    letters: Vec<Letter>,
    /// The rows of each operator; the last one is Eq. 8 or 12.
    operator_rows: Vec<Range<u32>>,
}

impl Model {
    /// The LP for the TNF task `task`; its objective is 0.
    pub fn new(task: &Task, features: &Features) -> Result<Self, TooWide> {
        Self::with_exclusions(task, features, &Exclusions::default())
    }

    /// The same for states without mutexes. Operators that are never applied
    /// have no rows.
    pub(crate) fn with_exclusions(
        task: &Task,
        features: &Features,
        exclusions: &Exclusions,
    ) -> Result<Self, TooWide> {
        let mut problem = Problem::maximize();
        for _ in features.ids() {
            problem.add_column(0.0, ..);
        }
        let letters = features.ids().map(Letter::W).collect();
        let mut model = Self { problem, letters, operator_rows: Vec::new() };
        for operator in task.operator_ids() {
            let begin = model.problem.num_rows() as u32;
            let domains = Domains::of_operator(task, features.facts(), operator, exclusions);
            if let Some(domains) = domains {
                let delta = Delta::new(task, features, operator);
                let cost = f64::from(task.operator(operator).cost);
                if features.dimension() <= 2 {
                    binary::add_operator(&mut model, features, &domains, operator, cost, &delta);
                } else {
                    general::add_operator(&mut model, features, &domains, operator, cost, &delta)?;
                }
            }
            model.operator_rows.push(begin..model.problem.num_rows() as u32);
        }
        Ok(model)
    }

    /// The column w(f).
    pub fn w(&self, feature: FeatureId) -> Column {
        Column(feature.index() as u32)
    }

    /// A new column z_V^o, or Aux for this operator and variable.
    pub fn z(&mut self, operator: OperatorId, variable: VariableId, bounds: Bounds) -> Column {
        self.letters.push(Letter::Z(operator, variable));
        self.problem.add_column(0.0, bounds)
    }

    /// What a column stands for.
    pub fn letter(&self, column: Column) -> Letter {
        self.letters[column.index()]
    }

    /// Adds a row.
    pub fn add_row(&mut self, bounds: impl Into<Bounds>, terms: &[(Column, f64)]) -> Row {
        self.problem.add_row(bounds, terms.iter().copied())
    }

    /// The LP itself.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The LP itself.
    pub fn problem_mut(&mut self) -> &mut Problem {
        &mut self.problem
    }

    /// All rows of an operator.
    pub fn rows(&self, operator: OperatorId) -> impl Iterator<Item = Row> + use<> {
        self.operator_rows[operator.index()].clone().map(Row)
    }

    /// The row that bounds what an operator takes from φ by its cost.
    pub fn cost_row(&self, operator: OperatorId) -> Row {
        Row(self.operator_rows[operator.index()].end - 1)
    }

    /// A row's name in the task's words.
    pub fn row_name(&self, row: Row, task: &Task) -> String {
        let index = self.operator_rows.partition_point(|rows| rows.end <= row.index() as u32);
        let operator = OperatorId::new(index);
        let name = &task.operator(operator).name;
        let kind = if row == self.cost_row(operator) { "cost" } else { "max" };
        format!("{kind}({name})#{}", row.index())
    }

    /// A column's name in the task's words.
    pub fn column_name(&self, column: Column, task: &Task, features: &Features) -> String {
        match self.letter(column) {
            Letter::W(feature) => format!("w({})", features.name(feature, task)),
            Letter::Z(operator, variable) => {
                let (operator, variable) = (task.operator(operator), task.variable(variable));
                format!("z({}, {})#{}", operator.name, variable.name, column.index())
            }
        }
    }
}

/// The size of an LP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// Nonzeros.
    pub nonzeros: u64,
}

/// The exact size of [`Model::new`], computed without building it: the same
/// elimination, over the number of terms in each expression.
pub fn predict(task: &Task, features: &Features) -> Result<Size, TooWide> {
    predict_with(task, features, &Exclusions::default())
}

/// The same for states without mutexes.
pub(crate) fn predict_with(
    task: &Task,
    features: &Features,
    exclusions: &Exclusions,
) -> Result<Size, TooWide> {
    let mut counter = Counter { size: Size { columns: features.len() as u64, ..Size::default() } };
    for operator in task.operator_ids() {
        let domains = Domains::of_operator(task, features.facts(), operator, exclusions);
        let Some(domains) = domains else { continue };
        let delta = Delta::new(task, features, operator);
        let terms = maximize(&delta, features.facts(), &domains, &mut counter, |_, _| 1)?;
        counter.size.rows += 1;
        counter.size.nonzeros += delta.independent.len() as u64 + terms;
    }
    Ok(counter.size)
}

/// Expressions as the number of their terms.
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
