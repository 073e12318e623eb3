//! What an experiment says: tables, plots, a page to look at, and files for others.
//!
//! A report is a matrix, tasks × configurations, of what was recorded. Everything that
//! is shown is a sum over tasks ([`Metric`], [`Comparison`]) or a mark for each task
//! ([`Plot`]). The definitions stand here, once; the page's script holds only the
//! numbers of each task and adds up those that a filter leaves, so that what it shows
//! after filtering is what this module would say of the remaining tasks.
//!
//! **Optimal costs.** h* of a task is known when a configuration solved it, its plan was
//! validated, and the configuration claims to be optimal. All do, but those named in
//! [`Params::satisficing`]. A claim can be wrong: [`Warning`]s are the contradictions
//! that the rows themselves show. Imported rows are no ground for h*, because their plans
//! were not validated here; their claims are compared all the same.
//!
//! Dropped: drawing plots in the browser. It would have meant two drawings of one idea,
//! since papers want files.

mod axis;
mod cactus;
mod compare;
mod csv;
mod draw;
mod facts;
mod json;
mod logs;
mod matrix;
mod metric;
mod page;
mod plots;
mod scatter;
mod svg;
mod time;
mod warning;

pub use compare::Comparison;
pub use facts::Facts;
pub use logs::Logs;
pub use matrix::{Column, Report, Row};
pub use metric::{Metric, Score, Sums};
pub use plots::{Kind, Plot};
pub use warning::{Conflict, Warning};

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// The configuration that the others are compared with; otherwise all pairs are
    /// compared, as far as they are not too many.
    pub baseline: Option<String>,
    /// Configurations that do not claim that their plans are optimal.
    pub satisficing: Vec<String>,
}
