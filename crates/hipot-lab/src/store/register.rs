//! What the experiment consists of: its tasks and its configurations.
//!
//! The rows of a configuration are results of its [`Definition`]. A run that began under an old
//! definition must not count for a new one, so a new definition is a new row of the table
//! `configurations`, whose number was never used before: the late run finds no place to go.

use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

use super::{Store, begin};
use crate::error::Error;
use crate::experiment::Experiment;
use crate::model::{Configuration, Limits, Planner, Task};

/// Everything on which the results of a configuration depend.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Definition {
    planner: Planner,
    limits: Limits,
    revision: Option<String>,
}

impl Store {
    /// Brings the database up to date with the experiment file. New tasks and configurations
    /// are added; those that are no longer in the file are set aside with their rows. A
    /// configuration that has changed since it was run is an error.
    pub fn register(&mut self, experiment: &Experiment, tasks: &[Task]) -> Result<(), Error> {
        self.register_anew(experiment, tasks, &[])
    }

    /// Like [`register`](Self::register), but first deletes the rows of the configurations
    /// `redo`.
    pub fn register_anew(
        &mut self,
        experiment: &Experiment,
        tasks: &[Task],
        redo: &[String],
    ) -> Result<(), Error> {
        let is_known = |name: &String| experiment.configurations.iter().any(|c| c.name == *name);
        if let Some(name) = redo.iter().find(|name| !is_known(name)) {
            return Err(Error::Unknown { kind: "configuration", name: name.clone() });
        }
        let transaction = begin(&mut self.connection)?;
        for name in redo {
            transaction.execute("DELETE FROM configurations WHERE name = ?", [name])?;
        }
        set_aside(&transaction)?;
        for (key, value) in [("name", &experiment.name), ("text", &experiment.text)] {
            let set = "INSERT OR REPLACE INTO experiment (key, value) VALUES (?, ?)";
            transaction.execute(set, [key, value])?;
        }
        for (position, task) in (0_i64..).zip(tasks) {
            add_task(&transaction, position, task)?;
        }
        for (position, configuration) in (0_i64..).zip(&experiment.configurations) {
            let revision = experiment.revisions.get(&configuration.name).cloned();
            add_configuration(&transaction, position, configuration, revision)?;
        }
        Ok(transaction.commit()?)
    }

    /// Adds a configuration for imported rows, unless it exists. `false`: the experiment runs a
    /// configuration of that name itself.
    pub fn add_imported(&mut self, name: &str) -> Result<bool, Error> {
        let add = "INSERT INTO configurations (name) VALUES (?) ON CONFLICT DO NOTHING";
        self.connection.execute(add, [name])?;
        let own = "SELECT definition IS NOT NULL FROM configurations WHERE name = ?";
        Ok(!self.connection.query_row(own, [name], |row| row.get::<_, bool>(0))?)
    }

    /// Deletes an imported configuration with its rows.
    pub fn remove_imported(&mut self, name: &str) -> Result<(), Error> {
        let delete = "DELETE FROM configurations WHERE name = ? AND definition IS NULL";
        self.connection.execute(delete, [name])?;
        Ok(())
    }

    /// The experiment's name.
    pub fn experiment_name(&self) -> Result<String, Error> {
        Ok(self.experiment_value("name")?.unwrap_or_default())
    }

    /// The text of the experiment file at the time of the last `lab run`.
    pub fn experiment_text(&self) -> Result<Option<String>, Error> {
        self.experiment_value("text")
    }

    fn experiment_value(&self, key: &str) -> Result<Option<String>, Error> {
        let select = "SELECT value FROM experiment WHERE key = ?";
        Ok(self.connection.query_row(select, [key], |row| row.get(0)).optional()?)
    }

    /// The experiment's configurations. The imported ones come last; they have an empty
    /// command and no limits.
    pub(crate) fn configurations(&self) -> Result<Vec<Configuration>, Error> {
        let select = "SELECT name, definition FROM configurations
                      WHERE position IS NOT NULL OR definition IS NULL
                      ORDER BY position NULLS LAST, id";
        let mut statement = self.connection.prepare(select)?;
        let rows = statement.query_map([], |row| configuration(row, 0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of rows whose task or configuration has left the experiment.
    pub fn rows_set_aside(&self) -> Result<u64, Error> {
        let count = "SELECT count(*) FROM runs
                     JOIN tasks ON tasks.id = task
                     JOIN configurations ON configurations.id = configuration
                     WHERE tasks.position IS NULL
                     OR (configurations.position IS NULL AND definition IS NOT NULL)";
        Ok(self.connection.query_row(count, [], |row| row.get(0))?)
    }
}

fn set_aside(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute("UPDATE tasks SET position = NULL WHERE position IS NOT NULL", [])?;
    transaction.execute("UPDATE configurations SET position = NULL", [])?;
    Ok(())
}

fn add_task(transaction: &Transaction<'_>, position: i64, task: &Task) -> Result<(), Error> {
    let add = "INSERT INTO tasks (position, suite, domain, problem, files)
               VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT DO UPDATE SET position = ?1, files = ?5";
    let mut statement = transaction.prepare_cached(add)?;
    statement.execute(params![
        position,
        task.suite,
        task.domain,
        task.problem,
        json(&task.files)
    ])?;
    Ok(())
}

fn add_configuration(
    transaction: &Transaction<'_>,
    position: i64,
    configuration: &Configuration,
    revision: Option<String>,
) -> Result<(), Error> {
    let Configuration { name, planner, limits } = configuration.clone();
    let definition = Definition { planner, limits, revision };
    let select = "SELECT id, definition, (SELECT count(*) FROM runs WHERE configuration = c.id)
                  FROM configurations c WHERE name = ?";
    let row = |row: &rusqlite::Row<'_>| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, u64>(2)?))
    };
    let found = transaction.query_row(select, [&name], row).optional()?;
    if let Some((id, old, rows)) = found {
        let old: Option<Definition> = old.and_then(|old| serde_json::from_str(&old).ok());
        if old.as_ref() == Some(&definition) {
            let put = "UPDATE configurations SET position = ? WHERE id = ?";
            transaction.execute(put, [position, id])?;
            return Ok(());
        }
        if rows > 0 {
            return Err(Error::Changed { name, rows });
        }
        transaction.execute("DELETE FROM configurations WHERE id = ?", [id])?;
    }
    let add = "INSERT INTO configurations (position, name, definition) VALUES (?, ?, ?)";
    transaction.execute(add, params![position, name, json(&definition)])?;
    Ok(())
}

/// Reads a configuration from a row: its name in column `first`, its definition in the next.
pub(super) fn configuration(
    row: &rusqlite::Row<'_>,
    first: usize,
) -> rusqlite::Result<Configuration> {
    let name = row.get(first)?;
    if row.get_ref(first + 1)?.as_str_or_null()?.is_none() {
        let limits = Limits { time: std::time::Duration::ZERO, memory: 0, output: 0 };
        return Ok(Configuration { name, planner: Planner::Command(Vec::new()), limits });
    }
    let Definition { planner, limits, .. } = json_column(row, first + 1)?;
    Ok(Configuration { name, planner, limits })
}

pub(super) fn json_column<T: for<'de> Deserialize<'de>>(
    row: &rusqlite::Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
    })
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our types can be written as JSON")
}
