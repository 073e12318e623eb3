//! `hipot lab status`.

use clap::Args;
use hipot_lab::Store;

use super::{Context, Files, Report};
use crate::failure::{Failure, Status};

/// Show how far an experiment is
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let experiment = arguments.files.read()?;
    let database = arguments.files.database(&experiment);
    let store = Store::open_existing(&database)?;
    if store.experiment_text()?.is_some_and(|text| text != experiment.text) {
        let file = experiment.file.display();
        tracing::warn!("{file} has changed since its last run: this is what it was then");
    }
    let overview = store.overview()?;
    if overview.set_aside > 0 {
        let rows = overview.set_aside;
        tracing::debug!("{rows} rows belong to tasks or configurations that are not in the file");
    }
    for hint in overview.hints() {
        tracing::warn!("{hint}");
    }
    let report = Report::new(&overview, &database);
    context.reporter.write(&report, &overview.text())?;
    Ok(report.status)
}
