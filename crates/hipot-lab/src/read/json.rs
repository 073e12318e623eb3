//! Reads the report of `hipot solve --json`.

use serde_json::Value;

use super::statement::Statement;
use crate::model::{Measures, Status};

/// Reads standard output as one JSON object. The parser limits its depth; its size is limited
/// by how much of the output was kept.
pub(super) fn read(text: &str) -> Statement {
    match serde_json::from_str(text) {
        Ok(report) => read_report(report),
        Err(_) => Statement::default(),
    }
}

fn read_report(mut report: Value) -> Statement {
    if let Some(object) = report.as_object_mut() {
        object.remove("plan");
    }
    let number = |path: &str| report.pointer(path)?.as_u64();
    let seconds = |path: &str| report.pointer(path)?.as_f64();
    let text = |path: &str| report.pointer(path)?.as_str();
    let measures = Measures {
        plan_length: number("/length"),
        lower_bound: number("/lower_bound"),
        initial_h: number("/heuristic/initial"),
        initial_exact: text("/heuristic/initial_exact").map(str::to_owned),
        evaluated: number("/search/evaluated"),
        expanded: number("/search/expanded"),
        expanded_until_last_jump: number("/search/expanded_until_last_jump"),
        generated: number("/search/generated"),
        reopened: number("/search/reopened"),
        dead_ends: number("/search/dead_ends"),
        search_seconds: seconds("/seconds/search"),
        total_seconds: seconds("/seconds/total"),
        ..Measures::default()
    };
    let reason = text("/message").map(str::to_owned);
    let status = text("/status").map(|word| by_word(word, reason));
    let cost = number("/cost");
    Statement { cost, status, measures: Measures { statistics: Some(report), ..measures } }
}

/// The status that our planner names. Names that are not a [`Status`] mean a crash.
fn by_word(word: &str, reason: Option<String>) -> (Status, Option<String>) {
    match Status::from_name(word) {
        Some(status) => (status, reason),
        None => (Status::Crashed, reason.or_else(|| Some(word.to_owned()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let statement = read(
            r#"{"schema": "hipot.solve/1", "status": "solved", "cost": 23, "length": 20,
                "plan": ["(a)"], "lower_bound": 23,
                "heuristic": {"initial": 22, "initial_exact": "43/2"},
                "search": {"expanded": 24, "expanded_until_last_jump": 5},
                "seconds": {"total": 0.5}}"#,
        );
        let measures = statement.measures;
        assert_eq!((statement.cost, statement.status), (Some(23), Some((Status::Solved, None))));
        assert_eq!(
            (measures.initial_h, measures.initial_exact.as_deref()),
            (Some(22), Some("43/2"))
        );
        assert_eq!((measures.expanded, measures.expanded_until_last_jump), (Some(24), Some(5)));
        assert_eq!((measures.plan_length, measures.total_seconds), (Some(20), Some(0.5)));
        let statistics = measures.statistics.expect("kept");
        assert!(statistics.get("plan").is_none() && statistics.get("cost").is_some());
    }

    #[test]
    fn errors_give_reasons() {
        let statement =
            read(r#"{"schema": "hipot.error/1", "status": "unsupported", "message": "axioms"}"#);
        assert_eq!(statement.status, Some((Status::Unsupported, Some("axioms".to_owned()))));
        let statement = read(r#"{"status": "interrupted"}"#);
        assert_eq!(statement.status, Some((Status::Crashed, Some("interrupted".to_owned()))));
    }
}
