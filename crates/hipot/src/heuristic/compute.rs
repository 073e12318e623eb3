//! From a spec to a heuristic.

use std::time::{Duration, Instant};

use hipot_lp::Library;
use hipot_partition::projection::Scope;
use hipot_potential::feature::{Facts, Features};
use hipot_potential::function::PotentialFunction;
use hipot_potential::{
    Constraints, Error, Extent, Optimized, Over, Params, Report, optimize, optimize_complete,
    optimize_larger,
};
use hipot_task::{Limits, Stop, Task, Value};

use super::average::{Raised, Raising};
use super::mutexes::NormalForm;
use super::partition::Partitioning;
use super::spec::{FeatureChoice, Objective, PotentialSpec, Spec};
use crate::failure::Failure;
use crate::potential_file::read_features;
use crate::progress::Lp;

/// A heuristic, ready to be used or reported.
#[derive(Clone, Debug)]
pub enum Computed {
    /// 0 in goal states, the cheapest operator's cost elsewhere.
    Blind,
    /// A certified potential function.
    Potential(Box<Potential>),
    /// An LP in every state.
    Partition(Box<Partitioning>),
    /// The maximum of several.
    Max(Vec<Computed>),
}

/// A certified potential function and where it comes from.
#[derive(Clone, Debug)]
pub struct Potential {
    /// What was asked for, or what it was replaced by.
    pub spec: PotentialSpec,
    /// The task in TNF, which the function is about, and its states that count.
    pub normal: NormalForm,
    /// The function, the best in the initial state if there are others.
    pub function: PotentialFunction,
    /// Others, of all of which the maximum is taken.
    pub others: Vec<PotentialFunction>,
    /// How it was found.
    pub report: Report,
    /// Whether the function proves that there is no plan: no operator lowers
    /// it, and it is positive in the initial state. It is no heuristic then.
    pub proves_unsolvable: bool,
}

impl Potential {
    /// max(0, ⌈φ(s_I)⌉); `None` where there is no plan.
    pub fn bound(&self) -> Option<u64> {
        let initial = self.normal.tnf.task().initial();
        (!self.proves_unsolvable).then(|| self.function.bound(initial))
    }

    /// The same with the two-dimensional function that has the highest average over
    /// some states, among all of them or among those that are best in the initial
    /// state. It has the same features and some more, in an LP that is larger by
    /// `room` nonzeros. `None` where none could be certified.
    pub fn raised(
        &self,
        task: &Task,
        (states, keeps_initial): (Vec<Vec<Value>>, bool),
        room: u64,
        limits: &Limits,
        lp: LpSettings,
    ) -> Result<Option<Self>, Failure> {
        let objective = Objective::Samples(states.len());
        let features = FeatureChoice::Dimension(2);
        let spec = PotentialSpec { features, objective, keeps_initial, ..self.spec.clone() };
        let observer = lp.shows_progress.then(Lp::observer);
        let (method, library) = (spec.method, lp.library);
        let params = Params { method, library, observer, ..Params::default() };
        let (normal, params, seed, room) = (&self.normal, &params, lp.seed, Some(room));
        let raising = Raising { task, spec: &spec, normal, params, seed, room };
        let found = raising.over(states, self.function.clone(), self.report, limits)?;
        Ok(found.map(|Raised { function, report, .. }| Self {
            spec: spec.clone(),
            function,
            report,
            ..self.clone()
        }))
    }

    /// Whether the value of every state is that of the function.
    pub fn is_one_function(&self) -> bool {
        self.others.is_empty() && self.spec.objective != Objective::EveryState
    }

    /// The consistent functions over the same features, and how to find the best
    /// one again and again.
    pub fn constraints(&self, limits: &Limits) -> Result<(Constraints<'_>, Params), Failure> {
        let NormalForm { tnf, mutexes, .. } = &self.normal;
        let features = self.function.features();
        let over = match (&self.spec.features, self.report.extent) {
            (&FeatureChoice::Dimension(dimension @ (1 | 2)), Extent::Complete) => {
                Over::Dimension(dimension)
            }
            (FeatureChoice::Dimension(1 | 2), _) => Over::Pairs(features, None),
            _ => Over::Features(features),
        };
        let constraints = Constraints::new(tnf, over, mutexes.clone(), limits)?;
        let params = Params { method: self.spec.method, ..Params::default() };
        let params = constraints.suited(&params);
        Ok((constraints, params))
    }

    /// φ(s_I) as a fraction; `None` where there is no plan.
    pub fn exact(&self) -> Option<String> {
        let initial = self.normal.tnf.task().initial();
        (!self.proves_unsolvable).then(|| self.function.exact(initial).to_string())
    }
}

impl From<Potential> for Computed {
    fn from(potential: Potential) -> Self {
        Self::Potential(Box::new(potential))
    }
}

impl std::fmt::Display for Computed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Blind => f.write_str("blind"),
            Self::Potential(potential) => potential.spec.fmt(f),
            Self::Partition(partitioning) => partitioning.spec.fmt(f),
            Self::Max(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "max({})", parts.join(", "))
            }
        }
    }
}

impl Computed {
    /// What it is the maximum of, but for blind.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match self {
            Self::Blind => Vec::new(),
            Self::Potential(potential) => vec![Part::Potential(potential)],
            Self::Partition(partitioning) => vec![Part::Partition(partitioning)],
            Self::Max(parts) => parts.iter().flat_map(Self::parts).collect(),
        }
    }

    /// The part with the highest bound; one that proves unsolvability is higher
    /// than all.
    pub fn best(&self) -> Option<Part<'_>> {
        self.parts().into_iter().max_by_key(|part| part.bound().unwrap_or(u64::MAX))
    }

    /// The highest bound that it proves about `task`; `None` where there is no plan.
    pub fn bound(&self, task: &Task) -> Option<u64> {
        match self {
            Self::Blind => {
                let is_goal = hipot_check::is_goal(task, &hipot_check::initial_state(task));
                Some(if is_goal { 0 } else { task.min_cost().into() })
            }
            Self::Potential(potential) => potential.bound(),
            Self::Partition(partitioning) => partitioning.bound(),
            Self::Max(parts) => {
                let bounds = parts.iter().map(|part| part.bound(task));
                bounds.collect::<Option<Vec<u64>>>()?.into_iter().max()
            }
        }
    }

    /// The potential functions in it.
    pub fn potentials(&self) -> Vec<&Potential> {
        self.parts().into_iter().filter_map(Part::potential).collect()
    }

    /// The one with the highest bound, as above.
    pub fn best_potential(&self) -> Option<&Potential> {
        let height = |potential: &&Potential| potential.bound().unwrap_or(u64::MAX);
        self.potentials().into_iter().max_by_key(height)
    }
}

/// A heuristic whose bound in the initial state is proved.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// By a potential function, which holds in all states.
    Potential(&'a Potential),
    /// By an LP for this state.
    Partition(&'a Partitioning),
}

impl<'a> Part<'a> {
    /// The potential function, if it is one.
    pub fn potential(self) -> Option<&'a Potential> {
        match self {
            Self::Potential(potential) => Some(potential),
            Self::Partition(_) => None,
        }
    }

    /// The initial state's value, rounded up; `None` where there is no plan.
    pub fn bound(self) -> Option<u64> {
        match self {
            Self::Potential(potential) => potential.bound(),
            Self::Partition(partitioning) => partitioning.bound(),
        }
    }

    /// The same before rounding, as a fraction.
    pub fn exact(self) -> Option<String> {
        match self {
            Self::Potential(potential) => potential.exact(),
            Self::Partition(partitioning) => partitioning.exact(),
        }
    }
}

/// How LPs are solved, whatever the heuristic.
#[derive(Clone, Copy, Debug, Default)]
pub struct LpSettings {
    /// The time that an LP may take.
    pub time_limit: Option<Duration>,
    /// The HiGHS that solves it.
    pub library: Library,
    /// What random states are chosen by.
    pub seed: u64,
    /// Whether to fail where the LP that is asked for cannot be solved, instead of
    /// taking fewer features or a lower dimension.
    pub is_strict: bool,
    /// Whether to show on standard error how far an LP is.
    pub shows_progress: bool,
    /// Which abstract states operator cost partitionings are about: all, for a
    /// certificate.
    pub scope: Scope,
}

/// Computes the heuristic that `spec` names. Where the LP takes longer than
/// its time limit, a lower dimension takes its place, down to 1 and to blind,
/// unless `lp` is strict.
pub fn compute(
    task: &Task,
    spec: &Spec,
    limits: &Limits,
    lp: LpSettings,
) -> Result<Computed, Failure> {
    match spec {
        Spec::Blind => Ok(Computed::Blind),
        Spec::Auto => {
            let time = lp.time_limit.or_else(|| most_of_the_time(limits));
            let lp = LpSettings { is_strict: false, ..lp };
            compute(task, &Spec::strongest(task, time), limits, lp)
        }
        Spec::Max(specs) => {
            let parts = specs.iter().map(|spec| compute(task, spec, limits, lp));
            Ok(Computed::Max(parts.collect::<Result<_, _>>()?))
        }
        Spec::Potential(spec) => match compute_potential(task, spec, limits, lp) {
            Err(Failure::Unsupported(reason)) if !PotentialSpec::suits(task) => {
                let reason = format!("{spec}: {reason}; --heuristic blind and auto do");
                Err(Failure::Unsupported(reason))
            }
            result => result,
        },
        Spec::Partition(spec) => {
            let partitioning = Partitioning::compute(task, *spec, lp.scope, limits)?;
            Ok(Computed::Partition(Box::new(partitioning)))
        }
    }
}

/// Before the time is up, what is certified by then must be used.
fn most_of_the_time(limits: &Limits) -> Option<Duration> {
    Some(limits.time_left()?.mul_f64(0.9))
}

fn compute_potential(
    task: &Task,
    spec: &PotentialSpec,
    limits: &Limits,
    lp: LpSettings,
) -> Result<Computed, Failure> {
    let normal = NormalForm::new(task, spec.mutexes, spec.open, limits)?;
    potential_in(task, normal, spec, limits, lp)
}

/// The potential heuristic in a normal form that is there already.
pub(crate) fn potential_in(
    task: &Task,
    normal: NormalForm,
    spec: &PotentialSpec,
    limits: &Limits,
    lp: LpSettings,
) -> Result<Computed, Failure> {
    let lp_limits = match lp.time_limit.or_else(|| most_of_the_time(limits)) {
        Some(time) => limits.with_earlier_deadline(Instant::now() + time),
        None => limits.clone(),
    };
    let observer = lp.shows_progress.then(Lp::observer);
    let (method, library, budget) = (spec.method, lp.library, spec.budget);
    let is_strict = lp.is_strict && budget.is_none();
    let params = Params { method, library, budget, is_strict, observer };
    let NormalForm { tnf, mutexes, .. } = &normal;
    let (initial, mutexes) = (tnf.task().initial(), mutexes.clone());
    let found = match &spec.features {
        // Any function will do: φ = 0.
        _ if normal.is_unsolvable => {
            let none = Features::new(Facts::new(tnf.task()), Vec::new()).expect("no features");
            optimize(tnf, &none, initial, mutexes, &params, &lp_limits)
        }
        &FeatureChoice::Dimension(dimension @ (1 | 2)) => {
            optimize_complete(tnf, dimension, initial, mutexes, &params, &lp_limits)
        }
        &FeatureChoice::Dimension(dimension) => {
            optimize_larger(tnf, dimension, initial, mutexes, &params, &lp_limits)
        }
        FeatureChoice::File(file) => {
            let features = read_features(tnf, file)?;
            optimize(tnf, &features, initial, mutexes, &params, &lp_limits)
        }
    };
    let (function, report, proves_unsolvable) = match found {
        Ok(Optimized::Function(function, report)) => (function, report, false),
        Ok(Optimized::Unsolvable(function, report)) => (function, report, true),
        Err(Error::Stopped(Stop::TimeLimit)) if limits.check().is_ok() => {
            let reason = "the LP's time limit is reached";
            return compute_lower(task, normal, spec, limits, lp, (reason, Stop::TimeLimit.into()));
        }
        Err(Error::Stopped(Stop::MemoryLimit)) => {
            let reason = "the LP does not fit into memory";
            return compute_lower(
                task,
                normal,
                spec,
                limits,
                lp,
                (reason, Stop::MemoryLimit.into()),
            );
        }
        Err(Error::Stopped(stop)) => return Err(stop.into()),
        Err(Error::TooWide(error)) => return Err(Failure::Unsupported(error.to_string())),
        Err(Error::Solver(message)) => {
            let failure = Failure::Unsupported(format!("{spec}: {message}"));
            return compute_lower(task, normal, spec, limits, lp, (&message, failure));
        }
    };
    if params.is_strict && report.extent != Extent::Complete {
        // Only in dimension 3 and above, where the two-dimensional LP has been solved.
        tracing::info!("{spec} cannot be computed: the LP over all features is too large");
        return Err(lp_limits.check().err().unwrap_or(Stop::MemoryLimit).into());
    }
    let first = Raised { function, others: Vec::new(), report };
    let Raised { function, others, report } = if proves_unsolvable || normal.is_unsolvable {
        first
    } else {
        let (normal, params, seed, room) = (&normal, &params, lp.seed, None);
        let raising = Raising { task, spec, normal, params, seed, room };
        raising.raise(first, &lp_limits)?
    };
    // The line that shows how far the LP is ends before others follow.
    drop(params);
    // Over all features, the budget says nothing.
    let budget = spec.budget.filter(|_| report.extent != Extent::Complete);
    let spec = PotentialSpec { budget, ..spec.clone() };
    let proves_unsolvable = proves_unsolvable || normal.is_unsolvable;
    let potential = Potential { spec, normal, function, others, report, proves_unsolvable };
    Ok(potential.into())
}

/// Dimension 1, or blind below it: what is higher begins with dimension 2, so that
/// has failed too. In strict mode, the failure.
fn compute_lower(
    task: &Task,
    normal: NormalForm,
    spec: &PotentialSpec,
    limits: &Limits,
    lp: LpSettings,
    (reason, failure): (&str, Failure),
) -> Result<Computed, Failure> {
    if lp.is_strict {
        tracing::info!("{spec} cannot be computed: {reason}");
        return Err(failure);
    }
    let FeatureChoice::Dimension(2..) = spec.features else {
        tracing::warn!("{spec} is replaced by blind: {reason}");
        return Ok(Computed::Blind);
    };
    let features = FeatureChoice::Dimension(1);
    let lower = PotentialSpec { features, budget: None, ..spec.clone() };
    tracing::warn!("{spec} is replaced by {lower}: {reason}");
    potential_in(task, normal, &lower, limits, lp)
}
