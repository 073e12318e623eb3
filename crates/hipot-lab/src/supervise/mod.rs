//! One run of a planner, inside its limits, of which nothing is left behind.
//!
//! Planners fork, ignore signals, write without end, take all memory there is. So each
//! one is watched by a process of its own (`hipot lab supervise`), which starts it,
//! measures it, ends it, and tells the lab how it went: a [`Job`] comes as JSON in the
//! first line of standard input, an [`Outcome`] goes as JSON to standard output.
//! Standard input stays open meanwhile, as a lifeline: when it closes, the lab is gone,
//! and so is the run. A process of its own and no thread of the lab, because only a
//! process can adopt the orphans of its descendants, wait for all of them, and be told
//! from the system what these took and no others.
//!
//! | limit | who keeps it |
//! |---|---|
//! | processor time | all processes together: we, every few milliseconds; each one: the kernel (`RLIMIT_CPU`) |
//! | elapsed time, 2 × the limit + 10 s | we |
//! | memory | resident memory of all together: we; private memory of each, twice the limit: the kernel (`RLIMIT_DATA`) |
//! | what is written to the standard streams | we |
//! | what is written to files | the folder's contents: we, every second; the size of each: the kernel (`RLIMIT_FSIZE`); as much as the run may have memory |
//!
//! At a time limit the planner is told (SIGTERM to all its processes), so that it can
//! report what it knows, and has a second for it; then, and at other limits at once, all
//! its processes are killed. [`system`] says how nothing escapes.
//!
//! The kernel's limit on memory is not `RLIMIT_AS`, which is what Fast Downward's driver
//! sets: address space that is only reserved costs nothing, and Java, Go and Julia
//! reserve much of it. `RLIMIT_DATA` counts what is mapped to be written. Twice the limit,
//! because tables that grow by doubling have as much mapped before it is touched; it
//! catches what grows faster than we look.

mod capture;
mod client;
mod end;
mod folder;
mod system;
mod tree;
mod watch;

use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::model::Limits;
use capture::Capture;
pub use client::{Error, run_supervised};
use end::end_all;
pub(crate) use folder::remove_folder;
use system::{Isolation, ProcessLimits};
use watch::Watch;

/// Private memory that a process may have mapped beyond twice its limit: a language's
/// runtime, before it has done anything.
const DATA_SLACK: u64 = 256 << 20;

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// A folder made for this run, in which the program starts and has its temporary
    /// files. It is removed where the lifeline closes.
    pub directory: PathBuf,
    /// The limits.
    pub limits: Limits,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that was not ours.
    Signaled(i32),
    /// At its time limit.
    TimeLimit,
    /// At its memory limit.
    MemoryLimit,
    /// At the limit of what it may write.
    OutputLimit,
    /// Before it began.
    NotStarted(String),
    /// With the lab that wanted it.
    Interrupted,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The exit code, also of a planner that ended by itself when it was told to.
    pub exit_code: Option<i32>,
    /// Seconds elapsed.
    pub wall_seconds: f64,
    /// Seconds of processor time of all processes.
    pub cpu_seconds: f64,
    /// The most memory that all processes had together, in bytes.
    pub peak_memory: u64,
    /// Standard output, its middle left out where it is long.
    pub output: String,
    /// Standard error, likewise.
    pub errors: String,
}

impl Outcome {
    fn not_started(reason: String) -> Self {
        Self {
            end: End::NotStarted(reason),
            exit_code: None,
            wall_seconds: 0.0,
            cpu_seconds: 0.0,
            peak_memory: 0,
            output: String::new(),
            errors: String::new(),
        }
    }
}

/// Runs a job to its end, in a process that does nothing else: every child of this
/// process is taken for the planner's. When `lifeline` ends, or a signal asks this
/// process to, the run is ended and its folder removed.
pub fn supervise(job: &Job, lifeline: impl Read + Send + 'static) -> Outcome {
    let begin = Instant::now();
    let started = interruption(lifeline).and_then(|interrupted| {
        system::adopt_orphans()?;
        Ok((Started::new(job)?, interrupted))
    });
    let (started, interrupted) = match started {
        Ok(started) => started,
        Err(error) => return Outcome::not_started(not_started(job, &error)),
    };
    let mut watch = Watch::new(job, begin, started, &interrupted);
    let ended = watch.run();
    let wall = begin.elapsed();
    end_all(ended.first);
    let outcome = watch.outcome(ended, wall);
    if outcome.end == End::Interrupted {
        // Whoever wanted it is gone: nobody is left to be told of a failure.
        let _ = remove_folder(&job.directory);
    }
    outcome
}

fn not_started(job: &Job, error: &io::Error) -> String {
    let program = job.command.first().map_or("", String::as_str);
    format!("cannot start '{program}': {error}")
}

/// Becomes true when the lifeline ends, or on a signal.
fn interruption(mut lifeline: impl Read + Send + 'static) -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    let flag = Arc::clone(&interrupted);
    let wait = move || {
        // Whatever else is sent means nothing.
        let _ = io::copy(&mut lifeline, &mut io::sink());
        flag.store(true, Ordering::Relaxed);
    };
    thread::Builder::new().name("lifeline".to_owned()).spawn(wait)?;
    Ok(interrupted)
}

/// A planner that runs.
struct Started {
    /// The process that we wait for: the planner, or the relay before it.
    pid: i32,
    /// Where the planner's wait status comes from if it is not our child.
    status: Option<io::PipeReader>,
    capture: Capture,
}

impl Started {
    /// Starts the planner, isolated if possible.
    fn new(job: &Job) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let isolation = Isolation::new(writer.as_raw_fd());
        let isolated = spawn(job, Some(isolation)).map(|child| (child, Some(reader)));
        // A program that cannot be started fails both ways, and the second tells why.
        let (child, status) = isolated.or_else(|_| spawn(job, None).map(|child| (child, None)))?;
        drop(writer);
        Self::of(child, status)
    }

    fn of(mut child: Child, status: Option<io::PipeReader>) -> io::Result<Self> {
        let stdout = child.stdout.take().expect("asked for");
        let stderr = child.stderr.take().expect("asked for");
        Ok(Self { pid: child.id().cast_signed(), status, capture: Capture::begin(stdout, stderr)? })
    }
}

fn spawn(job: &Job, isolation: Option<Isolation>) -> io::Result<Child> {
    let (program, arguments) = job.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&job.directory).env("TMPDIR", &job.directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Limits { time, memory, .. } = job.limits;
    let limits = ProcessLimits {
        cpu_seconds: time.as_secs() + u64::from(time.subsec_nanos() > 0),
        data: memory.saturating_mul(2).saturating_add(DATA_SLACK),
        file: files_limit(&job.limits),
    };
    system::spawn(command, limits, isolation)
}

/// How much a run may write to its folder.
fn files_limit(limits: &Limits) -> u64 {
    limits.memory.max(limits.output)
}
