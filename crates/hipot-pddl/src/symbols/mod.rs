//! Where each name is declared and used.
//!
//! The [resolver](crate::read) turns names into ids and forgets their places. Editors and warnings need
//! the places instead, also of a task that is not right yet. So this is a pass of its own over the two
//! trees: it knows in which positions names stand, and which variables are visible there, but not
//! whether anything fits. A file whose parentheses do not match has no symbols.

mod collect;
mod symbol;

use crate::diagnostics::Findings;
use crate::source::{File, Source};
use crate::tree;
use collect::Collector;
pub use symbol::{Declaration, Role, Symbol, SymbolKind, Symbols, Use};

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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

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
