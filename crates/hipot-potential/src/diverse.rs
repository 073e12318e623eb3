//! A set of functions whose maximum is high.
//!
//! After Seipp, Pommerening and Helmert, ICAPS 2015. A function maximizes the average over
//! sampled states. States in which its bound is as high as that of any function are *covered*
//! and removed; the next function maximizes the average over the rest, until all are covered.
//! If a function covers no state, one that is best in a single state takes its place, so that
//! the process ends.

use hipot_task::{Limits, Value};

use crate::certify::Certified;
use crate::objective::{Average, Objective};
use crate::optimizer::{Found, Optimizer};
use crate::report::Error;

/// A sampled state and the best bound for it.
struct Sample {
    state: Vec<Value>,
    best: u64,
}

/// Functions whose maximum is as high as possible in `states`: `first`, and at most
/// `max` others. When time runs out, returns what was found so far. Dead ends among
/// the states are ignored.
pub fn diverse(
    optimizer: &mut Optimizer<'_>,
    first: Certified,
    states: Vec<Vec<Value>>,
    max: usize,
    limits: &Limits,
) -> Result<Vec<Certified>, Error> {
    let mut functions = vec![first];
    match cover(optimizer, states, max, &mut functions, limits) {
        Ok(states) => keep_winners(&mut functions, &states),
        Err(error) => {
            tracing::info!("diverse functions: stopped after {}: {error}", functions.len());
        }
    }
    Ok(functions)
}

/// Adds functions until all states are covered; returns the states that are not dead ends.
fn cover(
    optimizer: &mut Optimizer<'_>,
    states: Vec<Vec<Value>>,
    max: usize,
    functions: &mut Vec<Certified>,
    limits: &Limits,
) -> Result<Vec<Vec<Value>>, Error> {
    let mut open = samples(optimizer, states, limits)?;
    let states: Vec<Vec<Value>> = open.iter().map(|sample| sample.state.clone()).collect();
    open.retain(|sample| functions[0].bound(&sample.state) < sample.best);
    while !open.is_empty() && functions.len() <= max {
        let average = Average::States(open.iter().map(|sample| sample.state.clone()).collect());
        let function = match optimizer.maximize(&Objective::average(average))? {
            Found::Function(function, _) if covers(&function, &open) => function,
            _ => match optimizer.maximize(&Objective::state(&open[0].state))? {
                Found::Function(function, _) => function,
                _ => {
                    open.remove(0);
                    continue;
                }
            },
        };
        let before = open.len();
        open.retain(|sample| function.bound(&sample.state) < sample.best);
        if open.len() == before {
            // Rounding has lowered its bound; the state would never be covered.
            open.remove(0);
        }
        functions.push(*function);
    }
    Ok(states)
}

fn covers(function: &Certified, open: &[Sample]) -> bool {
    open.iter().any(|sample| function.bound(&sample.state) >= sample.best)
}

/// The states with their best bounds, as many as are found in half of the time.
fn samples(
    optimizer: &mut Optimizer<'_>,
    mut states: Vec<Vec<Value>>,
    limits: &Limits,
) -> Result<Vec<Sample>, Error> {
    states.sort_unstable();
    states.dedup();
    let half = limits.with_share(0.5);
    let mut samples = Vec::new();
    for state in states {
        if half.check().is_err() {
            limits.check()?;
            break;
        }
        if let Found::Function(function, _) = optimizer.maximize(&Objective::state(&state))? {
            samples.push(Sample { best: function.bound(&state), state });
        }
    }
    Ok(samples)
}

/// Drops functions that are in no state higher than all functions before them. The first
/// stays.
fn keep_winners(functions: &mut Vec<Certified>, states: &[Vec<Value>]) {
    let mut wins = vec![false; functions.len()];
    wins[0] = true;
    for state in states {
        let bounds = functions.iter().map(|function| function.bound(state));
        let best = bounds.enumerate().max_by_key(|&(index, bound)| (bound, usize::MAX - index));
        if let Some((winner, _)) = best {
            wins[winner] = true;
        }
    }
    let mut wins = wins.into_iter();
    functions.retain(|_| wins.next().unwrap_or(false));
}
