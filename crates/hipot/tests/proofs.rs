//! Certificates of searches of random tasks: they prove the optimal cost by brute force, and nothing
//! false when they are tampered with.

use std::path::PathBuf;

use hipot::proof::write_proof;
use hipot::settings::Settings;
use hipot::solve::solve;
use hipot::spec::Spec;
use hipot_check::{Claim, Proof, VerifiedSearch, read_proof, verify_search};
use hipot_search::Outcome;
use hipot_task::{Limits, Task};
use hipot_testing::{RandomTask, Rng, StateSpace};

const SPECS: [&str; 6] = [
    "blind",
    "pot(dim=1)",
    "pot(dim=2, mutexes=none)",
    "pot(dim=1, objective=samples(20))",
    "max(ocp(dim=1), pot(dim=2, open=cases))",
    "scp(pot(dim=1), projections)",
];

fn random_task(seed: u64) -> (Task, StateSpace) {
    let shape = RandomTask {
        derived: [0, 0, 2][seed as usize % 3],
        percent_free: [0, 40][(seed / 3) as usize % 2],
        percent_conditional: [0, 0, 30][(seed / 6) as usize % 3],
        variables: 6,
        operators: 20,
        ..RandomTask::default()
    };
    let task = shape.generate(seed);
    let space = StateSpace::explore(&task, 10_000).unwrap();
    (task, space)
}

/// The file of a test.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("hipot-proofs-{}-{name}", std::process::id()))
}

fn verified(task: &Task, file: &[u8]) -> Result<VerifiedSearch, String> {
    match read_proof(file).map_err(|error| error.to_string())? {
        Proof::Search(certificate, states) => {
            verify_search(task, &certificate, states).map_err(|rejection| rejection.to_string())
        }
        Proof::Function(_) => Err("it is not of a search".to_owned()),
    }
}

/// The certificate of a search with this heuristic.
fn proof(task: &Task, spec: &str, claim: Claim, name: &str) -> Vec<u8> {
    let (limits, settings) = (Limits::none(), Settings::default());
    let spec: Spec = spec.parse().unwrap();
    let solution = solve(task, &spec, &settings, &limits).unwrap();
    let found = match &solution.result.outcome {
        Outcome::Solved(plan) => Claim::Bound(plan.cost),
        Outcome::Unsolvable => Claim::Unsolvable,
        other => panic!("{other:?}"),
    };
    assert_eq!(found, claim, "{spec}");
    let path = file(name);
    let written = write_proof(task, &solution.heuristic, claim, &path, &limits).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    bytes
}

fn claim_of(space: &StateSpace) -> Claim {
    space.optimal_cost().map_or(Claim::Unsolvable, Claim::Bound)
}

#[test]
fn searches_prove_the_optimal_cost() {
    let mut listed = 0;
    for seed in 0..600 {
        let (task, space) = random_task(seed);
        let spec = SPECS[seed as usize / 18 % SPECS.len()];
        let claim = claim_of(&space);
        let found = verified(&task, &proof(&task, spec, claim, "whole"));
        let found = found.unwrap_or_else(|error| panic!("seed {seed}, {spec}: {error}"));
        assert_eq!(found.claim, claim, "seed {seed}, {spec}");
        listed += found.states;
    }
    assert!(listed > 500, "{listed} states in all");
}

#[test]
fn nothing_false_is_proved_by_a_damaged_file() {
    let mut accepted = 0;
    for seed in 0..120 {
        let (task, space) = random_task(seed);
        let spec = SPECS[seed as usize / 18 % SPECS.len()];
        let whole = proof(&task, spec, claim_of(&space), "damaged");
        let mut rng = Rng::new(seed);
        let text = whole.windows(8).position(|part| part == b"\nstates\n").unwrap() as u32;
        for _ in 0..300 {
            let mut file = whole.clone();
            // Mostly digits of the text, where something else with a meaning comes out.
            let end = if rng.chance(80) { text } else { file.len() as u32 };
            let place = rng.below(end) as usize;
            match file[place] {
                digit @ b'0'..=b'9' if rng.chance(90) => {
                    file[place] = b'0' + (digit - b'0' + 1 + rng.below(9) as u8) % 10;
                }
                _ => file[place] ^= 1 << rng.below(8),
            }
            let Ok(found) = verified(&task, &file) else { continue };
            accepted += 1;
            let is_true = match (found.claim, space.optimal_cost()) {
                (_, None) => true,
                (Claim::Bound(bound), Some(cost)) => bound <= cost,
                (Claim::Unsolvable, Some(_)) => false,
            };
            assert!(is_true, "seed {seed}, {spec}: {}", String::from_utf8_lossy(&file));
        }
    }
    assert!(accepted > 50, "{accepted} were accepted");
}
