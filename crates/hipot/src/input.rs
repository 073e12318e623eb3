//! From files to a task.

use std::io::Read;
use std::path::{Path, PathBuf};

use hipot_task::{PlanStep, Task, read_plan, sas};

use crate::failure::Failure;

/// Reads a task from the files that the command line names: one `.sas` file,
/// or `-` for the standard input.
pub fn read_task(files: &[PathBuf]) -> Result<Task, Failure> {
    let [file] = files else {
        return Err(pddl_unsupported(&files[0]));
    };
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pddl")) {
        return Err(pddl_unsupported(file));
    }
    let text = read_bytes(file)?;
    sas::read(&text).map_err(|error| Failure::Input {
        file: display_name(file),
        line: error.line,
        column: error.column,
        message: error.problem.to_string(),
        source_line: source_line(&text, error.line),
    })
}

fn pddl_unsupported(file: &Path) -> Failure {
    Failure::Unsupported(format!(
        "{}: PDDL is not supported yet; translate the task to SAS+ (.sas, version 3) first",
        file.display()
    ))
}

/// Reads a plan file.
pub fn read_plan_file(file: &Path) -> Result<Vec<PlanStep>, Failure> {
    let text = String::from_utf8_lossy(&read_bytes(file)?).into_owned();
    read_plan(&text).map_err(|error| Failure::Input {
        file: display_name(file),
        line: error.line,
        column: error.column,
        message: format!("expected {}, found {}", error.expected, error.found),
        source_line: source_line(text.as_bytes(), error.line),
    })
}

pub(crate) fn read_bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let read = if file == Path::new("-") {
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(file)
    };
    read.map_err(|error| Failure::Unreadable { file: display_name(file), error })
}

pub(crate) fn display_name(file: &Path) -> PathBuf {
    if file == Path::new("-") { PathBuf::from("<stdin>") } else { file.to_owned() }
}

/// The text of line `line`, unless it is too long to be shown.
pub(crate) fn source_line(text: &[u8], line: usize) -> Option<String> {
    const LONGEST: usize = 120;
    let found = text.split(|&byte| byte == b'\n').nth(line - 1)?.trim_ascii_end();
    (found.len() <= LONGEST).then(|| String::from_utf8_lossy(found).into_owned())
}
