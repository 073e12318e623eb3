//! What cannot be exported.

use hipot_check::StatesError;
use hipot_task::Unsupported;

/// Why a certificate cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The task has something that the formula does not.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The certificate is about another task.
    #[error("the certificate is about another task, with fingerprint {0}")]
    OtherTask(String),
    /// The certificate claims a bound of 0.
    #[error("the certificate claims a bound of 0, which needs no proof")]
    NothingToProve,
    /// The function holds only where mutexes do.
    #[error(
        "the certificate rests on mutexes, which cannot be exported yet; \
         'mutexes=none' in the heuristic makes one that does not"
    )]
    Mutexes,
    /// A feature has too many facts.
    #[error("feature {feature} has {facts} facts; only features of one or two can be exported")]
    Dimension {
        /// The number of the feature, from 1.
        feature: usize,
        /// The number of its facts.
        facts: usize,
    },
    /// A feature mentions a fact that the task does not have.
    #[error("feature {feature} mentions a fact that the task does not have")]
    UnknownFact {
        /// The number of the feature, from 1.
        feature: usize,
    },
    /// The weights are too large.
    #[error("the weights are too large: the proof would need numbers of more than 128 bits")]
    Weights,
    /// The list of states is damaged.
    #[error(transparent)]
    Damaged(#[from] StatesError),
    /// Too many states are listed.
    #[error("the certificate lists more than {most} states; the proof would be too large")]
    States {
        /// The most states that can be exported.
        most: usize,
    },
    /// An operator has too many cases.
    #[error(
        "operator '{operator}' sets variables without asking for their values, which can be of \
         {cases} combinations; this is too much for a proof by cases"
    )]
    Cases {
        /// The name of the operator.
        operator: String,
        /// The number of combinations.
        cases: usize,
    },
}
