//! `hipot solve`.

mod certificate_file;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueEnum};
use hipot::anytime::solve_anytime;
use hipot::events::{Event, Events};
use hipot::input::Input;
use hipot::no_plan::reasons;
use hipot::plan_check::check_pddl;
use hipot::report::{HeuristicReport, SolveReport, TaskReport};
use hipot::settings::Settings;
use hipot::solution::Solution;
use hipot::solve::solve;
use hipot::spec::Spec;
use hipot::{Failure, Status, peak_memory};
use hipot_search::{Outcome, UseOfSymmetries};
use hipot_task::Task;

use self::certificate_file::CertificateWriter;
use super::context::Context;
use super::examples::examples;
use super::log::log_task;
use super::options::{LpOptions, output_file};
use super::plan_file::{PlanWriter, remove_old_plans, write_plan};

/// Find a cost-optimal plan
///
/// The plan goes to standard output and to the plan file. If a limit is reached or the search is
/// interrupted, the best lower bound on the cost of every plan is printed.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot solve domain.pddl problem.pddl",
    "hipot solve task.sas --heuristic 'pot(dim=2)' --time-limit 30m --memory-limit 4G",
    "hipot solve task.sas --anytime --time-limit 5m",
    "hipot solve task.sas --certificate proof.cert --json",
]))]
pub(super) struct Arguments {
    /// The task: a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file (version 3; - for standard input)
    #[arg(required = true, num_args = 1..=2, value_name = "TASK")]
    task: Vec<PathBuf>,

    /// The heuristic: blind, pot(dim=K), pot(features=FILE), seq, ocp(dim=K), tcp(dim=K), scp(A, B,
    /// …), max(A, B, …), auto (see 'hipot help heuristics')
    #[arg(long, value_name = "SPEC", default_value = "auto")]
    heuristic: Spec,

    #[command(flatten)]
    lp: LpOptions,

    /// Of states that symmetries of the task map to each other, search only one: auto, if it saves
    /// states in a short search; on, from the beginning; off, never. The cost of the plan is the
    /// same
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    symmetries: Symmetries,

    /// Where to write the plan; an existing plan there is removed first
    #[arg(long, value_name = "FILE", default_value = "sas_plan", value_parser = output_file())]
    plan_file: PathBuf,

    /// Find a plan early, and cheaper ones while there is time for that, before an optimal one. Each
    /// is written to the plan file, and to a file of its own: FILE.1, FILE.2, … At a limit the best
    /// one is there, with the gap to the lower bound
    #[arg(long)]
    anytime: bool,

    /// Log to standard output as Fast Downward does, for Downward Lab; the plan goes to its file
    #[arg(long, conflicts_with = "json")]
    pub(super) downward_log: bool,
}

/// When to use symmetries.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Symmetries {
    Auto,
    On,
    Off,
}

impl From<Symmetries> for UseOfSymmetries {
    fn from(when: Symmetries) -> Self {
        match when {
            Symmetries::Auto => Self::IfTheyPay,
            Symmetries::On => Self::Always,
            Symmetries::Off => Self::Never,
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let Input { task, source } = context.read_task(&arguments.task)?;
    let read_time = context.reporter.elapsed();
    log_task(&task, read_time);
    let memory = peak_memory().map(|peak| format!("Translator peak memory: {} KB", peak >> 10));
    context.reporter.log(TaskReport::new(&task).lines().chain(memory));
    remove_old_plans(&arguments.plan_file, &arguments.task, arguments.anytime)?;

    let (task, source) = (Arc::new(task), source.map(Arc::new));
    let certificates = arguments.lp.certificate.as_ref().map(|file| {
        Arc::new(CertificateWriter::new(Arc::clone(&task), file.clone(), context.limits.clone()))
    });
    let solution = find_plan(&task, source.as_ref(), certificates.as_ref(), arguments, context)?;
    context.terminal.clear();
    if let (Some(source), Outcome::Solved(plan)) = (&source, &solution.result.outcome) {
        check_pddl(source, &task, plan);
    }

    let mut report = SolveReport::found(&task, &solution);
    if report.status == Status::Unsolvable {
        let (heuristic, result) = (solution.heuristic.to_string(), &solution.result);
        report.reasons = reasons(source.as_deref(), &task, &heuristic, result, &context.limits);
    }
    report.seconds.translate = read_time.as_secs_f64();
    let plan = report.plan_text();
    let saved = plan.map_or(Ok(()), |plan| write_plan(&plan, &arguments.plan_file));
    if let Some(certificates) = certificates {
        report.certificate = certificates.finish(&solution)?;
    }
    report.seconds.total = context.reporter.elapsed().as_secs_f64();
    report.peak_memory_bytes = peak_memory();
    let text = if arguments.downward_log { report.log() } else { report.text() };
    // With a cost in the log, Downward Lab would take the task for solved.
    if saved.is_ok() || !arguments.downward_log {
        context.reporter.write(&report, &text)?;
    }
    saved.map(|()| report.status)
}

/// Computes the heuristic and searches, writing certificates on the way.
fn find_plan(
    task: &Arc<Task>,
    source: Option<&Arc<hipot_pddl::Task>>,
    certificates: Option<&Arc<CertificateWriter>>,
    arguments: &Arguments,
    context: &Context,
) -> Result<Solution, Failure> {
    let events = noting_progress(task, context);
    let failure = Arc::<Mutex<Option<Failure>>>::default();
    let plans = PlanWriter {
        task: Arc::clone(task),
        source: source.cloned(),
        file: arguments.plan_file.clone(),
        limits: context.limits.clone(),
        reporter: Arc::clone(&context.reporter),
        failure: Arc::clone(&failure),
    };
    let mut events = plans.follow(&events);
    if let Some(certificates) = certificates {
        events = certificates.follow(&events);
    }
    let settings = arguments.lp.settings(&context.options, events);
    let settings = Settings { symmetries: arguments.symmetries.into(), ..settings };
    let solve = if arguments.anytime { solve_anytime } else { solve };
    let solution = solve(task, &arguments.heuristic, &settings, &context.limits);
    let not_certified = certificates.and_then(|certificates| certificates.take_failure());
    let no_plan_file = failure.lock().unwrap_or_else(PoisonError::into_inner).take();
    no_plan_file.or(not_certified).map_or(solution, Err)
}

/// The events of the command, which also note each heuristic and how far the search is, for a run
/// that has to be ended.
fn noting_progress(task: &Arc<Task>, context: &Context) -> Events {
    let (task, reporter) = (Arc::clone(task), Arc::clone(&context.reporter));
    context.events.then(move |event| match event {
        Event::Heuristic(heuristic) => {
            let bound = heuristic.bound(&task);
            reporter.note_heuristic(HeuristicReport::new(&task, heuristic, bound));
        }
        Event::Search(progress) => reporter.note_search(progress.statistics),
        _ => {}
    })
}
