//! What an operator does to a packed state.
//!
//! Facts become tests and patches of whole words, several at a time if their variables
//! share a word. An operator without conditional effects is a list
//! of patches; one with conditional effects is a list of tests and patches,
//! applied in the order of the effects, the tests always on the old state.

use hipot_task::{Effect, Fact, OperatorId, Packing, Task};

use crate::axioms::Axioms;
use crate::index_range::IndexRange;
use crate::word_tests::{Patch, Test, conjunction, holds, patch};

/// All operators of a task, ready to be applied.
#[derive(Clone)]
pub(crate) struct Transitions {
    /// For each operator, a range of `patches` if its effects are unconditional, otherwise
    /// of `conditional`.
    operators: Vec<Effects>,
    patches: Vec<Patch>,
    conditional: Vec<Conditional>,
    tests: Vec<Test>,
    axioms: Option<Axioms>,
}

#[derive(Clone, Copy)]
enum Effects {
    Unconditional(IndexRange),
    Conditional(IndexRange),
}

#[derive(Clone, Copy)]
struct Conditional {
    condition: IndexRange,
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
            let patches = conjunction(&facts, packing).into_iter().map(Patch::from);
            return Effects::Unconditional(IndexRange::append(&mut self.patches, patches));
        }
        let mut list = Vec::new();
        for effect in effects {
            let tests = conjunction(&effect.conditions, packing);
            let condition = IndexRange::append(&mut self.tests, tests);
            list.push(Conditional { condition, patch: patch(effect.fact, packing) });
        }
        Effects::Conditional(IndexRange::append(&mut self.conditional, list))
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

    /// Sets the derived variables by the axioms.
    #[inline]
    pub(crate) fn derive(&mut self, words: &mut [u32]) {
        if let Some(axioms) = &mut self.axioms {
            axioms.derive(words);
        }
    }
}
