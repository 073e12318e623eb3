//! `hipot explain`.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hipot::certificate::write_certificate;
use hipot::compute::compute;
use hipot::events::Event;
use hipot::heuristic::Computed;
use hipot::input::Input;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot::{Failure, Status};
use hipot_analysis::PlainTask;
use hipot_partition::projection::AbstractStates;
use hipot_task::Task;
use serde::Serialize;

use super::context::Context;
use super::examples::examples;
use super::log::log_task;
use super::options::{FunctionOptions, LpOptions, output_file};
use crate::explain::operator::{self, Choice, Names, OperatorExplanation, explain_operator};
use crate::explain::{Amount, Explanation, dot, explain, html, json, text};

/// Show what a heuristic is made of
///
/// Potential functions: their variables, the features with the largest weights, how the initial
/// state's value is composed, the LP behind it, the slack of the operators, and a search. Cost
/// partitionings: which projection gets which share of each operator's cost, and what it makes of
/// it. With --operator, one operator instead: the features that it changes, its context-dependency
/// graph, and the bucket elimination of its contexts, step by step.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot explain domain.pddl problem.pddl",
    "hipot explain task.sas --heuristic 'pot(dim=1)' -o page.html",
    "hipot explain task.sas --operator 'hop-left rana s4 s3'",
]))]
pub(super) struct Arguments {
    /// The task: a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file (version 3; - for standard input)
    #[arg(required = true, num_args = 1..=2, value_name = "TASK")]
    task: Vec<PathBuf>,

    /// The heuristic: pot(dim=K), pot(features=FILE), seq, ocp(dim=K), tcp(dim=K), scp(A, B, …),
    /// max(A, B, …), auto (see 'hipot help heuristics')
    #[arg(long, value_name = "SPEC", default_value = "pot(dim=2)")]
    heuristic: Spec,

    /// The form: for people, programs, browsers, or Graphviz [default: by the extension of FILE, or
    /// text]
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Format>,

    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    output: Option<PathBuf>,

    /// Show this operator of the task in transition normal form, as plans name it; forgetting
    /// operators are called "forget FACT", and NAME#2 is the second of several with one name
    #[arg(long, value_name = "NAME", conflicts_with = "search")]
    operator: Option<String>,

    /// With --operator: the beginning of the elimination order, as names of variables. The last
    /// variable is eliminated first; variables that are not named come after these, in the best
    /// order found
    #[arg(long, value_name = "V1,V2,…", value_delimiter = ',', requires = "operator")]
    order: Option<Vec<String>>,

    /// The number of features, projections and operators to show; with --operator, of features and of
    /// equations in each step
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,

    /// Search with the heuristic until about N states are expanded; 0 for no search [default:
    /// 100000, or 0 with cost partitionings, which solve an LP in every state]
    #[arg(long, value_name = "N")]
    search: Option<u64>,

    /// Show potential functions as the transition cost partitionings that they correspond to
    /// (Theorem 7 of the paper)
    #[arg(long)]
    as_transition_costs: bool,

    #[command(flatten)]
    lp: LpOptions,

    #[command(flatten)]
    function: FunctionOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Html,
    Dot,
}

impl Format {
    /// The form that a file's extension asks for.
    fn of_file(file: &Path) -> Result<Self, Failure> {
        let extension = file.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("" | "txt" | "text") => Ok(Self::Text),
            Some("json") => Ok(Self::Json),
            Some("html" | "htm") => Ok(Self::Html),
            Some("dot" | "gv") => Ok(Self::Dot),
            _ => Err(Failure::Usage(format!(
                "there is no form for '{}': use .txt, .html, .json or .dot, or --format. Browsers \
                 print the page for .html as PDF, and Graphviz draws .dot",
                file.display()
            ))),
        }
    }

    fn render(self, explanation: &Explanation) -> String {
        match self {
            Self::Text => text(explanation),
            Self::Json => json(explanation),
            Self::Html => html(explanation),
            Self::Dot => dot(explanation),
        }
    }

    fn render_operator(self, explanation: &OperatorExplanation, top: usize) -> String {
        match self {
            Self::Text => operator::text(explanation, top),
            Self::Json => json(explanation),
            Self::Html => operator::html(explanation, top),
            Self::Dot => operator::dot(explanation),
        }
    }
}

impl Arguments {
    /// The form; an error if standard output would have to hold two.
    fn form(&self, context: &Context) -> Result<Format, Failure> {
        let by_name = self.output.as_deref().map(Format::of_file);
        let form = match (self.format, by_name) {
            (Some(form), _) => Some(form),
            (None, by_name) => by_name.transpose()?,
        };
        if context.options.json && self.output.is_none() && form.is_some_and(|f| f != Format::Json)
        {
            let message = "with --json, another format needs a file: add -o FILE";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(form.unwrap_or(Format::Text))
    }

    /// What the task is called: its names in PDDL, or that of its file.
    fn name_of_task(&self, source: Option<&hipot_pddl::Task>) -> String {
        match (source, self.task.as_slice()) {
            (Some(task), _) => format!("{} of {}", task.problem, task.domain),
            (None, [file, ..]) if file.as_os_str() != "-" => {
                let name = file.file_name().unwrap_or(file.as_os_str());
                name.to_string_lossy().into_owned()
            }
            _ => "standard input".to_owned(),
        }
    }

    /// The operator of the plain task to explain, if one is named.
    fn choice(&self, task: &Task) -> Result<Option<Choice>, Failure> {
        let names =
            |operator: &String| Names { operator: operator.clone(), order: self.order.clone() };
        self.operator.as_ref().map(|operator| Choice::new(task, &names(operator))).transpose()
    }

    /// Writes a result to the file, or else to standard output.
    fn write(
        &self,
        report: &impl Serialize,
        rendered: &str,
        context: &Context,
    ) -> Result<(), Failure> {
        let Some(file) = &self.output else { return context.reporter.write(report, rendered) };
        std::fs::write(file, rendered)
            .map_err(|error| Failure::Unwritable { file: file.clone(), error })?;
        context.reporter.write(report, "")
    }

    /// How much is explained, and how much is searched if the form shows it.
    fn amount(&self, heuristic: &Computed, shows_search: bool) -> Amount {
        const STATES: u64 = 100_000;
        let is_slow = heuristic.potentials().len() < heuristic.parts().len();
        let search = self.search.unwrap_or(if is_slow { 0 } else { STATES });
        let search = if shows_search { search } else { 0 };
        Amount { top: self.top, as_transition_costs: self.as_transition_costs, search }
    }
}

fn nothing_to_explain(heuristic: &impl Display) -> Failure {
    Failure::Usage(format!(
        "there is nothing to explain about {heuristic}: it has no potential functions; choose a \
         potential heuristic such as pot(dim=2), or a cost partitioning such as ocp(dim=2)"
    ))
}

fn no_elimination(heuristic: &impl Display) -> Failure {
    Failure::Usage(format!(
        "--operator shows how an operator changes potential functions, and {heuristic} has none; \
         choose a potential heuristic such as pot(dim=2)"
    ))
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let form = arguments.form(context)?;
    if !arguments.heuristic.has_functions() {
        return Err(nothing_to_explain(&arguments.heuristic));
    }
    if arguments.operator.is_some() && !arguments.heuristic.has_potentials() {
        return Err(no_elimination(&arguments.heuristic));
    }
    let Input { task, source } = context.read_task(&arguments.task)?;
    let name = arguments.name_of_task(source.as_ref());
    log_task(&task, context.reporter.elapsed());
    let choice = arguments.choice(PlainTask::new(&task).task())?;
    let settings = arguments.lp.settings(&context.options, context.events.clone());
    // As in bound: what is explained holds in all states, so that it can be written and certified.
    let settings = Settings { abstract_states: AbstractStates::All, ..settings };
    let heuristic = compute(&task, &arguments.heuristic, &settings, &context.limits)?;
    context.events.tell(Event::Heuristic(&heuristic));
    if heuristic.parts().is_empty() {
        return Err(nothing_to_explain(&heuristic));
    }
    if choice.is_some() && heuristic.potentials().is_empty() {
        return Err(no_elimination(&heuristic));
    }
    if let Some(file) = &arguments.lp.certificate {
        write_certificate(&task, &heuristic, file)?;
    }
    arguments.function.write(&task, &heuristic)?;
    if let Some(choice) = choice {
        let explanation = explain_operator(&heuristic, &choice, &context.limits)?;
        let rendered = form.render_operator(&explanation, arguments.top);
        arguments.write(&explanation, &rendered, context)?;
        return Ok(explanation.status);
    }
    let amount = arguments.amount(&heuristic, form != Format::Dot || context.options.json);
    let explanation = explain((name, &task), &heuristic, amount, &context.limits)?;
    arguments.write(&explanation, &form.render(&explanation), context)?;
    Ok(explanation.status)
}
