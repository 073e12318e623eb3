//! Numbers that are added up over tasks: tasks solved, and scores.
//!
//! A score lies between 0 and 1, as Downward Lab computes it. It is 1 if the value is at most a
//! lower limit; 0 if the value is at least an upper limit, or if the task is not solved: no plan was
//! found, and the planner does not say that there is none; in between it falls with the logarithm of the value.
//! Scores are rounded to ten-thousandths and added as integers, so that sums do not depend on
//! the order, and the page's script gets the same ones.

use super::Report;
use crate::Record;

/// A number that is added up over tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// 1 for a task that was solved.
    Coverage,
    /// 1 for a task whose initial value and optimal cost are known.
    Known,
    /// 1 for a task whose initial value is its optimal cost.
    Perfect,
    /// A score.
    Score(Score),
}

/// The value on which a score is based.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The number of states expanded.
    Expansions,
    /// The number of states evaluated.
    Evaluations,
    /// The number of states generated.
    Generated,
    /// Seconds of search, according to the planner.
    SearchTime,
    /// Seconds in total, according to the planner.
    TotalTime,
    /// Processor time of the run, measured from outside.
    PlannerTime,
    /// Memory of the run, measured from outside.
    Memory,
}

/// The sums of a metric for each configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The sums over the tasks of each domain.
    pub(super) by_domain: Vec<Vec<u64>>,
    /// The sums over all tasks.
    pub total: Vec<u64>,
}

/// The number of units in a score of 1.
const SCORE_UNITS: u32 = 10_000;

impl Metric {
    /// All metrics.
    pub(super) const ALL: [Self; 10] = [
        Self::Coverage,
        Self::Known,
        Self::Perfect,
        Self::Score(Score::Expansions),
        Self::Score(Score::Evaluations),
        Self::Score(Score::Generated),
        Self::Score(Score::SearchTime),
        Self::Score(Score::TotalTime),
        Self::Score(Score::PlannerTime),
        Self::Score(Score::Memory),
    ];

    /// Its name in files; that of Downward Lab if Lab has the same metric.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Known => "initial_h_known",
            Self::Perfect => "initial_h_perfect",
            Self::Score(Score::Expansions) => "score_expansions",
            Self::Score(Score::Evaluations) => "score_evaluations",
            Self::Score(Score::Generated) => "score_generated",
            Self::Score(Score::SearchTime) => "score_search_time",
            Self::Score(Score::TotalTime) => "score_total_time",
            Self::Score(Score::PlannerTime) => "score_planner_time",
            Self::Score(Score::Memory) => "score_memory",
        }
    }

    /// Its name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Coverage => "solved",
            Self::Known => "h and h* known",
            Self::Perfect => "perfect initial value",
            Self::Score(Score::Expansions) => "expansions",
            Self::Score(Score::Evaluations) => "evaluations",
            Self::Score(Score::Generated) => "generated states",
            Self::Score(Score::SearchTime) => "search time",
            Self::Score(Score::TotalTime) => "total time, as reported",
            Self::Score(Score::PlannerTime) => "processor time",
            Self::Score(Score::Memory) => "memory",
        }
    }

    /// The metrics that are scores.
    pub(crate) fn scores() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|metric| matches!(metric, Self::Score(_)))
    }

    /// The number of units in 1.
    pub(crate) fn units(self) -> u32 {
        if let Self::Score(_) = self { SCORE_UNITS } else { 1 }
    }

    /// A sum as shown in tables.
    pub(super) fn show(self, sum: u64) -> String {
        match self {
            Self::Score(_) => format!("{:.2}", sum as f64 / f64::from(SCORE_UNITS)),
            _ => sum.to_string(),
        }
    }

    /// What a run adds to the sum, in units.
    pub(crate) fn value(self, report: &Report, row: usize, column: usize) -> u64 {
        let Some(record) = report.record(row, column) else { return 0 };
        let (initial, optimal) = (record.measures.initial_h, report.rows[row].optimal);
        match self {
            Self::Coverage => u64::from(record.status.is_solved()),
            Self::Known => u64::from(initial.is_some() && optimal.is_some()),
            Self::Perfect => u64::from(initial.is_some() && initial == optimal),
            Self::Score(score) => score.value(record).map_or(0, in_units),
        }
    }

    /// The sums over all tasks.
    pub fn sums(self, report: &Report) -> Sums {
        let width = report.columns.len();
        let mut by_domain = vec![vec![0; width]; report.domains.len()];
        let mut total = vec![0; width];
        for (row, column, _) in report.records() {
            let value = self.value(report, row, column);
            by_domain[report.rows[row].domain][column] += value;
            total[column] += value;
        }
        Sums { by_domain, total }
    }
}

impl Score {
    /// The score of a run; `None` if its value or its limit is not known.
    fn value(self, record: &Record) -> Option<f64> {
        if !record.status.is_solved() {
            return Some(0.0);
        }
        let (measures, limits) = (&record.measures, record.limits);
        let counted = |count: Option<u64>| Some((count? as f64, 100.0, 1e6));
        let timed = |seconds: Option<f64>| Some((seconds?, 1.0, limits.time.as_secs_f64()));
        let kilobytes = |bytes: u64| bytes as f64 / 1024.0;
        let (value, best, worst) = match self {
            Self::Expansions => counted(measures.expanded),
            Self::Evaluations => counted(measures.evaluated),
            Self::Generated => counted(measures.generated),
            Self::SearchTime => timed(measures.search_seconds),
            Self::TotalTime => timed(measures.total_seconds),
            Self::PlannerTime => timed(Some(measures.cpu_seconds)),
            Self::Memory => {
                Some((kilobytes(measures.peak_memory), 2000.0, kilobytes(limits.memory)))
            }
        }?;
        (worst > 0.0).then(|| logarithmic(value, best, worst))
    }
}

/// Converts a score between 0 and 1 to units.
#[expect(clippy::cast_sign_loss, reason = "scores are not negative")]
fn in_units(score: f64) -> u64 {
    (score * f64::from(SCORE_UNITS)).round() as u64
}

/// A score: 1 up to the best value, 0 from the worst value on, logarithmic in between.
fn logarithmic(value: f64, best: f64, worst: f64) -> f64 {
    if worst <= best {
        return if value <= best { 1.0 } else { 0.0 };
    }
    (worst / value.clamp(best, worst)).ln() / (worst / best).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fall_with_the_logarithm() {
        for (value, score) in [(0.0, 1.0), (100.0, 1.0), (1e4, 0.5), (1e6, 0.0), (1e9, 0.0)] {
            assert!((logarithmic(value, 100.0, 1e6) - score).abs() < 1e-12, "{value}");
        }
        assert!((logarithmic(1.0, 1.0, 1.0) - 1.0).abs() < 1e-12);
        assert!(logarithmic(2.0, 1.0, 1.0).abs() < 1e-12);
    }
}
