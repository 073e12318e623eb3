//! `hipot explain`.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hipot::certificate::write_certificate;
use hipot::compute::compute;
use hipot::events::Event;
use hipot::heuristic::ProvedPart;
use hipot::spec::Spec;
use hipot::{Failure, Status};
use hipot_task::Task;
use serde::Serialize;

use super::context::Context;
use super::log::log_task;
use super::options::{FunctionOptions, LpOptions, output_file};
use crate::explain::operator::{self, Choice, Names, OperatorExplanation, explain_operator};
use crate::explain::{Amount, Explanation, dot, explain, html, json, text};

/// Show what a potential heuristic is made of
///
/// Its variables, the features with the largest weights, how the initial state's value is composed,
/// the LP behind it, the slack of the operators, and a search with it. With --operator, one
/// operator instead: the features that it changes, its context-dependency graph, and the bucket
/// elimination of its contexts, step by step.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The task: a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file (version 3; - for standard input)
    #[arg(required = true, num_args = 1..=2, value_name = "TASK")]
    task: Vec<PathBuf>,

    /// The heuristic: pot(dim=K), pot(features=FILE), max(A, B, …), auto
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

    /// The number of features to show; with --operator also of equations in each step
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,

    /// Search with the heuristic until about N states are expanded; 0 for no search
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    search: u64,

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
    fn of_file(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "json" => Some(Self::Json),
            "html" | "htm" => Some(Self::Html),
            "dot" | "gv" => Some(Self::Dot),
            _ => None,
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
        let by_name = || self.output.as_deref().and_then(Format::of_file);
        let form = self.format.or_else(by_name);
        if context.options.json && self.output.is_none() && form.is_some_and(|f| f != Format::Json)
        {
            let message = "with --json, another format needs a file: add -o FILE";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(form.unwrap_or(Format::Text))
    }

    /// The operator to explain, if one is named.
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
}

fn nothing_to_explain(heuristic: &impl Display) -> Failure {
    Failure::Usage(format!(
        "there is nothing to explain about {heuristic}: it has no potential functions; choose a \
         potential heuristic such as pot(dim=2)"
    ))
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let form = arguments.form(context)?;
    if !arguments.heuristic.has_potentials() {
        return Err(nothing_to_explain(&arguments.heuristic));
    }
    let task = context.read_task(&arguments.task)?.task;
    log_task(&task, context.reporter.elapsed());
    let choice = arguments.choice(&task)?;
    let settings = arguments.lp.settings(&context.options, context.events.clone());
    let heuristic = compute(&task, &arguments.heuristic, &settings, &context.limits)?;
    context.events.tell(Event::Heuristic(&heuristic));
    if heuristic.potentials().is_empty() {
        return Err(nothing_to_explain(&heuristic));
    }
    if let Some(file) = &arguments.lp.certificate {
        write_certificate(&task, heuristic.best_potential().map(ProvedPart::Potential), file)?;
    }
    arguments.function.write(&heuristic)?;
    if let Some(choice) = choice {
        let explanation = explain_operator(&heuristic, &choice, &context.limits)?;
        let rendered = form.render_operator(&explanation, arguments.top);
        arguments.write(&explanation, &rendered, context)?;
        return Ok(explanation.status);
    }
    let is_searched = form != Format::Dot || context.options.json;
    let amount =
        Amount { top: arguments.top, search: if is_searched { arguments.search } else { 0 } };
    let explanation = explain(&task, &heuristic, amount, &context.limits)?;
    arguments.write(&explanation, &form.render(&explanation), context)?;
    Ok(explanation.status)
}
