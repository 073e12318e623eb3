//! Contradictions between results.
//!
//! A warning says that the claims about one task cannot all be true: somebody's plan, proof,
//! bound or heuristic value is wrong. The report should not be trusted until it is clear whose.

use std::fmt::{self, Display, Formatter};

use super::Report;
use crate::{Record, Status};

/// A contradiction in the results of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The task, an index into [`Report::rows`].
    pub(super) row: usize,
    conflict: Conflict,
}

impl Display for Warning {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.conflict.fmt(out)
    }
}

/// Claims about one task that cannot all be true.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Conflict {
    /// A configuration claims that its plan is optimal, but another one has a cheaper plan.
    Costs {
        /// The configuration with the more expensive plan, and its cost.
        dearer: (String, u64),
        /// The configuration with the cheapest plan, and its cost.
        cheaper: (String, u64),
    },
    /// An initial value or a lower bound is higher than the cost of a plan.
    Bound {
        /// The configuration.
        configuration: String,
        /// "initial value" or "lower bound".
        what: &'static str,
        /// The value.
        value: u64,
        /// The cost of the plan.
        cost: u64,
    },
    /// A configuration says that there is no plan, but another one has a plan.
    Unsolvable {
        /// The configuration that says so.
        configuration: String,
        /// A configuration with a plan.
        solved_by: String,
    },
}

impl Display for Conflict {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Costs { dearer, cheaper } => write!(
                out,
                "{} claims that cost {} is optimal, but {} has a plan of cost {}",
                dearer.0, dearer.1, cheaper.0, cheaper.1
            ),
            Self::Bound { configuration, what, value, cost } => write!(
                out,
                "the {what} of {configuration} is {value}, above the cost {cost} of a plan"
            ),
            Self::Unsolvable { configuration, solved_by } => {
                write!(out, "{configuration} says that there is no plan, but {solved_by} has one")
            }
        }
    }
}

impl Report {
    /// All contradictions, task by task.
    pub fn warnings(&self) -> Vec<Warning> {
        let rows = 0..self.rows.len();
        rows.flat_map(|row| {
            let conflicts = self.conflicts(row);
            conflicts.into_iter().map(move |conflict| Warning { row, conflict })
        })
        .collect()
    }

    fn conflicts(&self, row: usize) -> Vec<Conflict> {
        let plan = |(column, record): (usize, &Record)| {
            let cost = record.measures.cost.filter(|_| record.status == Status::Solved)?;
            Some((cost, column))
        };
        let plans: Vec<(u64, usize)> = self.records_of(row).filter_map(plan).collect();
        let Some(&(cost, cheapest)) = plans.iter().min() else { return Vec::new() };
        let mut conflicts = Vec::new();
        let name = |column: usize| self.columns[column].name.clone();
        for &(dearer, column) in &plans {
            if self.columns[column].is_optimal && dearer > cost {
                let (dearer, cheaper) = ((name(column), dearer), (name(cheapest), cost));
                conflicts.push(Conflict::Costs { dearer, cheaper });
            }
        }
        for (column, record) in self.records_of(row) {
            let configuration = || name(column);
            if record.status == Status::Unsolvable {
                let solved_by = name(cheapest);
                conflicts.push(Conflict::Unsolvable { configuration: configuration(), solved_by });
            }
            let initial = record.measures.initial_h.filter(|_| self.columns[column].is_optimal);
            let bounds = [("initial value", initial), ("lower bound", record.measures.lower_bound)];
            for (what, value) in bounds {
                if let Some(value) = value.filter(|&value| value > cost) {
                    let configuration = configuration();
                    conflicts.push(Conflict::Bound { configuration, what, value, cost });
                }
            }
        }
        conflicts
    }
}
