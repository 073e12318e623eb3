//! Layers, as they are given and as they are checked.
//!
//! A [`Layer`] knows no task, so that it can be read from a file and compared:
//! it is a list of facts, each with its partners, all in order. To be checked
//! it becomes a bit for each pair of the task's facts ([`PairedFacts`]), one
//! layer at a time.

use hipot_task::{Fact, Task};

use super::Rejection;
use super::pairs::{FactSet, Numbers, PairSet, add, members};

/// The way in which a layer is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial state on.
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
    /// The layer with these pairs, in any order, if `task` has their facts.
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
            let later = members(set.row(first)).filter(|&second| second >= first);
            layer.push(numbers.fact(first), later.map(|second| numbers.fact(second)));
        }
        Ok(layer)
    }

    /// The layer without pairs.
    pub(crate) fn empty(direction: Direction) -> Self {
        Self { direction, rows: Vec::new(), partners: Vec::new() }
    }

    /// Adds a fact that comes after all that have come before, and its
    /// partners, in order, none before itself.
    pub(crate) fn push(&mut self, fact: Fact, partners: impl Iterator<Item = Fact>) {
        let start = self.partners.len();
        self.partners.extend(partners);
        if self.partners.len() > start {
            self.rows.push((fact, self.partners.len()));
        }
    }

    /// The way in which the layer is proved.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The number of pairs.
    pub fn pair_count(&self) -> usize {
        self.partners.len()
    }

    /// The lower facts of all pairs, in order, each with its partners, in
    /// order. A fact that no state of a plan has is its own first partner.
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

/// A layer in the numbers of a task.
pub(super) struct PairedFacts {
    pub(super) direction: Direction,
    pub(super) pairs: PairSet,
    /// The facts that are in pairs.
    pub(super) paired: FactSet,
}

impl PairedFacts {
    /// The same layer, if the task has its facts.
    pub(super) fn new(layer: &Layer, numbers: &Numbers) -> Result<Self, Rejection> {
        let (mut pairs, mut paired) = (PairSet::new(numbers), numbers.empty_set());
        for (first, partners) in layer.rows() {
            let first = number(numbers, first)?;
            add(&mut paired, first);
            for &second in partners {
                let second = number(numbers, second)?;
                pairs.add(first, second);
                add(&mut paired, second);
            }
        }
        Ok(Self { direction: layer.direction, pairs, paired })
    }
}
