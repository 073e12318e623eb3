//! The examples of `docs/formats.md` are right.

use std::fs;
use std::path::Path;

use hipot_check::{OpenValues, read_certificate, verify};
use hipot_task::sas;

use super::{door, mutex_examples};

/// The contents of the first fenced block in this language.
fn block<'a>(document: &'a str, language: &str) -> &'a str {
    let begin = format!("\n```{language}\n");
    let (_, rest) = document.split_once(&begin).expect("there is such a block");
    let (block, _) = rest.split_once("```").expect("the block ends");
    block
}

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    fs::read_to_string(path).expect("the document is there")
}

#[test]
fn the_certificate_with_mutexes_holds_for_its_task() {
    let document = document();
    let task = sas::read(block(&document, "sas-2").as_bytes()).unwrap();
    let certificate = read_certificate(block(&document, "certificate-2")).unwrap();
    assert_eq!(task, mutex_examples::lamp());
    assert_eq!(certificate, mutex_examples::dark_certificate());
    let verified = verify(&task, &certificate).unwrap();
    assert_eq!((verified.initial.as_str(), verified.mutexes), ("3", 2));
}

#[test]
fn the_certificate_by_cases_holds_for_its_task() {
    let document = document();
    let task = sas::read(block(&document, "sas-3").as_bytes()).unwrap();
    let certificate = read_certificate(block(&document, "certificate-3")).unwrap();
    assert_eq!(certificate.open_values(), OpenValues::Cases);
    let verified = verify(&task, &certificate).unwrap();
    assert_eq!((verified.initial.as_str(), verified.operators), ("3", 7));
    // In version 1, the water can be forgotten before there is tea.
    let unknown = certificate.with_open_values(OpenValues::Unknown);
    let rejection = verify(&task, &unknown).unwrap_err().to_string();
    assert!(rejection.contains("operator 'forget water = 'cold'' takes it from 3"), "{rejection}");
}

#[test]
fn the_documented_certificate_holds_for_the_documented_task() {
    let document = document();
    let task = sas::read(block(&document, "sas").as_bytes()).unwrap();
    let certificate = read_certificate(block(&document, "certificate")).unwrap();
    assert_eq!(task, door::task());
    assert_eq!(certificate, door::parts().certificate());
    assert_eq!(verify(&task, &certificate).unwrap().initial, "5");
}
