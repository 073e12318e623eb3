//! Potential heuristics: from a spec to certified functions.
//!
//! A potential heuristic takes three steps: the task's normal form, the function that is
//! best in the initial state, and, under another objective, a function or several that are
//! good elsewhere (`average`).
//!
//! *Fallbacks.* An LP over all features that are asked for may take too much time or
//! memory. `hipot_potential` then uses fewer features. If it has no function at all, a
//! lower dimension is tried here, dimension 1 at once: higher dimensions start from
//! two-dimensional functions, so dimension 2 has failed too. Below dimension 1 there is
//! only blind. With [`Completeness::Required`] none of this happens. Each [`Fallback`] is kept with
//! its reason, so that reports can say what the numbers are about.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use hipot_lp::Listener;
use hipot_potential::feature::Features;
use hipot_potential::{
    Error, Extent, FeatureSet, NormalForm, Optimum, Params, Progress, Shortfall, optimize,
};
use hipot_task::{Limits, Stop, Task};

use crate::average::{AverageProblem, Functions};
use crate::failure::Failure;
use crate::function_file::FunctionFile;
use crate::heuristic::{Computed, Fallback, Potential};
use crate::settings::{Completeness, Settings};
use crate::spec::{FeatureChoice, PotentialSpec};

/// The share of the remaining time that an LP may take: what is certified by then must
/// still be used.
const LP_TIME_SHARE: f64 = 0.9;

/// The potential heuristic of `spec`, or a weaker one if the settings allow that.
pub(crate) fn compute_potential(
    task: &Task,
    spec: &PotentialSpec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    let normal = NormalForm::new(task, spec.mutexes, spec.open, limits)?;
    compute_in(task, &Arc::new(normal), spec, settings, limits)
}

/// The potential heuristic in a given normal form of `task`.
pub(crate) fn compute_in(
    task: &Task,
    normal: &Arc<NormalForm>,
    spec: &PotentialSpec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    let lp_limits = match lp_time(settings, limits) {
        Some(time) => limits.within(time),
        None => limits.clone(),
    };
    let optimized = settings.events.follow_lps(|listener| {
        let params = params(spec, settings, listener);
        optimize_functions(task, normal, spec, &params, settings.seed, &lp_limits)
    });
    let Optimized { functions, proves_unsolvable } = match optimized {
        Ok(optimum) => optimum,
        Err(NoOptimum::Lp(error)) => {
            return replace(task, normal, spec, error, settings, limits);
        }
        Err(NoOptimum::Failed(failure)) => return Err(failure),
    };
    let fallbacks = fallbacks(spec, &functions, settings);
    let Functions { function, others, report, .. } = functions;
    // Over all features, the budget had no effect.
    let budget = spec.budget.filter(|_| report.extent != Extent::Complete);
    let spec = PotentialSpec { budget, ..spec.clone() };
    let potential = Potential { spec, function, others, report, proves_unsolvable, fallbacks };
    settings.events.tell_bound(potential.bound());
    Ok(potential.into())
}

/// How functions are weaker than what `spec` asks for.
fn fallbacks(spec: &PotentialSpec, functions: &Functions, settings: &Settings) -> Vec<Fallback> {
    let asked = spec.to_string();
    let features = functions.report.shortfall.map(|shortfall| Fallback {
        asked: asked.clone(),
        used: match functions.report.extent {
            Extent::Complete => "not yet the best function".to_owned(),
            _ => format!("{} features chosen", functions.function.features().len()),
        },
        reason: in_words(shortfall, settings),
    });
    let objective = functions.only_initial.clone().map(|reason| Fallback {
        asked: asked.clone(),
        used: "best in the initial state only".to_owned(),
        reason,
    });
    let mutexes = functions.function.normal_form().lacks_h2().then(|| Fallback {
        asked: asked.clone(),
        used: "the task's mutex groups instead of h²".to_owned(),
        reason: "h² takes too much memory".to_owned(),
    });
    mutexes.into_iter().chain(features).chain(objective).collect()
}

/// A reason, with the limit on the LP's time if it is about that.
fn in_words(shortfall: Shortfall, settings: &Settings) -> String {
    match (shortfall, settings.lp_time_limit) {
        (Shortfall::Time | Shortfall::PredictedTime, Some(limit)) => {
            format!("{shortfall}; the LP's time limit is {:?}", in_millis(limit))
        }
        (Shortfall::Time | Shortfall::PredictedTime, None) => {
            format!("{shortfall}; an LP may take nine tenths of the time left")
        }
        _ => shortfall.to_string(),
    }
}

/// A time without the digits that nobody asked for.
fn in_millis(time: Duration) -> Duration {
    Duration::from_millis(time.as_millis() as u64)
}

/// The time that the LPs of a heuristic may take.
pub(crate) fn lp_time(settings: &Settings, limits: &Limits) -> Option<Duration> {
    let share = || Some(limits.time_left()?.mul_f64(LP_TIME_SHARE));
    settings.lp_time_limit.or_else(share)
}

fn params(
    spec: &PotentialSpec,
    settings: &Settings,
    listener: Option<Listener<Progress>>,
) -> Params {
    // A budget asks for fewer features if all are too many.
    let completeness = match spec.budget {
        Some(_) => Completeness::Optional,
        None => settings.completeness,
    };
    let (method, library, budget) = (spec.method, settings.library, spec.budget);
    let (precision, keeps_lp, threads) = (settings.precision, settings.keeps_lps, settings.threads);
    Params { method, library, budget, completeness, precision, keeps_lp, threads, listener }
}

/// What the LPs of a potential heuristic gave.
struct Optimized {
    functions: Functions,
    proves_unsolvable: bool,
}

/// Why they gave nothing.
enum NoOptimum {
    /// The features could not be read, or the user interrupted.
    Failed(Failure),
    /// The LP could not be solved, or not over all features.
    Lp(Error),
}

impl From<Error> for NoOptimum {
    fn from(error: Error) -> Self {
        Self::Lp(error)
    }
}

impl From<Failure> for NoOptimum {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Optimizes for the initial state, then for the spec's objective.
fn optimize_functions(
    task: &Task,
    normal: &Arc<NormalForm>,
    spec: &PotentialSpec,
    params: &Params,
    seed: u64,
    limits: &Limits,
) -> Result<Optimized, NoOptimum> {
    let (function, report, proves_unsolvable) =
        match optimize_initial(normal, spec, params, limits)? {
            Optimum::Function(function, report) => (function, report, normal.is_unsolvable()),
            Optimum::Unsolvable(function, report) => (function, report, true),
        };
    if let (Completeness::Required, Some(shortfall)) = (params.completeness, report.shortfall) {
        return Err(Error::Incomplete(shortfall).into());
    }
    let mut functions = Functions { function, others: Vec::new(), report, only_initial: None };
    if !proves_unsolvable {
        let problem = AverageProblem { task, spec, normal, params, seed, extra_nonzeros: None };
        functions = problem.optimize(functions, limits);
    }
    Ok(Optimized { functions, proves_unsolvable })
}

/// The function that is best in the initial state.
fn optimize_initial(
    normal: &Arc<NormalForm>,
    spec: &PotentialSpec,
    params: &Params,
    limits: &Limits,
) -> Result<Optimum, NoOptimum> {
    let given;
    let features = match &spec.features {
        // Any function will do: φ = 0.
        _ if normal.is_unsolvable() => {
            given = Features::new(normal.facts().clone(), Vec::new()).expect("no features");
            FeatureSet::Given(&given)
        }
        &FeatureChoice::Dimension(dimension) => FeatureSet::UpTo(dimension),
        FeatureChoice::File(file) => {
            given = FunctionFile::read(file)?.features(normal)?;
            FeatureSet::Given(&given)
        }
    };
    Ok(optimize(normal, features, normal.initial(), params, limits)?)
}

/// Computes a weaker heuristic after the LP of `spec` has failed with `error`, or fails if
/// nothing weaker can or may replace it.
fn replace(
    task: &Task,
    normal: &Arc<NormalForm>,
    spec: &PotentialSpec,
    error: Error,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    let reason = match &error {
        Error::Stopped(Stop::TimeLimit) if limits.check().is_ok() => match settings.lp_time_limit {
            Some(limit) => format!("the LP's time limit of {:?} is reached", in_millis(limit)),
            None => "the LP has used its share of the time".to_owned(),
        },
        Error::Stopped(Stop::MemoryLimit) => "the LP does not fit into memory".to_owned(),
        Error::Incomplete(shortfall) => in_words(*shortfall, settings),
        Error::Solver(message) => message.clone(),
        Error::Stopped(_) | Error::TooWide(_) => return Err(error.into()),
    };
    if settings.completeness == Completeness::Required {
        tracing::error!("{spec} cannot be computed: {reason}");
        return Err(match error {
            Error::Solver(_) => Failure::Solver(format!("{spec}: {error}")),
            error => error.into(),
        });
    }
    let fallback = |used: &dyn Display| {
        let used = format!("replaced by {used}");
        tracing::warn!("{spec} is {used}: {reason}");
        Fallback { asked: spec.to_string(), used, reason: reason.clone() }
    };
    let FeatureChoice::Dimension(2..) = spec.features else {
        return Ok(Computed::Blind(vec![fallback(&"blind")]));
    };
    let features = FeatureChoice::Dimension(1);
    let lower = PotentialSpec { features, budget: None, ..spec.clone() };
    let fallback = fallback(&lower);
    let mut computed = compute_in(task, normal, &lower, settings, limits)?;
    match &mut computed {
        Computed::Potential(potential) => potential.fallbacks.insert(0, fallback),
        Computed::Blind(fallbacks) => fallbacks.insert(0, fallback),
        Computed::Partition(_) | Computed::Saturated(_) | Computed::Max(_) => {
            unreachable!("it is a potential, or blind")
        }
    }
    Ok(computed)
}
