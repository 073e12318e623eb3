//! `hipot translate`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use hipot::input::{pddl_files, read_pddl, translate_task};
use hipot::report::TaskReport;
use hipot::{Failure, Status, peak_memory};
use hipot_task::{Task, sas};
use serde::Serialize;

use super::context::Context;
use super::examples::examples;
use super::options::output_file;

/// Translate PDDL to finite-domain SAS+ (.sas, version 3)
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot translate domain.pddl problem.pddl -o task.sas",
]))]
pub(super) struct Arguments {
    /// A PDDL domain and problem, or a PDDL problem with its domain next to it
    #[arg(required = true, num_args = 1..=2, value_names = ["DOMAIN", "PROBLEM"])]
    files: Vec<PathBuf>,

    /// Where to write the task [default: standard output]
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    output: Option<PathBuf>,
}

/// The result of `hipot translate`, schema `hipot.translate/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    status: Status,
    file: Option<PathBuf>,
    task: TaskReport,
    seconds: Seconds,
    peak_memory_bytes: Option<u64>,
}

/// Where the time went.
#[derive(Debug, Serialize)]
struct Seconds {
    parse: f64,
    translate: f64,
    total: f64,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.translate/1";

    /// Lines as Fast Downward's translator has them.
    fn text(&self) -> String {
        let total = format!("Total time: {:.3}s\n", self.seconds.total);
        self.task.lines().chain([total]).collect::<Vec<_>>().join("\n")
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    if context.options.json && arguments.output.is_none() {
        return Err(Failure::Usage("--json needs a file for the task: add -o FILE".to_owned()));
    }
    let Some((domain, problem)) = pddl_files(&arguments.files)? else {
        let file = arguments.files[0].display();
        return Err(Failure::Usage(format!("'{file}' is not PDDL; give a domain and a problem")));
    };
    let begin = Instant::now();
    let source = read_pddl(&domain, &problem)?;
    let parse = begin.elapsed().as_secs_f64();
    let task = translate_task(&source, &problem, &context.limits, &context.events)?;
    context.terminal.clear();
    let translate = begin.elapsed().as_secs_f64() - parse;
    match &arguments.output {
        None => {
            let mut text = Vec::new();
            sas::write(&task, &mut text).expect("memory can be written");
            context.reporter.write(&(), &String::from_utf8(text).expect("names are text"))?;
        }
        Some(file) => {
            write(&task, file)?;
            let total = context.reporter.elapsed().as_secs_f64();
            let report = Report {
                schema: Report::SCHEMA,
                status: Status::Translated,
                file: Some(file.clone()),
                task: TaskReport::new(&task),
                seconds: Seconds { parse, translate, total },
                peak_memory_bytes: peak_memory(),
            };
            context.reporter.write(&report, &report.text())?;
        }
    }
    Ok(Status::Translated)
}

fn write(task: &Task, file: &Path) -> Result<(), Failure> {
    let written = File::create(file).and_then(|created| {
        let mut buffered = BufWriter::new(created);
        sas::write(task, &mut buffered)?;
        buffered.flush()
    });
    written.map_err(|error| Failure::Unwritable { file: file.to_owned(), error })
}
