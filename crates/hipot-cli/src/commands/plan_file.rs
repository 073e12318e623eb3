//! Plan files: removed before a run, and written as plans are found.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hipot::events::{Event, Events};
use hipot::input::pddl_files;
use hipot::plan_check::check_pddl;
use hipot::report::SolveReport;
use hipot::{Failure, Status};
use hipot_task::{Limits, Plan, Stop, Task};

use crate::reporter::Reporter;

/// Removes the plans of an earlier run, which must not be mistaken for this run's. Refuses if
/// the plan file is one of the task's files.
pub(super) fn remove_old_plans(
    file: &Path,
    task: &[PathBuf],
    is_anytime: bool,
) -> Result<(), Failure> {
    let pddl = pddl_files(task)?.map(|(domain, problem)| vec![domain, problem]);
    let task = pddl.as_deref().unwrap_or(task);
    let place = |file: &Path| file.canonicalize().ok();
    let count = if is_anytime { usize::MAX } else { 0 };
    for old in [file.to_owned()].into_iter().chain((1..=count).map(|it| numbered(file, it))) {
        if place(&old).is_some_and(|plan| task.iter().any(|it| place(it).as_ref() == Some(&plan))) {
            let old = old.display();
            let message = format!("the plan cannot be written to '{old}': it is the task");
            return Err(Failure::Usage(message));
        }
        let is_there = old.symlink_metadata().is_ok_and(|found| found.is_file());
        if is_there {
            std::fs::remove_file(&old)
                .map_err(|error| Failure::Unwritable { file: old.clone(), error })?;
        }
        if !is_there && old != file {
            break;
        }
    }
    Ok(())
}

/// The file of the plan with this number, as Fast Downward names it.
fn numbered(file: &Path, number: usize) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

pub(super) fn write_plan(plan: &str, file: &Path) -> Result<(), Failure> {
    std::fs::write(file, plan).map_err(|error| Failure::Unwritable { file: file.to_owned(), error })
}

/// Writes each plan that need not be optimal when it is found.
pub(super) struct PlanWriter {
    pub(super) task: Arc<Task>,
    /// The PDDL task that it was translated from.
    pub(super) source: Option<Arc<hipot_pddl::Task>>,
    pub(super) file: PathBuf,
    pub(super) limits: Limits,
    pub(super) reporter: Arc<Reporter>,
    /// Why a plan could not be written.
    pub(super) failure: Arc<Mutex<Option<Failure>>>,
}

impl PlanWriter {
    /// The events that are told to `events` and write plans.
    pub(super) fn follow(self, events: &Events) -> Events {
        let count = AtomicUsize::new(0);
        events.then(move |event| {
            let Event::Plan(plan) = event else { return };
            let number = 1 + count.fetch_add(1, Ordering::Relaxed);
            if let Err(failure) = self.write(plan, number) {
                // Events cannot fail: the run is asked to stop, and the failure kept.
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
                self.limits.request(Stop::Interrupted);
            }
        })
    }

    fn write(&self, plan: &Plan, number: usize) -> Result<(), Failure> {
        if let Some(source) = &self.source {
            check_pddl(source, &self.task, plan);
        }
        let mut report = SolveReport::new(Status::Interrupted);
        report.add_incumbent(&self.task, plan);
        let text = report.plan_text().expect("the report has a plan");
        write_plan(&text, &numbered(&self.file, number))?;
        write_plan(&text, &self.file)?;
        self.reporter.note_plan(&self.task, plan);
        Ok(())
    }
}
