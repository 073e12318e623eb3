//! Which plots there are.
//!
//! The paper's three come first: the initial values of `pot2` against h*, those of `pot1`
//! against `pot2`, and their expansions. With other names the first pair of configurations
//! stands for them.

use super::Report;

/// A plot of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plot {
    /// What it shows.
    pub kind: Kind,
    /// The configurations, as places in [`Report::columns`]: on the horizontal and the
    /// vertical axis. Plots against h* have the second alone, curves none.
    pub columns: Option<(usize, usize)>,
}

/// What a plot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A configuration's initial values against h*.
    Optimal,
    /// The initial values of two configurations.
    Initial,
    /// The expansions of two configurations, the last f layer left out.
    Expansions,
    /// How many tasks are solved in a time.
    SolvedByTime,
    /// How many tasks are solved with so many expansions.
    SolvedByExpansions,
}

/// The most plots of a kind.
const MOST: usize = 15;

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Optimal,
        Self::Initial,
        Self::Expansions,
        Self::SolvedByTime,
        Self::SolvedByExpansions,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "initial-h-optimal",
            Self::Initial => "initial-h",
            Self::Expansions => "expansions",
            Self::SolvedByTime => "solved-by-time",
            Self::SolvedByExpansions => "solved-by-expansions",
        }
    }
}

impl Report {
    /// All plots, the most important of each kind first.
    pub fn plots(&self) -> Vec<Plot> {
        Kind::ALL.into_iter().flat_map(|kind| self.plots_of(kind)).collect()
    }

    /// The plots of a kind, the most important first.
    pub fn plots_of(&self, kind: Kind) -> Vec<Plot> {
        let mut plots: Vec<Plot> = match kind {
            Kind::Optimal => (0..self.columns.len())
                .map(|column| Plot { kind, columns: Some((column, column)) })
                .collect(),
            Kind::Initial | Kind::Expansions => {
                let pairs = self.pairs().into_iter();
                pairs.map(|columns| Plot { kind, columns: Some(columns) }).collect()
            }
            Kind::SolvedByTime | Kind::SolvedByExpansions => vec![Plot { kind, columns: None }],
        };
        let main = self.main_pair();
        plots.sort_by_key(|plot| match (plot.columns, main) {
            (Some((first, second)), Some(main)) if first == second => second != main.1,
            (columns, main) => columns != main,
        });
        plots.truncate(MOST);
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
    pub fn title(&self, plot: Plot) -> String {
        let name = |column: usize| &self.columns[column].name;
        match (plot.kind, plot.columns) {
            (Kind::Optimal, Some((_, column))) => {
                format!("Initial values of {} against optimal costs", name(column))
            }
            (Kind::Initial, Some((first, second))) => {
                format!("Initial values of {} and {}", name(first), name(second))
            }
            (Kind::Expansions, Some((first, second))) => format!(
                "Expansions of {} and {}, the last f layer left out",
                name(first),
                name(second)
            ),
            (Kind::SolvedByExpansions, _) => "Tasks solved by expansions".to_owned(),
            _ => "Tasks solved by processor time".to_owned(),
        }
    }

    /// The name of the plot's file. Names of configurations can hold anything; only
    /// letters, digits, `-`, `_` and `.` are kept, and the columns' numbers tell apart
    /// those that become equal.
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
