//! The function with the highest average among those that are best in a state.
//!
//! Many functions are best in the initial state, and it is a matter of chance
//! which of them an LP solver returns: with one, a search expands 874 states of
//! visitall p-1-6, with another 14,863. So a second LP, over the features of a
//! known function, maximizes the average over other states (Seipp, Pommerening
//! and Helmert, ICAPS 2015).
//!
//! *The initial state's value stays.* A row that requires it makes first-order
//! methods 20 times slower (visitall p-1-6: 8 seconds instead of 0.4), and no
//! function satisfies it with the margins that rounding needs. Instead, φ(s_I) is
//! added to the objective with a large factor: above some factor, that is
//! equivalent (an exact penalty). If the bound falls nevertheless, the factor is
//! raised.
//!
//! *Dead ends.* At a dead end φ may have no maximum, and then the average has
//! none either. Two things help. Weights are bounded by a multiple of the known
//! function's weights. And a state with a value far above those of the others is
//! considered a dead end and removed, and the LP is solved again: otherwise such
//! states would outweigh all others.

use hipot_task::{Limits, Value};

use crate::certify::Certified;
use crate::feature_set::FeatureSet;
use crate::objective::{Average, Objective};
use crate::optimizer::{Found, Optimizer, Repeats};
use crate::params::Params;
use crate::report::{Error, Report};

/// Weights are at most this many times the largest one of the known function.
const MAX_WEIGHT_FACTOR: f64 = 8.0;

/// A state with a value above this many times the known function's highest is considered a
/// dead end.
const DEAD_END_FACTOR: f64 = 4.0;

/// The maximum number of times that the LP is solved, with fewer and fewer states.
const MAX_ROUNDS: usize = 3;

/// The factors of φ in the state, relative to the average, to try in turn.
const STATE_FACTORS: [f64; 2] = [10.0, 100.0];

/// Finds the function over `features` that maximizes the average of φ. If a state `kept` is
/// given, its bound in this state is not below that of `known`. `None` if no such function
/// could be certified.
pub fn raise_average(
    known: &Certified,
    features: FeatureSet<'_>,
    average: Average,
    kept: Option<&[Value]>,
    params: &Params,
    limits: &Limits,
) -> Result<Option<(Certified, Report)>, Error> {
    let mut optimizer = optimizer_for_averages(known, features, params, limits)?;
    highest_average(&mut optimizer, known, average, kept)
}

/// An optimizer for averages of functions whose weights are not far larger than those of `known`.
pub(crate) fn optimizer_for_averages<'a>(
    known: &'a Certified,
    features: FeatureSet<'a>,
    params: &Params,
    limits: &'a Limits,
) -> Result<Optimizer<'a>, Error> {
    let max_weight = Some(max_weight(known));
    Optimizer::new(known.normal_form(), features, Repeats::Few, max_weight, params, limits)
}

/// As [`raise_average`], with an optimizer [for averages](optimizer_for_averages).
pub(crate) fn highest_average(
    optimizer: &mut Optimizer<'_>,
    known: &Certified,
    mut average: Average,
    kept: Option<&[Value]>,
) -> Result<Option<(Certified, Report)>, Error> {
    let mut found = None;
    for _ in 0..MAX_ROUNDS {
        let (function, report) = match best_for(optimizer, known, &average, kept) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(found),
            // Keep what was found before.
            Err(Error::Stopped(_)) if found.is_some() => return Ok(found),
            Err(error) => return Err(error),
        };
        let dead_ends = match &mut average {
            Average::States(states) => remove_dead_ends(&function, known, states),
            Average::AllStates(_) => 0,
        };
        let is_empty = matches!(&average, Average::States(states) if states.is_empty());
        found = Some((function, report));
        if dead_ends == 0 || is_empty {
            break;
        }
        tracing::debug!("states that are considered dead ends and removed: {dead_ends}");
    }
    Ok(found)
}

/// The bound on the weights, in units of cost.
fn max_weight(known: &Certified) -> f64 {
    let largest = known.weights().iter().map(|weight| weight.unsigned_abs()).max();
    let largest = largest.unwrap_or(0) as f64 / known.denominator() as f64;
    MAX_WEIGHT_FACTOR * largest.max(max_cost(known))
}

fn max_cost(known: &Certified) -> f64 {
    f64::from(known.normal_form().task().max_cost())
}

fn best_for(
    optimizer: &mut Optimizer<'_>,
    known: &Certified,
    average: &Average,
    kept: Option<&[Value]>,
) -> Result<Option<(Certified, Report)>, Error> {
    let Some(state) = kept else {
        return Ok(match optimizer.maximize(&Objective::average(average.clone()))? {
            Found::Function(function, report) => Some((*function, report)),
            Found::Unbounded | Found::Nothing => None,
        });
    };
    let bound = known.bound(state);
    for factor in STATE_FACTORS {
        let objective = Objective::average_and_state(average, state, factor);
        if let Found::Function(function, report) = optimizer.maximize(&objective)?
            && function.bound(state) >= bound
        {
            return Ok(Some((*function, report)));
        }
    }
    Ok(None)
}

/// Removes states whose value is so high that they are probably dead ends, and returns their
/// number.
fn remove_dead_ends(
    function: &Certified,
    known: &Certified,
    states: &mut Vec<Vec<Value>>,
) -> usize {
    let before = states.len();
    let value = |state: &Vec<Value>| known.exact(state).to_f64();
    let highest = states.iter().map(value).fold(0.0, f64::max);
    let limit = DEAD_END_FACTOR * (highest + max_cost(known));
    states.retain(|state| function.exact(state).to_f64() <= limit);
    before - states.len()
}
