//! All features of size up to 1 or 2, by the reduced LP, or as many of them as time allows.
//!
//! In dimension 2 the goal is the LP over all pairs of variables. A large one may not be solved
//! in time, so [rounds](crate::rounds) over chosen pairs come before it, for a small share of
//! the time: seconds are enough to get most of the bound. Then the LP over all pairs gets most
//! of the remaining time. If it is not solved, the rounds continue.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_lp::Size;
use hipot_task::{Limits, OperatorId, Stop, Value};

use crate::certify::Certified;
use crate::cost::{Speed, allowance, max_nonzeros, nonzeros_in_memory};
use crate::feature_set::FeatureLp;
use crate::normal_form::NormalForm;
use crate::optimizer::{Demand, Optimizer};
use crate::pairs::{Classes, PairChooser, PairSet, Reduction};
use crate::params::{Completeness, Params};
use crate::report::{Error, Extent, Optimality, Optimum, Report, Shortfall};
use crate::rounds::{FeatureSource, Rounds};

/// The maximum size of the table of classes, in bytes per allowed nonzero. With a larger
/// table, the LP is unlikely to be small enough, whatever the symmetries.
const MAX_TABLE_BYTES_PER_NONZERO: u64 = 400;

/// LPs with fewer nonzeros usually take seconds at most.
const QUICK_NONZEROS: u64 = 200_000;

/// The maximum share of a limited time that features on demand get before a large LP over all
/// pairs.
const SHARE_ON_DEMAND: f64 = 0.15;

/// Features on demand get at most one second per this many nonzeros of that LP.
const NONZEROS_PER_SECOND_ON_DEMAND: f64 = 200_000.0;

/// The share of the remaining time that the LP over all pairs gets if a bound is already
/// certified.
const SHARE_AT_ONCE: f64 = 0.65;

/// The best function for a state over all features of size up to 1 or 2.
pub(crate) struct Complete<'a> {
    pub(crate) normal: &'a Arc<NormalForm>,
    pub(crate) state: &'a [Value],
    pub(crate) params: &'a Params,
    pub(crate) limits: &'a Limits,
}

impl Complete<'_> {
    /// The best function over all features of size 1.
    pub(crate) fn atomic(&self) -> Result<Optimum, Error> {
        let reduction = Reduction::new(self.normal, 1, self.state, self.limits)?;
        let classes = reduction.classes(reduction.complete(1));
        let size = reduction.size(&classes, nonzeros_in_memory(self.limits));
        let all = AllFeatures { classes, size: size.ok_or(Stop::MemoryLimit)? };
        self.at_once(&reduction, all, None, self.limits)
    }

    /// The best function over all features of size up to 2, or as many as time allows.
    pub(crate) fn two_dimensional(&self) -> Result<Optimum, Error> {
        let Self { normal, state, params, limits } = *self;
        let reduction = Reduction::new(normal, 2, state, limits)?;
        let (all, mut shortfall) = match self.all_pairs(&reduction) {
            Ok(all) => (Some(all), None),
            Err(shortfall) if params.completeness == Completeness::Required => {
                return Err(Error::Incomplete(shortfall));
            }
            Err(shortfall) => (None, Some(shortfall)),
        };
        let mut rounds = Rounds::new(normal, state, params, self.pairs(&reduction), None);
        if let Some(all) = all {
            if let Some(limits) = self.limits_before(&all) {
                match rounds.resume(&limits) {
                    Ok(Some(found)) => return Ok(found),
                    Err(error @ Error::Stopped(Stop::Interrupted)) => return Err(error),
                    // There may be time for the LP even if there was none for a round.
                    Ok(None) | Err(_) => {}
                }
            }
            // Leave some time for more rounds, in case this LP is not solved.
            let certified = rounds.certified();
            let share = certified.map(|_| limits.with_share(SHARE_AT_ONCE));
            match self.at_once(&reduction, all, certified, share.as_ref().unwrap_or(limits)) {
                Ok(found) => return Ok(better(found, rounds.into_best(), state)),
                Err(error @ (Error::Stopped(Stop::Interrupted) | Error::TooWide(_))) => {
                    return Err(error);
                }
                Err(error @ Error::Solver(_)) if params.completeness == Completeness::Required => {
                    return Err(error);
                }
                Err(error) if params.completeness == Completeness::Required => {
                    return Err(Error::Incomplete(error.shortfall()));
                }
                Err(error) => {
                    tracing::info!("cannot use all pairs of variables: {error}");
                    shortfall = Some(error.shortfall());
                }
            }
        }
        if let Some(found) = rounds.resume(limits)? {
            return Ok(found);
        }
        let (function, report) = rounds.into_best().ok_or(Stop::TimeLimit)?;
        Ok(Optimum::Function(function, Report { shortfall, ..report }))
    }

    /// The limits of the rounds before the LP over all pairs; `None` if that LP is quick, or
    /// if no other result is wanted.
    fn limits_before(&self, all: &AllFeatures) -> Option<Limits> {
        let nonzeros = all.size.nonzeros;
        let left = self.limits.time_left()?;
        let is_wanted = self.params.completeness == Completeness::Optional;
        let longest = Duration::from_secs_f64(nonzeros as f64 / NONZEROS_PER_SECOND_ON_DEMAND);
        let share = left.mul_f64(SHARE_ON_DEMAND).min(longest);
        (is_wanted && nonzeros > QUICK_NONZEROS)
            .then(|| self.limits.with_earlier_deadline(Instant::now() + share))
    }

    /// All features of size up to 2 and the size of their LP, if it fits into memory
    /// and probably into the time; otherwise why not.
    fn all_pairs(&self, reduction: &Reduction<'_>) -> Result<AllFeatures, Shortfall> {
        let in_time = Speed::hopeful(self.params.library).nonzeros_within(self.limits);
        let (max, shortfall) = allowance(self.params, self.limits, in_time);
        let bytes = reduction.bytes_for_all();
        let max_bytes = max.saturating_mul(MAX_TABLE_BYTES_PER_NONZERO);
        let is_in_memory = self.limits.reserve(bytes).is_ok();
        if bytes > max_bytes || !is_in_memory {
            tracing::info!("too many pairs of facts for an LP over all of them");
            return Err(if is_in_memory { shortfall } else { Shortfall::Memory });
        }
        let classes = reduction.classes(reduction.complete(2));
        let Some(size) = reduction.size(&classes, max) else {
            tracing::info!("the LP over all pairs has more than {max} nonzeros");
            return Err(shortfall);
        };
        let Size { rows, columns, nonzeros } = size;
        tracing::debug!("reduced LP: {rows} rows, {columns} columns, {nonzeros} nonzeros");
        Ok(AllFeatures { classes, size })
    }

    /// Solves the LP over all features; `certified` is a bound that is already known.
    fn at_once(
        &self,
        reduction: &Reduction<'_>,
        all: AllFeatures,
        certified: Option<u64>,
        limits: &Limits,
    ) -> Result<Optimum, Error> {
        let Self { normal, state, params, .. } = *self;
        limits.check()?;
        let AllFeatures { classes, size } = all;
        let lp = FeatureLp::reduced(normal, reduction, classes, size, Extent::Complete);
        Optimizer::for_state(normal, lp, state, Demand::Best, params, limits)?
            .with_certified(certified)
            .best()
    }

    fn pairs<'b>(&'b self, reduction: &'b Reduction<'b>) -> Pairs<'b> {
        Pairs {
            normal: self.normal,
            reduction,
            state: self.state,
            params: self.params,
            chooser: PairChooser::new(reduction),
            chosen: reduction.complete(1),
        }
    }
}

/// All features, in classes, and the size of the LP over them.
struct AllFeatures {
    classes: Classes,
    size: Size,
}

/// Features on pairs of variables, chosen on demand. The first round has all features of
/// size 1.
struct Pairs<'a> {
    normal: &'a Arc<NormalForm>,
    reduction: &'a Reduction<'a>,
    state: &'a [Value],
    params: &'a Params,
    chooser: PairChooser<'a>,
    chosen: PairSet,
}

impl<'a> FeatureSource<'a> for Pairs<'a> {
    /// How often each operator is used.
    type Dual = Vec<(OperatorId, f64)>;

    const MAX_IDLE: usize = 4;
    const MUST_RAISE_BOUND: bool = true;

    fn first(&mut self, limits: &Limits) -> Result<Option<FeatureLp<'a>>, Error> {
        self.same(limits).map(Some)
    }

    fn larger(
        &mut self,
        counts: &Self::Dual,
        _: Size,
        added: u64,
        limits: &Limits,
    ) -> Result<Option<FeatureLp<'a>>, Error> {
        let is_larger = self.chooser.extend(&mut self.chosen, counts, self.state, added);
        is_larger.then(|| self.same(limits)).transpose()
    }

    fn same(&self, limits: &Limits) -> Result<FeatureLp<'a>, Error> {
        let classes = self.reduction.classes(self.chosen.clone());
        let size = self.reduction.size(&classes, self.max_nonzeros(limits));
        let size = size.ok_or(Stop::MemoryLimit)?;
        let extent = self.reduction.extent(&self.chosen);
        Ok(FeatureLp::reduced(self.normal, self.reduction, classes, size, extent))
    }

    fn dual(&self, optimizer: &Optimizer<'_>) -> Self::Dual {
        optimizer.counts()
    }

    fn max_nonzeros(&self, limits: &Limits) -> u64 {
        max_nonzeros(self.params, limits)
    }
}

/// The function over all features, unless after rounding it is below the one over
/// fewer features.
pub(crate) fn better(all: Optimum, fewer: Option<(Certified, Report)>, state: &[Value]) -> Optimum {
    match (all, fewer) {
        (Optimum::Function(all, report), Some((fewer, _))) if fewer.is_higher(&all, state) => {
            let gap = (report.objective - fewer.exact(state).to_f64()).max(0.0);
            let optimality = Optimality::Within(gap);
            Optimum::Function(fewer, Report { optimality, ..report })
        }
        (all, _) => all,
    }
}

/// The size of the reduced LP over all features of size up to 1 or 2; `None` if it has more
/// than `max_nonzeros`.
pub fn predict_complete(
    normal: &NormalForm,
    dimension: usize,
    state: &[Value],
    max_nonzeros: u64,
    limits: &Limits,
) -> Result<Option<Size>, Stop> {
    let reduction = Reduction::new(normal, dimension, state, limits)?;
    if dimension > 1 {
        limits.reserve(reduction.bytes_for_all())?;
    }
    let classes = reduction.classes(reduction.complete(dimension));
    Ok(reduction.size(&classes, max_nonzeros))
}
