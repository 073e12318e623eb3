//! `hipot check`: whether a given potential function is consistent. (The crate hipot-check
//! is something else: it checks plans and certificates, for `validate` and `verify`.)

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hipot::function_file::FunctionFile;
use hipot::potential_file::GivenPotential;
use hipot::{Failure, Status};
use hipot_potential::consistency::{ExactPotential, Verdict, Witness, check};
use hipot_task::{Fact, Task};
use serde::Serialize;

use super::context::Context;
use super::examples::examples;

/// Check whether a given potential function is goal-aware, consistent, admissible
///
/// The function may have any dimension. It must be consistent in all states, reachable or not. If an
/// operator lowers the potential by more than it costs, a transition that shows this is printed.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot check task.sas potential.json",
    "hipot check task.sas potential.json --property consistent --json",
]))]
pub(super) struct Arguments {
    /// The task (a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file, version 3), then the potential function (JSON, or a certificate)
    #[arg(required = true, num_args = 2..=3, value_names = ["TASK", "POTENTIAL"])]
    task_and_potential: Vec<PathBuf>,

    /// The property that the exit code is about: 0 if the function has it, 1 if not
    #[arg(long, value_enum, value_name = "PROPERTY", default_value_t = Property::Admissible)]
    property: Property,
}

/// What the function is asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Property {
    /// No operator lowers it by more than it costs
    Consistent,
    /// Goal-aware and consistent, and so never above the true cost
    Admissible,
}

/// The result of `hipot check`, schema `hipot.check/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    /// `valid`: it has the property asked for.
    status: Status,
    goal_aware: bool,
    consistent: bool,
    /// `None`: not decided by the two.
    admissible: Option<bool>,
    /// The potential of the initial state.
    initial_exact: String,
    /// The potential of the goal state.
    goal_exact: String,
    /// The size of the largest feature.
    dimension: usize,
    /// The number of features in the file.
    features: usize,
    /// The largest width of an elimination order for an operator's contexts.
    width: usize,
    witness: Option<WitnessReport>,
}

/// A transition that lowers the potential by more than it costs.
#[derive(Debug, Serialize)]
struct WitnessReport {
    operator: String,
    cost: u32,
    /// For each variable the name of its value before the operator.
    state: Vec<String>,
    before: String,
    after: String,
    excess: String,
    #[serde(skip)]
    variables: Vec<String>,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.check/1";

    fn new(task: &Task, given: &GivenPotential, verdict: &Verdict, property: Property) -> Self {
        let valid = match property {
            Property::Consistent => verdict.consistent(),
            Property::Admissible => verdict.goal_aware() && verdict.consistent(),
        };
        Self {
            schema: Self::SCHEMA,
            status: if valid { Status::Valid } else { Status::Invalid },
            goal_aware: verdict.goal_aware(),
            consistent: verdict.consistent(),
            admissible: verdict.admissible(),
            initial_exact: verdict.initial.to_string(),
            goal_exact: verdict.goal.to_string(),
            dimension: given.features.dimension(),
            features: given.features.len(),
            width: verdict.width,
            witness: verdict.witness.as_ref().map(|witness| WitnessReport::new(task, witness)),
        }
    }

    fn text(&self) -> String {
        let goal = &self.goal_exact;
        let goal_aware = if self.goal_aware { "yes" } else { "no" };
        let admissible = match self.admissible {
            Some(true) => "yes (goal-aware and consistent)",
            Some(false) => "no (a goal state costs nothing)",
            None => "not implied",
        };
        let mut lines = vec![
            format!("goal-aware: {goal_aware} (the potential of the goal state is {goal})"),
            format!("consistent: {}", if self.consistent { "yes" } else { "no" }),
            format!("admissible: {admissible}"),
        ];
        if let Some(witness) = &self.witness {
            witness.add_to(&mut lines);
        }
        lines.extend([
            format!("Potential of the initial state: {}", self.initial_exact),
            format!("Dimension: {}", self.dimension),
            format!("Features: {}", self.features),
            format!("Largest context width: {}", self.width),
        ]);
        lines.join("\n") + "\n"
    }
}

impl WitnessReport {
    fn new(task: &Task, witness: &Witness) -> Self {
        let values = task.variable_ids().zip(&witness.state);
        let name = |(variable, &value)| task.fact_name(Fact::new(variable, value)).to_owned();
        let operator = task.operator(witness.operator);
        Self {
            operator: operator.name.clone(),
            cost: operator.cost,
            state: values.map(name).collect(),
            before: witness.before.to_string(),
            after: witness.after.to_string(),
            excess: witness.excess.to_string(),
            variables: task.variables().iter().map(|variable| variable.name.clone()).collect(),
        }
    }

    fn add_to(&self, lines: &mut Vec<String>) {
        let Self { operator, cost, state, before, after, excess, variables } = self;
        lines.push(format!(
            "Operator ({operator}) costs {cost} but takes the potential from {before} to {after}, \
             {excess} too much, in the state"
        ));
        lines.extend(variables.iter().zip(state).map(|(name, fact)| format!("  {name}: {fact}")));
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let files = &arguments.task_and_potential;
    let (file, task) = files.split_last().expect("clap asks for two files");
    if file.extension().is_some_and(|it| it.eq_ignore_ascii_case("pddl")) {
        let file = file.display();
        let message = format!(
            "the potential function is missing after '{file}': hipot check TASK POTENTIAL. To \
             solve a task, use hipot solve"
        );
        return Err(Failure::Usage(message));
    }
    let task = context.read_task(task)?.task;
    let file = FunctionFile::read(file)?;
    let normal = file.normal_form(&task, &context.limits)?;
    let given = file.potential(&task, &normal)?;
    if file.rests_on_mutexes() {
        tracing::warn!(
            "the certificate rests on mutexes, but check asks about all states; hipot verify \
             checks the certificate as it is"
        );
    }
    let potential = exact(&given)?;
    let verdict =
        check(&normal, &potential).map_err(|error| Failure::Unsupported(error.to_string()))?;
    let report = Report::new(normal.task(), &given, &verdict, arguments.property);
    context.reporter.write(&report, &report.text())?;
    Ok(report.status)
}

fn exact(given: &GivenPotential) -> Result<ExactPotential, Failure> {
    ExactPotential::new(&given.features, &given.weights, given.constant)
        .map_err(|error| Failure::Unsupported(error.to_string()))
}
