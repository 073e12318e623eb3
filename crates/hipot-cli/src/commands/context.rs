//! What every command is given.

use std::path::PathBuf;
use std::sync::Arc;

use hipot::Failure;
use hipot::events::{Event, Events};
use hipot::input::{Input, read_task};
use hipot_task::Limits;

use super::log::log_heuristic;
use super::options::Options;
use crate::progress::Terminal;
use crate::reporter::Reporter;

/// What every command is given.
#[cfg_attr(not(feature = "lab"), expect(dead_code, reason = "some of it is for the lab"))]
pub(super) struct Context {
    /// The file that starts this program.
    pub(super) program: PathBuf,
    pub(super) options: Options,
    pub(super) limits: Limits,
    pub(super) reporter: Arc<Reporter>,
    pub(super) terminal: Arc<Terminal>,
    /// Shows and logs events, and notes bounds for the report.
    pub(super) events: Events,
    /// Checks whether `hipot solve` would accept these arguments, and says why not.
    pub(super) check_solve_arguments: fn(Vec<String>) -> Result<(), String>,
}

impl Context {
    /// Reads a task and shows how far grounding is.
    pub(super) fn read_task(&self, files: &[PathBuf]) -> Result<Input, Failure> {
        let input = read_task(files, &self.limits, &self.events)?;
        self.terminal.clear();
        self.terminal.set_decimals(input.task.decimals());
        self.reporter.note_task(&input.task);
        self.limits.check()?;
        Ok(input)
    }
}

/// The sink of all events of a command.
pub(super) fn events(terminal: &Arc<Terminal>, reporter: &Arc<Reporter>) -> Events {
    let (terminal, reporter) = (Arc::clone(terminal), Arc::clone(reporter));
    Events::new(move |event| {
        terminal.see(&event);
        match event {
            Event::Heuristic(heuristic) => log_heuristic(heuristic, terminal.decimals()),
            Event::Bound(bound) => reporter.prove(bound),
            _ => {}
        }
    })
}
