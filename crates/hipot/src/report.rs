//! Results as text and as JSON.

use std::fmt::Display;
use std::time::Duration;

use hipot_lp::Method;
use hipot_potential::Extent;
use hipot_potential::model::Size;
use hipot_search::{Outcome, Statistics};
use hipot_task::Task;
use serde::Serialize;

use crate::failure::Status;
use crate::heuristic::{Computed, Part, Partitioning};
use crate::machine::peak_memory;
use crate::pipeline::Solution;

/// The result of `hipot solve`, schema `hipot.solve/1`.
#[derive(Debug, Serialize)]
pub struct SolveReport {
    /// `hipot.solve/1`.
    pub schema: &'static str,
    /// How it ended.
    pub status: Status,
    /// The plan's cost, which is optimal.
    pub cost: Option<u64>,
    /// The plan's number of steps.
    pub length: Option<usize>,
    /// The steps, `(action argument …)`.
    pub plan: Option<Vec<String>>,
    /// Every plan costs at least this much; `None` where there is no plan.
    pub lower_bound: Option<u64>,
    /// The task's sizes.
    pub task: Option<TaskReport>,
    /// The heuristic.
    pub heuristic: Option<HeuristicReport>,
    /// The search.
    pub search: Option<SearchReport>,
    /// Where the time went.
    pub seconds: SecondsReport,
    /// The most memory that the process has had resident.
    pub peak_memory_bytes: Option<u64>,
    /// The last line of the plan file.
    #[serde(skip)]
    pub footer: Option<String>,
}

/// A task's sizes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TaskReport {
    /// |𝒱|.
    pub variables: usize,
    /// Variables that axioms determine, among them.
    pub derived_variables: usize,
    /// Σ |dom(V)|.
    pub facts: usize,
    /// |𝒪|.
    pub operators: usize,
    /// Axioms.
    pub axioms: usize,
    /// Facts in the goal.
    pub goals: usize,
    /// Mutex groups.
    pub mutex_groups: usize,
}

impl TaskReport {
    /// The sizes as lines of Fast Downward's translator.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let counts = [
            ("variables", self.variables),
            ("derived variables", self.derived_variables),
            ("facts", self.facts),
            ("goal facts", self.goals),
            ("mutex groups", self.mutex_groups),
            ("operators", self.operators),
            ("axioms", self.axioms),
        ];
        counts.into_iter().map(|(what, count)| format!("Translator {what}: {count}"))
    }

    /// The sizes of `task`.
    pub fn new(task: &Task) -> Self {
        Self {
            variables: task.variables().len(),
            derived_variables: task.variables().iter().filter(|v| v.is_derived()).count(),
            facts: task.fact_count(),
            operators: task.operators().len(),
            axioms: task.axioms().len(),
            goals: task.goal().len(),
            mutex_groups: task.mutex_groups().len(),
        }
    }
}

/// What is known of the heuristic.
#[derive(Clone, Debug, Serialize)]
pub struct HeuristicReport {
    /// The spec, `auto` resolved.
    pub spec: String,
    /// The initial state's estimate; `None` for a dead end.
    pub initial: Option<u64>,
    /// The same before rounding, as a fraction.
    pub initial_exact: Option<String>,
    /// Whether numbers from an LP were checked in exact arithmetic; `None`
    /// for heuristics that have none.
    pub certified: Option<bool>,
    /// How many features it has.
    pub features: Option<usize>,
    /// Whether these are all that the spec names, and not some that were chosen
    /// for want of time or memory.
    pub complete: Option<bool>,
    /// The LP that it comes from.
    pub lp: Option<LpReport>,
}

/// An LP and how it was solved.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LpReport {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// Nonzeros.
    pub nonzeros: u64,
    /// The method that solved it.
    pub method: &'static str,
    /// The time that building, solving and certifying took.
    pub seconds: f64,
    /// The optimum as the solver gave it.
    pub objective: f64,
    /// How its weights became exact; `None` for one of many LPs of a search.
    pub rung: Option<Rung>,
}

impl HeuristicReport {
    /// What is known of a heuristic that was computed, with this estimate for
    /// the initial state (`None`: a dead end).
    pub fn new(heuristic: &Computed, initial: Option<u64>) -> Self {
        let best = heuristic.best();
        let exact = match best {
            Some(part) => part.exact(),
            None => initial.map(|cost| cost.to_string()),
        };
        let potential = best.and_then(Part::potential);
        Self {
            spec: heuristic.to_string(),
            initial,
            initial_exact: exact,
            certified: best.map(|_| true),
            features: potential.map(|potential| potential.function.features().len()),
            complete: potential.map(|potential| potential.report.extent == Extent::Complete),
            lp: best.map(LpReport::new),
        }
    }
}

impl LpReport {
    fn new(part: Part<'_>) -> Self {
        match part {
            Part::Potential(potential) => Self::of_potential(&potential.report),
            Part::Partition(partitioning) => Self::of_partitioning(partitioning),
        }
    }

    fn of_partitioning(partitioning: &Partitioning) -> Self {
        let size = partitioning.size;
        Self {
            rows: size.rows as u64,
            columns: size.columns as u64,
            nonzeros: size.nonzeros as u64,
            method: Method::DualSimplex.name(),
            seconds: partitioning.seconds,
            objective: partitioning.initial.objective,
            rung: None,
        }
    }

    fn of_potential(report: &hipot_potential::Report) -> Self {
        let method = report.method.name();
        let Size { rows, columns, nonzeros } = report.size;
        let (seconds, objective) = (report.seconds, report.objective);
        let rung = Some(report.rung.into());
        Self { rows, columns, nonzeros, method, seconds, objective, rung }
    }
}

/// How the weights of an LP became exact.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// The exact optimum, with a small denominator.
    SmallDenominators,
    /// Rounded, the denominator raised.
    Scaling,
    /// With a margin on each operator.
    Margin,
    /// Not at all: all weights are 0.
    Zero,
}

impl From<hipot_potential::Rung> for Rung {
    fn from(rung: hipot_potential::Rung) -> Self {
        match rung {
            hipot_potential::Rung::SmallDenominators => Self::SmallDenominators,
            hipot_potential::Rung::Scaling => Self::Scaling,
            hipot_potential::Rung::Margin => Self::Margin,
            hipot_potential::Rung::Zero => Self::Zero,
        }
    }
}

/// The result of `hipot bound`, schema `hipot.bound/1`.
#[derive(Debug, Serialize)]
pub struct BoundReport {
    /// `hipot.bound/1`.
    pub schema: &'static str,
    /// `solved`, `unsolvable`, a limit, or `interrupted`.
    pub status: Status,
    /// Every plan costs at least this much; `None` where there is no plan.
    pub lower_bound: Option<u64>,
    /// The task's sizes; `None` where a limit came first, or an interrupt.
    pub task: Option<TaskReport>,
    /// The heuristic; `None` likewise.
    pub heuristic: Option<HeuristicReport>,
    /// Where the time went.
    pub seconds: SecondsReport,
    /// The most memory that the process has had resident.
    pub peak_memory_bytes: Option<u64>,
}

impl BoundReport {
    /// The schema's name and version.
    pub const SCHEMA: &'static str = "hipot.bound/1";

    /// What `heuristic` proves about `task`.
    pub fn new(task: &Task, heuristic: &Computed, seconds: SecondsReport) -> Self {
        let lower_bound = heuristic.bound(task);
        Self {
            schema: Self::SCHEMA,
            status: if lower_bound.is_some() { Status::Solved } else { Status::Unsolvable },
            lower_bound,
            task: Some(TaskReport::new(task)),
            heuristic: Some(HeuristicReport::new(heuristic, lower_bound)),
            seconds,
            peak_memory_bytes: peak_memory(),
        }
    }

    /// What was proved when a limit was reached, or an interrupt came, after `total`.
    pub fn stopped(status: Status, lower_bound: u64, total: Duration) -> Self {
        let seconds = SecondsReport { total: total.as_secs_f64(), ..SecondsReport::default() };
        Self {
            schema: Self::SCHEMA,
            status,
            lower_bound: Some(lower_bound),
            task: None,
            heuristic: None,
            seconds,
            peak_memory_bytes: peak_memory(),
        }
    }

    /// The text for people.
    pub fn text(&self) -> String {
        let mut lines = vec![match self.lower_bound {
            Some(bound) => format!("Lower bound: {bound}"),
            None => "There is no plan.".to_owned(),
        }];
        let Some(heuristic) = &self.heuristic else { return join(lines.into_iter()) };
        lines.extend(heuristic.initial_exact.as_ref().map(|exact| format!("Exact value: {exact}")));
        lines.push(format!("Heuristic: {}", heuristic.spec));
        let chosen = if heuristic.complete == Some(false) { ", chosen" } else { "" };
        lines.extend(heuristic.features.map(|features| format!("Features: {features}{chosen}")));
        if let Some(lp) = &heuristic.lp {
            let LpReport { rows, columns, nonzeros, method, seconds, .. } = lp;
            lines.push(format!(
                "LP: {rows} rows, {columns} columns, {nonzeros} nonzeros, solved by {method} in {seconds:.3}s"
            ));
        }
        lines.push(format!("Total time: {:.6}s", self.seconds.total));
        lines.extend(self.peak_memory_bytes.map(|peak| format!("Peak memory: {} KB", peak >> 10)));
        lines.join("\n") + "\n"
    }
}

/// What a search counted, as [`Statistics`] does.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SearchReport {
    /// States expanded.
    pub expanded: u64,
    /// States expanded before the last f layer.
    pub expanded_until_last_jump: u64,
    /// States evaluated.
    pub evaluated: u64,
    /// States evaluated before the last f layer.
    pub evaluated_until_last_jump: u64,
    /// Successors generated.
    pub generated: u64,
    /// Successors generated before the last f layer.
    pub generated_until_last_jump: u64,
    /// States expanded again.
    pub reopened: u64,
    /// States expanded again before the last f layer.
    pub reopened_until_last_jump: u64,
    /// States from which the heuristic knows no way.
    pub dead_ends: u64,
    /// Its time.
    pub seconds: f64,
}

impl SearchReport {
    /// The counters, and how long the search took.
    pub fn new(statistics: &Statistics, time: Duration) -> Self {
        Self {
            expanded: statistics.expanded,
            expanded_until_last_jump: statistics.expanded_until_last_jump,
            evaluated: statistics.evaluated,
            evaluated_until_last_jump: statistics.evaluated_until_last_jump,
            generated: statistics.generated,
            generated_until_last_jump: statistics.generated_until_last_jump,
            reopened: statistics.reopened,
            reopened_until_last_jump: statistics.reopened_until_last_jump,
            dead_ends: statistics.dead_ends,
            seconds: time.as_secs_f64(),
        }
    }

    /// The counters as lines of Fast Downward's log.
    fn lines(&self) -> Vec<String> {
        let states = [
            ("Expanded", self.expanded),
            ("Reopened", self.reopened),
            ("Evaluated", self.evaluated),
            ("Generated", self.generated),
            ("Dead ends:", self.dead_ends),
            ("Expanded until last jump:", self.expanded_until_last_jump),
            ("Reopened until last jump:", self.reopened_until_last_jump),
            ("Evaluated until last jump:", self.evaluated_until_last_jump),
            ("Generated until last jump:", self.generated_until_last_jump),
        ];
        let mut lines: Vec<String> =
            states.iter().map(|(what, count)| format!("{what} {count} state(s).")).collect();
        lines.push(format!("Evaluations: {}", self.evaluated));
        lines.push(format!("Search time: {:.6}s", self.seconds));
        lines
    }
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SecondsReport {
    /// From the files to the task.
    pub translate: f64,
    /// Computing the heuristic.
    pub heuristic: f64,
    /// Searching.
    pub search: f64,
    /// Everything since the process began.
    pub total: f64,
}

impl SolveReport {
    /// The schema's name and version.
    pub const SCHEMA: &'static str = "hipot.solve/1";

    /// A report that knows only how it ended.
    pub fn new(status: Status) -> Self {
        Self {
            schema: Self::SCHEMA,
            status,
            cost: None,
            length: None,
            plan: None,
            lower_bound: None,
            task: None,
            heuristic: None,
            search: None,
            seconds: SecondsReport::default(),
            peak_memory_bytes: peak_memory(),
            footer: None,
        }
    }

    /// What solving `task` with `heuristic` gave; the time of reading, of the
    /// heuristic and of everything is still to be filled in.
    pub fn found(task: &Task, heuristic: &Computed, solution: &Solution) -> Self {
        let result = &solution.result;
        let mut report = match &result.outcome {
            Outcome::Solved(plan) => Self {
                cost: Some(plan.cost),
                length: Some(plan.operators.len()),
                plan: Some(plan.steps(task).collect()),
                footer: Some(plan.footer(task)),
                ..Self::new(Status::Solved)
            },
            Outcome::Unsolvable => Self::new(Status::Unsolvable),
            Outcome::Stopped(stop) => Self::new((*stop).into()),
        };
        if result.outcome != Outcome::Unsolvable {
            report.lower_bound = Some(result.lower_bound);
        }
        report.task = Some(TaskReport::new(task));
        let initial = result.initial;
        report.heuristic = initial.map(|found| HeuristicReport::new(heuristic, found.cost()));
        report.search = Some(SearchReport::new(&result.statistics, solution.search_time));
        report.seconds.search = solution.search_time.as_secs_f64();
        report
    }

    /// The text for people and for programs that take standard output for a
    /// plan: a plan file whose comments hold the statistics. What editors show
    /// beside a plan comes first: VS Code's extension takes the first line behind
    /// the steps for the end of the plan.
    pub fn text(&self) -> String {
        let statistics = self.statistics().into_iter().map(comment);
        let lines = self.quality().chain(self.steps()).chain(statistics);
        join(lines.chain(self.footer.clone()))
    }

    /// The plan file: the steps, what editors show beside them, and Fast
    /// Downward's last line.
    pub fn plan_text(&self) -> Option<String> {
        let lines = self.steps().chain(self.quality()).chain(self.footer.clone());
        self.plan.is_some().then(|| join(lines))
    }

    /// The log for Downward Lab, but for its beginning and for the exit code.
    /// The plan stands in its file.
    pub fn log(&self) -> String {
        let planner = format!("Planner time: {:.6}s", self.seconds.total);
        join(self.statistics().into_iter().chain([planner]))
    }

    fn steps(&self) -> impl Iterator<Item = String> {
        self.plan.iter().flatten().cloned()
    }

    /// The lines that editors look for in a plan.
    fn quality(&self) -> impl Iterator<Item = String> {
        let metric = self.cost.map(|cost| format!("Metric: {cost}"));
        let evaluated = self.search.as_ref().map(|search| search.evaluated);
        let evaluated = evaluated.map(|count| format!("States evaluated: {count}"));
        metric.into_iter().chain(evaluated).map(comment)
    }

    /// How it ended and what was counted, in the words of Fast Downward's log.
    /// Downward Lab wants each of them once.
    fn statistics(&self) -> Vec<String> {
        let mut lines = self.ending();
        lines.extend(self.length.map(|length| format!("Plan length: {length} step(s).")));
        lines.extend(self.cost.map(|cost| format!("Plan cost: {cost}")));
        if let Some(heuristic) = &self.heuristic {
            let initial = heuristic.initial.map_or("infinity".to_owned(), |h| h.to_string());
            lines.push(format!("Initial heuristic value for {}: {initial}", heuristic.spec));
        }
        lines.extend(self.search.iter().flat_map(SearchReport::lines));
        lines.push(format!("Total time: {:.6}s", self.seconds.total));
        lines.extend(self.peak_memory_bytes.map(|peak| format!("Peak memory: {} KB", peak >> 10)));
        lines
    }

    /// Why there is no plan, and what is known all the same.
    fn ending(&self) -> Vec<String> {
        let reason = match self.status {
            Status::Solved => return Vec::new(),
            Status::Unsolvable => return vec!["There is no plan.".to_owned()],
            Status::TimeLimit => "The time limit is reached.",
            Status::MemoryLimit => "The memory limit is reached.",
            _ => "Interrupted.",
        };
        let bound = self.lower_bound.map(|bound| format!("Lower bound: {bound}"));
        [reason.to_owned()].into_iter().chain(bound).collect()
    }
}

fn comment(line: impl Display) -> String {
    format!("; {line}")
}

fn join(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}
