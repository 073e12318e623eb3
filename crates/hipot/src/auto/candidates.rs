//! Candidates for a better heuristic, their turns, and how they are judged.
//!
//! *Out of a plateau.* If the bound is h*, A* has to look only at states with f = h*, but these
//! can be too many: an estimate that is too low by one puts a state among them, with all of its
//! successors. Tasks such as miconic's have a perfect bound and millions of such states. No order
//! among them helps, because the estimates themselves are too low. But such states are easy to
//! find: they are the ones that were expanded. The function with the highest average over a sample
//! of them, whatever it says about the initial state, is higher in nearly all of them, and the
//! maximum with it closes that way into the plateau. If the search is stuck again, in other states,
//! the same is done again.
//!
//! *Another objective.* If the search has come beyond the bound, one function is enough if it may
//! be: among those whose bound in the initial state is no lower, the one with the highest average
//! over the sample. It may have features on further pairs of variables, which do nothing for the
//! initial state but something for others. It replaces the first one: a maximum of both evaluates
//! half as many states a second.
//!
//! *More features* take longer, so they come second: an LP with four times the nonzeros, and
//! again, until it has all pairs or takes most of its share of the time, or until two in a row are 0
//! in all states. A function with a higher bound, or with the same and a higher average, replaces the
//! first one. (Grid prob03 has a bound of 31
//! with up to 400,000 nonzeros, and of 38 with 440,000, after 1.6 s.)

use std::time::Instant;

use hipot_potential::Extent;
use hipot_potential::cost::Speed;
use hipot_task::{Limits, Task, Value};

use super::running::Running;
use crate::average::{SampleObjective, maximize_average};
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::potential::compute_in;
use crate::settings::{Completeness, Precision, Settings};
use crate::spec::{FeatureChoice, PotentialSpec};

/// The shares of the remaining time for more features and for another objective.
const SHARE_FOR_FEATURES: f64 = 0.3;
const SHARE_FOR_OBJECTIVE: f64 = 0.2;

/// An LP over more features has this many times the nonzeros of the last one, within bounds.
const FEATURES_GROWTH: u64 = 4;
const MIN_NONZEROS: u64 = 400_000;
const MAX_NONZEROS: u64 = 1 << 25;

/// For another objective, other pairs of variables may matter: the LP may grow by this many
/// nonzeros, if there is time for them.
const EXTRA_NONZEROS: u64 = 1_000_000;

/// The largest number of functions whose maximum is taken.
const MAX_FUNCTIONS: usize = 8;

/// Another function for a plateau is worth its time if it is higher in more than this share of the
/// states.
const MIN_SHARE_HIGHER: f64 = 0.2;

/// A function matters to a search that is blind so far if its average is at least this share of the
/// layer reached. (Ricochet-robots p04: an LP of four seconds gives a bound of one; without
/// it, blind search comes to layer 16 instead of 14 in 15 seconds.)
const MIN_SHARE_OF_LAYER: f64 = 0.125;

/// After another objective, the search sees this many times the states before the next one.
const AVERAGE_GROWTH: u64 = 4;

/// After a candidate that was rejected, the search sees this many times the states.
const REJECTED_GROWTH: u64 = 2;

/// Something that may give a better heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// The function with the highest average over the states expanded, to be added.
    Plateau,
    /// The same among functions that keep the initial state's bound.
    Average,
    /// The best function in the initial state over more features, with so many nonzeros.
    Features(u64),
}

/// What becomes of a candidate.
pub(super) enum Verdict {
    Rejected,
    /// It is added to the maximum.
    Added(Box<Potential>),
    /// It replaces the first function.
    Replaced(Box<Potential>),
    /// It proves that there is no plan.
    Unsolvable(Box<Potential>),
}

/// A verdict, and whether another candidate of the same kind is not worth its time.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) is_last: bool,
}

impl Judged {
    /// A verdict on a function; a rejected one is the last of its kind.
    fn new(verdict: Option<Verdict>) -> Self {
        let is_last = verdict.is_none();
        Self { verdict: verdict.unwrap_or(Verdict::Rejected), is_last }
    }

    /// The last one of its kind, rejected.
    pub(super) fn rejected() -> Self {
        Self::new(None)
    }
}

/// Kinds of candidates that have nothing more to give.
#[derive(Default)]
struct Over {
    plateau: bool,
    average: bool,
    features: bool,
}

/// Whose turn it is.
pub(super) struct Turns {
    /// The number of states that the search evaluates in its next turn.
    step: u64,
    /// The number of nonzeros of the last LP for the initial state.
    nonzeros: u64,
    /// Which kinds of candidates are not tried again, unless more features change everything.
    over: Over,
    /// Whether the function for the initial state is new: then other states come next.
    is_new: bool,
}

impl Turns {
    /// The turns after an LP with at most so many nonzeros; the search evaluates `first` states in
    /// its first one.
    pub(super) fn new(first: u64, nonzeros: u64) -> Self {
        Self { step: first, nonzeros, over: Over::default(), is_new: true }
    }

    /// The number of states evaluated in all at which the turn of the search ends.
    pub(super) fn budget(&self, running: &Running<'_>) -> u64 {
        let is_over = self.over.plateau && self.over.average && self.over.features
            || running.functions().is_empty();
        let so_far = running.evaluated();
        if is_over { u64::MAX } else { so_far.saturating_add(self.step) }
    }

    /// The next candidate; `None` if the search goes on.
    pub(super) fn next(&mut self, running: &Running<'_>) -> Option<Candidate> {
        self.over.features |= has_all_pairs(&running.functions()[0]);
        let nonzeros = self.nonzeros.saturating_mul(FEATURES_GROWTH).max(MIN_NONZEROS);
        let features = Candidate::Features(nonzeros);
        self.over.plateau |= running.functions().len() >= MAX_FUNCTIONS;
        let is_single = running.functions().len() == 1;
        let (own, is_own_over) = if running.is_stuck() {
            (Candidate::Plateau, self.over.plateau)
        } else {
            (Candidate::Average, self.over.average || !is_single)
        };
        let next = match (is_own_over, self.over.features) {
            (false, false) => Some(if self.is_new { own } else { features }),
            (false, true) => Some(own),
            (true, false) => Some(features),
            (true, true) => None,
        };
        if next.is_none() {
            self.step = self.step.saturating_mul(REJECTED_GROWTH);
        }
        next
    }

    /// Notes what became of a candidate.
    pub(super) fn note(&mut self, candidate: Candidate, judged: &Judged) {
        let is_rejected = matches!(judged.verdict, Verdict::Rejected);
        self.is_new = matches!(candidate, Candidate::Features(_)) && !is_rejected;
        match candidate {
            Candidate::Plateau => self.over.plateau |= judged.is_last,
            Candidate::Average => self.over.average |= judged.is_last,
            Candidate::Features(nonzeros) => {
                self.nonzeros = nonzeros;
                self.over.features = judged.is_last || nonzeros >= MAX_NONZEROS;
                self.over.plateau &= is_rejected;
                self.over.average &= is_rejected;
            }
        }
        let growth = match candidate {
            _ if is_rejected => REJECTED_GROWTH,
            Candidate::Average => AVERAGE_GROWTH,
            Candidate::Plateau | Candidate::Features(_) => 1,
        };
        self.step = self.step.saturating_mul(growth);
    }
}

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

/// Computes candidates, for states that a search has expanded.
pub(super) struct Improver<'a> {
    pub(super) task: &'a Task,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a Limits,
    /// The functions of the search, the first one with the highest bound.
    pub(super) functions: Vec<Potential>,
    /// Some of the states that it has expanded.
    pub(super) states: Vec<Vec<Value>>,
    /// The f layer that it has reached.
    pub(super) layer: u64,
}

impl Improver<'_> {
    /// Computes a candidate and judges it.
    pub(super) fn judge(&self, candidate: Candidate) -> Result<Judged, Failure> {
        match candidate {
            Candidate::Plateau => self.judge_plateau(),
            Candidate::Average => self.judge_average(),
            Candidate::Features(nonzeros) => self.judge_features(nonzeros),
        }
    }

    fn first(&self) -> &Potential {
        &self.functions[0]
    }

    fn judge_plateau(&self) -> Result<Judged, Failure> {
        log("another function for the states expanded", self.limits);
        let other = self.best_on_average(false)?.filter(|other| self.is_often_higher(other));
        Ok(Judged::new(other.map(|it| Verdict::Added(Box::new(it)))))
    }

    fn judge_average(&self) -> Result<Judged, Failure> {
        log("another objective", self.limits);
        let Some(better) = self.best_on_average(true)? else { return Ok(Judged::rejected()) };
        let is_better = self.is_better(&better);
        Ok(Judged::new(is_better.then(|| Verdict::Replaced(Box::new(better)))))
    }

    fn judge_features(&self, nonzeros: u64) -> Result<Judged, Failure> {
        let settings = with_share(self.settings, SHARE_FOR_FEATURES, self.limits);
        let spec = PotentialSpec::strong(Some(nonzeros));
        log(&format!("{spec} next"), self.limits);
        let normal = self.first().normal_form();
        let begin = Instant::now();
        let computed = compute_in(self.task, normal, &spec, &settings, self.limits)?;
        let Computed::Potential(more) = computed else { return Ok(Judged::rejected()) };
        // The next LP will take several times as long.
        let is_slow = settings.lp_time_limit.is_some_and(|share| 2 * begin.elapsed() > share);
        let is_last = is_slow || has_all_pairs(&more);
        let Some(bound) = more.bound() else {
            return Ok(Judged { verdict: Verdict::Unsolvable(more), is_last });
        };
        tracing::info!("auto: bound {bound} with more features, {} before", self.bound());
        let says_nothing = bound == 0 && self.average(&more) == 0.0;
        let is_last = is_last || says_nothing && self.is_blind();
        let verdict =
            if self.is_better(&more) { Verdict::Replaced(more) } else { Verdict::Rejected };
        Ok(Judged { verdict, is_last })
    }

    /// The first function's bound.
    fn bound(&self) -> u64 {
        self.first().bound().unwrap_or(0)
    }

    /// Whether the first function is 0 in all states.
    fn is_blind(&self) -> bool {
        self.bound() == 0 && self.average(self.first()) == 0.0
    }

    /// Whether another function should replace the first one: its bound is higher, or the same
    /// with a higher average. A blind search is faster than any other, so it ends only for a
    /// function that matters.
    fn is_better(&self, other: &Potential) -> bool {
        let [found, known] = [other, self.first()].map(|it| self.average(it));
        tracing::info!("auto: {found:.2} on average over the states expanded, {known:.2} before");
        let bound = other.bound().unwrap_or(0);
        let matters = bound > self.layer || found >= self.layer as f64 * MIN_SHARE_OF_LAYER;
        (bound, found) > (self.bound(), known) && (matters || !self.is_blind())
    }

    /// The potential with the highest average over the states: among all, or among those
    /// that keep the initial state's bound.
    fn best_on_average(&self, keeps_initial: bool) -> Result<Option<Potential>, Failure> {
        let limits = self.limits.with_share(SHARE_FOR_OBJECTIVE);
        let states = self.states.clone();
        // One significant bit: a little more or less time left does not change an LP.
        let in_time = Speed::CAREFUL.nonzeros_within(&limits).checked_ilog2();
        let extra_nonzeros = in_time.map_or(0, |bits| 1 << bits).min(EXTRA_NONZEROS);
        let objective = SampleObjective { states, keeps_initial, extra_nonzeros };
        maximize_average(self.task, self.first(), objective, self.settings, &limits)
    }

    /// The average of a potential over the states.
    fn average(&self, potential: &Potential) -> f64 {
        let Self { states, .. } = self;
        let sum: f64 = states.iter().map(|it| potential.function.bound(it) as f64).sum();
        sum / states.len().max(1) as f64
    }

    /// Whether `other` is higher than all functions in enough of the states.
    fn is_often_higher(&self, other: &Potential) -> bool {
        let Self { functions, states, .. } = self;
        let bound = |state: &[Value]| functions.iter().map(|it| it.function.bound(state)).max();
        let is_higher = |state: &&Vec<Value>| Some(other.function.bound(state)) > bound(state);
        let (higher, all) = (states.iter().filter(is_higher).count(), states.len());
        tracing::info!("auto: another function is higher in {higher} of {all} states");
        higher as f64 > MIN_SHARE_HIGHER * all as f64
    }
}

/// Whether a potential is over all pairs of facts.
fn has_all_pairs(potential: &Potential) -> bool {
    let has_pairs = potential.spec.features == FeatureChoice::Dimension(2);
    has_pairs && potential.report.extent == Extent::Complete
}
