//! A finite-domain task in the making: numbers only; names come last.

use crate::encode::{Change, Conjunction, FactPair};

/// A task whose facts are numbers.
#[derive(Debug, Default)]
pub(crate) struct EncodedTask {
    /// The number of values of each variable.
    pub(crate) sizes: Vec<u32>,
    /// Whether axioms determine the variable.
    pub(crate) is_derived: Vec<bool>,
    /// The initial state; the default values of derived variables.
    pub(crate) initial: Vec<u32>,
    pub(crate) goal: Conjunction,
    pub(crate) operators: Vec<EncodedOperator>,
    pub(crate) axioms: Vec<EncodedAxiom>,
    /// Sets of facts of which at most one is true in a reachable state.
    pub(crate) mutex_groups: Vec<Vec<FactPair>>,
}

#[derive(Debug)]
pub(crate) struct EncodedOperator {
    /// The schema, and which of its instances this is.
    pub(crate) schema: u32,
    pub(crate) instance: u32,
    pub(crate) cost: u64,
    pub(crate) condition: Conjunction,
    pub(crate) changes: Vec<Change>,
}

#[derive(Debug)]
pub(crate) struct EncodedAxiom {
    pub(crate) head: FactPair,
    pub(crate) body: Conjunction,
}
