//! Solve, bound, validate, verify.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hipot::compute::compute;
use hipot::events::{Event, Events};
use hipot::input::{Input, open_proof, parse_certificate, parse_plan, read_plan_file, read_task};
use hipot::plan_check::check_pddl;
use hipot::report::{BoundReport, SecondsReport, SolveReport};
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot::verdict::{ValidateReport, VerifyReport};
use hipot::{Failure, available_memory};
use hipot_check::Proof;
use hipot_partition::projection::AbstractStates;
use hipot_search::Outcome;
use hipot_task::{Amount, Limits, PlanStep, Stop, processor_time, resident_bytes};
use pyo3::prelude::*;

use crate::errors::{exception, usage};
use crate::potential::Heuristic;
use crate::supervise::supervise;
use crate::task::{Task, parse_pddl};

/// A task, a tuple of the texts of a domain and a problem, or the files to read.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    Task(Bound<'py, Task>),
    Text((String, String)),
    Files(Vec<PathBuf>),
}

/// The origin of a task, for another thread.
enum Origin {
    Input(Arc<Input>),
    Text(String, String),
    Files(Vec<PathBuf>),
}

impl From<Given<'_>> for Origin {
    fn from(given: Given<'_>) -> Self {
        match given {
            Given::Task(task) => Self::Input(Arc::clone(&task.get().input)),
            Given::Text((domain, problem)) => Self::Text(domain, problem),
            Given::Files(files) => Self::Files(files),
        }
    }
}

impl Origin {
    fn input(self, limits: &Limits) -> Result<Arc<Input>, Failure> {
        let input = match self {
            Self::Input(input) => return Ok(input),
            Self::Text(domain, problem) => parse_pddl(domain, problem, limits)?,
            Self::Files(files) => read_task(&files, limits, &Events::none())?,
        };
        limits.check()?;
        Ok(Arc::new(input))
    }
}

/// A run that Python asks for.
struct Run {
    begin: Instant,
    spec: Spec,
    settings: Settings,
    limits: Limits,
    proved: Proved,
}

impl Run {
    /// Times are in seconds. The limits on processor time and memory are on top of what the
    /// process has used already.
    fn new(
        py: Python<'_>,
        spec: &str,
        time_limit: Option<f64>,
        cpu_limit: Option<f64>,
        memory_limit: Option<u64>,
        lp_time_limit: Option<f64>,
        seed: u64,
    ) -> PyResult<Self> {
        let begin = Instant::now();
        let spec: Spec = spec.parse().map_err(|error| usage(py, format!("{error}")))?;
        let deadline = duration(py, time_limit)?.and_then(|limit| begin.checked_add(limit));
        let cpu_limit =
            duration(py, cpu_limit)?.map(|limit| processor_time().saturating_add(limit));
        let resident = resident_bytes().unwrap_or(0);
        let memory = memory_limit.or_else(|| available_memory().map(|free| free / 100 * 97));
        let memory = memory.map(|limit| resident.saturating_add(limit));
        let (lp_time_limit, proved) = (duration(py, lp_time_limit)?, Proved::default());
        let events = proved.events();
        let settings = Settings { lp_time_limit, seed, events, ..Settings::default() };
        let limits = Limits::new(deadline, memory).with_processor_limit(cpu_limit);
        Ok(Self { begin, spec, settings, limits, proved })
    }
}

fn duration(py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let parsed = seconds.map(Duration::try_from_secs_f64).transpose();
    parsed.map_err(|error| usage(py, format!("a time limit in seconds is expected: {error}")))
}

/// The best lower bound proved so far, shared between threads.
#[derive(Clone, Default)]
struct Proved {
    units: Arc<AtomicU64>,
    /// The number of decimals of costs, once the task is read.
    decimals: Arc<AtomicU32>,
}

impl Proved {
    /// Events that note each bound.
    fn events(&self) -> Events {
        let bound = Arc::clone(&self.units);
        Events::new(move |event| {
            if let Event::Bound(proved) = event {
                bound.fetch_max(proved, Ordering::Relaxed);
            }
        })
    }

    /// Notes the task that bounds are about.
    fn set_task(&self, task: &hipot_task::Task) {
        self.decimals.store(task.decimals(), Ordering::Relaxed);
    }

    fn get(&self) -> Amount {
        let units = self.units.load(Ordering::Relaxed);
        Amount { units, decimals: self.decimals.load(Ordering::Relaxed) }
    }
}

/// A report as JSON, and the heuristic of the last search.
type Planned = (String, Option<Heuristic>);

/// Searches for an optimal plan.
#[pyfunction]
#[pyo3(signature = (given, heuristic, time_limit, cpu_limit, memory_limit, lp_time_limit,
                    seed, on_lower_bound))]
#[allow(clippy::too_many_arguments, reason = "Python's side has names for them")]
pub(crate) fn solve(
    py: Python<'_>,
    given: Given<'_>,
    heuristic: &str,
    time_limit: Option<f64>,
    cpu_limit: Option<f64>,
    memory_limit: Option<u64>,
    lp_time_limit: Option<f64>,
    seed: u64,
    on_lower_bound: Option<Bound<'_, PyAny>>,
) -> PyResult<Planned> {
    let run = Run::new(py, heuristic, time_limit, cpu_limit, memory_limit, lp_time_limit, seed)?;
    let (begin, limits, proved) = (run.begin, run.limits.clone(), run.proved.clone());
    let origin = Origin::from(given);
    let mut look = tell(on_lower_bound, proved.clone());
    let answer = supervise(py, &limits, &mut look, move || find(origin, &run))?;
    look(py)?;
    match answer {
        Err(Failure::Stopped(stop)) => Ok((stopped(stop, proved.get(), begin), None)),
        answer => answer.map_err(|failure| exception(py, &failure)),
    }
}

/// Calls Python with each new bound.
fn tell(
    listener: Option<Bound<'_, PyAny>>,
    proved: Proved,
) -> impl FnMut(Python<'_>) -> PyResult<()> {
    let mut told = 0;
    move |_| {
        let bound = proved.get();
        if let Some(listener) = &listener
            && bound.units > told
        {
            told = bound.units;
            match bound.whole() {
                Some(whole) => listener.call1((whole,))?,
                None => listener.call1((bound.to_f64(),))?,
            };
        }
        Ok(())
    }
}

fn find(origin: Origin, run: &Run) -> Result<Planned, Failure> {
    let Run { begin, spec, settings, limits, proved } = run;
    let input = origin.input(limits)?;
    let read_time = begin.elapsed();
    let Input { task, source } = &*input;
    proved.set_task(task);
    let solution = hipot::solve::solve(task, spec, settings, limits)?;
    if let (Some(source), Outcome::Solved(plan)) = (source, &solution.result.outcome) {
        check_pddl(source, task, plan);
    }
    let mut report = SolveReport::found(task, &solution);
    let known = proved.get();
    let higher = |bound: Amount| if bound.units < known.units { known } else { bound };
    report.lower_bound = report.lower_bound.map(higher);
    report.seconds.translate = read_time.as_secs_f64();
    report.seconds.total = begin.elapsed().as_secs_f64();
    let report = json(&report);
    Ok((report, Some(Heuristic { input, computed: solution.heuristic })))
}

/// The report of `solve` if a limit came first.
fn stopped(stop: Stop, lower_bound: Amount, begin: Instant) -> String {
    let mut report = SolveReport::new(stop.into());
    report.lower_bound = Some(lower_bound);
    report.seconds.total = begin.elapsed().as_secs_f64();
    json(&report)
}

/// Proves a lower bound without search.
#[pyfunction]
#[pyo3(signature = (given, heuristic, time_limit, cpu_limit, memory_limit, lp_time_limit,
                    seed))]
#[allow(clippy::too_many_arguments, reason = "Python's side has names for them")]
pub(crate) fn bound(
    py: Python<'_>,
    given: Given<'_>,
    heuristic: &str,
    time_limit: Option<f64>,
    cpu_limit: Option<f64>,
    memory_limit: Option<u64>,
    lp_time_limit: Option<f64>,
    seed: u64,
) -> PyResult<Planned> {
    let mut run =
        Run::new(py, heuristic, time_limit, cpu_limit, memory_limit, lp_time_limit, seed)?;
    run.settings.abstract_states = AbstractStates::All;
    let (begin, limits, proved) = (run.begin, run.limits.clone(), run.proved.clone());
    let origin = Origin::from(given);
    match supervise(py, &limits, &mut |_| Ok(()), move || prove(origin, &run))? {
        Err(Failure::Stopped(stop)) => {
            let report = BoundReport::stopped(stop.into(), proved.get(), begin.elapsed());
            Ok((json(&report), None))
        }
        answer => answer.map_err(|failure| exception(py, &failure)),
    }
}

fn prove(origin: Origin, run: &Run) -> Result<Planned, Failure> {
    let Run { begin, spec, settings, limits, proved } = run;
    let input = origin.input(limits)?;
    proved.set_task(&input.task);
    let read_time = begin.elapsed();
    let before = Instant::now();
    let heuristic = compute(&input.task, spec, settings, limits)?;
    let heuristic_time = before.elapsed();
    let seconds = SecondsReport {
        translate: read_time.as_secs_f64(),
        heuristic: heuristic_time.as_secs_f64(),
        search: 0.0,
        total: begin.elapsed().as_secs_f64(),
    };
    let report = json(&BoundReport::new(&input.task, &heuristic, seconds));
    Ok((report, Some(Heuristic { input, computed: heuristic })))
}

/// A file, or its text.
#[derive(FromPyObject)]
pub(crate) enum Document {
    /// A tuple of the text alone.
    Text((String,)),
    /// A path.
    File(PathBuf),
}

impl Document {
    fn plan(&self) -> Result<Vec<PlanStep>, Failure> {
        match self {
            Self::Text((text,)) => parse_plan(Path::new("<plan>"), text),
            Self::File(file) => read_plan_file(file),
        }
    }

    fn proof(&self) -> Result<Proof<Box<dyn BufRead>>, Failure> {
        match self {
            Self::Text((text,)) => {
                parse_certificate(Path::new("<certificate>"), text).map(Proof::Function)
            }
            Self::File(file) => open_proof(file),
        }
    }

    fn name(&self) -> &Path {
        match self {
            Self::Text(_) => Path::new("<plan>"),
            Self::File(file) => file,
        }
    }
}

/// Executes a plan and returns the report as JSON.
#[pyfunction]
pub(crate) fn validate(py: Python<'_>, given: Given<'_>, plan: Document) -> PyResult<String> {
    let origin = Origin::from(given);
    judge(py, move |limits| {
        let input = origin.input(limits)?;
        Ok(json(&ValidateReport::of_input(&input, &plan.plan()?)?))
    })
}

/// Checks a certificate, and a plan if one is given, and returns the report as JSON.
#[pyfunction]
#[pyo3(signature = (given, certificate, plan))]
pub(crate) fn verify(
    py: Python<'_>,
    given: Given<'_>,
    certificate: Document,
    plan: Option<Document>,
) -> PyResult<String> {
    let origin = Origin::from(given);
    judge(py, move |limits| {
        let input = origin.input(limits)?;
        let mut report = VerifyReport::new(&input, certificate.proof()?)?;
        if let Some(plan) = plan {
            let validated = ValidateReport::of_input(&input, &plan.plan()?)?;
            report.add_plan(&validated, plan.name());
        }
        Ok(json(&report))
    })
}

/// Does `work` without limits; Ctrl-C interrupts it.
fn judge(
    py: Python<'_>,
    work: impl FnOnce(&Limits) -> Result<String, Failure> + Send + 'static,
) -> PyResult<String> {
    let limits = Limits::none();
    let own = limits.clone();
    let judged = supervise(py, &limits, &mut |_| Ok(()), move || work(&own))?;
    judged.map_err(|failure| exception(py, &failure))
}

fn json(report: &impl serde::Serialize) -> String {
    serde_json::to_string(report).expect("reports can be serialized")
}
