//! Experiment files.
//!
//! A file is TOML, and everything about it that can be wrong is told with its line and
//! column: what TOML forbids, keys that nobody knows, values of a wrong type, times, sizes,
//! names and globs that make no sense, keys that exclude one another. Suites and
//! configurations keep the order of the file, which is the order of tables and of runs.
//!
//! ```
//! use hipot_lab::Experiment;
//!
//! let text = r#"
//!     [limits]
//!     time = "30s"
//!
//!     [suites.ipc]
//!     folder = "benchmarks"
//!     sample = { per-domain = 3, seed = 7 }
//!
//!     [configurations.pot2]
//!     heuristic = "pot(dim=2)"
//!
//!     [configurations.lmcut]
//!     command = ["fast-downward", "--plan-file", "{plan}", "{domain}", "{problem}",
//!                "--search", "astar(lmcut())"]
//!     time = "1m"
//! "#;
//! let experiment = Experiment::parse("lab.toml".as_ref(), text)?;
//! assert_eq!(experiment.name, "lab");
//! assert_eq!(experiment.configurations[1].limits.time.as_secs(), 60);
//!
//! let error = Experiment::parse("lab.toml".as_ref(), "[limits]\ntime = \"soon\"").unwrap_err();
//! assert!(error.to_string().starts_with("lab.toml:2:8: expected a time such as 30m"));
//! # Ok::<(), hipot_lab::Error>(())
//! ```

mod engine;
mod parse;
mod place;
mod values;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use crate::error::Error;
use crate::model::{Configuration, Planner, Task};
use crate::suite::{self, Suite};

pub use engine::{EngineKind, EngineSettings, SlurmSettings};

/// What an experiment file says.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, by default the file's.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// The file's text.
    pub text: String,
    /// The suites, in the file's order.
    pub suites: Vec<Suite>,
    /// The configurations, in the file's order.
    pub configurations: Vec<Configuration>,
    /// The revisions that the file tells, by configuration.
    pub revisions: BTreeMap<String, String>,
    /// Where the runs are made.
    pub engine: EngineSettings,
    /// Where each suite's folder and each configuration's planner stand in the text.
    places: Vec<Range<usize>>,
}

impl Experiment {
    /// Where the results go, unless the command line says otherwise: beside the file.
    pub fn database(&self) -> PathBuf {
        self.file.with_extension("sqlite")
    }

    /// The tasks of all suites, in their order; a file that several suites have counts for
    /// the first of them.
    pub fn tasks(&self) -> Result<Vec<Task>, Error> {
        let mut tasks: Vec<Task> = Vec::new();
        for (suite, place) in self.suites.iter().zip(&self.places) {
            let found = suite.tasks().map_err(|error| match error {
                suite::Error::Lab(error) => error,
                other => self.error_at(place, other.to_string()),
            })?;
            tasks.extend(found);
        }
        Ok(suite::without_duplicates(tasks))
    }

    /// Asks somebody who knows hipot's command line whether heuristics and options are well
    /// formed, before hundreds of runs say that they are not.
    pub fn check_heuristics(
        &self,
        check: impl Fn(&str, &[String]) -> Result<(), String>,
    ) -> Result<(), Error> {
        let places = &self.places[self.suites.len()..];
        for (configuration, place) in self.configurations.iter().zip(places) {
            if let Planner::Hipot { heuristic, options } = &configuration.planner {
                check(heuristic, options).map_err(|message| self.error_at(place, message))?;
            }
        }
        Ok(())
    }

    fn error_at(&self, place: &Range<usize>, message: String) -> Error {
        place::error(&self.file, &self.text, place.start, message)
    }
}
