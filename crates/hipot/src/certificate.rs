//! Certificates for what heuristics prove about the initial state.
//!
//! All of them are potential functions, even those of cost partitionings: a sum of
//! functions of abstract states is a potential function over conjunctions of facts of each
//! projection's variables, and a certificate need not say that it comes from shares of
//! costs.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use hipot_analysis::h2::{Direction, Layer};
use hipot_analysis::{OpenValues, PlainTask, TnfTask};
use hipot_check::{Certificate, Claim, FeatureFact, fingerprint, mutexes};
use hipot_potential::{Certified, NormalForm};
use hipot_task::{Fact, Task, Unsupported};

use crate::failure::Failure;
use crate::heuristic::{Computed, Potential, ProvedPart};
use crate::partitioning::Partitioning;

/// The certificate for the bound, or the unsolvability, that `potential`
/// proves about `task`. Features of weight 0 are left out.
pub fn certificate(task: &Task, potential: &Potential) -> Certificate {
    let (function, normal) = (&potential.function, potential.normal_form());
    let initial = function.numerator(normal.initial());
    if potential.bound().is_some() && initial <= -i128::from(function.denominator()) {
        // The function says less than: costs are not negative.
        return empty_certificate(task);
    }
    let claim = potential.bound().map_or(Claim::Unsolvable, Claim::Bound);
    of_function(fingerprint(task), function, claim).with_layers(layers(task, normal))
}

/// The certificate that `function` proves a claim about the task with this fingerprint, without the
/// [`layers`] that it rests on.
pub(crate) fn of_function(fingerprint: String, function: &Certified, claim: Claim) -> Certificate {
    let normal = function.normal_form();
    let (features, facts) = (function.features(), function.features().facts());
    let fact = |&id: &_| {
        let fact = facts.fact(id);
        let is_unknown = normal.unknown(fact.variable) == Some(fact.value);
        FeatureFact::new(fact.variable, (!is_unknown).then_some(fact.value))
    };
    let weighted = features.ids().zip(function.weights()).filter(|&(_, &weight)| weight != 0);
    let weighted = weighted.map(|(feature, &weight)| {
        (weight, features.conjuncts(feature).iter().map(fact).collect::<Vec<_>>())
    });
    let (denominator, constant) = (function.denominator(), function.constant());
    Certificate::new(fingerprint, claim, denominator, constant, weighted)
        .expect("features are sorted and distinct")
        .with_open_values(form(normal.open()))
}

/// The proof of the mutexes of a normal form.
pub(crate) fn layers(task: &Task, normal: &NormalForm) -> Vec<mutexes::Layer> {
    let plain = PlainTask::new(task);
    normal.proof().iter().map(|layer| proof_layer(plain.task(), layer)).collect()
}

/// The normal form as the checker names it.
fn form(open: OpenValues) -> hipot_check::OpenValues {
    match open {
        OpenValues::Unknown => hipot_check::OpenValues::Unknown,
        OpenValues::Cases => hipot_check::OpenValues::Cases,
    }
}

/// A layer of mutexes as the checker takes it.
fn proof_layer(task: &Task, layer: &Layer) -> mutexes::Layer {
    let direction = match layer.direction {
        Direction::Forward => mutexes::Direction::Forward,
        Direction::Backward => mutexes::Direction::Backward,
    };
    mutexes::Layer::new(task, direction, layer.mutexes.pairs()).expect("facts of the task")
}

/// The certificate for what `partitioning` proves about `task`; `None` if its proof does not
/// hold in all states.
pub fn partitioning_certificate(
    task: &Task,
    partitioning: &Partitioning,
) -> Result<Option<Certificate>, Unsupported> {
    let Some(proof) = &partitioning.proof else { return Ok(None) };
    let tnf = TnfTask::new(PlainTask::new(task).task())?;
    let fact = |fact: &Fact| {
        let is_unknown = tnf.unknown(fact.variable) == Some(fact.value);
        FeatureFact::new(fact.variable, (!is_unknown).then_some(fact.value))
    };
    let weights = proof.weights.iter();
    let weighted =
        weights.map(|(weight, facts)| (*weight, facts.iter().map(fact).collect::<Vec<_>>()));
    let claim = partitioning.bound().map_or(Claim::Unsolvable, Claim::Bound);
    let certificate = Certificate::new(fingerprint(task), claim, proof.denominator, 0, weighted);
    Ok(Some(certificate.expect("conjunctions are sorted and distinct")))
}

/// The claim that every plan costs at least 0.
pub(crate) fn empty_certificate(task: &Task) -> Certificate {
    let features: [(i64, Vec<FeatureFact>); 0] = [];
    Certificate::new(fingerprint(task), Claim::Bound(0), 1, 0, features)
        .expect("the empty certificate is well formed")
}

/// The certificate of the best part of a heuristic. If there is none, it claims that every
/// plan costs at least 0.
pub fn best_certificate(task: &Task, best: Option<ProvedPart<'_>>) -> Result<Certificate, Failure> {
    let certificate = match best {
        Some(ProvedPart::Potential(potential)) => Some(certificate(task, potential)),
        Some(ProvedPart::Partition(partitioning)) => partitioning_certificate(task, partitioning)?,
        Some(ProvedPart::Saturated(_)) | None => None,
    };
    Ok(certificate.unwrap_or_else(|| empty_certificate(task)))
}

/// Writes the certificate of the best part of a heuristic to a file; returns what it claims.
pub fn write_certificate(task: &Task, heuristic: &Computed, file: &Path) -> Result<Claim, Failure> {
    let best = heuristic.best();
    if let Some(ProvedPart::Saturated(_)) = best {
        tracing::warn!("there is no certificate for abstractions; it claims a bound of 0");
    }
    if best.is_none() {
        tracing::warn!("there is no function to certify; the certificate claims a bound of 0");
    }
    let certificate = best_certificate(task, best)?;
    let write = || {
        let mut out = BufWriter::new(File::create(file)?);
        certificate.write(&mut out)?;
        out.flush()
    };
    write().map_err(|error| Failure::Unwritable { file: file.to_owned(), error })?;
    Ok(certificate.claim())
}
