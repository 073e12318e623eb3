//! Small LPs end at a vertex with exact weights.
//!
//! On random tasks of dimensions 1 to 3, the value is compared with the optimum of the explicit
//! LP, which has a row for each transition. An exact simplex method, written here and only for
//! this, computes that optimum in fractions. So neither the reduced LP nor HiGHS nor the proof of
//! optimality has a part in it.

mod common;

use std::path::Path;

use common::{MANY_VARIABLES, complete_features, explicit, plain, random_task};
use hipot_lp::{Method, Problem, SMALL_NONZEROS};
use hipot_potential::{FeatureSet, Optimality, Optimum, Params, Precision, Report, Rung, optimize};
use hipot_task::{Limits, Rational, sas};
use hipot_testing::RandomTask;

/// A fraction in lowest terms with a positive denominator.
type Fraction = (i128, i128);

fn fraction(numerator: i128, denominator: i128) -> Option<Fraction> {
    let divisor =
        i128::try_from(hipot_task::gcd(numerator.unsigned_abs(), denominator.unsigned_abs()))
            .ok()?;
    let sign = denominator.signum();
    Some((sign * numerator / divisor, sign * denominator / divisor))
}

/// a − b c, or nothing if numbers get too large.
fn minus_product(a: Fraction, b: Fraction, c: Fraction) -> Option<Fraction> {
    let product = fraction(b.0.checked_mul(c.0)?, b.1.checked_mul(c.1)?)?;
    let left = a.0.checked_mul(product.1)?;
    let right = product.0.checked_mul(a.1)?;
    fraction(left.checked_sub(right)?, a.1.checked_mul(product.1)?)
}

/// The simplex method in fractions, with Bland's rule, for max c x subject to A x ≤ b with b ≥ 0
/// and free x. The table has a row for each constraint and one for the objective; the last column
/// is the right-hand side. A free column is two columns, the second one negated.
struct Table {
    rows: Vec<Vec<Fraction>>,
    basis: Vec<usize>,
}

enum Exact {
    Optimum(Fraction),
    Unbounded,
    TooLarge,
}

impl Table {
    fn new(problem: &Problem) -> Self {
        let (columns, count) = (2 * problem.num_columns(), problem.num_rows());
        let width = columns + count + 1;
        let mut rows = Vec::new();
        for row in problem.rows() {
            let mut entries = vec![(0, 1); width];
            for (column, value) in problem.terms(row) {
                entries[2 * column.index()] = (value as i128, 1);
                entries[2 * column.index() + 1] = (-value as i128, 1);
            }
            entries[columns + row.index()] = (1, 1);
            entries[width - 1] = (problem.row_bounds(row).upper as i128, 1);
            rows.push(entries);
        }
        let mut objective = vec![(0, 1); width];
        for column in problem.columns() {
            let value = problem.objective(column) as i128;
            objective[2 * column.index()] = (-value, 1);
            objective[2 * column.index() + 1] = (value, 1);
        }
        rows.push(objective);
        Self { rows, basis: (columns..columns + count).collect() }
    }

    fn maximize(mut self) -> Exact {
        let last = self.rows[0].len() - 1;
        loop {
            let objective = self.rows.last().expect("there is an objective");
            let Some(column) = (0..last).find(|&column| objective[column].0 < 0) else {
                return Exact::Optimum(objective[last]);
            };
            let Some(row) = self.leaving(column) else { return Exact::Unbounded };
            if self.pivot(row, column).is_none() {
                return Exact::TooLarge;
            }
        }
    }

    /// The row with the smallest ratio; among several, the one whose basic column is first.
    fn leaving(&self, column: usize) -> Option<usize> {
        let ratio = |row: usize| {
            let ((n, d), (p, q)) = (*self.rows[row].last()?, self.rows[row][column]);
            (p > 0).then(|| Rational { numerator: n * q, denominator: d * p })
        };
        let candidates = (0..self.basis.len()).filter_map(|row| Some((ratio(row)?, row)));
        candidates.min_by_key(|&(ratio, row)| (ratio, self.basis[row])).map(|(_, row)| row)
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let (p, q) = self.rows[row][column];
        let scaled: Option<Vec<Fraction>> = self.rows[row]
            .iter()
            .map(|&(n, d)| fraction(n.checked_mul(q)?, d.checked_mul(p)?))
            .collect();
        let pivot = scaled?;
        for (index, entries) in self.rows.iter_mut().enumerate().filter(|(index, _)| *index != row)
        {
            let factor = entries[column];
            if factor.0 == 0 {
                continue;
            }
            for (entry, &own) in entries.iter_mut().zip(&pivot).filter(|(_, own)| own.0 != 0) {
                *entry = minus_product(*entry, factor, own)?;
            }
            debug_assert_eq!(entries[column].0, 0, "row {index}");
        }
        self.rows[row] = pivot;
        self.basis[row] = column;
        Some(())
    }
}

#[test]
fn values_are_exact_optima_of_the_explicit_lp() {
    let shape = RandomTask { variables: 3, domain: 3, operators: 8, ..RandomTask::default() };
    let shapes = [shape, RandomTask { percent_free: 30, ..shape }, MANY_VARIABLES];
    let (mut compared, mut dead_ends, mut proved) = (0, 0, 0);
    for seed in 0..120 {
        let normal = plain(&random_task(shapes[seed as usize / 3 % 3], seed));
        for dimension in 1..=3 {
            let features = complete_features(&normal, dimension);
            let problem = explicit(normal.task(), &features, normal.initial());
            if problem.num_rows() == 0 || problem.num_rows() > 150 {
                continue;
            }
            let found = optimize(
                &normal,
                FeatureSet::UpTo(dimension),
                normal.initial(),
                &Params::default(),
                &Limits::none(),
            );
            let what = format!("seed {seed}, dimension {dimension}");
            match (Table::new(&problem).maximize(), found.expect(&what)) {
                (Exact::Optimum((numerator, denominator)), Optimum::Function(function, report)) => {
                    let optimum = Rational { numerator, denominator };
                    assert_eq!(function.exact(normal.initial()), optimum, "{what}");
                    compared += 1;
                    proved += usize::from(report.optimality == Optimality::Proved);
                }
                (Exact::Unbounded, Optimum::Unsolvable(..)) => dead_ends += 1,
                (Exact::TooLarge, _) => {}
                (Exact::Optimum(optimum), Optimum::Unsolvable(..)) => panic!("{what}: {optimum:?}"),
                (Exact::Unbounded, Optimum::Function(..)) => panic!("{what}: a dead end"),
            }
        }
    }
    println!("compared {compared}, proved optimal {proved}, dead ends {dead_ends}");
    assert!(compared > 150 && dead_ends > 10, "{compared} {dead_ends}");
    assert!(proved * 10 >= compared * 9, "{proved} of {compared}");
}

/// The value of an example's initial state, and how it was found.
fn example(name: &str, dimension: usize, precision: Precision) -> (Rational, Report) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let task = sas::read(&std::fs::read(file).expect("the example is there")).expect("a task");
    let normal = plain(&task);
    let params = Params { precision, ..Params::default() };
    let found =
        optimize(&normal, FeatureSet::UpTo(dimension), normal.initial(), &params, &Limits::none());
    match found.expect("an optimum") {
        Optimum::Function(function, report) => (function.exact(normal.initial()), report),
        Optimum::Unsolvable(..) => panic!("{name} has a plan"),
    }
}

/// Its LP is too large for the simplex method to be the fastest, and small enough for it.
#[test]
fn a_vertex_is_worth_a_little_time() {
    let (value, report) = example("coffee.sas", 3, Precision::Vertex);
    assert!(report.size.nonzeros > SMALL_NONZEROS as u64, "{:?}", report.size);
    assert_eq!((value.to_string().as_str(), report.optimality), ("29", Optimality::Proved));
    assert_eq!((report.method, report.rung), (Method::PrimalSimplex, Rung::SmallDenominators));
    let (rough, report) = example("coffee.sas", 3, Precision::Bound);
    assert_ne!(report.method, Method::PrimalSimplex);
    let Optimality::Within(gap) = report.optimality else { panic!("nothing proves this") };
    assert!(gap < 0.02 * 29.0 && (value.to_f64() - rough.to_f64() - gap).abs() < 0.02, "{gap}");
    assert_eq!(rough.bound(), 29);
}

#[test]
fn an_optimum_may_be_a_fraction() {
    let (value, report) = example("parity.sas", 2, Precision::Vertex);
    assert_eq!((value.to_string().as_str(), report.optimality), ("5/2", Optimality::Proved));
}
