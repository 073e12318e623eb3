//! Certificates for what a potential function proves.

use std::io::Write;
use std::path::Path;

use hipot_check::{Certificate, Claim, FeatureFact, fingerprint, mutexes};
use hipot_task::Task;
use hipot_task::h2::{Direction, Layer};

use crate::failure::Failure;
use crate::heuristic::Potential;

/// The certificate for the bound, or the unsolvability, that `potential`
/// proves about `task`. Features of weight 0 are left out.
pub fn certificate(task: &Task, potential: &Potential) -> Certificate {
    let function = &potential.function;
    let (features, facts) = (function.features(), function.features().facts());
    let fact = |&id: &_| {
        let fact = facts.fact(id);
        let is_unknown = potential.normal.tnf.unknown(fact.variable) == Some(fact.value);
        FeatureFact::new(fact.variable, (!is_unknown).then_some(fact.value))
    };
    let weighted = features.ids().zip(function.weights()).filter(|&(_, &weight)| weight != 0);
    let weighted = weighted.map(|(feature, &weight)| {
        (weight, features.conjuncts(feature).iter().map(fact).collect::<Vec<_>>())
    });
    let claim = potential.bound().map_or(Claim::Unsolvable, Claim::Bound);
    let (denominator, constant) = (function.denominator(), function.constant());
    Certificate::new(fingerprint(task), claim, denominator, constant, weighted)
        .expect("features are sorted and distinct")
        .with_layers(potential.normal.proof.iter().map(|layer| proof_layer(task, layer)).collect())
}

/// A layer of mutexes as the checker takes it.
fn proof_layer(task: &Task, layer: &Layer) -> mutexes::Layer {
    let direction = match layer.direction {
        Direction::Forward => mutexes::Direction::Forward,
        Direction::Backward => mutexes::Direction::Backward,
    };
    mutexes::Layer::new(task, direction, layer.mutexes.pairs()).expect("facts of the task")
}

/// Writes the certificate of the best of the potential functions; the claim
/// that every plan costs at least 0, where there is none.
pub fn write_certificate(
    task: &Task,
    best: Option<&Potential>,
    file: &Path,
) -> Result<(), Failure> {
    let certificate = match best {
        Some(potential) => certificate(task, potential),
        None => {
            let features: [(i64, Vec<FeatureFact>); 0] = [];
            Certificate::new(fingerprint(task), Claim::Bound(0), 1, 0, features)
                .expect("the empty certificate is well formed")
        }
    };
    let mut text = Vec::new();
    let written = certificate
        .write(&mut text)
        .and_then(|()| std::fs::File::create(file).and_then(|mut out| out.write_all(&text)));
    written.map_err(|error| Failure::Unwritable { file: file.to_owned(), error })
}
