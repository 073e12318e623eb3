//! The progress of the optimizer.

use hipot_lp::{Iterate, Method, Size};

/// The progress of solving an LP. What the method does not report is absent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The LP's size.
    pub size: Size,
    /// The number of its columns that are weights: of features, or of classes of
    /// features with the same weight.
    pub weights: usize,
    /// The method that is running.
    pub method: Method,
    /// Its iterations so far.
    pub iterations: Option<usize>,
    /// φ of the state with the method's current weights. They are usually not
    /// consistent before the end, so this is not a bound.
    pub primal: Option<f64>,
    /// The value of the dual LP; at the optimum it equals the primal value.
    pub dual: Option<f64>,
    /// The best bound certified so far, by an earlier attempt.
    pub certified: Option<u64>,
}

impl Progress {
    /// This progress with the numbers of an iterate of the LP, whose costs are divided by
    /// `scale`.
    pub(crate) fn at(self, iterate: Iterate, scale: f64) -> Self {
        let Iterate { method, iterations, primal, dual } = iterate;
        let [primal, dual] = [primal, dual].map(|value| Some(value? * scale));
        Self { method, iterations, primal, dual, ..self }
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
