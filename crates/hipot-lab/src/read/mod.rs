//! What a planner says of its run, from its output and its exit code.
//!
//! There are two kinds of planners: ours, which writes one JSON object ([`json`]), and all
//! others, in whose logs we look for the lines that Downward Lab parses ([`log`]). Logs can
//! contain anything: bytes that are not text, numbers of any size, no line breaks, JSON of any
//! depth. Whatever cannot be read counts as not said.
//!
//! Nothing that is read here is believed if it can be checked: a limit that the supervisor saw
//! is the status, whatever the planner says, and a plan is validated.

mod json;
mod log;
mod statement;

use crate::model::{Measures, Planner, Status};
use crate::supervise::{End, Outcome};
use statement::Statement;

/// What a planner says of its run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    /// How it ended. [`Status::Solved`] is still to be confirmed by a plan.
    pub(crate) status: Status,
    /// The reason, if the status does not say everything.
    pub(crate) reason: Option<String>,
    /// The cost of its plan.
    pub(crate) cost: Option<u64>,
    /// The numbers, including those of the supervisor.
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
    let (status, reason) = match status_by_supervisor(&outcome.end) {
        Some(seen) => seen,
        None => status_by_planner(status, outcome),
    };
    Claim { status, reason, cost, measures }
}

/// The status that the supervisor saw; `None` if the planner ended without it.
fn status_by_supervisor(end: &End) -> Option<(Status, Option<String>)> {
    match end {
        End::TimeLimit => Some((Status::TimeLimit, None)),
        End::MemoryLimit => Some((Status::MemoryLimit, None)),
        End::OutputLimit => Some((Status::OutputLimit, None)),
        End::NotStarted(reason) => Some((Status::Crashed, Some(reason.clone()))),
        End::Interrupted => Some((Status::Crashed, Some(end.to_string()))),
        End::Exited(_) | End::Signaled(_) => None,
    }
}

/// The status according to the planner's own words, its exit code, and its last messages.
fn status_by_planner(
    status: Option<(Status, Option<String>)>,
    outcome: &Outcome,
) -> (Status, Option<String>) {
    if let (Some(status), End::Exited(_)) = (status, &outcome.end) {
        return status;
    }
    let (status, reason) = match outcome.end {
        End::Exited(code) => by_exit_code(code),
        End::Signaled(_) => (Status::Crashed, Some(outcome.end.to_string())),
        _ => unreachable!("seen by the supervisor"),
    };
    if status == Status::Crashed
        && (is_out_of_memory(&outcome.errors) || is_out_of_memory(&outcome.output))
    {
        return (Status::MemoryLimit, reason);
    }
    (status, reason)
}

/// Reads an exit code of Fast Downward, where 1 to 3 mean that a limit was reached after a
/// plan was found; or of a shell (128 + n) or Python (256 − n), for a child that was ended by
/// signal n at a limit of the kernel (SIGXCPU, SIGXFSZ).
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

/// Whether a program says that it got no memory, as C++, Rust, Python and Java do. The
/// kernel's limit on one process can be reached before our limit on all of them.
fn is_out_of_memory(text: &str) -> bool {
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
