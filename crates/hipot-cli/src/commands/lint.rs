//! `hipot lint`.

use std::path::{Path, PathBuf};

use clap::Args;
use hipot::diagnostics::DiagnosticReport;
use hipot::input::read_source;
use hipot::{Failure, Status};
use hipot_pddl::lint::Linter;
use hipot_pddl::{Diagnostic, Errors, Severity, Source, domain_beside};
use hipot_task::Limits;
use hipot_translate::obstacles::warn;
use serde::Serialize;

use super::context::Context;
use super::examples::examples;

/// Warn about PDDL that was probably not meant
///
/// Unused parameters, types and predicates; predicates that nothing makes true; requirements that are
/// missing; costs that are ignored; and, with a problem, actions that are never applied and goals that
/// are never true. Mistakes are shown first, as every command shows them.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot lint domain.pddl",
    "hipot lint domain.pddl problem.pddl --json",
]))]
pub(super) struct Arguments {
    /// A PDDL domain, alone or with a problem; or a problem with its domain next to it
    #[arg(required = true, num_args = 1..=2, value_names = ["DOMAIN", "PROBLEM"])]
    files: Vec<PathBuf>,

    /// End with exit code 1 if there is a warning
    #[arg(long)]
    strict: bool,
}

/// The result of `hipot lint`, schema `hipot.lint/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    /// `valid`, `invalid` with warnings and --strict, `input-error`, or `unsupported`.
    status: Status,
    diagnostics: Vec<DiagnosticReport>,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.lint/1";
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let (domain, problem) = files(&arguments.files)?;
    let domain = read_source(&domain)?;
    let problem = problem.as_deref().map(read_source).transpose()?;
    let found = diagnostics(&domain, problem.as_ref(), &context.limits)?;
    let has = |severity| found.iter().any(|it: &Diagnostic| it.severity == severity);
    let status = if has(Severity::Error) {
        Status::InputError
    } else if has(Severity::Unsupported) {
        Status::Unsupported
    } else if arguments.strict && has(Severity::Warning) {
        Status::Invalid
    } else {
        Status::Valid
    };
    let diagnostics = found.iter().map(DiagnosticReport::from).collect();
    let text = match found.len() {
        0 => "No warnings.\n".to_owned(),
        1 => format!("{}\n1 message\n", hipot_pddl::shown(&found)),
        count => format!("{}\n{count} messages\n", hipot_pddl::shown(&found)),
    };
    let report = Report { schema: Report::SCHEMA, status, diagnostics };
    context.reporter.write(&report, &text)?;
    Ok(status)
}

/// The domain, and the problem if there is one.
fn files(files: &[PathBuf]) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    match files {
        [domain, problem] => Ok((domain.clone(), Some(problem.clone()))),
        [only] if is_problem(only)? => match domain_beside(only) {
            Some(domain) => Ok((domain, Some(only.clone()))),
            None => Err(Failure::Usage(format!(
                "no domain file found next to '{}'; give the domain first, then the problem",
                only.display()
            ))),
        },
        [only, ..] => Ok((only.clone(), None)),
        [] => Err(Failure::Usage("no file given".to_owned())),
    }
}

fn is_problem(file: &Path) -> Result<bool, Failure> {
    let text = String::from_utf8_lossy(&read_source(file)?.text).to_ascii_lowercase();
    Ok(text.contains("(problem") && !text.contains("(domain"))
}

/// All that can be said about a task: mistakes or, if there are none, warnings.
fn diagnostics(
    domain: &Source,
    problem: Option<&Source>,
    limits: &Limits,
) -> Result<Vec<Diagnostic>, Failure> {
    let of_errors = |errors: Errors| errors.diagnostics;
    let task = match problem {
        Some(problem) => hipot_pddl::read(domain, problem).map(Some),
        None => hipot_pddl::read_domain(domain).map(|()| None),
    };
    let task = match task {
        Ok(task) => task,
        Err(errors) => return Ok(of_errors(errors)),
    };
    let mut linter = Linter::new(domain, problem);
    if let Some(task) = task {
        warn(&mut linter, &task, limits)?;
    }
    Ok(linter.diagnostics())
}
