//! The example of `docs/formats.md` is right.

use std::fs;
use std::path::Path;

use hipot_check::{read_certificate, verify};
use hipot_task::sas;

use super::door;

/// The contents of the first fenced block in this language.
fn block<'a>(document: &'a str, language: &str) -> &'a str {
    let begin = format!("\n```{language}\n");
    let (_, rest) = document.split_once(&begin).expect("there is such a block");
    let (block, _) = rest.split_once("```").expect("the block ends");
    block
}

#[test]
fn the_documented_certificate_holds_for_the_documented_task() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let document = fs::read_to_string(path).expect("the document is there");
    let task = sas::read(block(&document, "sas").as_bytes()).unwrap();
    let certificate = read_certificate(block(&document, "certificate")).unwrap();
    assert_eq!(task, door::task());
    assert_eq!(certificate, door::parts().certificate());
    assert_eq!(verify(&task, &certificate).unwrap().initial, "5");
}
