//! States packed into bits.
//!
//! A variable with n values takes ⌈log₂ n⌉ bits of one 32-bit word. Search
//! stores millions of states this way; heuristics read them through
//! [`StateView`] without unpacking.

use crate::ids::{Value, VariableId};
use crate::task::Task;

/// The bits of one variable: `(words[word] >> shift) & mask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The index of the word.
    pub word: u32,
    /// How far the value is shifted.
    pub shift: u32,
    /// As many low bits as the value needs.
    pub mask: u32,
}

/// Where each variable lies in a packed state.
#[derive(Clone, Debug)]
pub struct Packing {
    slots: Vec<Slot>,
    width: usize,
}

impl Packing {
    /// A packing for the states of `task`: widest variable first, each into
    /// the first word that has room (first fit decreasing).
    pub fn new(task: &Task) -> Self {
        let bits =
            |id: &VariableId| task.variable(*id).domain_size().next_power_of_two().trailing_zeros();
        let mut order: Vec<VariableId> = task.variable_ids().collect();
        order.sort_by_key(|id| std::cmp::Reverse(bits(id)));

        let mut slots = vec![Slot { word: 0, shift: 0, mask: 0 }; order.len()];
        let mut used: Vec<u32> = Vec::new();
        // Words before this one are full: later variables are no wider.
        let mut first_open = 0;
        for id in order {
            let needed = bits(&id);
            if needed == 0 {
                continue;
            }
            while first_open < used.len() && used[first_open] == u32::BITS {
                first_open += 1;
            }
            let fits = used[first_open..].iter().position(|used| used + needed <= u32::BITS);
            let word = fits.map_or(used.len(), |offset| first_open + offset);
            if word == used.len() {
                used.push(0);
            }
            let mask = u32::MAX >> (u32::BITS - needed);
            slots[id.index()] = Slot { word: word as u32, shift: used[word], mask };
            used[word] += needed;
        }
        Self { slots, width: used.len().max(1) }
    }

    /// The number of words of a packed state, at least 1.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Where `variable` lies.
    pub fn slot(&self, variable: VariableId) -> Slot {
        self.slots[variable.index()]
    }

    /// Packs a state given as a value for each variable.
    pub fn pack(&self, values: &[Value]) -> Vec<u32> {
        let mut words = vec![0; self.width];
        for (slot, &value) in self.slots.iter().zip(values) {
            words[slot.word as usize] |= value << slot.shift;
        }
        words
    }
}

/// A packed state, read variable by variable.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a> {
    packing: &'a Packing,
    words: &'a [u32],
}

impl<'a> StateView<'a> {
    /// The state that `words` holds, packed by `packing`.
    pub fn new(packing: &'a Packing, words: &'a [u32]) -> Self {
        debug_assert_eq!(words.len(), packing.width());
        Self { packing, words }
    }

    /// The value of V, written s\[V\].
    pub fn value(&self, variable: VariableId) -> Value {
        let slot = self.packing.slot(variable);
        (self.words[slot.word as usize] >> slot.shift) & slot.mask
    }

    /// The packed words.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// A value for each variable.
    pub fn unpack(&self) -> Vec<Value> {
        (0..self.packing.slots.len()).map(|index| self.value(VariableId::new(index))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TaskBuilder, Variable};
    use proptest::prelude::*;

    fn task_with_domains(sizes: &[u32]) -> Task {
        let mut builder = TaskBuilder::new(false);
        for (index, &size) in sizes.iter().enumerate() {
            let values = (0..size).map(|value| value.to_string());
            builder.add_variable(Variable::new(index.to_string(), values)).unwrap();
        }
        builder.set_initial(vec![0; sizes.len()]).unwrap();
        builder.build()
    }

    proptest! {
        #[test]
        fn packing_keeps_every_value(
            state in prop::collection::vec((1_u32..300).prop_flat_map(|n| (Just(n), 0..n)), 0..60)
        ) {
            let (sizes, values): (Vec<u32>, Vec<u32>) = state.into_iter().unzip();
            let packing = Packing::new(&task_with_domains(&sizes));
            let words = packing.pack(&values);
            prop_assert_eq!(words.len(), packing.width());
            prop_assert_eq!(StateView::new(&packing, &words).unpack(), values);
        }
    }

    #[test]
    fn thirty_two_switches_fill_one_word() {
        assert_eq!(Packing::new(&task_with_domains(&[2; 32])).width(), 1);
        assert_eq!(Packing::new(&task_with_domains(&[2; 33])).width(), 2);
    }
}
