//! `hipot lab report`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use hipot::{Failure, Status};
use hipot_lab::report::{KnownCosts, Logs, Params, Report};
use hipot_lab::{Experiment, Planner, RunKey, Store};

use super::failure::LabFailure;
use super::files::Files;
use crate::commands::context::Context;
use crate::commands::examples::examples;
use crate::wording::counted;

/// Write the results as a page, and as files for papers and other programs
///
/// The page is one self-contained file: tables, plots, and a log behind each mark. With --json the
/// tables and all rows are printed, schema hipot.lab-report/1.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot lab report experiment.toml -o report.html --csv rows.csv",
    "hipot lab report experiment.toml --baseline blind --json",
]))]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,

    /// The page [default: EXPERIMENT.html next to the results]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// All rows as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// All rows as Downward Lab writes them
    #[arg(long, value_name = "FILE")]
    properties: Option<PathBuf>,

    /// The plots as SVG files, for papers
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,

    /// Compare the others with this configuration instead of all pairs
    #[arg(long, value_name = "CONFIGURATION")]
    baseline: Option<String>,

    /// A configuration whose plans need not be optimal; may be given several times
    #[arg(long, value_name = "CONFIGURATION")]
    satisficing: Vec<String>,

    /// Optimal costs that are known from elsewhere: a table with tabs and the columns domain,
    /// problem and cost
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, LabFailure> {
    let experiment = arguments.files.read(context)?;
    let database = arguments.files.database(&experiment);
    let store = Store::open_existing(&database)?;
    let costs = arguments.costs.as_deref().map(KnownCosts::read).transpose()?.unwrap_or_default();
    let params = Params {
        baseline: arguments.baseline.clone(),
        satisficing: arguments.satisficing.clone(),
        planners: planners(&experiment),
        costs,
    };
    let name = store.experiment_name()?;
    let report = Report::new(&name, &store.runs()?, store.records()?, &params)?;
    context.limits.check()?;
    let page = page_file(arguments, &experiment, &database);
    write_page(&report, &store, &page, context)?;
    write_others(arguments, &report)?;
    let count = report.warnings().len();
    if count > 0 {
        let results = counted(count, "contradiction");
        tracing::warn!("{results} between results: see the page");
    }
    let text = format!(
        "{}: {} of {} runs of {name}\n",
        page.display(),
        report.done_count(),
        report.expected_count()
    );
    context.reporter.write(&report, &text)?;
    Ok(if report.is_complete() { Status::Complete } else { Status::Incomplete })
}

/// What each configuration runs, in words.
fn planners(experiment: &Experiment) -> BTreeMap<String, String> {
    let words = |planner: &Planner| match planner {
        Planner::Hipot { heuristic, options } => {
            [heuristic].into_iter().chain(options).cloned().collect::<Vec<_>>().join(" ")
        }
        Planner::Command(words) => words.join(" "),
    };
    let configurations = experiment.configurations.iter();
    configurations.map(|it| (it.name.clone(), words(&it.planner))).collect()
}

/// The file of the page. A database has a name of its own only if one was chosen for it.
fn page_file(arguments: &Arguments, experiment: &Experiment, database: &Path) -> PathBuf {
    let beside = if arguments.files.database.is_some() { database } else { &experiment.file };
    arguments.output.clone().unwrap_or_else(|| beside.with_extension("html"))
}

fn write_page(
    report: &Report,
    store: &Store,
    file: &Path,
    context: &Context,
) -> Result<(), LabFailure> {
    let mut logs = Logs::new(report);
    store.for_each_log(|RunKey { suite, domain, problem, configuration }, text| {
        logs.add([suite, domain, problem, configuration], text);
    })?;
    context.limits.check()?;
    write(file, |out| out.write_all(report.page(&logs).as_bytes()))
}

fn write_others(arguments: &Arguments, report: &Report) -> Result<(), LabFailure> {
    if let Some(file) = &arguments.csv {
        write(file, |out| report.write_csv(out))?;
    }
    if let Some(file) = &arguments.properties {
        write(file, |out| report.write_properties(out))?;
    }
    if let Some(folder) = &arguments.plots {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::Unwritable { file: folder.clone(), error })?;
        for plot in report.plots() {
            let file = folder.join(report.file_name(plot));
            write(&file, |out| out.write_all(report.svg(plot).as_bytes()))?;
        }
    }
    Ok(())
}

fn write(
    file: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), LabFailure> {
    let write = || {
        let mut out = BufWriter::new(File::create(file)?);
        content(&mut out)?;
        out.flush()
    };
    Ok(write().map_err(|error| Failure::Unwritable { file: file.to_owned(), error })?)
}
