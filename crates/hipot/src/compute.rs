//! From a spec to a heuristic.

use std::path::Path;

use hipot_analysis::PlainTask;
use hipot_partition::projection::{AbstractStates, Patterns};
use hipot_partition::{operator_cost, transition_cost};
use hipot_task::{Limits, Task};

use crate::failure::Failure;
use crate::function_file::FunctionFile;
use crate::heuristic::Computed;
use crate::partitioning::{Formulation, Partitioning};
use crate::pattern_file::read_patterns;
use crate::potential::{compute_potential, lp_time};
use crate::saturated::compute_saturated;
use crate::settings::{Completeness, Settings};
use crate::spec::{PartitionSpec, PatternChoice, Spec};

/// Computes the heuristic that `spec` names. If an LP reaches its time limit or does not
/// fit into memory, a weaker heuristic replaces it, unless the settings forbid that.
///
/// It is about the [plain task](PlainTask) of `task`.
pub fn compute(
    task: &Task,
    spec: &Spec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    for file in spec.feature_files() {
        // Standard input can be read once only.
        if file != Path::new("-") {
            FunctionFile::read(file)?.check_task(task)?;
        }
    }
    compute_plain(PlainTask::new(task).task(), spec, settings, limits)
}

/// Computes the heuristic for a task without axioms and conditional effects.
pub(crate) fn compute_plain(
    task: &Task,
    spec: &Spec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    match spec {
        Spec::Blind => Ok(Computed::Blind(Vec::new())),
        Spec::Auto => {
            let strongest = Spec::strongest(lp_time(settings, limits));
            let settings = Settings { completeness: Completeness::Optional, ..settings.clone() };
            compute_plain(task, &strongest, &settings, limits)
        }
        Spec::Max(specs) => {
            let parts = specs.iter().map(|spec| compute_plain(task, spec, settings, limits));
            Ok(Computed::Max(parts.collect::<Result<_, _>>()?))
        }
        Spec::Potential(spec) => compute_potential(task, spec, settings, limits),
        Spec::Partition(spec) => compute_partitioning(task, spec, settings, limits),
        Spec::Saturated(spec) => compute_saturated(task, spec, settings, limits),
    }
}

fn compute_partitioning(
    task: &Task,
    spec: &PartitionSpec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    let formulation = formulation(task, spec, settings.abstract_states)?;
    let partitioning = Partitioning::compute(task, spec, formulation, limits)?;
    if !partitioning.is_optimal() {
        let reason = "the LP for the initial state has no solution that could be certified";
        if settings.completeness == Completeness::Required {
            return Err(Failure::Solver(format!("{spec}: {reason}")));
        }
        tracing::warn!("{spec} is 0 in the initial state: {reason}");
    }
    settings.events.tell_bound(partitioning.bound());
    Ok(Computed::Partition(Box::new(partitioning)))
}

/// The LP that `spec` stands for. `states` are the abstract states of an operator cost
/// partitioning whose spec leaves them open.
fn formulation(
    task: &Task,
    spec: &PartitionSpec,
    states: AbstractStates,
) -> Result<Formulation, Failure> {
    Ok(match spec {
        PartitionSpec::StateEquation => Formulation::StateEquation,
        PartitionSpec::OperatorCosts { patterns, states: own } => {
            let (patterns, states) = (choose(task, patterns)?, own.unwrap_or(states));
            let params = operator_cost::Params { patterns, states, ..Default::default() };
            Formulation::OperatorCosts(params)
        }
        PartitionSpec::TransitionCosts(patterns) => {
            let patterns = choose(task, patterns)?;
            Formulation::TransitionCosts(transition_cost::Params { patterns, ..Default::default() })
        }
    })
}

fn choose(task: &Task, patterns: &PatternChoice) -> Result<Patterns, Failure> {
    Ok(match patterns {
        PatternChoice::All(dimension) => Patterns::All(*dimension),
        PatternChoice::Interesting(dimension) => Patterns::Interesting(*dimension),
        PatternChoice::InterestingGeneral(dimension) => Patterns::InterestingGeneral(*dimension),
        PatternChoice::File(file) => Patterns::Given(read_patterns(task, file)?),
    })
}
