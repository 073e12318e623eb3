//! Features of three facts and more, from the spec to the certificate.

use std::collections::BTreeSet;

use hipot::certificate::certificate;
use hipot::compute::compute;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot_check::{Certificate, Claim, verify};
use hipot_potential::Extent;
use hipot_task::{Limits, Task, VariableId};
use hipot_testing::{RandomTask, StateSpace};

use crate::generate::rings;

/// Tasks in which three facts say more than two, and others.
fn tasks() -> Vec<Task> {
    let shape = RandomTask { variables: 6, derived: 0, ..RandomTask::default() };
    let shape = RandomTask { percent_conditional: 0, ..shape };
    let random = (0..40).map(|seed| shape.generate(seed));
    random.chain((3..9).map(|number| rings(number).unwrap().task)).collect()
}

const SPECS: [&str; 4] = [
    "pot(dim=3)",
    "pot(dim=3, mutexes=none, budget=900)",
    "pot(dim=3, mutexes=h2, budget=600)",
    "pot(dim=4, budget=1200)",
];

/// Bounds are at most h*, and their certificates hold, whatever was chosen.
#[test]
fn certificates_hold() {
    let (mut complete, mut chosen) = (0, 0);
    for (number, task) in tasks().into_iter().enumerate() {
        let h_star = StateSpace::explore(&task, 10_000).unwrap().optimal_cost();
        for spec in SPECS {
            let what = format!("task {number}, {spec}");
            let parsed: Spec = spec.parse().unwrap();
            let computed = compute(&task, &parsed, &Settings::default(), &Limits::none()).unwrap();
            for potential in computed.potentials() {
                let bound = potential.bound();
                let is_admissible = h_star.is_none_or(|cost| bound.is_some_and(|it| it <= cost));
                assert!(is_admissible, "{what}: {bound:?}, but h* is {h_star:?}");
                let verified = verify(&task, &certificate(&task, potential));
                assert!(verified.is_ok(), "{what}: {verified:?}");
                complete += usize::from(potential.report.extent == Extent::Complete);
                let is_chosen = matches!(potential.report.extent, Extent::Larger { sets: 1.., .. });
                chosen += usize::from(is_chosen);
            }
        }
    }
    assert!(complete > 50 && chosen > 5, "{complete} {chosen}");
}

/// So do those of functions that link more than 20 variables around an operator,
/// too many to try all their joint values.
#[test]
fn certificates_with_wide_contexts_hold() {
    let generated = rings(30).unwrap();
    for spec in ["pot(dim=3, budget=100000)", "pot(dim=4, budget=60000)"] {
        let parsed: Spec = spec.parse().unwrap();
        let computed =
            compute(&generated.task, &parsed, &Settings::default(), &Limits::none()).unwrap();
        let potential = computed.best_potential().unwrap();
        assert!(matches!(potential.report.extent, Extent::Larger { sets: 1.., .. }), "{spec}");
        let certificate = certificate(&generated.task, potential);
        assert!(linked_with_first(&certificate) > 20, "{spec}");
        let verified = verify(&generated.task, &certificate).unwrap();
        assert_eq!(potential.bound().map(Claim::Bound), Some(verified.claim), "{spec}");
        assert!(potential.bound() <= generated.optimal_cost, "{spec}");
    }
}

/// The variables that larger features mention together with the first one: the
/// first ring goes on and off whatever the others do, so they are its context.
fn linked_with_first(certificate: &Certificate) -> usize {
    let first = VariableId::new(0);
    let features = certificate.features().map(|(_, facts)| facts);
    let larger = features.filter(|facts| facts.len() > 2 && facts[0].variable == first);
    let linked: BTreeSet<VariableId> =
        larger.flat_map(|facts| facts[1..].iter().map(|fact| fact.variable)).collect();
    linked.len()
}
