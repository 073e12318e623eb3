//! The results of the optimizer: a function, how it was found, or why there is none.

use std::fmt;
use std::sync::Arc;

use hipot_lp::{Method, Size};
use hipot_task::Stop;

use crate::certify::Certified;
use crate::contexts::TooWide;
use crate::solved_lp::SolvedLp;

/// How weights became exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// The LP's weights, rounded to small denominators: the exact optimum.
    SmallDenominators,
    /// The LP's weights, rounded to a grid, with a larger denominator.
    Scaling,
    /// Solved again with margins, then rounded to a grid.
    Margin,
    /// Nothing could be certified: all weights are 0.
    Zero,
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    /// All that were requested.
    Complete,
    /// Those on some pairs of variables, chosen on demand because the LP over
    /// all would take too much time or memory.
    Chosen {
        /// The number of pairs of variables.
        pairs: usize,
        /// The number of all pairs.
        of: usize,
    },
    /// Those on some pairs and some larger sets of variables, chosen on demand
    /// because the LP over all would take too much time or memory.
    Larger {
        /// The number of pairs of variables.
        pairs: usize,
        /// The number of sets of three variables or more.
        sets: usize,
    },
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete => f.write_str("all pairs of variables"),
            Self::Chosen { pairs, of } => write!(f, "{pairs} of {of} pairs of variables"),
            Self::Larger { pairs, sets } => {
                let [pair, set] =
                    [(pairs, "pair"), (sets, "larger set")].map(|(count, noun)| match count {
                        1 => format!("1 {noun}"),
                        count => format!("{count} {noun}s"),
                    });
                write!(f, "{pair} and {set} of variables")
            }
        }
    }
}

/// How near a function is to the LP's optimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimality {
    /// It is the optimum. This is proved: dual values with the same objective were checked
    /// exactly.
    Proved,
    /// It is below the optimum by this much, as far as the solver can tell.
    Within(f64),
}

/// Gaps up to this are within the solver's precision.
const NO_GAP: f64 = 1e-9;

impl fmt::Display for Optimality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Proved => f.write_str("the LP's exact optimum"),
            Self::Within(gap) if gap <= NO_GAP => {
                f.write_str("the LP's optimum, as far as the solver can tell")
            }
            Self::Within(gap) => {
                write!(f, "within {gap:.1e} of the LP's optimum, as far as the solver can tell")
            }
        }
    }
}

/// Why the LP over all requested features was not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// It has more nonzeros than the budget allows.
    Budget,
    /// It does not fit into memory.
    Memory,
    /// By its size, it would take more time than there is.
    PredictedTime,
    /// Its time ran out.
    Time,
    /// The user interrupted it.
    Interrupt,
    /// It has features of three facts and more, and more nonzeros than this, which is the limit
    /// if there is no budget.
    Size(u64),
    /// The solver failed.
    Solver,
}

impl Shortfall {
    /// The limit that it is about; `None` if it is a failure.
    pub fn stop(self) -> Option<Stop> {
        match self {
            Self::Time | Self::PredictedTime => Some(Stop::TimeLimit),
            Self::Interrupt => Some(Stop::Interrupted),
            Self::Budget | Self::Memory | Self::Size(_) => Some(Stop::MemoryLimit),
            Self::Solver => None,
        }
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the LP over all features ")?;
        match self {
            Self::Budget => f.write_str("has more nonzeros than the budget allows"),
            Self::Memory => f.write_str("does not fit into memory"),
            Self::PredictedTime => f.write_str("is predicted to take more time than there is"),
            Self::Time => f.write_str("was not solved in time"),
            Self::Interrupt => f.write_str("was interrupted"),
            Self::Size(limit) => {
                write!(f, "has more than {limit} nonzeros, the limit without a budget")
            }
            Self::Solver => f.write_str("could not be solved: the solver failed"),
        }
    }
}

/// How a function was found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The LP's size.
    pub size: Size,
    /// The method that solved it.
    pub method: Method,
    /// The time that solving took, over all attempts.
    pub seconds: f64,
    /// The LP's optimum as the solver reports it.
    pub objective: f64,
    /// How near the function is to it.
    pub optimality: Optimality,
    /// How the weights became exact.
    pub rung: Rung,
    /// The number of weights that cycles of free operators determine.
    pub substituted: usize,
    /// Which of the requested features were used.
    pub extent: Extent,
    /// Why these are not all of them, if they are not.
    pub shortfall: Option<Shortfall>,
    /// The LP itself, if the [parameters](crate::Params::keeps_lp) ask for it.
    pub lp: Option<Arc<SolvedLp>>,
}

/// The best function for a state.
#[derive(Clone, Debug)]
pub enum Optimum {
    /// A consistent and goal-aware function that is best in the state.
    Function(Certified, Report),
    /// A function that no operator lowers and that is positive in the state and at
    /// most 0 at the goal: there is no plan.
    Unsolvable(Certified, Report),
}

/// Why there is no function.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// A limit was reached, or the user interrupted.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// All features are required, and the LP over them cannot be used.
    #[error("{0}")]
    Incomplete(Shortfall),
    /// The features of an operator are too large to be eliminated together.
    #[error("{0}")]
    TooWide(#[from] TooWide),
    /// The solver failed.
    #[error("the LP could not be solved: {0}")]
    Solver(String),
}

impl Error {
    /// What keeps an LP over all features that failed like this from being used.
    pub(crate) fn shortfall(&self) -> Shortfall {
        match self {
            Self::Stopped(Stop::MemoryLimit) | Self::TooWide(_) => Shortfall::Memory,
            Self::Stopped(Stop::Interrupted) => Shortfall::Interrupt,
            Self::Stopped(Stop::TimeLimit | Stop::ProcessorLimit) => Shortfall::Time,
            Self::Incomplete(shortfall) => *shortfall,
            Self::Solver(_) => Shortfall::Solver,
        }
    }
}

impl From<hipot_lp::Error> for Error {
    fn from(error: hipot_lp::Error) -> Self {
        Self::Solver(error.to_string())
    }
}
