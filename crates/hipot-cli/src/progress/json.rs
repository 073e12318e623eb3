//! Progress for programs: one JSON object in each line of standard error.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use hipot::events::Event;
use hipot::report::amounts;
use hipot_task::{Amount, resident_bytes};
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
    #[serde(serialize_with = "amounts::serialize")]
    lower_bound: Option<Amount>,
    #[serde(serialize_with = "amounts::serialize")]
    upper_bound: Option<Amount>,
    expanded: u64,
    memory_bytes: Option<u64>,
}

impl Known {
    fn raise(&mut self, bound: Amount) {
        if self.lower_bound.is_none_or(|known| known.units < bound.units) {
            self.lower_bound = Some(bound);
        }
    }
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
            lower_bound: Some(Amount { units: 0, decimals: 0 }),
            upper_bound: None,
            expanded: 0,
            memory_bytes: None,
        };
        Self { begin, next: begin, known }
    }

    pub(super) fn see(&mut self, event: &Event<'_>, decimals: u32) {
        if self.note(event, decimals, Instant::now())
            && let Ok(line) = serde_json::to_string(&self.known)
        {
            // Nobody reads it any more, and the run goes on.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// Notes an event, and returns whether it is time for a line.
    fn note(&mut self, event: &Event<'_>, decimals: u32, now: Instant) -> bool {
        let known = &mut self.known;
        let amount = |units| Amount { units, decimals };
        let before = (known.lower_bound, known.upper_bound);
        match event {
            Event::Grounding(_) => {}
            Event::Plans(_) => known.stage = "plans",
            Event::Lp(progress) => {
                known.stage = "lp";
                known.raise(amount(progress.certified.unwrap_or(0)));
            }
            Event::Search(progress) => {
                known.stage = "search";
                known.expanded = progress.statistics.expanded;
            }
            Event::Bound(bound) => known.raise(amount(*bound)),
            Event::Plan(plan) => known.upper_bound = Some(amount(plan.cost)),
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
        let mut note = |milliseconds, event| {
            lines.note(&event, 1, begin + Duration::from_millis(milliseconds))
        };
        assert!(note(1, Event::Bound(3)));
        assert!(!note(2, Event::Bound(2)), "it is known already");
        assert!(note(3, Event::Plan(&plan)));
        assert!(!note(100, Event::LpEnded));
        assert!(note(400, Event::Bound(3)), "a sign of life");
        let line = serde_json::to_value(&lines.known).unwrap();
        assert_eq!(
            (line["lower_bound"].as_f64(), line["upper_bound"].as_f64()),
            (Some(0.3), Some(0.9))
        );
    }
}
