//! Constants and objects.

use crate::ast::{Object, ObjectId, TypeId};
use crate::diagnostics::{Finding, Findings, quote};
use crate::source::File;
use crate::tree::Node;

use super::names::{NameKind, Names, declared_twice, new_name};
use super::typed_list::groups;
use super::types::Types;

/// The objects of a task.
pub(super) struct Objects<'a> {
    pub(super) list: Vec<Object>,
    pub(super) names: Names<'a, ObjectId>,
    /// The objects with several types.
    either: Vec<ObjectId>,
}

impl<'a> Objects<'a> {
    pub(super) fn new() -> Self {
        Self { list: Vec::new(), names: Names::new(), either: Vec::new() }
    }

    /// Adds the section `:constants` of the domain, or `:objects` of the
    /// problem, which may repeat constants.
    pub(super) fn declare(
        &mut self,
        section: Option<Node<'a>>,
        types: &Types<'a>,
        file: File,
        findings: &mut Findings,
    ) {
        let kind = match file {
            File::Domain => NameKind::Constant,
            File::Problem => NameKind::Object,
        };
        for group in groups(section.into_iter().flat_map(Node::parts).skip(1), findings) {
            let of_types = types.of(&group, findings);
            for node in group.names {
                self.add(node, kind, &of_types, findings);
            }
        }
    }

    fn add(&mut self, node: Node<'a>, kind: NameKind, types: &[TypeId], findings: &mut Findings) {
        let Some(name) = new_name(node, kind, findings) else { return };
        if let Some((id, before)) = self.names.get(name) {
            let is_constant = before.is_some_and(|before| before.file != node.span().file);
            if !is_constant {
                findings.add(declared_twice(kind.noun(), name, node.span(), before));
            } else if self.list[id.index()].types != types {
                let message = format!("{} is already a constant of another type", quote(name));
                let finding = Finding::wrong(node.span(), message);
                findings.add(finding.with_declaration(before, "declared here"));
            }
            return;
        }
        let id = ObjectId::new(self.list.len());
        self.names.insert(name, id, Some(node.span()));
        self.list.push(Object { name: name.to_owned(), types: types.to_vec() });
        if types.len() > 1 {
            self.either.push(id);
        }
    }

    /// Whether the object has one of these types. It counts as having them if a
    /// type is unknown because of a mistake elsewhere.
    pub(super) fn belongs(&self, object: ObjectId, to: &[TypeId], types: &Types<'_>) -> bool {
        let own = &self.list[object.index()].types;
        own.is_empty()
            || to.is_empty()
            || own.iter().any(|&own| to.iter().any(|&to| types.hierarchy.is_below(own, to)))
    }

    /// Whether an object can have a type of `left` and one of `right`. It
    /// counts as able to if a type is unknown because of a mistake elsewhere.
    pub(super) fn meet(&self, left: &[TypeId], right: &[TypeId], types: &Types<'_>) -> bool {
        left.is_empty()
            || right.is_empty()
            || left.iter().any(|&left| right.iter().any(|&right| types.hierarchy.meet(left, right)))
            || self.either.iter().any(|&object| {
                self.belongs(object, left, types) && self.belongs(object, right, types)
            })
    }
}
