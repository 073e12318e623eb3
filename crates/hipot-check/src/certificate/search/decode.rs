//! The listed states of a task, one after the other.

use std::io::BufRead;

use hipot_task::{Task, Value};

use super::code::StateCode;
use super::stream::{Cursor, Next, States, StatesError};

/// Reads the listed states of a task.
pub struct ListedStates<R: BufRead> {
    states: States<R>,
    code: StateCode,
    cursor: Cursor,
}

impl<R: BufRead> ListedStates<R> {
    /// The states of `task` in this list.
    pub fn new(task: &Task, states: States<R>) -> Self {
        let code = StateCode::new(task);
        let cursor = Cursor::new(&code);
        Self { states, code, cursor }
    }

    /// Moves to the next state, if there is one: sets the values of all variables that are not derived and
    /// returns its cost.
    pub fn next(&mut self, values: &mut [Value]) -> Result<Option<u64>, StatesError> {
        let Next::State = self.states.next(&mut self.cursor)? else { return Ok(None) };
        let decoded = self.code.decode(&self.cursor.bytes, values);
        decoded.ok_or_else(|| self.error("it has a value that its variable does not have"))?;
        Ok(Some(self.cursor.cost))
    }

    /// An error at this place.
    pub(super) fn error(&self, message: &str) -> StatesError {
        self.states.error(message.to_owned())
    }
}
