//! The progress of an experiment.
//!
//! SQLite counts everything, so that a hundred thousand rows take a fraction of a second. The
//! remaining time is estimated by configuration: the mean time of its runs so far, times its
//! remaining runs; the sum is divided by the number of runs being made now. Early on the
//! estimate is poor, because the tasks of a suite grow harder.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use humantime::format_duration;
use serde::Serialize;

use crate::clock::now;
use crate::error::Error;
use crate::experiment::Experiment;
use crate::model::{Configuration, Status};
use crate::noun::counted;
use crate::store::{FROM_CURRENT_RUNS, Store};

/// The seconds over which the rate is measured.
const RATE_SECONDS: u64 = 900;

/// The progress of an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// The experiment's name.
    pub name: String,
    /// The number of its runs.
    pub runs: u64,
    /// The number of runs that are done.
    pub done: u64,
    /// Runs that ended in the last quarter of an hour, or since the first one began, per minute.
    pub runs_per_minute: f64,
    /// The estimated seconds until all runs are done; `None` if nobody is making runs, or if
    /// no run of an unfinished configuration is done yet.
    pub seconds_left: Option<f64>,
    /// The configurations.
    pub configurations: Vec<Line>,
    /// The revisions of planners, with the number of rows of each.
    pub revisions: Vec<(String, u64)>,
    /// The machines, with the number of rows from each.
    pub machines: Vec<(String, u64)>,
    /// The processes that are making runs now.
    pub running: Vec<Running>,
    /// The number of rows whose task or configuration is no longer in the experiment file.
    pub set_aside: u64,
}

/// The progress of a configuration: its line in the table.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// The number of its runs.
    pub runs: u64,
    /// The number of its runs that are done.
    pub done: u64,
    /// The number of runs that ended with each status; statuses that do not occur are left out.
    pub statuses: BTreeMap<Status, u64>,
    /// The mean elapsed time of its runs.
    pub mean_seconds: Option<f64>,
    /// Why one of its runs crashed, if all of them did.
    pub crash: Option<String>,
}

impl Line {
    /// The number of runs that ended with this status.
    pub fn count(&self, status: Status) -> u64 {
        self.statuses.get(&status).copied().unwrap_or(0)
    }
}

/// A process that is making runs.
#[derive(Clone, Debug, Serialize)]
pub struct Running {
    /// Its machine.
    pub host: String,
    /// Its process id there.
    pub pid: u32,
    /// The number of runs that it is making now.
    pub runs: u64,
}

impl Store {
    /// The progress of the experiment.
    pub fn overview(&self) -> Result<Overview, Error> {
        let configurations = self.lines()?;
        let owners =
            self.owners()?.into_iter().filter(|(_, runs, is_alive)| *is_alive && *runs > 0);
        let running: Vec<Running> = owners
            .map(|(owner, runs, _)| Running { host: owner.host, pid: owner.pid, runs })
            .collect();
        let recent = format!(
            "SELECT count(*), min(r.started) {FROM_CURRENT_RUNS} AND r.started + r.wall_seconds >= ?"
        );
        let since = now().saturating_sub(RATE_SECONDS);
        let (recent, first): (u64, Option<u64>) =
            self.connection().query_row(&recent, [since], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Overview {
            name: self.experiment_name()?,
            runs: configurations.iter().map(|line| line.runs).sum(),
            done: configurations.iter().map(|line| line.done).sum(),
            runs_per_minute: runs_per_minute(recent, first, now()),
            seconds_left: seconds_left(&configurations, &running),
            configurations,
            revisions: self.words("r.revision")?,
            machines: self.words("r.machine")?,
            running,
            set_aside: self.rows_set_aside()?,
        })
    }

    fn lines(&self) -> Result<Vec<Line>, Error> {
        let tasks = "SELECT count(*) FROM tasks WHERE position IS NOT NULL";
        let tasks: u64 = self.connection().query_row(tasks, [], |row| row.get(0))?;
        let mut lines: BTreeMap<String, (Line, f64)> = BTreeMap::new();
        let counts = format!(
            "SELECT c.name, r.status, count(*), sum(r.wall_seconds) {FROM_CURRENT_RUNS} GROUP BY 1, 2"
        );
        let mut statement = self.connection().prepare(&counts)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(0)?;
            let (line, seconds) =
                lines.entry(name.clone()).or_insert_with(|| (Line::new(name), 0.0));
            let (status, count): (String, u64) = (row.get(1)?, row.get(2)?);
            line.done += count;
            *seconds += row.get::<_, f64>(3)?;
            line.statuses.extend(Status::from_name(&status).map(|status| (status, count)));
        }
        let mut ordered = Vec::new();
        for configuration in self.configurations()? {
            let name = configuration.name;
            let (mut line, seconds) = lines.remove(&name).unwrap_or_else(|| (Line::new(name), 0.0));
            // An imported configuration has only the runs that were imported.
            line.runs = if configuration.limits.time.is_zero() { line.done } else { tasks };
            line.mean_seconds = (line.done > 0).then(|| seconds / line.done as f64);
            if line.done > 0 && line.count(Status::Crashed) == line.done {
                line.crash = self.crash(&line.name)?;
            }
            ordered.push(line);
        }
        Ok(ordered)
    }

    fn crash(&self, configuration: &str) -> Result<Option<String>, Error> {
        let reason = format!(
            "SELECT max(r.reason) {FROM_CURRENT_RUNS} AND c.name = ? AND r.status = 'crashed'"
        );
        Ok(self.connection().query_row(&reason, [configuration], |row| row.get(0))?)
    }

    /// The values of a column, with the number of rows of each.
    fn words(&self, column: &str) -> Result<Vec<(String, u64)>, Error> {
        let select =
            format!("SELECT {column}, count(*) {FROM_CURRENT_RUNS} GROUP BY 1 ORDER BY 2 DESC, 1");
        let mut statement = self.connection().prepare(&select)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Line {
    fn new(name: String) -> Self {
        Self { name, runs: 0, done: 0, statuses: BTreeMap::new(), mean_seconds: None, crash: None }
    }
}

/// The rate of the recent runs, the first of which began then.
fn runs_per_minute(recent: u64, first: Option<u64>, now: u64) -> f64 {
    let since_first = first.map_or(RATE_SECONDS, |first| now.saturating_sub(first));
    recent as f64 * 60.0 / since_first.clamp(1, RATE_SECONDS) as f64
}

fn seconds_left(configurations: &[Line], running: &[Running]) -> Option<f64> {
    let at_once: u64 = running.iter().map(|running| running.runs).sum();
    let mut seconds = 0.0;
    for line in configurations.iter().filter(|line| line.done < line.runs) {
        seconds += line.mean_seconds? * (line.runs - line.done) as f64;
    }
    (at_once > 0).then(|| seconds / at_once as f64)
}

impl Overview {
    /// An experiment with this number of tasks of which nothing was run yet.
    pub fn planned(experiment: &Experiment, tasks: usize) -> Self {
        let line = |it: &Configuration| Line { runs: tasks as u64, ..Line::new(it.name.clone()) };
        let configurations: Vec<Line> = experiment.configurations.iter().map(line).collect();
        Self {
            name: experiment.name.clone(),
            runs: configurations.iter().map(|line| line.runs).sum(),
            done: 0,
            runs_per_minute: 0.0,
            seconds_left: None,
            configurations,
            revisions: Vec::new(),
            machines: Vec::new(),
            running: Vec::new(),
            set_aside: 0,
        }
    }

    /// The table of statuses: one line per configuration, one column per status that occurs.
    pub fn table(&self) -> String {
        let has = |status: &Status| self.configurations.iter().any(|line| line.count(*status) > 0);
        let statuses: Vec<Status> =
            Status::ALL.into_iter().filter(|s| *s == Status::Solved || has(s)).collect();
        let mut rows = vec![vec!["configuration".to_owned(), "done".to_owned()]];
        rows[0].extend(statuses.iter().map(ToString::to_string));
        for line in &self.configurations {
            let mut row = vec![line.name.clone(), format!("{}/{}", line.done, line.runs)];
            row.extend(statuses.iter().map(|status| line.count(*status).to_string()));
            rows.push(row);
        }
        align(&rows)
    }

    /// The whole overview as text for people.
    pub fn text(&self) -> String {
        let runs = counted(self.runs, "run");
        let mut text = format!("{}: {} of {runs} done", self.name, self.done);
        if self.runs_per_minute > 0.0 && self.done < self.runs {
            let _ = write!(text, ", {:.1} a minute", self.runs_per_minute);
        }
        if let Some(seconds) = self.seconds_left.filter(|_| self.done < self.runs) {
            let _ = write!(text, ", about {} left", human(seconds));
        }
        let _ = write!(text, "\n\n{}", self.table());
        for (title, words) in [("revisions", &self.revisions), ("machines", &self.machines)] {
            for (index, (word, rows)) in words.iter().enumerate() {
                let title = if index == 0 { title } else { "" };
                let word = if word.is_empty() { "unknown" } else { word };
                let gap = if index == 0 && title == "revisions" { "\n" } else { "" };
                let _ = writeln!(text, "{gap}{title:<11}{} ({rows})", plain(word));
            }
        }
        for running in &self.running {
            let Running { host, pid, runs } = running;
            let _ = writeln!(text, "running    {runs} by process {pid} on {host}");
        }
        text
    }

    /// What a reader of the table should know: configurations of which all runs crashed.
    pub fn hints(&self) -> Vec<String> {
        let crashed = self
            .configurations
            .iter()
            .filter(|line| line.done > 0 && line.count(Status::Crashed) == line.done);
        let hint = |line: &Line| {
            let reason = plain(line.crash.as_deref().unwrap_or("see its logs"));
            format!("all runs of '{}' crashed: {reason}", line.name)
        };
        crashed.map(hint).collect()
    }
}

/// Aligns columns, the first to the left and the others to the right.
fn align(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..rows[0].len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let _ = write!(text, "{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

/// Text from outside as one line, with the control characters that a terminal would obey
/// escaped.
pub fn plain(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.into() };
    text.chars().map(escape).collect()
}

/// A duration in large units: `12m 5s`, `3h 20m`, `2days 4h`.
pub fn human(seconds: f64) -> String {
    let seconds = Duration::try_from_secs_f64(seconds.max(0.0)).map_or(u64::MAX, |t| t.as_secs());
    let unit = match seconds {
        ..3600 => 1,
        3600..86_400 => 60,
        86_400.. => 3600,
    };
    format_duration(Duration::from_secs(seconds / unit * unit)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_as_exact_as_people_need() {
        let times = [f64::NAN, 0.7, 59.9, 125.0, 3600.0, 12_059.0, 187_300.0].map(human);
        assert_eq!(times, ["0s", "0s", "59s", "2m 5s", "1h", "3h 20m", "2days 4h"]);
        assert!(human(f64::INFINITY).contains("years"));
    }

    #[test]
    fn the_rate_is_that_of_the_time_that_has_passed() {
        let rate = |recent, first| runs_per_minute(recent, first, 10_000);
        assert!((rate(30, Some(9_940)) - 30.0).abs() < 1e-9, "in the first minute");
        assert!((rate(30, Some(10_000)) - 1800.0).abs() < 1e-9, "in the first second");
        assert!((rate(30, Some(3)) - 2.0).abs() < 1e-9, "a long run ended lately");
        assert!(rate(0, None).abs() < 1e-9);
    }
}
