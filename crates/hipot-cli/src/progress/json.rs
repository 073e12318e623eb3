//! Progress for programs: one JSON object in each line of standard error.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use hipot::events::Event;
use hipot_task::resident_bytes;
use serde::Serialize;

/// The time between two lines, unless a bound changes.
const INTERVAL: Duration = Duration::from_millis(200);

/// What is known, schema `hipot.progress/1`.
#[derive(Debug, Serialize)]
struct Known {
    schema: &'static str,
    /// The time since the run began.
    seconds: f64,
    stage: &'static str,
    lower_bound: u64,
    upper_bound: Option<u64>,
    expanded: u64,
    memory_bytes: Option<u64>,
}

/// Writes what is known when it changes.
#[derive(Debug)]
pub(super) struct JsonLines {
    begin: Instant,
    next: Instant,
    known: Known,
}

impl JsonLines {
    pub(super) fn new(begin: Instant) -> Self {
        let known = Known {
            schema: "hipot.progress/1",
            seconds: 0.0,
            stage: "grounding",
            lower_bound: 0,
            upper_bound: None,
            expanded: 0,
            memory_bytes: None,
        };
        Self { begin, next: begin, known }
    }

    pub(super) fn see(&mut self, event: &Event<'_>) {
        if self.note(event, Instant::now())
            && let Ok(line) = serde_json::to_string(&self.known)
        {
            // Nobody reads it any more, and the run goes on.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// Notes an event, and returns whether it is time for a line.
    fn note(&mut self, event: &Event<'_>, now: Instant) -> bool {
        let known = &mut self.known;
        let before = (known.lower_bound, known.upper_bound);
        match event {
            Event::Grounding(_) => {}
            Event::Lp(progress) => {
                known.stage = "lp";
                known.lower_bound = known.lower_bound.max(progress.certified.unwrap_or(0));
            }
            Event::Search(progress) => {
                known.stage = "search";
                known.expanded = progress.statistics.expanded;
            }
            Event::Bound(bound) => known.lower_bound = known.lower_bound.max(*bound),
            Event::Plan(plan) => known.upper_bound = Some(plan.cost),
            Event::LpEnded | Event::Heuristic(_) | Event::SearchPaused => return false,
        }
        if before == (known.lower_bound, known.upper_bound) && now < self.next {
            return false;
        }
        self.next = now + INTERVAL;
        known.seconds = now.saturating_duration_since(self.begin).as_secs_f64();
        known.memory_bytes = resident_bytes();
        true
    }
}

#[cfg(test)]
mod tests {
    use hipot_task::Plan;

    use super::*;

    #[test]
    fn there_is_a_line_when_a_bound_changes_and_otherwise_rarely() {
        let (begin, plan) = (Instant::now(), Plan { operators: vec![], cost: 9 });
        let mut lines = JsonLines::new(begin);
        let mut note =
            |milliseconds, event| lines.note(&event, begin + Duration::from_millis(milliseconds));
        assert!(note(1, Event::Bound(3)));
        assert!(!note(2, Event::Bound(2)), "it is known already");
        assert!(note(3, Event::Plan(&plan)));
        assert!(!note(100, Event::LpEnded));
        assert!(note(400, Event::Bound(3)), "a sign of life");
        assert_eq!((lines.known.lower_bound, lines.known.upper_bound), (3, Some(9)));
    }
}
