//! Which symbols must denote the same object: union-find with undo.
//!
//! A class contains at most one object, which is then its root, so merging two
//! classes with different objects is detected as a contradiction. Classes are
//! tiny here. So paths are neither compressed nor balanced, and to undo a merge
//! is to make a root its own parent again.

use super::prepared::Symbol;

/// A disjunction of inequalities.
pub(super) type Clause = Box<[(Symbol, Symbol)]>;

/// The terms of two atoms with the same predicate.
pub(super) type AtomPair<'a> = (&'a [Symbol], &'a [Symbol]);

/// An equivalence relation on the symbols of a schema.
#[derive(Debug)]
pub(super) struct Congruence {
    parents: Vec<Symbol>,
    /// The number of variables, which are the first symbols.
    variables: usize,
    /// The symbols that stopped being roots since the last
    /// [`keep`](Self::keep).
    merged: Vec<Symbol>,
}

impl Congruence {
    /// Every symbol in a class of its own.
    pub(super) fn new(symbols: usize, variables: usize) -> Self {
        Self { parents: (0..symbols).map(Symbol::new).collect(), variables, merged: Vec::new() }
    }

    /// Makes two symbols equal; whether that is possible. Two objects cannot be
    /// equal.
    pub(super) fn merge(&mut self, left: Symbol, right: Symbol) -> bool {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return true;
        }
        let (lower, upper) =
            if left.index() < self.variables { (left, right) } else { (right, left) };
        if lower.index() >= self.variables {
            return false;
        }
        self.parents[lower.index()] = upper;
        self.merged.push(lower);
        true
    }

    /// Whether two symbols are equal.
    pub(super) fn equates(&self, left: Symbol, right: Symbol) -> bool {
        self.root(left) == self.root(right)
    }

    /// Whether the terms of two atoms differ at some position.
    pub(super) fn separates(&self, (left, right): AtomPair<'_>) -> bool {
        std::iter::zip(left, right).any(|(&x, &y)| !self.equates(x, y))
    }

    /// Whether each clause has an inequality that is true.
    pub(super) fn satisfies(&self, clauses: &[Clause]) -> bool {
        clauses.iter().all(|clause| clause.iter().any(|&(x, y)| !self.equates(x, y)))
    }

    /// Makes all merges so far permanent.
    pub(super) fn keep(&mut self) {
        self.merged.clear();
    }

    /// Takes back all merges since the last [`keep`](Self::keep).
    pub(super) fn undo(&mut self) {
        for &root in &self.merged {
            self.parents[root.index()] = root;
        }
        self.merged.clear();
    }

    fn root(&self, mut symbol: Symbol) -> Symbol {
        while self.parents[symbol.index()] != symbol {
            symbol = self.parents[symbol.index()];
        }
        symbol
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_one_object_at_most() {
        let [x, y, z, ball, room] = std::array::from_fn(Symbol::new);
        let mut congruence = Congruence::new(5, 3);
        assert!(congruence.merge(x, y));
        congruence.keep();
        assert!(congruence.merge(y, ball));
        assert!(congruence.merge(room, z));
        assert!(congruence.equates(x, ball) && !congruence.equates(x, z));
        assert!(!congruence.merge(x, z));
        congruence.undo();
        assert!(congruence.equates(x, y) && !congruence.equates(x, ball));
        assert!(congruence.merge(x, z) && congruence.merge(y, room));
        assert!(congruence.equates(z, room));
    }
}
