//! Sets of features, and the LP over one of them.
//!
//! A [`FeatureSet`] describes the features that a function may use; a `FeatureLp` is the LP
//! over them. This module decides which [family of constraints](crate::family) writes it:
//!
//! - *Reduced* ([`pairs`](crate::pairs)): all features of size 1, and all of size 2 on some
//!   pairs of variables. Dropping reference values loses nothing only if, for each pair, the
//!   features on all other values are there; hence "all features on a pair of variables".
//! - *Textbook* ([`textbook`](crate::textbook)): any other set, such as features that a user
//!   lists, or features of size 3 and more.
//!
//! The size of either LP is computed exactly before it is written, and compared with the
//! memory that is left: an LP that does not fit is an error, not a crash.
//!
//! Symmetries are used only for the best function *in one state* (`symmetric_about`): they
//! average a solution over the symmetries that keep this state, and elsewhere the averaged
//! function may be worse. An LP over `UpTo` that is made here is for any objective and uses
//! none; [`optimize`](crate::optimize()) has its own way for one state.

use std::borrow::Cow;
use std::sync::Arc;

use hipot_lp::Size;
use hipot_task::{Limits, Stop, Value};

use crate::cost::{bytes_for, nonzeros_over_pairs};
use crate::family::ConstraintFamily;
use crate::feature::{Features, frequent_values};
use crate::normal_form::NormalForm;
use crate::pairs::{Classes, PairChooser, PairSet, ReducedPairs, Reduction};
use crate::params::Params;
use crate::report::{Error, Extent};
use crate::textbook::{Textbook, predict};

/// Which features a function may use.
#[derive(Clone, Copy, Debug)]
pub enum FeatureSet<'a> {
    /// All features of size up to this.
    UpTo(usize),
    /// These features.
    Given(&'a Features),
    /// All features of size 1, and all of size 2 on the pairs of variables that occur in
    /// the given features.
    PairsOf {
        /// The given features.
        features: &'a Features,
        /// A state for which the function should be best. Features that are mapped to each
        /// other by symmetries of the task that keep this state and the goal get the same
        /// weight. Without a state, symmetries are not used.
        symmetric_about: Option<&'a [Value]>,
        /// The number of nonzeros by which the LP may grow, approximately, for further pairs
        /// of variables: those that most operators mention. Ignored without a state.
        extra_nonzeros: u64,
    },
}

/// An LP over a set of features, ready to be optimized.
pub(crate) struct FeatureLp<'a> {
    pub(crate) family: Box<dyn ConstraintFamily + 'a>,
    /// The size of the LP.
    pub(crate) size: Size,
    pub(crate) extent: Extent,
    /// A bound on all absolute weights.
    pub(crate) max_weight: Option<f64>,
}

impl<'a> FeatureLp<'a> {
    /// The LP over a set of features of any kind.
    pub(crate) fn new(
        normal: &'a Arc<NormalForm>,
        features: FeatureSet<'a>,
        params: &Params,
        limits: &Limits,
    ) -> Result<Self, Error> {
        match features {
            FeatureSet::Given(features) => Self::textbook(normal, Cow::Borrowed(features), limits),
            FeatureSet::UpTo(dimension @ (1 | 2)) => {
                let reduction = Reduction::without_symmetries(normal);
                if dimension > 1 {
                    limits.reserve(reduction.bytes_for_all())?;
                }
                Self::on_pairs(normal, &reduction, reduction.complete(dimension), params, limits)
            }
            FeatureSet::UpTo(dimension) => {
                let references = frequent_values(normal);
                let all = Features::complete(normal.facts().clone(), dimension, &references);
                Self::textbook(normal, Cow::Owned(all), limits)
            }
            FeatureSet::PairsOf { features, symmetric_about, extra_nonzeros } => {
                let mut pairs = PairSet::of(features);
                let reduction = match symmetric_about {
                    Some(state) => {
                        let has_pairs = pairs.len() > 0 || extra_nonzeros > 0;
                        let dimension = if has_pairs { 2 } else { 1 };
                        Reduction::new(normal, dimension, state, limits)?
                    }
                    None => Reduction::without_symmetries(normal),
                };
                if let (Some(state), 1..) = (symmetric_about, extra_nonzeros) {
                    let chooser = PairChooser::new(&reduction);
                    chooser.extend(&mut pairs, &[], state, extra_nonzeros, limits)?;
                }
                Self::on_pairs(normal, &reduction, pairs, params, limits)
            }
        }
    }

    /// The textbook LP over the given features, if it fits into memory.
    pub(crate) fn textbook(
        normal: &'a Arc<NormalForm>,
        features: Cow<'a, Features>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let size = predict(normal, &features)?;
        limits.reserve(bytes_for(size.nonzeros))?;
        limits.check()?;
        Self::textbook_of_size(normal, features, size, Extent::Complete)
    }

    /// The textbook LP over the given features, whose size is known.
    pub(crate) fn textbook_of_size(
        normal: &'a Arc<NormalForm>,
        features: Cow<'a, Features>,
        size: Size,
        extent: Extent,
    ) -> Result<Self, Error> {
        let family = Box::new(Textbook::new(normal, features)?);
        Ok(Self { family, size, extent, max_weight: None })
    }

    fn on_pairs(
        normal: &'a Arc<NormalForm>,
        reduction: &Reduction<'_>,
        pairs: PairSet,
        params: &Params,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let extent = reduction.extent(&pairs);
        let classes = reduction.classes(pairs);
        let size = reduction.size(&classes, nonzeros_over_pairs(params, limits), limits)?;
        let size = size.ok_or(Stop::MemoryLimit)?;
        Ok(Self::reduced(normal, reduction, classes, size, extent))
    }

    /// The reduced LP over classes of features, whose size is known.
    pub(crate) fn reduced(
        normal: &'a Arc<NormalForm>,
        reduction: &Reduction<'_>,
        classes: Classes,
        size: Size,
        extent: Extent,
    ) -> Self {
        let family = Box::new(ReducedPairs::new(normal, reduction, classes, size));
        Self { family, size, extent, max_weight: None }
    }

    /// The LP with a bound on all absolute weights.
    pub(crate) fn with_max_weight(self, max_weight: f64) -> Self {
        Self { max_weight: Some(max_weight), ..self }
    }
}
