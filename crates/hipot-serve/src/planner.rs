//! One run of `hipot solve`: its progress, its answer, its proof.
//!
//! A run has a folder of its own, in which its files lie under fixed names. Nothing of a request
//! becomes a path or an option: heuristics are chosen from a list.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::settings::Settings;

/// The heuristics that a request may ask for.
pub(crate) const HEURISTICS: [&str; 6] =
    ["auto", "blind", "pot(dim=1)", "pot(dim=2)", "scp(projections, cartesian)", "seq"];

const DOMAIN: &str = "domain.pddl";
const PROBLEM: &str = "problem.pddl";
const PLAN: &str = "plan";
const PROOF: &str = "proof";
const PAGE: &str = "explanation.html";

/// The time between two looks at whether a run is wanted.
const LOOK: Duration = Duration::from_millis(50);

/// As much as is kept of what a run says, and of a proof.
const MAX_TEXT: u64 = 256 << 10;
const MAX_ANSWER: u64 = 64 << 20;

/// What a request asks for.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Ask {
    pub(crate) domain: String,
    pub(crate) problem: String,
    #[serde(default)]
    heuristic: Option<String>,
    /// The time for it, in seconds.
    #[serde(default)]
    time: Option<f64>,
    /// Whether a proof is wanted.
    #[serde(default)]
    proof: bool,
}

impl Ask {
    /// The heuristic, or what is wrong with it.
    pub(crate) fn heuristic(&self) -> Result<&'static str, String> {
        let Some(asked) = &self.heuristic else { return Ok(HEURISTICS[0]) };
        HEURISTICS.into_iter().find(|it| it == asked).ok_or_else(|| {
            format!("unknown heuristic '{asked}'; these are known: {}", HEURISTICS.join("; "))
        })
    }

    /// The time for it, within the limit.
    fn time(&self, most: Duration) -> Duration {
        let asked = self.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        asked.map_or(most, |asked| asked.min(most))
    }
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The JSON object of `hipot solve`.
    pub(crate) report: Value,
    /// The plan file.
    pub(crate) plan: Option<String>,
    /// Messages for people.
    pub(crate) messages: String,
    /// What `hipot verify` says, and the certificate.
    pub(crate) proof: Option<Value>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// Nobody wants it any more.
    Cancelled,
    /// The machine does not play along.
    Failed(io::Error),
}

impl From<io::Error> for NoAnswer {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Whoever follows a run.
pub(crate) trait Follower {
    /// Whether the run is not wanted any more.
    fn is_over(&mut self) -> bool;
    /// Is told how far the run is: an object of schema `hipot.progress/1`.
    fn progress(&mut self, _progress: &Value) {}
    /// Is told a plan that is cheaper than all before.
    fn plan(&mut self, _plan: &str) {}
}

/// A run, or several about the same task.
pub(crate) struct Planner<'a> {
    settings: &'a Settings,
    ask: &'a Ask,
    folder: TempDir,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(settings: &'a Settings, ask: &'a Ask) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("hipot-serve-").tempdir()?;
        fs::write(folder.path().join(DOMAIN), &ask.domain)?;
        fs::write(folder.path().join(PROBLEM), &ask.problem)?;
        Ok(Self { settings, ask, folder })
    }

    /// Solves the task.
    pub(crate) fn solve(
        &self,
        heuristic: &str,
        follower: &mut dyn Follower,
    ) -> Result<Answer, NoAnswer> {
        let mut arguments = vec!["solve", "--anytime", "--progress", "json", "--plan-file", PLAN];
        arguments.extend(["--heuristic", heuristic]);
        if self.ask.proof {
            arguments.extend(["--certificate", PROOF]);
        }
        let called = self.call(&arguments, true, follower)?;
        let report: Value = serde_json::from_str(&called.output).unwrap_or_else(|_| {
            json!({
                "schema": "hipot.error/1", "status": "internal-error",
                "message": format!("hipot ended without a result ({})", called.status),
            })
        });
        let plan = self.file(PLAN);
        let is_solved = report["status"] == "solved";
        let proof = if self.ask.proof && is_solved { self.verify(follower)? } else { None };
        Ok(Answer { report, plan, messages: called.messages, proof })
    }

    /// The page of `hipot explain`, or why there is none.
    pub(crate) fn explain(
        &self,
        heuristic: &str,
        follower: &mut dyn Follower,
    ) -> Result<Result<String, String>, NoAnswer> {
        let arguments = ["explain", "--format", "html", "-o", PAGE, "--heuristic", heuristic];
        let called = self.call(&arguments, false, follower)?;
        Ok(self.file(PAGE).ok_or(called.messages))
    }

    fn verify(&self, follower: &mut dyn Follower) -> Result<Option<Value>, NoAnswer> {
        let Some(certificate) = self.file(PROOF) else { return Ok(None) };
        let certificate = text_of(&certificate);
        let called = self.call(&["verify", "--plan", PLAN], false, follower)?;
        let bytes = self.folder.path().join(PROOF).metadata()?.len();
        Ok(Some(json!({
            "verdict": called.output.trim(), "bytes": bytes, "certificate": certificate,
        })))
    }

    /// A file of the run, as far as it is not too long.
    fn file(&self, name: &str) -> Option<String> {
        let file = File::open(self.folder.path().join(name)).ok()?;
        read(file, MAX_TEXT).ok()
    }

    /// Runs a command about the task to its end.
    fn call(
        &self,
        arguments: &[&str],
        is_json: bool,
        follower: &mut dyn Follower,
    ) -> Result<Called, NoAnswer> {
        let output = self.folder.path().join("output");
        let time = format!("{}s", self.ask.time(self.settings.time).as_secs_f64());
        let memory = format!("{}K", self.settings.memory >> 10);
        let mut command = Command::new(&self.settings.program);
        command.args(arguments).args(["-q", "--time-limit", &time, "--memory-limit", &memory]);
        command.args(is_json.then_some("--json")).args([DOMAIN, PROBLEM]);
        if arguments[0] == "verify" {
            command.arg(PROOF);
        }
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.stdout(File::create(&output)?).stderr(Stdio::piped());
        let mut child = Running(command.spawn()?);
        let lines = lines_of(&mut child.0)?;
        let messages = self.follow(&lines, follower)?;
        let status = child.0.wait()?;
        let output = read(File::open(output)?, MAX_ANSWER)?;
        Ok(Called { status: status.to_string(), output, messages })
    }

    /// Tells what a process says until it has ended, and returns what was meant for people.
    fn follow(
        &self,
        lines: &Receiver<String>,
        follower: &mut dyn Follower,
    ) -> Result<String, NoAnswer> {
        let (mut messages, mut look) = (String::new(), Instant::now());
        let (mut cost, mut is_new) = (Value::Null, false);
        loop {
            if Instant::now() >= look {
                look = Instant::now() + LOOK;
                if follower.is_over() {
                    return Err(NoAnswer::Cancelled);
                }
                if is_new && let Some(plan) = self.file(PLAN).filter(|it| costs(it, &cost)) {
                    follower.plan(&plan);
                    is_new = false;
                }
            }
            match lines.recv_timeout(LOOK) {
                Ok(line) => match serde_json::from_str::<Value>(&line) {
                    Ok(progress) if progress["schema"] == "hipot.progress/1" => {
                        follower.progress(&progress);
                        // The plan is written after it is told, perhaps over another one.
                        is_new |= progress["upper_bound"] != cost;
                        cost = progress["upper_bound"].clone();
                    }
                    _ if messages.len() as u64 >= MAX_TEXT => {}
                    _ => messages = messages + &line + "\n",
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(messages),
            }
        }
    }
}

/// Whether a plan file is whole and has this cost.
fn costs(plan: &str, cost: &Value) -> bool {
    plan.lines().last().is_some_and(|it| it.starts_with(&format!("; cost = {cost} (")))
}

/// How a process ended and what it wrote.
struct Called {
    status: String,
    output: String,
    messages: String,
}

/// A process that is ended with whoever waits for it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lines that a process writes to standard error.
fn lines_of(child: &mut Child) -> io::Result<Receiver<String>> {
    let stderr = child.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let (sender, lines) = sync_channel(1024);
    thread::Builder::new().name("messages".into()).spawn(move || {
        // Whatever goes wrong, no more lines come.
        let _ = send_lines(BufReader::new(stderr), &sender);
    })?;
    Ok(lines)
}

fn send_lines(mut from: impl BufRead, to: &SyncSender<String>) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        if from.by_ref().take(MAX_TEXT).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        if to.send(line).is_err() {
            return Ok(());
        }
    }
}

/// The beginning of a file as text.
fn read(file: File, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The part of a certificate that is text: the list of states comes after it.
fn text_of(certificate: &str) -> &str {
    const STATES: &str = "\nstates\n";
    certificate.find(STATES).map_or(certificate, |place| &certificate[..place + STATES.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_states_are_no_text() {
        assert_eq!(text_of("functions 0\nstates\nx^c"), "functions 0\nstates\n");
        assert_eq!(text_of("features 0\nend\n"), "features 0\nend\n");
    }

    /// A file that is just being written is not shown.
    #[test]
    fn plans_are_whole_and_of_the_cost_that_was_told() {
        let plan = "(go a b)\n; cost = 14.9 (general cost)\n";
        assert!(costs(plan, &json!(14.9)));
        for (plan, cost) in [("", json!(1)), ("(go a b)\n", json!(1)), (plan, json!(14))] {
            assert!(!costs(plan, &cost), "{plan}");
        }
    }

    fn ask(heuristic: Option<&str>, time: Option<f64>) -> Ask {
        let (domain, problem) = (String::new(), String::new());
        Ask { domain, problem, heuristic: heuristic.map(str::to_owned), time, proof: false }
    }

    #[test]
    fn heuristics_that_read_files_cannot_be_asked_for() {
        assert_eq!(ask(None, None).heuristic(), Ok("auto"));
        assert_eq!(ask(Some("pot(dim=2)"), None).heuristic(), Ok("pot(dim=2)"));
        for bad in ["pot(features=/etc/passwd)", "", "--help", "max(auto, blind)"] {
            assert!(ask(Some(bad), None).heuristic().is_err(), "{bad}");
        }
    }

    #[test]
    fn no_run_gets_more_time_than_the_server_allows() {
        let most = Duration::from_secs(60);
        for (time, expected) in [
            (None, 60.0),
            (Some(5.5), 5.5),
            (Some(1e300), 60.0),
            (Some(-1.0), 60.0),
            (Some(f64::NAN), 60.0),
        ] {
            assert_eq!(ask(None, time).time(most), Duration::from_secs_f64(expected), "{time:?}");
        }
    }
}
