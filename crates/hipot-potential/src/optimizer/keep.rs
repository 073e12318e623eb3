//! The LP that was solved, for those who want to read it or solve it themselves.

use std::sync::Arc;

use hipot_lp::{Bounds, Problem, Size};

use super::{Aim, Backend, Optimizer, set_objective};
use crate::solved_lp::SolvedLp;

impl Optimizer<'_> {
    /// The LP for the current objective, if the parameters ask for it.
    pub(super) fn kept_lp(&self) -> Option<Arc<SolvedLp>> {
        if !self.params.keeps_lp {
            return None;
        }
        let task = self.normal.task();
        let lp = SolvedLp::new(&*self.family, self.unscaled(), task, self.remarks());
        Some(Arc::new(lp))
    }

    /// The family's LP with the current objective, in units of the task.
    fn unscaled(&self) -> Problem {
        let mut problem = self.family.problem().clone();
        set_objective(&mut problem, &self.objective);
        for column in problem.columns().take(self.family.weights()) {
            let Bounds { lower, upper } = problem.column_bounds(column);
            problem.set_column_bounds(column, lower * self.scale..=upper * self.scale);
        }
        problem
    }

    fn remarks(&self) -> Vec<String> {
        let words = |Size { rows, columns, nonzeros }: Size| {
            format!("{rows} rows, {columns} columns, {nonzeros} nonzeros")
        };
        let objective = match self.aim {
            Aim::State(_) => "the potential of the initial state",
            Aim::Objective => "an average of potentials",
        };
        let mut remarks = vec![
            format!("{}.", words(self.family.problem().size())),
            format!("The objective is {objective}, less the potential of the goal."),
        ];
        let determined = self.substitution.determined_count();
        if determined > 0 {
            remarks.push(format!(
                "Before solving, {determined} weights were substituted that cycles of free operators determine."
            ));
        }
        if let Backend::Highs(highs) = &self.backend
            && let Some(size) = highs.solver.reduced_size()
        {
            remarks.push(format!(
                "Before solving, color refinement merged rows and columns: {}.",
                words(size)
            ));
        }
        remarks
    }
}
