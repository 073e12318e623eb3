//! A linear program's matrix as a graph: rows and columns are vertices, and
//! nonzeros are edges between them.
//!
//! Rows come first: row i is vertex i, column j is vertex (number of rows) + j.
//! Refinement reads the matrix from both sides. By rows it uses the problem's
//! own arrays; by columns it needs a transposed copy, 12 bytes per nonzero.

use crate::{Column, Problem, Row};

/// A problem's matrix, readable by rows and by columns.
pub(super) struct Graph<'p> {
    problem: &'p Problem,
    /// Where each column starts in `rows` and `values`, then the end of the last.
    starts: Vec<u32>,
    rows: Vec<Row>,
    values: Vec<f64>,
}

impl<'p> Graph<'p> {
    /// Copies the matrix by columns.
    pub(super) fn new(problem: &'p Problem) -> Self {
        let mut ends = column_starts(problem);
        let mut rows = vec![Row(0); problem.num_nonzeros()];
        let mut values = vec![0.0; problem.num_nonzeros()];
        for row in problem.rows() {
            for (column, value) in problem.terms(row) {
                let end = &mut ends[column.index()];
                rows[*end as usize] = row;
                values[*end as usize] = value;
                *end += 1;
            }
        }
        // Each column's start has moved to its end, which is the next's start.
        ends.pop();
        ends.insert(0, 0);
        Self { problem, starts: ends, rows, values }
    }

    pub(super) fn problem(&self) -> &'p Problem {
        self.problem
    }

    pub(super) fn num_vertices(&self) -> usize {
        self.problem.num_rows() + self.problem.num_columns()
    }

    /// The vertex of a row.
    pub(super) fn row(row: Row) -> u32 {
        row.0
    }

    /// The vertex of a column.
    pub(super) fn column(&self, column: Column) -> u32 {
        self.problem.num_rows() as u32 + column.0
    }

    /// Calls `act` with each neighbor of a vertex and the coefficient between them.
    #[inline]
    pub(super) fn visit(&self, vertex: u32, mut act: impl FnMut(u32, f64)) {
        let rows = self.problem.num_rows() as u32;
        if let Some(column) = vertex.checked_sub(rows) {
            let column = column as usize;
            let range = self.starts[column] as usize..self.starts[column + 1] as usize;
            for (row, &value) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                act(row.0, value);
            }
        } else {
            for (column, value) in self.problem.terms(Row(vertex)) {
                act(rows + column.0, value);
            }
        }
    }
}

/// Where each column starts in the transposed matrix, then the end of the last.
fn column_starts(problem: &Problem) -> Vec<u32> {
    let mut starts = vec![0; problem.num_columns() + 1];
    for column in &problem.columns {
        starts[column.index() + 1] += 1;
    }
    for column in 0..problem.num_columns() {
        starts[column + 1] += starts[column];
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_of_rows_and_columns() {
        let mut problem = Problem::minimize();
        let [x, y, z] = [0; 3].map(|_| problem.add_column(0.0, ..));
        problem.add_row(.., [(z, 5.0), (x, 1.0)]);
        problem.add_row(.., [(x, 2.0)]);
        let graph = Graph::new(&problem);
        let neighbors = |vertex| {
            let mut all = Vec::new();
            graph.visit(vertex, |neighbor, value| all.push((neighbor, value)));
            all
        };
        assert_eq!(graph.num_vertices(), 5);
        assert_eq!(neighbors(Graph::row(Row(0))), [(4, 5.0), (2, 1.0)]);
        assert_eq!(neighbors(Graph::row(Row(1))), [(2, 2.0)]);
        assert_eq!(neighbors(graph.column(x)), [(0, 1.0), (1, 2.0)]);
        assert_eq!(neighbors(graph.column(y)), []);
        assert_eq!(neighbors(graph.column(z)), [(0, 5.0)]);
    }
}
