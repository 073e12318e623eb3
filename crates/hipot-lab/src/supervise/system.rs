//! System calls: to start processes, limit them, and end them.
//!
//! A planner is started in one of two ways.
//!
//! *Isolated*, if the kernel allows it (to root, or through a user namespace), as the second
//! process of a PID namespace:
//!
//! ```text
//! supervisor ── relay ── init (1) ── planner ── …
//! ```
//!
//! When the init of a namespace ends, the kernel ends every process in it, whatever these did
//! to their sessions, parents and signal handlers. The init ends when the planner does, after
//! it has written the planner's wait status into a pipe, and when the relay dies. The relay
//! dies when the supervisor does, for whatever reason (`PR_SET_PDEATHSIG`). So nothing
//! outlives the run, even if the supervisor is killed. The relay exists because `unshare`
//! moves only children into a namespace. The namespace has its own `/proc`, for programs that
//! look themselves up by process number. Mounts from outside still arrive (`MS_SLAVE`, for
//! home folders that are mounted on first use), but none leave.
//!
//! *Plain* otherwise: the planner is a child of the supervisor. In both cases the supervisor is
//! a child subreaper: orphans become its children, where it finds and ends them. What is lost
//! without isolation is the case that the supervisor itself is killed: then only the planner's
//! first process dies with it.
//!
//! Control groups would also do, and count better. We do not use them: control groups that a
//! user may write to are rare outside of Slurm and systemd, and Slurm already uses them.

// The only module of the crate that calls the system below the standard library.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use libc::{c_int, pid_t};

/// The highest descriptor that is closed one by one, on old kernels.
const MAX_DESCRIPTOR: RawFd = 1 << 16;

/// Limits that the kernel enforces on each process.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessLimits {
    /// Processor time in whole seconds. One second later the process is killed.
    pub(super) cpu_seconds: u64,
    /// Private writable memory in bytes, touched or not.
    pub(super) data: u64,
    /// The size of a file in bytes.
    pub(super) file: u64,
}

/// Makes orphans among our descendants our children, and lets us wait for them.
pub(super) fn adopt_orphans() -> io::Result<()> {
    // SAFETY: no handler is installed. Our parent may have ignored the signal; we would
    // inherit that, and the kernel would then discard children that end.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    // SAFETY: sets a flag of this process.
    succeeded(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }).map(drop)
}

/// Sends a signal to a process, or to a process group if `pid` is negative. It is not an
/// error if that is already gone.
pub(super) fn send(pid: pid_t, signal: c_int) {
    debug_assert!(!(-1..=1).contains(&pid), "0, 1 and -1 mean other processes");
    // SAFETY: plain numbers.
    unsafe { libc::kill(pid, signal) };
}

/// Waits for a child that has already ended, if any. `Err` if we have no children.
pub(super) fn reap() -> io::Result<Option<(pid_t, ExitStatus)>> {
    let mut status = 0;
    // SAFETY: `status` is a place to write to.
    match succeeded(unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) })? {
        0 => Ok(None),
        pid => Ok(Some((pid, ExitStatus::from_raw(status)))),
    }
}

/// Processor time, and the largest resident memory of a single process in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResourceUsage {
    pub(super) cpu: Duration,
    pub(super) resident: u64,
}

/// What the children used that we have waited for, and their descendants likewise.
pub(super) fn usage_of_children() -> ResourceUsage {
    usage_of(libc::RUSAGE_CHILDREN)
}

/// What this process has used.
pub(super) fn usage_of_self() -> ResourceUsage {
    usage_of(libc::RUSAGE_SELF)
}

fn usage_of(whom: c_int) -> ResourceUsage {
    // SAFETY: a structure of numbers, for which 0 is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is a place to write to.
    if unsafe { libc::getrusage(whom, &raw mut usage) } != 0 {
        return ResourceUsage::default();
    }
    let time = |time: libc::timeval| {
        let (seconds, micros) = (time.tv_sec.unsigned_abs(), time.tv_usec.unsigned_abs());
        Duration::from_secs(seconds) + Duration::from_micros(micros)
    };
    ResourceUsage {
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        resident: usage.ru_maxrss.unsigned_abs() << 10,
    }
}

/// Ticks per second in `/proc/*/stat`.
pub(super) fn ticks_per_second() -> u64 {
    system_constant(libc::_SC_CLK_TCK).unwrap_or(100)
}

/// The size of a page of memory in bytes.
pub(super) fn page_size() -> u64 {
    system_constant(libc::_SC_PAGESIZE).unwrap_or(4096)
}

fn system_constant(name: c_int) -> Option<u64> {
    // SAFETY: a plain number.
    u64::try_from(unsafe { libc::sysconf(name) }).ok().filter(|&value| value > 0)
}

/// Puts a planner into namespaces.
#[derive(Clone, Debug)]
pub(super) struct Isolation {
    /// The descriptor to which the init writes the planner's wait status.
    status: RawFd,
    /// Files to write, and their text, so that an unprivileged user keeps her identity.
    identity: Vec<(CString, CString)>,
}

impl Isolation {
    /// Isolation that writes the wait status to the descriptor `status`.
    pub(super) fn new(status: RawFd) -> Self {
        // SAFETY: these cannot fail.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        let lines = [
            ("setgroups", "deny".to_owned()),
            ("uid_map", format!("{user} {user} 1")),
            ("gid_map", format!("{group} {group} 1")),
        ];
        let text = |text: String| CString::new(text).expect("no zero byte");
        let file = |name| text(format!("/proc/self/{name}"));
        let lines = lines.into_iter().map(|(name, line)| (file(name), text(line)));
        Self { status, identity: if user == 0 { Vec::new() } else { lines.collect() } }
    }

    /// Moves the process that will become the planner into the namespaces. Only that process
    /// returns; the two between it and the supervisor never do.
    fn enter(&self) -> io::Result<()> {
        let user = if self.identity.is_empty() { 0 } else { libc::CLONE_NEWUSER };
        // SAFETY: plain numbers; the process has one thread.
        succeeded(unsafe { libc::unshare(user | libc::CLONE_NEWPID | libc::CLONE_NEWNS) })?;
        for (file, line) in &self.identity {
            write_file(file, line)?;
        }
        if let Some(init) = fork()? {
            relay(init);
        }
        die_with_parent()?;
        mount_proc()?;
        if let Some(planner) = fork()? {
            init(planner, self.status);
        }
        Ok(())
    }
}

/// Starts `command` in a session of its own, inside `limits`.
pub(super) fn spawn(
    mut command: Command,
    limits: ProcessLimits,
    isolation: Option<Isolation>,
) -> io::Result<Child> {
    let supervisor = std::process::id().cast_signed();
    let begin = move || {
        die_with_parent()?;
        // SAFETY: no arguments.
        if unsafe { libc::getppid() } != supervisor {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(isolation) = &isolation {
            isolation.enter()?;
        }
        // Should the machine run out of memory, the kernel is to choose the planner. If this
        // fails, nothing is lost.
        let _ = write_file(c"/proc/self/oom_score_adj", c"1000");
        // SAFETY: no arguments; the process is a fork, so not a group leader.
        succeeded(unsafe { libc::setsid() })?;
        limit(libc::RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds.saturating_add(1))?;
        limit(libc::RLIMIT_DATA, limits.data, limits.data)?;
        limit(libc::RLIMIT_FSIZE, limits.file, limits.file)?;
        limit(libc::RLIMIT_CORE, 0, 0)
    };
    // SAFETY: between fork and exec only system calls are made. Nothing allocates or takes
    // locks: errors are numbers from the system, and all text was made before.
    unsafe { command.pre_exec(begin) };
    command.spawn()
}

/// Lowers a limit of this process. A limit that is already lower stays.
fn limit(resource: libc::__rlimit_resource_t, soft: u64, hard: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a place to write to.
    succeeded(unsafe { libc::getrlimit(resource, &raw mut limit) })?;
    limit.rlim_max = limit.rlim_max.min(hard);
    limit.rlim_cur = limit.rlim_max.min(soft);
    // SAFETY: `limit` is a place to read from.
    succeeded(unsafe { libc::setrlimit(resource, &raw const limit) }).map(drop)
}

/// Asks the kernel to kill this process when the thread that started it dies.
fn die_with_parent() -> io::Result<()> {
    // SAFETY: sets a flag of this process.
    succeeded(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) }).map(drop)
}

/// The child's number in the parent, `None` in the child.
fn fork() -> io::Result<Option<pid_t>> {
    // SAFETY: called only between fork and exec, when there is one thread.
    let pid = succeeded(unsafe { libc::fork() })?;
    Ok((pid != 0).then_some(pid))
}

fn write_file(file: &CStr, text: &CStr) -> io::Result<()> {
    // SAFETY: both strings end in a zero byte; exec closes the descriptor.
    unsafe {
        let descriptor = succeeded(libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC))?;
        let written = libc::write(descriptor, text.as_ptr().cast(), text.count_bytes());
        if written < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

/// Gives the namespace a `/proc` that shows its own processes.
fn mount_proc() -> io::Result<()> {
    let none = std::ptr::null();
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    let (root, proc) = (c"/".as_ptr(), c"/proc".as_ptr());
    // SAFETY: all strings end in a zero byte, or are null where the call allows it.
    unsafe {
        succeeded(libc::mount(none, root, none, libc::MS_REC | libc::MS_SLAVE, none.cast()))?;
        let kind = c"proc".as_ptr();
        succeeded(libc::mount(kind, proc, kind, flags, none.cast())).map(drop)
    }
}

/// Waits for the init to end. Signals that are meant for planners do not end the relay.
fn relay(init: pid_t) -> ! {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        // SAFETY: no handler is installed.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    close_all_but(None);
    while wait().is_some_and(|(pid, _)| pid != init) {}
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(0) }
}

/// Reaps orphans until the planner ends, passes its wait status on, and ends; the kernel then
/// ends all other processes of the namespace.
fn init(planner: pid_t, status_file: RawFd) -> ! {
    close_all_but(Some(status_file));
    while let Some((pid, status)) = wait() {
        if pid == planner {
            // SAFETY: a number of four bytes. If the reader is gone, nobody needs it.
            unsafe { libc::write(status_file, (&raw const status).cast(), size_of::<c_int>()) };
            break;
        }
    }
    // SAFETY: ends the process at once, and its namespace.
    unsafe { libc::_exit(0) }
}

/// Waits for the next child to end. `None` if there are no children.
fn wait() -> Option<(pid_t, c_int)> {
    let mut status = 0;
    loop {
        // SAFETY: `status` is a place to write to.
        match succeeded(unsafe { libc::waitpid(-1, &raw mut status, 0) }) {
            Ok(pid) => return Some((pid, status)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// Closes all descriptors but one, so that pipes end when their real users close them.
fn close_all_but(kept: Option<RawFd>) {
    match kept {
        Some(kept) => {
            close_range(0, kept - 1);
            close_range(kept + 1, RawFd::MAX);
        }
        None => close_range(0, RawFd::MAX),
    }
}

/// Closes descriptors with one call, or one by one if the kernel is too old for that.
fn close_range(first: RawFd, last: RawFd) {
    // SAFETY: this process no longer uses any of them.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
            for descriptor in first..=last.min(MAX_DESCRIPTOR) {
                libc::close(descriptor);
            }
        }
    }
}

fn succeeded(result: c_int) -> io::Result<c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
