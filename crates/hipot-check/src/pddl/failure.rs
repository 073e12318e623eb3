//! What can be wrong with a plan.

use std::fmt;

use super::explain::FalsePart;
use super::semantics::NoCost;
use crate::counted::counted;

/// Why a plan is not a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{}{reason}",
    .line.map_or(String::new(), |line| format!("line {line}: ")),
    .step.map_or(String::new(), |step| format!("step {step}, "))
)]
pub struct Failure {
    /// The number of the step that fails, from 1; `None` if all steps can be
    /// applied.
    pub step: Option<usize>,
    /// Its line in the plan file.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: Box<Reason>,
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The domain has no such action.
    UnknownAction {
        /// The name.
        name: String,
        /// An action with a similar name.
        nearest: Option<String>,
    },
    /// The step has too many arguments, or too few.
    WrongNumber {
        /// The step.
        name: String,
        /// The number of arguments that the action takes.
        expected: usize,
        /// The number of arguments that the step has.
        found: usize,
    },
    /// The task has no such object.
    UnknownObject {
        /// The step.
        name: String,
        /// The name of the object.
        object: String,
        /// An object with a similar name.
        nearest: Option<String>,
    },
    /// An argument does not have the parameter's type.
    WrongType {
        /// The step.
        name: String,
        /// The argument.
        object: String,
        /// The parameter.
        parameter: String,
        /// The parameter's type.
        expected: String,
        /// The argument's type.
        found: String,
    },
    /// The precondition does not hold.
    NotApplicable {
        /// The step.
        name: String,
        /// What is false in the precondition.
        unsatisfied: Vec<FalsePart>,
    },
    /// The step, or the plan up to it, has no cost.
    NoCost {
        /// The step.
        name: String,
        /// Why not.
        why: NoCost,
    },
    /// The last state does not satisfy the goal.
    GoalNotReached {
        /// What is false in the goal.
        unsatisfied: Vec<FalsePart>,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownAction { name, nearest } => {
                write!(f, "the domain has no action '{name}'")?;
                suggest(nearest.as_deref(), f)
            }
            Self::WrongNumber { name, expected, found } => {
                let expected = counted(*expected, "argument");
                write!(f, "({name}): the action takes {expected}, not {found}")
            }
            Self::UnknownObject { name, object, nearest } => {
                write!(f, "({name}): there is no object '{object}'")?;
                suggest(nearest.as_deref(), f)
            }
            Self::WrongType { name, object, parameter, expected, found } => write!(
                f,
                "({name}): '{object}' is of type {found}, but {parameter} must be of type {expected}"
            ),
            Self::NotApplicable { name, unsatisfied } => {
                write!(f, "({name}), cannot be applied: it needs ")?;
                list(unsatisfied, f)
            }
            Self::NoCost { name, why } => write!(f, "({name}), cannot be applied: {why}"),
            Self::GoalNotReached { unsatisfied } => {
                f.write_str("the plan does not reach the goal: it needs ")?;
                list(unsatisfied, f)
            }
        }
    }
}

fn suggest(nearest: Option<&str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    nearest.map_or(Ok(()), |nearest| write!(f, "; did you mean '{nearest}'?"))
}

/// Writes the first parts, and the number of further ones.
fn list(parts: &[FalsePart], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const MAX_SHOWN: usize = 5;
    for (index, part) in parts.iter().take(MAX_SHOWN).enumerate() {
        let separator = if index > 0 { ", and " } else { "" };
        write!(f, "{separator}{part}")?;
    }
    match parts.len().saturating_sub(MAX_SHOWN) {
        0 => Ok(()),
        more => write!(f, ", and {more} more"),
    }
}
