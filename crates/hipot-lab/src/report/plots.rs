//! The plots of a report, their titles and file names.
//!
//! The paper's three plots come first: the initial values of `pot2` against h*, those of `pot1`
//! against `pot2`, and the expansions of `pot1` against `pot2`. If there are no configurations
//! with these names, the first pair takes their place. Like the paper's, plots of initial values
//! are linear up to 50; beside them are logarithmic ones that have all values.

use super::{Attribute, Report};

/// A plot of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plot {
    /// What it shows.
    pub kind: PlotKind,
    /// The configurations on the horizontal and the vertical axis, as indices into
    /// [`Report::columns`]. A plot against h* has the same configuration twice, a cactus plot
    /// has none.
    pub columns: Option<(usize, usize)>,
}

/// What a plot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlotKind {
    /// The initial values of a configuration against h*, both up to 50.
    OptimalLinear,
    /// The initial values of a configuration against h*.
    Optimal,
    /// The initial values of two configurations against each other, up to 50.
    InitialLinear,
    /// The initial values of two configurations against each other.
    Initial,
    /// The expansions of two configurations against each other, without the last f layer.
    Expansions,
    /// An attribute of two configurations against each other.
    Value(Attribute),
    /// The number of tasks solved within a time.
    SolvedByTime,
    /// The number of tasks solved within a number of expansions.
    SolvedByExpansions,
}

/// The largest value on a linear plot, as in the paper.
pub(super) const LINEAR_MAX: u64 = 50;

/// The most plots of a kind.
const MAX_PLOTS: usize = 15;

impl PlotKind {
    /// All kinds of plots.
    fn all() -> impl Iterator<Item = Self> {
        use PlotKind::{Expansions, Initial, InitialLinear, Optimal, OptimalLinear, Value};
        let first = [OptimalLinear, Optimal, InitialLinear, Initial, Expansions];
        let last = [Self::SolvedByTime, Self::SolvedByExpansions];
        first.into_iter().chain(Attribute::ALL.map(Value)).chain(last)
    }

    /// Its name in files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OptimalLinear => "initial-h-optimal-to-50",
            Self::Optimal => "initial-h-optimal",
            Self::InitialLinear => "initial-h-to-50",
            Self::Initial => "initial-h",
            Self::Expansions => "expansions",
            Self::Value(attribute) => attribute.name(),
            Self::SolvedByTime => "solved-by-time",
            Self::SolvedByExpansions => "solved-by-expansions",
        }
    }
}

impl Report {
    /// All plots, the most important of each kind first.
    pub fn plots(&self) -> Vec<Plot> {
        PlotKind::all().flat_map(|kind| self.plots_of(kind)).collect()
    }

    /// The plots of a kind, the most important first.
    pub(super) fn plots_of(&self, kind: PlotKind) -> Vec<Plot> {
        let mut plots: Vec<Plot> = match kind {
            PlotKind::OptimalLinear | PlotKind::Optimal => (0..self.columns.len())
                .map(|column| Plot { kind, columns: Some((column, column)) })
                .collect(),
            PlotKind::InitialLinear
            | PlotKind::Initial
            | PlotKind::Expansions
            | PlotKind::Value(_) => {
                let pairs = self.pairs().into_iter();
                pairs.map(|columns| Plot { kind, columns: Some(columns) }).collect()
            }
            PlotKind::SolvedByTime | PlotKind::SolvedByExpansions => {
                vec![Plot { kind, columns: None }]
            }
        };
        let main = self.main_pair();
        plots.sort_by_key(|plot| match (plot.columns, main) {
            (Some((first, second)), Some(main)) if first == second => second != main.1,
            (columns, main) => columns != main,
        });
        plots.truncate(MAX_PLOTS);
        plots
    }

    /// `pot1` and `pot2`, or the first pair.
    fn main_pair(&self) -> Option<(usize, usize)> {
        let pairs = self.pairs();
        let is_paper = |&(first, second): &(usize, usize)| {
            self.columns[first].name == "pot1" && self.columns[second].name == "pot2"
        };
        pairs.iter().copied().find(is_paper).or_else(|| pairs.first().copied())
    }

    /// The plot's title.
    pub(super) fn title(&self, plot: Plot) -> String {
        let name = |column: usize| &self.columns[column].name;
        match (plot.kind, plot.columns) {
            (PlotKind::OptimalLinear, Some((_, column))) => {
                format!(
                    "Initial values of {} against optimal costs, up to {LINEAR_MAX}",
                    name(column)
                )
            }
            (PlotKind::Optimal, Some((_, column))) => {
                format!("Initial values of {} against optimal costs", name(column))
            }
            (PlotKind::InitialLinear, Some((first, second))) => {
                let (first, second) = (name(first), name(second));
                format!("Initial values of {first} and {second}, up to {LINEAR_MAX}")
            }
            (PlotKind::Initial, Some((first, second))) => {
                format!("Initial values of {} and {}", name(first), name(second))
            }
            (PlotKind::Expansions, Some((first, second))) => format!(
                "Expansions of {} and {}, without the last f layer",
                name(first),
                name(second)
            ),
            (PlotKind::Value(attribute), Some((first, second))) => {
                format!("{} of {} and {}", attribute.title(), name(first), name(second))
            }
            (PlotKind::SolvedByExpansions, _) => "Tasks solved by expansions".to_owned(),
            _ => "Tasks solved by processor time".to_owned(),
        }
    }

    /// The name of the plot's file. Names of configurations can contain anything; only letters,
    /// digits, `-`, `_` and `.` are kept. A name that changes gets the number of its column, so
    /// that it stays unique.
    pub fn file_name(&self, plot: Plot) -> String {
        let plain = |column: usize| {
            let keep = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let name = &self.columns[column].name;
            let kept: String =
                name.chars().map(|c| if keep(c) { c } else { '_' }).take(60).collect();
            if kept == *name { kept } else { format!("{kept}_{column}") }
        };
        let kind = plot.kind.name();
        match plot.columns {
            None => format!("{kind}.svg"),
            Some((first, second)) if first == second => format!("{kind}-{}.svg", plain(second)),
            Some((first, second)) => format!("{kind}-{}-{}.svg", plain(first), plain(second)),
        }
    }
}
