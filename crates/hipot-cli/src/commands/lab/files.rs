//! The files of an experiment, which most commands of the lab take.

use std::path::PathBuf;

use clap::Args;
use hipot_lab::Experiment;

use super::failure::LabFailure;
use crate::commands::context::Context;

/// The options that every run adds: a configuration that repeats one is refused.
const OPTIONS_OF_RUNS: [&str; 10] = [
    "--json",
    "--strict",
    "--cpu-limit",
    "1",
    "--time-limit",
    "1",
    "--memory-limit",
    "1G",
    "--plan-file",
    "plan",
];

/// The files of an experiment.
#[derive(Debug, Args)]
pub(super) struct Files {
    /// The experiment (TOML)
    experiment: PathBuf,

    /// The results [default: EXPERIMENT.sqlite next to it]
    #[arg(long, value_name = "FILE")]
    pub(super) database: Option<PathBuf>,
}

impl Files {
    /// Reads the experiment file, and checks that `hipot solve` accepts the configurations
    /// that are run with it.
    pub(super) fn read(&self, context: &Context) -> Result<Experiment, LabFailure> {
        let experiment = Experiment::read(&self.experiment)?;
        experiment.check_heuristics(|heuristic, options| {
            let own = OPTIONS_OF_RUNS.into_iter().chain(["--heuristic", heuristic]);
            let words = own.map(str::to_owned).chain(options.iter().cloned());
            (context.check_solve_arguments)(words.chain(["-".to_owned()]).collect())
        })?;
        Ok(experiment)
    }

    pub(super) fn database(&self, experiment: &Experiment) -> PathBuf {
        self.database.clone().unwrap_or_else(|| experiment.database())
    }
}
