//! From a task to a plan or a bound.

use std::time::{Duration, Instant};

use hipot_check::{pddl, validate};
use hipot_potential::{Constraints, EveryState, Params, Reoptimizer};
use hipot_search::{Blind, Observer, Outcome, SearchResult, Statistics, astar};
use hipot_task::{
    Estimate, Heuristic, Limits, OperatorId, Packing, Plan, PlanStep, StateView, Task,
};

use crate::auto::{self, Automatic, Sampled, Samples, solve_automatically};
use crate::failure::Failure;
use crate::heuristic::{Computed, LpSettings, Objective, Potential, Spec, compute};
use crate::reduced::Reduced;

/// What solving a task gave.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What the search found out. A plan has been executed by independent code.
    pub result: SearchResult,
    /// The time that the search took.
    pub search_time: Duration,
}

impl Solution {
    /// With what an earlier search has counted, proved, and taken.
    pub(crate) fn after(mut self, earlier: &Self) -> Self {
        let (result, before) = (&mut self.result, &earlier.result);
        result.statistics = result.statistics.after(&before.statistics);
        result.lower_bound = result.lower_bound.max(before.lower_bound);
        self.search_time += earlier.search_time;
        self
    }
}

/// Searches an optimal plan for `task` with a heuristic that was computed. Fails
/// where a limit is reached before the search begins.
///
/// # Panics
/// If the plan found is not one, which would be a defect in hipot.
pub fn solve(
    task: &Task,
    heuristic: &Computed,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Solution, Failure> {
    let begin = Instant::now();
    let reduced = Reduced::new(task, heuristic);
    let result = search(&reduced, heuristic, limits, observer)?;
    Ok(finish(task, &reduced, result, begin))
}

/// Computes the heuristic that `spec` names, or those that seem best, and searches
/// an optimal plan. Each heuristic is told to `found` before it is used.
pub fn find_plan(
    task: &Task,
    spec: &Spec,
    limits: &Limits,
    lp: LpSettings,
    observer: &mut dyn Observer,
    mut found: impl FnMut(&Computed) -> Result<(), Failure>,
) -> Result<Automatic, Failure> {
    if *spec == Spec::Auto {
        return solve_automatically(task, auto::Params::default(), limits, lp, observer, found);
    }
    let begin = Instant::now();
    let heuristic = compute(task, spec, limits, lp)?;
    let heuristic_time = begin.elapsed();
    found(&heuristic)?;
    let solution = solve(task, &heuristic, limits, observer)?;
    Ok(Automatic { heuristic, solution, heuristic_time })
}

/// The same with the maximum of the first functions of potentials; some of the states
/// that are expanded are kept, as states of `task`.
pub(crate) fn solve_sampled(
    task: &Task,
    potentials: &[&Potential],
    samples: &mut Samples,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Solution {
    let begin = Instant::now();
    let reduced = Reduced::for_functions(task, potentials);
    let packing = Packing::new(reduced.task());
    let heuristic = |potential: &Potential| reduced.heuristic(potential, &potential.function);
    let result = match potentials {
        _ if potentials.iter().any(|potential| potential.bound().is_none()) => unsolvable(),
        [one] => {
            let heuristic = heuristic(one);
            let mut heuristic = Sampled { heuristic, samples, reduced: &reduced };
            astar(reduced.task(), &packing, &mut heuristic, limits, observer)
        }
        several => {
            let boxed = |one: &&Potential| Box::new(heuristic(one)) as Box<dyn Heuristic>;
            let heuristic = Max(several.iter().map(boxed).collect());
            let mut heuristic = Sampled { heuristic, samples, reduced: &reduced };
            astar(reduced.task(), &packing, &mut heuristic, limits, observer)
        }
    };
    finish(task, &reduced, result, begin)
}

/// Executes the plan in the task itself.
fn finish(
    task: &Task,
    reduced: &Reduced<'_>,
    mut result: SearchResult,
    begin: Instant,
) -> Solution {
    if let Outcome::Solved(plan) = &mut result.outcome {
        reduced.restore(plan);
        check(task, plan);
    }
    Solution { result, search_time: begin.elapsed() }
}

fn search(
    reduced: &Reduced<'_>,
    heuristic: &Computed,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<SearchResult, Failure> {
    let task = reduced.task();
    let packing = Packing::new(task);
    let is_unsolvable = heuristic.parts().iter().any(|part| part.bound().is_none());
    let result = match heuristic {
        _ if is_unsolvable => unsolvable(),
        Computed::Blind => astar(task, &packing, &mut Blind::new(task, &packing), limits, observer),
        Computed::Potential(potential) if potential.is_one_function() => {
            let mut heuristic = reduced.heuristic(potential, &potential.function);
            astar(task, &packing, &mut heuristic, limits, observer)
        }
        Computed::Partition(partitioning) => {
            let mut heuristic = partitioning.build(task, limits)?;
            astar(task, &packing, &mut *heuristic, limits, observer)
        }
        Computed::Potential(_) | Computed::Max(_) => {
            let constraints = every_state_constraints(heuristic, limits)?;
            let mut builder =
                Builder { reduced, packing: &packing, limits, constraints: &constraints };
            let mut parts = Vec::new();
            builder.add(heuristic, &mut parts)?;
            astar(task, &packing, &mut Max(parts), limits, observer)
        }
    };
    Ok(result)
}

/// The LPs of potentials that are optimized in every state, and how to solve
/// them.
fn every_state_constraints<'a>(
    heuristic: &'a Computed,
    limits: &Limits,
) -> Result<Vec<(Constraints<'a>, Params)>, Failure> {
    let potentials = heuristic.potentials().into_iter();
    let optimized = potentials.filter(|it| it.spec.objective == Objective::EveryState);
    optimized.map(|potential| potential.constraints(limits)).collect()
}

/// Makes the parts of a maximum.
struct Builder<'a> {
    reduced: &'a Reduced<'a>,
    packing: &'a Packing,
    limits: &'a Limits,
    /// For the potentials that are optimized in every state and are not made yet,
    /// in order.
    constraints: &'a [(Constraints<'a>, Params)],
}

impl<'a> Builder<'a> {
    /// Adds what `heuristic` is the maximum of.
    fn add(
        &mut self,
        heuristic: &Computed,
        parts: &mut Vec<Box<dyn Heuristic + 'a>>,
    ) -> Result<(), Failure> {
        let Self { reduced, packing, limits, .. } = *self;
        let task = reduced.task();
        match heuristic {
            Computed::Blind => parts.push(Box::new(Blind::new(task, packing))),
            Computed::Potential(potential) => self.add_potential(potential, parts)?,
            Computed::Partition(partitioning) => parts.push(partitioning.build(task, limits)?),
            Computed::Max(all) => {
                for part in all {
                    self.add(part, parts)?;
                }
            }
        }
        Ok(())
    }

    fn add_potential(
        &mut self,
        potential: &Potential,
        parts: &mut Vec<Box<dyn Heuristic + 'a>>,
    ) -> Result<(), Failure> {
        for function in std::iter::once(&potential.function).chain(&potential.others) {
            parts.push(Box::new(self.reduced.heuristic(potential, function)));
        }
        if potential.spec.objective == Objective::EveryState {
            let (constraints, params) = self.constraints.split_off_first().expect("one for each");
            let reoptimizer = Reoptimizer::new(constraints, params, self.limits)?;
            parts.push(Box::new(EveryState::new(reoptimizer, potential.function.clone())));
        }
        Ok(())
    }
}

/// The result where the heuristic has proved that there is no plan.
fn unsolvable() -> SearchResult {
    SearchResult {
        outcome: Outcome::Unsolvable,
        initial: Some(Estimate::DEAD_END),
        lower_bound: 0,
        statistics: Statistics::default(),
    }
}

/// The maximum of several heuristics.
struct Max<'a>(Vec<Box<dyn Heuristic + 'a>>);

impl Heuristic for Max<'_> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let estimates = self.0.iter_mut().map(|part| part.estimate(state));
        estimates.max().unwrap_or(Estimate::at_least(0))
    }

    fn enter(&mut self, parent: StateView<'_>) {
        for part in &mut self.0 {
            part.enter(parent);
        }
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        let estimates = self.0.iter_mut().map(|part| part.estimate_successor(operator, successor));
        estimates.max().unwrap_or(Estimate::at_least(0))
    }

    fn is_consistent(&self) -> bool {
        self.0.iter().all(|part| part.is_consistent())
    }
}

/// Executes the plan with code that shares nothing with the search.
fn check(task: &Task, plan: &Plan) {
    match validate(task, &steps(task, plan)) {
        // Operators of one name may differ in cost: the check takes the best.
        Ok(cost) => assert!(cost <= plan.cost, "the plan costs {cost}, not {}", plan.cost),
        Err(invalid) => panic!("the search found a plan that is none: {invalid}"),
    }
}

/// Executes a plan for the translation of `source` by the semantics of PDDL,
/// with code that shares nothing with the translation.
///
/// # Panics
/// If the plan is not one for `source`, which would be a defect in hipot.
pub fn check_pddl(source: &hipot_pddl::Task, task: &Task, plan: &Plan) {
    let Ok(semantics) = pddl::Semantics::new(source) else {
        tracing::warn!("the plan is not checked against PDDL: derived predicates too involved");
        return;
    };
    match pddl::validate(&semantics, &steps(task, plan)) {
        Ok(cost) => assert_eq!(cost, plan.cost, "the plan's cost in PDDL, and in the translation"),
        Err(invalid) => panic!("the plan is none for the PDDL task: {invalid}"),
    }
}

fn steps(task: &Task, plan: &Plan) -> Vec<PlanStep> {
    let step = |id: &_| PlanStep { line: 0, name: task.operator(*id).name.clone() };
    plan.operators.iter().map(step).collect()
}
