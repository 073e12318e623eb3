//! Looking on while the LP is solved.

use std::fmt;
use std::sync::Arc;

use hipot_lp::{Iterate, Method};

use crate::model::Size;

/// How far the LP has come. What the method does not tell is absent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The LP's size.
    pub size: Size,
    /// How many of its columns are weights of features, or of classes of
    /// features that have the same weight.
    pub weights: usize,
    /// The method that is running.
    pub method: Method,
    /// Its iterations so far.
    pub iterations: Option<usize>,
    /// φ of the state for the weights that the method has now. As a rule these
    /// are not consistent before the end, so it is a bound on nothing.
    pub primal: Option<f64>,
    /// The value of the dual LP, which meets the other at the optimum.
    pub dual: Option<f64>,
    /// The bound that is certified so far, by an earlier attempt.
    pub certified: Option<u64>,
}

impl Progress {
    /// The same attempt at an iterate of the LP whose costs are divided by
    /// `scale`.
    fn at(self, iterate: Iterate, scale: f64) -> Self {
        let Iterate { method, iterations, primal, dual } = iterate;
        let [primal, dual] = [primal, dual].map(|value| Some(value? * scale));
        Self { method, iterations, primal, dual, ..self }
    }
}

/// A function that is told, about ten times a second while the LP is being
/// solved, how far it is, by the thread that called
/// [`optimize`](crate::optimize()).
#[derive(Clone)]
pub struct Observer(Arc<dyn Fn(Progress) + Send + Sync>);

impl Observer {
    /// An observer that calls `tell`.
    pub fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Looks on at an attempt that begins like this, its costs divided by
    /// `scale`.
    pub(crate) fn of_attempt(&self, begin: Progress, scale: f64) -> hipot_lp::Observer {
        let tell = Arc::clone(&self.0);
        hipot_lp::Observer::new(move |iterate| tell(begin.at(iterate, scale)))
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_units_of_the_task() {
        let begin = Progress {
            size: Size { rows: 3, columns: 2, nonzeros: 5 },
            weights: 1,
            method: Method::Auto,
            iterations: None,
            primal: None,
            dual: None,
            certified: Some(20),
        };
        let method = Method::HiPdlp;
        let iterate = Iterate { method, iterations: Some(40), primal: Some(1.5), dual: Some(3.0) };
        let then = begin.at(iterate, 10.0);
        let (primal, dual) = (Some(15.0), Some(30.0));
        assert_eq!(then, Progress { method, iterations: Some(40), primal, dual, ..begin });
        let unknown = Iterate { method, iterations: None, primal: None, dual: None };
        assert_eq!(then.at(unknown, 10.0), Progress { method, ..begin });
    }
}
