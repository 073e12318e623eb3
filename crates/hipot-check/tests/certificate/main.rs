//! Certificates and their verifier, with mutexes and without, against explicit
//! enumeration, mutation, hostile files and the examples of `docs/formats.md`.

mod cases;
mod door;
mod elimination;
mod examples;
mod explicit;
mod large;
mod malformed;
mod malformed_layers;
mod mutations;
mod mutex_examples;
mod mutexes;
mod soundness;

use hipot_check::mutexes::Layer;
use hipot_check::{Certificate, Claim, FeatureFact, OpenValues};

/// The parts of a certificate, to be changed and put together again.
#[derive(Clone, Debug)]
struct Parts {
    fingerprint: String,
    claim: Claim,
    denominator: i128,
    constant: i128,
    open: OpenValues,
    layers: Vec<Layer>,
    features: Vec<(i128, Vec<FeatureFact>)>,
}

impl Parts {
    fn certificate(&self) -> Certificate {
        let Self { fingerprint, claim, denominator, constant, open, layers, features } =
            self.clone();
        let certificate = Certificate::new(fingerprint, claim, denominator, constant, features);
        certificate.unwrap().with_layers(layers).with_open_values(open)
    }
}

fn text(certificate: &Certificate) -> String {
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}
