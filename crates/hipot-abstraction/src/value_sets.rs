//! Sets of values, one for each variable: one bit for each fact, in 64-bit words.
//!
//! Such a set stands for the Cartesian product of the values of each variable. The facts of a
//! variable are neighbors, so they lie in one word or a few; a [`Layout`] knows which.

use hipot_task::{FactId, Facts, Value, VariableId};

/// Which bits belong to which variable.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    facts: Facts,
    spans: Vec<Span>,
}

/// The bits of a variable: from some bit of the first word to some bit of the last.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    last: usize,
    first_mask: u64,
    last_mask: u64,
}

impl Span {
    fn mask(&self, word: usize) -> u64 {
        let from = if word == self.first { self.first_mask } else { u64::MAX };
        let to = if word == self.last { self.last_mask } else { u64::MAX };
        from & to
    }
}

impl Layout {
    /// The layout of sets of these facts.
    pub(crate) fn new(facts: Facts) -> Self {
        let span = |variable| {
            let range = facts.range(variable);
            let last = range.end - 1;
            let first_mask = u64::MAX << (range.start % 64);
            let last_mask = u64::MAX >> (63 - last % 64);
            Span { first: range.start / 64, last: last / 64, first_mask, last_mask }
        };
        let spans = facts.variable_ids().map(span).collect();
        Self { facts, spans }
    }

    /// The facts.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The number of words of a set.
    pub(crate) fn words(&self) -> usize {
        self.facts.len().div_ceil(64)
    }

    /// All values of all variables.
    pub(crate) fn full(&self) -> Vec<u64> {
        let mut set = vec![0; self.words()];
        self.facts.ids().for_each(|fact| insert(&mut set, fact));
        set
    }

    /// Whether the set has a value.
    pub(crate) fn contains(&self, set: &[u64], fact: FactId) -> bool {
        debug_assert!(fact.index() < self.facts.len());
        set[fact.index() / 64] >> (fact.index() % 64) & 1 == 1
    }

    /// Whether all sets have a value of `variable` in common.
    pub(crate) fn meet<const N: usize>(&self, variable: VariableId, sets: [&[u64]; N]) -> bool {
        let span = &self.spans[variable.index()];
        (span.first..=span.last)
            .any(|word| sets.iter().fold(span.mask(word), |common, set| common & set[word]) != 0)
    }

    /// The number of values of `variable` in a set.
    pub(crate) fn count(&self, variable: VariableId, set: &[u64]) -> u32 {
        let span = &self.spans[variable.index()];
        let words = span.first..=span.last;
        words.map(|word| (set[word] & span.mask(word)).count_ones()).sum()
    }

    /// The facts of `variable` in a set, in order.
    pub(crate) fn facts_of<'s>(
        &'s self,
        variable: VariableId,
        set: &'s [u64],
    ) -> impl Iterator<Item = FactId> + 's {
        self.facts.of_variable(variable).filter(|&fact| self.contains(set, fact))
    }

    /// Removes the values of `variable` that `kept` does not have. Returns whether any were.
    pub(crate) fn restrict(&self, variable: VariableId, set: &mut [u64], kept: &[u64]) -> bool {
        let span = &self.spans[variable.index()];
        let mut has_changed = false;
        for word in span.first..=span.last {
            let gone = set[word] & span.mask(word) & !kept[word];
            has_changed |= gone != 0;
            set[word] &= !gone;
        }
        has_changed
    }

    /// Gives `variable` the values that it has in `source`.
    pub(crate) fn copy(&self, variable: VariableId, set: &mut [u64], source: &[u64]) {
        let span = &self.spans[variable.index()];
        for word in span.first..=span.last {
            let mask = span.mask(word);
            set[word] = set[word] & !mask | source[word] & mask;
        }
    }

    /// The value of a fact.
    pub(crate) fn value(&self, fact: FactId) -> Value {
        self.facts.fact(fact).value
    }
}

/// Adds a value.
pub(crate) fn insert(set: &mut [u64], fact: FactId) {
    set[fact.index() / 64] |= 1 << (fact.index() % 64);
}

/// Removes a value.
pub(crate) fn remove(set: &mut [u64], fact: FactId) {
    set[fact.index() / 64] &= !(1 << (fact.index() % 64));
}

#[cfg(test)]
mod tests {
    use hipot_task::{TaskBuilder, Variable};

    use super::*;

    #[test]
    fn variables_may_span_words() {
        let mut builder = TaskBuilder::new(false);
        for (name, size) in [("a", 60), ("b", 70), ("c", 1)] {
            let values = (0..size).map(|value| value.to_string());
            builder.add_variable(Variable::new(name, values)).unwrap();
        }
        builder.set_initial(vec![0; 3]).unwrap();
        let layout = Layout::new(Facts::new(&builder.build()));
        let [a, b, c] = [0, 1, 2].map(VariableId::new);
        let mut set = layout.full();
        assert_eq!([a, b, c].map(|variable| layout.count(variable, &set)), [60, 70, 1]);
        let mut kept = vec![0; layout.words()];
        for number in [3, 60, 129, 130] {
            insert(&mut kept, FactId::new(number));
        }
        assert!(layout.meet(b, [&set, &kept]));
        assert!(layout.restrict(b, &mut set, &kept) && !layout.restrict(b, &mut set, &kept));
        assert_eq!([a, b, c].map(|variable| layout.count(variable, &set)), [60, 2, 1]);
        let values: Vec<Value> = layout.facts_of(b, &set).map(|fact| layout.value(fact)).collect();
        assert_eq!(values, [0, 69]);
        let empty = vec![0; layout.words()];
        assert!(!layout.meet(c, [&set, &empty]) && layout.meet(c, [&set, &kept]));
    }
}
