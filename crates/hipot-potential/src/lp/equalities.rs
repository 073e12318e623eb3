//! The equations that cycles of free operators force.
//!
//! A *free* operator costs nothing. Take only the constraints of free operators.
//! They are homogeneous, so their solutions form a cone, and a row is either
//! strict somewhere in the cone or an equality in all of it (*implicit*). The
//! sum of solutions that are strict in one row each is strict in all of these
//! rows at once. So one LP distinguishes them: give each row a slack
//! 0 ≤ t ≤ 1 and maximize the sum of slacks. Since solutions can be scaled up,
//! t is 1 for rows that can be strict and 0 for implicit equalities.
//!
//! Most free operators need no LP: if there are all atomic features, only those on
//! cycles ([`free_operators`](crate::free_operators)) can be equalities. Many tasks
//! have none. And those that another one undoes ([`inverses`](super::inverses)) are
//! equalities for certain.

use hipot_lp::{Bounds, Column, Params, Problem, Row, Solver};
use hipot_task::OperatorId;

use super::inverses::Inverses;
use crate::certify::Costs;
use crate::family::{Constraint, ConstraintFamily};
use crate::free_operators::FreeOperators;
use crate::normal_form::NormalForm;

/// The implicit equalities, as sparse rows Σ a_j w_j = 0, and the operators
/// that they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Equalities {
    pub(crate) rows: Vec<Vec<(usize, i64)>>,
    /// For each operator of the task, whether its constraint is an implicit equality.
    pub(crate) is_tight: Vec<bool>,
    /// Rows of tight operators that can be strict nevertheless: alternatives of
    /// their maxima that need not be the largest.
    pub(crate) strict: Vec<Origin>,
}

/// Where a homogeneous row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A row of the LP.
    Row(Row),
    /// The bound 0 of a column of the LP.
    Bound(Column),
}

/// The equations that the free operators force; `None` if the LP could not be solved.
pub(crate) fn equalities(
    normal: &NormalForm,
    family: &dyn ConstraintFamily,
    costs: Costs,
    params: &Params,
) -> Option<Equalities> {
    let free: Vec<OperatorId> = if family.has_atomic_features() {
        FreeOperators::new(normal, costs).on_cycles
    } else {
        normal.operator_ids().filter(|&id| costs.of(normal, id) == 0).collect()
    };
    let is_tight = vec![false; normal.task().operators().len()];
    let mut found = Equalities { is_tight, ..Equalities::default() };
    if free.is_empty() {
        return Some(found);
    }
    let is_candidate = |it: &&Constraint| free.binary_search(&it.operator).is_ok();
    let candidates: Vec<&Constraint> = family.constraints().iter().filter(is_candidate).collect();
    if candidates.is_empty() {
        return Some(found);
    }
    let mut slack = Slack::new(family, &candidates);
    let inverses = Inverses::new(normal, &free);
    let is_undone = |it: &Constraint| inverses.has_inverse(it.operator);
    let is_known = slack.known(family, &candidates, is_undone);
    let is_implicit = slack.implicit(is_known, params)?;
    // The rows of the maxima of tight operators.
    let mut is_forced = vec![false; family.problem().num_rows()];
    for (constraint, &row) in candidates.iter().zip(&slack.cost_rows) {
        if is_implicit[row] {
            found.is_tight[constraint.operator.index()] = true;
            constraint.max_rows().for_each(|row| is_forced[row.index()] = true);
        }
    }
    for (row, terms) in slack.rows.iter().enumerate() {
        if is_implicit[row] {
            found.rows.push(terms.clone());
        } else if is_forced[slack.owners[row].index()] {
            found.strict.push(slack.origins[row]);
        }
    }
    Some(found)
}

/// The LP that maximizes the slacks.
struct Slack {
    problem: Problem,
    /// The homogeneous rows Σ a_j x_j, over the columns of the family.
    rows: Vec<Vec<(usize, i64)>>,
    /// The slack of each row.
    slacks: Vec<Column>,
    origins: Vec<Origin>,
    /// For each row, the row of the family for which it was added.
    owners: Vec<Row>,
    /// For each candidate, the row of its cost.
    cost_rows: Vec<usize>,
    /// The rows of `problem`.
    own_rows: Vec<Row>,
}

impl Slack {
    fn new(family: &dyn ConstraintFamily, candidates: &[&Constraint]) -> Self {
        let mut slack = Self {
            problem: Problem::maximize(),
            rows: Vec::new(),
            slacks: Vec::new(),
            origins: Vec::new(),
            owners: Vec::new(),
            cost_rows: Vec::new(),
            own_rows: Vec::new(),
        };
        let mut columns: Vec<Option<Column>> = vec![None; family.problem().num_columns()];
        let mut is_added = vec![false; family.problem().num_rows()];
        for constraint in candidates {
            // Rows are Σ ≥ 0 (maxima) or Σ ≤ 0 (costs).
            for row in constraint.max_rows() {
                if !std::mem::replace(&mut is_added[row.index()], true) {
                    slack.add(family, &mut columns, row, -1.0);
                }
            }
            slack.cost_rows.push(slack.rows.len());
            slack.add(family, &mut columns, constraint.cost_row, 1.0);
        }
        slack
    }

    /// The rows that are equalities because their operators are undone by others.
    fn known(
        &self,
        family: &dyn ConstraintFamily,
        candidates: &[&Constraint],
        is_undone: impl Fn(&Constraint) -> bool,
    ) -> Vec<bool> {
        let problem = family.problem();
        // Operators of a group share rows, but not all of them have all maxima.
        let mut is_tight = vec![false; problem.num_columns()];
        let mut is_known = vec![false; self.rows.len()];
        for (constraint, &row) in candidates.iter().zip(&self.cost_rows) {
            if is_undone(constraint) {
                is_known[row] = true;
                let maxima = problem.terms(constraint.cost_row).map(|(column, _)| column);
                for column in maxima.filter(|&it| !family.is_weight(it)) {
                    is_tight[column.index()] = true;
                }
            }
        }
        let mut is_cost = vec![false; self.rows.len()];
        self.cost_rows.iter().for_each(|&row| is_cost[row] = true);
        let is_tight_maximum =
            |&(column, _): &(usize, i64)| column >= family.weights() && is_tight[column];
        for (row, terms) in self.rows.iter().enumerate().filter(|(row, _)| !is_cost[*row]) {
            is_known[row] = terms.iter().any(is_tight_maximum);
        }
        is_known
    }

    /// Whether each row is an implicit equality, if this is known of some; `None` if the LP could
    /// not be solved.
    fn implicit(&mut self, mut is_known: Vec<bool>, params: &Params) -> Option<Vec<bool>> {
        if is_known.iter().all(|&it| it) {
            return Some(is_known);
        }
        for (row, _) in is_known.iter().enumerate().filter(|(_, is_known)| **is_known) {
            self.problem.set_column_bounds(self.slacks[row], 0.0..=0.0);
            self.problem.set_row_bounds(self.own_rows[row], 0.0..=0.0);
        }
        let solution = Solver::new(&self.problem).ok()?.solve(params);
        if !solution.is_optimal() {
            return None;
        }
        for (row, is_implicit) in is_known.iter_mut().enumerate() {
            *is_implicit |= solution.values[self.slacks[row].index()] < 0.5;
        }
        Some(is_known)
    }

    /// Adds sign · Σ ≤ −t, and the bounds of new columns as rows of their own.
    fn add(
        &mut self,
        family: &dyn ConstraintFamily,
        columns: &mut [Option<Column>],
        row: Row,
        sign: f64,
    ) {
        let mut bounded = Vec::new();
        let (mut own_terms, mut terms) = (Vec::new(), Vec::new());
        for (column, value) in family.problem().terms(row) {
            let own = *columns[column.index()].get_or_insert_with(|| {
                if !family.is_weight(column) && family.problem().column_bounds(column).lower == 0.0
                {
                    bounded.push(column);
                }
                self.problem.add_column(0.0, Bounds::FREE)
            });
            own_terms.push((own, sign * value));
            terms.push((column.index(), value as i64));
        }
        self.end_row(own_terms, terms, Origin::Row(row), row);
        for column in bounded {
            let own = columns[column.index()].expect("added above");
            let terms = vec![(column.index(), 1)];
            self.end_row(vec![(own, -1.0)], terms, Origin::Bound(column), row);
        }
    }

    fn end_row(
        &mut self,
        mut row: Vec<(Column, f64)>,
        terms: Vec<(usize, i64)>,
        origin: Origin,
        owner: Row,
    ) {
        let slack = self.problem.add_column(1.0, 0.0..=1.0);
        row.push((slack, 1.0));
        self.slacks.push(slack);
        self.rows.push(terms);
        self.origins.push(origin);
        self.owners.push(owner);
        self.own_rows.push(self.problem.add_row(..=0.0, row));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hipot_lp::Accepts;
    use hipot_task::Limits;
    use hipot_testing::RandomTask;

    use super::*;
    use crate::feature_set::{FeatureLp, FeatureSet};

    /// What is known without an LP is what the LP finds.
    #[test]
    fn operators_that_others_undo_are_equalities() {
        let (mut known, mut unknown) = (0, 0);
        for seed in 0..200 {
            let shape = RandomTask { operators: 60, percent_free: 70, ..RandomTask::default() };
            let normal = Arc::new(NormalForm::plain(&shape.generate(seed)).unwrap());
            let params = crate::params::Params::default();
            let features = FeatureSet::UpTo(2);
            let lp = FeatureLp::new(&normal, features, &params, &Limits::none()).unwrap();
            let free = FreeOperators::new(&normal, Costs::Given).on_cycles;
            let is_candidate = |it: &&Constraint| free.binary_search(&it.operator).is_ok();
            let candidates: Vec<_> = lp.family.constraints().iter().filter(is_candidate).collect();
            if candidates.is_empty() {
                continue;
            }
            let inverses = Inverses::new(&normal, &free);
            let mut slack = Slack::new(&*lp.family, &candidates);
            let nothing = vec![false; slack.rows.len()];
            let is_undone = |it: &Constraint| inverses.has_inverse(it.operator);
            let is_known = slack.known(&*lp.family, &candidates, is_undone);
            let params = Params { accepts: Accepts::Optimal, ..Params::default() };
            let found = slack.implicit(nothing, &params).unwrap();
            assert_eq!(found, slack.implicit(is_known.clone(), &params).unwrap(), "seed {seed}");
            known += is_known.iter().filter(|&&it| it).count();
            unknown +=
                found.iter().zip(&is_known).filter(|(found, known)| **found && !**known).count();
        }
        assert!(known > 100 && unknown > 0, "{known} known, {unknown} others");
    }
}
