//! Features of three facts and more, chosen where they raise the bound.
//!
//! Over all features of some size k ≥ 3 the contexts of an operator are all
//! joined, and the LP of Theorem 5 is exponential in the number of variables. It
//! is small enough for tasks with few variables, and is solved as it is there.
//! Otherwise features are chosen in [rounds](crate::rounds), as for pairs:
//!
//! 1. The two-dimensional function comes first. It is certified, and no function
//!    with a lower value is ever returned.
//! 2. The first LP has the pairs of variables on which that function has the
//!    largest weights, as many as fit.
//! 3. Each round prices larger sets of variables against the dual solution
//!    ([`price`]) and adds the most promising ones to the next LP, as long as its
//!    size, predicted on the context-dependency graphs ([`width`]), stays within
//!    the limits of the round, the budget and the remaining time.
//!
//! There is a certified function after each round, so limits may end the rounds at
//! any point; the best function is returned. A set of variables is added with all
//! features on it and on all of its subsets, so dropping reference values loses
//! nothing. Of sets with too many values for that, single conjunctions of facts are
//! added.
//!
//! Where this departs from the paper: the paper leaves open which features to use.
//! The constraints are those of Theorem 5, unchanged.

mod choose;
mod price;
mod relaxed_plan;
mod sets;
mod source;
mod width;

use self::choose::SetChooser;
use self::source::{LargerSets, max_of_all};
use crate::complete::{Complete, better};
use crate::feature_set::{FeatureLp, FeatureSet};
use crate::optimizer::{Demand, Optimizer};
use crate::report::{Error, Extent, Optimum, Report, Shortfall};
use crate::rounds::{Rounds, Until};

/// The best function for a state over features of size up to `dimension`, which is
/// at least 3: over all of them if the LP fits into the budget, memory and time, over
/// chosen ones otherwise. Its value is never below that of dimension 2.
pub(crate) fn optimize_larger(complete: &Complete<'_>, dimension: usize) -> Result<Optimum, Error> {
    let Complete { normal, state, params, limits } = *complete;
    let (function, report) = match complete.two_dimensional()? {
        Optimum::Function(function, report) => (function, report),
        unsolvable @ Optimum::Unsolvable(..) => return Ok(unsolvable),
    };
    let variables = normal.facts().variable_count();
    let extent = without_larger(report.extent, variables);
    let with = |shortfall: Shortfall, report| Report { shortfall: Some(shortfall), ..report };
    let report = Report { extent, ..report };
    let chooser = match SetChooser::new(normal, dimension, limits) {
        Ok(chooser) => chooser,
        Err(stop) => {
            let report = with(Error::from(stop).shortfall(), report);
            return Ok(Optimum::Function(function, report));
        }
    };
    let (max_nonzeros, mut shortfall) = max_of_all(params, limits);
    if let Some(features) = chooser.all(max_nonzeros) {
        let all = FeatureLp::new(normal, FeatureSet::Given(&features), params, limits)
            .and_then(|lp| Optimizer::for_state(normal, lp, state, Demand::Best, params, limits))
            .and_then(|mut optimizer| optimizer.best());
        match all {
            Ok(all) => return Ok(better(all, Some((function, report)), state)),
            Err(error) => {
                tracing::info!("cannot use all features of size up to {dimension}: {error}");
                shortfall = error.shortfall();
            }
        }
    }
    let source = LargerSets { normal, chooser, state, params, first: function.clone() };
    let mut rounds = Rounds::new(normal, state, params, source, Some((function, report)));
    if let Some(unsolvable) = rounds.resume(limits, Until::Idle)? {
        return Ok(unsolvable);
    }
    let (function, report) = rounds.into_best().expect("there was a function before");
    Ok(Optimum::Function(function, with(shortfall, report)))
}

/// The extent of a two-dimensional function if larger features were requested.
fn without_larger(extent: Extent, variables: usize) -> Extent {
    let pairs = match extent {
        Extent::Complete => variables * variables.saturating_sub(1) / 2,
        Extent::Chosen { pairs, .. } | Extent::Larger { pairs, .. } => pairs,
    };
    Extent::Larger { pairs, sets: 0 }
}
