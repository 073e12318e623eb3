//! VeriPB, a checker of proofs by others.

use std::process::Command;

/// The program `$VERIPB`, or `veripb`, if it is installed; otherwise says that a test is skipped.
pub fn veripb() -> Option<String> {
    let program = std::env::var("VERIPB").unwrap_or_else(|_| "veripb".to_owned());
    let found = Command::new(&program).arg("--version").output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(program);
    }
    eprintln!("skipped: VeriPB is not installed (cargo install veripb)");
    None
}
