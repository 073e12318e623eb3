//! Heuristics that solve an LP in every state: the state equation and cost
//! partitionings.
//!
//! Before a search there is nothing to compute but the bound in the initial
//! state. It is computed all the same: it is what `hipot bound` prints, it may
//! prove that there is no plan, and a certificate can be written.
//! [`Partitioning::build`] makes the heuristic again for the search, which needs
//! one of its own that changes from state to state; that takes no longer than a
//! few evaluations.
//!
//! *Which abstract states take part* ([`Scope`]) decides what a certificate can
//! say. Functions over all of them are consistent in every state of the task in
//! TNF, as a certificate has to be. Without those that no plan visits, values
//! can be higher, but to prove them one would have to prove that no plan comes
//! along there. The state equation and transition cost partitioning are about
//! all states in any case.

use std::fmt;
use std::time::Instant;

use hipot_partition::certify::Constraints;
use hipot_partition::projection::Scope;
use hipot_partition::reoptimize::Size;
use hipot_partition::{
    Bound, Error, Proof, Reoptimized, ocp, operator_cost, seq, tcp, transition_cost,
};
use hipot_task::{Heuristic, Limits, Task};

use crate::failure::Failure;

/// A heuristic of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartitionSpec {
    /// The state equation.
    StateEquation,
    /// Optimal operator cost partitioning over projections to at most so many
    /// variables.
    OperatorCosts(usize),
    /// Optimal transition cost partitioning over the same.
    TransitionCosts(usize),
}

impl fmt::Display for PartitionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateEquation => f.write_str("seq"),
            Self::OperatorCosts(dimension) => write!(f, "ocp(dim={dimension})"),
            Self::TransitionCosts(dimension) => write!(f, "tcp(dim={dimension})"),
        }
    }
}

/// What such a heuristic proves in the initial state.
#[derive(Clone, Debug)]
pub struct Partitioning {
    /// What was asked for.
    pub spec: PartitionSpec,
    /// Which abstract states operator cost partitionings are about.
    pub scope: Scope,
    /// The bound; no value where there is no plan.
    pub initial: Bound,
    /// What proves it, where that holds in all states of the task in TNF.
    pub proof: Option<Proof>,
    /// The size of the LP.
    pub size: Size,
    /// The time that building, solving and certifying took.
    pub seconds: f64,
}

impl Partitioning {
    /// Evaluates the initial state of `task`.
    pub(super) fn compute(
        task: &Task,
        spec: PartitionSpec,
        scope: Scope,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let begin = Instant::now();
        let evaluated = match spec {
            PartitionSpec::StateEquation => seq(task, limits).map(|h| evaluate(h, task)),
            PartitionSpec::OperatorCosts(dimension) => {
                ocp(task, &operator_costs(dimension, scope), limits).map(|h| evaluate(h, task))
            }
            PartitionSpec::TransitionCosts(dimension) => {
                tcp(task, &transition_costs(dimension), limits).map(|h| evaluate(h, task))
            }
        };
        let (initial, size, proof) = evaluated.map_err(|error| failure(spec, error))?;
        // An LP that was stopped leaves a value that is right, but not worth it.
        limits.check()?;
        let is_everywhere = scope == Scope::All || !matches!(spec, PartitionSpec::OperatorCosts(_));
        let proof = proof.filter(|_| is_everywhere);
        let seconds = begin.elapsed().as_secs_f64();
        Ok(Self { spec, scope, initial, proof, size, seconds })
    }

    /// max(0, ⌈h(s_I)⌉); `None` where there is no plan.
    pub fn bound(&self) -> Option<u64> {
        self.initial.estimate().cost()
    }

    /// h(s_I) as a fraction; `None` where there is no plan.
    pub fn exact(&self) -> Option<String> {
        self.initial.value.map(|value| value.to_string())
    }

    /// The heuristic for a search.
    pub fn build(&self, task: &Task, limits: &Limits) -> Result<Box<dyn Heuristic>, Failure> {
        let built: Result<Box<dyn Heuristic>, Error> = match self.spec {
            PartitionSpec::StateEquation => seq(task, limits).map(boxed),
            PartitionSpec::OperatorCosts(dimension) => {
                ocp(task, &operator_costs(dimension, self.scope), limits).map(boxed)
            }
            PartitionSpec::TransitionCosts(dimension) => {
                tcp(task, &transition_costs(dimension), limits).map(boxed)
            }
        };
        built.map_err(|error| failure(self.spec, error))
    }
}

fn operator_costs(dimension: usize, scope: Scope) -> operator_cost::Params {
    operator_cost::Params { dimension, scope, ..operator_cost::Params::default() }
}

fn transition_costs(dimension: usize) -> transition_cost::Params {
    transition_cost::Params { dimension, ..transition_cost::Params::default() }
}

fn boxed<C: Constraints + 'static>(heuristic: Reoptimized<C>) -> Box<dyn Heuristic> {
    Box::new(heuristic)
}

fn evaluate<C: Constraints>(
    mut heuristic: Reoptimized<C>,
    task: &Task,
) -> (Bound, Size, Option<Proof>) {
    let bound = heuristic.bound(task.initial());
    (bound, heuristic.size(), heuristic.proof(&bound))
}

fn failure(spec: PartitionSpec, error: Error) -> Failure {
    match (error, spec) {
        (Error::Stopped(stop), _) => stop.into(),
        (Error::Unsupported(unsupported), _) => unsupported.into(),
        // Theorem 7.
        (error @ Error::TooLarge { .. }, PartitionSpec::TransitionCosts(dimension)) => {
            Failure::Unsupported(format!(
                "{spec} is for small tasks: {error}; pot(dim={dimension}, mutexes=none) has the \
                 same value in the initial state"
            ))
        }
        (error @ Error::TooLarge { .. }, _) => {
            Failure::Unsupported(format!("{spec}: {error}; choose a lower dimension"))
        }
        (error @ Error::Solver(_), _) => Failure::Unsupported(format!("{spec}: {error}")),
    }
}
