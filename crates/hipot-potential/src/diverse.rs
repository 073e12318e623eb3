//! A set of functions whose maximum is high.
//!
//! After Seipp, Pommerening and Helmert, ICAPS 2015: one function for the average
//! over sampled states; those for which it is as good as any function could be
//! are *covered* and leave; another one for the rest; until all are covered. Where
//! a function covers none, one that is best in a single state follows, so that
//! it ends.

use hipot_task::{Limits, Stop, Value};

use crate::function::PotentialFunction;
use crate::objective::Average;
use crate::optimize::Error;
use crate::reoptimize::{Reoptimized, Reoptimizer};

/// A sampled state, and the best bound for it.
struct Sample {
    state: Vec<Value>,
    best: u64,
}

/// Functions whose maximum is as high as possible in `states`, at most `most`
/// beside `first`, which stays. Ends early, with what is found, when the time is
/// up; states that are dead ends are left out.
pub fn diverse(
    reoptimizer: &mut Reoptimizer<'_>,
    first: PotentialFunction,
    states: Vec<Vec<Value>>,
    most: usize,
    limits: &Limits,
) -> Result<Vec<PotentialFunction>, Error> {
    let mut functions = vec![first];
    match cover(reoptimizer, states, most, &mut functions, limits) {
        Ok(states) => keep_winners(&mut functions, &states),
        Err(Error::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted.into()),
        Err(error) => tracing::info!("{} functions: {error}", functions.len()),
    }
    Ok(functions)
}

/// Adds functions until all states are covered; which are no dead ends.
fn cover(
    reoptimizer: &mut Reoptimizer<'_>,
    states: Vec<Vec<Value>>,
    most: usize,
    functions: &mut Vec<PotentialFunction>,
    limits: &Limits,
) -> Result<Vec<Vec<Value>>, Error> {
    let mut open = samples(reoptimizer, states, limits)?;
    let states: Vec<Vec<Value>> = open.iter().map(|sample| sample.state.clone()).collect();
    open.retain(|sample| functions[0].bound(&sample.state) < sample.best);
    while !open.is_empty() && functions.len() <= most {
        let average = Average::States(open.iter().map(|sample| sample.state.clone()).collect());
        let function = match reoptimizer.maximize(&[(&average, 1.0)])? {
            Reoptimized::Function(function, _) if covers(&function, &open) => function,
            _ => {
                let single = Average::States(vec![open[0].state.clone()]);
                match reoptimizer.maximize(&[(&single, 1.0)])? {
                    Reoptimized::Function(function, _) => function,
                    _ => {
                        open.remove(0);
                        continue;
                    }
                }
            }
        };
        let before = open.len();
        open.retain(|sample| function.bound(&sample.state) < sample.best);
        if open.len() == before {
            // Rounding has left less than before: it never will be covered.
            open.remove(0);
        }
        functions.push(*function);
    }
    Ok(states)
}

fn covers(function: &PotentialFunction, open: &[Sample]) -> bool {
    open.iter().any(|sample| function.bound(&sample.state) >= sample.best)
}

/// The states with their best bounds, as far as these are found in half the
/// time.
fn samples(
    reoptimizer: &mut Reoptimizer<'_>,
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
        let average = Average::States(vec![state]);
        if let Reoptimized::Function(function, _) = reoptimizer.maximize(&[(&average, 1.0)])? {
            let Average::States(states) = average else { continue };
            let best = |state: Vec<Value>| Sample { best: function.bound(&state), state };
            samples.extend(states.into_iter().map(best));
        }
    }
    Ok(samples)
}

/// Drops functions that are nowhere higher than those before them; the first
/// stays.
fn keep_winners(functions: &mut Vec<PotentialFunction>, states: &[Vec<Value>]) {
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
