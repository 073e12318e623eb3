//! A table of numbers for all joint values of a few variables.
//!
//! Elimination adds a number where some facts hold, adds a table over some of the
//! variables, and maximizes over one variable. Variables and their values are
//! numbers, and `sizes` has the number of values of each variable.

use super::integer::Integer;

/// A number for each joint value of some variables.
pub(super) struct Table<N> {
    /// The variables, in an order that all tables share.
    scope: Vec<usize>,
    /// The values of the last variable change fastest.
    entries: Vec<N>,
}

impl<N: Integer> Table<N> {
    /// 0 for each joint value of the scope.
    pub(super) fn zero(scope: Vec<usize>, sizes: &[usize]) -> Self {
        let joint_values = scope.iter().map(|&variable| sizes[variable]).product();
        Self { scope, entries: vec![N::ZERO; joint_values] }
    }

    /// The last variable of the scope.
    pub(super) fn last_variable(&self) -> Option<usize> {
        self.scope.last().copied()
    }

    /// The entry for these values; those of variables outside the scope do not
    /// matter.
    pub(super) fn at(&self, values: &[usize], sizes: &[usize]) -> &N {
        let next = |place, &variable: &usize| place * sizes[variable] + values[variable];
        &self.entries[self.scope.iter().fold(0, next)]
    }

    /// The distance between the entries for two successive values of `variable`;
    /// 0 if it is not in the scope.
    fn stride(&self, variable: usize, sizes: &[usize]) -> usize {
        let Some(position) = self.scope.iter().position(|&it| it == variable) else { return 0 };
        self.scope[position + 1..].iter().map(|&later| sizes[later]).product()
    }

    /// Adds an amount where the facts, on variables of the scope, hold.
    pub(super) fn add_where(&mut self, facts: &[(usize, usize)], amount: &N, sizes: &[usize]) {
        let mut place = 0;
        let mut free = Vec::with_capacity(self.scope.len());
        for &variable in &self.scope {
            let stride = self.stride(variable, sizes);
            match facts.iter().find(|fact| fact.0 == variable) {
                Some(&(_, value)) => place += value * stride,
                None => free.push(Axis { size: sizes[variable], strides: [stride, 0] }),
            }
        }
        let entries = &mut self.entries;
        walk(&free, [place, 0], &mut |[place, _]| entries[place].add(amount));
    }

    /// Adds a table over variables of the scope.
    pub(super) fn add_table(&mut self, other: &Self, sizes: &[usize]) {
        let axis = |&variable: &usize| {
            let strides = [&*self, other].map(|table| table.stride(variable, sizes));
            Axis { size: sizes[variable], strides }
        };
        let axes: Vec<Axis> = self.scope.iter().map(axis).collect();
        let entries = &mut self.entries;
        walk(&axes, [0, 0], &mut |[place, from]| entries[place].add(&other.entries[from]));
    }

    /// The maximum over the last variable: a table without it.
    pub(super) fn maximize_last(mut self, sizes: &[usize]) -> Self {
        let last = self.scope.pop().expect("a bucket has a variable");
        let greatest = |row: &[N]| row.iter().max().expect("each variable has a value").clone();
        let entries = self.entries.chunks_exact(sizes[last]).map(greatest).collect();
        Self { scope: self.scope, entries }
    }
}

/// A variable as an axis of two tables.
struct Axis {
    size: usize,
    /// The distance between the entries for successive values, in each table.
    strides: [usize; 2],
}

/// Visits the places in both tables for all joint values of the axes.
fn walk(axes: &[Axis], places: [usize; 2], visit: &mut impl FnMut([usize; 2])) {
    let Some((axis, rest)) = axes.split_first() else { return visit(places) };
    let [mut first, mut second] = places;
    for _ in 0..axis.size {
        walk(rest, [first, second], visit);
        first += axis.strides[0];
        second += axis.strides[1];
    }
}
