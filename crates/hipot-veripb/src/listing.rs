//! The states that a certificate lists.

use std::collections::BTreeMap;
use std::io::BufRead;

use hipot_check::{ListedStates, States};
use hipot_task::{Task, Value};

use crate::error::ExportError;

/// The most states that are exported. The proof has a line for each operator that is
/// applicable in each.
const MAX_STATES: usize = 50_000;

/// Listed states with costs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    pub(crate) states: Vec<(u64, Vec<Value>)>,
    numbers: BTreeMap<Vec<Value>, usize>,
}

impl Listing {
    /// Reads a list.
    pub(crate) fn read<R: BufRead>(task: &Task, states: States<R>) -> Result<Self, ExportError> {
        let mut listed = ListedStates::new(task, states);
        let mut listing = Self::default();
        let mut values = task.initial().to_vec();
        while let Some(cost) = listed.next(&mut values)? {
            let number = listing.states.len();
            if number == MAX_STATES {
                return Err(ExportError::States { most: MAX_STATES });
            }
            listing.states.push((cost, values.clone()));
            listing.numbers.entry(values.clone()).or_insert(number);
        }
        Ok(listing)
    }

    /// The index of a state, if it is listed.
    pub(crate) fn find(&self, state: &[Value]) -> Option<usize> {
        self.numbers.get(state).copied()
    }
}
