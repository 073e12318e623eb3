//! Random problems whose goals can probably be reached.

use std::fmt::Write;

use hipot_pddl::ast::GroundAtom;

use super::actions::Domain;
use super::feature::Feature;
use super::formula::Writer;
use super::text::PddlText;
use super::vocabulary::{Symbol, declared};
use hipot_check::pddl::{Semantics, State};
use hipot_task::Rng;

/// A problem for the domain, and whether the random walk changed anything. The goal holds
/// at the end of the walk, or is arbitrary if no plan is wanted.
pub(super) fn draft(domain: &Domain, wants_plan: bool, rng: &mut Rng) -> (PddlText, bool) {
    let beginning = beginning(domain, rng);
    let text = |goal: &str| PddlText {
        domain: domain.text.clone(),
        problem: format!("{beginning}  (:goal {goal}){}", ending(domain)),
    };
    let mut parts = if wants_plan { walk(&text("(and)"), domain, rng) } else { Vec::new() };
    let changes = !wants_plan || !parts.is_empty();
    let vocabulary = &domain.vocabulary;
    let derived = vocabulary.derived.iter();
    let predicates = vocabulary.fluents.iter().chain(derived).cloned().collect();
    let mut writer = Writer { vocabulary, rng, scope: vocabulary.objects.clone(), predicates };
    while parts.len() < 2 && (parts.is_empty() || writer.rng.chance(40)) {
        parts.push(writer.condition(2));
    }
    (text(&format!("(and {})", parts.join(" "))), changes)
}

/// The problem up to its goal.
fn beginning(domain: &Domain, rng: &mut Rng) -> String {
    let vocabulary = &domain.vocabulary;
    let mut text = String::from("(define (problem random)\n  (:domain random)\n");
    let _ = writeln!(text, "  (:objects{})\n  (:init", declared(&vocabulary.objects));
    for (symbols, percent) in [(&vocabulary.fluents, 20), (&vocabulary.statics, 45)] {
        for atom in symbols.iter().flat_map(|symbol| instances(symbol, domain)) {
            if rng.chance(percent) {
                let _ = writeln!(text, "    {atom}");
            }
        }
    }
    for value in vocabulary.functions.iter().flat_map(|symbol| instances(symbol, domain)) {
        let _ = writeln!(text, "    (= {value} {})", rng.below(6));
    }
    if !vocabulary.functions.is_empty() {
        text += "    (= (total-cost) 0)\n";
    }
    text + "  )\n"
}

fn ending(domain: &Domain) -> &'static str {
    if domain.vocabulary.functions.is_empty() {
        ")\n"
    } else {
        "\n  (:metric minimize (total-cost)))\n"
    }
}

/// The predicate or function with all objects that fit.
fn instances(symbol: &Symbol, domain: &Domain) -> Vec<String> {
    let mut texts = vec![format!("({}", symbol.name)];
    for types in &symbol.parameters {
        let members = domain.vocabulary.members(types);
        let extend = |text: String| {
            members.iter().map(move |member| format!("{text} {member}")).collect::<Vec<_>>()
        };
        texts = texts.into_iter().flat_map(extend).collect();
    }
    texts.into_iter().map(|text| text + ")").collect()
}

/// Literals that hold at the end of a random walk and not at its beginning.
fn walk(text: &PddlText, domain: &Domain, rng: &mut Rng) -> Vec<String> {
    let task = text.read().unwrap_or_else(|errors| panic!("{errors}\n{}", text.domain));
    let semantics = Semantics::new(&task).expect("random rules are stratified");
    let initial = semantics.initial_state();
    let mut state = initial.clone();
    for _ in 0..12 {
        let steps = semantics.applicable_steps(&state);
        if !steps.is_empty() {
            semantics.apply(&steps[rng.below(steps.len() as u32) as usize], &mut state);
        }
    }
    let missing = |one: &State, other: &State| {
        let lacks = |atom: &GroundAtom| !other.contains(atom.predicate, &atom.objects);
        one.atoms().filter(lacks).map(|atom| semantics.atom_name(&atom)).collect::<Vec<_>>()
    };
    let mut literals = missing(&state, &initial);
    if domain.vocabulary.has(Feature::Negations) {
        let gone = missing(&initial, &state);
        literals.extend(gone.into_iter().map(|atom| format!("(not {atom})")));
    }
    let mut chosen = Vec::new();
    while chosen.len() < 3 && !literals.is_empty() {
        chosen.push(literals.swap_remove(rng.below(literals.len() as u32) as usize));
    }
    chosen
}
