//! Bounds against an independent program's, where its table lies beside the
//! repository: dimension 1 for every task, dimension 2 for those with LPs
//! that take a moment. `experiments/reference` does all of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use hipot::certificate::certificate;
use hipot::compute::compute;
use hipot::heuristic::Potential;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot_check::{BigInt, Certificate, FeatureFact, Rejection, verify};
use hipot_potential::contexts::{Domains, largest_decrease};
use hipot_potential::delta::Delta;
use hipot_potential::feature::FeatureId;
use hipot_task::{Limits, Task, sas};

/// Plain LPs with more rows are left to the experiment.
const MAX_ROWS: u32 = 9000;

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

/// Unpacks the tasks into a folder of this test's own.
fn unpack() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
    std::fs::create_dir_all(&folder).unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(shared().join("reference-sas.tar.xz")).arg("-C").arg(&folder);
    assert!(tar.arg("--strip-components=1").status().unwrap().success());
    folder
}

/// The certified bound must be the table's value rounded up, its certificate
/// must hold, and must not with a weight raised by one unit at a binding
/// constraint.
fn check(name: &str, task: &Task, dimension: usize, expected: &str, raised_weights: &mut usize) {
    let spec: Spec = format!("pot(dim={dimension}, mutexes=none)").parse().unwrap();
    let computed = compute(task, &spec, &Settings::default(), &Limits::none()).unwrap();
    let potential = computed.best_potential().expect("no lower dimension took its place");
    let expected: f64 = expected.parse().unwrap();
    let rounded = (expected - 1e-4).ceil().max(0.0);
    let bound = potential.bound().unwrap();
    assert!(
        (bound as f64 - rounded).abs() < 0.5,
        "{name}, dim={dimension}: {bound}, not {expected}"
    );
    let certificate = certificate(task, potential);
    let verified = verify(task, &certificate);
    assert!(verified.is_ok(), "{name}: {}", verified.unwrap_err());
    for feature in binding_features(potential) {
        let raised = raise(&certificate, potential, feature);
        let rejected = verify(task, &raised).expect_err("a weight was raised at a binding row");
        let is_reasoned =
            matches!(rejected, Rejection::Inconsistent(_) | Rejection::GoalNotAware { .. });
        assert!(is_reasoned, "{name}, feature {}: {rejected}", feature.index());
        *raised_weights += 1;
    }
}

/// Some features that an operator without slack makes false whatever the
/// context: with any more weight the operator takes more than it costs.
fn binding_features(potential: &Potential) -> Vec<FeatureId> {
    const MAX_BINDING: usize = 5;
    let (function, normal) = (&potential.function, potential.normal_form());
    let facts = function.features().facts();
    let domains = Domains::all(facts);
    let weight = |feature: FeatureId| i128::from(function.weights()[feature.index()]);
    let mut binding = Vec::new();
    for operator in normal.operator_ids() {
        let delta = Delta::new(normal, function.features(), operator);
        let decrease = largest_decrease(&delta, facts, &domains, weight).unwrap().unwrap();
        let cost = i128::from(normal.cost(operator)) * i128::from(function.denominator());
        if decrease == cost {
            let falsified = delta.independent.iter().filter(|term| term.sign > 0);
            binding.extend(falsified.map(|term| term.feature));
        }
        if binding.len() >= MAX_BINDING {
            break;
        }
    }
    binding.truncate(MAX_BINDING);
    binding
}

/// The certificate with the weight of `feature` raised by one unit.
fn raise(certificate: &Certificate, potential: &Potential, feature: FeatureId) -> Certificate {
    let (features, facts) = (potential.function.features(), potential.function.features().facts());
    let conjuncts = features.conjuncts(feature).iter().map(|&id| facts.fact(id));
    let wanted: Vec<FeatureFact> = conjuncts
        .map(|fact| {
            let is_unknown = potential.normal_form().unknown(fact.variable) == Some(fact.value);
            FeatureFact::new(fact.variable, (!is_unknown).then_some(fact.value))
        })
        .collect();
    let mut weighted: Vec<(BigInt, Vec<FeatureFact>)> =
        certificate.features().map(|(weight, facts)| (weight.clone(), facts.to_vec())).collect();
    match weighted.iter_mut().find(|(_, facts)| *facts == wanted) {
        Some((weight, _)) => *weight += 1,
        // Features of weight 0 are not in the certificate.
        None => weighted.push((BigInt::from(1), wanted)),
    }
    let (denominator, constant) =
        (certificate.denominator().clone(), certificate.constant().clone());
    Certificate::new(
        certificate.fingerprint(),
        certificate.claim(),
        denominator,
        constant,
        weighted,
    )
    .unwrap()
}

#[test]
fn bounds_are_those_of_the_table() {
    if !shared().join("reference.tsv").exists() {
        println!("skipped: there is no table of reference values beside the repository");
        return;
    }
    let folder = unpack();
    let table = std::fs::read_to_string(shared().join("reference.tsv")).unwrap();
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().unwrap().split('\t').collect();
    let column = |name: &str| columns.iter().position(|&column| column == name).unwrap();
    let (pot1, pot2, size) = (column("pot1"), column("pot2"), column("pot2_lp_rows"));
    let (mut two_dimensional, mut raised_weights) = (0, 0);
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let task = sas::read(&std::fs::read(folder.join(cells[0])).unwrap()).unwrap();
        check(cells[0], &task, 1, cells[pot1], &mut raised_weights);
        if cells[size].parse().is_ok_and(|rows: u32| rows <= MAX_ROWS) {
            check(cells[0], &task, 2, cells[pot2], &mut raised_weights);
            two_dimensional += 1;
        }
    }
    assert!(two_dimensional >= 30, "only {two_dimensional} tasks were small enough");
    assert!(raised_weights >= 200, "only {raised_weights} weights could be raised");
    println!("{two_dimensional} tasks in dimension 2, {raised_weights} raised weights rejected");
}
