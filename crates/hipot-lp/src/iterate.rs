//! The progress of a solve.

use crate::method::Method;

/// The progress of a solve. What a method does not report is absent: PDLP reports
/// nothing, simplex only its iterations, and no method anything before its first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterate {
    /// The method that is running.
    pub method: Method,
    /// Its iterations so far.
    pub iterations: Option<usize>,
    /// The current value of the objective. Few methods are feasible before they
    /// end, so this is not a bound.
    pub primal: Option<f64>,
    /// The current value of the dual objective; not a bound either.
    pub dual: Option<f64>,
}
