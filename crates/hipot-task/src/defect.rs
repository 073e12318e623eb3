//! What can be wrong with a part of a task.

use std::fmt;

/// Why a part cannot belong to a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// A variable's index is too large.
    #[error("there is no variable {variable}: {}", range(*.variables))]
    UnknownVariable {
        /// The index given.
        variable: u32,
        /// How many variables there are.
        variables: u32,
    },
    /// A value's index is too large.
    #[error("variable '{variable}' has no value {value}: {}", range(*.domain_size))]
    UnknownValue {
        /// The variable's name.
        variable: String,
        /// The index given.
        value: u32,
        /// How many values it has.
        domain_size: u32,
    },
    /// A variable without values.
    #[error("variable '{0}' has no values")]
    EmptyDomain(String),
    /// A derived variable that is not binary.
    #[error("derived variable '{name}' must have two values, not {domain_size}")]
    DerivedDomain {
        /// The variable's name.
        name: String,
        /// How many values it has.
        domain_size: u32,
    },
    /// Several facts of one variable where one is allowed.
    #[error("{place} mentions variable '{variable}' twice")]
    VariableTwice {
        /// Where.
        place: Place,
        /// The variable's name.
        variable: String,
    },
    /// One fact twice where it must be once.
    #[error("a mutex group lists the fact '{0}' twice")]
    FactTwice(String),
    /// Two values required of one variable at once.
    #[error(
        "contradictory preconditions: variable '{variable}' must be both '{first}' and '{second}'"
    )]
    Contradiction {
        /// The variable's name.
        variable: String,
        /// One value's name.
        first: String,
        /// The other's.
        second: String,
    },
    /// An operator without a name.
    #[error("an operator must have a name")]
    UnnamedOperator,
    /// An operator that changes a derived variable.
    #[error("an operator cannot change the derived variable '{0}'")]
    EffectOnDerived(String),
    /// An axiom for a variable that is not derived.
    #[error("an axiom cannot set '{0}', which is not a derived variable")]
    HeadNotDerived(String),
    /// An axiom that sets the default value.
    #[error("an axiom cannot set the derived variable '{0}' to its default value")]
    HeadIsDefault(String),
    /// An axiom that needs a layer it must not look at.
    #[error(
        "the axioms are not stratified: a rule for '{head}' (layer {head_layer}) depends on \
         {}'{body}' (layer {body_layer})",
        if *.asks_default { "the default value of " } else { "" }
    )]
    NotStratified {
        /// The derived variable's name.
        head: String,
        /// Its layer.
        head_layer: u32,
        /// The name of the variable that the rule asks for.
        body: String,
        /// Its layer.
        body_layer: u32,
        /// Whether the rule asks for that variable's default value.
        asks_default: bool,
    },
    /// A cost beyond [`MAX_COST`](crate::MAX_COST).
    #[error("cost {0} is larger than 2147483647")]
    CostTooLarge(u64),
    /// An initial state with too few or too many values.
    #[error("the initial state has {given} values for {variables} variables")]
    InitialLength {
        /// How many values were given.
        given: usize,
        /// How many variables there are.
        variables: usize,
    },
}

fn range(count: u32) -> String {
    match count {
        0 => "the task has none".to_owned(),
        1 => "there is only 0".to_owned(),
        n => format!("they go from 0 to {}", n - 1),
    }
}

/// A list of facts in a task, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The goal.
    Goal,
    /// An operator's preconditions.
    Precondition,
    /// An operator's unconditional effects.
    Effects,
    /// The conditions of one effect.
    EffectCondition,
    /// An axiom's body.
    AxiomBody,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Goal => "the goal",
            Self::Precondition => "the precondition",
            Self::Effects => "the list of unconditional effects",
            Self::EffectCondition => "the effect's condition",
            Self::AxiomBody => "the axiom's body",
        })
    }
}
