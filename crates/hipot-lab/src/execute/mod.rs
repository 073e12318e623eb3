//! From a task and a configuration to a record: the command is filled in, run under
//! supervision, its output read, its plan validated.
//!
//! Our own planner is told limits a little inside those of the supervisor: half a second
//! and 32 MB. It looks at its limits every ten milliseconds, asks its stages to stop, and
//! gives them a quarter of a second and 16 MB to do so; all that has to be over when
//! the supervisor would step in, or its report with the statistics would be lost. It
//! measures elapsed time and the supervisor processor time, of which a single thread
//! has no more; the kernel's signal at the end of processor time (SIGXCPU) means a time
//! limit to it too.
//!
//! A plan counts if `hipot validate` accepts it, and has the cost that the planner claims
//! in its log or in the plan's last line. The validator is our program, but shares
//! nothing with the planner; it runs supervised too, being fed by strangers.

mod plan;
mod scratch;
mod template;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::model::{Configuration, Limits, Planner, Record, Status, Task, TaskFiles};
use crate::read::{Claim, read};
use crate::supervise::{Error, Job, Outcome, run_supervised};
use scratch::Scratch;
pub use template::check_template;

/// How far inside its limits our planner stays, at most.
const MARGIN: (Duration, u64) = (Duration::from_millis(500), 32 << 20);
/// How much of each end of a stream goes into a record's log.
const LOG: usize = 64 << 10;
/// The plan's file in the run's folder, by the name that planners use unasked.
const PLAN: &str = "sas_plan";

/// Executes runs.
#[derive(Clone, Debug)]
pub struct Executor {
    /// This program.
    pub hipot: PathBuf,
    /// Its version and revision, for the records of its runs.
    pub revision: String,
    /// This machine's name.
    pub machine: String,
    /// The folder for the folders of runs; it is created where it is missing.
    pub scratch: PathBuf,
}

impl Executor {
    /// Runs `configuration` on `task`. An error means that there is nothing to record:
    /// `stop` became true, or the machine does not allow to run anything.
    ///
    /// The record's revision is ours for our planner, and empty for others.
    pub fn execute(
        &self,
        task: &Task,
        configuration: &Configuration,
        stop: &AtomicBool,
    ) -> Result<Record, Error> {
        let scratch = Scratch::new(&self.scratch)?;
        let mut record = self.record(task, configuration);
        let command = match self.command(task, configuration, scratch.path()) {
            Ok(command) => command,
            Err(reason) => {
                (record.status, record.reason) = (Status::Unsupported, Some(reason));
                return Ok(record);
            }
        };
        let limits = configuration.limits;
        let job = Job { command, directory: scratch.path().to_owned(), limits };
        let outcome = match run_supervised(&self.hipot, &job, stop) {
            Err(error @ Error::Lost(_)) => {
                record.reason = Some(error.to_string());
                return Ok(record);
            }
            outcome => outcome?,
        };
        let mut claim = read(&configuration.planner, &outcome);
        if claim.status == Status::Solved {
            self.check_plan(task, &job, &outcome, &mut claim, stop)?;
        }
        fill_in(&mut record, claim, &outcome);
        Ok(record)
    }

    /// A record of which nothing is known yet; should it stay so, the run crashed.
    fn record(&self, task: &Task, configuration: &Configuration) -> Record {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let is_ours = matches!(configuration.planner, Planner::Hipot { .. });
        Record {
            suite: task.suite.clone(),
            domain: task.domain.clone(),
            problem: task.problem.clone(),
            configuration: configuration.name.clone(),
            revision: if is_ours { self.revision.clone() } else { String::new() },
            machine: self.machine.clone(),
            limits: configuration.limits,
            started: now.as_secs(),
            status: Status::Crashed,
            reason: None,
            exit_code: None,
            measures: crate::model::Measures::default(),
            log: String::new(),
        }
    }

    /// The command, or why the planner cannot be given this task.
    fn command(
        &self,
        task: &Task,
        configuration: &Configuration,
        directory: &Path,
    ) -> Result<Vec<String>, String> {
        let plan = text(&directory.join(PLAN))?;
        let limits = &configuration.limits;
        match &configuration.planner {
            Planner::Hipot { heuristic, options } => {
                let mut command = vec![text(&self.hipot)?, "solve".to_owned()];
                command.extend(["--json".to_owned(), format!("--heuristic={heuristic}")]);
                command.push(format!("--plan-file={plan}"));
                command.extend(own_limits(limits, options));
                command.extend(options.iter().cloned());
                command.extend(files(task)?);
                Ok(command)
            }
            Planner::Command(words) => {
                let mut values = BTreeMap::from([("plan", plan)]);
                values.insert("seconds", limits.time.as_secs().max(1).to_string());
                values.insert("megabytes", (limits.memory >> 20).max(1).to_string());
                match &task.files {
                    TaskFiles::Pddl { domain, problem } => {
                        values.insert("domain", text(domain)?);
                        values.insert("problem", text(problem)?);
                    }
                    TaskFiles::Sas(file) => drop(values.insert("problem", text(file)?)),
                }
                let missing = |name| format!("the command has a {{{name}}}, the task has none");
                template::fill(words, &values).map_err(missing)
            }
        }
    }
}

/// The options for our planner's own limits, where it is not given others.
fn own_limits(limits: &Limits, options: &[String]) -> Vec<String> {
    let time = limits.time.saturating_sub(MARGIN.0.min(limits.time / 4));
    let memory = limits.memory - MARGIN.1.min(limits.memory / 4);
    let ours = [
        ("--time-limit", format!("{}", time.as_secs_f64())),
        ("--memory-limit", memory.to_string()),
    ];
    let is_free = |name: &str| !options.iter().any(|option| option.starts_with(name));
    let free = ours.into_iter().filter(|(name, _)| is_free(name));
    free.map(|(name, value)| format!("{name}={value}")).collect()
}

/// The task's files in the order of command lines.
fn files(task: &Task) -> Result<Vec<String>, String> {
    match &task.files {
        TaskFiles::Pddl { domain, problem } => Ok(vec![text(domain)?, text(problem)?]),
        TaskFiles::Sas(file) => Ok(vec![text(file)?]),
    }
}

fn text(path: &Path) -> Result<String, String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| format!("the name of '{}' is not UTF-8", path.display()))
}

fn fill_in(record: &mut Record, claim: Claim, outcome: &Outcome) {
    record.status = claim.status;
    record.reason = claim.reason;
    record.exit_code = outcome.exit_code;
    record.measures = claim.measures;
    record.log = log(outcome);
}

/// Standard output, then standard error, each shortened.
fn log(outcome: &Outcome) -> String {
    let [output, errors] = [&outcome.output, &outcome.errors].map(|text| shortened(text, LOG));
    match (output.is_empty(), errors.is_empty()) {
        (_, true) => output,
        (true, false) => errors,
        (false, false) => format!("{}\n\n[standard error]\n{errors}", output.trim_end()),
    }
}

/// The beginning and the end of a text, `kept` bytes each.
fn shortened(text: &str, kept: usize) -> String {
    if text.len() <= 2 * kept {
        return text.to_owned();
    }
    let is_boundary = |&index: &usize| text.is_char_boundary(index);
    let head = &text[..(0..=kept).rev().find(is_boundary).unwrap_or(0)];
    let begin = (text.len() - kept..=text.len()).find(is_boundary);
    let tail = &text[begin.unwrap_or(text.len())..];
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n[… {left_out} bytes …]\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits =
        Limits { time: Duration::from_secs(30), memory: 2 << 30, output: 1 << 20 };

    fn executor() -> Executor {
        Executor {
            hipot: "/bin/hipot".into(),
            revision: "1".to_owned(),
            machine: "m".to_owned(),
            scratch: "/tmp".into(),
        }
    }

    fn task(files: TaskFiles) -> Task {
        let [suite, domain, problem] = ["s", "d", "p"].map(str::to_owned);
        Task { suite, domain, problem, files }
    }

    fn command(planner: Planner, files: TaskFiles) -> Result<String, String> {
        let configuration = Configuration { name: "c".to_owned(), planner, limits: LIMITS };
        let words = executor().command(&task(files), &configuration, Path::new("/x"))?;
        Ok(words.join(" "))
    }

    fn pddl() -> TaskFiles {
        TaskFiles::Pddl { domain: "/d.pddl".into(), problem: "/p.pddl".into() }
    }

    #[test]
    fn our_planner_stays_inside() {
        let planner = |options: &[&str]| Planner::Hipot {
            heuristic: "pot(dim=2)".to_owned(),
            options: options.iter().map(|&option| option.to_owned()).collect(),
        };
        let expected = "/bin/hipot solve --json --heuristic=pot(dim=2) --plan-file=/x/sas_plan \
                        --time-limit=29.5 --memory-limit=2113929216 --seed 3 /d.pddl /p.pddl";
        assert_eq!(command(planner(&["--seed", "3"]), pddl()).as_deref(), Ok(expected));
        let sas = command(planner(&["--time-limit", "5"]), TaskFiles::Sas("/t.sas".into()));
        let sas = sas.expect("a task for us");
        assert!(sas.ends_with("--memory-limit=2113929216 --time-limit 5 /t.sas"), "{sas}");
    }

    #[test]
    fn other_planners_need_what_they_name() {
        let words = "fd {plan} {domain} {problem} {seconds} {megabytes}";
        let planner = || Planner::Command(words.split(' ').map(str::to_owned).collect());
        let filled = command(planner(), pddl());
        assert_eq!(filled.as_deref(), Ok("fd /x/sas_plan /d.pddl /p.pddl 30 2048"));
        let error = command(planner(), TaskFiles::Sas("/t.sas".into())).expect_err("no domain");
        assert_eq!(error, "the command has a {domain}, the task has none");
        let planner = Planner::Command(vec!["fd".to_owned(), "{problem}".to_owned()]);
        assert_eq!(command(planner, TaskFiles::Sas("/t.sas".into())).as_deref(), Ok("fd /t.sas"));
    }

    #[test]
    fn logs_are_shortened_between_characters() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("aäöüß", 2), "a\n[… 6 bytes …]\nß");
    }
}
