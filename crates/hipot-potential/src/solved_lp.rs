//! An LP that was solved, with names, for people and other solvers: `hipot bound --write-lp`.
//!
//! A column is the weight of a feature, or of several symmetric ones, or a maximum: z of Eq. 8
//! and 9, Aux of Eq. 11 to 13. A row bounds what an operator takes from φ by its cost (`cost`),
//! or a maximum from below by one of its alternatives (`max`). Margins are not part of this LP:
//! they belong to the way in which it is solved.

use std::io::{self, Write};

use hipot_lp::{Column, Problem, write_lp};
use hipot_task::Task;

use crate::family::ConstraintFamily;

/// An LP with names for its rows and columns, and remarks about where it comes from.
#[derive(Clone, Debug)]
pub struct SolvedLp {
    problem: Problem,
    columns: Vec<String>,
    rows: Vec<String>,
    remarks: Vec<String>,
}

impl SolvedLp {
    /// `problem` is the LP of `family`, perhaps with another objective.
    pub(crate) fn new(
        family: &dyn ConstraintFamily,
        problem: Problem,
        task: &Task,
        mut remarks: Vec<String>,
    ) -> Self {
        let mut columns = family.weight_names();
        columns.extend((columns.len()..problem.num_columns()).map(|number| format!("z#{number}")));
        let mut rows = vec![String::new(); problem.num_rows()];
        for constraint in family.constraints() {
            let operator = &task.operator(constraint.operator).name;
            let cost_row = constraint.cost_row.index();
            rows[cost_row] = format!("cost({operator})#{cost_row}");
            // Operators may share these rows; the first one names them.
            for row in constraint.max_rows() {
                if !rows[row.index()].is_empty() {
                    continue;
                }
                rows[row.index()] = format!("max({operator})#{}", row.index());
                let is_maximum =
                    |&(column, value): &(Column, f64)| value > 0.0 && !family.is_weight(column);
                if let Some((maximum, _)) = problem.terms(row).find(is_maximum) {
                    columns[maximum.index()] = format!("z({operator})#{}", maximum.index());
                }
            }
        }
        remarks.splice(0..0, family.description());
        Self { problem, columns, rows, remarks }
    }

    /// The LP.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Writes the LP in CPLEX LP format, with remarks as comments.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for remark in &self.remarks {
            writeln!(out, "\\ {remark}")?;
        }
        let column = |column: Column| self.columns[column.index()].clone();
        write_lp(&self.problem, out, column, |row| self.rows[row.index()].clone())
    }
}
