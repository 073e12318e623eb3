//! Permutations of facts, of which only the moved facts are stored.

/// A permutation of the facts of a task, by their [numbers](hipot_task::Facts).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    /// The facts that move and their images, ordered by fact.
    moved: Vec<(u32, u32)>,
}

impl Permutation {
    /// The permutation that maps the first of each pair to the second.
    pub(super) fn new(mut moved: Vec<(u32, u32)>) -> Self {
        moved.retain(|(from, to)| from != to);
        moved.sort_unstable();
        Self { moved }
    }

    /// The image of a fact.
    pub fn apply(&self, fact: u32) -> u32 {
        match self.moved.binary_search_by_key(&fact, |&(from, _)| from) {
            Ok(position) => self.moved[position].1,
            Err(_) => fact,
        }
    }

    /// The facts that move, in order.
    pub fn support(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.moved.iter().map(|&(from, _)| from)
    }

    /// The facts that move and their images, ordered by fact.
    pub fn moved(&self) -> &[(u32, u32)] {
        &self.moved
    }

    /// The images of all facts, of which there are `facts`.
    pub(super) fn images(&self, facts: usize) -> Vec<u32> {
        let mut images: Vec<u32> = (0..facts as u32).collect();
        for &(from, to) in &self.moved {
            images[from as usize] = to;
        }
        images
    }
}
