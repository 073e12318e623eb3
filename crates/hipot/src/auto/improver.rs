//! Computes candidates for a better heuristic and judges them, in the states that a search has
//! expanded.
//!
//! A function that replaces another has a higher bound in the initial state, or the same and a higher
//! average. A function that is added to a maximum costs time in every state that the search
//! evaluates from then on, so it has to be higher than all others in a good part of the states.
//! Several functions are chosen one after the other, each for the states in which none is higher yet.
//!
//! Where the search has abstractions, their values count as well: a function matters where it is
//! higher than these.

use std::slice;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_potential::cost::Speed;
use hipot_task::{Limits, Task, Value};

use super::abstractions::{Abstractions, Pace, spec};
use super::average::{cheap_step, mean, says_little};
use super::candidates::{Candidate, Judged, Verdict, has_all_pairs};
use super::log::{log, with_share};
use crate::average::{SampleObjective, functions_for_facts, maximize_average};
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::potential::compute_in;
use crate::saturated::{Basis, compute_saturated_from};
use crate::settings::Settings;
use crate::spec::{PotentialSpec, SaturatedSpec};

/// The shares of the remaining time for more features and for another objective.
const SHARE_FOR_FEATURES: f64 = 0.3;
const SHARE_FOR_OBJECTIVE: f64 = 0.2;

/// The share for abstractions, and the longest time.
const SHARE_FOR_ABSTRACTIONS: f64 = 0.2;
const MAX_TIME_FOR_ABSTRACTIONS: Duration = Duration::from_secs(60);

/// Abstractions are worth their time if the effort of the search with them is less than this share of
/// that without.
const MAX_EFFORT: f64 = 0.8;

/// The share for more features or abstractions if the functions of the search say little: it will probably go on
/// blindly.
const SHARE_IF_LITTLE: f64 = 0.05;

/// For another objective, other pairs of variables may matter: the LP may grow by this many
/// nonzeros, if there is time for them.
const EXTRA_NONZEROS: u64 = 1_000_000;

/// Another function is worth its time if it is higher in more than this share of the states.
const MIN_SHARE_HIGHER: f64 = 0.1;

/// A function matters to a search that is blind so far if its average is at least this share of the
/// layer reached. (Ricochet-robots p04: an LP of four seconds gives a bound of one; without
/// it, blind search comes to layer 16 instead of 14 in 15 seconds.)
const MIN_SHARE_OF_LAYER: f64 = 0.125;

/// Computes candidates, for states that a search has expanded.
pub(super) struct Improver<'a> {
    /// The plain task.
    pub(super) task: &'a Task,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a Limits,
    /// The functions of the search, the first one with the highest bound.
    pub(super) functions: Vec<Potential>,
    /// Some of the states that it has expanded.
    pub(super) states: Vec<Vec<Value>>,
    /// The f layer that it has reached.
    pub(super) layer: u64,
    /// For each of the states, the value of abstractions, if the search has them; otherwise 0.
    pub(super) abstract_values: Vec<u64>,
    /// How the search has gone on so far.
    pub(super) pace: Pace,
}

impl Improver<'_> {
    /// Computes a candidate and judges it.
    pub(super) fn judge(&self, candidate: Candidate) -> Result<Judged, Failure> {
        match candidate {
            Candidate::Plateau => self.judge_plateau(),
            Candidate::Average => self.judge_average(),
            Candidate::Facts(count) => self.judge_facts(count),
            Candidate::Features(nonzeros) => self.judge_features(nonzeros),
            Candidate::Abstractions => self.judge_abstractions(),
        }
    }

    /// The values of the states in the maximum of some functions and of the abstractions.
    fn values(&self, functions: &[Potential]) -> Vec<u64> {
        let states = self.states.iter().zip(&self.abstract_values);
        let value = |(state, &known): (&Vec<Value>, &u64)| {
            functions.iter().map(|it| it.function.bound(state)).fold(known, u64::max)
        };
        states.map(value).collect()
    }

    fn first(&self) -> &Potential {
        &self.functions[0]
    }

    fn judge_plateau(&self) -> Result<Judged, Failure> {
        log("another function for the states expanded", self.limits);
        let other = self.best_on_average(false)?;
        Ok(self.judge_added(other.into_iter().collect()))
    }

    fn judge_facts(&self, count: usize) -> Result<Judged, Failure> {
        log("functions for facts of the states expanded", self.limits);
        let limits = self.limits.with_share(SHARE_FOR_OBJECTIVE);
        let Self { task, settings, states, .. } = self;
        let found = functions_for_facts(task, self.first(), states, count, settings, &limits)?;
        Ok(self.judge_added(found))
    }

    /// The first function is replaced. Others are kept if they are still often higher.
    fn replaced(&self, better: Box<Potential>) -> Verdict {
        let others = self.functions[1..].to_vec();
        let kept = often_higher(&self.states, &self.values(slice::from_ref(&*better)), others);
        Verdict::Replaced(better, kept)
    }

    /// Those of the functions that are added.
    fn judge_added(&self, found: Vec<Potential>) -> Judged {
        let chosen = often_higher(&self.states, &self.values(&self.functions), found);
        Judged::new((!chosen.is_empty()).then_some(Verdict::Added(chosen)))
    }

    fn judge_average(&self) -> Result<Judged, Failure> {
        log("another objective", self.limits);
        let Some(better) = self.best_on_average(true)? else { return Ok(Judged::rejected()) };
        let is_better = self.is_better(&better);
        Ok(Judged::new(is_better.then(|| self.replaced(Box::new(better)))))
    }

    fn judge_features(&self, nonzeros: u64) -> Result<Judged, Failure> {
        let share = self.share(SHARE_FOR_FEATURES);
        let settings = with_share(self.settings, share, self.limits);
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
        let is_last = is_last || self.says_little(&more) && self.says_little(self.first());
        let verdict = if self.is_better(&more) { self.replaced(more) } else { Verdict::Rejected };
        Ok(Judged { verdict, is_last })
    }

    fn judge_abstractions(&self) -> Result<Judged, Failure> {
        let (task, first) = (self.task, self.first());
        let share = self.share(SHARE_FOR_ABSTRACTIONS);
        let limits = self.limits.with_share(share);
        let spec = SaturatedSpec { time: Some(MAX_TIME_FOR_ABSTRACTIONS), ..spec(&first.spec) };
        log(&format!("{spec} next"), self.limits);
        let normal = Arc::clone(first.normal_form());
        let samples = Some(&self.states[..]);
        let basis = Basis { normal, function: Some(first), samples };
        let settings = with_share(self.settings, share, self.limits);
        let saturated = compute_saturated_from(task, &basis, &spec, &settings, &limits)?;
        let Some(bound) = saturated.bound() else {
            tracing::info!("auto: the abstractions prove that there is no plan");
            let all = Abstractions::new(saturated);
            return Ok(Judged::new(Some(Verdict::Abstracted(Box::new(all)))));
        };
        let found = Abstractions::new(saturated);
        let known = self.values(&self.functions);
        let expanded = self.states.iter().zip(known);
        let effort = found.effort(task, expanded, self.pace);
        tracing::info!("auto: bound {bound} with abstractions, predicted effort {effort:.3}");
        let is_better = bound > self.layer || effort < MAX_EFFORT;
        Ok(Judged::new(is_better.then(|| Verdict::Abstracted(Box::new(found)))))
    }

    /// A share of the time, or a smaller one if the functions of the search say little.
    fn share(&self, share: f64) -> f64 {
        if self.says_little(self.first()) { SHARE_IF_LITTLE } else { share }
    }

    /// The first function's bound.
    fn bound(&self) -> u64 {
        self.first().bound().unwrap_or(0)
    }

    /// Whether a function says no more than the blind heuristic.
    fn says_little(&self, potential: &Potential) -> bool {
        says_little(potential, &self.states, self.layer, cheap_step(self.task))
    }

    /// Whether another function should replace the first one: its bound is higher, or the same
    /// with a higher average. A blind search is faster than any other, so it ends only for a
    /// function that matters.
    fn is_better(&self, other: &Potential) -> bool {
        let average = |it| mean(self.values(slice::from_ref(it)).into_iter());
        let [found, known] = [other, self.first()].map(average);
        tracing::info!("auto: {found:.2} on average over the states expanded, {known:.2} before");
        let bound = other.bound().unwrap_or(0);
        let matters = bound > self.layer || found >= self.layer as f64 * MIN_SHARE_OF_LAYER;
        (bound, found) > (self.bound(), known) && (matters || !self.says_little(self.first()))
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
}

/// Chooses functions of `found` one after the other, each of which is higher in enough of the states
/// than what is `known` about it, not counting states for which one was chosen before.
fn often_higher(states: &[Vec<Value>], known: &[u64], found: Vec<Potential>) -> Vec<Potential> {
    let raised = |it: &Potential| -> Vec<bool> {
        let bounds = states.iter().zip(known);
        bounds.map(|(state, &known)| it.function.bound(state) > known).collect()
    };
    let mut found: Vec<_> = found.into_iter().map(|it| (raised(&it), it)).collect();
    let mut chosen = Vec::new();
    let count = |raised: &[bool]| raised.iter().filter(|&&it| it).count();
    while let Some(best) = (0..found.len()).rev().max_by_key(|&it| count(&found[it].0)) {
        let (raised, potential) = found.swap_remove(best);
        let (higher, all) = (count(&raised), states.len());
        tracing::info!("auto: another function is higher in {higher} of {all} states");
        if higher as f64 <= MIN_SHARE_HIGHER * all as f64 {
            break;
        }
        for (others, _) in &mut found {
            others.iter_mut().zip(&raised).for_each(|(other, it)| *other &= !it);
        }
        chosen.push(potential);
    }
    chosen
}
