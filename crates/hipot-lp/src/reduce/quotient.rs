//! The quotient of a problem by an equitable partition, and the way back.
//!
//! Rows of a class have the same multiset of coefficients to each class of
//! columns, so the first row of each class determines the quotient's row, and
//! [`Problem::add_row`] sums its coefficients by class. The proofs that the
//! quotient has the same optimum, and that [`Reduced::expand`],
//! [`Reduced::expand_duals`] and [`Reduced::average`] map solutions to
//! solutions, are in the [module's](crate::reduce) essay.
//!
//! A quotient that is hardly smaller does not pay: [`reduce`] counts its
//! nonzeros before it builds it.

use super::partition::Partition;
use crate::{Column, Problem, Row};

/// The largest share of a problem's nonzeros that its quotient may have for
/// [`reduce`] to build it.
pub const WORTHWHILE: f64 = 0.9;

/// The quotient by the coarsest equitable partition; none if it would have more
/// than the share [`WORTHWHILE`] of the nonzeros, so that solving the original
/// problem is better.
///
/// ```
/// use hipot_lp::{Params, Problem, Solver, reduce::reduce};
///
/// // Which parts of three edges cover the three corners of a triangle?
/// let mut problem = Problem::minimize();
/// let edges: Vec<_> = problem.add_columns(3, 1.0, 0.0..).collect();
/// for corner in 0..3 {
///     problem.add_row(1.0.., [(edges[corner], 1.0), (edges[(corner + 1) % 3], 1.0)]);
/// }
/// // All corners are alike, and all edges: minimize 3e subject to 2e ≥ 1.
/// let reduced = reduce(&problem).expect("worthwhile");
/// assert_eq!(reduced.problem().num_nonzeros(), 1);
///
/// let solution = Solver::new(reduced.problem())?.solve(&Params::default());
/// assert_eq!(reduced.expand(&solution.values), [0.5, 0.5, 0.5]);
/// assert_eq!(reduced.expand_duals(&solution.duals), [0.5, 0.5, 0.5]);
/// # Ok::<(), hipot_lp::Error>(())
/// ```
pub fn reduce(problem: &Problem) -> Option<Reduced> {
    let partition = Partition::coarsest(problem);
    let limit = WORTHWHILE * problem.num_nonzeros() as f64;
    let worthwhile = (count_nonzeros(problem, &partition) as f64) <= limit;
    (worthwhile && problem.num_nonzeros() > 0).then(|| Reduced::new(problem, partition))
}

/// A problem with one row and one column for each class of rows and columns of
/// another, and with the same optimum.
#[derive(Clone, Debug)]
pub struct Reduced {
    problem: Problem,
    partition: Partition,
}

impl Reduced {
    /// The quotient by an equitable partition *of this problem*. With the
    /// partition of another problem, the result is meaningless.
    pub fn new(problem: &Problem, partition: Partition) -> Self {
        assert_eq!(partition.num_rows(), problem.num_rows(), "a partition of other rows");
        assert_eq!(partition.num_columns(), problem.num_columns(), "a partition of other columns");
        let mut quotient = Problem::new(problem.sense());
        let nonzeros = count_nonzeros(problem, &partition);
        quotient.reserve(partition.num_row_classes(), partition.num_column_classes(), nonzeros);
        for first in partition.first_columns() {
            let size = partition.column_class_size(partition.column_class(first));
            let objective = f64::from(size) * problem.objective(first);
            quotient.add_column(objective, problem.column_bounds(first));
        }
        for first in partition.first_rows() {
            let terms = problem.terms(first);
            let terms = terms.map(|(column, value)| (partition.column_class(column), value));
            quotient.add_row(problem.row_bounds(first), terms);
        }
        Self { problem: quotient, partition }
    }

    /// The quotient.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The partition: which rows and columns of the quotient stand for which of
    /// the original.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The class of a row: the row of the quotient that stands for it.
    pub fn row_class(&self, row: Row) -> Row {
        self.partition.row_class(row)
    }

    /// The class of a column: the column of the quotient that stands for it.
    pub fn column_class(&self, column: Column) -> Column {
        self.partition.column_class(column)
    }

    /// The point of the original that a point of the quotient stands for: each
    /// column has its class's value. It violates the original's rows and bounds
    /// exactly as much as the quotient's are violated, and the objective is the
    /// same. A ray becomes a ray.
    pub fn expand(&self, values: &[f64]) -> Vec<f64> {
        assert_eq!(values.len(), self.partition.num_column_classes(), "one value per column");
        let classes = (0..self.partition.num_columns() as u32).map(Column);
        classes.map(|column| values[self.column_class(column).index()]).collect()
    }

    /// The original's dual values that dual values of the quotient stand for:
    /// the rows of a class share its value equally. They prove the same
    /// [bound](Problem::dual_bound).
    pub fn expand_duals(&self, duals: &[f64]) -> Vec<f64> {
        assert_eq!(duals.len(), self.partition.num_row_classes(), "one value per row");
        let rows = (0..self.partition.num_rows() as u32).map(Row);
        rows.map(|row| {
            let class = self.row_class(row);
            duals[class.index()] / f64::from(self.partition.row_class_size(class))
        })
        .collect()
    }

    /// The point of the quotient that averages a point of the original over each
    /// class. If the original's is feasible, so is the quotient's, with the same
    /// objective.
    pub fn average(&self, values: &[f64]) -> Vec<f64> {
        assert_eq!(values.len(), self.partition.num_columns(), "one value per column");
        let mut means = vec![0.0; self.partition.num_column_classes()];
        for (column, value) in (0..).map(Column).zip(values) {
            let class = self.column_class(column);
            means[class.index()] += value / f64::from(self.partition.column_class_size(class));
        }
        means
    }
}

/// The number of nonzeros of the quotient, including sums that happen to be zero.
fn count_nonzeros(problem: &Problem, partition: &Partition) -> usize {
    let mut last_row = vec![None; partition.num_column_classes()];
    let mut count = 0;
    for row in partition.first_rows() {
        for (column, _) in problem.terms(row) {
            let last = &mut last_row[partition.column_class(column).index()];
            if *last != Some(row) {
                *last = Some(row);
                count += 1;
            }
        }
    }
    count
}
