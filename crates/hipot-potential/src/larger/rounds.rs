//! The rounds: an LP, its function, and the sets of variables that come next.

use std::time::{Duration, Instant};

use hipot_task::{Limits, Stop, Task, Value};

use super::choose::Chooser;
use super::relaxed_plan::{Use, relaxed_plan};
use super::{in_time, most};
use crate::feature::Features;
use crate::formulation::OverFeatures;
use crate::function::PotentialFunction;
use crate::ladder::{Aim, Climbed, Demand, Ladder};
use crate::model::Size;
use crate::on_demand::growth;
use crate::optimize::{Error, Optimized, Params, Report};

/// Rounds in a row that may fail to raise the LP's optimum.
const MOST_IDLE: usize = 2;

/// Of the size allowed, the first LP leaves this share to the sets that follow.
const SHARE_OF_LARGER: u64 = 2;

/// An LP is at most twice as large as the last, or larger by so many nonzeros: with
/// larger features the time grows faster than the size.
const LEAST_ADDED: u64 = 50_000;

/// The rounds for one task and state.
pub(super) struct Rounds<'a> {
    task: &'a Task,
    chooser: Chooser<'a>,
    state: &'a [Value],
    params: &'a Params,
    /// The best function so far, at first a two-dimensional one.
    function: PotentialFunction,
    report: Report,
    last: Option<Round>,
    /// The highest optimum (none is negative), and how many rounds have not raised
    /// it.
    optimum: f64,
    idle: usize,
}

/// What is left of a round.
struct Round {
    uses: Vec<Use>,
    features: Features,
    size: Size,
    time: Duration,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(
        task: &'a Task,
        chooser: Chooser<'a>,
        state: &'a [Value],
        params: &'a Params,
        function: PotentialFunction,
        report: Report,
    ) -> Self {
        let (last, optimum, idle) = (None, 0.0, 0);
        Self { task, chooser, state, params, function, report, last, optimum, idle }
    }

    /// As many rounds as time and memory allow, and the best function.
    pub(super) fn go_on(mut self, limits: &Limits) -> Result<Optimized, Error> {
        match self.rounds(limits) {
            Ok(Some(unsolvable)) => return Ok(unsolvable),
            Ok(None) => {}
            Err(Error::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted.into()),
            Err(error) => tracing::debug!("the last round: {error}"),
        }
        Ok(Optimized::Function(self.function, self.report))
    }

    /// The rounds; a proof that there is no plan is returned.
    fn rounds(&mut self, limits: &Limits) -> Result<Option<Optimized>, Error> {
        while let Some((features, size)) = self.next_features(limits)? {
            let unsolvable = self.round(features, size, limits, Demand::Most)?;
            if unsolvable.is_some() {
                return Ok(unsolvable);
            }
        }
        match self.last.take() {
            // The last LP once more, for all that it can give.
            Some(last) if self.is_rough() => {
                self.round(last.features, last.size, limits, Demand::Best)
            }
            _ => Ok(None),
        }
    }

    /// Whether the bound may be higher with more digits of the optimum.
    fn is_rough(&self) -> bool {
        let least = self.optimum - 2e-5 * (1.0 + self.optimum.abs());
        least > self.function.bound(self.state) as f64 + 1e-3
    }

    /// The features of the next round, if there should be one.
    fn next_features(&mut self, limits: &Limits) -> Result<Option<(Features, Size)>, Stop> {
        let most = most(self.params, limits);
        let Some(last) = &mut self.last else {
            let most = most.min(in_time(limits)) / SHARE_OF_LARGER;
            return self.chooser.begin(&self.function, most, limits);
        };
        if self.idle >= MOST_IDLE {
            return Ok(None);
        }
        let Some(added) = growth(last.size, last.time, most, limits) else { return Ok(None) };
        let added = added.min(last.size.nonzeros.max(LEAST_ADDED));
        let uses = std::mem::take(&mut last.uses);
        self.chooser.extend(uses, self.state, last.size, (added, most), limits)
    }

    fn round(
        &mut self,
        features: Features,
        size: Size,
        limits: &Limits,
        demand: Demand,
    ) -> Result<Option<Optimized>, Error> {
        let begin = Instant::now();
        let Self { task, state, params, .. } = *self;
        let exclusions = self.chooser.exclusions().clone();
        let formulation = OverFeatures::new(task, &features, exclusions, state)?;
        let ladder = Ladder::new(task, &formulation, Aim::State(state), params, limits, size);
        let certified = Some(self.function.bound(state));
        let Climbed { optimized, duals, .. } =
            ladder.with_demand(demand).with_certified(certified).climb()?;
        let (function, mut report) = match optimized {
            Optimized::Function(function, report) => (function, report),
            unsolvable @ Optimized::Unsolvable(..) => return Ok(Some(unsolvable)),
        };
        report.extent = self.chooser.extent();
        let (chooser, time) = (&self.chooser, begin.elapsed());
        let uses = relaxed_plan(task, chooser.facts(), chooser.exclusions(), &formulation, &duals);
        self.keep_better(function, report, time);
        drop(formulation);
        self.last = Some(Round { uses, features, size, time });
        Ok(None)
    }

    /// Takes note of what a round gave.
    fn keep_better(&mut self, function: PotentialFunction, report: Report, time: Duration) {
        tracing::debug!(
            "{}, {} nonzeros, LP {:.6}: {:.3}s",
            report.extent,
            report.size.nonzeros,
            report.objective,
            time.as_secs_f64()
        );
        let is_raised = report.objective > self.optimum + 1e-4 * (1.0 + self.optimum.abs());
        self.idle = if is_raised || self.last.is_none() { 0 } else { self.idle + 1 };
        self.optimum = self.optimum.max(report.objective);
        if function.is_higher(&self.function, self.state) {
            (self.function, self.report) = (function, report);
        }
    }
}
