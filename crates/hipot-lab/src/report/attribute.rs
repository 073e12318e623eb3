//! The attributes of runs that can be plotted.

use crate::Record;

/// A number that a run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attribute {
    /// Processor time of all processes, measured from outside.
    ProcessorTime,
    /// Seconds of search, according to the planner.
    SearchTime,
    /// Seconds in total, according to the planner.
    TotalTime,
    /// The largest amount of memory.
    Memory,
    /// States expanded, with the last f layer.
    Expansions,
    /// States evaluated.
    Evaluated,
    /// States generated.
    Generated,
    /// The cost of the plan.
    Cost,
    /// The proven lower bound.
    LowerBound,
}

impl Attribute {
    /// All attributes.
    pub(super) const ALL: [Self; 9] = [
        Self::ProcessorTime,
        Self::SearchTime,
        Self::TotalTime,
        Self::Memory,
        Self::Expansions,
        Self::Evaluated,
        Self::Generated,
        Self::Cost,
        Self::LowerBound,
    ];

    /// Its name on the page; the page's script has the same names.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::ProcessorTime => "processor time in seconds",
            Self::SearchTime => "search time in seconds",
            Self::TotalTime => "total time in seconds",
            Self::Memory => "memory in MB",
            Self::Expansions => "expansions",
            Self::Evaluated => "evaluated",
            Self::Generated => "generated",
            Self::Cost => "cost",
            Self::LowerBound => "lower bound",
        }
    }

    /// Its name in files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ProcessorTime => "processor-time",
            Self::SearchTime => "search-time",
            Self::TotalTime => "total-time",
            Self::Memory => "memory",
            Self::Expansions => "all-expansions",
            Self::Evaluated => "evaluated",
            Self::Generated => "generated",
            Self::Cost => "cost",
            Self::LowerBound => "lower-bound",
        }
    }

    /// Its value for a run; `None` if it is unknown, or says nothing because the task was not solved.
    pub(super) fn value(self, record: &Record, is_solved: bool) -> Option<f64> {
        let measures = &record.measures;
        let count = |value: Option<u64>| value.map(|value| value as f64);
        let of_solved = |value: Option<f64>| value.filter(|_| is_solved);
        match self {
            Self::ProcessorTime => of_solved(Some(measures.cpu_seconds)),
            Self::SearchTime => of_solved(measures.search_seconds),
            Self::TotalTime => of_solved(measures.total_seconds),
            Self::Memory => Some(measures.peak_memory as f64 / 1e6),
            Self::Expansions => of_solved(count(measures.expanded)),
            Self::Evaluated => of_solved(count(measures.evaluated)),
            Self::Generated => of_solved(count(measures.generated)),
            Self::Cost => of_solved(count(measures.cost)),
            Self::LowerBound => count(measures.lower_bound),
        }
    }

    /// The smallest value that an axis tells from 0.
    pub(super) fn least(self) -> f64 {
        match self {
            Self::ProcessorTime | Self::SearchTime | Self::TotalTime => 0.01,
            _ => 1.0,
        }
    }

    /// Whether runs without a value are those that did not solve the task.
    pub(super) fn is_of_solved(self) -> bool {
        !matches!(self, Self::Memory | Self::LowerBound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's script finds the values of a plot under the attribute's title.
    #[test]
    fn the_script_has_all_attributes() {
        let script = include_str!("page/script/wide.js");
        for title in Attribute::ALL.map(Attribute::title) {
            let is_there = [format!("  \"{title}\": "), format!("  {title}: ")];
            assert!(is_there.iter().any(|name| script.contains(name)), "{title}");
        }
    }
}
