//! Certified potential functions: exact, consistent, goal-aware, and with a proof.
//!
//! φ(s) = (constant + Σ W(f) [s ⊨ f]) / denominator with integers W. An LP solver returns
//! weights that are nearly optimal and nearly feasible. This module turns them into integers
//! over one denominator for which every operator's constraint has been checked exactly.
//! `certify`, and `certify_as_given` for functions that must not be scaled, are the only
//! constructors of a [`Certified`] function, and floating point ends here.
//!
//! *Scaling.* An operator that costs something and takes a little too much from φ is repaired
//! by a larger denominator, for all weights at once; if all operators have room, a smaller
//! denominator uses it up. So the denominator is always the smallest with which every
//! constraint holds. Operators that cost nothing cannot be repaired like this: if one lowers φ,
//! the weights are rejected.
//!
//! *Goal-awareness* [PHB17, Eq. 1; constraint:goal-awareness] holds by construction: the
//! constant is chosen so that φ(s_⋆) = 0.
//!
//! *The heuristic.* With integer costs max(0, ⌈φ⌉) of a consistent and goal-aware φ is
//! consistent and goal-aware too: rounding up keeps φ(s) ≤ cost(o) + φ(s⟦o⟧) because cost(o)
//! is an integer.

use std::sync::Arc;

use hipot_task::{Operator, OperatorId, Rational, Task, Value};

use crate::feature::Features;
use crate::helpers::Helpers;
use crate::normal_form::{NormalForm, Validity};

/// The sum of all absolute weights is below this, so that no evaluation overflows.
const MAX_SUM: i128 = 1 << 60;

/// A potential function that is consistent and goal-aware wherever it [holds](Validity).
#[derive(Clone, Debug)]
pub struct Certified {
    normal: Arc<NormalForm>,
    features: Features,
    weights: Vec<i64>,
    constant: i64,
    denominator: i64,
}

impl Certified {
    /// The task in normal form that the function belongs to, with the proof of the mutexes
    /// that it relies on.
    pub fn normal_form(&self) -> &Arc<NormalForm> {
        &self.normal
    }

    /// Where the function is consistent.
    pub fn validity(&self) -> Validity {
        self.normal.validity()
    }

    /// The features ℱ, over the facts of the normal form.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The numerators of the weights, in the order of the features.
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// The numerator of the constant.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// The denominator of all weights and of the constant; positive.
    pub fn denominator(&self) -> i64 {
        self.denominator
    }

    /// The numerator of φ(s).
    pub fn numerator(&self, state: &[Value]) -> i128 {
        let terms = self.features.ids().filter(|&feature| self.features.holds(feature, state));
        let sum: i128 = terms.map(|feature| i128::from(self.weights[feature.index()])).sum();
        sum + i128::from(self.constant)
    }

    /// Whether φ(s) is higher than that of another function.
    pub fn is_higher(&self, other: &Self, state: &[Value]) -> bool {
        let scaled = |one: &Self, by: i64| one.numerator(state) * i128::from(by);
        scaled(self, other.denominator) > scaled(other, self.denominator)
    }

    /// max(0, ⌈φ(s)⌉).
    pub fn bound(&self, state: &[Value]) -> u64 {
        self.exact(state).bound()
    }

    /// For each operator of the given task (so many), the most that it takes from φ along any of
    /// its transitions between states without mutexes, as a numerator; `None` if there are none.
    /// `decreases` has the same for the operators of the normal form.
    ///
    /// A transition of the given task is one of the normal form, after which or before which some
    /// values are forgotten; no value that is forgotten takes anything from φ. There is no
    /// case of an operator that changes nothing, so where that is possible, 0 is counted as well.
    pub fn decreases_of_given(&self, task: &Task, decreases: &[Option<i128>]) -> Vec<Option<i128>> {
        let is_loop = |operator: &Operator| {
            operator.effects.iter().all(|effect| {
                let before = operator.precondition_on(effect.fact.variable);
                before.is_none_or(|value| value == effect.fact.value)
            })
        };
        let operators = task.operators().iter();
        let mut given: Vec<Option<i128>> =
            operators.map(|operator| is_loop(operator).then_some(0)).collect();
        for id in self.normal.operator_ids() {
            if let (Some(origin), Some(decrease)) = (self.normal.origin(id), decreases[id.index()])
            {
                let own = &mut given[origin.index()];
                *own = Some(own.map_or(decrease, |known| known.max(decrease)));
            }
        }
        given
    }

    /// φ(s).
    pub fn exact(&self, state: &[Value]) -> Rational {
        Rational { numerator: self.numerator(state), denominator: self.denominator.into() }
    }
}

/// Why weights cannot be certified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A free operator takes `excess` / denominator from φ.
    #[error("operator {operator} costs nothing but lowers the potential by {excess} units")]
    FreeOperator {
        /// The operator of the normal form.
        operator: OperatorId,
        /// The numerator of the decrease.
        excess: i128,
    },
    /// An operator takes more from φ than it costs.
    #[error("operator {operator} lowers the potential by more than it costs")]
    Inconsistent {
        /// The operator of the normal form.
        operator: OperatorId,
    },
    /// The numbers are too large.
    #[error("the weights are too large for exact arithmetic")]
    TooLarge,
}

/// Which costs a function is checked against. With all costs 0, no operator may lower
/// it; where it is positive, there is no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// The task's costs.
    Given,
    /// All costs are 0.
    Zero,
}

impl Costs {
    pub(crate) fn of(self, normal: &NormalForm, operator: OperatorId) -> u32 {
        match self {
            Self::Given => normal.cost(operator),
            Self::Zero => 0,
        }
    }
}

/// Integer weights to be certified, as a family of constraints represents them.
pub(crate) trait Weights {
    /// The sum of the absolute weights of all features.
    fn absolute_sum(&self) -> i128;

    /// Calls `found` with each operator and the most that it takes from φ in any possible
    /// context, as a numerator; stops at the first error. Operators that change nothing or
    /// are never applicable may be left out.
    ///
    /// [PHB17, Eq. 2 and 3; constraint:consistency, constraint:transition-consistency]
    fn largest_decreases(
        &self,
        helpers: &Helpers,
        found: &mut dyn FnMut(OperatorId, i128) -> Result<(), Violation>,
    ) -> Result<(), Violation>;

    /// The numerator of Σ w(f) [s ⊨ f].
    fn value(&self, state: &[Value]) -> i64;

    /// The features and their weights.
    fn expand(self) -> (Features, Vec<i64>);
}

/// Certifies `weights` / `denominator` for `normal`: checks every operator exactly, in all
/// contexts without mutexes, and chooses the constant so that φ(s_⋆) = 0. The denominator is
/// changed to the smallest with which all constraints hold.
pub(crate) fn certify(
    normal: &Arc<NormalForm>,
    weights: impl Weights,
    denominator: i64,
    costs: Costs,
    helpers: &Helpers,
) -> Result<Certified, Violation> {
    let mut smallest = 0_i128;
    largest_decreases(&weights, helpers, &mut |operator, decrease| {
        let cost = i128::from(costs.of(normal, operator));
        if cost > 0 {
            // The constraint holds with a denominator of at least ⌈decrease / cost⌉.
            smallest = smallest.max((decrease + cost - 1).div_euclid(cost));
        } else if decrease > 0 {
            return Err(Violation::FreeOperator { operator, excess: decrease });
        }
        Ok(())
    })?;
    let denominator = if smallest > 0 { smallest } else { denominator.into() };
    let denominator = i64::try_from(denominator).map_err(|_| Violation::TooLarge)?;
    Ok(with_constant(normal, weights, denominator))
}

/// Certifies `weights` / `denominator` as they are: nothing is scaled.
pub(crate) fn certify_as_given(
    normal: &Arc<NormalForm>,
    weights: impl Weights,
    denominator: i64,
    costs: Costs,
) -> Result<Certified, Violation> {
    largest_decreases(&weights, &Helpers::default(), &mut |operator, decrease| {
        let cost = i128::from(costs.of(normal, operator)) * i128::from(denominator);
        if decrease <= cost { Ok(()) } else { Err(Violation::Inconsistent { operator }) }
    })?;
    Ok(with_constant(normal, weights, denominator))
}

/// The largest decreases of weights whose sums do not overflow.
fn largest_decreases(
    weights: &impl Weights,
    helpers: &Helpers,
    found: &mut dyn FnMut(OperatorId, i128) -> Result<(), Violation>,
) -> Result<(), Violation> {
    if weights.absolute_sum() >= MAX_SUM {
        return Err(Violation::TooLarge);
    }
    weights.largest_decreases(helpers, found)
}

/// The function with the constant that makes φ(s_⋆) = 0.
fn with_constant(normal: &Arc<NormalForm>, weights: impl Weights, denominator: i64) -> Certified {
    let constant = -weights.value(normal.goal());
    let (features, weights) = weights.expand();
    Certified { normal: Arc::clone(normal), features, weights, constant, denominator }
}
