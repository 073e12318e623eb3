//! The matrix of results, tasks × configurations.
//!
//! Its rows and columns are numbered in the order of the experiment's runs; records of other
//! runs come after them. A domain that occurs in several suites is one domain for each of them.

use std::collections::BTreeMap;

use super::{KnownCosts, Params};
use crate::{Error, Record, Status, Task};

/// The results of an experiment, in the order of tables.
#[derive(Clone, Debug)]
pub struct Report {
    /// The experiment's name.
    pub name: String,
    /// The configurations.
    pub columns: Vec<Column>,
    /// The names of the domains.
    pub domains: Vec<String>,
    /// The tasks.
    pub rows: Vec<Row>,
    /// The configuration with which others are compared, if one was chosen.
    pub(super) baseline: Option<usize>,
    cells: Vec<Cell>,
}

/// A configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What is run: a heuristic with options, or a command. `None` if only the results are known.
    pub planner: Option<String>,
    /// Whether it claims that its plans are optimal.
    pub is_optimal: bool,
}

impl Column {
    fn new(name: &str, params: &Params) -> Self {
        let planner = params.planners.get(name).cloned();
        Self { name: name.to_owned(), planner, is_optimal: true }
    }
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its suite.
    pub(super) suite: String,
    /// Its domain, an index into [`Report::domains`].
    pub(super) domain: usize,
    /// The name of its problem.
    pub(super) problem: String,
    /// The cost of its optimal plans, if known.
    pub optimal: Option<u64>,
    /// The cost of its optimal plans according to [`Params::costs`].
    pub(super) given: Option<u64>,
}

/// A cell: whether the experiment has this run, and its record if it is done.
#[derive(Clone, Debug, Default)]
struct Cell {
    is_expected: bool,
    record: Option<Record>,
}

type TaskName<'a> = (&'a str, &'a str, &'a str);

impl Report {
    /// The report of an experiment with the runs `expected` and the results `records`.
    pub fn new(
        name: &str,
        expected: &[(Task, String)],
        records: Vec<Record>,
        params: &Params,
    ) -> Result<Self, Error> {
        let keys = expected
            .iter()
            .map(|(task, configuration)| (task_name(task), configuration.as_str()))
            .chain(
                records.iter().map(|record| (record_name(record), record.configuration.as_str())),
            );
        let (mut tasks, mut columns) = (Numbering::default(), Numbering::default());
        let cells_of: Vec<(usize, usize)> =
            keys.map(|(task, column)| (tasks.number(task), columns.number(column))).collect();
        let recorded = cells_of[expected.len()..].to_vec();
        let (domains, rows) = number_domains(&tasks.names, &params.costs);
        let names: Vec<String> = columns.names.iter().map(|&name| name.to_owned()).collect();
        let width = names.len();
        let mut cells = vec![Cell::default(); rows.len() * width];
        for &(row, column) in &cells_of {
            cells[row * width + column].is_expected = true;
        }
        for (record, (row, column)) in records.into_iter().zip(recorded) {
            cells[row * width + column].record = Some(record);
        }
        let baseline =
            params.baseline.as_ref().map(|name| column_named(&names, name)).transpose()?;
        let mut columns: Vec<Column> = names.iter().map(|name| Column::new(name, params)).collect();
        for name in &params.satisficing {
            columns[column_named(&names, name)?].is_optimal = false;
        }
        let mut report = Self { name: name.to_owned(), columns, domains, rows, baseline, cells };
        for row in 0..report.rows.len() {
            report.rows[row].optimal = report.optimal_cost(row).or(report.rows[row].given);
        }
        Ok(report)
    }

    /// The result of a configuration on a task, if the run is done.
    pub fn record(&self, row: usize, column: usize) -> Option<&Record> {
        self.cells[row * self.columns.len() + column].record.as_ref()
    }

    /// Whether the experiment has this run.
    pub(super) fn is_expected(&self, row: usize, column: usize) -> bool {
        self.cells[row * self.columns.len() + column].is_expected
    }

    /// Whether a configuration solved a task, with a plan or by saying that there is none.
    pub(super) fn is_solved(&self, row: usize, column: usize) -> bool {
        self.record(row, column).is_some_and(|record| record.status.is_solved())
    }

    /// All records of a task, with their columns.
    pub(super) fn records_of(&self, row: usize) -> impl Iterator<Item = (usize, &Record)> {
        let columns = 0..self.columns.len();
        columns.filter_map(move |column| Some((column, self.record(row, column)?)))
    }

    /// All records, task by task, with their rows and columns.
    pub fn records(&self) -> impl Iterator<Item = (usize, usize, &Record)> {
        let rows = 0..self.rows.len();
        rows.flat_map(move |row| self.records_of(row).map(move |(column, r)| (row, column, r)))
    }

    /// The number of runs of the experiment.
    pub fn expected_count(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_expected).count()
    }

    /// The number of runs that are done.
    pub fn done_count(&self) -> usize {
        self.cells.iter().filter(|cell| cell.record.is_some()).count()
    }

    /// Whether all runs are done.
    pub fn is_complete(&self) -> bool {
        self.done_count() == self.expected_count()
    }

    /// The name of a task's domain in tables.
    pub(crate) fn domain(&self, row: usize) -> &str {
        &self.domains[self.rows[row].domain]
    }

    /// The cost of the cheapest validated plan, if a configuration that claims to be optimal
    /// has one.
    fn optimal_cost(&self, row: usize) -> Option<u64> {
        let validated = |(column, record): (usize, &Record)| {
            let counts = record.status == Status::Solved && !record.imported;
            Some((self.columns[column].is_optimal, record.measures.cost.filter(|_| counts)?))
        };
        let costs: Vec<(bool, u64)> = self.records_of(row).filter_map(validated).collect();
        costs.iter().find(|(is_optimal, _)| *is_optimal)?;
        costs.iter().map(|&(_, cost)| cost).min()
    }
}

fn task_name(task: &Task) -> TaskName<'_> {
    (&task.suite, &task.domain, &task.problem)
}

fn record_name(record: &Record) -> TaskName<'_> {
    (&record.suite, &record.domain, &record.problem)
}

fn column_named(names: &[String], name: &str) -> Result<usize, Error> {
    let unknown = || Error::Unknown { kind: "configuration", name: name.to_owned() };
    names.iter().position(|known| known == name).ok_or_else(unknown)
}

/// Numbers names in the order in which they first occur.
struct Numbering<T> {
    numbers: BTreeMap<T, usize>,
    names: Vec<T>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new(), names: Vec::new() }
    }
}

impl<T: Copy + Ord> Numbering<T> {
    fn number(&mut self, name: T) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

/// The domains and the rows of tasks. The name of a domain that occurs in several suites begins
/// with the suite.
fn number_domains<'a>(tasks: &[TaskName<'a>], costs: &KnownCosts) -> (Vec<String>, Vec<Row>) {
    let mut suites: BTreeMap<&str, &str> = BTreeMap::new();
    let mut is_shared: BTreeMap<&str, bool> = BTreeMap::new();
    for &(suite, domain, _) in tasks {
        let first = *suites.entry(domain).or_insert(suite);
        *is_shared.entry(domain).or_insert(false) |= first != suite;
    }
    let mut numbering = Numbering::default();
    let mut row = |&(suite, domain, problem): &TaskName<'a>| Row {
        suite: suite.to_owned(),
        domain: numbering.number((suite, domain)),
        problem: problem.to_owned(),
        optimal: None,
        given: costs.get(domain, problem),
    };
    let rows = tasks.iter().map(&mut row).collect();
    let title = |&(suite, domain): &(&str, &str)| {
        if is_shared[domain] { format!("{suite}/{domain}") } else { domain.to_owned() }
    };
    (numbering.names.iter().map(title).collect(), rows)
}
