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

use super::context::Context;
use super::log::log_task;
use super::options::{FunctionOptions, LpOptions, output_file};
use crate::explain::{Amount, Explanation, dot, explain, html, json, text};

/// Show what a potential heuristic is made of
///
/// Its variables, the features with the largest weights, how the initial state's value is composed,
/// the LP behind it, the slack of the operators, and a search with it.
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

    /// The number of features to show
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
    let is_searched = form != Format::Dot || context.options.json;
    let amount =
        Amount { top: arguments.top, search: if is_searched { arguments.search } else { 0 } };
    let explanation = explain(&task, &heuristic, amount, &context.limits)?;
    let rendered = form.render(&explanation);
    match &arguments.output {
        Some(file) => {
            std::fs::write(file, rendered)
                .map_err(|error| Failure::Unwritable { file: file.clone(), error })?;
            context.reporter.write(&explanation, "")?;
        }
        None => context.reporter.write(&explanation, &rendered)?,
    }
    Ok(explanation.status)
}
