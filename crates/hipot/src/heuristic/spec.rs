//! Heuristic specs: a name, or a call such as `pot(dim=2)`.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use hipot_lp::Method;
use hipot_task::{OpenValues, Task};

use super::partition::PartitionSpec;

/// A heuristic as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// 0 in goal states, the cheapest operator's cost elsewhere.
    Blind,
    /// What suits the task best.
    Auto,
    /// A potential heuristic.
    Potential(PotentialSpec),
    /// The state equation, or a cost partitioning, in every state.
    Partition(PartitionSpec),
    /// The maximum of several heuristics.
    Max(Vec<Spec>),
}

/// A potential heuristic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PotentialSpec {
    /// Over which features.
    pub features: FeatureChoice,
    /// How the LP is solved.
    pub method: Method,
    /// The most nonzeros that the LP may have.
    pub budget: Option<u64>,
    /// In which states constraints need not hold.
    pub mutexes: MutexChoice,
    /// What stands for values that operators and the goal leave open.
    pub open: OpenValues,
    /// In which states it is best.
    pub objective: Objective,
    /// Whether it is best in the initial state before all others.
    pub keeps_initial: bool,
}

/// What a potential heuristic maximizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The initial state's value.
    Initial,
    /// The average over all states, or over random ones without mutexes.
    All,
    /// The average over the ends of so many random walks.
    Samples(usize),
    /// The maximum of several functions in the ends of so many random walks.
    Diverse(usize),
    /// The value of every state that is met.
    EveryState,
}

impl Objective {
    /// Whether it is about an average.
    pub(super) fn is_average(self) -> bool {
        matches!(self, Self::All | Self::Samples(_))
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial => f.write_str("initial"),
            Self::All => f.write_str("all"),
            Self::Samples(count) => write!(f, "samples({count})"),
            Self::Diverse(count) => write!(f, "diverse({count})"),
            Self::EveryState => f.write_str("every-state"),
        }
    }
}

/// Which mutexes are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexChoice {
    /// None: the paper's heuristic.
    None,
    /// The task's mutex groups, as far as they are easily proved.
    Groups,
    /// Those of h², forward and backward.
    H2,
}

impl MutexChoice {
    pub(super) const ALL: [Self; 3] = [Self::None, Self::Groups, Self::H2];

    /// What is used for these features if nothing is said: files may be about
    /// any value `unknown`, which mutexes can make superfluous.
    pub(super) fn default_for(features: &FeatureChoice) -> Self {
        match features {
            FeatureChoice::Dimension(_) => Self::Groups,
            FeatureChoice::File(_) => Self::None,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Groups => "groups",
            Self::H2 => "h2",
        }
    }
}

/// A set of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeatureChoice {
    /// All of at most this size.
    Dimension(usize),
    /// Those that a file lists.
    File(PathBuf),
}

impl PotentialSpec {
    /// What is meant if nothing is said but the features.
    pub fn new(features: FeatureChoice) -> Self {
        Self {
            mutexes: MutexChoice::default_for(&features),
            features,
            method: Method::Auto,
            budget: None,
            open: OpenValues::Unknown,
            objective: Objective::Initial,
            keeps_initial: true,
        }
    }

    /// Potentials with all that makes them strong, in an LP with at most so many
    /// nonzeros.
    pub fn strong(budget: Option<u64>) -> Self {
        Self {
            budget,
            mutexes: MutexChoice::H2,
            open: OpenValues::Cases,
            ..Self::new(FeatureChoice::Dimension(2))
        }
    }

    /// Whether a task has potentials: there is no normal form of axioms and
    /// conditional effects.
    pub fn suits(task: &Task) -> bool {
        const BY: &str = "transition normal form";
        task.require_no_axioms(BY).and(task.require_no_conditional_effects(BY)).is_ok()
    }
}

impl Spec {
    /// `pot(dim=K)`.
    pub fn dimension(dimension: usize) -> Self {
        Self::Potential(PotentialSpec::new(FeatureChoice::Dimension(dimension)))
    }

    /// The strongest heuristic that can be computed for a task in sensible time:
    /// two-dimensional potentials, over all pairs of facts or over as many as an LP
    /// has room for that should be solved in this time; blind where a task has no
    /// potentials.
    pub fn strongest(task: &Task, time: Option<Duration>) -> Self {
        if !PotentialSpec::suits(task) {
            return Self::Blind;
        }
        let in_time = |time: Duration| NONZEROS_PER_SECOND.saturating_mul(time.as_secs());
        let budget = time.map_or(MOST_NONZEROS, |time| in_time(time).max(LEAST_NONZEROS));
        Self::Potential(PotentialSpec::strong(Some(budget)))
    }

    /// Whether it names potential functions, or may.
    pub fn has_potentials(&self) -> bool {
        match self {
            Self::Blind | Self::Partition(_) => false,
            Self::Auto | Self::Potential(_) => true,
            Self::Max(specs) => specs.iter().any(Self::has_potentials),
        }
    }
}

/// The largest LP that `auto` solves without a time limit, which takes some
/// minutes, and with one: many of 400,000 nonzeros end in 15 seconds.
const MOST_NONZEROS: u64 = 2_000_000;
const NONZEROS_PER_SECOND: u64 = 30_000;
const LEAST_NONZEROS: u64 = 200_000;

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blind => f.write_str("blind"),
            Self::Auto => f.write_str("auto"),
            Self::Potential(spec) => spec.fmt(f),
            Self::Partition(spec) => spec.fmt(f),
            Self::Max(specs) => {
                let specs: Vec<String> = specs.iter().map(ToString::to_string).collect();
                write!(f, "max({})", specs.join(", "))
            }
        }
    }
}

impl fmt::Display for PotentialSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.features {
            FeatureChoice::Dimension(dimension) => write!(f, "pot(dim={dimension}")?,
            FeatureChoice::File(file) => write!(f, "pot(features={}", file.display())?,
        }
        if self.mutexes != MutexChoice::default_for(&self.features) {
            write!(f, ", mutexes={}", self.mutexes.name())?;
        }
        if self.open == OpenValues::Cases {
            f.write_str(", open=cases")?;
        }
        if self.objective != Objective::Initial {
            write!(f, ", objective={}", self.objective)?;
        }
        if !self.keeps_initial {
            f.write_str(", initial=free")?;
        }
        if let Some(budget) = self.budget {
            write!(f, ", budget={budget}")?;
        }
        match self.method {
            Method::Auto => f.write_str(")"),
            method => write!(f, ", lp={})", method.name()),
        }
    }
}
