//! Digits: the variables of a pattern as places in the numbers of abstract states.

use hipot_task::{Value, VariableId};

use crate::frame::Frame;

/// The rank of a value that is dead.
pub(super) const DEAD: u32 = u32::MAX;

/// A variable of the pattern, as a digit of the numbers of states.
#[derive(Clone, Debug)]
pub(super) struct Digit {
    pub(super) variable: VariableId,
    /// The values that are not dead.
    pub(super) values: Vec<Value>,
    /// For each value, its place among them, or `DEAD`.
    pub(super) ranks: Vec<u32>,
    /// The difference between the numbers of states that differ by 1 in this digit.
    pub(super) step: u32,
}

impl Digit {
    pub(super) fn rank(&self, value: Value) -> Option<u32> {
        Some(self.ranks[value as usize]).filter(|&rank| rank != DEAD)
    }

    /// The digit in the number of a state.
    pub(super) fn of(&self, state: u32) -> u32 {
        state / self.step % self.values.len() as u32
    }
}

/// The digits of a pattern.
pub(super) fn digits(frame: &Frame<'_>, pattern: &[VariableId]) -> Vec<Digit> {
    let mut step = 1;
    let mut digits = Vec::with_capacity(pattern.len());
    for &variable in pattern {
        let layout = frame.layout();
        let alive = layout.facts_of(variable, frame.alive());
        let values: Vec<Value> = alive.map(|fact| layout.value(fact)).collect();
        let mut ranks = vec![DEAD; layout.facts().domain_size(variable)];
        for (rank, &value) in values.iter().enumerate() {
            ranks[value as usize] = rank as u32;
        }
        let size = values.len() as u32;
        digits.push(Digit { variable, values, ranks, step });
        step *= size;
    }
    digits
}
