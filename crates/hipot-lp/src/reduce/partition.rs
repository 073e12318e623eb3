//! The coarsest equitable partition of a problem's rows and columns.
//!
//! First, rows are divided by their bounds, columns by their bounds and
//! objective coefficients. Then classes are refined (`refine`), where the weight
//! of a coefficient is a hash of its bits. Refinement by sums of hashes can only
//! be *too coarse*: equal multisets have equal sums, but in about one of 2⁶⁴
//! cases different multisets do too. So the result is checked: in each class,
//! every member's sorted list of (class, coefficient) pairs is compared with
//! the first member's. If the check passes, the partition is equitable; and
//! since it is no finer than the coarsest equitable partition, it is that one.
//! If it fails, refinement continues from there with other hashes. So chance
//! affects only the running time.
//!
//! Classes are numbered in the order of their first row or column. So the
//! quotient keeps the order of the original, and the quotient by a partition
//! into single rows and columns is the original.

use super::classes::Classes;
use super::graph::Graph;
use super::refine::Refiner;
use crate::{Column, Problem, Row};

/// A partition of the rows and of the columns of a problem. A class of rows is
/// named by its row of the quotient, a class of columns by its column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    row_classes: Vec<Row>,
    column_classes: Vec<Column>,
    row_class_sizes: Vec<u32>,
    column_class_sizes: Vec<u32>,
}

impl Partition {
    /// The coarsest equitable partition, in the sense of multisets of
    /// coefficients (see the [module](crate::reduce)).
    ///
    /// Reads each nonzero O(log n) times for n rows and columns, and takes 12
    /// bytes per nonzero and some 30 per row and column besides the problem.
    pub fn coarsest(problem: &Problem) -> Self {
        let graph = Graph::new(problem);
        let mut classes = initial(&graph);
        for seed in 0.. {
            Refiner::new(&mut classes).run(&graph, |value| hash(value.to_bits(), seed));
            if is_equitable(&graph, &classes) {
                break;
            }
        }
        Self::numbered(&graph, &classes)
    }

    /// The classes, numbered by their first members.
    fn numbered(graph: &Graph<'_>, classes: &Classes) -> Self {
        let problem = graph.problem();
        let mut numbers = vec![u32::MAX; classes.count()];
        let mut number = |vertices: &mut dyn Iterator<Item = u32>| {
            let mut sizes: Vec<u32> = Vec::new();
            let mut all = Vec::new();
            for vertex in vertices {
                let class = classes.class(vertex);
                let number = &mut numbers[class as usize];
                if *number == u32::MAX {
                    *number = sizes.len() as u32;
                    sizes.push(classes.len(class) as u32);
                }
                all.push(*number);
            }
            (all, sizes)
        };
        let (rows, row_class_sizes) = number(&mut problem.rows().map(Graph::row));
        let (columns, column_class_sizes) =
            number(&mut problem.columns().map(|column| graph.column(column)));
        Self {
            row_classes: rows.into_iter().map(Row).collect(),
            column_classes: columns.into_iter().map(Column).collect(),
            row_class_sizes,
            column_class_sizes,
        }
    }

    /// The number of rows of the original problem.
    pub fn num_rows(&self) -> usize {
        self.row_classes.len()
    }

    /// The number of columns of the original problem.
    pub fn num_columns(&self) -> usize {
        self.column_classes.len()
    }

    /// The number of classes of rows.
    pub fn num_row_classes(&self) -> usize {
        self.row_class_sizes.len()
    }

    /// The number of classes of columns.
    pub fn num_column_classes(&self) -> usize {
        self.column_class_sizes.len()
    }

    /// The class of a row: the row of the quotient that stands for it.
    pub fn row_class(&self, row: Row) -> Row {
        self.row_classes[row.index()]
    }

    /// The class of a column: the column of the quotient that stands for it.
    pub fn column_class(&self, column: Column) -> Column {
        self.column_classes[column.index()]
    }

    /// The number of rows that a row of the quotient stands for.
    pub fn row_class_size(&self, class: Row) -> u32 {
        self.row_class_sizes[class.index()]
    }

    /// The number of columns that a column of the quotient stands for.
    pub fn column_class_size(&self, class: Column) -> u32 {
        self.column_class_sizes[class.index()]
    }

    /// The first row of each class, in the order of the classes.
    pub(super) fn first_rows(&self) -> impl Iterator<Item = Row> + '_ {
        firsts(self.row_classes.iter().map(|class| class.0)).map(Row)
    }

    /// The first column of each class, in the order of the classes.
    pub(super) fn first_columns(&self) -> impl Iterator<Item = Column> + '_ {
        firsts(self.column_classes.iter().map(|class| class.0)).map(Column)
    }
}

/// The index of the first member of each class, for classes that are numbered in
/// the order of their first members.
fn firsts(classes: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut count = 0;
    (0..).zip(classes).filter_map(move |(place, class)| {
        let is_first = class == count;
        count += u32::from(is_first);
        is_first.then_some(place)
    })
}

/// Divides rows by their bounds, columns by their bounds and objective coefficients.
fn initial(graph: &Graph<'_>) -> Classes {
    let problem = graph.problem();
    let rows = problem.num_rows() as u32;
    let key = |vertex: u32| {
        let (column, bounds, objective) = match vertex.checked_sub(rows).map(Column) {
            None => (false, problem.row_bounds(Row(vertex)), 0.0),
            Some(column) => (true, problem.column_bounds(column), problem.objective(column)),
        };
        (column, normalized(bounds.lower), normalized(bounds.upper), normalized(objective))
    };
    let mut vertices: Vec<u32> = (0..graph.num_vertices() as u32).collect();
    vertices.sort_by_key(|&vertex| key(vertex));
    Classes::new(vertices, |one, other| key(one) == key(other))
}

/// The bits of a number, with −0 turned into 0: equal if and only if the numbers
/// are.
fn normalized(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

/// Whether all members of each class have the same multiset of coefficients
/// to every class.
fn is_equitable(graph: &Graph<'_>, classes: &Classes) -> bool {
    let edges = |vertex: u32, list: &mut Vec<(u32, u64)>| {
        list.clear();
        graph.visit(vertex, |other, value| list.push((classes.class(other), value.to_bits())));
        list.sort_unstable();
    };
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    (0..classes.count() as u32).map(|class| classes.members(class)).all(|members| {
        let (&first, others) = members.split_first().expect("classes are not empty");
        if !others.is_empty() {
            edges(first, &mut expected);
        }
        others.iter().all(|&other| {
            edges(other, &mut found);
            found == expected
        })
    })
}

/// The finalizer of splitmix64, on the bits of a coefficient and a seed.
pub(super) fn hash(bits: u64, seed: u64) -> u64 {
    let mixed = bits.wrapping_add((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks (1 3; 3 1) and (2 2; 2 2): all rows and all columns sum up to
    /// 4, but not with the same coefficients.
    fn sums_are_equal() -> Problem {
        let mut problem = Problem::minimize();
        let [x, y, z, w] = [0; 4].map(|_| problem.add_column(1.0, 0.0..));
        problem.add_row(1.0.., [(x, 1.0), (y, 3.0)]);
        problem.add_row(1.0.., [(z, 2.0), (w, 2.0)]);
        problem.add_row(1.0.., [(x, 3.0), (y, 1.0)]);
        problem.add_row(1.0.., [(z, 2.0), (w, 2.0)]);
        problem
    }

    #[test]
    fn bad_hashes_are_found_out_and_good_ones_repair() {
        let problem = sums_are_equal();
        let graph = Graph::new(&problem);
        let mut classes = initial(&graph);
        let as_integer = |value: f64| (1..4).map(|i: u8| u64::from(value >= f64::from(i))).sum();
        for weight in [|_| 0, |_| 1, as_integer] {
            Refiner::new(&mut classes).run(&graph, weight);
            assert!(!is_equitable(&graph, &classes));
        }
        Refiner::new(&mut classes).run(&graph, |value| hash(value.to_bits(), 7));
        assert!(is_equitable(&graph, &classes));
        assert_eq!(Partition::numbered(&graph, &classes), Partition::coarsest(&problem));
        assert_eq!(classes.count(), 4);
    }

    #[test]
    fn weights_that_sum_to_zero_do_no_harm() {
        let mut problem = Problem::minimize();
        let columns: Vec<_> = problem.add_columns(11, 1.0, 0.0..).collect();
        problem.add_row(1.0.., columns[..8].iter().map(|&column| (column, 1.0)));
        problem.add_row(1.0.., columns[7..].iter().map(|&column| (column, 1.0)));
        let graph = Graph::new(&problem);
        let mut classes = initial(&graph);
        Refiner::new(&mut classes).run(&graph, |_| 1 << 62);
        assert!(!is_equitable(&graph, &classes));
        Refiner::new(&mut classes).run(&graph, |_| 1);
        assert!(is_equitable(&graph, &classes));
    }

    #[test]
    fn minus_zero_is_zero() {
        let mut problem = Problem::minimize();
        problem.add_column(0.0, -0.0..);
        problem.add_column(-0.0, 0.0..);
        assert_eq!(Partition::coarsest(&problem).num_column_classes(), 1);
    }
}
