//! From floating point to bounds that are proved in integers.
//!
//! The LPs of this crate differ in their constraints, but each gives a function
//! h of the abstract states, 0 in abstract goals, such that Σ_α h(α(s)) is
//! admissible. The exact check does not use the LP's constraints. It suffices
//! that along every transition of every operator o the sum falls by at most
//! cost(o), and each formulation has a bound on this decrease that is computed
//! from h alone, in integers ([`Constraints`]):
//!
//! - *State equation*: h(pre(o)) − h(eff(o)), summed over o's variables; h is
//!   the dual solution.
//! - *Operator costs*: the smallest share of projection α that h allows, which is
//!   the largest decrease of h along o's transitions in α, summed over α. With
//!   these shares as o's costs, no path in α is shorter than h says.
//! - *Transition costs*: the decrease along each transition, one by one.
//!
//! So h is rounded to multiples of 1/D, and if no operator lowers its numerators
//! by more than cost(o) · D, all values are proved. The shares that the LP
//! returned are not used. (The alternative, to round the shares so that they sum
//! up to the cost and to compute the shortest paths again, was considered and
//! dropped: if a cycle of operators has no slack, a rounded share that is one
//! unit too small makes it negative, and then there is no bound at all. Rounding
//! h cannot make cycles negative.)
//!
//! *The denominator* D is 720720 = lcm(1, …, 16). Simplex ends at vertices, and
//! these nearly always have small denominators: then rounding finds the exact
//! vertex, and nothing has to be repaired. Otherwise a common denominator of the
//! vertex is tried. Operators that cost something are repaired by a larger D.
//!
//! *Forgetting operators* are free, and rounding breaks their constraints where the
//! denominators of a vertex are large (floortile). They are repaired by a function of
//! one variable V: if forgetting V lowers h by δ, all values of V but `unknown` are
//! lowered by δ, which no operator notices that does not change V to or from `unknown`.
//! If another free operator still lowers h, the caller falls back on what it has proved
//! before.

use std::collections::BTreeMap;

use hipot_lp::{common_denominator, nearest_integers};
use hipot_task::{Fact, Rational, VariableId};

use crate::projection::{AbstractState, Projections};

/// lcm(1, …, 16).
const GRID: i64 = 720_720;

/// The largest denominator: sums and products of two fit into 128 bits with any number
/// of projections below 2²⁰. Numerators are below 2⁵³.
const MAX_DENOMINATOR: i128 = 1 << 50;

/// The constraints on a function of abstract states.
pub trait Constraints {
    /// The projections that the abstract states belong to.
    fn projections(&self) -> &Projections;

    /// Calls `visit` with the cost of each operator (or transition) and a bound on
    /// the decrease of Σ_α `h` along it, until `visit` returns false. Returns whether
    /// it always returned true.
    fn decreases(&self, h: &[i64], visit: &mut dyn FnMut(u32, i128) -> bool) -> bool;

    /// Calls `visit` with the variable of each forgetting operator and a bound on the decrease
    /// of Σ_α `h` along it.
    fn forgetting(&self, h: &[i64], visit: &mut dyn FnMut(VariableId, i128));
}

/// A function of abstract states that has been proved: no operator lowers the
/// sum by more than it costs, and it is 0 in goal states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Certified {
    numerators: Vec<i64>,
    denominator: i64,
}

impl Certified {
    /// 0 everywhere.
    pub(crate) fn zero(states: usize) -> Self {
        Self { numerators: vec![0; states], denominator: 1 }
    }

    /// The bound in the state with these abstractions.
    pub(crate) fn value(&self, state: &[AbstractState]) -> Rational {
        let numerator = sum(&self.numerators, state);
        Rational { numerator, denominator: self.denominator.into() }
    }

    /// The function as weighted conjunctions of facts.
    pub(crate) fn to_proof(&self, projections: &Projections) -> Proof {
        let all = projections.iter().flat_map(|projection| {
            projection
                .states()
                .map(move |state| (self.numerators[state.index()], projection, state))
        });
        let nonzero = all.filter(|&(weight, _, _)| weight != 0);
        let weights = nonzero.map(|(weight, projection, state)| (weight, projection.facts(state)));
        Proof { denominator: self.denominator, weights: weights.collect() }
    }
}

/// A function that proves a bound or a dead end. Its value in a state is the sum of
/// the weights of the conjunctions that hold there, over a denominator.
///
/// It is 0 in goal states. No operator lowers it by more than the operator costs. If
/// it proves a dead end, no operator lowers it at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The denominator of all weights; positive.
    pub denominator: i64,
    /// Weights other than 0, each with a conjunction: facts of the task in TNF, by
    /// variable. Each conjunction occurs once.
    pub weights: Vec<(i64, Vec<Fact>)>,
}

fn sum(h: &[i64], state: &[AbstractState]) -> i128 {
    state.iter().map(|state| i128::from(h[state.index()])).sum()
}

/// Proves a function near `h`, whose value in `state` should be `objective`.
pub(crate) fn certify(
    constraints: &impl Constraints,
    h: &[f64],
    state: &[AbstractState],
    objective: f64,
) -> Option<Certified> {
    let is_good = |found: &Certified| {
        found.value(state).to_f64() > objective - 1e-9 * (1.0 + objective.abs())
    };
    let first = prove(constraints, h, GRID);
    if first.as_ref().is_some_and(is_good) {
        return first;
    }
    let second = common_denominator(h).and_then(|common| prove(constraints, h, common));
    let better = |a: &Certified, b: &Certified| a.value(state).cmp(&b.value(state));
    first.into_iter().chain(second).max_by(better)
}

/// Whether Σ_α `h` is 0 in goal states.
fn is_goal_aware(constraints: &impl Constraints, h: &[i64]) -> bool {
    constraints.projections().iter().all(|projection| h[projection.goal().index()] == 0)
}

/// Rounds `h` to multiples of 1 / `denominator` and proves what comes out, if necessary after
/// mending it.
fn prove(constraints: &impl Constraints, h: &[f64], denominator: i64) -> Option<Certified> {
    let mut numerators = nearest_integers(h, denominator as f64)?;
    let mut found = smallest_denominator(constraints, &numerators, denominator);
    if found.is_none() {
        mend(constraints, &mut numerators)?;
        found = smallest_denominator(constraints, &numerators, denominator);
    }
    let denominator = found?;
    (is_goal_aware(constraints, &numerators) && denominator <= MAX_DENOMINATOR)
        .then_some(Certified { numerators, denominator: denominator as i64 })
}

/// The smallest denominator with which `numerators` are proved, or `otherwise` if any will do;
/// `None` if a free operator lowers them.
fn smallest_denominator(
    constraints: &impl Constraints,
    numerators: &[i64],
    otherwise: i64,
) -> Option<i128> {
    let mut smallest: i128 = 0;
    let holds = constraints.decreases(numerators, &mut |cost, decrease| {
        match i128::from(cost) {
            0 => decrease <= 0,
            cost => {
                // The constraint holds with a denominator of at least ⌈decrease / cost⌉.
                smallest = smallest.max((decrease + cost - 1).div_euclid(cost));
                true
            }
        }
    });
    holds.then_some(if smallest > 0 { smallest } else { otherwise.into() })
}

/// Lowers the values of variables against `unknown` until no forgetting operator lowers the
/// sum. What counts is the difference: the goal stays at 0. `None` if numbers get too large.
fn mend(constraints: &impl Constraints, numerators: &mut [i64]) -> Option<()> {
    let mut excess: BTreeMap<VariableId, i128> = BTreeMap::new();
    constraints.forgetting(numerators, &mut |variable, decrease| {
        let largest = excess.entry(variable).or_insert(0);
        *largest = decrease.max(*largest);
    });
    for (variable, excess) in excess {
        let excess = i64::try_from(excess).ok()?;
        for (state, sign) in constraints.projections().against_unknown(variable) {
            let value = &mut numerators[state.index()];
            *value = value.checked_add(excess * sign).filter(|new| new.unsigned_abs() < 1 << 53)?;
        }
    }
    Some(())
}

/// A function near `ray` that no operator lowers, 0 in goals and positive in `state`:
/// it proves that no plan starts there.
pub(crate) fn prove_dead_end(
    constraints: &impl Constraints,
    ray: &[f64],
    state: &[AbstractState],
) -> Option<Certified> {
    let sizes = || ray.iter().map(|value| value.abs()).filter(|&size| size > 1e-7);
    let (smallest, largest) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    // Any multiple of a ray will do. In units of its smallest or of its largest value,
    // it usually has small denominators.
    [smallest, largest].into_iter().filter(|&unit| unit.is_normal()).find_map(|unit| {
        let numerators = nearest_integers(ray, GRID as f64 / unit)?;
        let is_proof = sum(&numerators, state) > 0
            && is_goal_aware(constraints, &numerators)
            && constraints.decreases(&numerators, &mut |_, decrease| decrease <= 0);
        is_proof.then_some(Certified { numerators, denominator: GRID })
    })
}

#[cfg(test)]
mod tests {
    use hipot_analysis::TnfTask;
    use hipot_task::Limits;
    use hipot_testing::{RandomTask, Rng, StateSpace};

    use super::*;
    use crate::operator_cost::{OperatorCosts, Params};
    use crate::projection::AbstractStates;

    fn constraints(tnf: &TnfTask) -> OperatorCosts {
        let params = Params { states: AbstractStates::All, ..Params::default() };
        OperatorCosts::formulate(tnf.task(), tnf, &params, &Limits::none()).unwrap().constraints
    }

    /// Sparse noise, 0 in goals but for some.
    fn noise(constraints: &OperatorCosts, rng: &mut Rng) -> Vec<f64> {
        let (percent, spoiled) = (1 + rng.below(8), rng.chance(10));
        let mut value = || f64::from(rng.below(2001)) / 300.0 - 2.5;
        let mut h: Vec<f64> =
            (0..constraints.projections().state_count()).map(|_| value()).collect();
        h.iter_mut().filter(|_| !rng.chance(percent)).for_each(|value| *value = 0.0);
        for projection in constraints.projections().iter().filter(|_| !spoiled) {
            h[projection.goal().index()] = 0.0;
        }
        h
    }

    #[test]
    fn rounding_errors_along_forgetting_operators_are_mended() {
        let mut mended = 0;
        for seed in 0..500 {
            let shape = RandomTask { variables: 3, percent_free: 0, ..RandomTask::default() };
            let tnf = TnfTask::new(&shape.generate(seed)).unwrap();
            let is_free = |id| tnf.origin(id).is_some() && tnf.task().operator(id).cost == 0;
            if tnf.task().operator_ids().any(is_free) {
                continue;
            }
            let constraints = constraints(&tnf);
            let mut rng = Rng::new(seed);
            let mut error = || (f64::from(rng.below(9)) - 4.0) / GRID as f64;
            let mut h: Vec<f64> =
                (0..constraints.projections().state_count()).map(|_| error()).collect();
            for projection in constraints.projections().iter() {
                h[projection.goal().index()] = 0.0;
            }
            let rounded = nearest_integers(&h, GRID as f64).unwrap();
            assert!(prove(&constraints, &h, GRID).is_some(), "seed {seed}");
            mended += usize::from(smallest_denominator(&constraints, &rounded, GRID).is_none());
        }
        assert!(mended > 50, "{mended}");
    }

    #[test]
    fn whatever_a_solver_returns_values_are_admissible() {
        let (mut proved, mut refused, mut dead_ends) = (0, 0, 0);
        for seed in 0..3000 {
            let shape = RandomTask { variables: 3, percent_free: 10, ..RandomTask::default() };
            let tnf = TnfTask::new(&shape.generate(seed)).unwrap();
            let space = StateSpace::explore(tnf.task(), 10_000).unwrap();
            let constraints = constraints(&tnf);
            let h = noise(&constraints, &mut Rng::new(seed));
            for (state, distance) in space.states.iter().zip(&space.goal_distances) {
                let state: Vec<AbstractState> = constraints.projections().states(state).collect();
                if prove_dead_end(&constraints, &h, &state).is_some() {
                    assert_eq!(*distance, None, "seed {seed}");
                    dead_ends += 1;
                }
                let Some(found) = certify(&constraints, &h, &state, f64::INFINITY) else {
                    refused += 1;
                    continue;
                };
                let bound = found.value(&state).bound();
                assert!(distance.is_none_or(|distance| bound <= distance), "seed {seed}");
                proved += usize::from(bound > 0);
            }
        }
        assert!(proved > 40 && refused > 300 && dead_ends > 15, "{proved} {refused} {dead_ends}");
    }
}
