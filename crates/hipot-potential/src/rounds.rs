//! Features on demand: the rounds.
//!
//! The paper suggests this if the LP over all features is too large: "identify a good subset
//! of features". Each round solves the LP over the features so far, certifies its function,
//! and prices the missing features against the dual solution. The most promising ones are
//! added for the next, larger LP. There is a certified function after each round, so time or
//! memory may end the rounds at any point, and they can be resumed later.
//!
//! A `FeatureSource` provides the features: pairs of variables for dimension 2 (`complete`),
//! larger sets of variables for higher dimensions (`larger`). It adds all features on a set of
//! variables at once, not single conjunctions of facts. So dropping reference values loses
//! nothing, and symmetries map the features to themselves.

use std::time::{Duration, Instant};

use hipot_lp::{Size, VERTEX_NONZEROS};
use hipot_task::{Limits, Value};

use crate::certify::Certified;
use crate::engine::Start;
use crate::feature_set::FeatureLp;
use crate::normal_form::NormalForm;
use crate::optimizer::{Demand, Optimizer};
use crate::params::{Params, Precision};
use crate::report::{Error, Optimality, Optimum, Report};

/// The LP may grow to this size in one round, however small it was.
const FIRST_NONZEROS: u64 = 50_000;

/// The largest factor by which the LP grows in a round.
const MAX_GROWTH: f64 = 3.0;

/// A round in which the LP could only grow by less than this factor is not worth it.
const MIN_GROWTH: f64 = 1.3;

/// The least factor by which the LP grows if a limit is to end the rounds.
const LAST_GROWTH: f64 = 1.5;

/// The relative difference by which a higher optimum counts as progress.
const RAISED: f64 = 1e-4;

/// If a limit is to end the rounds, the last LP is solved precisely after this many rounds
/// without progress: the LP's optimum is then often reached, but not by the function.
const SETTLED: usize = 2;

/// Where the features of the rounds come from.
pub(crate) trait FeatureSource<'a> {
    /// What is kept of a round's dual solution.
    type Dual;

    /// The number of rounds in a row without progress after which the rounds end.
    const MAX_IDLE: usize;

    /// Whether only a round that raises the bound counts as progress, not one that raises
    /// just the LP's optimum.
    const MUST_RAISE_BOUND: bool;

    /// The LP of the first round; `None` if there are to be no rounds.
    fn first(&mut self, limits: &Limits) -> Result<Option<FeatureLp<'a>>, Error>;

    /// An LP that is larger by about `added` nonzeros, given the dual solution of the last one
    /// and its size; `None` if no feature fits.
    fn larger(
        &mut self,
        dual: &Self::Dual,
        size: Size,
        added: u64,
        limits: &Limits,
    ) -> Result<Option<FeatureLp<'a>>, Error>;

    /// The last LP once more.
    fn same(&self, limits: &Limits) -> Result<FeatureLp<'a>, Error>;

    /// What to keep of the dual solution.
    fn dual(&self, optimizer: &Optimizer<'_>) -> Self::Dual;

    /// The maximum number of nonzeros of an LP, regardless of time.
    fn max_nonzeros(&self, limits: &Limits) -> u64;
}

/// The rounds for one state.
pub(crate) struct Rounds<'a, S: FeatureSource<'a>> {
    normal: &'a NormalForm,
    state: &'a [Value],
    params: &'a Params,
    source: S,
    best: Option<(Certified, Report)>,
    phase: Phase<S::Dual>,
    /// The highest optimum of an LP so far.
    optimum: f64,
    /// The number of rounds since the last progress.
    idle: usize,
    /// The size of the last LP.
    last_size: Option<Size>,
    /// Whether the last LP was solved as well as possible.
    is_precise: bool,
    /// The optimum at which an LP was last solved so.
    settled: f64,
    /// Where the next LP begins.
    start: Option<Start>,
}

/// Where the rounds are.
enum Phase<D> {
    /// No round yet.
    Begin,
    /// After a round.
    After(Round<D>),
}

/// When rounds end, if nothing else ends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// After some rounds without progress.
    Idle,
    /// When a limit is reached.
    Stopped,
}

/// What is kept of the last round.
struct Round<D> {
    dual: D,
    size: Size,
    time: Duration,
}

impl<'a, S: FeatureSource<'a>> Rounds<'a, S> {
    /// Rounds that begin with the function `best`, if any.
    pub(crate) fn new(
        normal: &'a NormalForm,
        state: &'a [Value],
        params: &'a Params,
        source: S,
        best: Option<(Certified, Report)>,
    ) -> Self {
        Self {
            normal,
            state,
            params,
            source,
            best,
            phase: Phase::Begin,
            optimum: f64::NEG_INFINITY,
            idle: 0,
            last_size: None,
            is_precise: false,
            settled: f64::NEG_INFINITY,
            start: None,
        }
    }

    /// The bound that is certified so far.
    pub(crate) fn certified(&self) -> Option<u64> {
        self.best.as_ref().map(|(best, _)| best.bound(self.state))
    }

    /// The best function so far.
    pub(crate) fn into_best(self) -> Option<(Certified, Report)> {
        self.best
    }

    /// Runs as many rounds as time and memory allow, from where they stopped. Returns a proof
    /// that there is no plan if one is found. It is an error to have no function at the end;
    /// if there is one, the reason why the rounds ended does not matter.
    pub(crate) fn resume(
        &mut self,
        limits: &Limits,
        until: Until,
    ) -> Result<Option<Optimum>, Error> {
        match self.run(limits, until) {
            Err(error) if self.best.is_some() => {
                tracing::debug!("the rounds end: {error}");
                Ok(None)
            }
            ended => ended,
        }
    }

    /// Runs the first round, unless there was one.
    pub(crate) fn begin(&mut self, limits: &Limits) -> Result<Option<Optimum>, Error> {
        if !matches!(self.phase, Phase::Begin) {
            return Ok(None);
        }
        match self.next(limits, Until::Idle)? {
            Some(lp) => self.round(lp, Demand::NearBest, limits),
            None => Ok(None),
        }
    }

    fn run(&mut self, limits: &Limits, until: Until) -> Result<Option<Optimum>, Error> {
        loop {
            let (lp, demand) = match self.next(limits, until)? {
                Some(lp) => (lp, Demand::NearBest),
                None if self.is_precise || !self.is_rough() && !self.wants_vertex() => {
                    return Ok(None);
                }
                // Solve the last LP once more, with more precision.
                None => (self.source.same(limits)?, Demand::Best),
            };
            let unsolvable = self.round(lp, demand, limits)?;
            if unsolvable.is_some() || demand == Demand::Best && until == Until::Idle {
                return Ok(unsolvable);
            }
        }
    }

    /// Whether more precision may raise the bound. Four or five digits of the optimum itself
    /// are known.
    fn is_rough(&self) -> bool {
        let lowest = self.optimum - 2e-5 * (1.0 + self.optimum.abs());
        lowest > self.certified().unwrap_or(0) as f64 + 1e-3
    }

    /// Whether the last LP is small enough for an exact vertex, and the best function is not
    /// proved to be one.
    fn wants_vertex(&self) -> bool {
        let is_proved = |(_, report): &(_, Report)| report.optimality == Optimality::Proved;
        let is_small = |size: Size| size.nonzeros <= VERTEX_NONZEROS as u64;
        self.params.precision == Precision::Vertex
            && self.last_size.is_some_and(is_small)
            && !self.best.as_ref().is_some_and(is_proved)
    }

    /// The LP of the next round, if there should be one.
    fn next(&mut self, limits: &Limits, until: Until) -> Result<Option<FeatureLp<'a>>, Error> {
        let last = match &self.phase {
            Phase::Begin => return self.source.first(limits),
            Phase::After(last) => last,
        };
        if until == Until::Idle && self.idle >= S::MAX_IDLE {
            return Ok(None);
        }
        let is_settled = self.idle >= SETTLED && self.optimum > self.settled;
        if until == Until::Stopped && is_settled && self.is_rough() {
            return Ok(None);
        }
        // If another LP would not be solved in time, the last one is solved precisely first.
        let may_be_cut = until == Until::Stopped && (self.is_precise || !self.is_rough());
        match growth(last.size, last.time, self.source.max_nonzeros(limits), may_be_cut, limits) {
            Some(added) => self.source.larger(&last.dual, last.size, added, limits),
            // The rounds may be resumed with more time.
            None => Ok(None),
        }
    }

    fn round(
        &mut self,
        lp: FeatureLp<'a>,
        demand: Demand,
        limits: &Limits,
    ) -> Result<Option<Optimum>, Error> {
        let begin = Instant::now();
        let Self { normal, state, params, .. } = *self;
        let (size, extent) = (lp.size, lp.extent);
        let mut optimizer = Optimizer::for_state(normal, lp, state, demand, params, limits)?
            .with_certified(self.certified());
        optimizer.begin_at(self.start.as_ref());
        let (function, report) = match optimizer.best()? {
            Optimum::Function(function, report) => (function, report),
            unsolvable @ Optimum::Unsolvable(..) => return Ok(Some(unsolvable)),
        };
        let (dual, time) = (self.source.dual(&optimizer), begin.elapsed());
        tracing::debug!(
            "{extent}, {} nonzeros: LP {:.6} ({:.3}s)",
            size.nonzeros,
            report.objective,
            time.as_secs_f64()
        );
        self.last_size = Some(size);
        self.phase = Phase::After(Round { dual, size, time });
        (self.start, self.is_precise) = (optimizer.start(), demand == Demand::Best);
        self.keep_better(function, report);
        if self.is_precise {
            self.settled = self.optimum + RAISED * (1.0 + self.optimum.abs());
        }
        Ok(None)
    }

    /// Records the result of a round.
    fn keep_better(&mut self, function: Certified, report: Report) {
        let raised = self.optimum + RAISED * (1.0 + self.optimum.abs());
        let is_raised = self.optimum.is_infinite() || report.objective > raised;
        let is_higher = self.best.as_ref().is_none_or(|it| function.is_higher(&it.0, self.state));
        let is_progress = is_raised && (is_higher || !S::MUST_RAISE_BOUND);
        self.idle = if is_progress { 0 } else { self.idle + 1 };
        self.optimum = self.optimum.max(report.objective);
        let is_lower = |it: &(Certified, Report)| it.0.is_higher(&function, self.state);
        let is_proved = report.optimality == Optimality::Proved;
        if is_higher || is_proved && !self.best.as_ref().is_some_and(is_lower) {
            self.best = Some((function, report));
        }
    }
}

/// The number of nonzeros by which the next LP may be larger than the last, which had this size
/// and took this time; `None` if it is not worth it. The next LP has at most `max` nonzeros. It
/// takes at most half of the remaining time, if time grows in proportion to size, unless it may
/// be cut short.
fn growth(size: Size, time: Duration, max: u64, may_be_cut: bool, limits: &Limits) -> Option<u64> {
    let now = size.nonzeros.max(1) as f64;
    let in_time = |left: Duration| 0.5 * left.as_secs_f64() / time.as_secs_f64();
    let mut in_time = limits.time_left().map_or(f64::INFINITY, in_time);
    if may_be_cut {
        in_time = in_time.max(LAST_GROWTH);
    }
    let in_budget = max as f64 / now;
    let first = FIRST_NONZEROS as f64 / now;
    let growth = first.max(MAX_GROWTH).min(in_time).min(in_budget);
    #[expect(clippy::cast_sign_loss, reason = "it is above 1")]
    (growth > MIN_GROWTH).then_some((now * (growth - 1.0)) as u64)
}
