//! Two-dimensional potentials where the LP over all pairs is too large.
//!
//! The paper names it as the way out: "identify a good subset of features".
//! Rounds begin with all features of size 1. Each one solves the LP over the
//! features so far, certifies its function, and prices the other pairs of
//! variables against the dual solution ([`price`](crate::pairs)); the most
//! promising ones join for the next, larger LP. After each round there is a
//! certified function, so time and memory may end the rounds anywhere, and
//! they can go on later.
//!
//! Whole pairs of variables join, not single pairs of facts: reference values
//! then lose nothing, and symmetries map the features to themselves.

use std::time::{Duration, Instant};

use hipot_task::{Limits, OperatorId, Stop, Task, Value};

use crate::function::PotentialFunction;
use crate::ladder::{Aim, Climbed, Demand, Ladder};
use crate::model::Size;
use crate::optimize::{Error, Optimized, Params, Report, most_nonzeros};
use crate::pairs::{Chooser, OverPairs, Reduction, Scope};

/// The size of the first LP with pairs, at least.
const FIRST_NONZEROS: u64 = 50_000;

/// By how much the LP grows in a round, at most.
const GROWTH: f64 = 3.0;

/// A round that could only grow the LP by less than this is not worth it.
const LEAST_GROWTH: f64 = 1.3;

/// Rounds in a row that may fail to raise the LP's optimum and the bound.
const MOST_IDLE: usize = 4;

/// The rounds for one task and state.
pub(crate) struct OnDemand<'a> {
    task: &'a Task,
    reduction: &'a Reduction,
    state: &'a [Value],
    params: &'a Params,
    chooser: Chooser<'a>,
    /// The features of the next round.
    scope: Scope,
    best: Option<(PotentialFunction, Report)>,
    last: Option<Round>,
    /// The highest optimum, and how many rounds have not raised it or the bound.
    optimum: f64,
    idle: usize,
}

/// What is left of a round.
struct Round {
    /// How often operators are used in the dual solution.
    counts: Vec<(OperatorId, f64)>,
    size: Size,
    time: Duration,
}

impl<'a> OnDemand<'a> {
    pub(crate) fn new(
        task: &'a Task,
        reduction: &'a Reduction,
        state: &'a [Value],
        params: &'a Params,
    ) -> Self {
        Self {
            task,
            reduction,
            state,
            params,
            chooser: Chooser::new(task, reduction),
            scope: reduction.complete(1),
            best: None,
            last: None,
            optimum: f64::NEG_INFINITY,
            idle: 0,
        }
    }

    /// What is certified so far.
    pub(crate) fn certified(&self) -> Option<u64> {
        self.best.as_ref().map(|(best, _)| best.bound(self.state))
    }

    /// The best function so far.
    pub(crate) fn into_best(self) -> Option<(PotentialFunction, Report)> {
        self.best
    }

    /// As many rounds as time and memory allow. `Ok` if a function is there,
    /// whatever ended the rounds; a proof that there is no plan is returned.
    pub(crate) fn go_on(&mut self, limits: &Limits) -> Result<Option<Optimized>, Error> {
        let mut demand = Demand::Most;
        loop {
            if !self.extend(limits) {
                // The last LP once more, for all that it can give.
                if demand == Demand::Best || !self.is_rough() {
                    return Ok(None);
                }
                demand = Demand::Best;
            }
            match self.round(limits, demand) {
                Ok(unsolvable @ Some(_)) => return Ok(unsolvable),
                Ok(None) => {}
                Err(Error::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted.into()),
                Err(error) if self.best.is_some() => {
                    tracing::debug!("the last round: {error}");
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the bound may be higher with more digits; of the optimum itself
    /// four or five are known.
    fn is_rough(&self) -> bool {
        let least = self.optimum - 2e-5 * (1.0 + self.optimum.abs());
        least > self.certified().unwrap_or(0) as f64 + 1e-3
    }

    /// Adds features for the next round; whether there should be one.
    fn extend(&mut self, limits: &Limits) -> bool {
        let Some(last) = self.last.take() else { return self.best.is_none() };
        let most = most_nonzeros(self.params, limits);
        let added = growth(last.size, last.time, most, limits);
        if self.idle >= MOST_IDLE {
            return false;
        }
        let extends = added.is_some_and(|nonzeros| {
            self.chooser.extend(&mut self.scope, &last.counts, self.state, nonzeros)
        });
        if !extends {
            // There may be more time later.
            self.last = Some(last);
        }
        extends
    }

    fn round(&mut self, limits: &Limits, demand: Demand) -> Result<Option<Optimized>, Error> {
        let begin = Instant::now();
        let classes = self.reduction.classes(self.scope.clone());
        let size = self.reduction.size(self.task, &classes, most_nonzeros(self.params, limits));
        let size = size.ok_or(Stop::MemoryLimit)?;
        let formulation = OverPairs::new(self.task, self.reduction, classes, size, self.state);
        let ladder =
            Ladder::new(self.task, &formulation, Aim::State(self.state), self.params, limits, size);
        let Climbed { optimized, counts, .. } =
            ladder.with_demand(demand).with_certified(self.certified()).climb()?;
        let (function, mut report) = match optimized {
            Optimized::Function(function, report) => (function, report),
            unsolvable @ Optimized::Unsolvable(..) => return Ok(Some(unsolvable)),
        };
        report.extent = self.reduction.extent(&self.scope);
        let time = begin.elapsed();
        tracing::debug!(
            "{}, {} nonzeros, LP {:.6}: {:.3}s",
            report.extent,
            size.nonzeros,
            report.objective,
            time.as_secs_f64()
        );
        let raised = self.optimum + 1e-4 * (1.0 + self.optimum.abs());
        let is_raised = self.optimum.is_infinite() || report.objective > raised;
        let is_higher = self.best.as_ref().is_none_or(|it| function.is_higher(&it.0, self.state));
        self.idle = if is_raised && is_higher { 0 } else { self.idle + 1 };
        self.optimum = self.optimum.max(report.objective);
        if is_higher {
            self.best = Some((function, report));
        }
        self.last = Some(Round { counts, size, time });
        Ok(None)
    }
}

/// By how many nonzeros the next LP may be larger than one of this size that
/// took this time, if it is worth while: so that it has at most `most`, and fits,
/// if solving takes longer in proportion, into half of the time that is left.
pub(crate) fn growth(size: Size, time: Duration, most: u64, limits: &Limits) -> Option<u64> {
    let now = size.nonzeros.max(1) as f64;
    let in_time = |left: Duration| 0.5 * left.as_secs_f64() / time.as_secs_f64();
    let in_time = limits.time_left().map_or(f64::INFINITY, in_time);
    let in_budget = most as f64 / now;
    let first = FIRST_NONZEROS as f64 / now;
    let growth = first.max(GROWTH).min(in_time).min(in_budget);
    #[expect(clippy::cast_sign_loss, reason = "it is above 1")]
    (growth > LEAST_GROWTH).then_some((now * (growth - 1.0)) as u64)
}
