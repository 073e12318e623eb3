//! Costs of operators as abstractions see them: integers over one denominator.
//!
//! The denominator is the caller's affair: these are multiples of 1/D for some D, such as what a
//! potential function over D leaves of each cost. A cost is never negative. It is
//! [`INFINITE`] for an operator that is on no plan.
//!
//! A saturated cost is also an integer, and may be negative. For an operator without any
//! transition it is [`NONE`], below all integers.

use hipot_task::OperatorId;

/// The cost of an operator on no plan, and the distance of a state from which no path leads to the
/// goal.
pub const INFINITE: i64 = i64::MAX;

/// The saturated cost of an operator without transitions.
pub const NONE: i64 = i64::MIN;

/// No cost and no distance is larger than this, so that no sum of two overflows.
pub(crate) const LARGEST: i64 = 1 << 61;

/// A cost for each operator, of which some part may have been given away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs(Vec<i64>);

impl Costs {
    /// These costs, none of which is negative.
    ///
    /// # Panics
    /// If a cost is negative.
    pub fn new(costs: Vec<i64>) -> Self {
        assert!(costs.iter().all(|&cost| cost >= 0), "no cost is negative");
        Self(costs)
    }

    /// The cost of an operator.
    pub fn of(&self, operator: OperatorId) -> i64 {
        self.0[operator.index()]
    }

    /// All costs, by operator.
    pub fn as_slice(&self) -> &[i64] {
        &self.0
    }

    /// The largest cost that is not infinite.
    pub(crate) fn largest(&self) -> i64 {
        self.0.iter().copied().filter(|&cost| cost != INFINITE).max().unwrap_or(0)
    }

    /// Makes an operator unusable.
    pub(crate) fn forbid(&mut self, operator: OperatorId) {
        self.0[operator.index()] = INFINITE;
    }

    /// Whether an operator can be used.
    pub(crate) fn is_usable(&self, operator: OperatorId) -> bool {
        self.of(operator) != INFINITE
    }

    /// Gives back what some operators gave away. A negative share is taken back only as far as
    /// others have not used it.
    pub(crate) fn give_back(&mut self, share: &[(OperatorId, i64)]) {
        for &(operator, part) in share.iter().filter(|&&(_, part)| part != NONE) {
            let cost = &mut self.0[operator.index()];
            if *cost != INFINITE {
                *cost = (*cost + part).max(0);
            }
        }
    }

    /// Subtracts the saturated costs of some operators. Where they are negative, more is left than
    /// before. An operator without transitions becomes unusable.
    pub fn subtract(&mut self, saturated: &[i64], operators: &[OperatorId]) {
        for operator in operators {
            let (cost, part) = (&mut self.0[operator.index()], saturated[operator.index()]);
            if part == NONE {
                *cost = INFINITE;
            } else if *cost != INFINITE {
                *cost -= part;
                debug_assert!(*cost >= 0, "a saturated cost is at most the cost");
            }
        }
    }
}
