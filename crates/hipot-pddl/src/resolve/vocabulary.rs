//! The types, objects, predicates and functions that a task declares.

use crate::diagnostics::Findings;
use crate::source::File;
use crate::tree::Node;

use super::objects::Objects;
use super::sections::Definition;
use super::signatures::{Functions, Predicates};
use super::types::Types;

/// Everything that conditions and effects can name.
pub(super) struct Vocabulary<'a> {
    pub(super) types: Types<'a>,
    pub(super) objects: Objects<'a>,
    pub(super) predicates: Predicates<'a>,
    pub(super) functions: Functions<'a>,
    /// The section `:objects`, for hints while the domain is read.
    pub(super) objects_of_problem: Option<Node<'a>>,
}

impl<'a> Vocabulary<'a> {
    /// What the domain declares; actions increase `accumulator` by their costs.
    pub(super) fn of_domain(
        domain: &Definition<'a>,
        objects_of_problem: Option<Node<'a>>,
        accumulator: &'a str,
        findings: &mut Findings,
    ) -> Self {
        let types = Types::declare(domain.section(":types"), findings);
        let mut objects = Objects::new();
        objects.declare(domain.section(":constants"), &types, File::Domain, findings);
        let predicates = Predicates::declare(domain.section(":predicates"), &types, findings);
        let section = domain.section(":functions");
        let functions = Functions::declare(section, accumulator, &types, findings);
        Self { types, objects, predicates, functions, objects_of_problem }
    }
}
