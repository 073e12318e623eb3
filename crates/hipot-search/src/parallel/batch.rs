//! A batch of states that are expanded together.

use hipot_task::{Estimate, Heuristic, OperatorId, Packing, StateView};

use crate::registry::StateId;

/// The approximate number of successors that are processed together, of which a part is our own.
pub(super) const BATCH: usize = 128;

/// States that are expanded together, and their successors.
#[derive(Default)]
pub(super) struct Batch {
    /// The expanded states, and their words one after another.
    pub(super) parents: Vec<StateId>,
    pub(super) parent_words: Vec<u32>,
    /// The operators applicable in them, and in which of them.
    pub(super) operators: Vec<OperatorId>,
    pub(super) origins: Vec<u32>,
    /// Some of the successors: their words one after another, their hashes, their owners. Of
    /// messages, only the hashes.
    pub(super) successors: Vec<u32>,
    pub(super) hashes: Vec<u64>,
    pub(super) owners: Vec<u32>,
    /// The parent that the heuristic has entered.
    entered: Option<u32>,
}

impl Batch {
    /// A batch for states of so many words.
    pub(super) fn new(width: usize) -> Self {
        Self { successors: vec![0; BATCH * width], ..Self::default() }
    }

    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.parent_words.clear();
        self.operators.clear();
        self.origins.clear();
        self.entered = None;
    }

    /// The words of a parent.
    #[inline]
    fn parent(&self, origin: u32, width: usize) -> &[u32] {
        &self.parent_words[origin as usize * width..][..width]
    }

    /// The estimate of the successor by `operators[index]`, with these words.
    #[inline]
    pub(super) fn estimate<H: Heuristic>(
        &mut self,
        index: usize,
        place: usize,
        packing: &Packing,
        heuristic: &mut H,
    ) -> Estimate {
        let (origin, width) = (self.origins[index], packing.width());
        if self.entered != Some(origin) {
            self.entered = Some(origin);
            heuristic.enter(StateView::new(packing, self.parent(origin, width)));
        }
        let words = &self.successors[place * width..][..width];
        heuristic.estimate_successor(self.operators[index], StateView::new(packing, words))
    }
}
