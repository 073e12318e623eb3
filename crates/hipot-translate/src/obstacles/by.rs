//! What makes an atom true, and on which conditions.

use crate::normal::{AxiomSchema, Literal, Range, Schema, SchemaEffect};

/// Whose conditions they are.
#[derive(Clone, Copy)]
pub(super) enum By<'a> {
    /// An action's, and perhaps those of one of its effects.
    Action(&'a Schema, Option<&'a SchemaEffect>),
    /// A rule's.
    Rule(&'a AxiomSchema),
}

impl<'a> By<'a> {
    pub(super) fn ranges(self) -> Vec<&'a Range> {
        match self {
            Self::Action(schema, effect) => {
                let own = effect.into_iter().flat_map(|effect| &effect.parameters);
                schema.parameters.iter().chain(own).collect()
            }
            Self::Rule(rule) => rule.parameters.iter().collect(),
        }
    }

    pub(super) fn literals(self) -> Vec<&'a Literal> {
        match self {
            Self::Action(schema, effect) => {
                let own = effect.into_iter().flat_map(|effect| &effect.condition);
                schema.precondition.iter().chain(own).collect()
            }
            Self::Rule(rule) => rule.condition.iter().collect(),
        }
    }
}
