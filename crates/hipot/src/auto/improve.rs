//! Better potentials, for states that a search has expanded.

use hipot_potential::Extent;
use hipot_potential::cost::Speed;
use hipot_task::{Limits, Task, Value};

use crate::average::{SampleObjective, maximize_average};
use crate::compute::compute_in;
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::settings::{Completeness, Precision, Settings};
use crate::spec::{FeatureChoice, Spec};

/// The shares of the remaining time for more features and for another objective.
const SHARE_FOR_FEATURES: f64 = 0.5;
const SHARE_FOR_OBJECTIVE: f64 = 0.25;

/// For another objective, other pairs of variables may matter: the LP may grow by this many
/// nonzeros, if there is time for them.
const EXTRA_NONZEROS: u64 = 1_000_000;

/// Logs a decision of the schedule, and the time that is left.
pub(super) fn log(decision: &str, limits: &Limits) {
    match limits.time_left() {
        Some(left) => tracing::info!("auto: {decision}; {:.0} s left", left.as_secs_f64()),
        None => tracing::info!("auto: {decision}; no time limit"),
    }
}

/// Settings in which an LP gets at most this share of the remaining time.
pub(super) fn with_share(settings: &Settings, share: f64, limits: &Limits) -> Settings {
    let share = limits.time_left().map(|left| left.mul_f64(share));
    let lp_time_limit = match (settings.lp_time_limit, share) {
        (Some(given), Some(share)) => Some(given.min(share)),
        (given, share) => given.or(share),
    };
    let (completeness, precision) = (Completeness::Optional, Precision::Bound);
    Settings { lp_time_limit, completeness, precision, ..settings.clone() }
}

/// Improves potentials in states that a search with them has expanded.
pub(super) struct Improver<'a> {
    pub(super) task: &'a Task,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a Limits,
    /// A sample of the states expanded.
    pub(super) states: Vec<Vec<Value>>,
}

impl Improver<'_> {
    /// A potential over more features, if its bound is higher or its average over the
    /// states.
    pub(super) fn with_more_features(
        &self,
        first: &Potential,
    ) -> Result<Option<Potential>, Failure> {
        let has_pairs = first.spec.features == FeatureChoice::Dimension(2);
        if has_pairs && first.report.extent == Extent::Complete {
            return Ok(None);
        }
        let settings = with_share(self.settings, SHARE_FOR_FEATURES, self.limits);
        let Spec::Potential(spec) = Spec::strongest(self.task, settings.lp_time_limit) else {
            return Ok(None);
        };
        log(&format!("{spec} next"), self.limits);
        let normal = first.normal_form();
        let computed = compute_in(self.task, normal, &spec, &settings, self.limits)?;
        let Computed::Potential(more) = computed else { return Ok(None) };
        let key = |it: &Potential| (it.bound().unwrap_or(u64::MAX), self.average(it));
        Ok((key(&more) > key(first)).then_some(*more))
    }

    /// A potential with the same bound and a higher average over the states, if one is
    /// found.
    pub(super) fn with_higher_average(
        &self,
        potential: &Potential,
    ) -> Result<Option<Potential>, Failure> {
        if potential.proves_unsolvable {
            return Ok(None);
        }
        log("another objective", self.limits);
        let found = self.best_on_average(potential, true)?;
        Ok(found.filter(|found| self.average(found) > self.average(potential)))
    }

    /// The potential with the highest average over the states: among all, or among those
    /// that keep the initial state's bound.
    pub(super) fn best_on_average(
        &self,
        potential: &Potential,
        keeps_initial: bool,
    ) -> Result<Option<Potential>, Failure> {
        let limits = self.limits.with_share(SHARE_FOR_OBJECTIVE);
        let (states, extra_nonzeros) = (self.states.clone(), extra_nonzeros(&limits));
        let objective = SampleObjective { states, keeps_initial, extra_nonzeros };
        maximize_average(self.task, potential, objective, self.settings, &limits)
    }

    /// The average of a potential over the states.
    fn average(&self, potential: &Potential) -> f64 {
        let sum: f64 = self.states.iter().map(|it| potential.function.bound(it) as f64).sum();
        sum / self.states.len().max(1) as f64
    }
}

/// By how many nonzeros the LP for another objective may grow.
fn extra_nonzeros(limits: &Limits) -> u64 {
    Speed::CAREFUL.nonzeros_within(limits).min(EXTRA_NONZEROS)
}
