//! Everything that is wrong with a task, as the caller gets it.

use super::diagnostic::Diagnostic;
use super::finding::Findings;
use super::place::Places;
use super::render;
use crate::source::Source;

/// The number of diagnostics that the user sees.
const MAX_SHOWN: usize = 20;

/// Everything that is wrong with a task. [`Display`](std::fmt::Display) shows each
/// place in its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", render::text(diagnostics, *hidden))]
pub struct Errors {
    /// The first diagnostics: those of the domain, then those of the problem,
    /// each in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics that were left out.
    pub hidden: usize,
    unsupported: bool,
}

impl Errors {
    pub(crate) fn new(findings: Findings, domain: &Source, problem: &Source) -> Self {
        let (count, unsupported) = (findings.count(), findings.are_unsupported());
        let places = Places::new(domain, problem);
        let first = findings.in_order().take(MAX_SHOWN);
        let diagnostics: Vec<_> = first.map(|finding| finding.diagnostic(&places)).collect();
        Self { hidden: count - diagnostics.len(), diagnostics, unsupported }
    }

    /// Whether hipot found no mistake, only parts of PDDL that it does not
    /// support.
    pub fn is_unsupported(&self) -> bool {
        self.unsupported
    }
}
