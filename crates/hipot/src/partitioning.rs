//! Heuristics that solve an LP in every state: the state equation and cost
//! partitionings.
//!
//! Before a search, only the initial state's bound is computed: `hipot bound` prints it,
//! it may prove that there is no plan, and it can be certified. The search needs a
//! heuristic of its own that changes from state to state; [`Partitioning::build`] builds
//! the LP again, which takes no longer than a few evaluations.
//!
//! *Which abstract states take part* ([`AbstractStates`]) decides what a certificate can say.
//! Functions over all of them are consistent in every state of the task in TNF, as a
//! certificate requires. Leaving out abstract states that no plan visits can raise the
//! values, but a proof would then have to show that no plan visits them. The state
//! equation and transition cost partitioning always take all abstract states.

use std::time::Instant;

use hipot_lp::Size;
use hipot_partition::certify::Constraints;
use hipot_partition::projection::AbstractStates;
use hipot_partition::{
    Bound, Error, PartitionHeuristic, Proof, ocp, operator_cost, seq, tcp, transition_cost,
};
use hipot_task::{Heuristic, Limits, Task};

use crate::failure::Failure;
use crate::spec::PartitionSpec;

/// What a partitioning heuristic proves about the initial state.
#[derive(Clone, Debug)]
pub struct Partitioning {
    /// The heuristic.
    pub spec: PartitionSpec,
    /// The abstract states that take part in an operator cost partitioning.
    pub states: AbstractStates,
    /// The bound; it has no value if there is no plan.
    pub initial: Bound,
    /// The proof of the bound, if it holds in all states of the task in TNF.
    pub proof: Option<Proof>,
    /// The size of the LP.
    pub size: Size,
    /// The time for building, solving and certifying, in seconds.
    pub seconds: f64,
}

impl Partitioning {
    /// Evaluates the initial state of `task`.
    pub(crate) fn compute(
        task: &Task,
        spec: PartitionSpec,
        states: AbstractStates,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let begin = Instant::now();
        let evaluated = match spec {
            PartitionSpec::StateEquation => seq(task, limits).map(|h| evaluate(h, task)),
            PartitionSpec::OperatorCosts(dimension) => {
                ocp(task, &operator_costs(dimension, states), limits).map(|h| evaluate(h, task))
            }
            PartitionSpec::TransitionCosts(dimension) => {
                tcp(task, &transition_costs(dimension), limits).map(|h| evaluate(h, task))
            }
        };
        let (initial, size, proof) = evaluated.map_err(|error| failure(spec, error))?;
        // An LP that was stopped leaves a correct but useless value.
        limits.check()?;
        let is_everywhere =
            states == AbstractStates::All || !matches!(spec, PartitionSpec::OperatorCosts(_));
        let proof = proof.filter(|_| is_everywhere);
        let seconds = begin.elapsed().as_secs_f64();
        Ok(Self { spec, states, initial, proof, size, seconds })
    }

    /// max(0, ⌈h(s_I)⌉); `None` if there is no plan.
    pub fn bound(&self) -> Option<u64> {
        self.initial.estimate().cost()
    }

    /// h(s_I) as a fraction; `None` if there is no plan.
    pub fn exact(&self) -> Option<String> {
        self.initial.value.map(|value| value.to_string())
    }

    /// The heuristic for a search.
    pub fn build(&self, task: &Task, limits: &Limits) -> Result<Box<dyn Heuristic>, Failure> {
        let built: Result<Box<dyn Heuristic>, Error> = match self.spec {
            PartitionSpec::StateEquation => seq(task, limits).map(boxed),
            PartitionSpec::OperatorCosts(dimension) => {
                ocp(task, &operator_costs(dimension, self.states), limits).map(boxed)
            }
            PartitionSpec::TransitionCosts(dimension) => {
                tcp(task, &transition_costs(dimension), limits).map(boxed)
            }
        };
        built.map_err(|error| failure(self.spec, error))
    }
}

fn operator_costs(dimension: usize, states: AbstractStates) -> operator_cost::Params {
    operator_cost::Params { dimension, states, ..operator_cost::Params::default() }
}

fn transition_costs(dimension: usize) -> transition_cost::Params {
    transition_cost::Params { dimension, ..transition_cost::Params::default() }
}

fn boxed<C: Constraints + 'static>(heuristic: PartitionHeuristic<C>) -> Box<dyn Heuristic> {
    Box::new(heuristic)
}

fn evaluate<C: Constraints>(
    mut heuristic: PartitionHeuristic<C>,
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
        (error @ Error::Solver(_), _) => Failure::Solver(format!("{spec}: {error}")),
    }
}
