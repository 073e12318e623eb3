//! `hipot lab status`.

use clap::Args;
use hipot::Status;
use hipot_lab::{Overview, Store};

use super::failure::LabFailure;
use super::files::Files;
use super::state::StateReport;
use crate::commands::context::Context;
use crate::commands::examples::examples;
use crate::wording::counted;

/// Show how far an experiment is
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot lab status experiment.toml",
]))]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, LabFailure> {
    let experiment = arguments.files.read(context)?;
    let database = arguments.files.database(&experiment);
    if !database.exists() {
        let overview = Overview::planned(&experiment, experiment.tasks()?.len());
        tracing::info!("nothing was run yet: hipot lab run {}", experiment.file.display());
        let report = StateReport::new(&overview, &database);
        context.reporter.write(&report, &overview.text())?;
        return Ok(report.status);
    }
    let store = Store::open_existing(&database)?;
    if store.experiment_text()?.is_some_and(|text| text != experiment.text) {
        let file = experiment.file.display();
        tracing::warn!("{file} has changed since its last run; this is its state then");
    }
    let overview = store.overview()?;
    if overview.set_aside > 0 {
        let rows = counted(overview.set_aside, "row");
        tracing::debug!("{rows} of tasks or configurations that are not in the file");
    }
    for hint in overview.hints() {
        tracing::warn!("{hint}");
    }
    let report = StateReport::new(&overview, &database);
    context.reporter.write(&report, &overview.text())?;
    Ok(report.status)
}
