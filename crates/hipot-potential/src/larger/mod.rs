//! Features of three facts and more, chosen where they raise the bound.
//!
//! Over all features of some size k ≥ 3 the contexts of an operator are all
//! joined, and Theorem 5's LP is exponential in the number of variables: it fits
//! for tasks with few of them. There it is solved as it stands. Elsewhere
//! features are chosen, as for pairs ([`on_demand`](crate::on_demand)):
//!
//! 1. The two-dimensional function comes first. It is certified, and nothing
//!    below it is ever returned.
//! 2. A first LP has all pairs of variables; or, if it becomes too large, those on
//!    which that function has the largest weights.
//! 3. Each round prices larger sets of variables against the dual solution
//!    ([`price`]) and adds the most promising ones to the next LP, as long as its
//!    size, predicted on the context-dependency graphs ([`width`]), stays inside
//!    what the round, the budget and the time left allow.
//!
//! After each round there is a certified function, so limits may end the rounds
//! anywhere; the best one counts. Whole sets of variables join, with all of their
//! subsets, so that reference values lose nothing.

mod choose;
mod price;
mod relaxed_plan;
mod rounds;
mod sets;
mod width;

use std::sync::Arc;

use hipot_task::{Limits, Mutexes, Stop, TnfTask, Value};

use self::choose::Chooser;
use self::rounds::Rounds;
use crate::feature::Features;
use crate::function::PotentialFunction;
use crate::optimize::{
    Error, Extent, Optimized, Params, Report, most_nonzeros, nonzeros_in_time, optimize,
    optimize_complete,
};
use crate::pairs::Exclusions;

/// The most nonzeros if no budget is given.
const MOST_NONZEROS: u64 = 2_000_000;

/// An LP over all features is begun if it has at most so many nonzeros for each
/// second of a limited time.
const NONZEROS_PER_SECOND: u64 = 15_000;

/// The best function for `state` over features of size up to `dimension`, three
/// or more: over all of them where the LP fits into the budget, memory and time,
/// over chosen ones elsewhere; never below that of [`optimize_complete`] for
/// dimension 2.
pub fn optimize_larger(
    tnf: &TnfTask,
    dimension: usize,
    state: &[Value],
    mutexes: Option<Arc<Mutexes>>,
    params: &Params,
    limits: &Limits,
) -> Result<Optimized, Error> {
    let task = tnf.task();
    let (function, report) =
        match optimize_complete(tnf, 2, state, mutexes.clone(), params, limits)? {
            Optimized::Function(function, report) => (function, report),
            unsolvable @ Optimized::Unsolvable(..) => return Ok(unsolvable),
        };
    let report = Report { extent: without_larger(report.extent, task.variables().len()), ..report };
    let exclusions = Exclusions::new(mutexes.clone());
    let chooser = match Chooser::new(task, dimension, exclusions, limits) {
        Ok(chooser) => chooser,
        Err(Stop::Interrupted) => return Err(Stop::Interrupted.into()),
        Err(_) => return Ok(Optimized::Function(function, report)),
    };
    if let Some(features) = all_features(&chooser, params, limits) {
        match optimize(tnf, &features, state, mutexes, params, limits) {
            Ok(all) => return Ok(better(all, function, state)),
            Err(Error::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted.into()),
            Err(error) => tracing::info!("not all features of size {dimension}: {error}"),
        }
    }
    Rounds::new(task, chooser, state, params, function, report).go_on(limits)
}

/// All features, if their LP fits into the budget, memory and, as it seems, into
/// the time.
fn all_features(chooser: &Chooser<'_>, params: &Params, limits: &Limits) -> Option<Features> {
    chooser.all(most(params, limits).min(in_time(limits)))
}

/// The most nonzeros that an LP may have, whatever the time.
fn most(params: &Params, limits: &Limits) -> u64 {
    let most = most_nonzeros(params, limits);
    if params.budget.is_some() { most } else { most.min(MOST_NONZEROS) }
}

/// The most nonzeros that an LP may have if it is to be solved in time.
fn in_time(limits: &Limits) -> u64 {
    nonzeros_in_time(limits, NONZEROS_PER_SECOND)
}

/// The function over all features, unless rounding has left less of it than of
/// the one over pairs.
fn better(all: Optimized, of_pairs: PotentialFunction, state: &[Value]) -> Optimized {
    match all {
        Optimized::Function(all, report) if of_pairs.is_higher(&all, state) => {
            Optimized::Function(of_pairs, report)
        }
        all => all,
    }
}

/// What features a two-dimensional function has of those that were asked for.
fn without_larger(extent: Extent, variables: usize) -> Extent {
    let pairs = match extent {
        Extent::Complete => variables * variables.saturating_sub(1) / 2,
        Extent::Chosen { pairs, .. } | Extent::Larger { pairs, .. } => pairs,
    };
    Extent::Larger { pairs, sets: 0 }
}
