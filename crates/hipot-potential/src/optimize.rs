//! The best potential function for a state, certified.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_lp::{Library, Method};
use hipot_task::{Limits, Mutexes, Stop, Task, TnfTask, Value, resident_bytes};

use crate::contexts::TooWide;
use crate::feature::Features;
use crate::formulation::OverFeatures;
use crate::function::PotentialFunction;
use crate::ladder::{Aim, Ladder};
use crate::model::{Size, predict_with};
use crate::on_demand::OnDemand;
use crate::pairs::{Classes, Exclusions, OverPairs, Reduction};
use crate::progress::Observer;
use crate::quotient::grown;

/// How the LP is solved.
#[derive(Clone, Debug)]
pub struct Params {
    /// The LP method.
    pub method: Method,
    /// The HiGHS that solves.
    pub library: Library,
    /// The most nonzeros that the LPs of [`optimize_complete`] and
    /// [`optimize_larger`](crate::optimize_larger) may have, if any: beyond,
    /// features of size 2 and more are chosen on demand.
    pub budget: Option<u64>,
    /// Whether [`optimize_complete`] fails where the LP over all features cannot be
    /// solved, instead of choosing some.
    pub is_strict: bool,
    /// Told how far the LP is; none by default.
    pub observer: Option<Observer>,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            library: Library::linked(),
            budget: None,
            is_strict: false,
            observer: None,
        }
    }
}

/// The rung of the ladder on which weights were certified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// The LP's weights, rounded to small denominators: the exact optimum.
    SmallDenominators,
    /// Rounded to a grid, the denominator raised.
    Scaling,
    /// Solved again with a margin on free operators, then as before.
    Margin,
    /// Nothing could be certified: all weights are 0.
    Zero,
}

impl std::fmt::Display for Rung {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::SmallDenominators => "small-denominators",
            Self::Scaling => "scaling",
            Self::Margin => "margin",
            Self::Zero => "zero",
        })
    }
}

/// Which features of size 2 and more a function may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All that were asked for.
    Complete,
    /// Those on some pairs of variables, chosen on demand, because the LP for
    /// all would take too much time or memory.
    Chosen {
        /// How many pairs of variables.
        pairs: usize,
        /// Of how many.
        of: usize,
    },
    /// Those on some pairs and some larger sets of variables, for the same
    /// reason.
    Larger {
        /// How many pairs of variables.
        pairs: usize,
        /// How many sets of three variables or more.
        sets: usize,
    },
}

impl std::fmt::Display for Extent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Complete => f.write_str("all pairs of variables"),
            Self::Chosen { pairs, of } => write!(f, "{pairs} of {of} pairs of variables"),
            Self::Larger { pairs, sets } => {
                write!(f, "{pairs} pairs and {sets} larger sets of variables")
            }
        }
    }
}

/// What is known about how a function came about.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The LP's size.
    pub size: Size,
    /// The method that solved it.
    pub method: Method,
    /// The time that all solving took.
    pub seconds: f64,
    /// The LP's optimum as the solver gave it.
    pub objective: f64,
    /// How the weights were certified.
    pub rung: Rung,
    /// Weights that cycles of free operators determine.
    pub substituted: usize,
    /// Whether the features are all that were asked for.
    pub extent: Extent,
}

/// What optimizing gave.
#[derive(Clone, Debug)]
pub enum Optimized {
    /// A function that is consistent, goal-aware, and best in the state.
    Function(PotentialFunction, Report),
    /// A function that no operator lowers, positive in the state and at most
    /// 0 at the goal: there is no plan.
    Unsolvable(PotentialFunction, Report),
}

/// Why there is no function.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// A limit, or an interrupt.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// The features are too large to be treated together.
    #[error("{0}")]
    TooWide(#[from] TooWide),
    /// The solver gave up.
    #[error("the LP could not be solved: {0}")]
    Solver(String),
}

/// A rough bound on the memory that the LP takes: bytes a nonzero, for our
/// copy, the solver's, what presolve makes of it, and the method's own (150 to
/// 200 were seen), and bytes besides.
pub(crate) const BYTES_PER_NONZERO: u64 = 220;
const BYTES_BESIDES: u64 = 16 << 20;

/// The most nonzeros that HiGHS can number.
const MOST_NONZEROS: u64 = i32::MAX as u64;

/// With a table of more bytes for each nonzero that is allowed, the LP will
/// hardly be small enough, whatever the symmetries.
const LARGEST_TABLE: u64 = 400;

/// LPs with fewer nonzeros take seconds at most, as a rule.
const QUICK_NONZEROS: u64 = 200_000;

/// An LP over all pairs is begun if it has at most so many nonzeros for each
/// second of a limited time: few of the larger ones were seen to end.
const NONZEROS_PER_SECOND: u64 = 70_000;
const NONZEROS_PER_SECOND_ON_CARD: u64 = 500_000;

/// The share of a limited time that features on demand get before a large LP
/// over all pairs, at most, and a second for so many nonzeros of that LP:
/// seconds are enough to gain most.
const SHARE_ON_DEMAND: f64 = 0.15;
const NONZEROS_ON_DEMAND: f64 = 200_000.0;

/// The share of what is left then for the LP over all pairs, where something is
/// certified.
const SHARE_AT_ONCE: f64 = 0.65;

/// Finds weights for which φ(`state`) is greatest among all consistent and
/// goal-aware potential functions of `tnf` over `features`. Only states that have
/// no two facts which are `mutexes` of the TNF task count.
pub fn optimize(
    tnf: &TnfTask,
    features: &Features,
    state: &[Value],
    mutexes: Option<Arc<Mutexes>>,
    params: &Params,
    limits: &Limits,
) -> Result<Optimized, Error> {
    let exclusions = Exclusions::new(mutexes);
    let size = predict_with(tnf.task(), features, &exclusions)?;
    limits.reserve(size.nonzeros.saturating_mul(BYTES_PER_NONZERO))?;
    limits.check()?;
    let formulation = OverFeatures::new(tnf.task(), features, exclusions, state)?;
    let ladder = Ladder::new(tnf.task(), &formulation, Aim::State(state), params, limits, size);
    Ok(ladder.climb()?.optimized)
}

/// The same over all features of size up to `dimension`, which is 1 or 2, by
/// the reduced LP. Where the LP for 2 takes too much time or memory, it is the
/// best function over features chosen on demand; see [`Report::extent`].
pub fn optimize_complete(
    tnf: &TnfTask,
    dimension: usize,
    state: &[Value],
    mutexes: Option<Arc<Mutexes>>,
    params: &Params,
    limits: &Limits,
) -> Result<Optimized, Error> {
    let task = tnf.task();
    let exclusions = Exclusions::new(mutexes);
    let reduction = Reduction::new(task, dimension, state, exclusions, limits)?;
    let complete = Complete { task, reduction: &reduction, state, params, limits };
    if dimension == 1 { complete.atomic() } else { complete.two_dimensional() }
}

/// The LPs over all features of some size.
struct Complete<'a> {
    task: &'a Task,
    reduction: &'a Reduction,
    state: &'a [Value],
    params: &'a Params,
    limits: &'a Limits,
}

impl Complete<'_> {
    fn atomic(&self) -> Result<Optimized, Error> {
        let classes = self.reduction.classes(self.reduction.complete(1));
        let size = self.reduction.size(self.task, &classes, in_memory(self.limits));
        self.at_once(classes, size.ok_or(Stop::MemoryLimit)?, None, self.limits)
    }

    /// The LP over all pairs, or as many of them as there is time for.
    fn two_dimensional(&self) -> Result<Optimized, Error> {
        let Self { task, reduction, state, params, limits } = *self;
        let pairs = self.all_pairs();
        if pairs.is_none() && params.is_strict {
            return Err(self.why_not_all().into());
        }
        let mut on_demand = OnDemand::new(task, reduction, state, params);
        if let Some((classes, size)) = pairs {
            if let Some(left) = limits.time_left()
                && size.nonzeros > QUICK_NONZEROS
                && !params.is_strict
            {
                let share = left.mul_f64(SHARE_ON_DEMAND);
                let most = Duration::from_secs_f64(size.nonzeros as f64 / NONZEROS_ON_DEMAND);
                let first = limits.with_earlier_deadline(Instant::now() + share.min(most));
                match on_demand.go_on(&first) {
                    Ok(Some(found)) => return Ok(found),
                    Err(error @ Error::Stopped(Stop::Interrupted)) => return Err(error),
                    // Where there is no time for a round, there may be for the LP.
                    Ok(None) | Err(_) => {}
                }
            }
            // What it does not end in, more features on demand may need.
            let at_once = if on_demand.certified().is_some() {
                limits.with_share(SHARE_AT_ONCE)
            } else {
                limits.clone()
            };
            match self.at_once(classes, size, on_demand.certified(), &at_once) {
                Ok(found) => return Ok(better(found, on_demand.into_best(), state)),
                Err(error @ (Error::Stopped(Stop::Interrupted) | Error::TooWide(_))) => {
                    return Err(error);
                }
                Err(error) if params.is_strict => return Err(error),
                Err(error) => tracing::info!("not all pairs of variables: {error}"),
            }
        }
        if let Some(found) = on_demand.go_on(limits)? {
            return Ok(found);
        }
        let (function, report) = on_demand.into_best().ok_or(Stop::TimeLimit)?;
        Ok(Optimized::Function(function, report))
    }

    /// All features of size up to 2 and the size of the LP, if it fits into
    /// memory and, as it seems, into the time.
    fn all_pairs(&self) -> Option<(Classes, Size)> {
        let most = most_nonzeros(self.params, self.limits).min(self.most_in_time());
        let bytes = self.reduction.bytes_for_all();
        if bytes > most.saturating_mul(LARGEST_TABLE) || self.limits.reserve(bytes).is_err() {
            tracing::info!("there are too many pairs of facts for an LP over all of them");
            return None;
        }
        let classes = self.reduction.classes(self.reduction.complete(2));
        let size = self.reduction.size(self.task, &classes, most);
        let Some(size) = size else {
            tracing::info!("the LP over all pairs has more than {most} nonzeros");
            return None;
        };
        let Size { rows, columns, nonzeros } = size;
        tracing::debug!("reduced LP: {rows} rows, {columns} columns, {nonzeros} nonzeros");
        Some((classes, size))
    }

    /// The limit that the LP over all pairs does not fit into.
    fn why_not_all(&self) -> Stop {
        let is_short_of_time = self.most_in_time() < most_nonzeros(self.params, self.limits);
        if is_short_of_time { Stop::TimeLimit } else { Stop::MemoryLimit }
    }

    /// The most nonzeros that an LP may have if it is to be solved in time.
    fn most_in_time(&self) -> u64 {
        let on_card = self.params.library.has_gpu();
        let speed = if on_card { NONZEROS_PER_SECOND_ON_CARD } else { NONZEROS_PER_SECOND };
        nonzeros_in_time(self.limits, speed)
    }

    /// The LP over these features; `certified` is a bound that is known.
    fn at_once(
        &self,
        classes: Classes,
        size: Size,
        certified: Option<u64>,
        limits: &Limits,
    ) -> Result<Optimized, Error> {
        let Self { task, reduction, state, params, .. } = *self;
        limits.check()?;
        let before = resident_bytes();
        let formulation = OverPairs::new(task, reduction, classes, size, state);
        tracing::debug!("the LP is written: {} KiB", grown(before));
        let ladder = Ladder::new(task, &formulation, Aim::State(state), params, limits, size);
        Ok(ladder.with_certified(certified).climb()?.optimized)
    }
}

/// The function over all features, unless rounding has left less of it than of
/// one over fewer features.
fn better(
    all: Optimized,
    fewer: Option<(PotentialFunction, Report)>,
    state: &[Value],
) -> Optimized {
    match (all, fewer) {
        (Optimized::Function(all, report), Some((fewer, _))) if fewer.is_higher(&all, state) => {
            Optimized::Function(fewer, report)
        }
        (all, _) => all,
    }
}

/// How many nonzeros an LP may have in the memory that is left.
pub(crate) fn in_memory(limits: &Limits) -> u64 {
    let left = limits.memory().zip(resident_bytes());
    let left = left.map(|(limit, used)| limit.saturating_sub(used + BYTES_BESIDES));
    let most = left.map(|bytes| bytes / BYTES_PER_NONZERO);
    most.unwrap_or(MOST_NONZEROS).min(MOST_NONZEROS)
}

/// How many nonzeros an LP may have if so many are solved in a second.
pub(crate) fn nonzeros_in_time(limits: &Limits, per_second: u64) -> u64 {
    let in_time = |left: Duration| (left.as_millis() as u64).saturating_mul(per_second) / 1000;
    limits.time_left().map_or(u64::MAX, in_time)
}

/// The same as [`in_memory`], inside the budget.
pub(crate) fn most_nonzeros(params: &Params, limits: &Limits) -> u64 {
    in_memory(limits).min(params.budget.unwrap_or(u64::MAX))
}

/// The size of the LP of [`optimize_complete`] over all features, without mutexes; `None` if it
/// has more than `most` nonzeros.
pub fn predict_complete(
    tnf: &TnfTask,
    dimension: usize,
    state: &[Value],
    most: u64,
    limits: &Limits,
) -> Result<Option<Size>, Stop> {
    let exclusions = Exclusions::default();
    let reduction = Reduction::new(tnf.task(), dimension, state, exclusions, limits)?;
    if dimension > 1 {
        limits.reserve(reduction.bytes_for_all())?;
    }
    let classes = reduction.classes(reduction.complete(dimension));
    Ok(reduction.size(tnf.task(), &classes, most))
}
