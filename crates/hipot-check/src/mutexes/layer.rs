//! Layers: as they are given, and as they are checked.
//!
//! A [`Layer`] does not refer to a task, so that it can be read from a file and
//! compared: it is a list of facts, each with its partners, all in order. To be
//! checked, it is converted to one bit for each pair of the task's facts
//! ([`PairedFacts`]), one layer at a time.

use hipot_task::{Fact, Task};

use super::Rejection;
use super::pairs::{FactSet, Numbers, PairSet};

/// The direction in which a layer is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial state forward.
    Forward,
    /// From the goal back.
    Backward,
}

/// Pairs that are proved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    direction: Direction,
    /// The lower facts of all pairs, in order, and where their partners end.
    rows: Vec<(Fact, usize)>,
    /// The partners of the first of these facts, in order, then of the next.
    partners: Vec<Fact>,
}

impl Layer {
    /// The layer with these pairs, in any order; fails if `task` lacks one of the facts.
    pub fn new(
        task: &Task,
        direction: Direction,
        pairs: impl IntoIterator<Item = (Fact, Fact)>,
    ) -> Result<Self, Rejection> {
        let numbers = Numbers::new(task);
        let mut set = PairSet::new(&numbers);
        for (first, second) in pairs {
            set.add(number(&numbers, first)?, number(&numbers, second)?);
        }
        let mut layer = Self::empty(direction);
        for first in 0..numbers.count() {
            let later = set.row(first).ones().filter(|&second| second >= first);
            layer.push(numbers.fact(first), later.map(|second| numbers.fact(second)));
        }
        Ok(layer)
    }

    /// The layer without pairs.
    pub(crate) fn empty(direction: Direction) -> Self {
        Self { direction, rows: Vec::new(), partners: Vec::new() }
    }

    /// Adds a fact, which must come after all facts added before, and its partners, in
    /// order, none of them before the fact itself.
    pub(crate) fn push(&mut self, fact: Fact, partners: impl Iterator<Item = Fact>) {
        let start = self.partners.len();
        self.partners.extend(partners);
        if self.partners.len() > start {
            self.rows.push((fact, self.partners.len()));
        }
    }

    /// The direction in which the layer is proved.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The number of pairs.
    pub fn pair_count(&self) -> usize {
        self.partners.len()
    }

    /// The lower facts of all pairs, in order, each with its partners, in
    /// order. A dead fact is its own first partner.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (Fact, &[Fact])> {
        let row = |index: usize| {
            let start = if index == 0 { 0 } else { self.rows[index - 1].1 };
            let (fact, end) = self.rows[index];
            (fact, &self.partners[start..end])
        };
        (0..self.rows.len()).map(row)
    }
}

fn number(numbers: &Numbers, fact: Fact) -> Result<usize, Rejection> {
    numbers.get(fact).ok_or(Rejection::UnknownFact(fact))
}

/// A layer in terms of a task's numbered facts.
pub(super) struct PairedFacts {
    pub(super) direction: Direction,
    pub(super) pairs: PairSet,
    /// The facts that are in some pair.
    pub(super) paired: FactSet,
}

impl PairedFacts {
    /// Converts a layer; fails if the task lacks one of its facts.
    pub(super) fn new(layer: &Layer, numbers: &Numbers) -> Result<Self, Rejection> {
        let (mut pairs, mut paired) = (PairSet::new(numbers), numbers.empty_set());
        for (first, partners) in layer.rows() {
            let first = number(numbers, first)?;
            paired.insert(first);
            for &second in partners {
                let second = number(numbers, second)?;
                pairs.add(first, second);
                paired.insert(second);
            }
        }
        Ok(Self { direction: layer.direction, pairs, paired })
    }
}
