//! Why the certificate of a search does not prove its claim, in terms of the task.

use std::fmt;

use super::stream::StatesError;
use crate::certificate::{Claim, Rejection};
use crate::counted::counted;

/// Why the certificate of a search was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchRejection {
    /// The certificate names another task, or layers do not prove their mutexes, or a function does
    /// not have the property that it needs.
    #[error("{}{rejection}", place(*.function))]
    Function {
        /// The number of the function, from 1; `None` if the task is another one.
        function: Option<usize>,
        /// What is wrong with it.
        rejection: Rejection,
    },
    /// The list of states cannot be read.
    #[error(transparent)]
    States(#[from] StatesError),
    /// A listed state is a goal state.
    #[error("listed state {state} is a goal state: {}", .facts.join(", "))]
    Goal {
        /// Its number, from 1.
        state: u64,
        /// The names of its facts.
        facts: Vec<String>,
    },
    /// The initial state is not covered.
    #[error("the initial state {0}")]
    Initial(Box<Uncovered>),
    /// The successor of a listed state is not covered.
    #[error(
        "operator '{operator}' leads from listed state {state}, of cost {cost}, to a state that {uncovered}: {}",
        .facts.join(", ")
    )]
    Successor {
        /// The number of the listed state, from 1.
        state: u64,
        /// Its cost.
        cost: u64,
        /// The name of the operator.
        operator: String,
        /// The names of the successor's facts.
        facts: Vec<String>,
        /// What is missing.
        uncovered: Box<Uncovered>,
    },
}

/// That a state is not covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// The claim.
    pub claim: Claim,
    /// The cost at which it is reached.
    pub cost: u64,
    /// The cost with which it is listed, if it is.
    pub listed: Option<u64>,
    /// The lower bound on its distance from a goal.
    pub bound: String,
}

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claim, cost, listed, bound } = self;
        match (claim, listed) {
            (Claim::Unsolvable, _) => f.write_str("is neither listed nor proved to be in no plan"),
            (Claim::Bound(claimed), None) => write!(
                f,
                "is not listed, although it is reached at cost {cost} and needs {bound} for all \
                 that is proved, less than {claimed} in all"
            ),
            (Claim::Bound(_), Some(listed)) => write!(
                f,
                "is listed with a cost of {listed}, although it is reached at cost {cost}"
            ),
        }
    }
}

fn place(function: Option<usize>) -> String {
    function.map_or_else(String::new, |number| format!("function {number}: "))
}

/// The first of some names, and the number of the others.
pub(super) fn shortened(mut names: Vec<String>) -> Vec<String> {
    const MAX_NAMES: usize = 12;
    if names.len() > MAX_NAMES + 1 {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("and {} more", counted(more, "fact")));
    }
    names
}
