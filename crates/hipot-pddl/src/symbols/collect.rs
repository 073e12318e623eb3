//! The pass over the trees.

use std::collections::HashMap;

use super::symbol::{Declaration, Role, Symbol, SymbolKind, Symbols, Use};
use crate::source::Span;
use crate::tree::Node;

/// The symbols met so far.
#[derive(Default)]
pub(super) struct Collector<'a> {
    pub(super) symbols: Symbols,
    names: HashMap<(SymbolKind, &'a str), usize>,
    /// For each name the visible variables, the innermost last.
    visible: HashMap<&'a str, Vec<usize>>,
    /// The names of the visible variables, in the order in which they became visible.
    entered: Vec<&'a str>,
    /// The action or rule.
    scope: Option<Span>,
}

impl<'a> Collector<'a> {
    pub(super) fn domain(&mut self, root: Node<'a>) {
        for section in root.parts().skip(2) {
            let parts = section.parts().skip(1);
            match section.head() {
                Some(":requirements") => {
                    let words = parts.filter_map(|part| part.word().map(str::to_owned)).collect();
                    self.symbols.declared = Some((words, section.head_span()));
                }
                Some(":types") => {
                    for (node, types) in typed(parts) {
                        self.declare(SymbolKind::Type, node, types);
                    }
                    self.parents(section);
                }
                Some(":constants") => self.objects(section),
                Some(":predicates") => {
                    parts.for_each(|part| self.signature(SymbolKind::Predicate, part));
                }
                Some(":functions") => {
                    for (node, _) in typed(parts).filter(|(node, _)| node.is_list()) {
                        self.signature(SymbolKind::Function, node);
                    }
                }
                Some(":derived") => self.rule(section),
                Some(":action") => self.action(section),
                _ => {}
            }
        }
    }

    pub(super) fn problem(&mut self, root: Node<'a>) {
        for section in root.parts().skip(2) {
            let mut parts = section.parts().skip(1);
            match section.head() {
                Some(":objects") => self.objects(section),
                Some(":init") => parts.for_each(|part| self.initial(part)),
                Some(":goal") => {
                    if let Some(goal) = parts.next() {
                        self.goals(goal);
                        self.condition(goal, false);
                    }
                }
                Some(":metric") => {
                    self.symbols.metric = Some(section.head_span());
                    parts.for_each(|part| self.cost(part));
                }
                _ => {}
            }
        }
    }

    fn requires(&mut self, requirement: &'static str, span: Span) {
        if !self.symbols.requirements.iter().any(|(name, _)| *name == requirement) {
            self.symbols.requirements.push((requirement, span));
        }
    }

    fn symbol(&mut self, kind: SymbolKind, name: &'a str) -> usize {
        let Self { names, symbols, .. } = self;
        *names.entry((kind, name)).or_insert_with(|| {
            symbols.list.push(new(kind, name));
            symbols.list.len() - 1
        })
    }

    fn declare(&mut self, kind: SymbolKind, node: Node<'a>, types: Option<Node<'a>>) {
        let Some(name) = node.word() else { return };
        let index = self.symbol(kind, name);
        let symbol = &mut self.symbols.list[index];
        symbol.declared.push(node.span());
        symbol.types = symbol.types.or(types.map(Node::span));
    }

    fn refer(&mut self, kind: SymbolKind, node: Node<'a>, role: Role) {
        let Some(name) = node.word() else { return };
        let index = self.symbol(kind, name);
        self.symbols.list[index].uses.push(Use { span: node.span(), role });
    }

    /// The types that are written in a typed list.
    fn types(&mut self, list: impl Iterator<Item = Node<'a>>) {
        let mut parts = list;
        while let Some(node) = parts.next() {
            if node.word() != Some("-") {
                continue;
            }
            self.requires(":typing", node.span());
            let Some(of_type) = parts.next() else { return };
            let alternatives = of_type.parts().skip(1);
            [of_type].into_iter().chain(alternatives).for_each(|node| {
                self.refer(SymbolKind::Type, node, Role::Typing);
            });
        }
    }

    /// The types after a `-` in `:types`, which may be declared only there.
    fn parents(&mut self, section: Node<'a>) {
        self.requires(":typing", section.head_span());
        self.types(section.parts().skip(1));
        let implicit = typed(section.parts().skip(1)).filter_map(|(_, types)| types);
        for node in implicit.filter(|node| node.word().is_some_and(|word| word != "object")) {
            let index = self.symbol(SymbolKind::Type, node.word().unwrap_or_default());
            let declared = &mut self.symbols.list[index].declared;
            if declared.is_empty() {
                declared.push(node.span());
            }
        }
    }

    fn objects(&mut self, section: Node<'a>) {
        for (node, types) in typed(section.parts().skip(1)) {
            self.declare(SymbolKind::Object, node, types);
        }
        self.types(section.parts().skip(1));
    }

    /// `(NAME ?x - t …)`.
    fn signature(&mut self, kind: SymbolKind, node: Node<'a>) {
        let Some(head) = node.parts().next() else { return };
        self.declare(kind, head, None);
        if let Some(name) = head.word() {
            let index = self.symbol(kind, name);
            self.symbols.list[index].definition = Some(node.span());
        }
        // They are visible nowhere, but have places.
        let before = self.entered.len();
        self.variables(node.parts().skip(1), Declaration::Signature);
        self.leave(before);
    }

    /// Declares variables and makes them visible.
    fn variables(&mut self, list: impl Iterator<Item = Node<'a>> + Clone, by: Declaration) {
        for (node, types) in typed(list.clone()) {
            let Some(name) = node.word().filter(|word| word.starts_with('?')) else { continue };
            self.entered.push(name);
            let visible = self.visible.entry(name).or_default();
            let hides = by == Declaration::Quantifier && !visible.is_empty();
            visible.push(self.symbols.list.len());
            self.symbols.list.push(Symbol {
                declared: vec![node.span()],
                types: types.map(Node::span),
                scope: self.scope,
                variable: Some(by),
                hides,
                ..new(SymbolKind::Variable, name)
            });
        }
        self.types(list);
    }

    /// Makes variables invisible again, except the first ones.
    fn leave(&mut self, before: usize) {
        for name in self.entered.drain(before..) {
            if let Some(variables) = self.visible.get_mut(name) {
                variables.pop();
            }
        }
    }

    fn action(&mut self, section: Node<'a>) {
        self.scope = Some(section.span());
        let mut parts = section.parts().skip(1);
        if let Some(name) = parts.next() {
            self.declare(SymbolKind::Action, name, None);
            if let Some(word) = name.word() {
                let index = self.symbol(SymbolKind::Action, word);
                self.symbols.list[index].definition = Some(section.span());
            }
        }
        while let Some(node) = parts.next() {
            let keyword = node.word();
            if !matches!(keyword, Some(":parameters" | ":precondition" | ":effect")) {
                continue;
            }
            let Some(value) = parts.next() else { break };
            match keyword {
                Some(":parameters") => self.variables(value.parts(), Declaration::Parameter),
                Some(":precondition") => self.condition(value, false),
                _ => self.effect(value),
            }
        }
        self.leave(0);
        self.scope = None;
    }

    fn rule(&mut self, section: Node<'a>) {
        self.requires(":derived-predicates", section.head_span());
        self.scope = Some(section.span());
        let mut parts = section.parts().skip(1);
        if let Some(head) = parts.next() {
            if let Some(name) = head.parts().next() {
                self.refer(SymbolKind::Predicate, name, Role::Added);
            }
            self.variables(head.parts().skip(1), Declaration::Head);
        }
        parts.for_each(|part| self.condition(part, false));
        self.leave(0);
        self.scope = None;
    }

    fn condition(&mut self, node: Node<'a>, is_negated: bool) {
        let span = node.head_span();
        match node.head() {
            Some("and") => node.parts().skip(1).for_each(|it| self.condition(it, is_negated)),
            Some("or") => {
                self.requires(":disjunctive-preconditions", span);
                node.parts().skip(1).for_each(|it| self.condition(it, is_negated));
            }
            Some("imply") => {
                self.requires(":disjunctive-preconditions", span);
                for (index, part) in node.parts().skip(1).enumerate() {
                    self.condition(part, is_negated != (index == 0));
                }
            }
            Some("not") => {
                let inner = node.parts().nth(1);
                // An inequality needs no more than equality does.
                if inner.and_then(Node::head) != Some("=") {
                    self.requires(":negative-preconditions", span);
                }
                node.parts().skip(1).for_each(|it| self.condition(it, !is_negated));
            }
            Some("exists" | "forall") => {
                let requirement = match node.head() {
                    Some("exists") => ":existential-preconditions",
                    _ => ":universal-preconditions",
                };
                self.requires(requirement, span);
                self.quantified(node, |this, body| this.condition(body, is_negated));
            }
            Some("=") => {
                self.requires(":equality", span);
                self.arguments(node);
            }
            Some(_) => {
                let role = if is_negated { Role::NegatedCondition } else { Role::Condition };
                self.atom(node, role);
            }
            None => {}
        }
    }

    fn quantified(&mut self, node: Node<'a>, body: impl Fn(&mut Self, Node<'a>)) {
        let before = self.entered.len();
        if let Some(variables) = node.parts().nth(1) {
            self.variables(variables.parts(), Declaration::Quantifier);
        }
        node.parts().skip(2).for_each(|part| body(self, part));
        self.leave(before);
    }

    fn effect(&mut self, node: Node<'a>) {
        match node.head() {
            Some("and") => node.parts().skip(1).for_each(|it| self.effect(it)),
            Some("not") => node.parts().skip(1).for_each(|it| self.atom(it, Role::Deleted)),
            Some("when") => {
                self.requires(":conditional-effects", node.head_span());
                let mut parts = node.parts().skip(1);
                if let Some(condition) = parts.next() {
                    self.condition(condition, false);
                }
                parts.for_each(|it| self.effect(it));
            }
            Some("forall") => {
                self.requires(":conditional-effects", node.head_span());
                self.quantified(node, Self::effect);
            }
            Some("increase") => {
                self.requires(":action-costs", node.head_span());
                node.parts().skip(1).for_each(|it| self.cost(it));
            }
            Some(_) => self.atom(node, Role::Added),
            None => {}
        }
    }

    fn atom(&mut self, node: Node<'a>, role: Role) {
        if let Some(name) = node.parts().next() {
            self.refer(SymbolKind::Predicate, name, role);
        }
        self.arguments(node);
    }

    fn arguments(&mut self, node: Node<'a>) {
        for part in node.parts().skip(1) {
            let Some(word) = part.word() else { continue };
            if !word.starts_with('?') {
                self.refer(SymbolKind::Object, part, Role::Argument);
            } else if let Some(&index) = self.visible.get(word).and_then(|it| it.last()) {
                let place = Use { span: part.span(), role: Role::Argument };
                self.symbols.list[index].uses.push(place);
            }
        }
    }

    /// A number, a function, or a sum.
    fn cost(&mut self, node: Node<'a>) {
        match node.head() {
            Some("+" | "-" | "*" | "/") => node.parts().skip(1).for_each(|it| self.cost(it)),
            Some(_) => {
                if let Some(name) = node.parts().next() {
                    self.refer(SymbolKind::Function, name, Role::Cost);
                }
                self.arguments(node);
            }
            None => {}
        }
    }

    fn initial(&mut self, node: Node<'a>) {
        match node.head() {
            Some("=") => {
                if let Some(function) = node.parts().nth(1) {
                    if let Some(name) = function.parts().next() {
                        self.refer(SymbolKind::Function, name, Role::Initial);
                    }
                    self.arguments(function);
                }
            }
            Some("not") => node.parts().skip(1).for_each(|it| self.atom(it, Role::Deleted)),
            Some(_) => self.atom(node, Role::Initial),
            None => {}
        }
    }

    fn goals(&mut self, node: Node<'a>) {
        match node.head() {
            Some("and") => node.parts().skip(1).for_each(|it| self.goals(it)),
            Some(_) => self.symbols.goals.push((in_one_line(node), node.span())),
            None => {}
        }
    }
}

fn new(kind: SymbolKind, name: &str) -> Symbol {
    Symbol {
        kind,
        name: name.to_owned(),
        declared: Vec::new(),
        definition: None,
        types: None,
        scope: None,
        variable: None,
        hides: false,
        uses: Vec::new(),
    }
}

/// The text of a node with single spaces.
fn in_one_line(node: Node<'_>) -> String {
    match node.word() {
        Some(word) => word.to_owned(),
        None => {
            let parts: Vec<_> = node.parts().map(in_one_line).collect();
            format!("({})", parts.join(" "))
        }
    }
}

/// The names of a typed list, each with what follows the next `-`.
fn typed<'a>(
    mut list: impl Iterator<Item = Node<'a>>,
) -> impl Iterator<Item = (Node<'a>, Option<Node<'a>>)> {
    let mut found: Vec<(Node<'a>, Option<Node<'a>>)> = Vec::new();
    let mut untyped = 0;
    while let Some(node) = list.next() {
        if node.word() == Some("-") {
            let of_type = list.next();
            found[untyped..].iter_mut().for_each(|it| it.1 = of_type);
            untyped = found.len();
        } else {
            found.push((node, None));
        }
    }
    found.into_iter()
}
