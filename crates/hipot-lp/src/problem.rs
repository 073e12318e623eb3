//! Linear programs: an objective, columns with bounds, rows with bounds.
//!
//! ```text
//! minimize or maximize   Σ_j c_j x_j
//! subject to             l_i ≤ Σ_j a_ij x_j ≤ u_i     for every row i
//!                        l_j ≤ x_j ≤ u_j              for every column j
//! ```
//!
//! The matrix is stored by rows, in the three arrays of the compressed sparse
//! row format (row starts, column numbers, coefficients). Constraints are
//! written one after the other, so this is the natural order; and it is the
//! layout that a solver accepts, so [`Solver::new`](crate::Solver::new) passes
//! pointers to these arrays and builds nothing in between.
//!
//! Two conventions keep the matrix clean whatever the caller writes:
//! coefficients of a column that occurs *more than once* in a row are summed,
//! and terms whose coefficient is *zero*, perhaps after summing, are dropped.
//! A constraint on the change of a potential function relies on both: it
//! subtracts the features that hold after an operator from those that hold
//! before, and equal ones cancel.
//!
//! Summing needs no hash table and no sorting. `places` remembers where each
//! column was last written. It is never reset: an entry counts only if it
//! points into the row being written *and* that place holds the same column.
//! So adding a term takes constant time, and columns stay in the order in
//! which the row first names them.
//!
//! Besides the program itself, a [`Problem`] offers weak duality,
//! [`Problem::dual_bound`]: from any dual values it computes a bound on the
//! optimum without trusting a solver's status.

use std::ops::{RangeFrom, RangeFull, RangeInclusive, RangeToInclusive};

/// The place of a column that has not occurred in any row.
const NOWHERE: u32 = u32::MAX;

/// The index of a column (a variable of the linear program).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Column(pub u32);

/// The index of a row (a constraint of the linear program).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Row(pub u32);

impl Column {
    /// Its position in a vector with one entry per column.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Row {
    /// Its position in a vector with one entry per row.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The direction of optimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Find the smallest value of the objective.
    Minimize,
    /// Find the largest value of the objective.
    Maximize,
}

/// A closed interval, either end of which may be infinite.
///
/// Made from ranges: `0.0..=1.0`, `0.0..`, `..=1.0`, `..`. An equality is
/// [`Bounds::equal`]. An empty interval is allowed and makes the problem
/// infeasible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The smallest value, or −∞.
    pub lower: f64,
    /// The largest value, or +∞.
    pub upper: f64,
}

impl Bounds {
    /// No bounds at all.
    pub const FREE: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Exactly this value.
    pub const fn equal(value: f64) -> Self {
        Self { lower: value, upper: value }
    }

    /// Whether neither end is finite.
    pub fn is_free(self) -> bool {
        self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY
    }

    /// How far `value` lies outside; 0 if inside.
    pub fn violation(self, value: f64) -> f64 {
        (self.lower - value).max(value - self.upper).max(0.0)
    }

    /// The end at which `slope · x` is smallest.
    fn minimizer(self, slope: f64) -> f64 {
        if slope >= 0.0 { self.lower } else { self.upper }
    }

    fn check(self) {
        assert!(!self.lower.is_nan() && !self.upper.is_nan(), "a bound is not a number: {self:?}");
        assert!(
            self.lower < f64::INFINITY && self.upper > f64::NEG_INFINITY,
            "an infinite bound on the wrong side: {self:?}"
        );
    }
}

impl From<RangeInclusive<f64>> for Bounds {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self { lower: *range.start(), upper: *range.end() }
    }
}

impl From<RangeFrom<f64>> for Bounds {
    fn from(range: RangeFrom<f64>) -> Self {
        Self { lower: range.start, ..Self::FREE }
    }
}

impl From<RangeToInclusive<f64>> for Bounds {
    fn from(range: RangeToInclusive<f64>) -> Self {
        Self { upper: range.end, ..Self::FREE }
    }
}

impl From<RangeFull> for Bounds {
    fn from(_: RangeFull) -> Self {
        Self::FREE
    }
}

/// The size of a linear program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The number of rows.
    pub rows: u64,
    /// The number of columns.
    pub columns: u64,
    /// The number of nonzero coefficients.
    pub nonzeros: u64,
}

/// A linear program.
///
/// # Panics
///
/// Functions panic on what can only be a programming error: a column or row
/// that does not exist, a coefficient that is not finite, a bound that is not
/// a number, more than 2³¹ − 1 columns, rows or nonzeros (the solver's limit).
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) sense: Sense,
    pub(crate) objective: Vec<f64>,
    pub(crate) column_lower: Vec<f64>,
    pub(crate) column_upper: Vec<f64>,
    pub(crate) row_lower: Vec<f64>,
    pub(crate) row_upper: Vec<f64>,
    /// Where each row starts in `columns` and `values`, then the end of the last row.
    pub(crate) starts: Vec<u32>,
    pub(crate) columns: Vec<Column>,
    pub(crate) values: Vec<f64>,
    /// Where in `columns` each column was last written.
    places: Vec<u32>,
}

impl Problem {
    /// A problem without rows or columns.
    pub fn new(sense: Sense) -> Self {
        Self {
            sense,
            objective: Vec::new(),
            column_lower: Vec::new(),
            column_upper: Vec::new(),
            row_lower: Vec::new(),
            row_upper: Vec::new(),
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            places: Vec::new(),
        }
    }

    /// A maximization problem without rows or columns.
    pub fn maximize() -> Self {
        Self::new(Sense::Maximize)
    }

    /// A minimization problem without rows or columns.
    pub fn minimize() -> Self {
        Self::new(Sense::Minimize)
    }

    /// Reserves memory for this many more rows, columns and nonzeros.
    pub fn reserve(&mut self, rows: usize, columns: usize, nonzeros: usize) {
        self.row_lower.reserve(rows);
        self.row_upper.reserve(rows);
        self.starts.reserve(rows);
        self.objective.reserve(columns);
        self.column_lower.reserve(columns);
        self.column_upper.reserve(columns);
        self.places.reserve(columns);
        self.columns.reserve(nonzeros);
        self.values.reserve(nonzeros);
    }

    /// Adds a column with its objective coefficient and bounds.
    pub fn add_column(&mut self, objective: f64, bounds: impl Into<Bounds>) -> Column {
        let column = Column(small(self.num_columns()));
        self.extend_columns(1, objective, bounds.into());
        column
    }

    /// Adds `count` identical columns; returns them in order.
    pub fn add_columns<B: Into<Bounds>>(
        &mut self,
        count: usize,
        objective: f64,
        bounds: B,
    ) -> impl ExactSizeIterator<Item = Column> + Clone + use<B> {
        let first = self.num_columns();
        let numbers = small(first)..small(first + count);
        self.extend_columns(count, objective, bounds.into());
        numbers.map(Column)
    }

    fn extend_columns(&mut self, count: usize, objective: f64, bounds: Bounds) {
        assert!(objective.is_finite(), "the objective coefficient {objective} is not finite");
        bounds.check();
        let columns = self.num_columns() + count;
        self.objective.resize(columns, objective);
        self.column_lower.resize(columns, bounds.lower);
        self.column_upper.resize(columns, bounds.upper);
        self.places.resize(columns, NOWHERE);
    }

    /// Adds a row; columns that occur more than once are summed.
    pub fn add_row(
        &mut self,
        bounds: impl Into<Bounds>,
        terms: impl IntoIterator<Item = (Column, f64)>,
    ) -> Row {
        let row = Row(small(self.num_rows()));
        let start = self.columns.len();
        for (column, value) in terms {
            self.add_term(start, column, value);
        }
        self.end_row(start, bounds.into());
        row
    }

    /// Adds many rows at once, given as a compressed sparse row matrix: row
    /// `i` has the terms `starts[i]..starts[i + 1]`. Each row is treated as in
    /// [`Problem::add_row`]. Returns the first of the new rows.
    pub fn add_rows(
        &mut self,
        bounds: &[Bounds],
        starts: &[u32],
        columns: &[Column],
        values: &[f64],
    ) -> Row {
        assert_eq!(starts.len(), bounds.len() + 1, "one start per row, and the end");
        assert_eq!(columns.len(), values.len(), "one value per column");
        let first = Row(small(self.num_rows()));
        self.reserve(bounds.len(), 0, columns.len());
        for (range, &bounds) in starts.windows(2).zip(bounds) {
            let terms = range[0] as usize..range[1] as usize;
            let terms = columns[terms.clone()].iter().copied().zip(values[terms].iter().copied());
            self.add_row(bounds, terms);
        }
        first
    }

    fn add_term(&mut self, start: usize, column: Column, value: f64) {
        assert!(value.is_finite(), "the coefficient {value} of {column:?} is not finite");
        // Places are never reset. A stale one points before the start of this
        // row or at another column; otherwise the column is already in this row.
        let place = self.places[column.index()] as usize;
        if place >= start && self.columns.get(place) == Some(&column) {
            self.values[place] += value;
        } else {
            self.places[column.index()] = small(self.columns.len());
            self.columns.push(column);
            self.values.push(value);
        }
    }

    fn end_row(&mut self, start: usize, bounds: Bounds) {
        bounds.check();
        let mut end = start;
        for place in start..self.columns.len() {
            if self.values[place] != 0.0 {
                self.columns.swap(end, place);
                self.values.swap(end, place);
                end += 1;
            }
        }
        self.columns.truncate(end);
        self.values.truncate(end);
        self.starts.push(small(end));
        self.row_lower.push(bounds.lower);
        self.row_upper.push(bounds.upper);
    }

    /// Replaces the objective coefficient of a column.
    pub fn set_objective(&mut self, column: Column, value: f64) {
        assert!(value.is_finite(), "the objective coefficient {value} is not finite");
        self.objective[column.index()] = value;
    }

    /// Replaces the bounds of a column.
    pub fn set_column_bounds(&mut self, column: Column, bounds: impl Into<Bounds>) {
        let bounds = bounds.into();
        bounds.check();
        self.column_lower[column.index()] = bounds.lower;
        self.column_upper[column.index()] = bounds.upper;
    }

    /// Replaces the bounds of a row.
    pub fn set_row_bounds(&mut self, row: Row, bounds: impl Into<Bounds>) {
        let bounds = bounds.into();
        bounds.check();
        self.row_lower[row.index()] = bounds.lower;
        self.row_upper[row.index()] = bounds.upper;
    }

    /// The direction of optimization.
    pub fn sense(&self) -> Sense {
        self.sense
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.row_lower.len()
    }

    /// The number of columns.
    pub fn num_columns(&self) -> usize {
        self.objective.len()
    }

    /// The numbers of rows, columns and nonzeros.
    pub fn size(&self) -> Size {
        let [rows, columns, nonzeros] =
            [self.num_rows(), self.num_columns(), self.num_nonzeros()].map(|count| count as u64);
        Size { rows, columns, nonzeros }
    }

    /// The number of nonzero coefficients in all rows.
    pub fn num_nonzeros(&self) -> usize {
        self.columns.len()
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        (0..small(self.num_rows())).map(Row)
    }

    /// All columns in order.
    pub fn columns(&self) -> impl Iterator<Item = Column> + use<> {
        (0..small(self.num_columns())).map(Column)
    }

    /// The terms of a row.
    pub fn terms(&self, row: Row) -> impl Iterator<Item = (Column, f64)> + '_ {
        let range = self.starts[row.index()] as usize..self.starts[row.index() + 1] as usize;
        self.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// The objective coefficient of a column.
    pub fn objective(&self, column: Column) -> f64 {
        self.objective[column.index()]
    }

    /// The bounds of a column.
    pub fn column_bounds(&self, column: Column) -> Bounds {
        let index = column.index();
        Bounds { lower: self.column_lower[index], upper: self.column_upper[index] }
    }

    /// The bounds of a row.
    pub fn row_bounds(&self, row: Row) -> Bounds {
        let index = row.index();
        Bounds { lower: self.row_lower[index], upper: self.row_upper[index] }
    }

    /// The objective's value at a point.
    pub fn objective_value(&self, values: &[f64]) -> f64 {
        self.objective.iter().zip(values).map(|(c, x)| c * x).sum()
    }

    /// A row's value at a point.
    pub fn activity(&self, row: Row, values: &[f64]) -> f64 {
        self.terms(row).map(|(column, value)| value * values[column.index()]).sum()
    }

    /// The largest violation of a row or column bound at a point.
    pub fn violation(&self, values: &[f64]) -> f64 {
        let rows =
            self.rows().map(|row| self.row_bounds(row).violation(self.activity(row, values)));
        let columns = self
            .columns()
            .map(|column| self.column_bounds(column).violation(values[column.index()]));
        rows.chain(columns).fold(0.0, f64::max)
    }

    /// The reduced costs `c_j − Σ_i y_i a_ij`, given one dual value per row.
    pub fn reduced_costs(&self, duals: &[f64]) -> Vec<f64> {
        let mut reduced = self.objective.clone();
        for row in self.rows() {
            for (column, value) in self.terms(row) {
                reduced[column.index()] -= duals[row.index()] * value;
            }
        }
        reduced
    }

    /// The bound on the optimum that any vector of dual values proves (weak
    /// duality): from below when minimizing, from above when maximizing. At
    /// optimal duals it is the optimum. It is infinite as soon as a value has
    /// the wrong sign, by however little, for an infinite bound.
    pub fn dual_bound(&self, duals: &[f64]) -> f64 {
        // When minimizing, Σ_i y_i (a_i x) + Σ_j d_j x_j = c x for the reduced
        // costs d, so the sum of the smallest values of the summands is a lower
        // bound. When maximizing, all signs change.
        let sign = match self.sense {
            Sense::Minimize => 1.0,
            Sense::Maximize => -1.0,
        };
        let minimum = |slope: f64, bounds: Bounds| {
            let slope = sign * slope;
            if slope == 0.0 { 0.0 } else { slope * bounds.minimizer(slope) }
        };
        let rows = self.rows().map(|row| minimum(duals[row.index()], self.row_bounds(row)));
        let reduced = self.reduced_costs(duals);
        let columns = self
            .columns()
            .map(|column| minimum(reduced[column.index()], self.column_bounds(column)));
        sign * rows.chain(columns).sum::<f64>()
    }
}

/// A size as a number that fits the solver's 31 bits.
fn small(size: usize) -> u32 {
    assert!(i32::try_from(size).is_ok(), "{size} exceeds the solver's limit of 2³¹ − 1");
    size as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(problem: &Problem, row: Row) -> Vec<(u32, f64)> {
        problem.terms(row).map(|(column, value)| (column.0, value)).collect()
    }

    #[test]
    fn repeated_columns_are_summed_and_zeros_left_out() {
        let mut problem = Problem::minimize();
        let [x, y, z] = [0; 3].map(|_| problem.add_column(0.0, ..));
        let first = problem.add_row(0.0.., [(x, 1.0), (y, 2.0), (x, 3.0), (z, 0.0)]);
        let second = problem.add_row(0.0.., [(y, 1.0), (x, 1.0), (y, -1.0), (z, 5.0), (x, 1.0)]);
        let third = problem.add_row(0.0.., [(z, 1.0), (z, -1.0)]);
        let fourth = problem.add_row(0.0.., [(z, 1.0), (x, 1.0), (y, 1.0)]);
        assert_eq!(terms(&problem, first), [(0, 4.0), (1, 2.0)]);
        assert_eq!(terms(&problem, second), [(0, 2.0), (2, 5.0)]);
        assert_eq!(terms(&problem, third), []);
        assert_eq!(terms(&problem, fourth), [(2, 1.0), (0, 1.0), (1, 1.0)]);
        assert_eq!(problem.num_nonzeros(), 7);
    }

    #[test]
    fn many_rows_at_once_equal_one_after_the_other() {
        let mut slowly = Problem::maximize();
        let mut at_once = Problem::maximize();
        let columns: Vec<_> = slowly.add_columns(3, 1.0, 0.0..=2.0).collect();
        assert_eq!(at_once.add_columns(3, 1.0, 0.0..=2.0).collect::<Vec<_>>(), columns);
        let [x, y, z] = [columns[0], columns[1], columns[2]];
        slowly.add_row(..=1.0, [(x, 1.0), (y, 1.0), (x, 1.0)]);
        slowly.add_row(Bounds::equal(2.0), []);
        slowly.add_row(.., [(z, -1.0)]);
        let bounds = [(..=1.0).into(), Bounds::equal(2.0), Bounds::FREE];
        let first = at_once.add_rows(&bounds, &[0, 3, 3, 4], &[x, y, x, z], &[1.0, 1.0, 1.0, -1.0]);
        assert_eq!(first, Row(0));
        assert_eq!(slowly.starts, at_once.starts);
        assert_eq!(slowly.columns, at_once.columns);
        assert_eq!(slowly.values, at_once.values);
        assert_eq!(slowly.row_lower, at_once.row_lower);
        assert_eq!(slowly.row_upper, at_once.row_upper);
    }

    #[test]
    fn ranges_are_bounds() {
        assert_eq!(Bounds::from(1.0..=2.0), Bounds { lower: 1.0, upper: 2.0 });
        assert_eq!(Bounds::from(1.0..), Bounds { lower: 1.0, upper: f64::INFINITY });
        assert_eq!(Bounds::from(..=2.0), Bounds { lower: f64::NEG_INFINITY, upper: 2.0 });
        assert!(Bounds::from(..).is_free());
    }

    #[test]
    #[should_panic(expected = "not finite")]
    fn coefficients_are_finite() {
        let mut problem = Problem::minimize();
        let x = problem.add_column(0.0, ..);
        problem.add_row(.., [(x, f64::NAN)]);
    }
}
