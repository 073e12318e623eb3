//! The function with the highest average among those that are best in a state.
//!
//! Many functions are best in the initial state, and which of them an LP solver
//! returns is chance: one expands 874 states of visitall p-1-6, another 14,863.
//! So a second LP, over the features of a function that is known, maximizes
//! the average over other states (Seipp, Pommerening and Helmert, ICAPS 2015).
//!
//! *The initial state's value stays.* A row that asks for it makes first-order
//! methods 20 times slower (visitall p-1-6: 8 seconds instead of 0.4) and no
//! function meets it with the margins that rounding needs. Instead φ(s_I) counts
//! as much as many averages: above some factor, that is the same (an exact
//! penalty). If the bound falls nevertheless, the factor is raised.
//!
//! *Dead ends.* There φ may have no maximum, and then the average has none
//! either. Two things help. Weights are bounded, by a multiple of what the known
//! function has. And a state that comes out far above what the others have is
//! taken for a dead end and left out, and the LP is solved again: what such
//! states gain would outweigh all others.

use hipot_task::{Limits, Stop, TnfTask, Value};

use crate::function::PotentialFunction;
use crate::objective::Average;
use crate::optimize::{Error, Params, Report};
use crate::reoptimize::{Constraints, Reoptimized, Reoptimizer};

/// What is to be raised.
#[derive(Clone, Copy, Debug)]
pub struct Raise<'a> {
    /// The task.
    pub tnf: &'a TnfTask,
    /// A function over the features that may be used.
    pub from: &'a PotentialFunction,
    /// The state in which that one is best.
    pub state: &'a [Value],
    /// Whether the bound in that state must not fall.
    pub keeps_bound: bool,
}

/// Weights are at most so many times those of the known function.
const LARGEST_FACTOR: f64 = 8.0;

/// A state above so many times the highest of the known function is a dead end.
const DEAD_END_FACTOR: f64 = 4.0;

/// How often dead ends are left out.
const ROUNDS: usize = 3;

/// How much the state counts against the average.
const FACTORS: [f64; 2] = [10.0, 100.0];

impl Raise<'_> {
    /// Bounds for the weights of functions that are as good, in units of cost.
    pub fn largest_weight(&self) -> f64 {
        let largest = self.from.weights().iter().map(|weight| weight.unsigned_abs()).max();
        let largest = largest.unwrap_or(0) as f64 / self.from.denominator() as f64;
        LARGEST_FACTOR * largest.max(f64::from(self.tnf.task().max_cost()))
    }

    /// The function for which the average of φ is greatest. `None` where nothing
    /// could be certified. The weights that `constraints` allow are
    /// [bounded](Constraints::with_largest_weight).
    pub fn maximize(
        &self,
        constraints: &Constraints<'_>,
        mut average: Average,
        params: &Params,
        limits: &Limits,
    ) -> Result<Option<(PotentialFunction, Report)>, Error> {
        let mut reoptimizer = Reoptimizer::new(constraints, params, limits)?;
        let mut found = None;
        for _ in 0..ROUNDS {
            let (function, report) = match self.best_for(&mut reoptimizer, &average) {
                Ok(Some(next)) => next,
                Ok(None) => return Ok(found),
                // What was found before is worth keeping.
                Err(Error::Stopped(Stop::TimeLimit)) if found.is_some() => return Ok(found),
                Err(error) => return Err(error),
            };
            let dead_ends = match &mut average {
                Average::States(states) => self.remove_dead_ends(&function, states),
                Average::AllStates(_) => 0,
            };
            let is_empty = matches!(&average, Average::States(states) if states.is_empty());
            found = Some((function, report));
            if dead_ends == 0 || is_empty {
                break;
            }
            tracing::debug!("{dead_ends} states are taken for dead ends");
        }
        Ok(found)
    }

    fn best_for(
        &self,
        reoptimizer: &mut Reoptimizer<'_>,
        average: &Average,
    ) -> Result<Option<(PotentialFunction, Report)>, Error> {
        let state = Average::States(vec![self.state.to_vec()]);
        let least = self.from.bound(self.state);
        let factors = if self.keeps_bound { FACTORS.to_vec() } else { vec![0.0] };
        for factor in factors {
            let all = 1.0 + factor;
            let averages = [(average, 1.0 / all), (&state, factor / all)];
            if let Reoptimized::Function(function, report) = reoptimizer.maximize(&averages)?
                && (!self.keeps_bound || function.bound(self.state) >= least)
            {
                return Ok(Some((*function, report)));
            }
        }
        Ok(None)
    }

    /// Leaves out states whose value is too good to be true; how many.
    fn remove_dead_ends(
        &self,
        function: &PotentialFunction,
        states: &mut Vec<Vec<Value>>,
    ) -> usize {
        let before = states.len();
        let known = |state: &Vec<Value>| self.from.exact(state).to_f64();
        let highest = states.iter().map(known).fold(0.0, f64::max);
        let most = DEAD_END_FACTOR * (highest + f64::from(self.tnf.task().max_cost()));
        states.retain(|state| function.exact(state).to_f64() <= most);
        before - states.len()
    }
}
