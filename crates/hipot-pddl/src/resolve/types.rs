//! Types and their hierarchy.
//!
//! Naming a type as the parent of another declares it. Types form a graph
//! without cycles, not always a tree: `either` gives a type several parents.

use crate::ast::{Type, TypeId};
use crate::diagnostics::{Finding, Findings, quote};
use crate::tree::Node;

use super::hierarchy::{Hierarchy, children};
use super::names::{NameKind, Names, declared_twice, new_name};
use super::typed_list::{Group, groups};

/// The number of types that a message names.
const MAX_SHOWN: usize = 6;

/// The number of types in the largest `either`. Every object may have this
/// many types, so a limit keeps hostile files small.
const MAX_ALTERNATIVES: usize = 100;

/// A type, and where it is declared.
type Declaration<'a> = (TypeId, Node<'a>);

/// The types of a task.
pub(super) struct Types<'a> {
    pub(super) list: Vec<Type>,
    names: Names<'a, TypeId>,
    pub(super) hierarchy: Hierarchy,
}

impl<'a> Types<'a> {
    /// The types of the section `:types`.
    pub(super) fn declare(section: Option<Node<'a>>, findings: &mut Findings) -> Self {
        let mut names = Names::new();
        names.insert("object", TypeId::OBJECT, None);
        let list = vec![Type { name: "object".to_owned(), parents: Vec::new() }];
        let hierarchy = Hierarchy::new(&list);
        let mut types = Self { list, names, hierarchy };
        let before = findings.count();
        let groups = groups(section.into_iter().flat_map(Node::parts).skip(1), findings);
        let declared = types.add_all(&groups, findings);
        for (group, ids) in groups.iter().zip(&declared) {
            let parents = types.parents(group.of_type, findings);
            for &(id, _) in ids {
                types.set_parents(id, &parents);
            }
        }
        let declared: Vec<_> = declared.into_iter().flatten().collect();
        types.check_cycles(&declared, findings);
        if findings.count() == before {
            types.hierarchy = Hierarchy::new(&types.list);
        } else {
            types.hierarchy.forget();
        }
        types
    }

    /// Declares the names of each group.
    fn add_all(
        &mut self,
        groups: &[Group<'a>],
        findings: &mut Findings,
    ) -> Vec<Vec<Declaration<'a>>> {
        let mut first = vec![None];
        let mut declare = |group: &Group<'a>| {
            let names = group.names.iter();
            let declare =
                |&name| Some((self.add(name, group.of_type, &mut first, findings)?, name));
            names.filter_map(declare).collect()
        };
        groups.iter().map(&mut declare).collect()
    }

    /// The declared type. `first` holds what followed the `-` when each type
    /// was first declared. A second declaration is fine if only one of the two
    /// names a parent, as in a competition task.
    fn add(
        &mut self,
        node: Node<'a>,
        of_type: Option<Node<'a>>,
        first: &mut Vec<Option<Node<'a>>>,
        findings: &mut Findings,
    ) -> Option<TypeId> {
        let name = new_name(node, NameKind::Type, findings)?;
        let Some((id, before)) = self.names.get(name) else {
            first.push(of_type);
            return Some(self.push(name, node));
        };
        let is_plain =
            |of_type: Option<Node<'a>>| of_type.is_none_or(|node| node.word() == Some("object"));
        if id != TypeId::OBJECT && is_plain(first[id.index()]) == is_plain(of_type) {
            findings.add(declared_twice("type", name, node.span(), before));
        }
        Some(id)
    }

    fn push(&mut self, name: &'a str, node: Node<'_>) -> TypeId {
        let id = TypeId::new(self.list.len());
        self.names.insert(name, id, Some(node.span()));
        self.list.push(Type { name: name.to_owned(), parents: vec![TypeId::OBJECT] });
        id
    }

    /// The types after a `-` in the section `:types`. Those without a
    /// declaration of their own are declared here.
    fn parents(&mut self, of_type: Option<Node<'a>>, findings: &mut Findings) -> Vec<TypeId> {
        let mut parents = Vec::new();
        for node in alternatives(of_type, findings) {
            let Some(name) = new_name(node, NameKind::Type, findings) else { continue };
            let known = self.names.get(name).map(|(id, _)| id);
            parents.push(known.unwrap_or_else(|| self.push(name, node)));
        }
        parents.sort_unstable();
        parents.dedup();
        parents
    }

    fn set_parents(&mut self, id: TypeId, parents: &[TypeId]) {
        if parents.iter().any(|&parent| parent != TypeId::OBJECT) {
            self.list[id.index()].parents = parents.to_vec();
        }
    }

    /// The types of a group outside the section `:types`: `object` if no type
    /// is written, and none if no known type is.
    pub(super) fn of(&self, group: &Group<'a>, findings: &mut Findings) -> Vec<TypeId> {
        if group.of_type.is_none() && !group.is_broken {
            return vec![TypeId::OBJECT];
        }
        let mut found = Vec::new();
        for node in alternatives(group.of_type, findings) {
            let Some(name) = node.word() else {
                let message = format!("expected a type, found {}", node.found());
                findings.add(Finding::wrong(node.mark_span(), message));
                continue;
            };
            match self.names.get(name) {
                Some((id, _)) => found.push(id),
                None if !findings.is_new("type", name) => {}
                None => {
                    let message = format!("unknown type {}", quote(name));
                    let suggestion = self.names.nearest(name, findings);
                    let finding = Finding::wrong(node.span(), message);
                    let help = "it is not declared in ':types'";
                    findings.add(finding.with_suggestion_or(suggestion, help));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The names of the types, for messages.
    pub(super) fn show(&self, types: &[TypeId]) -> String {
        let shown = types.iter().take(MAX_SHOWN);
        let names: Vec<_> = shown.map(|&id| self.quoted(id)).collect();
        names.join(" or ")
    }

    fn quoted(&self, id: TypeId) -> String {
        quote(&self.list[id.index()].name)
    }

    /// Reports one cycle, if any.
    fn check_cycles(&self, declared: &[Declaration<'a>], findings: &mut Findings) {
        let is_cyclic = self.in_cycles();
        let Some(start) = is_cyclic.iter().position(|&is_cyclic| is_cyclic) else {
            return;
        };
        let next = |id: TypeId| {
            let parents = &self.list[id.index()].parents;
            parents.iter().copied().find(|parent| is_cyclic[parent.index()]).unwrap_or(id)
        };
        // After this many steps the walk is inside a cycle.
        let inside = (0..is_cyclic.len()).fold(TypeId::new(start), |id, _| next(id));
        let mut is_inside = vec![false; is_cyclic.len()];
        let mut id = inside;
        while !std::mem::replace(&mut is_inside[id.index()], true) {
            id = next(id);
        }
        if let Some(&(first, node)) = declared.iter().find(|(id, _)| is_inside[id.index()]) {
            let mut names = vec![self.quoted(first)];
            let mut id = next(first);
            while id != first && names.len() < MAX_SHOWN {
                names.push(self.quoted(id));
                id = next(id);
            }
            names.push(self.quoted(id));
            let message = format!(
                "cyclic types: {}",
                names.join(", which is below ").replacen(", which", "", 1)
            );
            let help = "the type after a '-' applies to all names since the previous type";
            findings.add(Finding::wrong(node.span(), message).with_help(help));
        }
    }

    /// Whether each type is in a cycle or below one.
    fn in_cycles(&self) -> Vec<bool> {
        let children = children(&self.list);
        let mut waiting: Vec<_> = self.list.iter().map(|of_type| of_type.parents.len()).collect();
        let ids = (0..self.list.len()).map(TypeId::new);
        let mut ready: Vec<TypeId> = ids.filter(|id| waiting[id.index()] == 0).collect();
        while let Some(id) = ready.pop() {
            for child in &children[id.index()] {
                waiting[child.index()] -= 1;
                if waiting[child.index()] == 0 {
                    ready.push(*child);
                }
            }
        }
        waiting.iter().map(|&parents| parents > 0).collect()
    }
}

/// The types in `t` or `(either t u)`.
fn alternatives<'a>(of_type: Option<Node<'a>>, findings: &mut Findings) -> Vec<Node<'a>> {
    let Some(node) = of_type else { return Vec::new() };
    if !node.is_list() {
        return vec![node];
    }
    let types: Vec<_> = node.parts().skip(1).collect();
    if node.head() != Some("either") || types.is_empty() {
        let message = format!("expected a type or '(either …)', found {}", node.found());
        findings.add(Finding::wrong(node.mark_span(), message));
        return Vec::new();
    }
    if types.len() > MAX_ALTERNATIVES {
        let what = format!("'either' with more than {MAX_ALTERNATIVES} types is");
        findings.add(Finding::unsupported(node.head_span(), what));
        return Vec::new();
    }
    types
}
