//! Variables of the formula, and their names.

use std::fmt;
use std::ops::Not;

/// Before or after the step that the formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Before,
    After,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Before, Self::After];
}

/// A variable of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// A variable of the task has a value.
    Fact(Side, usize, u32),
    /// A feature of several facts is true; the numbers of the function and of the feature, from 1.
    Feature(Side, usize, usize),
    /// A bit of the cost that has been spent.
    Spent(Side, u32),
    /// The invariant holds.
    Invariant(Side),
    /// What has been spent and the function with this number make at least the bound.
    Far(Side, usize),
    /// All facts of the goal hold.
    Goal(Side),
    /// The state is no goal state, and any operator would cost too much.
    Late(Side),
    /// At least so much has been spent.
    AtLeast(Side, u64),
    /// The state is a listed one, and at least its cost has been spent; by its number, from 1.
    Listed(Side, usize),
    /// The step is by this operator.
    Operator(usize),
    /// The step keeps the value of a variable.
    Same(usize),
    /// The step keeps the values of all variables but those of a set, by its number.
    Kept(usize),
    /// The step has this cost.
    Cost(u32),
    /// The invariant does not hold at first.
    First,
    /// A step breaks it.
    Step,
    /// It holds in a goal state.
    Last,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "x",
            Self::After => "y",
        })
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact(side, variable, value) => write!(f, "{side}{variable}_{value}"),
            Self::Feature(side, function, number) => write!(f, "{side}f{function}_{number}"),
            Self::Spent(side, bit) => write!(f, "{side}s{bit}"),
            Self::Invariant(side) => write!(f, "{side}inv"),
            Self::Far(side, function) => write!(f, "{side}far{function}"),
            Self::Goal(side) => write!(f, "{side}goal"),
            Self::Late(side) => write!(f, "{side}late"),
            Self::AtLeast(side, cost) => write!(f, "{side}at{cost}"),
            Self::Listed(side, number) => write!(f, "{side}state{number}"),
            Self::Operator(number) => write!(f, "op{number}"),
            Self::Same(variable) => write!(f, "same{variable}"),
            Self::Kept(set) => write!(f, "kept{set}"),
            Self::Cost(cost) => write!(f, "cost{cost}"),
            Self::First => f.write_str("first"),
            Self::Step => f.write_str("step"),
            Self::Last => f.write_str("last"),
        }
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Literal {
    pub(crate) variable: Variable,
    pub(crate) is_negated: bool,
}

impl From<Variable> for Literal {
    fn from(variable: Variable) -> Self {
        Self { variable, is_negated: false }
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self { is_negated: !self.is_negated, ..self }
    }
}

impl Not for Variable {
    type Output = Literal;

    fn not(self) -> Literal {
        !Literal::from(self)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negated { "~" } else { "" };
        write!(f, "{sign}{}", self.variable)
    }
}
