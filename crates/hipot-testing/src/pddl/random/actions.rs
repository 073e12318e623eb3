//! Random domains.

use super::feature::Feature;
use super::formula::Writer;
use super::vocabulary::{Named, Symbol, Vocabulary, declared};
use hipot_task::Rng;

/// A domain as PDDL, and its vocabulary.
#[derive(Debug)]
pub(super) struct Domain {
    pub(super) vocabulary: Vocabulary,
    pub(super) text: String,
}

impl Domain {
    pub(super) fn random(features: &[Feature], rng: &mut Rng) -> Self {
        let vocabulary = Vocabulary::random(features, rng);
        let mut text = format!(
            "(define (domain random)\n  (:requirements :adl :derived-predicates :action-costs)\n{}",
            vocabulary.declarations()
        );
        for stratum in 0..vocabulary.derived.len() {
            for _ in 0..=rng.below(2) {
                text += &rule(&vocabulary, stratum, rng);
            }
        }
        for number in 0..3 + rng.below(3) {
            text += &action(&vocabulary, number, rng);
        }
        text += ")\n";
        Self { vocabulary, text }
    }
}

/// A rule for a derived predicate: it uses those of lower strata freely, and
/// its own in a conjunction.
fn rule(vocabulary: &Vocabulary, stratum: usize, rng: &mut Rng) -> String {
    let head = &vocabulary.derived[stratum];
    let lower = &vocabulary.derived[..stratum];
    let predicates = vocabulary.fluents.iter().chain(&vocabulary.statics).chain(lower).cloned();
    let scope = head.variables();
    let declaration = declared(&scope);
    let mut writer = Writer { vocabulary, rng, scope, predicates: predicates.collect() };
    let recursive = writer.rng.chance(50).then(|| recursive_part(&mut writer, head)).flatten();
    let condition = writer.condition(2);
    let body = match recursive {
        Some(part) => part.replace('@', &condition),
        None => condition,
    };
    format!("  (:derived ({}{declaration})\n    {body})\n", head.name)
}

/// A condition in which the predicate itself occurs, and `@` for another one.
fn recursive_part(writer: &mut Writer<'_>, head: &Symbol) -> Option<String> {
    if !writer.vocabulary.has(Feature::Quantifiers) || head.parameters.is_empty() {
        return writer.instance(head).map(|atom| format!("(and {atom} @)"));
    }
    let types = head.parameters[0].clone();
    writer.scope.push(Named { name: "?between".to_owned(), types });
    let step = [&writer.vocabulary.statics[0], &writer.vocabulary.fluents[2]]
        .map(|symbol| writer.instance(symbol).unwrap_or_else(|| "(f0)".to_owned()));
    let own = writer.instance(head);
    let variable = writer.scope.pop()?;
    let declaration = declared(&[variable]);
    let [one, other] = step;
    let step = if writer.rng.chance(50) { one } else { other };
    let or = if writer.vocabulary.has(Feature::Disjunctions) { "or @" } else { "and" };
    own.map(|own| format!("({or} (exists ({}) (and {step} {own})))", declaration.trim_start()))
}

fn action(vocabulary: &Vocabulary, number: u32, rng: &mut Rng) -> String {
    let variable = |index: u32, rng: &mut Rng| Named {
        name: format!("?x{index}"),
        types: vocabulary.variable_types(rng),
    };
    let count = [0, 1, 1, 2, 2][rng.below(5) as usize];
    let scope: Vec<Named> = (0..count).map(|index| variable(index, rng)).collect();
    let parameters = declared(&scope);
    let derived = vocabulary.derived.iter();
    let predicates = vocabulary.fluents.iter().chain(&vocabulary.statics).chain(derived).cloned();
    let mut writer = Writer { vocabulary, rng, scope, predicates: predicates.collect() };
    let parts = 1 + writer.rng.below(2);
    let mut precondition: Vec<String> = (0..parts).map(|_| writer.condition(2)).collect();
    if writer.rng.chance(70) {
        precondition.push(writer.fluent());
    }
    let parts = writer.rng.below(3);
    let mut effects = vec![writer.fluent()];
    effects.extend((0..parts).map(|_| writer.effect(2)));
    effects.extend(cost(&mut writer));
    format!(
        "  (:action a{number}\n    :parameters ({})\n    :precondition (and {})\n    :effect (and {}))\n",
        parameters.trim_start(),
        precondition.join(" "),
        effects.join(" ")
    )
}

/// The increase of `total-cost`, if any.
fn cost(writer: &mut Writer<'_>) -> Option<String> {
    let functions = &writer.vocabulary.functions;
    if functions.is_empty() || writer.rng.chance(10) {
        return None;
    }
    let amount = match writer.rng.below(4) {
        0 => writer.rng.below(4).to_string(),
        1 => "(price)".to_owned(),
        _ => writer.instance(&functions[1]).unwrap_or_else(|| "(price)".to_owned()),
    };
    Some(format!("(increase (total-cost) {amount})"))
}
