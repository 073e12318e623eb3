//! The tasks of the targets about proofs and plans, and what must hold: nothing false is accepted,
//! whatever the bytes.

use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use hipot_check::{
    Claim, Proof, execute, fingerprint, read_proof, validate, verify, verify_search,
};
use hipot_task::{Task, read_plan, sas};
use hipot_testing::StateSpace;

/// A task with its fingerprint and the cost of an optimal plan, by brute force.
pub struct Known {
    name: &'static str,
    task: Task,
    fingerprint: String,
    cost: Option<u64>,
}

macro_rules! example {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../examples/", $name, ".sas")))
    };
}

/// Small tasks: with free operators, conditional effects, axioms, and without a plan.
const EXAMPLES: [(&str, &[u8]); 7] = [
    example!("cat"),
    example!("circuit"),
    example!("hanoi"),
    example!("lights"),
    example!("parity"),
    example!("rings"),
    example!("river"),
];

fn tasks() -> &'static [Known] {
    static TASKS: OnceLock<Vec<Known>> = OnceLock::new();
    TASKS.get_or_init(|| {
        let known = |&(name, text): &(&'static str, &[u8])| {
            let task = sas::read(text).expect("examples can be read");
            let space = StateSpace::explore(&task, 100_000).expect("examples are small");
            Known { name, fingerprint: fingerprint(&task), cost: space.optimal_cost(), task }
        };
        EXAMPLES.iter().map(known).collect()
    })
}

fn with_fingerprint(named: &str) -> Option<&'static Known> {
    tasks().iter().find(|known| known.fingerprint == named)
}

impl Known {
    fn assert_true(&self, claim: Claim) {
        let is_true = match (claim, self.cost) {
            (_, None) => true,
            (Claim::Bound(bound), Some(cost)) => bound <= cost,
            (Claim::Unsolvable, Some(_)) => false,
        };
        assert!(is_true, "'{claim}' of '{}', whose cost is {:?}", self.name, self.cost);
    }
}

/// Reads and checks any bytes as a certificate. One of a function can be written and reads back as the
/// same.
pub fn certificate(bytes: &[u8]) {
    match read_proof(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(Proof::Function(certificate)) => {
            let mut written = Vec::new();
            certificate.write(&mut written).expect("memory can be written");
            let Ok(Proof::Function(again)) = read_proof(&written[..]) else {
                panic!("what was written cannot be read")
            };
            assert_eq!(again, certificate, "another certificate comes back");
            if let Some(known) = with_fingerprint(certificate.fingerprint())
                && let Ok(verified) = verify(&known.task, &certificate)
            {
                known.assert_true(verified.claim);
            }
        }
        Ok(Proof::Search(certificate, states)) => {
            if let Some(known) = with_fingerprint(certificate.fingerprint())
                && let Ok(verified) = verify_search(&known.task, &certificate, states)
            {
                known.assert_true(verified.claim);
            }
        }
    }
}

/// The same for a certificate of a search whose list of states is not compressed yet, so that
/// any change of it gets through the decompression.
pub fn listed_states(bytes: &[u8]) {
    const MARK: &[u8] = b"\nstates\n";
    let Some(place) = bytes.windows(MARK.len()).position(|part| part == MARK) else {
        return certificate(bytes);
    };
    let (text, list) = bytes.split_at(place + MARK.len());
    let mut encoder = ZlibEncoder::new(text.to_vec(), Compression::none());
    encoder.write_all(list).expect("memory can be written");
    certificate(&encoder.finish().expect("memory can be written"));
}

/// Reads and executes any bytes as a plan; the first line names the task. A plan that is accepted can
/// be executed by its operators, and is not cheaper than an optimal one.
pub fn plan(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, text) = text.split_once('\n').unwrap_or_default();
    let Ok(steps) = read_plan(text) else { return };
    let Some(known) = tasks().iter().find(|known| known.name == name) else { return };
    let Ok(cost) = validate(&known.task, &steps) else { return };
    assert!(known.cost.is_some_and(|least| least <= cost), "'{name}' has no plan of cost {cost}");
    let operator = |name: &String| known.task.operators().iter().find(|it| it.name == *name);
    if let Some(operators) =
        steps.iter().map(|step| operator(&step.name)).collect::<Option<Vec<_>>>()
    {
        assert_eq!(execute(&known.task, operators), Ok(cost), "'{name}': executed step by step");
    }
}
