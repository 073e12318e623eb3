//! Pseudo-Boolean constraints.

use std::fmt;

use crate::literal::{Literal, Variable};

/// Σ coefficient · literal ≥ degree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraint {
    pub(crate) terms: Vec<(i128, Literal)>,
    pub(crate) degree: i128,
}

impl Constraint {
    /// At least one of the literals.
    pub(crate) fn clause(literals: impl IntoIterator<Item = Literal>) -> Self {
        Self { terms: literals.into_iter().map(|literal| (1, literal)).collect(), degree: 1 }
    }

    /// The constraint with these terms.
    pub(crate) fn sum(terms: Vec<(i128, Literal)>, degree: i128) -> Self {
        Self { terms, degree }
    }

    /// If the variable is true, all of the literals.
    pub(crate) fn implies_all(
        variable: Variable,
        literals: impl IntoIterator<Item = Literal>,
    ) -> Self {
        let terms: Vec<_> = literals.into_iter().map(|literal| (1, literal)).collect();
        let degree = terms.len() as i128;
        Self { terms, degree }.if_true(variable.into())
    }

    /// The constraint, which has to hold only if the literal is true.
    pub(crate) fn if_true(mut self, literal: Literal) -> Self {
        let least: i128 = self.terms.iter().map(|&(coefficient, _)| coefficient.min(0)).sum();
        if self.degree > least {
            self.terms.push((self.degree - least, !literal));
        }
        self
    }

    /// The constraint that holds if and only if this one does not.
    pub(crate) fn negated(&self) -> Self {
        let terms = self.terms.iter().map(|&(coefficient, literal)| (-coefficient, literal));
        Self { terms: terms.collect(), degree: 1 - self.degree }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (coefficient, literal) in &self.terms {
            write!(f, "{coefficient} {literal} ")?;
        }
        write!(f, ">= {}", self.degree)
    }
}
