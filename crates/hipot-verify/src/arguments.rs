//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

/// How to call the program.
pub(crate) const USAGE: &str = "\
Checks a certificate of hipot in exact arithmetic.

Usage: hipot-verify TASK CERTIFICATE [--plan PLAN] [--pddl DOMAIN PROBLEM] [--require optimal]

  TASK                    the task as a .sas file; of PDDL, what hipot translate writes
  CERTIFICATE             what hipot solve --certificate writes
  --plan PLAN             executes a plan as well
  --pddl DOMAIN PROBLEM   executes the plan by the semantics of PDDL, too
  --require optimal       fails unless the plan is proved optimal, or that there is none

Exit codes: 0 proved; 1 not proved, or the plan is not valid; 2 wrong command line; 31 a file cannot
be read, or has an error; 34 the certificate is too hard to check.
";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) task: PathBuf,
    pub(crate) certificate: PathBuf,
    pub(crate) plan: Option<PathBuf>,
    /// The domain and the problem.
    pub(crate) pddl: Option<[PathBuf; 2]>,
    pub(crate) requires_optimal: bool,
}

/// Reads the arguments; `None` if they ask for help.
pub(crate) fn read(given: impl IntoIterator<Item = OsString>) -> Result<Option<Arguments>, String> {
    let (mut files, mut plan, mut pddl, mut requires_optimal) = (Vec::new(), None, None, false);
    let mut given = given.into_iter();
    while let Some(argument) = given.next() {
        let mut value = |what: &str| {
            let missing = || format!("{} needs {what}", argument.display());
            given.next().map(PathBuf::from).ok_or_else(missing)
        };
        match argument.to_str() {
            Some("-h" | "--help") => return Ok(None),
            Some("--plan") => plan = Some(value("a file")?),
            Some("--pddl") => pddl = Some([value("two files")?, value("two files")?]),
            Some("--require") => {
                if value("what is required")?.to_str() != Some("optimal") {
                    return Err("--require knows only 'optimal'".to_owned());
                }
                requires_optimal = true;
            }
            Some(option) if option.starts_with('-') => {
                return Err(format!("there is no option {option}"));
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    if pddl.is_some() && plan.is_none() {
        return Err("--pddl is about a plan; --plan names it".to_owned());
    }
    let [task, certificate] = files.try_into().map_err(|files: Vec<PathBuf>| {
        format!("a task and a certificate are needed, not {} files", files.len())
    })?;
    Ok(Some(Arguments { task, certificate, plan, pddl, requires_optimal }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<Arguments>, String> {
        super::read(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn arguments_come_in_any_order() {
        let expected = Arguments {
            task: "t".into(),
            certificate: "c".into(),
            plan: Some("p".into()),
            pddl: Some(["a".into(), "b".into()]),
            requires_optimal: true,
        };
        let found = read("--pddl a b t --require optimal c --plan p");
        assert_eq!(found, Ok(Some(expected)));
        assert_eq!(read("t --help c"), Ok(None));
    }

    #[test]
    fn wrong_lines_are_refused() {
        for (line, words) in [
            ("t", "not 1 files"),
            ("t c x", "not 3 files"),
            ("t c --plan", "--plan needs a file"),
            ("t c --pddl a", "needs two files"),
            ("t c --pddl a b", "--plan names it"),
            ("t c --require x", "only 'optimal'"),
            ("t c --no", "no option --no"),
        ] {
            assert!(read(line).unwrap_err().contains(words), "{line}");
        }
    }
}
