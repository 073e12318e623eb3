//! Certificates of searches of random tasks: they prove the optimal cost by brute force, and nothing
//! false when they are tampered with.

use std::io::{Read, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use hipot::certificate::best_certificate;
use hipot::proof::write_proof;
use hipot::settings::Settings;
use hipot::solve::solve;
use hipot::spec::Spec;
use hipot_check::{Claim, Proof, VerifiedSearch, read_proof, verify, verify_search};
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

/// The certificate of a search with this heuristic; and that of the heuristic alone, if it has one.
fn proofs(task: &Task, spec: &str, claim: Claim, name: &str) -> (Vec<u8>, Option<Vec<u8>>) {
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
    let alone = best_certificate(task, solution.heuristic.best()).unwrap();
    let alone = (alone.feature_count() > 0).then(|| {
        let mut text = Vec::new();
        alone.write(&mut text).unwrap();
        text
    });
    (bytes, alone)
}

fn claim_of(space: &StateSpace) -> Claim {
    space.optimal_cost().map_or(Claim::Unsolvable, Claim::Bound)
}

/// The number of states that are listed for these tasks; each proof shows the optimal cost.
fn states_in_proofs(seeds: Range<u64>) -> u64 {
    let mut listed = 0;
    for seed in seeds {
        let (task, space) = random_task(seed);
        let spec = SPECS[seed as usize / 18 % SPECS.len()];
        let claim = claim_of(&space);
        let found = verified(&task, &proofs(&task, spec, claim, "whole").0);
        let found = found.unwrap_or_else(|error| panic!("seed {seed}, {spec}: {error}"));
        assert_eq!(found.claim, claim, "seed {seed}, {spec}");
        listed += found.states;
    }
    listed
}

#[test]
fn searches_prove_the_optimal_cost() {
    let listed = states_in_proofs(0..600);
    assert!(listed > 500, "{listed} states in all");
}

/// `experiments/proofs/README.md` has the results.
#[test]
#[ignore = "takes minutes"]
fn searches_of_many_tasks_prove_the_optimal_cost() {
    let listed = states_in_proofs(0..10_000);
    println!("10000 tasks proved, {listed} states listed");
}

/// What tampering with certificates has led to.
#[derive(Debug, Default)]
struct Tampered {
    /// The file is not a certificate.
    unreadable: u32,
    /// It is one, but proves nothing.
    rejected: u32,
    /// What it proves is true.
    harmless: u32,
    /// The longest check, in seconds.
    longest: f64,
}

/// Tampers with certificates of these tasks, so many times with each.
fn tamper(seeds: Range<u64>, times: u32) -> Tampered {
    let mut counts = Tampered::default();
    for seed in seeds {
        let (task, space) = random_task(seed);
        let spec = SPECS[seed as usize / 18 % SPECS.len()];
        let (search, alone) = proofs(&task, spec, claim_of(&space), "damaged");
        let mut rng = Rng::new(seed);
        for _ in 0..times {
            let whole = alone.as_ref().filter(|_| rng.chance(40)).unwrap_or(&search);
            let file = tampered(whole, &mut rng);
            let begin = Instant::now();
            match proved(&task, &file) {
                Err(true) => counts.unreadable += 1,
                Err(false) => counts.rejected += 1,
                Ok(claim) => {
                    counts.harmless += 1;
                    let is_true = match (claim, space.optimal_cost()) {
                        (_, None) => true,
                        (Claim::Bound(bound), Some(cost)) => bound <= cost,
                        (Claim::Unsolvable, Some(_)) => false,
                    };
                    assert!(is_true, "seed {seed}, {spec}: {}", String::from_utf8_lossy(&file));
                }
            }
            counts.longest = counts.longest.max(begin.elapsed().as_secs_f64());
        }
    }
    counts
}

/// What a file proves, if anything; otherwise, whether it cannot even be read.
fn proved(task: &Task, file: &[u8]) -> Result<Claim, bool> {
    match read_proof(file).map_err(|_| true)? {
        Proof::Search(certificate, states) => {
            verify_search(task, &certificate, states).map(|it| it.claim).map_err(|_| false)
        }
        Proof::Function(certificate) => {
            verify(task, &certificate).map(|it| it.claim).map_err(|_| false)
        }
    }
}

/// A certificate with something changed: a digit, a line, a bit, a byte of the list of states, or the
/// claim; or the end is missing.
fn tampered(whole: &[u8], rng: &mut Rng) -> Vec<u8> {
    const MARK: &[u8] = b"\nstates\n";
    let end = whole.windows(MARK.len()).position(|part| part == MARK).map(|it| it + MARK.len());
    let (text, packed) = whole.split_at(end.unwrap_or(whole.len()));
    let (mut text, mut packed) = (text.to_vec(), packed.to_vec());
    match rng.below(10) {
        0 => text.truncate(rng.below(text.len() as u32) as usize),
        1 => {
            let place = rng.below(text.len() as u32) as usize;
            text[place] ^= 1 << rng.below(8);
        }
        2 => text = with_other_lines(&text, rng),
        3 => text = with_higher_claim(&text),
        4 | 5 if !packed.is_empty() => packed = with_other_states(&packed, rng),
        _ => {
            let digits = (0..text.len()).filter(|&place| text[place].is_ascii_digit());
            // The fingerprint comes first.
            let digits: Vec<usize> = digits.filter(|&place| place > 90).collect();
            if !digits.is_empty() {
                let digit = &mut text[digits[rng.below(digits.len() as u32) as usize]];
                *digit = b'0' + (*digit - b'0' + 1 + rng.below(9) as u8) % 10;
            }
        }
    }
    [text, packed].concat()
}

/// A line is left out, comes twice, or changes places with the next one.
fn with_other_lines(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let place = rng.below(lines.len() as u32) as usize;
    let next = (place + 1) % lines.len();
    match rng.below(3) {
        0 => drop(lines.remove(place)),
        1 => lines.insert(place, lines[place]),
        _ => lines.swap(place, next),
    }
    lines.concat()
}

fn with_higher_claim(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let higher = |line: &str| match line.strip_prefix("claim bound ") {
        Some(bound) => format!("claim bound {}\n", bound.trim().parse::<u64>().unwrap() + 1),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(higher).collect::<String>().into_bytes()
}

/// Bytes of the list of states are changed, left out or added; its checksum is right.
fn with_other_states(packed: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    let place = rng.below(bytes.len() as u32) as usize;
    match rng.below(4) {
        0 => bytes.truncate(place),
        1 => bytes.insert(place, rng.below(256) as u8),
        2 => drop(bytes.remove(place)),
        _ => bytes[place] ^= 1 << rng.below(8),
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn nothing_false_is_proved_by_a_damaged_file() {
    let counts = tamper(0..120, 100);
    assert!(counts.harmless > 50 && counts.rejected > 1000, "{counts:?}");
}

/// `experiments/proofs/README.md` has the results.
#[test]
#[ignore = "takes minutes"]
fn nothing_false_is_proved_by_many_damaged_files() {
    let counts = tamper(0..2000, 60);
    println!("{counts:?}");
    assert!(counts.longest < 5.0, "a check takes {} s", counts.longest);
}
