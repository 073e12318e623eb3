//! The best potential function for a state, certified.

use hipot_lp::{Library, Method};
use hipot_task::{Limits, Stop, TnfTask, Value};

use crate::contexts::TooWide;
use crate::feature::Features;
use crate::formulation::OverFeatures;
use crate::function::PotentialFunction;
use crate::ladder::Ladder;
use crate::model::Size;
use crate::pairs::{OverPairs, Reduction};
use crate::progress::Observer;

/// How the LP is solved.
#[derive(Clone, Debug)]
pub struct Params {
    /// The LP method.
    pub method: Method,
    /// The HiGHS that solves.
    pub library: Library,
    /// Told how far the LP is; none by default.
    pub observer: Option<Observer>,
}

impl Default for Params {
    fn default() -> Self {
        Self { method: Method::Auto, library: Library::linked(), observer: None }
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
/// copy, the solver's, and its factors.
const BYTES_PER_NONZERO: u64 = 100;

/// Finds weights for which φ(`state`) is greatest among all consistent and
/// goal-aware potential functions of `tnf` over `features`.
pub fn optimize(
    tnf: &TnfTask,
    features: &Features,
    state: &[Value],
    params: &Params,
    limits: &Limits,
) -> Result<Optimized, Error> {
    let size = crate::model::predict(tnf.task(), features)?;
    limits.reserve(size.nonzeros.saturating_mul(BYTES_PER_NONZERO))?;
    limits.check()?;
    let formulation = OverFeatures::new(tnf.task(), features, state)?;
    Ladder::new(tnf.task(), &formulation, state, params, limits, size).climb()
}

/// The same over all features of size up to `dimension`, which is 1 or 2, by
/// the reduced LP.
pub fn optimize_complete(
    tnf: &TnfTask,
    dimension: usize,
    state: &[Value],
    params: &Params,
    limits: &Limits,
) -> Result<Optimized, Error> {
    let task = tnf.task();
    let reduction = Reduction::new(task, dimension, state, limits)?;
    let size = reduction.size(task);
    tracing::debug!(
        "reduced LP: {} rows, {} columns, {} nonzeros",
        size.rows,
        size.columns,
        size.nonzeros
    );
    limits.reserve(size.nonzeros.saturating_mul(BYTES_PER_NONZERO))?;
    limits.check()?;
    let formulation = OverPairs::new(task, reduction, state);
    Ladder::new(task, &formulation, state, params, limits, size).climb()
}

/// The size of the LP of [`optimize_complete`].
pub fn predict_complete(
    tnf: &TnfTask,
    dimension: usize,
    state: &[Value],
    limits: &Limits,
) -> Result<Size, Stop> {
    Ok(Reduction::new(tnf.task(), dimension, state, limits)?.size(tnf.task()))
}
