//! From files to a task.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use hipot_check::{Certificate, CertificateError, Proof, ReadError, read_certificate, read_proof};
use hipot_pddl::{domain_beside, domain_names, is_pddl};
use hipot_task::{Limits, PlanStep, Task, read_plan, sas};
use hipot_translate::{self as translate, translate};

use crate::events::{Event, Events};
use crate::failure::Failure;

/// A task, and the PDDL task that it was translated from, if it was.
#[derive(Debug)]
pub struct Input {
    /// The task.
    pub task: Task,
    /// The PDDL task that it was translated from.
    pub source: Option<hipot_pddl::Task>,
}

/// Reads a task from the files that the command line names: a domain and a problem, a
/// problem with its domain next to it, one `.sas` file, or `-` for standard input.
pub fn read_task(files: &[PathBuf], limits: &Limits, events: &Events) -> Result<Input, Failure> {
    match (pddl_files(files)?, files) {
        (Some((domain, problem)), _) => {
            let source = read_pddl(&domain, &problem)?;
            let task = translate_task(&source, &problem, limits, events)?;
            Ok(Input { task, source: Some(source) })
        }
        (None, [file, ..]) => Ok(Input { task: read_sas(file)?, source: None }),
        (None, []) => Err(Failure::Usage("no task given".to_owned())),
    }
}

/// Translates a PDDL task; `problem` is the file that errors name.
pub fn translate_task(
    source: &hipot_pddl::Task,
    problem: &Path,
    limits: &Limits,
    events: &Events,
) -> Result<Task, Failure> {
    if ignores_costs(source) {
        tracing::warn!(
            "actions increase a cost, but the problem has no ':metric': every action costs 1"
        );
    }
    let mut tell = |progress| events.tell(Event::Grounding(progress));
    translate(source, limits, &mut tell).map_err(|error| match error {
        translate::Error::Stopped(stop) => stop.into(),
        error => Failure::Meaningless { file: display_name(problem), message: error.to_string() },
    })
}

/// Whether actions have costs that the problem does not ask for.
fn ignores_costs(source: &hipot_pddl::Task) -> bool {
    !source.uses_costs && source.actions.iter().any(|action| !action.cost.is_empty())
}

fn read_sas(file: &Path) -> Result<Task, Failure> {
    parse_sas(&display_name(file), &read_bytes(file)?)
}

/// Reads the text of a `.sas` file; `file` is what errors call it.
pub fn parse_sas(file: &Path, text: &[u8]) -> Result<Task, Failure> {
    sas::read(text).map_err(|error| Failure::Input {
        file: file.to_owned(),
        line: error.line,
        column: error.column,
        message: error.problem.to_string(),
        source_line: source_line(text, error.line),
    })
}

/// The domain and the problem, if the files that the command line names are
/// PDDL: two files, or one `.pddl` file with its domain next to it under one of the names
/// that Fast Downward knows.
pub fn pddl_files(files: &[PathBuf]) -> Result<Option<(PathBuf, PathBuf)>, Failure> {
    let problem = match files {
        [domain, problem] => return Ok(Some((domain.clone(), problem.clone()))),
        [problem] if is_pddl(problem) => problem,
        _ => return Ok(None),
    };
    if let Some(domain) = domain_beside(problem) {
        return Ok(Some((domain, problem.clone())));
    }
    let name = problem.display();
    Err(Failure::Usage(if is_domain(&read_bytes(problem)?) {
        format!("'{name}' is a domain; give the problem file after it")
    } else {
        let names = domain_names(problem).join(", ");
        format!(
            "no domain file found next to '{name}'; looked for {names}; give the domain file \
             first, then the problem file"
        )
    }))
}

/// Whether a PDDL file looks like a domain. (A problem has `(:domain`.)
fn is_domain(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).to_ascii_lowercase().contains("(domain")
}

/// Reads a task in PDDL.
pub fn read_pddl(domain: &Path, problem: &Path) -> Result<hipot_pddl::Task, Failure> {
    hipot_pddl::read(&read_source(domain)?, &read_source(problem)?).map_err(Failure::Pddl)
}

/// Reads the text of a PDDL file.
pub fn read_source(file: &Path) -> Result<hipot_pddl::Source, Failure> {
    let name = display_name(file).display().to_string();
    read_bytes(file).map(|text| hipot_pddl::Source::new(name, text))
}

/// Reads a plan file.
pub fn read_plan_file(file: &Path) -> Result<Vec<PlanStep>, Failure> {
    parse_plan(&display_name(file), &String::from_utf8_lossy(&read_bytes(file)?))
}

/// Reads the text of a plan file; `file` is what errors call it.
pub fn parse_plan(file: &Path, text: &str) -> Result<Vec<PlanStep>, Failure> {
    read_plan(text).map_err(|error| Failure::Input {
        file: file.to_owned(),
        line: error.line,
        column: error.column,
        message: format!("expected {}, found {}", error.expected, error.found),
        source_line: source_line(text.as_bytes(), error.line),
    })
}

/// Opens a certificate of any version; listed states are read when it is verified.
pub fn open_proof(file: &Path) -> Result<Proof<Box<dyn BufRead>>, Failure> {
    let name = display_name(file);
    let unreadable = |error| Failure::Unreadable { file: name.clone(), error };
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(unreadable)?))
    };
    read_proof(input).map_err(|error| match error {
        ReadError::Io(error) => unreadable(error),
        ReadError::Text { error, text } => wrong_certificate(&name, error, &text),
    })
}

/// Reads the text of a certificate of a function; `file` is what errors call it.
pub fn parse_certificate(file: &Path, text: &str) -> Result<Certificate, Failure> {
    read_certificate(text).map_err(|error| wrong_certificate(file, error, text))
}

fn wrong_certificate(file: &Path, error: CertificateError, text: &str) -> Failure {
    let CertificateError { line, column, message } = error;
    let source_line = source_line(text.as_bytes(), line);
    Failure::Input { file: file.to_owned(), line, column, message, source_line }
}

/// Reads a file; `-` is standard input.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let read = if file == Path::new("-") {
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(file)
    };
    read.map_err(|error| Failure::Unreadable { file: display_name(file), error })
}

/// What errors call a file.
pub fn display_name(file: &Path) -> PathBuf {
    if file == Path::new("-") { PathBuf::from("<stdin>") } else { file.to_owned() }
}

/// The text of line `line`, unless it is too long to be shown.
pub fn source_line(text: &[u8], line: usize) -> Option<String> {
    const MAX_LENGTH: usize = 120;
    let found = text.split(|&byte| byte == b'\n').nth(line - 1)?.trim_ascii_end();
    (found.len() <= MAX_LENGTH).then(|| String::from_utf8_lossy(found).into_owned())
}
