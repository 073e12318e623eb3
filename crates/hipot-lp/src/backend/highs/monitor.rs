//! The progress of a run of HiGHS.
//!
//! A run happens on a thread of its own. Its callbacks store their latest
//! numbers in [`Hooks`], which the run shares with the thread that waits for it.
//! That thread reads them now and then and calls the [`Listener`]. So an
//! abandoned run never calls a listener, and a slow listener does not delay a
//! run.
//!
//! # What HiGHS 1.15 reports
//!
//! - *Simplex*: its callback receives the number of iterations. The objective is
//!   only in the log, every 5 seconds; we ignore it.
//! - *The interior point method* logs a line per iteration.
//! - *HiPDLP* logs a line every 5 seconds, or every 40 iterations at the lowest
//!   level of developer messages. We use the latter: a line takes microseconds,
//!   40 iterations take milliseconds.
//! - *PDLP* reports nothing usable. Once logging is on, it prints to standard
//!   output, bypassing the log and its callback. So logging stays off; the
//!   listener learns only that PDLP is running.
//!
//! Log lines are written for people, and another version may change them. Lines
//! that do not look like an iteration are skipped.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::iterate::Iterate;
use crate::listener::Listener;
use crate::method::Method;
use crate::params::Params;
use crate::problem::Sense;

/// The minimum time between two calls of a listener.
const INTERVAL: Duration = Duration::from_millis(100);

/// What the callbacks of one run read and write.
#[derive(Debug)]
pub(super) struct Hooks {
    /// Stops the run once it is not zero.
    interrupt: Option<Arc<AtomicUsize>>,
    /// Whether there is a listener.
    is_observed: bool,
    latest: Mutex<Reading>,
}

/// The latest numbers of a run. Objectives are those of HiGHS, which always minimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Reading {
    iterations: Option<usize>,
    objectives: Option<(f64, f64)>,
}

impl Hooks {
    pub(super) fn new(params: &Params) -> Arc<Self> {
        Arc::new(Self {
            interrupt: params.interrupt.clone(),
            is_observed: params.listener.is_some(),
            latest: Mutex::default(),
        })
    }

    pub(super) fn is_observed(&self) -> bool {
        self.is_observed
    }

    /// Whether HiGHS needs callbacks.
    pub(super) fn is_needed(&self) -> bool {
        self.is_observed || self.interrupt.is_some()
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed) != 0)
    }

    /// Records the number of simplex iterations.
    pub(super) fn record_iterations(&self, iterations: usize) {
        if self.is_observed {
            self.set(Reading { iterations: Some(iterations), objectives: None });
        }
    }

    /// Records the iteration that a log line describes, if any.
    pub(super) fn record_line(&self, line: &str) {
        if let Some(reading) = parse(line) {
            self.set(reading);
        }
    }

    fn set(&self, reading: Reading) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = reading;
    }

    fn latest(&self) -> Reading {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The iteration that a log line describes: its number, possibly followed by a
/// mark, the objectives, and at least three measures of error.
fn parse(line: &str) -> Option<Reading> {
    let mut fields = line.split_whitespace();
    let iterations: usize = fields.next()?.trim_end_matches('*').parse().ok()?;
    let numbers: Option<Vec<f64>> = fields.by_ref().take(5).map(|it| it.parse().ok()).collect();
    let [primal, dual, _, _, _] = numbers?[..] else { return None };
    // The objectives before the first iteration mean nothing.
    let has_meaning = iterations > 0 && primal.is_finite() && dual.is_finite();
    let objectives = has_meaning.then_some((primal, dual));
    Some(Reading { iterations: Some(iterations), objectives })
}

/// Whether a method logs iterations that can be parsed, and does not print them
/// to standard output.
pub(super) fn logs_iterations(method: Method) -> bool {
    matches!(method, Method::Ipm | Method::HiPdlp)
}

/// Reports what a run stores in its hooks to the listener.
#[derive(Debug)]
pub(super) struct Monitor<'a> {
    listener: Option<&'a Listener<Iterate>>,
    hooks: Arc<Hooks>,
    method: Method,
    /// −1 if objectives change their sign on the way to HiGHS, else 1.
    sign: f64,
    next_report: Instant,
}

impl<'a> Monitor<'a> {
    pub(super) fn new(params: &'a Params, hooks: Arc<Hooks>, method: Method, sense: Sense) -> Self {
        let sign = match sense {
            Sense::Minimize => 1.0,
            Sense::Maximize => -1.0,
        };
        let listener = params.listener.as_ref();
        Self { listener, hooks, method, sign, next_report: Instant::now() + INTERVAL }
    }

    /// Reports the progress to the listener, unless the last report is too recent.
    pub(super) fn report(&mut self) {
        let (Some(listener), now) = (self.listener, Instant::now()) else { return };
        if now < self.next_report {
            return;
        }
        self.next_report = now + INTERVAL;
        let Reading { iterations, objectives } = self.hooks.latest();
        listener.tell(Iterate {
            method: self.method,
            iterations,
            primal: objectives.map(|(primal, _)| self.sign * primal),
            dual: objectives.map(|(_, dual)| self.sign * dual),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(iterations: usize, primal: f64, dual: f64) -> Reading {
        Reading { iterations: Some(iterations), objectives: Some((primal, dual)) }
    }

    #[test]
    fn iterations_of_hipdlp() {
        let first = "        0   0.00000000e+00   0.00000000e+00   0.00e+00   2.45e+01  0.00e+00  \
                     1.04e-03     0.2\n";
        assert_eq!(parse(first), Some(Reading { iterations: Some(0), objectives: None }));
        let later = "     2040  -2.00243642e+00  -2.00237451e+00   3.24e+00   3.31e-03  6.19e-05  \
                     9.97e-04     1.3\n";
        assert_eq!(parse(later), Some(reading(2040, -2.002_436_42, -2.002_374_51)));
    }

    #[test]
    fn iterations_of_the_interior_point_method() {
        let some =
            "   7   -1.99386413e+00  -2.01149889e+00   2.54e-15   9.17e-14  5.87e-03       0.3";
        assert_eq!(parse(some), Some(reading(7, -1.993_864_13, -2.011_498_89)));
        let last =
            "  18*  -2.00240203e+00  -2.00240204e+00   2.78e-15   2.22e-16  2.31e-09       1.0";
        assert_eq!(parse(last), Some(reading(18, -2.002_402_03, -2.002_402_04)));
    }

    #[test]
    fn objectives_that_are_no_numbers_are_left_out() {
        let line = "       40              nan             -inf        nan        nan       nan";
        assert_eq!(parse(line), Some(Reading { iterations: Some(40), objectives: None }));
    }

    #[test]
    fn other_lines_are_skipped() {
        let lines = [
            "",
            "\n",
            "     Iter       primal obj         dual obj       pinf       dinf       gap      time",
            "600 rows, 600 cols, 360000 nonzeros 0s\n",
            "   Rule  6 (set bit  6 =    64): Forcing row\n",
            "         0    -2.5000000000e+01 Pr: 0(0); Du: 0(0) 0s\n",
            "getKktFailures: primal residual             0 /        0\n",
            "HiGHS run time      :          0.96\n",
            "    Number of variables:                                600\n    Dualized model: no\n",
            "40 1.0 2.0",
            "-40 1.0 2.0 3.0 4.0 5.0",
            "99999999999999999999999 1.0 2.0 3.0 4.0 5.0",
            "40 \u{fffd} 2.0 3.0 4.0 5.0",
            "****",
        ];
        for line in lines {
            assert_eq!(parse(line), None, "{line:?}");
        }
    }
}
