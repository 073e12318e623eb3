//! What an operator does to a packed state.
//!
//! Facts become tests and patches of whole words, several at a time where
//! variables share a word. An operator without conditional effects is a list
//! of patches; one with conditional effects is a list of tests and patches,
//! applied in the order of the effects, the tests always on the old state.

use hipot_task::{Effect, Fact, OperatorId, Packing, Task};

use crate::transitions::axioms::Axioms;

mod axioms;

/// `words[word] & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    word: u32,
    mask: u32,
    value: u32,
}

/// `words[word] = words[word] & keep | set`.
#[derive(Clone, Copy, Debug)]
struct Patch {
    word: u32,
    keep: u32,
    set: u32,
}

/// The facts as few tests, one a word.
pub(crate) fn conjunction(facts: &[Fact], packing: &Packing) -> Vec<Test> {
    let mut tests: Vec<Test> = facts.iter().map(|&fact| test(fact, packing)).collect();
    tests.retain(|test| test.mask != 0);
    tests.sort_unstable_by_key(|test| test.word);
    tests.dedup_by(|next, test| {
        let same = next.word == test.word;
        if same {
            test.mask |= next.mask;
            test.value |= next.value;
        }
        same
    });
    tests
}

fn test(fact: Fact, packing: &Packing) -> Test {
    let slot = packing.slot(fact.variable);
    Test { word: slot.word, mask: slot.mask << slot.shift, value: fact.value << slot.shift }
}

/// Whether all tests hold.
#[inline]
pub(crate) fn holds(tests: &[Test], words: &[u32]) -> bool {
    tests.iter().all(|test| words[test.word as usize] & test.mask == test.value)
}

/// A fact's patch.
fn patch(fact: Fact, packing: &Packing) -> Patch {
    let Test { word, mask, value } = test(fact, packing);
    Patch { word, keep: !mask, set: value }
}

impl Patch {
    #[inline]
    fn apply(self, words: &mut [u32]) {
        let word = &mut words[self.word as usize];
        *word = *word & self.keep | self.set;
    }
}

/// Part of a list that holds all operators' parts one after another.
#[derive(Clone, Copy, Debug)]
struct Part {
    begin: u32,
    end: u32,
}

impl Part {
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.begin as usize..self.end as usize]
    }

    fn append<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Self {
        let begin = list.len() as u32;
        list.extend(items);
        Self { begin, end: list.len() as u32 }
    }
}

/// All operators of a task, ready to be applied.
pub(crate) struct Transitions {
    /// Of operator o: `patches` where effects are unconditional, otherwise
    /// `conditional`.
    operators: Vec<Effects>,
    patches: Vec<Patch>,
    conditional: Vec<Conditional>,
    tests: Vec<Test>,
    axioms: Option<Axioms>,
}

#[derive(Clone, Copy)]
enum Effects {
    Unconditional(Part),
    Conditional(Part),
}

#[derive(Clone, Copy)]
struct Conditional {
    condition: Part,
    patch: Patch,
}

impl Transitions {
    pub(crate) fn new(task: &Task, packing: &Packing) -> Self {
        let mut transitions = Self {
            operators: Vec::with_capacity(task.operators().len()),
            patches: Vec::new(),
            conditional: Vec::new(),
            tests: Vec::new(),
            axioms: Axioms::new(task, packing),
        };
        for operator in task.operators() {
            let effects = transitions.effects(&operator.effects, packing);
            transitions.operators.push(effects);
        }
        transitions
    }

    fn effects(&mut self, effects: &[Effect], packing: &Packing) -> Effects {
        if effects.iter().all(|effect| effect.conditions.is_empty()) {
            let facts: Vec<Fact> = effects.iter().map(|effect| effect.fact).collect();
            let tests = conjunction(&facts, packing);
            let patches = tests.iter().map(|&Test { word, mask, value }| Patch {
                word,
                keep: !mask,
                set: value,
            });
            return Effects::Unconditional(Part::append(&mut self.patches, patches));
        }
        let mut list = Vec::new();
        for effect in effects {
            let tests = conjunction(&effect.conditions, packing);
            let condition = Part::append(&mut self.tests, tests);
            list.push(Conditional { condition, patch: patch(effect.fact, packing) });
        }
        Effects::Conditional(Part::append(&mut self.conditional, list))
    }

    /// Turns `successor`, a copy of `parent`, into the result of `operator`.
    #[inline]
    pub(crate) fn apply(&mut self, operator: OperatorId, parent: &[u32], successor: &mut [u32]) {
        match self.operators[operator.index()] {
            Effects::Unconditional(part) => {
                for patch in part.of(&self.patches) {
                    patch.apply(successor);
                }
            }
            Effects::Conditional(part) => {
                for effect in part.of(&self.conditional) {
                    if holds(effect.condition.of(&self.tests), parent) {
                        effect.patch.apply(successor);
                    }
                }
            }
        }
        self.derive(successor);
    }

    /// Sets the derived variables to what the axioms say.
    #[inline]
    pub(crate) fn derive(&mut self, words: &mut [u32]) {
        if let Some(axioms) = &mut self.axioms {
            axioms.derive(words);
        }
    }
}
