//! The best function for a state, over any set of features.
//!
//! [`optimize`] is the crate's main entry point. It maximizes φ(s) over the consistent and
//! goal-aware functions over some features. How it does so depends on the features:
//!
//! | features | what happens | place |
//! |---|---|---|
//! | all of size 1 | one reduced LP | `complete` |
//! | all of size up to 2 | the reduced LP over all pairs of variables if it fits, [rounds](crate::rounds) over chosen pairs before it or instead | `complete` |
//! | all of size up to 3 or more | dimension 2 first; then the LP of Theorem 5 over all features if it fits, rounds over chosen sets of variables otherwise | `larger` |
//! | given features | their LP | [`optimizer`](crate::optimizer) |
//!
//! All of them end in the one [optimizer](crate::optimizer) and its certificate, so the result
//! is proved, whatever the solver did. Only optimality rests on the solver: φ(s) may be a
//! little below the LP's optimum, which [`Report::objective`](crate::Report::objective) gives.

use std::sync::Arc;

use hipot_task::{Limits, Value};

use crate::complete::Complete;
use crate::feature_set::{FeatureLp, FeatureSet};
use crate::larger::optimize_larger;
use crate::normal_form::NormalForm;
use crate::optimizer::{Demand, Optimizer};
use crate::params::Params;
use crate::report::{Error, Optimum};

/// Maximizes φ(`state`) over all potential functions of `normal` over `features` that are
/// goal-aware and consistent for transitions between states without mutexes.
///
/// For [`FeatureSet::UpTo`], the function may use only some of the features if time, memory
/// or the budget do not allow all, unless the parameters require all: see
/// [`Report::extent`]. In dimension 3 and above, the value is never below that of dimension 2.
///
/// [`Report::extent`]: crate::Report::extent
pub fn optimize(
    normal: &Arc<NormalForm>,
    features: FeatureSet<'_>,
    state: &[Value],
    params: &Params,
    limits: &Limits,
) -> Result<Optimum, Error> {
    let complete = Complete { normal, state, params, limits };
    match features {
        FeatureSet::UpTo(1) => complete.atomic(),
        FeatureSet::UpTo(2) => complete.two_dimensional(),
        FeatureSet::UpTo(dimension) => optimize_larger(&complete, dimension),
        FeatureSet::Given(_) | FeatureSet::PairsOf { .. } => {
            let lp = FeatureLp::new(normal, features, params, limits)?;
            Optimizer::for_state(normal, lp, state, Demand::Best, params, limits)?.best()
        }
    }
}
