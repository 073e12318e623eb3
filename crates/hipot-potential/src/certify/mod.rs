//! From floating-point weights to a potential function that is certified.
//!
//! An LP solver returns weights that are nearly optimal and nearly feasible.
//! What leaves this module are integers over one denominator for which every
//! operator's constraint has been checked exactly; there is no other way to a
//! [`PotentialFunction`]. The rungs of the ladder, tried in turn until the
//! bound is as good as the LP promised:
//!
//! 1. *Small denominators.* Vertices of these LPs often have weights such as
//!    1, ½, ⅓. Round to them and check: the exact optimum.
//! 2. *Scaling.* Round to a fine grid. An operator that costs something and
//!    takes a little too much from φ is repaired by a larger denominator, for
//!    all weights at once; where all have room, a smaller one uses it up.
//! 3. *Margin.* Scaling does not help operators that cost nothing, and hurts
//!    where an operator costs far less than others. Solve with a small margin
//!    on everything that has room for one, which rounding then eats up.
//!
//! A free operator on a cycle of free operators has no room for a margin: φ
//! must stay exactly the same along it. `equalities` finds what such cycles
//! force, and `Substitution` solves it in integers and replaces the weights
//! that it determines before the LP is solved, so that rounded weights satisfy
//! it by construction, on every rung. (With the equations left to the LP, the
//! solver's small errors grow along chains of them: sokoban has thousands.)

mod equalities;
mod substitution;

use hipot_task::{OperatorId, Task, Value};

pub(crate) use equalities::{Equalities, Origin, equalities};
pub(crate) use substitution::{Substituted, Substitution};

use crate::contexts::{Domains, largest_decrease};
use crate::delta::{Delta, true_features};
use crate::feature::{FeatureId, Features};
use crate::function::PotentialFunction;
use crate::pairs::Exclusions;

/// A common denominator of numbers that are nearly fractions with small
/// denominators, as at the vertices of these LPs; `None` if they are not.
pub(crate) fn common_denominator(values: &[f64]) -> Option<i64> {
    const LARGEST: i64 = 1_000_000;
    const LARGEST_FACTOR: i64 = 1000;
    let is_integer = |value: f64| (value - value.round()).abs() < 1e-6 * (1.0 + value.abs() * 1e-3);
    let mut common = 1;
    for &value in values {
        let scaled = value * common as f64;
        let factor = (1..=LARGEST_FACTOR).find(|&factor| is_integer(scaled * factor as f64))?;
        common *= factor;
        if common > LARGEST {
            return None;
        }
    }
    Some(common)
}

/// The sum of all absolute weights stays below this, so that no evaluation
/// overflows.
pub(crate) const LARGEST_SUM: i128 = 1 << 60;

/// An operator that takes more from φ than it costs, or another reason why
/// weights cannot be certified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A free operator takes `excess` / denominator from φ.
    #[error("operator {operator} costs nothing but lowers the potential")]
    FreeOperator {
        /// The operator of the TNF task.
        operator: OperatorId,
        /// By how much, as a numerator.
        excess: i128,
    },
    /// Numbers are too large.
    #[error("the weights are too large for exact arithmetic")]
    TooLarge,
}

/// Whether operators' costs count, or are taken as 0 for all: a function that
/// no operator lowers at all and that is positive proves unsolvability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Costs {
    Given,
    Zero,
}

impl Costs {
    pub(crate) fn of(self, task: &Task, operator: OperatorId) -> u32 {
        match self {
            Self::Given => task.operator(operator).cost,
            Self::Zero => 0,
        }
    }
}

/// Certifies `numerators` / `denominator` as weights for the TNF task `task`:
/// checks every operator exactly, in the contexts that `exclusions` leave, and
/// chooses the constant so that φ(s_⋆) = 0.
/// The denominator is changed to the least that fits: larger where an operator
/// takes too much, smaller where all have room, which raises the bound.
pub(crate) fn certify(
    task: &Task,
    features: &Features,
    exclusions: &Exclusions,
    numerators: Vec<i64>,
    denominator: i64,
    costs: Costs,
) -> Result<PotentialFunction, Violation> {
    let sum: i128 = numerators.iter().map(|&weight| i128::from(weight).abs()).sum();
    if sum >= LARGEST_SUM {
        return Err(Violation::TooLarge);
    }
    let mut least = Least::new(task, costs);
    for operator in task.operator_ids() {
        let domains = Domains::of_operator(task, features.facts(), operator, exclusions);
        let Some(domains) = domains else { continue };
        let delta = Delta::new(task, features, operator);
        let weight = |feature: FeatureId| i128::from(numerators[feature.index()]);
        let decrease = largest_decrease(&delta, features.facts(), &domains, weight);
        least.add(operator, decrease.ok().flatten().ok_or(Violation::TooLarge)?)?;
    }
    let denominator = least.denominator(denominator)?;
    let goal: Vec<Value> = task.goal().iter().map(|fact| fact.value).collect();
    let at_goal = true_features(features, &goal).into_iter();
    let constant = -at_goal.map(|feature| numerators[feature.index()]).sum::<i64>();
    Ok(PotentialFunction { features: features.clone(), weights: numerators, constant, denominator })
}

/// The least denominator with which every operator's constraint holds.
pub(crate) struct Least<'a> {
    task: &'a Task,
    costs: Costs,
    denominator: i128,
}

impl<'a> Least<'a> {
    pub(crate) fn new(task: &'a Task, costs: Costs) -> Self {
        Self { task, costs, denominator: 0 }
    }

    /// An operator takes at most `decrease` / denominator from φ.
    pub(crate) fn add(&mut self, operator: OperatorId, decrease: i128) -> Result<(), Violation> {
        let cost = i128::from(self.costs.of(self.task, operator));
        if cost > 0 {
            // ⌈decrease / cost⌉: with at least this denominator it fits.
            let fits = (decrease + cost - 1).div_euclid(cost);
            self.denominator = self.denominator.max(fits);
        } else if decrease > 0 {
            return Err(Violation::FreeOperator { operator, excess: decrease });
        }
        Ok(())
    }

    /// The least denominator; `given` where no operator asks for any.
    pub(crate) fn denominator(self, given: i64) -> Result<i64, Violation> {
        let denominator = if self.denominator > 0 { self.denominator } else { given.into() };
        i64::try_from(denominator).map_err(|_| Violation::TooLarge)
    }
}

/// Rounds `values` to multiples of 1 / `denominator`, keeping the equalities.
pub(crate) fn round(
    values: &[f64],
    denominator: i64,
    substitution: &Substitution,
) -> Option<Vec<i64>> {
    let unit = substitution.unit();
    let grid = denominator as f64 / unit as f64;
    let mut numerators = Vec::with_capacity(values.len());
    for &value in values {
        let scaled = (value * grid).round();
        // 2⁵³: beyond, neighboring floating-point numbers are further apart.
        if scaled.is_nan() || scaled.abs() >= 9.0e15 {
            return None;
        }
        numerators.push((scaled as i64).checked_mul(unit)?);
    }
    substitution.apply(&mut numerators)?;
    Some(numerators)
}
