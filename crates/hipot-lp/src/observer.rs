//! Looking on while a problem is solved.

use std::fmt;
use std::sync::Arc;

use crate::Method;

/// How far a solve has come. What a method does not tell is absent: PDLP tells
/// nothing, simplex only its iterations, and none anything before the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterate {
    /// The method that is running.
    pub method: Method,
    /// Its iterations so far.
    pub iterations: Option<usize>,
    /// The objective's value, on the way to the optimum. Few methods stay
    /// feasible on that way, so it is a bound on nothing.
    pub primal: Option<f64>,
    /// The dual objective's value, about which the same holds.
    pub dual: Option<f64>,
}

/// A function that is told, about ten times a second while a problem is being
/// solved, how far it is. It is called by the thread that called
/// [`solve`](crate::Solver::solve), between the call's beginning and its end.
#[derive(Clone)]
pub struct Observer(Arc<dyn Fn(Iterate) + Send + Sync>);

impl Observer {
    /// An observer that calls `tell`.
    pub fn new(tell: impl Fn(Iterate) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Passes on how far the solve is.
    pub(crate) fn tell(&self, iterate: Iterate) {
        (self.0)(iterate);
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
