//! Results as text and as JSON.

pub mod amounts;
mod certificate;

use std::fmt::Display;
use std::time::Duration;

use hipot_lp::{Method, Size};
use hipot_potential::{Extent, Optimality};
use hipot_search::{Outcome, SearchResult, Statistics};
use hipot_task::{Amount, Estimate, Plan, Task};
use serde::Serialize;

use crate::failure::Status;
use crate::heuristic::{Computed, Fallback, ProvedPart};
use crate::machine::peak_memory;
use crate::no_plan::Reason;
use crate::partitioning::Partitioning;
use crate::solution::Solution;

pub use certificate::CertificateReport;

/// The result of `hipot solve`, schema `hipot.solve/1`.
#[derive(Debug, Serialize)]
pub struct SolveReport {
    /// `hipot.solve/1`.
    pub schema: &'static str,
    /// How it ended.
    pub status: Status,
    /// The plan's cost, if it is proved to be optimal.
    #[serde(serialize_with = "amounts::serialize")]
    pub cost: Option<Amount>,
    /// The plan's number of steps.
    pub length: Option<usize>,
    /// The steps, `(action argument …)`.
    pub plan: Option<Vec<String>>,
    /// Every plan costs at least this much; `None` if there is no plan.
    #[serde(serialize_with = "amounts::serialize")]
    pub lower_bound: Option<Amount>,
    /// The cost of `plan`, if it is not proved to be optimal.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "amounts::serialize")]
    pub upper_bound: Option<Amount>,
    /// How far the bounds are apart, as a part of the upper one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// The task's sizes.
    pub task: Option<TaskReport>,
    /// The heuristic.
    pub heuristic: Option<HeuristicReport>,
    /// The search.
    pub search: Option<SearchReport>,
    /// The certificate that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateReport>,
    /// Where the time went.
    pub seconds: SecondsReport,
    /// The peak of the process's resident memory.
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
    /// The number of derived variables among them.
    pub derived_variables: usize,
    /// Σ |dom(V)|.
    pub facts: usize,
    /// |𝒪|.
    pub operators: usize,
    /// The number of axioms.
    pub axioms: usize,
    /// The number of facts in the goal.
    pub goals: usize,
    /// The number of mutex groups.
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

/// A heuristic.
#[derive(Clone, Debug, Serialize)]
pub struct HeuristicReport {
    /// The spec, `auto` resolved.
    pub spec: String,
    /// The initial state's estimate; `None` for a dead end.
    #[serde(serialize_with = "amounts::serialize")]
    pub initial: Option<Amount>,
    /// The initial state's value before rounding, as a fraction.
    pub initial_exact: Option<String>,
    /// Whether the LP's solution was checked in exact arithmetic; `None` for heuristics
    /// without an LP.
    pub certified: Option<bool>,
    /// The number of features.
    pub features: Option<usize>,
    /// Whether these are all features of the spec. If not, some were chosen, because all
    /// would have taken too much time or memory.
    pub complete: Option<bool>,
    /// Where something weaker was used than what was asked for, and why.
    pub fallbacks: Vec<Fallback>,
    /// The LP behind it.
    pub lp: Option<LpReport>,
}

/// An LP and how it was solved.
#[derive(Clone, Debug, Serialize)]
pub struct LpReport {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// Nonzeros.
    pub nonzeros: u64,
    /// The method that solved it.
    pub method: &'static str,
    /// The time for building, solving and certifying.
    pub seconds: f64,
    /// The optimum that the solver reported.
    pub objective: f64,
    /// Whether the function is proved to be optimal; `None` for one of many LPs of a search.
    pub optimal: Option<bool>,
    /// How far the function is below the optimum, as far as the solver can tell; 0 if it is
    /// proved to be optimal.
    pub gap: Option<f64>,
    /// How its weights became exact; `None` for one of many LPs of a search.
    pub rung: Option<String>,
}

impl HeuristicReport {
    /// The report on a heuristic computed for `task`, with this estimate for the initial state (`None`
    /// for a dead end).
    pub fn new(task: &Task, heuristic: &Computed, initial: Option<u64>) -> Self {
        let (best, decimals) = (heuristic.best(), task.decimals());
        let initial = initial.map(|cost| Amount::of(cost, task));
        let exact = match best {
            Some(part) => part.exact().map(|value| value.from_units(decimals).to_string()),
            None => initial.map(|cost| cost.to_string()),
        };
        let potential = best.and_then(ProvedPart::potential);
        Self {
            spec: heuristic.to_string(),
            initial,
            initial_exact: exact,
            certified: best.map(|_| true),
            features: potential.map(|potential| potential.function.features().len()),
            complete: potential.map(|potential| potential.report.extent == Extent::Complete),
            fallbacks: heuristic.fallbacks().into_iter().cloned().collect(),
            lp: best.and_then(LpReport::new).map(|lp| lp.in_problem_unit(decimals)),
        }
    }

    /// The spec, and how the heuristic is weaker than what was asked for.
    fn in_words(&self) -> String {
        match &self.fallbacks[..] {
            [] => self.spec.clone(),
            [one] if one.asked == self.spec => one.to_string(),
            several => {
                let fallbacks: Vec<_> = several.iter().map(ToString::to_string).collect();
                format!("{}; {}", self.spec, fallbacks.join("; "))
            }
        }
    }
}

impl LpReport {
    fn new(part: ProvedPart<'_>) -> Option<Self> {
        match part {
            ProvedPart::Potential(potential) => Some(Self::of_potential(&potential.report)),
            ProvedPart::Partition(partitioning) => Some(Self::of_partitioning(partitioning)),
            ProvedPart::Saturated(saturated) => {
                let functions = saturated.sums.iter().filter_map(|sum| sum.function.as_ref());
                functions.map(|(_, report)| Self::of_potential(report)).next()
            }
        }
    }

    fn of_partitioning(partitioning: &Partitioning) -> Self {
        let size = partitioning.size;
        Self {
            rows: size.rows,
            columns: size.columns,
            nonzeros: size.nonzeros,
            method: Method::DualSimplex.name(),
            seconds: partitioning.seconds,
            objective: partitioning.initial.objective,
            optimal: None,
            gap: None,
            rung: None,
        }
    }

    /// The same with values that are in units of the last of so many decimals.
    fn in_problem_unit(self, decimals: u32) -> Self {
        let unit = 10_f64.powi(decimals.cast_signed());
        Self { objective: self.objective / unit, gap: self.gap.map(|gap| gap / unit), ..self }
    }

    /// How far the function is below the optimum, if there is a bound and it is not optimal.
    fn distance(&self, bound: Option<Amount>) -> Option<String> {
        let gap = self
            .gap
            .filter(|gap| bound.is_some() && self.optimal == Some(false) && gap.is_finite())?;
        Some(format!("The function is {}.", hipot_potential::Optimality::Within(gap)))
    }

    fn of_potential(report: &hipot_potential::Report) -> Self {
        let method = report.method.name();
        let Size { rows, columns, nonzeros } = report.size;
        let (seconds, objective) = (report.seconds, report.objective);
        let rung = Some(report.rung.to_string());
        let (optimal, gap) = match report.optimality {
            Optimality::Proved => (true, 0.0),
            Optimality::Within(gap) => (false, gap),
        };
        let (optimal, gap) = (Some(optimal), Some(gap));
        Self { rows, columns, nonzeros, method, seconds, objective, optimal, gap, rung }
    }
}

/// The result of `hipot bound`, schema `hipot.bound/1`.
#[derive(Debug, Serialize)]
pub struct BoundReport {
    /// `hipot.bound/1`.
    pub schema: &'static str,
    /// `solved`, `unsolvable`, a limit, or `interrupted`.
    pub status: Status,
    /// Every plan costs at least this much; `None` if there is no plan.
    #[serde(serialize_with = "amounts::serialize")]
    pub lower_bound: Option<Amount>,
    /// The task's sizes; `None` if it was not read in time.
    pub task: Option<TaskReport>,
    /// The heuristic; `None` after a limit or an interrupt.
    pub heuristic: Option<HeuristicReport>,
    /// Where the time went.
    pub seconds: SecondsReport,
    /// The peak of the process's resident memory.
    pub peak_memory_bytes: Option<u64>,
}

impl BoundReport {
    /// The schema's name and version.
    pub const SCHEMA: &'static str = "hipot.bound/1";

    /// What `heuristic` proves about `task`.
    pub fn new(task: &Task, heuristic: &Computed, seconds: SecondsReport) -> Self {
        let initial = heuristic.bound(task);
        let lower_bound = initial.map(|bound| Amount::of(bound, task));
        Self {
            schema: Self::SCHEMA,
            status: if lower_bound.is_some() { Status::Solved } else { Status::Unsolvable },
            lower_bound,
            task: Some(TaskReport::new(task)),
            heuristic: Some(HeuristicReport::new(task, heuristic, initial)),
            seconds,
            peak_memory_bytes: peak_memory(),
        }
    }

    /// The same report of a run that was interrupted; what is proved stays proved.
    #[must_use]
    pub fn interrupted(self) -> Self {
        let status = if self.status == Status::Solved { Status::Interrupted } else { self.status };
        Self { status, ..self }
    }

    /// What was proved before a limit or an interrupt ended the run, after `total`.
    pub fn stopped(status: Status, lower_bound: Amount, total: Duration) -> Self {
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
        lines.extend(heuristic.lp.as_ref().and_then(|lp| lp.distance(heuristic.initial)));
        lines.push(format!("Heuristic: {}", heuristic.in_words()));
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

/// The counters of a search, from its [`Statistics`].
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
    /// States that the heuristic proved to be dead ends.
    pub dead_ends: u64,
    /// The number of symmetries whose group was used, in the last search; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetries: Option<usize>,
    /// The time of the search.
    pub seconds: f64,
}

impl SearchReport {
    /// The report on a search that took this time.
    pub fn new(result: &SearchResult, time: Duration) -> Self {
        let symmetries = Some(result.symmetries).filter(|&symmetries| symmetries > 0);
        Self { symmetries, ..Self::so_far(&result.statistics, time) }
    }

    /// The report on a search that goes on.
    pub fn so_far(statistics: &Statistics, time: Duration) -> Self {
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
            symmetries: None,
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
    /// Reading and translating the task.
    pub translate: f64,
    /// Computing the heuristic.
    pub heuristic: f64,
    /// Searching.
    pub search: f64,
    /// The whole process.
    pub total: f64,
}

impl SolveReport {
    /// The schema's name and version.
    pub const SCHEMA: &'static str = "hipot.solve/1";

    /// A report that contains only the status.
    pub fn new(status: Status) -> Self {
        Self {
            schema: Self::SCHEMA,
            status,
            cost: None,
            length: None,
            plan: None,
            lower_bound: None,
            upper_bound: None,
            gap: None,
            reasons: Vec::new(),
            task: None,
            heuristic: None,
            search: None,
            certificate: None,
            seconds: SecondsReport::default(),
            peak_memory_bytes: peak_memory(),
            footer: None,
        }
    }

    /// Adds a plan that is not proved to be optimal.
    pub fn add_incumbent(&mut self, task: &Task, plan: &Plan) {
        let lower = self.lower_bound.map_or(0, |bound| bound.units);
        self.upper_bound = Some(Amount::of(plan.cost, task));
        self.gap = (plan.cost > 0).then(|| (plan.cost - lower) as f64 / plan.cost as f64);
        self.add_plan(task, plan);
    }

    fn add_plan(&mut self, task: &Task, plan: &Plan) {
        self.length = Some(plan.operators.len());
        self.plan = Some(plan.steps(task).collect());
        self.footer = Some(plan.footer(task));
    }

    /// What solving `task` gave. The times of reading and of the whole run are left for the
    /// caller to fill in.
    pub fn found(task: &Task, solution: &Solution) -> Self {
        let Solution { heuristic, result, incumbent, heuristic_time, search_time } = solution;
        let mut report = match &result.outcome {
            Outcome::Solved(plan) => {
                let mut report =
                    Self { cost: Some(Amount::of(plan.cost, task)), ..Self::new(Status::Solved) };
                report.add_plan(task, plan);
                report
            }
            Outcome::Unsolvable => Self::new(Status::Unsolvable),
            Outcome::Stopped(stop) => Self::new((*stop).into()),
            // A budget of states is the caller's own wish to stop.
            Outcome::BudgetSpent => Self::new(Status::Interrupted),
        };
        // A search that ended before its first estimate leaves what the heuristic proved.
        let initial = result.initial.map_or_else(|| heuristic.bound(task), Estimate::cost);
        if result.outcome != Outcome::Unsolvable {
            let bound = result.lower_bound.max(initial.unwrap_or(0));
            report.lower_bound = Some(Amount::of(bound, task));
        }
        if let Some(plan) = incumbent {
            report.add_incumbent(task, plan);
        }
        report.task = Some(TaskReport::new(task));
        report.heuristic = Some(HeuristicReport::new(task, heuristic, initial));
        report.search = Some(SearchReport::new(result, *search_time));
        report.seconds.heuristic = heuristic_time.as_secs_f64();
        report.seconds.search = search_time.as_secs_f64();
        report
    }

    /// The text for people, and for programs that read a plan from standard output: a plan
    /// file with the statistics in comments. What editors show beside a plan comes first:
    /// VS Code's extension takes the first line after the steps for the end of the plan.
    pub fn text(&self) -> String {
        let statistics = self.statistics().into_iter().map(comment);
        let lines = self.quality().chain(self.steps()).chain(statistics);
        join(lines.chain(self.footer.clone()))
    }

    /// The plan file: the steps, what editors show beside them, and the last line as Fast
    /// Downward writes it.
    pub fn plan_text(&self) -> Option<String> {
        let lines = self.steps().chain(self.quality()).chain(self.footer.clone());
        self.plan.is_some().then(|| join(lines))
    }

    /// The log for Downward Lab, without its beginning and the exit code. The plan is in its
    /// own file.
    pub fn log(&self) -> String {
        let planner = format!("Planner time: {:.6}s", self.seconds.total);
        join(self.statistics().into_iter().chain([planner]))
    }

    fn steps(&self) -> impl Iterator<Item = String> {
        self.plan.iter().flatten().cloned()
    }

    /// The lines that editors look for in a plan.
    fn quality(&self) -> impl Iterator<Item = String> {
        let metric = self.cost.or(self.upper_bound).map(|cost| format!("Metric: {cost}"));
        let evaluated = self.search.as_ref().map(|search| search.evaluated);
        let evaluated = evaluated.map(|count| format!("States evaluated: {count}"));
        metric.into_iter().chain(evaluated).map(comment)
    }

    /// How the run ended and what was counted, as in Fast Downward's log. Downward Lab
    /// expects each line once.
    fn statistics(&self) -> Vec<String> {
        let mut lines = self.ending();
        if let (Some(cost), Some(length)) = (self.cost, self.length) {
            lines.push(format!("Plan length: {length} step(s)."));
            lines.push(format!("Plan cost: {cost}"));
        }
        if let Some(heuristic) = &self.heuristic {
            let initial = heuristic.initial.map_or("infinity".to_owned(), |h| h.to_string());
            lines.push(format!("Initial heuristic value for {}: {initial}", heuristic.spec));
            if !heuristic.fallbacks.is_empty() {
                lines.push(format!("Heuristic: {}", heuristic.in_words()));
            }
        }
        lines.extend(self.search.iter().flat_map(SearchReport::lines));
        lines.extend(self.certificate.iter().flat_map(CertificateReport::lines));
        lines.push(format!("Total time: {:.6}s", self.seconds.total));
        lines.extend(self.peak_memory_bytes.map(|peak| format!("Peak memory: {} KB", peak >> 10)));
        lines
    }

    /// Why there is no plan, and the bound that is known nevertheless.
    fn ending(&self) -> Vec<String> {
        let reason = match self.status {
            Status::Solved => return Vec::new(),
            Status::Unsolvable => {
                let first = "There is no plan.".to_owned();
                let reasons = self.reasons.iter().flat_map(Reason::lines);
                return [first].into_iter().chain(reasons).collect();
            }
            Status::TimeLimit => "The time limit is reached.",
            Status::ProcessorLimit => "The limit on processor time is reached.",
            Status::MemoryLimit => "The memory limit is reached.",
            _ => "Interrupted.",
        };
        let lower = self.lower_bound.map(|bound| format!("Lower bound: {bound}"));
        let upper = self.upper_bound.map(|bound| format!("Upper bound: {bound}"));
        let gap = self.gap.map(|gap| format!("Gap: {:.1}%", 100.0 * gap));
        [reason.to_owned()].into_iter().chain(lower).chain(upper).chain(gap).collect()
    }
}

fn comment(line: impl Display) -> String {
    format!("; {line}")
}

fn join(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}
