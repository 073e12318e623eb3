//! How far an experiment is.
//!
//! All numbers are counted by SQLite, so that a hundred thousand rows take a fraction of
//! a second. The time left is estimated by configuration: what a run of it took so far,
//! on average, for each run that is left, over the number of runs that are made at once
//! now. Early on this says too much or too little, as the tasks of a suite grow harder.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use humantime::format_duration;
use serde::Serialize;

use crate::clock::now;
use crate::error::Error;
use crate::model::Status;
use crate::store::{FROM, Store};

/// Seconds over which the rate is taken.
const RECENT: u64 = 900;

/// How far an experiment is.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// The experiment's name.
    pub name: String,
    /// How many runs it has.
    pub runs: u64,
    /// How many of them are done.
    pub done: u64,
    /// Runs that ended in the last quarter of an hour, per minute.
    pub runs_per_minute: f64,
    /// Seconds until all is done, if all goes on as before; `None` where nobody runs, or
    /// nothing is known of a configuration.
    pub seconds_left: Option<f64>,
    /// The configurations.
    pub configurations: Vec<Line>,
    /// Revisions of planners and how many rows have each.
    pub revisions: Vec<(String, u64)>,
    /// Machines and how many rows come from each.
    pub machines: Vec<(String, u64)>,
    /// Who makes runs now.
    pub running: Vec<Running>,
    /// Rows of tasks or configurations that the experiment file does not have any more.
    pub set_aside: u64,
}

/// A configuration's line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// How many runs it has.
    pub runs: u64,
    /// How many of them are done.
    pub done: u64,
    /// How many ended with each status that there is.
    pub statuses: BTreeMap<Status, u64>,
    /// The mean of their elapsed times.
    pub mean_seconds: Option<f64>,
    /// Why one of them crashed, where all of them did.
    pub crash: Option<String>,
}

impl Line {
    /// How many ended with a status.
    pub fn count(&self, status: Status) -> u64 {
        self.statuses.get(&status).copied().unwrap_or(0)
    }
}

/// A process that makes runs.
#[derive(Clone, Debug, Serialize)]
pub struct Running {
    /// Its machine.
    pub host: String,
    /// Its number there.
    pub pid: u32,
    /// How many runs it makes now.
    pub runs: u64,
}

impl Store {
    /// How far the experiment is.
    pub fn overview(&self) -> Result<Overview, Error> {
        let configurations = self.lines()?;
        let owners = self.owners()?.into_iter().filter(|(_, runs, lives)| *lives && *runs > 0);
        let running: Vec<Running> = owners
            .map(|(owner, runs, _)| Running { host: owner.host, pid: owner.pid, runs })
            .collect();
        let recent = format!("SELECT count(*) {FROM} AND r.started + r.wall_seconds >= ?");
        let since = now().saturating_sub(RECENT);
        let recent: u64 = self.connection().query_row(&recent, [since], |row| row.get(0))?;
        Ok(Overview {
            name: self.experiment_name()?,
            runs: configurations.iter().map(|line| line.runs).sum(),
            done: configurations.iter().map(|line| line.done).sum(),
            runs_per_minute: recent as f64 * 60.0 / RECENT as f64,
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
        let counts =
            format!("SELECT c.name, r.status, count(*), sum(r.wall_seconds) {FROM} GROUP BY 1, 2");
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
            // What was imported is all there is.
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
        let reason = format!("SELECT max(r.reason) {FROM} AND c.name = ? AND r.status = 'crashed'");
        Ok(self.connection().query_row(&reason, [configuration], |row| row.get(0))?)
    }

    /// The values of a column, and how many rows have each.
    fn words(&self, column: &str) -> Result<Vec<(String, u64)>, Error> {
        let select = format!("SELECT {column}, count(*) {FROM} GROUP BY 1 ORDER BY 2 DESC, 1");
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

fn seconds_left(configurations: &[Line], running: &[Running]) -> Option<f64> {
    let at_once: u64 = running.iter().map(|running| running.runs).sum();
    let mut seconds = 0.0;
    for line in configurations.iter().filter(|line| line.done < line.runs) {
        seconds += line.mean_seconds? * (line.runs - line.done) as f64;
    }
    (at_once > 0).then(|| seconds / at_once as f64)
}

impl Overview {
    /// The table of statuses: a line a configuration, a column for each status that any
    /// of them has.
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

    /// Everything, for people.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {} of {} runs done", self.name, self.done, self.runs);
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

    /// What somebody who looks at the table should know.
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

/// Columns, the first to the left and the others to the right.
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

/// Words of strangers as one line: what a terminal would obey is escaped.
pub fn plain(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.into() };
    text.chars().map(escape).collect()
}

/// A time to its largest units: `12m 5s`, `3h 20m`, `2days 4h`.
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
    fn times_are_as_exact_as_people_need() {
        let times = [f64::NAN, 0.7, 59.9, 125.0, 3600.0, 12_059.0, 187_300.0].map(human);
        assert_eq!(times, ["0s", "0s", "59s", "2m 5s", "1h", "3h 20m", "2days 4h"]);
        assert!(human(f64::INFINITY).contains("years"));
    }
}
