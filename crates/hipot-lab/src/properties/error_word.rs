//! Lab's words for how a run ended.

use crate::{Record, Status};

/// The word for how a run ended, as Lab derives it from Fast Downward's exit codes if one fits.
pub(super) fn word(record: &Record) -> String {
    match record.status {
        Status::Solved => "success".to_owned(),
        Status::Unsolvable => "search-unsolvable".to_owned(),
        Status::Unsolved => "search-unsolved-incomplete".to_owned(),
        Status::TimeLimit => "search-out-of-time".to_owned(),
        Status::MemoryLimit => "search-out-of-memory".to_owned(),
        Status::Unsupported => "search-unsupported".to_owned(),
        Status::InputError => "search-input-error".to_owned(),
        Status::OutputLimit | Status::InvalidPlan => record.status.name().to_owned(),
        Status::Crashed => match record.exit_code {
            Some(code) => format!("exitcode-{code}"),
            None => "crashed".to_owned(),
        },
    }
}

/// The status that a word stands for; `None` if the word says nothing.
pub(super) fn status(word: &str) -> Option<Status> {
    let status = match word {
        "success"
        | "search-plan-found-and-out-of-memory"
        | "search-plan-found-and-out-of-time"
        | "search-plan-found-and-out-of-memory-and-time" => Status::Solved,
        "unsolvable" | "translate-unsolvable" | "search-unsolvable" => Status::Unsolvable,
        "search-unsolved-incomplete" | "incomplete-search-found-no-plan" => Status::Unsolved,
        "timeout"
        | "translate-out-of-time"
        | "search-out-of-time"
        | "search-out-of-memory-and-time"
        | "timeout-and-out-of-memory" => Status::TimeLimit,
        "out-of-memory" | "translate-out-of-memory" | "search-out-of-memory" => Status::MemoryLimit,
        "search-unsupported" | "driver-unsupported" | "unsupported-feature-requested" => {
            Status::Unsupported
        }
        "input-error" | "translate-input-error" | "search-input-error" | "driver-input-error" => {
            Status::InputError
        }
        "" | "none" => return None,
        other => Status::from_name(other).unwrap_or(Status::Crashed),
    };
    Some(status)
}
