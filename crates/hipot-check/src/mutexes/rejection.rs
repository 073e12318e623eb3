//! Why layers of mutexes are rejected.

use hipot_task::{Fact, OperatorId, Unsupported};

/// Why layers are rejected. Layers are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The task has axioms or conditional effects.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A pair has a fact that the task lacks.
    #[error("the task has no value {} of variable {}", .0.value, .0.variable)]
    UnknownFact(Fact),
    /// The initial state has a pair of a forward layer.
    #[error("layer {layer}: the initial state has the pair {}", show(.pair))]
    Initial {
        /// The layer.
        layer: usize,
        /// The pair.
        pair: (Fact, Fact),
    },
    /// A goal state may have a pair of a backward layer.
    #[error("layer {layer}: a goal state may have the pair {}", show(.pair))]
    Goal {
        /// The layer.
        layer: usize,
        /// The pair.
        pair: (Fact, Fact),
    },
    /// An operator may lead to a pair of a forward layer from a state without,
    /// or from a pair of a backward layer to a state without.
    #[error("layer {layer}: operator {operator} may have the pair {} on one side only", show(.pair))]
    Operator {
        /// The layer.
        layer: usize,
        /// The operator.
        operator: OperatorId,
        /// The pair.
        pair: (Fact, Fact),
    },
}

fn show((first, second): &(Fact, Fact)) -> String {
    let show = |fact: &Fact| format!("{}={}", fact.variable, fact.value);
    format!("{}, {}", show(first), show(second))
}
