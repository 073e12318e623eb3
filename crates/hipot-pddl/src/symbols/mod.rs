//! Where each name is declared and used.
//!
//! The [resolver](crate::read) turns names into ids and forgets their places. Editors and warnings need
//! the places instead, also of a task that is not right yet. So this is a pass of its own over the two
//! trees: it knows in which positions names stand, and which variables are visible there, but not
//! whether anything fits. A file whose parentheses do not match has no symbols.

mod collect;

use crate::diagnostics::Findings;
use crate::source::{File, Source, Span};
use crate::tree;
use collect::Collector;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A type.
    Type,
    /// A constant or an object.
    Object,
    /// A predicate.
    Predicate,
    /// A numeric function.
    Function,
    /// An action.
    Action,
    /// A variable: a parameter, or one that a quantifier declares.
    Variable,
}

/// What a name is used for in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// In a condition.
    Condition,
    /// In a negated condition.
    NegatedCondition,
    /// In the head of a rule, or an effect that makes it true.
    Added,
    /// In an effect that makes it false.
    Deleted,
    /// In the initial state, or as a function with a value there.
    Initial,
    /// In a cost or the metric.
    Cost,
    /// As the argument of something.
    Argument,
    /// As the type of something.
    Typing,
}

/// A place where a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The place of the name.
    pub span: Span,
    /// What it is used for.
    pub role: Role,
}

/// What declares a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// A predicate or a function: the variable is there for its type.
    Signature,
    /// The head of a rule.
    Head,
    /// An action.
    Parameter,
    /// A quantifier.
    Quantifier,
}

/// A name, where it is declared, and where it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// What it stands for.
    pub kind: SymbolKind,
    /// The name, lower case.
    pub name: String,
    /// Where it is declared; nowhere if it is built in or unknown.
    pub declared: Vec<Span>,
    /// What it is declared in, if that says more than the name: `(road ?a ?b - place)`, an action.
    pub definition: Option<Span>,
    /// The types of a variable or an object, as they are written.
    pub types: Option<Span>,
    /// The action or rule that a variable belongs to.
    pub scope: Option<Span>,
    /// What declares a variable.
    pub variable: Option<Declaration>,
    /// Whether it is a variable that hides another one of the same name.
    pub hides: bool,
    /// Where it is used.
    pub uses: Vec<Use>,
}

/// The names of a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symbols {
    /// All of them, in the order in which they are met.
    pub list: Vec<Symbol>,
    /// The requirements that are used, each with the first place.
    pub requirements: Vec<(&'static str, Span)>,
    /// The requirements that a section `:requirements` of the domain declares, and the section's place.
    pub declared: Option<(Vec<String>, Span)>,
    /// Where the problem's metric is.
    pub metric: Option<Span>,
    /// Where the goal's atoms are, with the text of each as one line.
    pub goals: Vec<(String, Span)>,
}

impl Symbols {
    /// The names of a domain, and of a problem if there is one.
    pub fn of(domain: &Source, problem: Option<&Source>) -> Self {
        let mut findings = Findings::default();
        let domain = tree::read(File::Domain, domain, &mut findings);
        let problem = problem.and_then(|source| tree::read(File::Problem, source, &mut findings));
        let mut collector = Collector::default();
        if let Some(tree) = &domain {
            collector.domain(tree.root());
        }
        if let Some(tree) = &problem {
            collector.problem(tree.root());
        }
        collector.symbols
    }

    /// The name at a byte of a file, and its place there.
    pub fn at(&self, file: File, offset: u32) -> Option<(&Symbol, Span)> {
        let is_there =
            |span: &Span| span.file == file && span.start <= offset && offset <= span.end;
        self.list.iter().find_map(|symbol| {
            let uses = symbol.uses.iter().map(|it| it.span);
            let place = symbol.declared.iter().copied().chain(uses).find(is_there)?;
            Some((symbol, place))
        })
    }

    /// The symbol with this kind and name, if it is declared.
    pub fn declared(&self, kind: SymbolKind, name: &str) -> Option<&Symbol> {
        let is_it = |it: &&Symbol| it.kind == kind && it.name == name && !it.declared.is_empty();
        self.list.iter().find(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "(define (domain d)
      (:requirements :strips :typing)
      (:types place - object thing)
      (:constants home - place)
      (:predicates (at ?x - thing ?a - place) (good ?x))
      (:action move :parameters (?x - thing ?a ?b - place ?z)
        :precondition (and (at ?x ?a) (forall (?a - place) (not (at ?x ?a))))
        :effect (and (not (at ?x ?a)) (at ?x ?b) (increase (total-cost) (far ?a home)))))";
    const PROBLEM: &str = "(define (problem p) (:domain d) (:objects k - thing)
      (:init (at k home) (= (far home home) 2)) (:goal (and (good k) (not (at k home))))
      (:metric minimize (total-cost)))";

    fn symbols() -> Symbols {
        Symbols::of(&Source::new("d", DOMAIN), Some(&Source::new("p", PROBLEM)))
    }

    fn text(span: Span) -> &'static str {
        let text = if span.file == File::Domain { DOMAIN } else { PROBLEM };
        &text[span.start as usize..span.end as usize]
    }

    #[test]
    fn every_use_is_the_name() {
        let symbols = symbols();
        assert!(symbols.list.len() > 10);
        for symbol in &symbols.list {
            let uses = symbol.uses.iter().map(|it| it.span);
            for span in symbol.declared.iter().copied().chain(uses) {
                assert_eq!(text(span), symbol.name);
                let (found, place) = symbols.at(span.file, span.start + 1).unwrap();
                assert_eq!((found, place), (symbol, span));
            }
        }
    }

    #[test]
    fn roles_tell_how_a_predicate_is_used() {
        let symbols = symbols();
        let roles = |kind, name: &str| {
            let symbol = symbols.list.iter().find(|it| it.kind == kind && it.name == name).unwrap();
            symbol.uses.iter().map(|it| it.role).collect::<Vec<_>>()
        };
        let expected = [
            Role::Condition,
            Role::NegatedCondition,
            Role::Deleted,
            Role::Added,
            Role::Initial,
            Role::NegatedCondition,
        ];
        assert_eq!(roles(SymbolKind::Predicate, "at"), expected);
        assert_eq!(roles(SymbolKind::Predicate, "good"), [Role::Condition]);
        assert_eq!(roles(SymbolKind::Function, "far"), [Role::Cost, Role::Initial]);
        let total = symbols.list.iter().find(|it| it.name == "total-cost").unwrap();
        assert!(total.declared.is_empty() && total.uses.len() == 2);
    }

    #[test]
    fn inner_variables_hide_outer_ones() {
        let symbols = symbols();
        let named =
            |name: &str| symbols.list.iter().filter(|it| it.name == name).collect::<Vec<_>>();
        let [in_predicate, outer, inner] = named("?a")[..] else { panic!("{:?}", named("?a")) };
        assert_eq!((in_predicate.uses.len(), outer.uses.len(), inner.uses.len()), (0, 3, 1));
        let declarations = [in_predicate, outer, inner].map(|it| it.variable.unwrap());
        let expected = [Declaration::Signature, Declaration::Parameter, Declaration::Quantifier];
        assert_eq!(declarations, expected);
        assert!(inner.hides && !outer.hides);
        assert_eq!(named("?z")[0].uses, []);
        assert_eq!(text(outer.types.unwrap()), "place");
    }

    #[test]
    fn what_is_used_is_required() {
        let symbols = symbols();
        let used: Vec<_> = symbols.requirements.iter().map(|(name, _)| *name).collect();
        let expected =
            [":typing", ":universal-preconditions", ":negative-preconditions", ":action-costs"];
        assert_eq!(used, expected);
        assert_eq!(symbols.declared.as_ref().unwrap().0, [":strips", ":typing"]);
        assert_eq!(symbols.goals[1].0, "(not (at k home))");
    }
}
