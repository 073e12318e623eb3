//! Experiment files.
//!
//! A file is TOML. Every mistake in it is reported with its line and column: invalid TOML,
//! unknown keys, values of the wrong type, times, sizes, names and globs that make no sense, keys
//! that exclude one another. Suites and configurations keep the order of the file, which is the
//! order of tables and of runs.
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
use crate::suite::{Suite, without_duplicates};

pub use engine::{EngineKind, EngineSettings, SlurmSettings};

/// The content of an experiment file.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, by default that of the file.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// The file's text.
    pub text: String,
    /// The suites, in the file's order.
    pub(crate) suites: Vec<Suite>,
    /// The configurations, in the file's order.
    pub configurations: Vec<Configuration>,
    /// The revisions that the file gives, by configuration.
    pub revisions: BTreeMap<String, String>,
    /// Where and how runs are made.
    pub engine: EngineSettings,
    /// The position in the text of each suite's folder, then of each configuration's planner.
    places: Vec<Range<usize>>,
}

impl Experiment {
    /// The default place of the results: next to the file.
    pub fn database(&self) -> PathBuf {
        self.file.with_extension("sqlite")
    }

    /// The tasks of all suites, in their order. A task that several suites contain belongs to
    /// the first of them.
    pub fn tasks(&self) -> Result<Vec<Task>, Error> {
        let mut tasks: Vec<Task> = Vec::new();
        for (suite, place) in self.suites.iter().zip(&self.places) {
            let found = suite.tasks();
            tasks.extend(found.map_err(|error| self.error_at(place, error.to_string()))?);
        }
        Ok(without_duplicates(tasks))
    }

    /// Checks heuristics and options with `check`, which knows hipot's command line, before
    /// hundreds of runs fail because of them.
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
