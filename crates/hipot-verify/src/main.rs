//! Checks hipot's certificates, and nothing else.
//!
//! This program has no planner: no LP, no search, no translation. What it proves rests on the crates
//! `hipot-check` (the checks), `hipot-task` (types, the readers of `.sas` files and plans) and
//! `hipot-pddl` (the reader of PDDL, for `--pddl` only), and on this file. `docs/trust.md` has the
//! list of all that has to be trusted.

mod arguments;

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hipot_check::{
    Conclusion, Proof, ReadError, Rejection, SearchRejection, pddl, read_proof, validate, verify,
    verify_search,
};
use hipot_task::{PlanStep, Task, read_plan, sas};

use arguments::{Arguments, USAGE};

/// Why nothing is proved.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The command line is wrong.
    #[error("{0}; --help shows how to call hipot-verify")]
    Usage(String),
    /// A file cannot be read, or has an error.
    #[error("{}: {message}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The certificate or the plan does not hold.
    #[error("Not verified: {0}")]
    NotProved(String),
    /// The checker cannot decide.
    #[error("{0}")]
    Undecided(String),
}

impl Failure {
    fn exit_code(&self) -> u8 {
        match self {
            Self::NotProved(_) => 1,
            Self::Usage(_) => 2,
            Self::File { .. } => 31,
            Self::Undecided(_) => 34,
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(failure) => {
            // What is not proved is an answer, all else an error. If nobody listens, the code says it.
            drop(match failure {
                Failure::NotProved(_) => writeln!(std::io::stdout(), "{failure}"),
                _ => writeln!(std::io::stderr(), "hipot-verify: {failure}"),
            });
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run() -> Result<ExitCode, Failure> {
    let arguments = arguments::read(std::env::args_os().skip(1)).map_err(Failure::Usage)?;
    let Some(arguments) = arguments else { return say(USAGE, true) };
    let conclusion = conclude(&arguments)?;
    let is_enough = !arguments.requires_optimal || conclusion.is_settled();
    say(&format!("{conclusion}\n"), is_enough)
}

/// Prints an answer, without which nothing counts as proved.
fn say(text: &str, is_enough: bool) -> Result<ExitCode, Failure> {
    let printed = std::io::stdout().write_all(text.as_bytes());
    printed.map_err(|error| file_error(Path::new("<stdout>"), error))?;
    Ok(if is_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What the certificate proves, about the plan as well if there is one.
fn conclude(arguments: &Arguments) -> Result<Conclusion, Failure> {
    let file = &arguments.task;
    let task = sas::read(&read(file)?).map_err(|error| file_error(file, error))?;
    let proved = prove(&task, &arguments.certificate)?;
    let Some(file) = &arguments.plan else { return Ok(proved) };
    let text = String::from_utf8_lossy(&read(file)?).into_owned();
    let steps = read_plan(&text).map_err(|error| file_error(file, error))?;
    let invalid = |reason: String| Failure::NotProved(format!("{}: {reason}", file.display()));
    let cost = validate(&task, &steps).map_err(|reason| invalid(reason.to_string()))?;
    if let Some([domain, problem]) = &arguments.pddl {
        let in_pddl = execute(domain, problem, &steps, invalid)?;
        if in_pddl != cost {
            let reason = format!("it costs {in_pddl} in the PDDL task and {cost} in the .sas file");
            return Err(invalid(reason));
        }
    }
    let conclusion = Conclusion { plan_cost: Some(cost), ..proved };
    match conclusion.contradiction() {
        Some(contradiction) => Err(Failure::NotProved(contradiction)),
        None => Ok(conclusion),
    }
}

/// Checks a certificate.
fn prove(task: &Task, file: &Path) -> Result<Conclusion, Failure> {
    let input = BufReader::new(File::open(file).map_err(|error| file_error(file, error))?);
    let proof = read_proof(input).map_err(|error| match error {
        ReadError::Io(error) => file_error(file, error),
        ReadError::Text { error, .. } => file_error(file, error),
    })?;
    match proof {
        Proof::Function(certificate) => match verify(task, &certificate) {
            Ok(verified) => Ok(Conclusion::from(&verified)),
            Err(rejection) => Err(rejected(&rejection, rejection.to_string())),
        },
        Proof::Search(certificate, states) => match verify_search(task, &certificate, states) {
            Ok(verified) => Ok(Conclusion::from(&verified)),
            Err(whole) => Err(match &whole {
                SearchRejection::Function { rejection, .. } => {
                    rejected(rejection, whole.to_string())
                }
                _ => Failure::NotProved(whole.to_string()),
            }),
        },
    }
}

/// The failure for a function that is rejected, in these words.
fn rejected(rejection: &Rejection, words: String) -> Failure {
    match rejection {
        Rejection::TooLarge { .. } => Failure::Undecided(words),
        _ => Failure::NotProved(words),
    }
}

/// Executes a plan by the semantics of PDDL; returns its cost.
fn execute(
    domain: &Path,
    problem: &Path,
    steps: &[PlanStep],
    invalid: impl Fn(String) -> Failure,
) -> Result<u64, Failure> {
    let source = |file: &Path| {
        read(file).map(|text| hipot_pddl::Source::new(file.display().to_string(), text))
    };
    let task = hipot_pddl::read(&source(domain)?, &source(problem)?);
    let task = task.map_err(|errors| file_error(problem, errors))?;
    let semantics = pddl::Semantics::new(&task);
    let semantics = semantics.map_err(|error| Failure::Undecided(error.to_string()))?;
    pddl::validate(&semantics, steps).map_err(|failure| invalid(failure.to_string()))
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|error| file_error(file, error))
}

fn file_error(file: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::File { file: file.to_owned(), message: error.to_string() }
}
