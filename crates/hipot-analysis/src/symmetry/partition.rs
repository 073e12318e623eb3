//! Ordered partitions of vertices, with splits that can be undone.
//!
//! The vertices are stored in one array. Each cell is an interval of it, named by
//! its first position. A cell is split by cutting its interval; the part before
//! the cut keeps the name, so that a split takes time only for what is split off.
//! Splits are logged, and undoing the latest ones restores the cells as sets (the
//! order within a cell has no meaning).

use super::graph::Graph;

#[derive(Clone, Debug)]
pub(super) struct Partition {
    elements: Vec<u32>,
    /// The place of each vertex in `elements`.
    position: Vec<u32>,
    /// The cell of each vertex.
    cell: Vec<u32>,
    /// The length of each cell, by its name.
    len: Vec<u32>,
    /// Pairs (cell, cell that was split off from it).
    splits: Vec<(u32, u32)>,
}

impl Partition {
    /// Facts, variables and operators, in this order, each by color.
    pub(super) fn by_color(graph: &Graph) -> Self {
        let vertices = graph.vertices();
        let (facts, first_operator) = (graph.facts() as u32, graph.first_operator() as u32);
        let kind = |vertex| u8::from(vertex >= facts) + u8::from(vertex >= first_operator);
        let key = |vertex: u32| (kind(vertex), graph.colors[vertex as usize]);
        let mut elements: Vec<u32> = (0..vertices as u32).collect();
        elements.sort_by_key(|&vertex| key(vertex));

        let (mut position, mut cell) = (vec![0; vertices], vec![0; vertices]);
        let (mut len, mut start) = (vec![0; vertices], 0);
        for (place, &vertex) in elements.iter().enumerate() {
            if key(vertex) != key(elements[start]) {
                start = place;
            }
            position[vertex as usize] = place as u32;
            cell[vertex as usize] = start as u32;
            len[start] += 1;
        }
        Self { elements, position, cell, len, splits: Vec::new() }
    }

    /// The names of the cells within the first `places` places, in order.
    pub(super) fn cells(&self, places: usize) -> impl Iterator<Item = u32> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let cell = next;
            next += self.len.get(cell).map_or(0, |&len| len as usize);
            (cell < places).then_some(cell as u32)
        })
    }

    pub(super) fn cell(&self, vertex: u32) -> u32 {
        self.cell[vertex as usize]
    }

    pub(super) fn len(&self, cell: u32) -> u32 {
        self.len[cell as usize]
    }

    pub(super) fn members(&self, cell: u32) -> &[u32] {
        &self.elements[cell as usize..][..self.len(cell) as usize]
    }

    pub(super) fn element(&self, place: u32) -> u32 {
        self.elements[place as usize]
    }

    /// Swaps a vertex with the one at `place`, which is in the same cell.
    pub(super) fn move_to(&mut self, vertex: u32, place: u32) {
        let (other, from) = (self.element(place), self.position[vertex as usize]);
        self.elements.swap(from as usize, place as usize);
        self.position[vertex as usize] = place;
        self.position[other as usize] = from;
    }

    /// Sorts a part of a cell.
    pub(super) fn sort_by_key<K: Ord>(
        &mut self,
        places: std::ops::Range<u32>,
        key: impl Fn(u32) -> K,
    ) {
        let part = &mut self.elements[places.start as usize..places.end as usize];
        part.sort_unstable_by_key(|&vertex| key(vertex));
        for (place, &vertex) in places.zip(&*part) {
            self.position[vertex as usize] = place;
        }
    }

    /// Makes the interval from `cut` to the end of `cell` a cell of its own.
    pub(super) fn split(&mut self, cell: u32, cut: u32) {
        let end = cell + self.len(cell);
        for place in cut..end {
            self.cell[self.elements[place as usize] as usize] = cut;
        }
        self.len[cell as usize] = cut - cell;
        self.len[cut as usize] = end - cut;
        self.splits.push((cell, cut));
    }

    /// The state that [`undo_to`](Self::undo_to) restores.
    pub(super) fn mark(&self) -> usize {
        self.splits.len()
    }

    /// Undoes all splits since `mark`.
    pub(super) fn undo_to(&mut self, mark: usize) {
        while self.splits.len() > mark {
            let Some((cell, cut)) = self.splits.pop() else { break };
            for place in cut..cut + self.len(cut) {
                self.cell[self.elements[place as usize] as usize] = cell;
            }
            self.len[cell as usize] += self.len(cut);
            self.len[cut as usize] = 0;
        }
    }
}
