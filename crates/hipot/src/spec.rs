//! Heuristic specs: a name, or a call such as `pot(dim=2)`.
//!
//! A spec says what is asked for, not how much time or memory it may take: that is what
//! [`Settings`](crate::settings::Settings) and [`Limits`](hipot_task::Limits) are for.
//! Specs are read from text and written in one normal form, so that reading a
//! written spec gives the same spec.

mod parse;
pub mod reference;

pub use parse::SpecError;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hipot_abstraction::partitioning::Saturator;
use hipot_abstraction::{cartesian, systematic};
use hipot_analysis::OpenValues;
use hipot_lp::Method;
use hipot_partition::projection::AbstractStates;
pub use hipot_potential::MutexChoice;
use hipot_potential::cost::Speed;

/// A heuristic as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// 0 in goal states, the cheapest operator's cost elsewhere.
    Blind,
    /// Whatever suits the task best.
    Auto,
    /// A potential heuristic.
    Potential(PotentialSpec),
    /// The state equation or a cost partitioning, solved in every state.
    Partition(PartitionSpec),
    /// A saturated cost partitioning.
    Saturated(SaturatedSpec),
    /// The maximum of several heuristics.
    Max(Vec<Spec>),
}

/// A potential heuristic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PotentialSpec {
    /// Its features.
    pub features: FeatureChoice,
    /// The method that solves the LP.
    pub method: Method,
    /// The largest number of nonzeros that the LP may have.
    pub budget: Option<u64>,
    /// The mutexes used: states that violate one need not satisfy the constraints.
    pub mutexes: MutexChoice,
    /// How transition normal form treats values that operators and the goal leave open.
    pub open: OpenValues,
    /// What is maximized.
    pub objective: Objective,
    /// Whether the initial state's value must stay maximal under another objective.
    pub keeps_initial: bool,
}

/// A heuristic that solves an LP in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartitionSpec {
    /// The state equation.
    StateEquation,
    /// Optimal operator cost partitioning.
    OperatorCosts {
        /// The projections.
        patterns: PatternChoice,
        /// The abstract states that take part, if the spec says so. Otherwise the
        /// [`Settings`](crate::settings::Settings) do.
        states: Option<AbstractStates>,
    },
    /// Optimal transition cost partitioning over these projections.
    TransitionCosts(PatternChoice),
}

/// A saturated cost partitioning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaturatedSpec {
    /// What shares the costs, in this order; at most one potential function.
    pub components: Vec<SaturatedComponent>,
    /// The saturator.
    pub saturator: Saturator,
    /// The largest number of orders of abstractions.
    pub orders: usize,
    /// How often a potential function is optimized.
    pub rounds: usize,
    /// The time for building, if the spec says so.
    pub time: Option<Duration>,
    /// The mutexes that leave out abstract states and transitions.
    pub mutexes: MutexChoice,
}

impl Default for SaturatedSpec {
    fn default() -> Self {
        Self {
            components: Vec::new(),
            saturator: Saturator::default(),
            orders: 50,
            rounds: 2,
            time: None,
            mutexes: MutexChoice::H2,
        }
    }
}

impl SaturatedSpec {
    /// The potential function among the components.
    pub fn potential(&self) -> Option<&PotentialSpec> {
        self.components.iter().find_map(|component| match component {
            SaturatedComponent::Potential(spec) => Some(spec),
            SaturatedComponent::Projections(_) | SaturatedComponent::Cartesian(_) => None,
        })
    }
}

/// A part of a saturated cost partitioning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaturatedComponent {
    /// A potential function.
    Potential(PotentialSpec),
    /// Projections to interesting patterns, kept by their use.
    Projections(systematic::Params),
    /// Cartesian abstractions of goals and landmarks.
    Cartesian(cartesian::Params),
}

/// The names of saturators.
const SATURATOR_NAMES: [(Saturator, &str); 3] =
    [(Saturator::All, "all"), (Saturator::Perim, "perim"), (Saturator::PerimStar, "perimstar")];

/// A choice of projections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternChoice {
    /// All projections to at most this many variables.
    All(usize),
    /// Those to interesting patterns, with paths to goal variables within the pattern.
    Interesting(usize),
    /// Those to interesting patterns, with paths to goal variables that may leave the pattern.
    InterestingGeneral(usize),
    /// Those that a file lists.
    File(PathBuf),
}

impl fmt::Display for PatternChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(dimension) => write!(f, "dim={dimension}"),
            Self::Interesting(dimension) => write!(f, "dim={dimension}, patterns=interesting"),
            Self::InterestingGeneral(dimension) => {
                write!(f, "dim={dimension}, patterns=interesting-general")
            }
            Self::File(file) => write!(f, "patterns={}", file.display()),
        }
    }
}

/// What a potential heuristic maximizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The initial state's value.
    Initial,
    /// The average over all states; with mutexes, over those that violate none: in closed form in
    /// dimension 1, over random ones otherwise.
    All,
    /// The average over the end states of this many random walks.
    Samples(usize),
    /// The maximum of several functions over the end states of this many random walks.
    Diverse(usize),
    /// The maximum of several functions, each with the highest average over states that contain
    /// one fact.
    Facts(usize),
    /// The value of each state that the search evaluates.
    EveryState,
}

impl Objective {
    /// Whether an average is maximized.
    pub(crate) fn is_average(self) -> bool {
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
            Self::Facts(count) => write!(f, "facts({count})"),
            Self::EveryState => f.write_str("every-state"),
        }
    }
}

/// The names of the choices of mutexes in specs.
const MUTEX_NAMES: [(MutexChoice, &str); 3] =
    [(MutexChoice::None, "none"), (MutexChoice::Groups, "groups"), (MutexChoice::H2, "h2")];

fn mutex_name(choice: MutexChoice) -> &'static str {
    let found = MUTEX_NAMES.into_iter().find(|&(own, _)| own == choice);
    found.map_or("", |(_, name)| name)
}

/// The mutexes for these features if the spec does not choose: files may mention any value
/// `unknown`, which mutexes can make superfluous.
fn default_mutexes(features: &FeatureChoice) -> MutexChoice {
    match features {
        FeatureChoice::Dimension(_) => MutexChoice::Groups,
        FeatureChoice::File(_) => MutexChoice::None,
    }
}

/// A set of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeatureChoice {
    /// All features of at most this size.
    Dimension(usize),
    /// The features that a file lists.
    File(PathBuf),
}

impl PotentialSpec {
    /// The default heuristic over these features.
    pub fn new(features: FeatureChoice) -> Self {
        Self {
            mutexes: default_mutexes(&features),
            features,
            method: Method::Auto,
            budget: None,
            open: OpenValues::Unknown,
            objective: Objective::Initial,
            keeps_initial: true,
        }
    }

    /// The file that features are read from.
    fn feature_file(&self) -> Option<&Path> {
        match &self.features {
            FeatureChoice::File(file) => Some(file),
            FeatureChoice::Dimension(_) => None,
        }
    }

    /// Two-dimensional potentials with h² mutexes and open values by cases, in an LP with
    /// at most `budget` nonzeros.
    pub fn strong(budget: Option<u64>) -> Self {
        Self {
            budget,
            mutexes: MutexChoice::H2,
            open: OpenValues::Cases,
            ..Self::new(FeatureChoice::Dimension(2))
        }
    }
}

impl Spec {
    /// `pot(dim=K)`.
    pub fn dimension(dimension: usize) -> Self {
        Self::Potential(PotentialSpec::new(FeatureChoice::Dimension(dimension)))
    }

    /// The strongest heuristic that can be computed in sensible time: two-dimensional potentials
    /// over all pairs of facts, or over as many as fit an LP that should be solved within `time`.
    pub fn strongest(time: Option<Duration>) -> Self {
        let in_time = |time| Speed::RELIABLE.nonzeros_in(time).max(MIN_NONZEROS);
        let budget = time.map_or(MAX_NONZEROS, in_time);
        Self::Potential(PotentialSpec::strong(Some(budget)))
    }

    /// The files that features are read from.
    pub fn feature_files(&self) -> Vec<&Path> {
        match self {
            Self::Blind | Self::Partition(_) | Self::Auto => Vec::new(),
            Self::Potential(spec) => spec.feature_file().into_iter().collect(),
            Self::Saturated(spec) => {
                let potential = spec.potential();
                potential.and_then(PotentialSpec::feature_file).into_iter().collect()
            }
            Self::Max(specs) => specs.iter().flat_map(Self::feature_files).collect(),
        }
    }

    /// Whether the heuristic has potential functions, or may have.
    pub fn has_potentials(&self) -> bool {
        match self {
            Self::Blind | Self::Partition(_) | Self::Saturated(_) => false,
            Self::Auto | Self::Potential(_) => true,
            Self::Max(specs) => specs.iter().any(Self::has_potentials),
        }
    }

    /// Whether the heuristic has potential functions or cost partitionings, or may have.
    pub fn has_functions(&self) -> bool {
        match self {
            Self::Blind => false,
            Self::Auto | Self::Potential(_) | Self::Partition(_) | Self::Saturated(_) => true,
            Self::Max(specs) => specs.iter().any(Self::has_functions),
        }
    }
}

/// The nonzeros of the largest LP that `auto` solves without a time limit, which takes
/// some minutes; and with one: many LPs of 400,000 nonzeros are solved in 15 seconds.
const MAX_NONZEROS: u64 = 2_000_000;
const MIN_NONZEROS: u64 = 200_000;

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blind => f.write_str("blind"),
            Self::Auto => f.write_str("auto"),
            Self::Potential(spec) => spec.fmt(f),
            Self::Partition(spec) => spec.fmt(f),
            Self::Saturated(spec) => spec.fmt(f),
            Self::Max(specs) => {
                let specs: Vec<String> = specs.iter().map(ToString::to_string).collect();
                write!(f, "max({})", specs.join(", "))
            }
        }
    }
}

impl fmt::Display for PartitionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateEquation => f.write_str("seq"),
            Self::OperatorCosts { patterns, states } => match states {
                None => write!(f, "ocp({patterns})"),
                Some(AbstractStates::All) => write!(f, "ocp({patterns}, states=all)"),
                Some(AbstractStates::Reachable) => write!(f, "ocp({patterns}, states=reachable)"),
            },
            Self::TransitionCosts(patterns) => write!(f, "tcp({patterns})"),
        }
    }
}

impl fmt::Display for SaturatedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.components.iter().map(ToString::to_string).collect();
        let Self { saturator, orders, rounds, time, mutexes, .. } = Self::default();
        if self.orders != orders {
            parts.push(format!("orders={}", self.orders));
        }
        if self.rounds != rounds {
            parts.push(format!("rounds={}", self.rounds));
        }
        if self.saturator != saturator {
            let found = SATURATOR_NAMES.into_iter().find(|(own, _)| *own == self.saturator);
            parts.extend(found.map(|(_, name)| format!("saturator={name}")));
        }
        if self.mutexes != mutexes {
            parts.push(format!("mutexes={}", mutex_name(self.mutexes)));
        }
        if self.time != time {
            let seconds = self.time.unwrap_or_default().as_secs_f64();
            parts.push(format!("time={seconds}"));
        }
        write!(f, "scp({})", parts.join(", "))
    }
}

impl fmt::Display for SaturatedComponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let name = match self {
            Self::Potential(spec) => return spec.fmt(f),
            Self::Projections(params) => {
                let default = systematic::Params::default();
                if params.max_size != default.max_size {
                    parts.push(format!("size={}", params.max_size));
                }
                if params.max_states != default.max_states {
                    parts.push(format!("states={}", params.max_states));
                }
                "projections"
            }
            Self::Cartesian(params) => {
                let default = cartesian::Params::default();
                if params.max_transitions != default.max_transitions {
                    parts.push(format!("transitions={}", params.max_transitions));
                }
                "cartesian"
            }
        };
        match &parts[..] {
            [] => f.write_str(name),
            parts => write!(f, "{name}({})", parts.join(", ")),
        }
    }
}

impl fmt::Display for PotentialSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.features {
            FeatureChoice::Dimension(dimension) => write!(f, "pot(dim={dimension}")?,
            FeatureChoice::File(file) => write!(f, "pot(features={}", file.display())?,
        }
        if self.mutexes != default_mutexes(&self.features) {
            write!(f, ", mutexes={}", mutex_name(self.mutexes))?;
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
