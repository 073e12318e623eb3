//! VeriPB itself against hipot's own checker, on random searches, some of them forged. Skipped with a
//! message if it is not installed; `VERIPB` names one that is not on the path.

use std::process::Command;

use hipot_check::{
    Claim, Proof, SearchCertificate, StateCode, StatesWriter, fingerprint, read_proof,
    verify_search,
};
use hipot_task::{Rng, Task, Value};
use hipot_testing::{RandomTask, StateSpace, veripb};
use hipot_veripb::Export;
use tempfile::TempDir;

/// Whether VeriPB accepts the export of a certificate.
fn is_accepted(veripb: &str, task: &Task, certificate: &[u8]) -> bool {
    let folder = TempDir::new().unwrap();
    let [formula, proof] = ["x.opb", "x.pbp"].map(|name| folder.path().join(name));
    let export = Export::new(task, read_proof(certificate).unwrap()).unwrap();
    export.write_formula(std::fs::File::create(&formula).unwrap()).unwrap();
    export.write_proof(std::fs::File::create(&proof).unwrap()).unwrap();
    let output = Command::new(veripb).args([formula, proof]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let is_accepted = text.contains("s VERIFIED UNSATISFIABLE\n");
    assert_eq!(is_accepted, output.status.success(), "{text}");
    is_accepted
}

/// The cost of reaching each state.
fn distances(task: &Task, space: &StateSpace) -> Vec<u64> {
    let mut distances = vec![u64::MAX; space.states.len()];
    distances[0] = 0;
    loop {
        let before = distances.clone();
        for &(source, operator, target) in &space.transitions {
            let reached = distances[source].saturating_add(task.operator(operator).cost.into());
            distances[target] = distances[target].min(reached);
        }
        if distances == before {
            return distances;
        }
    }
}

/// A certificate that lists these states.
fn written(task: &Task, claim: Claim, list: &[(u64, Vec<Value>)]) -> Vec<u8> {
    let mut file = Vec::new();
    SearchCertificate::new(fingerprint(task), claim).write(&mut file).unwrap();
    let code = StateCode::new(task);
    let mut writer = StatesWriter::new(&code, file);
    let mut list = list.to_vec();
    list.sort();
    for run in list.chunk_by(|one, other| one.0 == other.0) {
        let mut bytes = Vec::new();
        for (_, state) in run {
            code.encode(|variable| state[variable], &mut bytes);
        }
        writer.write_run(run[0].0, &bytes).unwrap();
    }
    writer.finish().unwrap()
}

fn is_verified(task: &Task, file: &[u8]) -> bool {
    match read_proof(file).unwrap() {
        Proof::Search(certificate, states) => verify_search(task, &certificate, states).is_ok(),
        Proof::Function(_) => panic!("this is version 4"),
    }
}

#[test]
fn it_accepts_what_the_checker_accepts_and_nothing_else() {
    let Some(veripb) = veripb() else { return };
    let (mut accepted, mut rejected, mut unsolvable) = (0, 0, 0);
    for seed in 0..240 {
        let shape = RandomTask {
            variables: 3,
            percent_free: [0, 40][seed as usize % 2],
            ..RandomTask::default()
        };
        let task = shape.generate(seed);
        let space = StateSpace::explore(&task, 10_000).unwrap();
        let mut rng = Rng::new(seed);
        let optimal = space.optimal_cost();
        let claimed = optimal.map(|cost| cost + u64::from(rng.chance(20)));
        if claimed == Some(0) {
            continue;
        }
        let claim = claimed.map_or(Claim::Unsolvable, Claim::Bound);
        let all = distances(&task, &space).into_iter().zip(space.states.iter().cloned());
        let reached = all.filter(|&(cost, _)| claimed.is_none_or(|claimed| cost < claimed));
        let mut list: Vec<(u64, Vec<Value>)> = reached.collect();
        if rng.chance(60) && !list.is_empty() {
            let place = rng.below(list.len() as u32) as usize;
            match rng.below(3) {
                0 => drop(list.swap_remove(place)),
                1 => list[place].0 += 1 + u64::from(rng.below(2)),
                _ => list[place].0 = list[place].0.saturating_sub(1),
            }
        }
        let file = written(&task, claim, &list);
        let is_verified = is_verified(&task, &file);
        assert_eq!(is_accepted(&veripb, &task, &file), is_verified, "seed {seed}: {claim}");
        assert!(!is_verified || claimed.is_none_or(|it| optimal.is_some_and(|cost| it <= cost)));
        accepted += u32::from(is_verified);
        rejected += u32::from(!is_verified);
        unsolvable += u32::from(is_verified && claimed.is_none());
    }
    let counts = format!("{accepted} accepted, {rejected} rejected, {unsolvable} unsolvable");
    assert!(accepted > 50 && rejected > 30 && unsolvable > 10, "{counts}");
}
