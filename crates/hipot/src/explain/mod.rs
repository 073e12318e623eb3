//! What a potential heuristic is made of, for people who ask what it sees.
//!
//! A potential function is a weighted sum of features, φ(s) = c + Σ w(f) over
//! the features f that are true in s; nothing about it is hidden, but a list
//! of ten thousand weights explains little. So an [`Explanation`] holds what
//! can be read: the variables with the weight of each value, the features
//! with the largest weights in the words of the task, the terms that add up
//! to the value of the initial state, the strongest weight between any two
//! variables, and for the operators how many features each changes, the width
//! of its context-dependency graph, and its *slack*: cost(o) less the most
//! that it can take from φ. An operator without slack is tight: it is one of
//! those that keep φ from being higher. A short search shows what all of it is
//! good for. All numbers are exact.
//!
//! | module | what |
//! |---|---|
//! | `collect` | the explanation of a heuristic, from its potential functions |
//! | `operators` | what is said about operators |
//! | `search` | a search with the heuristic |
//! | `names` | facts, features and variables in words |
//! | `ratio` | exact fractions |
//! | [`text()`], [`json()`], [`dot()`], [`html()`] | the explanation for people, programs, Graphviz, browsers |
//!
//! The forms differ in what they show of an explanation, not in where it
//! comes from: each is a function from [`Explanation`] to a string.

mod collect;
mod dot;
mod html;
mod json;
mod names;
mod operators;
mod ratio;
mod search;
mod text;

use serde::Serialize;

pub use collect::{Amount, explain};
pub use dot::dot;
pub use html::html;
pub use json::json;
pub use ratio::Ratio;
pub use search::{Layer, Search, Step};
pub use text::text;

use crate::failure::Status;
use crate::report::TaskReport;

/// The result of `hipot explain`, schema `hipot.explain/1`.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// `hipot.explain/1`.
    pub schema: &'static str,
    /// `solved`, or `unsolvable` where a function proves that there is no plan.
    pub status: Status,
    /// The heuristic's spec.
    pub heuristic: String,
    /// Every plan costs at least this much, say the functions together;
    /// `None` where there is no plan.
    pub lower_bound: Option<u64>,
    /// The sizes of the task as it was given.
    pub task: TaskReport,
    /// Each potential function in the heuristic.
    pub functions: Vec<Function>,
    /// A search with the heuristic, if one was asked for.
    pub search: Option<Search>,
}

impl Explanation {
    /// The schema's name and version.
    pub const SCHEMA: &'static str = "hipot.explain/1";
}

/// What is said about one potential function.
#[derive(Clone, Debug, Serialize)]
pub struct Function {
    /// Its spec.
    pub spec: String,
    /// max(0, ⌈φ(s_I)⌉); `None` where the function proves that there is no
    /// plan, because no operator lowers it.
    pub initial: Option<u64>,
    /// φ(s_I).
    pub initial_exact: Ratio,
    /// The variables of the task in TNF.
    pub variables: Vec<Variable>,
    /// The features.
    pub features: Features,
    /// How φ(s_I) comes about.
    pub sum: Sum,
    /// Pairs of variables that a feature with nonzero weight has in common.
    pub pairs: Vec<Pair>,
    /// The operators of the task in TNF.
    pub operators: Operators,
    /// The LP that the weights come from.
    pub lp: Lp,
}

/// A variable of the task in TNF.
#[derive(Clone, Debug, Serialize)]
pub struct Variable {
    /// Its name in the task.
    pub name: String,
    /// What its values have in common, such as `at(ball1, …)`, unlike that of
    /// other variables; the name where that is nothing.
    pub title: String,
    /// Its values.
    pub values: Vec<ValueWeight>,
    /// The largest absolute weight of a feature with this variable.
    pub strongest: Ratio,
}

impl Variable {
    /// The name, where the title does not end with it.
    fn name_beside_title(&self) -> Option<&str> {
        let is_there = self.title == self.name || self.title.ends_with(&format!("({})", self.name));
        (!is_there).then_some(&self.name)
    }
}

/// A value of a variable.
#[allow(clippy::struct_excessive_bools, reason = "each holds or not, whatever the others do")]
#[derive(Clone, Debug, Serialize)]
pub struct ValueWeight {
    /// Its name in the task.
    pub name: String,
    /// The weight of the feature that is this fact alone; 0 for the reference
    /// value, `None` where there is no such feature.
    pub weight: Option<Ratio>,
    /// Whether it is the reference value: features that mention it are left
    /// out, because the others can say the same.
    pub reference: bool,
    /// Whether it is the value that TNF adds.
    pub unknown: bool,
    /// Whether the variable has it in the initial state.
    pub initial: bool,
    /// Whether the variable has it in the goal of the task in TNF.
    pub goal: bool,
}

/// The features of a function.
#[derive(Clone, Debug, Serialize)]
pub struct Features {
    /// How many there are.
    pub count: usize,
    /// How many of them have the weight 0.
    pub zero: usize,
    /// The size of the largest.
    pub dimension: usize,
    /// Those with the largest absolute weights, none of them 0.
    pub top: Vec<Weighted>,
}

/// A feature and its weight.
#[derive(Clone, Debug, Serialize)]
pub struct Weighted {
    /// Its facts, joined by ` & `.
    pub feature: String,
    /// w(f).
    pub weight: Ratio,
    /// Whether it is true in the initial state.
    pub initial: bool,
    /// Whether it is true in the goal of the task in TNF.
    pub goal: bool,
}

/// φ(s_I) = constant + terms + rest.
#[derive(Clone, Debug, Serialize)]
pub struct Sum {
    /// What φ has in every state.
    pub constant: Ratio,
    /// Features that are true in the initial state, largest weights first.
    pub terms: Vec<Weighted>,
    /// How many more are true there with a weight that is not 0,
    pub rest_count: usize,
    /// and the sum of their weights.
    pub rest: Ratio,
    /// How many are true there with the weight 0.
    pub zero: usize,
    /// φ(s_I).
    pub total: Ratio,
}

/// Two variables, and the features with nonzero weight that mention both.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The index of the first variable,
    pub first: usize,
    /// and of the second, which is larger.
    pub second: usize,
    /// How many features there are.
    pub features: usize,
    /// The one with the largest absolute weight,
    pub feature: String,
    /// and its weight.
    pub weight: Ratio,
}

/// The operators of the task in TNF.
#[derive(Clone, Debug, Serialize)]
pub struct Operators {
    /// How many there are.
    pub count: usize,
    /// Those among them that TNF adds, to forget a value.
    pub forgetting: usize,
    /// How many are tight: what they can take from φ is what they cost.
    pub tight: usize,
    /// How many of the tight ones forget a value.
    pub tight_forgetting: usize,
    /// The largest slack.
    pub largest_slack: Option<Ratio>,
    /// How many have a context-dependency graph of which width.
    pub widths: Vec<Bin>,
    /// How many change how many features, whatever the context.
    pub independent: Vec<Bin>,
    /// How many change how many features depending on the context.
    pub dependent: Vec<Bin>,
    /// The widest, and among these the ones that change most features.
    pub widest: Vec<Operator>,
}

/// A part of a histogram: so many have a number in this range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The smallest number that counts here,
    pub from: usize,
    /// and the largest.
    pub to: usize,
    /// How many have one of them.
    pub operators: usize,
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
pub struct Operator {
    /// Its name.
    pub name: String,
    /// Its cost; 0 in a proof that there is no plan.
    pub cost: u32,
    /// How many features it changes whatever the context.
    pub independent: usize,
    /// How many features it changes depending on the context.
    pub dependent: usize,
    /// The width of its context-dependency graph.
    pub width: usize,
    /// Its cost less the most that it can take from φ.
    pub slack: Option<Ratio>,
}

/// An LP and how it was solved.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Lp {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// Nonzeros.
    pub nonzeros: u64,
    /// The method that solved it.
    pub method: &'static str,
    /// How its weights became exact.
    pub rung: crate::report::Rung,
    /// The time that building, solving and certifying took.
    pub seconds: f64,
}
