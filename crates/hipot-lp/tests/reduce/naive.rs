//! Color refinement by its definition, without optimizations.

use hipot_lp::reduce::Partition;
use hipot_lp::{Bounds, Problem};

/// The classes of rows and of columns.
pub(crate) type Classes = (Vec<u32>, Vec<u32>);

/// The sorted (class, coefficient) pairs of a row or column.
pub(crate) type Edges = Vec<(u32, u64)>;

/// Color refinement by its definition: the new color of a row or column stands for
/// the pair of its color and the multiset of its neighbors' colors and
/// coefficients. Repeat until the number of colors stays the same.
pub(crate) fn refine_naively(problem: &Problem) -> Classes {
    let bounds = |bounds: Bounds| format!("{:?} {:?}", bounds.lower + 0.0, bounds.upper + 0.0);
    let mut rows = number(problem.rows().map(|row| bounds(problem.row_bounds(row))));
    let mut columns = number(problem.columns().map(|column| {
        bounds(problem.column_bounds(column)) + &format!(" {:?}", problem.objective(column) + 0.0)
    }));
    loop {
        let (row_edges, column_edges) = edges(problem, &rows, &columns);
        let new_rows = number(rows.iter().zip(row_edges));
        let new_columns = number(columns.iter().zip(column_edges));
        if count(&new_rows) == count(&rows) && count(&new_columns) == count(&columns) {
            return (new_rows, new_columns);
        }
        (rows, columns) = (new_rows, new_columns);
    }
}

/// For each row and each column, its sorted (class, coefficient) pairs.
pub(crate) fn edges(problem: &Problem, rows: &[u32], columns: &[u32]) -> (Vec<Edges>, Vec<Edges>) {
    let mut of_rows = vec![Vec::new(); problem.num_rows()];
    let mut of_columns = vec![Vec::new(); problem.num_columns()];
    for row in problem.rows() {
        for (column, value) in problem.terms(row) {
            of_rows[row.index()].push((columns[column.index()], value.to_bits()));
            of_columns[column.index()].push((rows[row.index()], value.to_bits()));
        }
    }
    of_rows.iter_mut().chain(&mut of_columns).for_each(|list| list.sort_unstable());
    (of_rows, of_columns)
}

/// Numbers for the items, in the order of their first occurrence.
fn number<T: PartialEq>(things: impl Iterator<Item = T>) -> Vec<u32> {
    let mut known: Vec<T> = Vec::new();
    let numbers = things.map(|thing| {
        let place = known.iter().position(|other| *other == thing);
        place.unwrap_or_else(|| {
            known.push(thing);
            known.len() - 1
        }) as u32
    });
    numbers.collect()
}

fn count(numbers: &[u32]) -> usize {
    numbers.iter().max().map_or(0, |&most| most as usize + 1)
}

/// A partition as vectors.
pub(crate) fn classes(problem: &Problem, partition: &Partition) -> Classes {
    let rows = problem.rows().map(|row| partition.row_class(row).0).collect();
    let columns = problem.columns().map(|column| partition.column_class(column).0).collect();
    (rows, columns)
}
