//! Checks the plans that planners write.
//!
//! A planner that improves its plan writes `sas_plan.1`, `sas_plan.2` and so on; the last one
//! counts. The folder is the planner's, so nothing in it is trusted: the plan may be a link to
//! an endless file, of any size, or unreadable.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Deserialize;

use super::command::{PLAN, validator_command};
use crate::model::{Limits, Status, Task};
use crate::read::Claim;
use crate::supervise::{End, Error, Job, Outcome, run_supervised};

/// The validator's limits. It may use as much memory as the planner if that is more.
const VALIDATOR_LIMITS: Limits =
    Limits { time: Duration::from_secs(600), memory: 4 << 30, output: 16 << 20 };
/// The most bytes of a plan.
const MAX_PLAN_BYTES: u64 = 256 << 20;
/// The bytes at the end of a plan in which its last line is looked for.
const FOOTER_BYTES: u64 = 4096;

/// What the validator says of a plan.
#[derive(Debug, PartialEq)]
struct Verdict {
    status: Status,
    reason: Option<String>,
    cost: Option<u64>,
    length: Option<u64>,
}

impl Verdict {
    fn not_solved(status: Status, reason: impl Into<String>) -> Self {
        Self { status, reason: Some(reason.into()), cost: None, length: None }
    }
}

/// Checks the plans of one run.
pub(super) struct Validator<'a> {
    /// This program, which is also the validator.
    pub(super) hipot: &'a Path,
    pub(super) task: &'a Task,
    /// The planner's job, in whose folder the plans are.
    pub(super) job: &'a Job,
    pub(super) stop: &'a AtomicBool,
}

impl Validator<'_> {
    /// Checks the plan of a planner that claims to have one, and corrects the claim.
    pub(super) fn check(&self, outcome: &Outcome, claim: &mut Claim) -> Result<(), Error> {
        let verdict = match last_plan(&self.job.directory) {
            Ok(Some(plan)) => {
                claim.cost = claim.cost.or_else(|| footer(&plan).ok().flatten());
                self.validate(&plan)?
            }
            Ok(None) => no_plan(&outcome.end),
            Err(reason) => Verdict::not_solved(Status::InvalidPlan, reason),
        };
        apply(verdict, claim);
        Ok(())
    }

    /// Runs the validator on a plan.
    fn validate(&self, plan: &Path) -> Result<Verdict, Error> {
        let command = match validator_command(self.hipot, self.task, plan) {
            Ok(command) => command,
            Err(reason) => return Ok(Verdict::not_solved(Status::Unsupported, reason)),
        };
        let limits = Limits {
            memory: VALIDATOR_LIMITS.memory.max(self.job.limits.memory),
            ..VALIDATOR_LIMITS
        };
        let job = Job { command, directory: self.job.directory.clone(), limits };
        match run_supervised(self.hipot, &job, self.stop) {
            Err(error @ Error::Lost(_)) => {
                let reason = format!("the validator failed: {error}");
                Ok(Verdict::not_solved(Status::Crashed, reason))
            }
            outcome => Ok(verdict(&outcome?, plan)),
        }
    }
}

/// The planner's last plan: the one with the highest number, or the one without a number.
/// The planner may have taken away our rights to its folder, so they are restored first.
fn last_plan(directory: &Path) -> Result<Option<PathBuf>, String> {
    let unreadable = |error: io::Error| format!("cannot read the planner's folder: {error}");
    fs::set_permissions(directory, Permissions::from_mode(0o700)).map_err(unreadable)?;
    let mut last: Option<(u64, PathBuf)> = None;
    for entry in fs::read_dir(directory).map_err(unreadable)?.flatten() {
        let Some(number) = entry.file_name().to_str().and_then(plan_number) else { continue };
        if last.as_ref().is_none_or(|(highest, _)| *highest <= number) {
            last = Some((number, entry.path()));
        }
    }
    let Some((_, plan)) = last else { return Ok(None) };
    let metadata = plan.symlink_metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("the plan is not a file".to_owned());
    }
    if metadata.len() > MAX_PLAN_BYTES {
        return Err(format!("the plan is too large: {} bytes", metadata.len()));
    }
    Ok(Some(plan))
}

/// 0 for `sas_plan`, N for `sas_plan.N`.
fn plan_number(name: &str) -> Option<u64> {
    match name.strip_prefix(PLAN)? {
        "" => Some(0),
        rest => rest.strip_prefix('.')?.parse().ok(),
    }
}

/// The cost that a plan's last line claims: `; cost = N (unit cost)`.
fn footer(plan: &Path) -> io::Result<Option<u64>> {
    let mut file = File::open(plan)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(FOOTER_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(FOOTER_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let claims = text.lines().rev().find_map(|line| line.trim().strip_prefix("; cost = "));
    Ok(claims.and_then(|claim| claim.split(' ').next()?.parse().ok()))
}

fn no_plan(end: &End) -> Verdict {
    match end {
        End::Exited(0) => Verdict::not_solved(Status::Unsolved, "exit code 0 without a plan"),
        End::Exited(code) => {
            Verdict::not_solved(Status::Crashed, format!("exit code {code} without a plan"))
        }
        end => unreachable!("solved, but {end:?}"),
    }
}

/// The fields of `hipot.validate/1` and `hipot.error/1` that matter here.
#[derive(Debug, Deserialize)]
struct Report {
    status: String,
    /// A decimal number if the task's costs have decimals.
    cost: Option<serde_json::Number>,
    length: Option<u64>,
    reason: Option<String>,
    message: Option<String>,
    file: Option<PathBuf>,
    line: Option<u64>,
}

/// Reads the validator's report on `plan`.
fn verdict(outcome: &Outcome, plan: &Path) -> Verdict {
    let report: Report = match (&outcome.end, serde_json::from_str(&outcome.output)) {
        (End::Exited(_), Ok(report)) => report,
        (end, _) => {
            let reason = format!("the validator failed: {end}");
            return Verdict::not_solved(Status::Crashed, reason);
        }
    };
    let Report { status, cost, length, reason, message, file, line } = report;
    if status == "valid" {
        // The lab compares costs that are integers.
        let cost = cost.and_then(|cost| cost.as_u64());
        return Verdict { status: Status::Solved, reason: None, cost, length };
    }
    let place = line.map_or(String::new(), |line| format!("line {line}: "));
    let words = reason.or(message).unwrap_or_else(|| status.clone());
    match status.as_str() {
        "invalid" => Verdict::not_solved(Status::InvalidPlan, place + &words),
        "input-error" if file.as_deref() == Some(plan) => {
            Verdict::not_solved(Status::InvalidPlan, place + &words)
        }
        "unsupported" => Verdict::not_solved(
            Status::Unsupported,
            format!("our validator does not support the task: {words}"),
        ),
        "input-error" => Verdict::not_solved(
            Status::InputError,
            format!("our validator rejects the task: {words}"),
        ),
        _ => Verdict::not_solved(Status::Crashed, format!("the validator failed: {words}")),
    }
}

fn apply(verdict: Verdict, claim: &mut Claim) {
    let Verdict { status, reason, cost, length } = verdict;
    match (claim.cost, cost) {
        (Some(claimed), Some(cost)) if claimed != cost => {
            claim.status = Status::InvalidPlan;
            let reason = format!("the plan costs {cost}, but the planner claims {claimed}");
            claim.reason = Some(reason);
        }
        _ => {
            claim.status = status;
            claim.reason = reason.or(claim.reason.take());
            claim.measures.cost = cost;
            claim.measures.plan_length = length.or(claim.measures.plan_length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Measures;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("ours");
        }
        folder
    }

    fn validated(end: End, output: &str) -> Verdict {
        let (output, errors) = (output.to_owned(), String::new());
        let (wall_seconds, cpu_seconds, peak_memory) = (0.0, 0.0, 0);
        let exit_code = None;
        let outcome =
            Outcome { end, exit_code, wall_seconds, cpu_seconds, peak_memory, output, errors };
        verdict(&outcome, Path::new("/x/sas_plan"))
    }

    #[test]
    fn the_last_plan_counts() {
        let several = folder(&[
            ("sas_plan.9", "a"),
            ("sas_plan.10", "b"),
            ("sas_plan.x", ""),
            ("sas_plan", "c"),
        ]);
        let last = last_plan(several.path()).expect("readable").expect("some");
        assert_eq!(last, several.path().join("sas_plan.10"));
        assert_eq!(last_plan(folder(&[("plan", "")]).path()), Ok(None));
    }

    #[test]
    fn a_plan_is_a_file() {
        let folder = folder(&[]);
        std::os::unix::fs::symlink("/dev/zero", folder.path().join(PLAN)).expect("a link");
        assert_eq!(last_plan(folder.path()), Err("the plan is not a file".to_owned()));
    }

    #[test]
    fn footers_claim_costs() {
        let steps = "(a b)\n".repeat(2000);
        let long = format!("{steps}; cost = 12 (unit cost)\n");
        let folder = folder(&[("a", &long), ("b", "(a)\n"), ("c", "; cost = 4.5\n"), ("d", "")]);
        let cost = |name| footer(&folder.path().join(name)).expect("readable");
        assert_eq!(["a", "b", "c", "d"].map(cost), [Some(12), None, None, None]);
    }

    #[test]
    fn verdicts_are_read() {
        let valid = validated(End::Exited(0), r#"{"status": "valid", "cost": 3, "length": 2}"#);
        let expected =
            Verdict { status: Status::Solved, reason: None, cost: Some(3), length: Some(2) };
        assert_eq!(valid, expected);
        let decimal = validated(End::Exited(0), r#"{"status": "valid", "cost": 4.5, "length": 2}"#);
        assert_eq!(decimal, Verdict { cost: None, ..expected });
        for (output, status, reason) in [
            (
                r#"{"status": "invalid", "reason": "no", "line": 2}"#,
                Status::InvalidPlan,
                "line 2: no",
            ),
            (
                r#"{"status": "input-error", "message": "no", "file": "/x/sas_plan"}"#,
                Status::InvalidPlan,
                "no",
            ),
            (
                r#"{"status": "input-error", "message": "no", "file": "/d.pddl"}"#,
                Status::InputError,
                "our validator rejects the task: no",
            ),
            ("nothing", Status::Crashed, "the validator failed: exit code 1"),
        ] {
            let expected = Verdict::not_solved(status, reason);
            assert_eq!(validated(End::Exited(1), output), expected, "{output}");
        }
    }

    #[test]
    fn another_cost_is_no_solution() {
        let claim = |cost| Claim {
            status: Status::Solved,
            reason: None,
            cost,
            measures: Measures::default(),
        };
        let verdict =
            || Verdict { status: Status::Solved, reason: None, cost: Some(3), length: Some(2) };
        let mut wrong = claim(Some(2));
        apply(verdict(), &mut wrong);
        assert_eq!((wrong.status, wrong.measures.cost), (Status::InvalidPlan, None));
        for mut right in [claim(Some(3)), claim(None)] {
            apply(verdict(), &mut right);
            assert_eq!((right.status, right.measures.cost), (Status::Solved, Some(3)));
        }
    }
}
