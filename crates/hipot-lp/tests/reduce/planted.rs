//! Random problems with planted symmetry: a small problem, feasible and bounded,
//! whose rows and columns are copied and put in a random order.

use hipot_lp::{Bounds, Column, Problem, Sense};
use proptest::prelude::*;

/// A column before it is copied: objective, value of a feasible point, slack
/// below and above it, number of copies.
pub(crate) type PlantedColumn = (i32, i32, i32, i32, usize);
/// A row before it is copied: coefficients, offsets between the copies that they
/// join, kind of bounds, slack, number of copies.
pub(crate) type PlantedRow = (Vec<i32>, Vec<usize>, u8, i32, usize);

/// A small problem and how to copy and permute it.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    sense: Sense,
    pub(crate) columns: Vec<PlantedColumn>,
    pub(crate) rows: Vec<PlantedRow>,
    order: u64,
}

/// Small problems with the numbers of copies to make of their rows and columns.
pub(crate) fn planted() -> impl Strategy<Value = Planted> {
    (1_usize..5, 1_usize..5, any::<bool>(), any::<u64>()).prop_flat_map(
        |(rows, columns, maximize, order)| {
            let column = (-2..=2_i32, -2..=2_i32, 0..=3_i32, 0..=3_i32, 1..=4_usize);
            let coefficients = prop::collection::vec(-2..=2_i32, columns);
            let steps = prop::collection::vec(0..=3_usize, columns);
            let row = (coefficients, steps, 0..4_u8, 0..=2_i32, 1..=4_usize);
            let sense = if maximize { Sense::Maximize } else { Sense::Minimize };
            let columns = prop::collection::vec(column, columns);
            let rows = prop::collection::vec(row, rows);
            (columns, rows).prop_map(move |(columns, rows)| Planted { sense, columns, rows, order })
        },
    )
}

/// A permutation of `0..count`.
fn shuffled(count: usize, state: &mut u64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    for place in (1..count).rev() {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        all.swap(place, (*state >> 33) as usize % (place + 1));
    }
    all
}

impl Planted {
    /// The problem with all copies, in a random order. Between r copies of a
    /// row and c copies of a column, copy s of the row is joined to copy t of
    /// the column if (s + step) and t are the same modulo the greatest common
    /// divisor of r and c. That is equitable: all copies of a row are joined to
    /// the same number of copies of the column, and vice versa.
    pub(crate) fn problem(&self) -> Problem {
        let mut state = self.order;
        let copies = |counts: Vec<usize>, state: &mut u64| -> Vec<(usize, usize)> {
            let all = counts.iter().enumerate();
            let all: Vec<_> =
                all.flat_map(|(base, &count)| (0..count).map(move |copy| (base, copy))).collect();
            shuffled(all.len(), state).into_iter().map(|place| all[place]).collect()
        };
        let columns = copies(self.columns.iter().map(|column| column.4).collect(), &mut state);
        let rows = copies(self.rows.iter().map(|row| row.4).collect(), &mut state);
        let mut problem = Problem::new(self.sense);
        for &(base, _) in &columns {
            let (objective, value, below, above, _) = self.columns[base];
            let bounds = f64::from(value - below)..=f64::from(value + above);
            problem.add_column(f64::from(objective), bounds);
        }
        for (base, copy) in rows {
            let order = shuffled(columns.len(), &mut state);
            let terms = order.into_iter().filter_map(|place| {
                let value = self.coefficient(base, copy, columns[place])?;
                Some((Column(place as u32), f64::from(value)))
            });
            let terms: Vec<_> = terms.collect();
            let point = |column: Column| f64::from(self.columns[columns[column.index()].0].1);
            let value: f64 = terms.iter().map(|&(column, value)| value * point(column)).sum();
            problem.add_row(self.bounds(base, value), terms);
        }
        problem
    }

    fn coefficient(&self, row: usize, copy: usize, column: (usize, usize)) -> Option<i32> {
        let (coefficients, steps, .., count) = &self.rows[row];
        let divisor = gcd(*count, self.columns[column.0].4);
        let joined = (copy + steps[column.0]) % divisor == column.1 % divisor;
        joined.then_some(coefficients[column.0])
    }

    fn bounds(&self, row: usize, value: f64) -> Bounds {
        let slack = f64::from(self.rows[row].3);
        match self.rows[row].2 {
            0 => Bounds::equal(value),
            1 => (value - slack..).into(),
            2 => (..=value + slack).into(),
            _ => (value - slack..=value + slack).into(),
        }
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
