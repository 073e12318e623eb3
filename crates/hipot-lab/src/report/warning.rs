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
    /// A plan has another cost than the given optimal one: it is cheaper, or claims to be
    /// optimal.
    Given {
        /// The configuration that has the plan.
        configuration: String,
        /// The plan's cost.
        cost: u64,
        /// The optimal cost that is given.
        given: u64,
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
            Self::Given { configuration, cost, given } => write!(
                out,
                "{configuration} has a plan of cost {cost}, but the optimal cost is given as {given}"
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
        let mut conflicts = Vec::new();
        if let Some(&cheapest) = plans.iter().min() {
            self.compare_plans(&plans, cheapest, &mut conflicts);
        }
        if let Some(given) = self.rows[row].given {
            self.compare_with_given(&plans, given, &mut conflicts);
        }
        let costs = plans.iter().map(|&(cost, _)| cost).chain(self.rows[row].given);
        if let Some(cost) = costs.min() {
            self.find_high_bounds(row, cost, &mut conflicts);
        }
        if let Some(&(_, solver)) = plans.iter().min() {
            self.find_unsolvable(row, solver, &mut conflicts);
        }
        conflicts
    }

    fn configuration(&self, column: usize) -> String {
        self.columns[column].name.clone()
    }

    /// Plans that are claimed to be optimal but cost more than another.
    fn compare_plans(
        &self,
        plans: &[(u64, usize)],
        (cost, cheapest): (u64, usize),
        conflicts: &mut Vec<Conflict>,
    ) {
        for &(dearer, column) in plans {
            if self.columns[column].is_optimal && dearer > cost {
                let dearer = (self.configuration(column), dearer);
                let cheaper = (self.configuration(cheapest), cost);
                conflicts.push(Conflict::Costs { dearer, cheaper });
            }
        }
    }

    /// Plans that contradict the given optimal cost.
    fn compare_with_given(
        &self,
        plans: &[(u64, usize)],
        given: u64,
        conflicts: &mut Vec<Conflict>,
    ) {
        for &(cost, column) in plans {
            if cost < given || cost > given && self.columns[column].is_optimal {
                let configuration = self.configuration(column);
                conflicts.push(Conflict::Given { configuration, cost, given });
            }
        }
    }

    /// Claims that there is no plan, though `solver` has one.
    fn find_unsolvable(&self, row: usize, solver: usize, conflicts: &mut Vec<Conflict>) {
        for (column, record) in self.records_of(row) {
            if record.status == Status::Unsolvable {
                let configuration = self.configuration(column);
                let solved_by = self.configuration(solver);
                conflicts.push(Conflict::Unsolvable { configuration, solved_by });
            }
        }
    }

    /// Initial values and lower bounds above the cost of a plan.
    fn find_high_bounds(&self, row: usize, cost: u64, conflicts: &mut Vec<Conflict>) {
        for (column, record) in self.records_of(row) {
            let initial = record.measures.initial_h.filter(|_| self.columns[column].is_optimal);
            let bounds = [("initial value", initial), ("lower bound", record.measures.lower_bound)];
            for (what, value) in bounds {
                if let Some(value) = value.filter(|&value| value > cost) {
                    let configuration = self.configuration(column);
                    conflicts.push(Conflict::Bound { configuration, what, value, cost });
                }
            }
        }
    }
}
