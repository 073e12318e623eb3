//! `hipot lab supervise`.

use std::io::{self, BufRead, BufReader, Write};

use hipot_lab::{Job, supervise};

/// Reads a job, runs it, prints the outcome.
pub(super) fn run() -> u8 {
    match try_run() {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("hipot lab supervise: {error}");
            2
        }
    }
}

fn try_run() -> io::Result<()> {
    let mut stdin = BufReader::new(io::stdin());
    let mut line = String::new();
    stdin.read_line(&mut line)?;
    let job: Job = serde_json::from_str(&line)?;
    let outcome = supervise(&job, stdin);
    let mut stdout = io::stdout().lock();
    serde_json::to_writer(&mut stdout, &outcome)?;
    writeln!(stdout)
}
