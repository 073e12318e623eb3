//! Computed heuristics: data that can be read, reported, certified and searched with.
//!
//! A [`Computed`] is what [`compute`](crate::compute) makes of a spec. It holds all
//! numbers that a search or a report needs, is never changed, and costs nothing to look
//! at; the work was done before, and what a search evaluates is built from it
//! ([`search`](crate::search)).

use std::fmt;
use std::sync::Arc;

use hipot_analysis::plain::image;
use hipot_potential::{Certified, NormalForm, Report};
use hipot_task::{Rational, Task, Value};
use serde::Serialize;

use crate::partitioning::Partitioning;
use crate::spec::{Objective, PotentialSpec};
use crate::sums::Saturated;

/// A heuristic, ready to be used or reported.
#[derive(Clone, Debug)]
pub enum Computed {
    /// 0 in goal states, the cheapest operator's cost elsewhere; perhaps because something better
    /// failed.
    Blind(Vec<Fallback>),
    /// A certified potential function.
    Potential(Box<Potential>),
    /// A heuristic that solves an LP in every state.
    Partition(Box<Partitioning>),
    /// A saturated cost partitioning.
    Saturated(Box<Saturated>),
    /// The maximum of several heuristics.
    Max(Vec<Computed>),
}

/// That something weaker was used than what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// The spec that was asked for.
    pub asked: String,
    /// What was used.
    pub used: String,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.asked, self.used, self.reason)
    }
}

/// A certified potential function and where it comes from.
#[derive(Clone, Debug)]
pub struct Potential {
    /// The spec that was asked for, or the one that replaced it.
    pub spec: PotentialSpec,
    /// The function; if there are several, the best in the initial state.
    pub function: Certified,
    /// Further functions: the heuristic is the maximum of all.
    pub others: Vec<Certified>,
    /// How the function was found.
    pub report: Report,
    /// Whether the function proves that there is no plan: no operator lowers it, and it is
    /// positive in the initial state. Such a function is not a heuristic.
    pub proves_unsolvable: bool,
    /// How it is weaker than what was asked for.
    pub fallbacks: Vec<Fallback>,
}

impl Potential {
    /// The task in normal form that the functions are about.
    pub fn normal_form(&self) -> &Arc<NormalForm> {
        self.function.normal_form()
    }

    /// The state of the plain task, which the functions are about, that a state of the given task is.
    pub fn image(&self, state: &[Value]) -> Vec<Value> {
        image(state, self.normal_form().task().variables().len())
    }

    /// All functions, the best in the initial state first.
    pub fn functions(&self) -> impl Iterator<Item = &Certified> {
        std::iter::once(&self.function).chain(&self.others)
    }

    /// max(0, ⌈φ(s_I)⌉); `None` if there is no plan.
    pub fn bound(&self) -> Option<u64> {
        let initial = self.normal_form().initial();
        (!self.proves_unsolvable).then(|| self.function.bound(initial))
    }

    /// φ(s_I) as a fraction; `None` if there is no plan.
    pub fn exact(&self) -> Option<Rational> {
        let initial = self.normal_form().initial();
        (!self.proves_unsolvable).then(|| self.function.exact(initial))
    }

    /// Whether the value of every state is that of the function.
    pub fn is_one_function(&self) -> bool {
        self.others.is_empty() && self.spec.objective != Objective::EveryState
    }
}

impl From<Potential> for Computed {
    fn from(potential: Potential) -> Self {
        Self::Potential(Box::new(potential))
    }
}

impl fmt::Display for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blind(_) => f.write_str("blind"),
            Self::Potential(potential) => potential.spec.fmt(f),
            Self::Partition(partitioning) => partitioning.spec.fmt(f),
            Self::Saturated(saturated) => saturated.spec.fmt(f),
            Self::Max(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "max({})", parts.join(", "))
            }
        }
    }
}

impl Computed {
    /// The maximum of some heuristics; blind if there are none.
    pub fn maximum(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            0 => Self::Blind(Vec::new()),
            1 => parts.remove(0),
            _ => Self::Max(parts),
        }
    }

    /// The heuristics that it is the maximum of, except blind.
    pub fn parts(&self) -> Vec<ProvedPart<'_>> {
        match self {
            Self::Blind(_) => Vec::new(),
            Self::Potential(potential) => vec![ProvedPart::Potential(potential)],
            Self::Partition(partitioning) => vec![ProvedPart::Partition(partitioning)],
            Self::Saturated(saturated) => vec![ProvedPart::Saturated(saturated)],
            Self::Max(parts) => parts.iter().flat_map(Self::parts).collect(),
        }
    }

    /// How it is weaker than what was asked for.
    pub fn fallbacks(&self) -> Vec<&Fallback> {
        match self {
            Self::Blind(fallbacks) => fallbacks.iter().collect(),
            Self::Potential(potential) => potential.fallbacks.iter().collect(),
            Self::Partition(_) | Self::Saturated(_) => Vec::new(),
            Self::Max(parts) => parts.iter().flat_map(Self::fallbacks).collect(),
        }
    }

    /// The saturated cost partitionings among its parts, in order.
    pub(crate) fn saturated(&self) -> Vec<&Saturated> {
        match self {
            Self::Saturated(saturated) => vec![saturated],
            Self::Blind(_) | Self::Potential(_) | Self::Partition(_) => Vec::new(),
            Self::Max(parts) => parts.iter().flat_map(Self::saturated).collect(),
        }
    }

    /// Whether it is the blind heuristic, or the maximum of that and others.
    pub fn has_blind(&self) -> bool {
        match self {
            Self::Blind(_) => true,
            Self::Potential(_) | Self::Partition(_) | Self::Saturated(_) => false,
            Self::Max(parts) => parts.iter().any(Self::has_blind),
        }
    }

    /// The part with the highest bound. A proof of unsolvability is above all bounds.
    pub fn best(&self) -> Option<ProvedPart<'_>> {
        self.parts().into_iter().max_by_key(|part| part.bound().unwrap_or(u64::MAX))
    }

    /// The highest bound that it proves about `task`; `None` if there is no plan.
    pub fn bound(&self, task: &Task) -> Option<u64> {
        match self {
            Self::Blind(_) => {
                let is_goal = hipot_check::is_goal(task, &hipot_check::initial_state(task));
                Some(if is_goal { 0 } else { task.min_cost().into() })
            }
            Self::Potential(potential) => potential.bound(),
            Self::Partition(partitioning) => partitioning.bound(),
            Self::Saturated(saturated) => saturated.bound(),
            Self::Max(parts) => {
                let bounds = parts.iter().map(|part| part.bound(task));
                bounds.collect::<Option<Vec<u64>>>()?.into_iter().max()
            }
        }
    }

    /// The potentials among its parts.
    pub fn potentials(&self) -> Vec<&Potential> {
        self.parts().into_iter().filter_map(ProvedPart::potential).collect()
    }

    /// The potential with the highest bound. A proof of unsolvability is above all bounds.
    pub fn best_potential(&self) -> Option<&Potential> {
        let height = |potential: &&Potential| potential.bound().unwrap_or(u64::MAX);
        self.potentials().into_iter().max_by_key(height)
    }
}

/// A heuristic whose bound in the initial state is proved.
#[derive(Clone, Copy, Debug)]
pub enum ProvedPart<'a> {
    /// Proved by a potential function, which holds in all states.
    Potential(&'a Potential),
    /// Proved by an LP for the initial state.
    Partition(&'a Partitioning),
    /// Proved by a potential function and abstractions.
    Saturated(&'a Saturated),
}

impl<'a> ProvedPart<'a> {
    /// The potential, if it is one.
    pub fn potential(self) -> Option<&'a Potential> {
        match self {
            Self::Potential(potential) => Some(potential),
            Self::Partition(_) | Self::Saturated(_) => None,
        }
    }

    /// The initial state's value, rounded up; `None` if there is no plan.
    pub fn bound(self) -> Option<u64> {
        match self {
            Self::Potential(potential) => potential.bound(),
            Self::Partition(partitioning) => partitioning.bound(),
            Self::Saturated(saturated) => saturated.bound(),
        }
    }

    /// The initial state's value as a fraction; `None` if there is no plan.
    pub fn exact(self) -> Option<Rational> {
        match self {
            Self::Potential(potential) => potential.exact(),
            Self::Partition(partitioning) => partitioning.exact(),
            Self::Saturated(saturated) => saturated.exact(),
        }
    }
}
