//! A partition of vertices whose classes can be split.
//!
//! All vertices are in one array, with the members of a class next to each
//! other. So a class is a span of the array, and splitting it moves only the
//! vertices that leave: each is swapped with the last remaining member, and the
//! new class is the end of the old span. [`Classes::detach`] takes time linear
//! in the number of leaving vertices, which the running time of `refine` relies
//! on. The price is that members have no particular order.

/// A range of the array of vertices.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    len: u32,
}

/// Numbered classes of the vertices 0, 1, ….
pub(super) struct Classes {
    /// All vertices, grouped by class.
    vertices: Vec<u32>,
    /// The position of each vertex in `vertices`.
    places: Vec<u32>,
    /// The class of each vertex.
    owners: Vec<u32>,
    /// The members of each class, in `vertices`.
    spans: Vec<Span>,
}

impl Classes {
    /// Classes of the vertices in the given order: a class ends wherever two
    /// neighbors are not the `same`.
    pub(super) fn new(vertices: Vec<u32>, same: impl Fn(u32, u32) -> bool) -> Self {
        let mut places = vec![0; vertices.len()];
        let mut owners = vec![0; vertices.len()];
        let mut spans = Vec::new();
        let mut start = 0;
        for members in vertices.chunk_by(|&one, &other| same(one, other)) {
            for (place, &vertex) in (start..).zip(members) {
                places[vertex as usize] = place;
                owners[vertex as usize] = spans.len() as u32;
            }
            spans.push(Span { start, len: members.len() as u32 });
            start += members.len() as u32;
        }
        Self { vertices, places, owners, spans }
    }

    /// The number of classes.
    pub(super) fn count(&self) -> usize {
        self.spans.len()
    }

    /// The number of vertices.
    pub(super) fn num_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// The class of a vertex.
    pub(super) fn class(&self, vertex: u32) -> u32 {
        self.owners[vertex as usize]
    }

    /// The number of vertices in a class.
    pub(super) fn len(&self, class: u32) -> usize {
        self.spans[class as usize].len as usize
    }

    /// The vertices in a class, in no particular order.
    pub(super) fn members(&self, class: u32) -> &[u32] {
        let Span { start, len } = self.spans[class as usize];
        &self.vertices[start as usize..(start + len) as usize]
    }

    /// Moves some, not all, of the vertices of a class to a new class.
    pub(super) fn detach(&mut self, class: u32, leaving: impl Iterator<Item = u32>) {
        let new = self.count() as u32;
        let Span { start, len } = self.spans[class as usize];
        let mut end = start + len;
        for vertex in leaving {
            debug_assert_eq!(self.class(vertex), class);
            end -= 1;
            let (place, last) = (self.places[vertex as usize], self.vertices[end as usize]);
            self.vertices[place as usize] = last;
            self.places[last as usize] = place;
            self.vertices[end as usize] = vertex;
            self.places[vertex as usize] = end;
            self.owners[vertex as usize] = new;
        }
        self.spans[class as usize].len = end - start;
        self.spans.push(Span { start: end, len: start + len - end });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(classes: &Classes, class: u32) -> Vec<u32> {
        let mut members = classes.members(class).to_vec();
        members.sort_unstable();
        assert_eq!(members.len(), classes.len(class));
        assert!(members.iter().all(|&vertex| classes.class(vertex) == class));
        members
    }

    #[test]
    fn classes_can_be_split_again_and_again() {
        let parity = |one: u32, other: u32| one % 2 == other % 2;
        let mut classes = Classes::new(vec![0, 2, 4, 6, 1, 3, 5], parity);
        assert_eq!(classes.count(), 2);
        assert_eq!(classes.num_vertices(), 7);
        classes.detach(0, [0, 4].into_iter());
        classes.detach(1, [5].into_iter());
        classes.detach(2, [4].into_iter());
        let all: Vec<_> = (0..5).map(|class| sorted(&classes, class)).collect();
        assert_eq!(all, [vec![2, 6], vec![1, 3], vec![0], vec![5], vec![4]]);
    }
}
