//! Disjoint sets of numbers, each represented by its smallest element.

#[derive(Clone, Debug)]
pub(super) struct UnionFind {
    /// A smaller element of the same set, or the element itself.
    parent: Vec<u32>,
}

impl UnionFind {
    pub(super) fn new(len: usize) -> Self {
        Self { parent: (0..len as u32).collect() }
    }

    /// The smallest element of the set of `element`.
    pub(super) fn find(&mut self, mut element: u32) -> u32 {
        loop {
            let parent = self.parent[element as usize];
            if parent == element {
                return element;
            }
            let grandparent = self.parent[parent as usize];
            self.parent[element as usize] = grandparent;
            element = grandparent;
        }
    }

    pub(super) fn unite(&mut self, left: u32, right: u32) {
        let (left, right) = (self.find(left), self.find(right));
        self.parent[left.max(right) as usize] = left.min(right);
    }

    /// The sets numbered by their first elements, in place of the elements.
    pub(super) fn into_classes(self) -> Vec<u32> {
        let mut classes = self.parent;
        let mut next = 0;
        for element in 0..classes.len() {
            // A parent is smaller, thus numbered already.
            let parent = classes[element] as usize;
            classes[element] = if parent == element {
                next += 1;
                next - 1
            } else {
                classes[parent]
            };
        }
        classes
    }
}
