//! What a planner says of its run, from what it wrote and its exit code.
//!
//! Two kinds of planners are known: ours, which writes one JSON object ([`json`]), and
//! all others, whose logs are read for the lines that Downward Lab parses ([`log`]).
//! Logs can hold anything: bytes that are no text, numbers of any size, no line breaks,
//! JSON of any depth. Whatever cannot be read is taken as not said.
//!
//! Nothing that is read here is believed where it can be checked: a limit that the
//! supervisor saw is the status whatever the planner says, and a plan is validated.

mod json;
mod log;
mod statement;

use crate::model::{Measures, Planner, Status};
use crate::supervise::{End, Outcome};
use statement::Statement;

/// What a planner says of its run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    /// How it ended; [`Status::Solved`] has yet to be shown by a plan.
    pub(crate) status: Status,
    /// Why, where the status does not say all.
    pub(crate) reason: Option<String>,
    /// What its plan costs.
    pub(crate) cost: Option<u64>,
    /// The numbers, those of the supervisor included.
    pub(crate) measures: Measures,
}

/// Reads the outcome of a run.
pub(crate) fn read(planner: &Planner, outcome: &Outcome) -> Claim {
    let Statement { cost, mut measures, status } = match planner {
        Planner::Hipot { .. } => json::read(&outcome.output),
        Planner::Command(_) => log::read([&outcome.errors, &outcome.output]),
    };
    measures.wall_seconds = outcome.wall_seconds;
    measures.cpu_seconds = outcome.cpu_seconds;
    measures.peak_memory = outcome.peak_memory;
    let (status, reason) = match seen(&outcome.end) {
        Some(seen) => seen,
        None => said(status, outcome),
    };
    Claim { status, reason, cost, measures }
}

/// The status that the supervisor saw.
fn seen(end: &End) -> Option<(Status, Option<String>)> {
    match end {
        End::TimeLimit => Some((Status::TimeLimit, None)),
        End::MemoryLimit => Some((Status::MemoryLimit, None)),
        End::OutputLimit => Some((Status::OutputLimit, None)),
        End::NotStarted(reason) => Some((Status::Crashed, Some(reason.clone()))),
        End::Interrupted => Some((Status::Crashed, Some("interrupted".to_owned()))),
        End::Exited(_) | End::Signaled(_) => None,
    }
}

/// The status by the planner's own words, its exit code, and its last breath.
fn said(status: Option<(Status, Option<String>)>, outcome: &Outcome) -> (Status, Option<String>) {
    if let (Some(status), End::Exited(_)) = (status, &outcome.end) {
        return status;
    }
    let (status, reason) = match outcome.end {
        End::Exited(code) => by_exit_code(code),
        End::Signaled(signal) => (Status::Crashed, Some(format!("signal {signal}"))),
        _ => unreachable!("seen by the supervisor"),
    };
    if status == Status::Crashed
        && (asked_in_vain(&outcome.errors) || asked_in_vain(&outcome.output))
    {
        return (Status::MemoryLimit, reason);
    }
    (status, reason)
}

/// Fast Downward's exit codes, where 1 to 3 come with a plan, after which a limit was
/// reached; and those of shells (128 + n) and Python (256 − n) for a child that ended by
/// a signal n of the kernel's limits, SIGXCPU or SIGXFSZ.
fn by_exit_code(code: i32) -> (Status, Option<String>) {
    let status = match code {
        0..=3 => Status::Solved,
        10 | 11 => Status::Unsolvable,
        12 => Status::Unsolved,
        20 | 22 => Status::MemoryLimit,
        21 | 23 | 24 | 152 | 232 => Status::TimeLimit,
        153 | 231 => Status::OutputLimit,
        31 | 33 => Status::InputError,
        34 => Status::Unsupported,
        _ => Status::Crashed,
    };
    (status, (status == Status::Crashed).then(|| format!("exit code {code}")))
}

/// Whether a program says that it was given no memory, as C++, Rust, Python and Java
/// do: the kernel's limit for one process can come before ours for all.
fn asked_in_vain(text: &str) -> bool {
    let words = ["std::bad_alloc", "memory allocation of ", "MemoryError", "OutOfMemoryError"];
    words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: End, output: &str, errors: &str) -> Outcome {
        Outcome {
            end,
            exit_code: None,
            wall_seconds: 2.0,
            cpu_seconds: 1.0,
            peak_memory: 3,
            output: output.to_owned(),
            errors: errors.to_owned(),
        }
    }

    fn status(planner: &Planner, end: End, output: &str, errors: &str) -> Status {
        read(planner, &outcome(end, output, errors)).status
    }

    fn other() -> Planner {
        Planner::Command(vec!["run".to_owned()])
    }

    fn ours() -> Planner {
        Planner::Hipot { heuristic: "blind".to_owned(), options: Vec::new() }
    }

    #[test]
    fn exit_codes_have_statuses() {
        for (code, expected) in [
            (0, Status::Solved),
            (2, Status::Solved),
            (11, Status::Unsolvable),
            (12, Status::Unsolved),
            (22, Status::MemoryLimit),
            (23, Status::TimeLimit),
            (33, Status::InputError),
            (34, Status::Unsupported),
            (128 + libc::SIGXCPU, Status::TimeLimit),
            (256 - libc::SIGXFSZ, Status::OutputLimit),
            (35, Status::Crashed),
            (-1, Status::Crashed),
        ] {
            assert_eq!(status(&other(), End::Exited(code), "", ""), expected, "{code}");
        }
        let claim = read(&other(), &outcome(End::Signaled(11), "", ""));
        assert_eq!((claim.status, claim.reason), (Status::Crashed, Some("signal 11".to_owned())));
        assert_eq!((claim.measures.wall_seconds, claim.measures.peak_memory), (2.0, 3));
    }

    #[test]
    fn the_supervisor_knows_better() {
        let solved = r#"{"schema": "hipot.solve/1", "status": "solved", "cost": 3}"#;
        assert_eq!(status(&ours(), End::TimeLimit, solved, ""), Status::TimeLimit);
        assert_eq!(status(&ours(), End::Signaled(9), solved, ""), Status::Crashed);
        assert_eq!(status(&other(), End::MemoryLimit, "Plan cost: 3", ""), Status::MemoryLimit);
    }

    #[test]
    fn no_memory_is_a_limit() {
        let thrown = "terminate called after throwing an instance of 'std::bad_alloc'";
        assert_eq!(status(&other(), End::Signaled(6), "", thrown), Status::MemoryLimit);
        assert_eq!(status(&other(), End::Exited(0), "", thrown), Status::Solved);
    }

    #[test]
    fn hostile_output_says_nothing() {
        let deep = "[".repeat(1 << 20);
        let nested = "{\"a\":".repeat(1 << 18);
        let long = "x".repeat(1 << 20);
        let huge = format!(
            "Plan cost: {}\nExpanded {} state(s).\n",
            "9".repeat(4000),
            "1".repeat(1 << 20)
        );
        for text in [deep, nested, long, huge, "Plan cost: \u{fffd}\0\n".to_owned()] {
            for planner in [ours(), other()] {
                let claim = read(&planner, &outcome(End::Exited(12), &text, &text));
                assert_eq!(claim.status, Status::Unsolved);
                assert_eq!((claim.cost, claim.measures.expanded), (None, None));
            }
        }
    }
}
