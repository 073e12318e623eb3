//! What an operator does to one variable.

use hipot_task::{Task, Value};

/// What an operator does to one variable that it mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The variable's index.
    pub(super) variable: usize,
    /// The value that the operator requires.
    pub(super) before: Value,
    /// The value that the variable has afterwards.
    pub(super) after: Value,
}

impl Change {
    /// Whether the variable is unknown before the operator.
    pub(super) fn is_open(self, task: &Task) -> bool {
        self.before == task.variables()[self.variable].domain_size()
    }
}
