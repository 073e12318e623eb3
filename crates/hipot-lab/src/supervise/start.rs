//! Starts a planner: isolated in namespaces if the kernel allows it, otherwise plain.
//!
//! Both ways put the same limits on each process and give the planner the same surroundings:
//! it starts in the run's folder, which is also its `TMPDIR`; its standard input is empty, and
//! its two output streams are ours to read.

use std::io;
use std::os::fd::AsRawFd;
use std::process::{Child, Command, Stdio};

use super::capture::Capture;
use super::job::Job;
use super::system::{self, Isolation, ProcessLimits};
use crate::model::Limits;

/// Private memory that a process may map beyond twice its limit: what the runtime of a
/// language needs before the program does anything.
const DATA_SLACK: u64 = 256 << 20;

/// A planner that has been started.
pub(super) struct Started {
    /// The process that we wait for: the planner, or the relay if it is isolated.
    pub(super) pid: i32,
    /// Delivers the planner's wait status if the planner is isolated, and so not our child.
    pub(super) status: Option<io::PipeReader>,
    pub(super) capture: Capture,
}

impl Started {
    /// Starts the planner of a job, isolated if possible.
    pub(super) fn new(job: &Job) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let isolation = Isolation::new(writer.as_raw_fd());
        let isolated = spawn(job, Some(isolation)).map(|child| (child, Some(reader)));
        // A program that cannot be started fails both ways; the second error says why.
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

/// The most bytes that a run may write to its folder.
pub(super) fn files_limit(limits: &Limits) -> u64 {
    limits.memory.max(limits.output)
}
