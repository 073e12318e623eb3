//! Ranges of a list, for many lists that are stored as one.

/// A range of a list in which the parts of all operators lie one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexRange {
    pub(crate) begin: u32,
    pub(crate) end: u32,
}

impl IndexRange {
    /// The elements of `list` in this range.
    pub(crate) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.begin as usize..self.end as usize]
    }

    /// Appends `items` to `list`; gives their range.
    pub(crate) fn append<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Self {
        let begin = list.len() as u32;
        list.extend(items);
        Self { begin, end: list.len() as u32 }
    }
}
