//! What can be wrong with a part of a task: the errors of [`TaskBuilder`](crate::TaskBuilder).

use std::fmt;

/// Why a part cannot belong to a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// A variable's index is too large.
    #[error("there is no variable {variable}; {}", known_variables(*.variables))]
    UnknownVariable {
        /// The index given.
        variable: u32,
        /// The number of variables.
        variables: u32,
    },
    /// A value's index is too large.
    #[error("variable '{variable}' has no value {value}; {}", known_values(*.domain_size))]
    UnknownValue {
        /// The variable's name.
        variable: String,
        /// The index given.
        value: u32,
        /// The number of its values.
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
        /// The number of its values.
        domain_size: u32,
    },
    /// Several facts of one variable where only one is allowed.
    #[error("{place} mentions variable '{variable}' twice")]
    VariableTwice {
        /// The list of facts.
        place: Place,
        /// The variable's name.
        variable: String,
    },
    /// A mutex group with a fact that appears twice.
    #[error("a mutex group lists the fact '{0}' twice")]
    FactTwice(String),
    /// Preconditions that require two values of one variable.
    #[error(
        "contradictory preconditions: variable '{variable}' must be both '{first}' and '{second}'"
    )]
    Contradiction {
        /// The variable's name.
        variable: String,
        /// One value's name.
        first: String,
        /// The other value's name.
        second: String,
    },
    /// An operator without a name.
    #[error("an operator must have a name")]
    UnnamedOperator,
    /// An operator whose name cannot be written into a plan and read again.
    #[error("the name of an operator, {name:?}, has {character:?}, which no plan file can have")]
    UnwritableName {
        /// The operator's name.
        name: String,
        /// The first such character.
        character: char,
    },
    /// An operator that changes a derived variable.
    #[error("an operator cannot change the derived variable '{0}'")]
    EffectOnDerived(String),
    /// An axiom for a variable that is not derived.
    #[error("an axiom cannot set '{0}', which is not a derived variable")]
    HeadNotDerived(String),
    /// An axiom that sets the default value.
    #[error("an axiom cannot set the derived variable '{0}' to its default value")]
    HeadIsDefault(String),
    /// An axiom that depends on a layer that is not settled before its own.
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
    #[error("cost {0} exceeds the maximum of 2147483647")]
    CostTooLarge(u64),
    /// An initial state with too few or too many values.
    #[error("the initial state has {} for {}", counted(*.given, "value"), counted(*.variables, "variable"))]
    InitialLength {
        /// The number of values given.
        given: usize,
        /// The number of variables.
        variables: usize,
    },
}

fn known_variables(count: u32) -> String {
    match count {
        0 => "the task has no variables".to_owned(),
        1 => "the only variable is 0".to_owned(),
        n => format!("variables are numbered from 0 to {}", n - 1),
    }
}

fn known_values(count: u32) -> String {
    match count {
        1 => "its only value is 0".to_owned(),
        n => format!("its values are numbered from 0 to {}", n - 1),
    }
}

/// "1 value", "2 values".
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The part of a task that a list of facts belongs to, for messages.
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
