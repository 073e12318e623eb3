//! Features of three facts and more, from the spec to the certificate.

use hipot::certificate::certificate;
use hipot::heuristic::{LpSettings, Spec, compute};
use hipot_check::{RandomTask, StateSpace, verify};
use hipot_potential::Extent;
use hipot_task::Limits;

const SPECS: [&str; 4] = [
    "pot(dim=3)",
    "pot(dim=3, mutexes=none, budget=700)",
    "pot(dim=3, mutexes=h2, budget=500)",
    "pot(dim=4, budget=1000)",
];

/// Bounds are at most h*, and their certificates hold, whatever was chosen.
#[test]
fn certificates_hold() {
    let (mut complete, mut chosen, mut replaced) = (0, 0, 0);
    for seed in 0..100 {
        let task = RandomTask { variables: 6, ..RandomTask::default() }.generate(seed);
        let h_star = StateSpace::explore(&task, 50_000).unwrap().optimal_cost();
        for spec in SPECS {
            let parsed: Spec = spec.parse().unwrap();
            let computed = compute(&task, &parsed, &Limits::none(), LpSettings::default());
            let Ok(computed) = computed else { continue };
            for potential in computed.potentials() {
                let bound = potential.bound();
                let is_admissible = h_star.is_none_or(|cost| bound.is_some_and(|it| it <= cost));
                assert!(is_admissible, "seed {seed}, {spec}: {bound:?}, but h* is {h_star:?}");
                let verified = verify(&task, &certificate(&task, potential));
                assert!(verified.is_ok(), "seed {seed}, {spec}: {verified:?}");
                match potential.report.extent {
                    Extent::Larger { sets: 1.., .. } => chosen += 1,
                    Extent::Complete => complete += 1,
                    _ => replaced += 1,
                }
            }
        }
    }
    assert!(complete > 50 && chosen > 10, "{complete} {chosen} {replaced}");
}
