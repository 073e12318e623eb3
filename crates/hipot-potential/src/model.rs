//! The textbook LP over the weights of a potential function.
//!
//! A [`Model`] is a [`Problem`] whose columns carry the paper's letters: w(f)
//! for each feature, z for the maxima of Theorem 1, Aux for those of Theorem 5.
//! [`textbook::model`](crate::textbook::model) fills it, operator by operator;
//! the constraints themselves are in [`binary`](crate::binary) and
//! [`general`](crate::general).
//!
//! *Layout.* The columns w(f) come first, in the order of the features; z and
//! Aux follow as they are needed. The rows of an operator are contiguous: first
//! those of its maxima (Eq. 9 or 13), last the one that bounds its decrease by
//! its cost (Eq. 8 or 12). So a range of rows per operator is enough to find
//! either kind, and to name rows when the LP is written to a file.
//!
//! *Departure from the paper.* There is no row for goal-awareness (Eq. 1). A
//! potential function here has a constant, which cancels in all consistency
//! constraints. So the LP maximizes φ(s) − φ(s_⋆), and afterwards the constant
//! is chosen so that φ(s_⋆) = 0.

use std::ops::Range;

use hipot_lp::{Bounds, Column, Problem, Row};
use hipot_task::{OperatorId, Task, VariableId};

use crate::feature::{FeatureId, Features};

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
    /// The rows of each operator; the last one is that of Eq. 8 or 12.
    operator_rows: Vec<Range<u32>>,
}

impl Model {
    /// An LP with a free column w(f) for each feature, objective 0 and no rows.
    pub fn new(features: &Features) -> Self {
        let mut problem = Problem::maximize();
        let _ = problem.add_columns(features.len(), 0.0, ..);
        let letters = features.ids().map(Letter::W).collect();
        Self { problem, letters, operator_rows: Vec::new() }
    }

    /// Ends an operator: the rows added since the last call are its rows. An operator that
    /// is never applicable has none.
    pub fn end_operator(&mut self) {
        let begin = self.operator_rows.last().map_or(0, |rows| rows.end);
        self.operator_rows.push(begin..self.problem.num_rows() as u32);
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

    /// The LP itself, mutable.
    pub fn problem_mut(&mut self) -> &mut Problem {
        &mut self.problem
    }

    /// All rows of an operator.
    pub fn rows(&self, operator: OperatorId) -> impl Iterator<Item = Row> + use<> {
        self.operator_rows[operator.index()].clone().map(Row)
    }

    /// The row that bounds an operator's decrease of φ by its cost.
    pub fn cost_row(&self, operator: OperatorId) -> Row {
        Row(self.operator_rows[operator.index()].end - 1)
    }

    /// A row's name, made from names of the task.
    pub fn row_name(&self, row: Row, task: &Task) -> String {
        let index = self.operator_rows.partition_point(|rows| rows.end <= row.index() as u32);
        let operator = OperatorId::new(index);
        let name = &task.operator(operator).name;
        let kind = if row == self.cost_row(operator) { "cost" } else { "max" };
        format!("{kind}({name})#{}", row.index())
    }

    /// A column's name, made from names of the task.
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
