//! Heuristics that solve an LP in every state: the state equation and cost
//! partitionings.
//!
//! Before a search, only the initial state's bound is computed: `hipot bound` prints it,
//! it may prove that there is no plan, and it can be certified. The search needs a
//! heuristic of its own that changes from state to state. [`Partitioning::build`] builds the
//! LP again, which takes no longer than a few evaluations, and goes on from the initial
//! state's bound and the function that proves it.
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
    Bound, Error, PartitionHeuristic, Progress, Proof, Source, ocp, operator_cost, seq, tcp,
    transition_cost,
};
use hipot_task::{Heuristic, Limits, Rational, Task};

use crate::failure::Failure;
use crate::spec::{PartitionSpec, PatternChoice};

/// What a partitioning heuristic proves about the initial state.
#[derive(Clone, Debug)]
pub struct Partitioning {
    /// The heuristic.
    pub spec: PartitionSpec,
    /// The bound; it has no value if there is no plan.
    pub initial: Bound,
    /// The proof of the bound, if it holds in all states of the task in TNF.
    pub proof: Option<Proof>,
    /// The number of projections.
    pub projections: usize,
    /// The size of the LP.
    pub size: Size,
    /// The time for building, solving and certifying, in seconds.
    pub seconds: f64,
    formulation: Formulation,
    progress: Progress,
}

impl Partitioning {
    /// Evaluates the initial state of `task` by the LP of `spec`.
    pub(crate) fn compute(
        task: &Task,
        spec: &PartitionSpec,
        formulation: Formulation,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let begin = Instant::now();
        let evaluated = match &formulation {
            Formulation::StateEquation => seq(task, limits).map(|h| evaluate(h, task)),
            Formulation::OperatorCosts(params) => {
                ocp(task, params, limits).map(|h| evaluate(h, task))
            }
            Formulation::TransitionCosts(params) => {
                tcp(task, params, limits).map(|h| evaluate(h, task))
            }
        };
        let evaluated = evaluated.map_err(|error| failure(spec, error))?;
        // An LP that was stopped leaves a correct but useless value.
        limits.check()?;
        let Evaluated { initial, projections, size, proof, progress } = evaluated;
        let proof = proof.filter(|_| formulation.has_all_abstract_states());
        let (spec, seconds) = (spec.clone(), begin.elapsed().as_secs_f64());
        Ok(Self { spec, initial, proof, projections, size, seconds, formulation, progress })
    }

    /// max(0, ⌈h(s_I)⌉); `None` if there is no plan.
    pub fn bound(&self) -> Option<u64> {
        self.initial.estimate().cost()
    }

    /// h(s_I) as a fraction; `None` if there is no plan.
    pub fn exact(&self) -> Option<Rational> {
        self.initial.value
    }

    /// Whether the bound is the optimum of the LP, and not what is left after the solver
    /// failed.
    pub fn is_optimal(&self) -> bool {
        self.initial.source != Source::Earlier
    }

    /// The heuristic for a search.
    pub fn build(&self, task: &Task, limits: &Limits) -> Result<Box<dyn Heuristic>, Failure> {
        let built = match &self.formulation {
            Formulation::StateEquation => seq(task, limits).map(|h| self.resume(h)),
            Formulation::OperatorCosts(params) => ocp(task, params, limits).map(|h| self.resume(h)),
            Formulation::TransitionCosts(params) => {
                tcp(task, params, limits).map(|h| self.resume(h))
            }
        };
        built.map_err(|error| failure(&self.spec, error))
    }

    fn resume<C: Constraints + 'static>(
        &self,
        mut heuristic: PartitionHeuristic<C>,
    ) -> Box<dyn Heuristic> {
        heuristic.resume(self.progress.clone());
        Box::new(heuristic)
    }
}

/// The LP that a spec stands for.
#[derive(Clone, Debug)]
pub(crate) enum Formulation {
    StateEquation,
    OperatorCosts(operator_cost::Params),
    TransitionCosts(transition_cost::Params),
}

impl Formulation {
    fn has_all_abstract_states(&self) -> bool {
        match self {
            Self::OperatorCosts(params) => params.states == AbstractStates::All,
            Self::StateEquation | Self::TransitionCosts(_) => true,
        }
    }
}

/// What is known about the initial state.
struct Evaluated {
    initial: Bound,
    projections: usize,
    size: Size,
    proof: Option<Proof>,
    progress: Progress,
}

fn evaluate<C: Constraints>(mut heuristic: PartitionHeuristic<C>, task: &Task) -> Evaluated {
    let initial = heuristic.bound(task.initial());
    Evaluated {
        initial,
        projections: heuristic.projections().iter().count(),
        size: heuristic.size(),
        proof: heuristic.proof(&initial),
        progress: heuristic.progress(task.initial(), initial),
    }
}

fn failure(spec: &PartitionSpec, error: Error) -> Failure {
    match (error, spec) {
        (Error::Stopped(stop), _) => stop.into(),
        (Error::Unsupported(unsupported), _) => unsupported.into(),
        // Theorem 7.
        (
            error @ Error::TooLarge { .. },
            PartitionSpec::TransitionCosts(PatternChoice::All(dimension)),
        ) => Failure::Unsupported(format!(
            "{spec} is for small tasks: {error}; pot(dim={dimension}, paper) has the same value \
             in the initial state"
        )),
        (error @ Error::TooLarge { .. }, PartitionSpec::TransitionCosts(_)) => {
            Failure::Unsupported(format!("{spec} is for small tasks: {error}"))
        }
        (error @ Error::TooLarge { .. }, _) => {
            Failure::Unsupported(format!("{spec}: {error}; choose a lower dimension"))
        }
        (error @ Error::Solver(_), _) => Failure::Solver(format!("{spec}: {error}")),
    }
}
