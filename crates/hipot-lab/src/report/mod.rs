//! What an experiment says: tables, plots, a page to look at, and files for other programs.
//!
//! A report is a matrix of results, tasks × configurations. Everything that is shown is either a
//! sum over tasks ([`Metric`], [`Comparison`]) or a mark for each task ([`Plot`]). These are
//! defined once, in this module. The page's script has only the numbers of each task, and adds up
//! those that pass its filter; so what it shows after filtering is what this module would say of
//! the remaining tasks. A test in a browser compares the two.
//!
//! **Optimal costs.** h* of a task is known if a configuration solved it, its plan was validated
//! here, and the configuration claims to be optimal. All do, except those in
//! [`Params::satisficing`]. Costs known from elsewhere can be given ([`KnownCosts`]). A claim can
//! be wrong: a [`Warning`] is a contradiction between the results of a task, or with a cost that
//! is given. Imported rows are not evidence for h*, because their plans were not
//! validated here; but their claims are compared too.
//!
//! **Tried and dropped:** drawing the plots in the browser. Papers need files, so there would
//! have been two implementations of each plot.

mod attribute;
mod axis;
mod cactus;
mod compare;
mod csv;
mod draw;
mod json;
mod known_costs;
mod logs;
mod matrix;
mod metric;
mod page;
mod plots;
mod provenance;
mod scatter;
mod svg;
mod time;
mod warning;

use std::collections::BTreeMap;

pub use attribute::Attribute;
pub use compare::Comparison;
pub use known_costs::KnownCosts;
pub use logs::Logs;
pub use matrix::{Column, Report, Row};
pub use metric::{Metric, Score, Sums};
pub use plots::{Plot, PlotKind};
pub use warning::Warning;

/// The options of a report.
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// The configuration with which the others are compared; `None`: all pairs are compared,
    /// unless there are too many.
    pub baseline: Option<String>,
    /// Configurations that do not claim that their plans are optimal.
    pub satisficing: Vec<String>,
    /// What each configuration runs, in words.
    pub planners: BTreeMap<String, String>,
    /// Optimal costs that are known from elsewhere.
    pub costs: KnownCosts,
}
