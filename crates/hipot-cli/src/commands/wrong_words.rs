//! Command lines that cannot be understood: what to say about them.

use clap::error::{ContextKind, ContextValue, ErrorKind};

const HEURISTIC: &str = "hipot always searches with A*; choose its heuristic with '--heuristic SPEC', \
                         for example '--heuristic auto' or '--heuristic \"pot(dim=2)\"'";
const TIME: &str = "use '--time-limit TIME', for example '--time-limit 30m'";
const MEMORY: &str = "use '--memory-limit SIZE', for example '--memory-limit 4G'";

/// Options of other planners, and what to use here.
const OF_OTHERS: [(&str, &str); 13] = [
    ("--search", HEURISTIC),
    ("--evaluator", HEURISTIC),
    ("--alias", HEURISTIC),
    ("--landmarks", HEURISTIC),
    ("--portfolio", HEURISTIC),
    ("--overall-time-limit", TIME),
    ("--search-time-limit", TIME),
    ("--timeout", TIME),
    ("--overall-memory-limit", MEMORY),
    ("--search-memory-limit", MEMORY),
    ("--sas-file", "use 'hipot translate DOMAIN PROBLEM -o FILE'"),
    ("--translate", "use 'hipot translate DOMAIN PROBLEM -o FILE'"),
    ("--validate", "every plan is validated; use 'hipot validate TASK PLAN' to do it again"),
];

/// The error, with a tip for users of other planners.
pub(super) fn with_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && let Some((_, tip)) = OF_OTHERS.iter().find(|(name, _)| name == word)
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*tip).into()]));
    }
    error
}

/// What is wrong with a command line, in one line.
pub(super) fn in_one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let line = lines.collect::<Vec<_>>().join(" ");
    line.trim_start_matches("error: ").to_owned()
}
