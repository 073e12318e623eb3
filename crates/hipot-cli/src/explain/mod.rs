//! What a heuristic is made of, for people who ask what it sees.
//!
//! A potential function is a weighted sum of features, φ(s) = c + Σ w(f) over
//! the features f that are true in s. Nothing about it is hidden, but a list
//! of ten thousand weights explains little. So an [`Explanation`] holds what
//! people can read: the variables with the weight of each value, the features
//! with the largest weights in the words of the task, the terms that add up
//! to the value of the initial state, the strongest weight between any two
//! variables, and for the operators how many features each changes, the width
//! of its context-dependency graph, and its *slack*: cost(o) minus the most
//! by which it can lower φ. An operator without slack is tight: it is one of
//! those that keep φ from being higher. A short search shows what all of this is
//! good for. The numbers are those of the certified function, exactly. How far it is below
//! the LP's optimum is said apart. Cost partitionings are explained by their [`shares`].
//!
//! | module | what |
//! |---|---|
//! | `collect` | the explanation of a heuristic, from its potential functions |
//! | `operators` | what is said about operators |
//! | [`operator`] | one operator: the elimination of its contexts, step by step |
//! | [`shares`] | cost partitionings |
//! | `search` | a search with the heuristic |
//! | `names` | facts, features and variables in words |
//! | `ratio` | exact fractions |
//! | [`text()`], [`json()`], [`dot()`], [`html()`] | the explanation for people, programs, Graphviz, browsers |
//!
//! The forms differ in what they show of an explanation, not in where it
//! comes from: each is a function from [`Explanation`] to a string.

mod collect;
mod cost;
mod dot;
mod html;
mod json;
mod names;
pub(crate) mod operator;
mod operators;
mod ratio;
mod search;
mod shares;
mod text;

use hipot::Status;
use hipot::heuristic::Fallback;
use hipot::report::TaskReport;
use serde::Serialize;

pub(crate) use collect::{Amount, explain};
pub(crate) use cost::Cost;
pub(crate) use dot::dot;
pub(crate) use html::html;
pub(crate) use json::json;
pub(crate) use ratio::Ratio;
pub(crate) use search::{Layer, Search, Step};
pub(crate) use shares::Partition;
pub(crate) use text::text;

/// The result of `hipot explain`, schema `hipot.explain/1`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Explanation {
    /// `hipot.explain/1`.
    pub(crate) schema: &'static str,
    /// `solved`, or `unsolvable` if a function proves that there is no plan.
    pub(crate) status: Status,
    /// What the task is called.
    pub(crate) name: String,
    /// The heuristic's spec.
    pub(crate) heuristic: String,
    /// Where something weaker was used than what was asked for, and why.
    pub(crate) fallbacks: Vec<Fallback>,
    /// The best bound of them all: every plan costs at least this much. `None` if there
    /// is no plan.
    pub(crate) lower_bound: Option<Cost>,
    /// The sizes of the task as it was given.
    pub(crate) task: TaskReport,
    /// Each potential function in the heuristic.
    pub(crate) functions: Vec<Function>,
    /// Each cost partitioning in the heuristic.
    pub(crate) partitions: Vec<Partition>,
    /// A search with the heuristic, if one was asked for.
    pub(crate) search: Option<Search>,
}

impl Explanation {
    /// The schema's name and version.
    pub(crate) const SCHEMA: &'static str = "hipot.explain/1";
}

/// One potential function.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Function {
    /// Its spec.
    pub(crate) spec: String,
    /// max(0, ⌈φ(s_I)⌉); `None` if the function proves that there is no plan, because no
    /// operator lowers it.
    pub(crate) initial: Option<Cost>,
    /// φ(s_I).
    pub(crate) initial_exact: Ratio,
    /// The variables of the task in TNF.
    pub(crate) variables: Vec<Variable>,
    /// The features.
    pub(crate) features: Features,
    /// How φ(s_I) is composed.
    pub(crate) sum: Sum,
    /// Pairs of variables that occur together in a feature with nonzero weight.
    pub(crate) pairs: Vec<Pair>,
    /// The operators of the task in TNF.
    pub(crate) operators: Operators,
    /// The LP that the weights come from.
    pub(crate) lp: Lp,
}

/// A variable of the task in TNF.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Variable {
    /// Its name in the task.
    pub(crate) name: String,
    /// What its values have in common, such as `at(ball1, …)`, made unique; the name if they
    /// have nothing in common.
    pub(crate) title: String,
    /// Its values.
    pub(crate) values: Vec<ValueWeight>,
    /// The largest absolute weight of a feature with this variable.
    pub(crate) strongest: Ratio,
}

impl Variable {
    /// The name, unless the title ends with it.
    fn name_beside_title(&self) -> Option<&str> {
        let is_there = self.title == self.name || self.title.ends_with(&format!("({})", self.name));
        (!is_there).then_some(&self.name)
    }
}

/// A value of a variable.
#[allow(clippy::struct_excessive_bools, reason = "each holds or not, whatever the others do")]
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ValueWeight {
    /// Its name in the task.
    pub(crate) name: String,
    /// The weight of the feature that is this fact alone; 0 for the reference value, `None`
    /// if there is no such feature.
    pub(crate) weight: Option<Ratio>,
    /// Whether it is the reference value: features that mention it are left out, because
    /// the others can express the same functions.
    pub(crate) reference: bool,
    /// Whether it is the value that TNF adds.
    pub(crate) unknown: bool,
    /// Whether the variable has it in the initial state.
    pub(crate) initial: bool,
    /// Whether the variable has it in the goal of the task in TNF.
    pub(crate) goal: bool,
}

/// The features of a function.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Features {
    /// The number of features.
    pub(crate) count: usize,
    /// The number of features with weight 0.
    pub(crate) zero: usize,
    /// The size of the largest feature.
    pub(crate) dimension: usize,
    /// The features with the largest absolute weights, none of them 0.
    pub(crate) top: Vec<Weighted>,
}

/// A feature and its weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Weighted {
    /// Its facts, joined by ` & `.
    pub(crate) feature: String,
    /// w(f).
    pub(crate) weight: Ratio,
    /// Whether it is true in the initial state.
    pub(crate) initial: bool,
    /// Whether it is true in the goal of the task in TNF.
    pub(crate) goal: bool,
}

/// φ(s_I) = constant + terms + rest.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sum {
    /// The constant of φ.
    pub(crate) constant: Ratio,
    /// Features that are true in the initial state, by decreasing absolute weight.
    pub(crate) terms: Vec<Weighted>,
    /// The number of further features that are true there and have nonzero weight.
    pub(crate) rest_count: usize,
    /// The sum of their weights.
    pub(crate) rest: Ratio,
    /// The number of features that are true there and have weight 0.
    pub(crate) zero: usize,
    /// φ(s_I).
    pub(crate) total: Ratio,
}

/// Two variables, and the features with nonzero weight that mention both.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Pair {
    /// The index of the first variable.
    pub(crate) first: usize,
    /// The index of the second variable, which is larger.
    pub(crate) second: usize,
    /// The number of features.
    pub(crate) features: usize,
    /// The feature with the largest absolute weight.
    pub(crate) feature: String,
    /// Its weight.
    pub(crate) weight: Ratio,
}

/// The operators of the task in TNF.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Operators {
    /// The number of operators.
    pub(crate) count: usize,
    /// The number of operators that TNF adds, to forget a value.
    pub(crate) forgetting: usize,
    /// The number of tight operators: they can lower φ by as much as they cost.
    pub(crate) tight: usize,
    /// The number of tight operators that forget a value.
    pub(crate) tight_forgetting: usize,
    /// The number of further operators that are nearly tight: a function that was solved for
    /// with a margin leaves a little slack everywhere.
    pub(crate) nearly_tight: usize,
    /// The largest slack.
    pub(crate) largest_slack: Option<Ratio>,
    /// The widths of the context-dependency graphs.
    pub(crate) widths: Vec<Bin>,
    /// The numbers of features that operators change in every context.
    pub(crate) independent: Vec<Bin>,
    /// The numbers of features that operators change in some contexts.
    pub(crate) dependent: Vec<Bin>,
    /// The widest operators, and among these the ones that change most features.
    pub(crate) widest: Vec<Operator>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Bin {
    /// The smallest number in the bin.
    pub(crate) from: usize,
    /// The largest number in the bin.
    pub(crate) to: usize,
    /// The number of operators in the bin.
    pub(crate) operators: usize,
}

impl std::fmt::Display for Bin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.from == self.to {
            f.pad(&self.from.to_string())
        } else {
            f.pad(&format!("{}–{}", self.from, self.to))
        }
    }
}

/// An operator of the task in TNF.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Operator {
    /// Its name.
    pub(crate) name: String,
    /// Its cost; 0 in a proof that there is no plan.
    pub(crate) cost: Cost,
    /// The number of features that it changes in every context.
    pub(crate) independent: usize,
    /// The number of features that it changes in some contexts.
    pub(crate) dependent: usize,
    /// The width of its context-dependency graph.
    pub(crate) width: usize,
    /// Its cost minus the most by which it can lower φ.
    pub(crate) slack: Option<Ratio>,
}

/// An LP and how it was solved.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Lp {
    /// Rows.
    pub(crate) rows: u64,
    /// Columns.
    pub(crate) columns: u64,
    /// Nonzeros.
    pub(crate) nonzeros: u64,
    /// The method that solved it.
    pub(crate) method: &'static str,
    /// How its weights became exact.
    #[serde(serialize_with = "as_text")]
    pub(crate) rung: hipot_potential::Rung,
    /// Whether the function is proved to be the LP's optimum.
    pub(crate) optimal: bool,
    /// How far it is below the optimum, as far as the solver can tell; 0 if it is proved optimal.
    pub(crate) gap: f64,
    /// The same in one.
    #[serde(skip)]
    pub(crate) optimality: hipot_potential::Optimality,
    /// The time for building, solving and certifying.
    pub(crate) seconds: f64,
}

fn as_text<S: serde::Serializer>(value: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}
