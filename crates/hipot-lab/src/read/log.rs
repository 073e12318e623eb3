//! Reads the logs of other planners, for the lines that Downward Lab parses.
//!
//! A planner that searches several times writes most of these lines several times. The last
//! ones count: Fast Downward sums up iterated searches at the end, and the last plan is the
//! best. Of the initial state's values the first one counts.

use super::statement::Statement;
use crate::model::Measures;

/// Reads the texts of a log one after the other.
pub(super) fn read<const N: usize>(texts: [&str; N]) -> Statement {
    let mut statement = Statement::default();
    let mut initial = None;
    for line in texts.into_iter().flat_map(str::lines) {
        let line = content(line);
        read_line(line, &mut statement);
        if let Some(rest) = line.strip_prefix("Initial heuristic value for ") {
            initial.get_or_insert_with(|| rest.rsplit_once(": ").and_then(|(_, h)| count(h)));
        }
    }
    statement.measures.initial_h = initial.flatten();
    statement
}

/// A line without the time and memory that Fast Downward puts in front, as in
/// `[t=0.1s, 9928 KB] Plan cost: 3`, and without the semicolon of a comment.
fn content(line: &str) -> &str {
    let line = line.trim();
    let line = match line.strip_prefix("[t=").and_then(|rest| rest.split_once("] ")) {
        Some((_, rest)) => rest,
        None => line,
    };
    line.trim_start_matches(';').trim_start()
}

fn read_line(line: &str, statement: &mut Statement) {
    let Measures {
        plan_length,
        evaluated,
        expanded,
        expanded_until_last_jump,
        generated,
        reopened,
        dead_ends,
        search_seconds,
        total_seconds,
        ..
    } = &mut statement.measures;
    for (key, place) in [
        ("Plan cost: ", &mut statement.cost),
        ("Plan length: ", plan_length),
        ("Expanded until last jump: ", expanded_until_last_jump),
        ("Expanded ", expanded),
        ("Evaluated ", evaluated),
        ("Generated ", generated),
        ("Reopened ", reopened),
        ("Dead ends: ", dead_ends),
    ] {
        if let Some(number) = line.strip_prefix(key).and_then(count) {
            *place = Some(number);
        }
    }
    for (key, place) in [("Search time: ", search_seconds), ("Total time: ", total_seconds)] {
        if let Some(number) = line.strip_prefix(key).and_then(seconds) {
            *place = Some(number);
        }
    }
}

/// `N`, `N state(s).` or `N step(s).`
fn count(text: &str) -> Option<u64> {
    let text = text.trim_end();
    let number = text.strip_suffix(" state(s).").or_else(|| text.strip_suffix(" step(s)."));
    number.unwrap_or(text).parse().ok()
}

/// `Xs`
fn seconds(text: &str) -> Option<f64> {
    let number: f64 = text.trim_end().strip_suffix('s')?.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_fast_downward_are_read() {
        let statement = read(["[t=0.01s, 9928 KB] Initial heuristic value for lmcut: 11\n\
             [t=0.01s, 9928 KB] Initial heuristic value for blind: 0\n\
             [t=0.02s, 9928 KB] Plan length: 12 step(s).\n\
             [t=0.02s, 9928 KB] Plan cost: 13\n\
             [t=0.02s, 9928 KB] Expanded 21 state(s).\n\
             [t=0.02s, 9928 KB] Reopened 0 state(s).\n\
             Evaluated 61 state(s).\n\
             Evaluations: 61\n\
             Generated 101 state(s).\n\
             Dead ends: 2 state(s).\n\
             Expanded until last jump: 20 state(s).\n\
             Search time: 0.0141s\n\
             Total time: 0.0152s\n"]);
        let expected = Measures {
            plan_length: Some(12),
            initial_h: Some(11),
            evaluated: Some(61),
            expanded: Some(21),
            expanded_until_last_jump: Some(20),
            generated: Some(101),
            reopened: Some(0),
            dead_ends: Some(2),
            search_seconds: Some(0.0141),
            total_seconds: Some(0.0152),
            ..Measures::default()
        };
        assert_eq!((statement.cost, statement.measures), (Some(13), expected));
    }

    #[test]
    fn the_last_search_and_the_first_estimate_count() {
        let statement = read([
            "Initial heuristic value for f(a: b): infinity\nPlan cost: 9\nExpanded 3 state(s).\n\
             Initial heuristic value for g: 4\n; Plan cost: 7\nExpanded 30 state(s).\n",
        ]);
        let measures = statement.measures;
        assert_eq!(
            (statement.cost, measures.expanded, measures.initial_h),
            (Some(7), Some(30), None)
        );
    }

    #[test]
    fn what_is_no_number_is_not_read() {
        let statement =
            read(["Plan cost: -3\nTotal time: infs\nSearch time: 1e999s\nExpanded many state(s)."]);
        let measures = statement.measures;
        assert_eq!(
            (statement.cost, measures.total_seconds, measures.search_seconds),
            (None, None, None)
        );
    }
}
