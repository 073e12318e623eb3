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
//! have none.

use hipot_lp::{Bounds, Column, Params, Problem, Row, Solver};
use hipot_task::OperatorId;

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
    let slack = Slack::new(family, &candidates);
    let mut solver = Solver::new(&slack.problem).ok()?;
    let solution = solver.solve(params);
    if !solution.is_optimal() {
        return None;
    }
    let is_implicit = |row: usize| solution.values[slack.slacks[row].index()] < 0.5;
    // The rows of the maxima of tight operators.
    let mut is_forced = vec![false; family.problem().num_rows()];
    for (constraint, &row) in candidates.iter().zip(&slack.cost_rows) {
        if is_implicit(row) {
            found.is_tight[constraint.operator.index()] = true;
            constraint.max_rows().for_each(|row| is_forced[row.index()] = true);
        }
    }
    for (row, terms) in slack.rows.iter().enumerate() {
        if is_implicit(row) {
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
        self.problem.add_row(..=0.0, row);
    }
}
