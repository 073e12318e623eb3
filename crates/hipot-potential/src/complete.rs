//! All features of size up to 1 or 2, by the reduced LP, or as many of them as memory allows.
//!
//! In dimension 2 the goal is the LP over all pairs of variables. Dimension 1 comes first: it
//! takes little time, and whatever happens then, its function is there. Before a large LP,
//! [rounds](crate::rounds) over chosen pairs get a share of the time: few pairs often give most
//! of the bound. The engine has certified functions from early on, so the LP over all pairs then
//! gets all the time that is left. It is not begun if the engine's first iterations would take
//! most of that time, or if it does not fit into memory or into the budget: then there are
//! nothing but rounds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_lp::Size;
use hipot_task::{Limits, OperatorId, Stop, Value};

use crate::certify::Certified;
use crate::cost::{allowance, nonzeros_over_pairs};
use crate::feature_set::FeatureLp;
use crate::normal_form::NormalForm;
use crate::optimizer::{Demand, Optimizer};
use crate::pairs::{Classes, PairChooser, PairSet, Reduction};
use crate::params::{Completeness, Params};
use crate::report::{Error, Extent, Optimality, Optimum, Report, Shortfall};
use crate::rounds::{FeatureSource, Rounds, Until};

/// The function of dimension 1 comes first if there are more pairs of an operator and a fact.
const QUICK_PAIRS: usize = 50_000;

/// Rounds come before LPs with more nonzeros.
const LARGE_NONZEROS: u64 = 200_000;

/// For each alternative of a maximum, the time to write the LP and for the engine's first
/// iterations. Few LPs have a certified function that is any good before.
const NANOSECONDS_TO_START: u64 = 1_500;

/// For each alternative of a maximum, the time in which the engine solves most LPs.
const NANOSECONDS_TO_SOLVE: u64 = 5_000;

/// The maximum share of a limited time that the rounds before an LP get: if the LP will
/// probably be solved in time, and otherwise.
const SHARES_ON_DEMAND: (f64, f64) = (0.15, 0.25);

/// They get at most one second per this many nonzeros of that LP.
const NONZEROS_PER_SECOND_ON_DEMAND: f64 = 1_000_000.0;

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
        let max = nonzeros_over_pairs(self.params, self.limits);
        let size = reduction.size(&classes, max, self.limits)?;
        let all = AllFeatures { classes, size: size.ok_or(Stop::MemoryLimit)? };
        self.solve(&reduction, all, None)
    }

    /// The best function over all features of size up to 2, or as many as time allows.
    pub(crate) fn two_dimensional(&self) -> Result<Optimum, Error> {
        let Self { normal, state, params, limits } = *self;
        let reduction = Reduction::new(normal, 2, state, limits)?;
        let mut rounds = Rounds::new(normal, state, params, self.pairs(&reduction), None);
        let is_required = params.completeness == Completeness::Required;
        let is_quick = normal.task().operators().len() * normal.facts().len() <= QUICK_PAIRS;
        if !is_required
            && !is_quick
            && let Some(found) = rounds.begin(limits)?
        {
            return Ok(found);
        }
        let reach = self.reach(&reduction);
        let all = match reach {
            Reach::TooLarge if !is_required => Err(Shortfall::Time),
            _ => self.all_pairs(&reduction),
        };
        let shortfall = match all {
            Ok(all) => match self.at_once(&reduction, all, reach, &mut rounds) {
                Ok(found) => return Ok(better(found, rounds.into_best(), state)),
                Err(error @ (Error::TooWide(_) | Error::Solver(_))) if is_required => {
                    return Err(error);
                }
                Err(error) => error.shortfall(),
            },
            Err(shortfall) => shortfall,
        };
        tracing::debug!("cannot use all pairs of variables: {shortfall}");
        if is_required {
            return Err(Error::Incomplete(shortfall));
        }
        let until = if shortfall == Shortfall::Time { Until::Stopped } else { Until::Idle };
        if let Some(found) = rounds.resume(limits, until)? {
            return Ok(found);
        }
        let (function, report) = rounds.into_best().ok_or(Stop::TimeLimit)?;
        Ok(Optimum::Function(function, Report { shortfall: Some(shortfall), ..report }))
    }

    /// Solves the LP over all features, after some rounds if it is large. The function of the
    /// rounds may be better.
    fn at_once<'b>(
        &self,
        reduction: &Reduction<'_>,
        all: AllFeatures,
        reach: Reach,
        rounds: &mut Rounds<'b, Pairs<'b>>,
    ) -> Result<Optimum, Error> {
        if let Some(limits) = self.limits_before(&all, reach)
            && let Ok(Some(found)) = rounds.resume(&limits, Until::Idle)
        {
            return Ok(found);
        }
        self.solve(reduction, all, rounds.certified())
    }

    /// The limits of the rounds before the LP over all pairs; `None` if that LP is not large, or
    /// if no other result is wanted.
    fn limits_before(&self, all: &AllFeatures, reach: Reach) -> Option<Limits> {
        let nonzeros = all.size.nonzeros;
        if self.params.completeness != Completeness::Optional || nonzeros <= LARGE_NONZEROS {
            return None;
        }
        let longest = Duration::from_secs_f64(nonzeros as f64 / NONZEROS_PER_SECOND_ON_DEMAND);
        let (left, shares) = (self.limits.time_left(), SHARES_ON_DEMAND);
        let time = match (left, reach) {
            (Some(left), Reach::Solved) => left.mul_f64(shares.0).min(longest),
            (Some(left), _) => left.mul_f64(shares.1),
            (None, _) => longest,
        };
        Some(self.limits.with_earlier_deadline(Instant::now() + time))
    }

    /// How far the engine will probably get with the LP over all pairs in the remaining time.
    fn reach(&self, reduction: &Reduction<'_>) -> Reach {
        let Some(left) = self.limits.time_left() else { return Reach::Solved };
        let alternatives = reduction.alternatives();
        let fits = |nanoseconds: u64| {
            Duration::from_nanos(alternatives.saturating_mul(nanoseconds)) < left.mul_f64(0.5)
        };
        match () {
            () if fits(NANOSECONDS_TO_SOLVE) => Reach::Solved,
            () if fits(NANOSECONDS_TO_START) => Reach::Begun,
            () => Reach::TooLarge,
        }
    }

    /// All features of size up to 2 and the size of their LP, if it fits into the budget and
    /// memory; otherwise why not.
    fn all_pairs(&self, reduction: &Reduction<'_>) -> Result<AllFeatures, Shortfall> {
        if self.limits.reserve(reduction.bytes_for_all()).is_err() {
            tracing::debug!("the pairs of facts do not fit into memory");
            return Err(Shortfall::Memory);
        }
        let in_memory = nonzeros_over_pairs(self.params, self.limits);
        let (max, shortfall) = allowance(self.params, in_memory, u64::MAX);
        self.limits.check().map_err(|stop| Error::from(stop).shortfall())?;
        let classes = reduction.classes(reduction.complete(2));
        let size = reduction.size(&classes, max, self.limits);
        let Some(size) = size.map_err(|stop| Error::from(stop).shortfall())? else {
            tracing::debug!("the LP over all pairs has more than {max} nonzeros");
            return Err(shortfall);
        };
        let Size { rows, columns, nonzeros } = size;
        tracing::debug!("reduced LP: {rows} rows, {columns} columns, {nonzeros} nonzeros");
        Ok(AllFeatures { classes, size })
    }

    /// Solves the LP over all features; `certified` is a bound that is already known. (The last
    /// point of the rounds was tried as a start: it has far fewer features, and from there the
    /// engine took longer than from 0.)
    fn solve(
        &self,
        reduction: &Reduction<'_>,
        all: AllFeatures,
        certified: Option<u64>,
    ) -> Result<Optimum, Error> {
        let Self { normal, state, params, limits } = *self;
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

/// How far an LP will get in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// It will probably be solved.
    Solved,
    /// It will have a certified function.
    Begun,
    /// It will hardly begin.
    TooLarge,
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
        let is_larger = self.chooser.extend(&mut self.chosen, counts, self.state, added, limits)?;
        is_larger.then(|| self.same(limits)).transpose()
    }

    fn same(&self, limits: &Limits) -> Result<FeatureLp<'a>, Error> {
        let classes = self.reduction.classes(self.chosen.clone());
        let size = self.reduction.size(&classes, self.max_nonzeros(limits), limits)?;
        let size = size.ok_or(Stop::MemoryLimit)?;
        let extent = self.reduction.extent(&self.chosen);
        Ok(FeatureLp::reduced(self.normal, self.reduction, classes, size, extent))
    }

    fn dual(&self, optimizer: &Optimizer<'_>) -> Self::Dual {
        optimizer.counts()
    }

    fn max_nonzeros(&self, limits: &Limits) -> u64 {
        allowance(self.params, nonzeros_over_pairs(self.params, limits), u64::MAX).0
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
    reduction.size(&classes, max_nonzeros, limits)
}
