//! Sets of three variables and more as a source of features for the [rounds](crate::rounds).
//!
//! This module decides how large the LPs may be; [`SetChooser`] fills them. The first LP gets
//! half of the allowed size, so that there is room for larger sets. Later ones may double: with
//! larger features the time grows faster than the size, so these LPs grow more slowly than
//! those over pairs, and rest on a lower speed ([`Speed::CAREFUL`]). A round counts as progress
//! if it raises the LP's optimum, even if the bound stays the same.

use std::borrow::Cow;
use std::sync::Arc;

use hipot_lp::Size;
use hipot_task::{Limits, Value};

use super::choose::{Growth, SetChooser};
use super::relaxed_plan::{Use, relaxed_plan};
use crate::certify::Certified;
use crate::cost::{Speed, allowance, nonzeros_in_memory};
use crate::feature::Features;
use crate::feature_set::FeatureLp;
use crate::normal_form::NormalForm;
use crate::optimizer::Optimizer;
use crate::params::Params;
use crate::report::{Error, Shortfall};
use crate::rounds::FeatureSource;

/// The maximum number of nonzeros if no budget is given.
const MAX_NONZEROS: u64 = 2_000_000;

/// The allowed size is divided by this for the first LP, to leave room for larger sets.
const FIRST_DIVISOR: u64 = 2;

/// An LP may grow by this many nonzeros even if it more than doubles.
const MIN_ADDED: u64 = 50_000;

/// Features on sets of variables, chosen on demand. The first round has the pairs of variables
/// on which a two-dimensional function has the largest weights.
pub(super) struct LargerSets<'a> {
    pub(super) normal: &'a Arc<NormalForm>,
    pub(super) chooser: SetChooser<'a>,
    pub(super) state: &'a [Value],
    pub(super) params: &'a Params,
    /// The two-dimensional function.
    pub(super) first: Certified,
}

/// The maximum number of nonzeros of an LP over larger features, regardless of time.
fn max_in_memory(params: &Params, limits: &Limits) -> u64 {
    let (max, _) = allowance(params, nonzeros_in_memory(limits), u64::MAX);
    if params.budget.is_some() { max } else { max.min(MAX_NONZEROS) }
}

/// The maximum number of nonzeros of an LP over all larger features, and what is wrong with one
/// that has more.
pub(super) fn max_of_all(params: &Params, limits: &Limits) -> (u64, Shortfall) {
    let (max, shortfall) = allowance(params, nonzeros_in_memory(limits), max_in_time(limits));
    if params.budget.is_none() && max > MAX_NONZEROS {
        return (MAX_NONZEROS, Shortfall::Size(MAX_NONZEROS));
    }
    (max, shortfall)
}

/// The maximum number of nonzeros of an LP over larger features that is solved in time.
fn max_in_time(limits: &Limits) -> u64 {
    Speed::CAREFUL.nonzeros_within(limits)
}

impl<'a> LargerSets<'a> {
    fn lp(&self, features: Features, size: Size) -> Result<FeatureLp<'a>, Error> {
        let extent = self.chooser.extent();
        FeatureLp::textbook_of_size(self.normal, Cow::Owned(features), size, extent)
    }
}

impl<'a> FeatureSource<'a> for LargerSets<'a> {
    type Dual = Vec<Use>;

    const MAX_IDLE: usize = 2;
    const MUST_RAISE_BOUND: bool = false;

    fn first(&mut self, limits: &Limits) -> Result<Option<FeatureLp<'a>>, Error> {
        let max = self.max_nonzeros(limits).min(max_in_time(limits)) / FIRST_DIVISOR;
        let features = self.chooser.begin(&self.first, max, limits)?;
        features.map(|(features, size)| self.lp(features, size)).transpose()
    }

    fn larger(
        &mut self,
        uses: &Self::Dual,
        size: Size,
        added: u64,
        limits: &Limits,
    ) -> Result<Option<FeatureLp<'a>>, Error> {
        let added = added.min(size.nonzeros.max(MIN_ADDED));
        let growth = Growth { added, max: self.max_nonzeros(limits) };
        let features = self.chooser.extend(uses, self.state, size, growth, limits)?;
        features.map(|(features, size)| self.lp(features, size)).transpose()
    }

    fn same(&self, limits: &Limits) -> Result<FeatureLp<'a>, Error> {
        let features = Cow::Owned(self.chooser.features());
        let lp = FeatureLp::textbook(self.normal, features, limits)?;
        Ok(FeatureLp { extent: self.chooser.extent(), ..lp })
    }

    fn dual(&self, optimizer: &Optimizer<'_>) -> Self::Dual {
        relaxed_plan(self.normal, optimizer.family(), optimizer.duals())
    }

    fn max_nonzeros(&self, limits: &Limits) -> u64 {
        max_in_memory(self.params, limits)
    }
}
