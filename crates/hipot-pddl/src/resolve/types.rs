//! Types and their hierarchy.
//!
//! A type that is named only as the parent of another is declared by that.
//! Types form a graph without cycles: `either` gives a type several parents.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::ast::{Type, TypeId};
use crate::diagnostics::{Finding, Findings, quote};
use crate::tree::Node;

use super::Names;
use super::names::{declared_twice, new_name};
use super::typed_list::groups;

/// A type, where it is declared, and what stands behind the `-`.
type Declaration<'a> = (TypeId, Node<'a>, Option<Node<'a>>);

/// The types of a task.
pub(super) struct Types<'a> {
    pub(super) list: Vec<Type>,
    names: Names<'a, TypeId>,
    /// The types directly below each.
    children: Vec<Vec<TypeId>>,
    /// Answers of `is_below` that were not trivial.
    known: RefCell<HashMap<(TypeId, TypeId), bool>>,
}

impl<'a> Types<'a> {
    /// The types of the section `:types`.
    pub(super) fn declare(section: Option<Node<'a>>, findings: &mut Findings) -> Self {
        let mut names = Names::new();
        names.insert("object", TypeId::OBJECT, None);
        let list = vec![Type { name: "object".to_owned(), parents: Vec::new() }];
        let known = RefCell::default();
        let mut types = Self { list, names, children: Vec::new(), known };
        let groups = groups(section.into_iter().flat_map(Node::parts).skip(1), findings);
        let mut declared: Vec<Declaration<'a>> = Vec::new();
        let mut first = vec![None];
        for group in &groups {
            for &name in &group.names {
                let id = types.add(name, group.of_type, &mut first, findings);
                declared.extend(id.map(|id| (id, name, group.of_type)));
            }
        }
        for &(id, _, of_type) in &declared {
            let parents = types.parents(of_type, findings);
            types.set_parents(id, parents);
        }
        types.check_cycles(&declared, findings);
        types.list_children();
        types
    }

    /// The declared type; `first` has what stood behind the `-` when each
    /// type was first declared. A second declaration is fine where only one of
    /// both says something, as in a task of the competitions.
    fn add(
        &mut self,
        node: Node<'a>,
        of_type: Option<Node<'a>>,
        first: &mut Vec<Option<Node<'a>>>,
        findings: &mut Findings,
    ) -> Option<TypeId> {
        let name = new_name(node, "a type", findings)?;
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

    /// The types after the `-` in the section `:types`; those that are not
    /// declared on their own are declared here.
    fn parents(&mut self, of_type: Option<Node<'a>>, findings: &mut Findings) -> Vec<TypeId> {
        let mut parents = Vec::new();
        for node in alternatives(of_type, findings) {
            let Some(name) = new_name(node, "a type", findings) else { continue };
            let known = self.names.get(name).map(|(id, _)| id);
            parents.push(known.unwrap_or_else(|| self.push(name, node)));
        }
        parents
    }

    fn set_parents(&mut self, id: TypeId, mut parents: Vec<TypeId>) {
        parents.sort_unstable();
        parents.dedup();
        if parents.iter().any(|&parent| parent != TypeId::OBJECT) {
            self.list[id.index()].parents = parents;
        }
    }

    fn list_children(&mut self) {
        self.children = vec![Vec::new(); self.list.len()];
        for (index, of_type) in self.list.iter().enumerate() {
            for parent in &of_type.parents {
                self.children[parent.index()].push(TypeId::new(index));
            }
        }
    }

    /// The types behind a `-` outside the section `:types`; `object` where
    /// nothing is written.
    pub(super) fn of(&self, of_type: Option<Node<'a>>, findings: &mut Findings) -> Vec<TypeId> {
        let mut found = Vec::new();
        for node in alternatives(of_type, findings) {
            let Some(name) = node.word() else {
                let message = format!("expected a type, found {}", node.found());
                findings.add(Finding::wrong(node.mark_span(), message));
                continue;
            };
            match self.names.get(name) {
                Some((id, _)) => found.push(id),
                None => {
                    let message = format!("unknown type {}", quote(name));
                    let suggestion = self.names.nearest(name, findings);
                    findings.add(Finding::wrong(node.span(), message).with_suggestion(suggestion));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() { vec![TypeId::OBJECT] } else { found }
    }

    /// The types' names joined, for messages.
    pub(super) fn show(&self, types: &[TypeId]) -> String {
        let names: Vec<_> = types.iter().map(|id| quote(&self.list[id.index()].name)).collect();
        names.join(" or ")
    }

    /// Whether every object of the type `lower` also has the type `upper`.
    pub(super) fn is_below(&self, lower: TypeId, upper: TypeId) -> bool {
        if upper == TypeId::OBJECT || lower == upper {
            return true;
        }
        if let Some(&known) = self.known.borrow().get(&(lower, upper)) {
            return known;
        }
        let above = reachable(lower, |id| &self.list[id.index()].parents);
        let is_below = above.contains(&upper);
        self.known.borrow_mut().insert((lower, upper), is_below);
        is_below
    }

    /// Whether some type is below both.
    pub(super) fn meet(&self, left: TypeId, right: TypeId) -> bool {
        if self.is_below(left, right) || self.is_below(right, left) {
            return true;
        }
        let below = reachable(left, |id| &self.children[id.index()]);
        below
            .into_iter()
            .any(|id| self.list[id.index()].parents.len() > 1 && self.is_below(id, right))
    }

    /// Notes one cycle, if there is any, and breaks them all.
    fn check_cycles(&mut self, declared: &[Declaration<'a>], findings: &mut Findings) {
        let cyclic = self.in_cycles();
        let Some(&(first, node, _)) = declared.iter().find(|(id, ..)| cyclic.contains(id)) else {
            return;
        };
        let mut path = vec![first];
        let mut last = first;
        loop {
            let parents = &self.list[last.index()].parents;
            let Some(&next) = parents.iter().find(|parent| cyclic.contains(parent)) else { break };
            last = next;
            if let Some(start) = path.iter().position(|&id| id == next) {
                path.drain(..start);
                path.push(next);
                break;
            }
            path.push(next);
        }
        let names: Vec<_> = path.iter().map(|id| quote(&self.list[id.index()].name)).collect();
        let message = format!("cyclic types: {}", names.join(" is a "));
        findings.add(Finding::wrong(node.span(), message));
        for id in cyclic {
            let is_root = id == TypeId::OBJECT;
            self.list[id.index()].parents = if is_root { vec![] } else { vec![TypeId::OBJECT] };
        }
    }

    /// The types that are in a cycle or below one.
    fn in_cycles(&mut self) -> HashSet<TypeId> {
        self.list_children();
        let mut waiting: Vec<usize> =
            self.list.iter().map(|of_type| of_type.parents.len()).collect();
        let ids = (0..self.list.len()).map(TypeId::new);
        let mut ready: Vec<TypeId> = ids.clone().filter(|id| waiting[id.index()] == 0).collect();
        while let Some(id) = ready.pop() {
            for child in &self.children[id.index()] {
                waiting[child.index()] -= 1;
                if waiting[child.index()] == 0 {
                    ready.push(*child);
                }
            }
        }
        ids.filter(|id| waiting[id.index()] > 0).collect()
    }
}

/// `start` and everything that can be reached from it.
fn reachable<'t>(start: TypeId, next: impl Fn(TypeId) -> &'t Vec<TypeId>) -> HashSet<TypeId> {
    let mut found = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        open.extend(next(id).iter().copied().filter(|&id| found.insert(id)));
    }
    found
}

/// The types in `t` or `(either t u)`.
fn alternatives<'a>(of_type: Option<Node<'a>>, findings: &mut Findings) -> Vec<Node<'a>> {
    match of_type {
        None => Vec::new(),
        Some(node) if node.head() == Some("either") => node.parts().skip(1).collect(),
        Some(node) if node.is_list() => {
            let message = format!("expected a type or '(either …)', found {}", node.found());
            findings.add(Finding::wrong(node.mark_span(), message));
            Vec::new()
        }
        Some(node) => vec![node],
    }
}
