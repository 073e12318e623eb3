//! Certificates and their verifier, against explicit enumeration, mutation,
//! hostile files and the example of `docs/formats.md`.

mod door;
mod examples;
mod explicit;
mod large;
mod malformed;
mod mutations;
mod soundness;

use hipot_check::{Certificate, Claim, FeatureFact};

/// The parts of a certificate, to be changed and put together again.
#[derive(Clone, Debug)]
struct Parts {
    fingerprint: String,
    claim: Claim,
    denominator: i128,
    constant: i128,
    features: Vec<(i128, Vec<FeatureFact>)>,
}

impl Parts {
    fn certificate(&self) -> Certificate {
        let Self { fingerprint, claim, denominator, constant, features } = self.clone();
        Certificate::new(fingerprint, claim, denominator, constant, features).unwrap()
    }
}

fn text(certificate: &Certificate) -> String {
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}
