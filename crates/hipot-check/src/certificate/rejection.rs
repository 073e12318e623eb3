//! Why a certificate does not prove its claim, in terms of the task.

use std::fmt;

use hipot_task::Task;
use num_bigint::BigInt;

use super::linked::MAX_JOINT_VALUES;
use super::{Claim, FeatureFact};
use crate::counted::counted;
use crate::mutexes;

/// Why a certificate was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The certificate names another task.
    #[error("the certificate is for the task sha256:{certificate}, but this one is sha256:{task}")]
    OtherTask {
        /// The fingerprint in the certificate.
        certificate: String,
        /// The fingerprint of the task.
        task: String,
    },
    /// The layers do not prove their mutexes.
    #[error("the mutexes are not proved: {reason}")]
    Mutexes {
        /// What the check of the layers says.
        rejection: mutexes::Rejection,
        /// The reason in terms of the task, layers counted from 1.
        reason: String,
    },
    /// A feature has a fact that the task does not have.
    #[error("feature {feature} mentions {fact}, but {reason}")]
    UnknownFact {
        /// The number of the feature, from 1.
        feature: usize,
        /// The fact.
        fact: FeatureFact,
        /// Why there is no such fact.
        reason: String,
    },
    /// The potential of the goal state is positive.
    #[error(
        "the potential is not goal-aware: it is {value} in the goal state, which is more than 0"
    )]
    GoalNotAware {
        /// φ(s⋆).
        value: String,
    },
    /// An operator lets the potential fall too far.
    #[error("the potential is not consistent: {0}")]
    Inconsistent(Box<Violation>),
    /// The potential of the initial state is too small for the claim.
    #[error("the potential is {initial} in the initial state, {}", shortfall(*.claim, .provable))]
    BoundNotReached {
        /// What the certificate claims.
        claim: Claim,
        /// φ(s\_I).
        initial: String,
        /// The largest bound that φ could prove, ⌈φ(s\_I)⌉.
        provable: BigInt,
    },
    /// The certificate may be correct, but checking it takes too much work.
    #[error(
        "the certificate is too hard to check: for operator '{operator}', its features link \
         {} so closely that more than {MAX_JOINT_VALUES} joint values matter",
        several(.variables, "variables")
    )]
    TooLarge {
        /// The operator.
        operator: String,
        /// The names of the variables that features link.
        variables: Vec<String>,
    },
}

/// A transition along which the potential falls too far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the operator.
    pub operator: String,
    /// The decrease of φ that is allowed: its cost, or 0 in a proof of unsolvability.
    pub allowed: u32,
    /// What is claimed.
    pub claim: Claim,
    /// The state s in which it is applied, a fact for each variable.
    pub state: Vec<FeatureFact>,
    /// The names of those facts that matter; the other variables may have any
    /// value that mutexes allow.
    pub facts: Vec<String>,
    /// φ(s).
    pub before: String,
    /// φ(s⟦o⟧).
    pub after: String,
    /// The excess of the decrease: φ(s) − φ(s⟦o⟧) minus what is allowed.
    pub excess: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operator, allowed, before, after, excess, .. } = self;
        let facts = several(&self.facts, "facts");
        write!(f, "where {facts}, operator '{operator}' takes it from {before} to {after}, ")?;
        match self.claim {
            Claim::Bound(_) => write!(f, "which is {excess} more than its cost of {allowed}"),
            Claim::Unsolvable => {
                write!(f, "a fall by {excess}, and a proof of unsolvability allows none")
            }
        }
    }
}

fn shortfall(claim: Claim, provable: &BigInt) -> String {
    match claim {
        Claim::Bound(bound) => {
            format!("which proves a bound of {provable} at most, not the claimed {bound}")
        }
        Claim::Unsolvable => "which must be positive to prove that there is no plan".to_owned(),
    }
}

/// The names, or the first of them if there are many.
fn several(names: &[String], what: &str) -> String {
    const MAX_NAMES: usize = 12;
    match names.len().checked_sub(MAX_NAMES) {
        Some(more) if more > 0 => {
            format!("{} and {more} more {what}", names[..MAX_NAMES].join(", "))
        }
        _ => names.join(", "),
    }
}

/// Why the task does not have `fact`. `other_reasons` are appended to the reasons why a
/// variable is never unknown.
pub(super) fn why_unknown(task: &Task, fact: FeatureFact, other_reasons: &str) -> String {
    let variables = task.variables();
    match (variables.get(fact.variable.index()), fact.value) {
        (None, _) => format!("the task has only {}", counted(variables.len(), "variable")),
        (Some(variable), Some(_)) => {
            let values = counted(variable.values.len(), "value");
            format!("variable '{}' has only {values}", variable.name)
        }
        (Some(variable), None) => format!(
            "variable '{}' is never unknown: the goal asks for it, and so does every operator \
             that sets it{other_reasons}",
            variable.name
        ),
    }
}
