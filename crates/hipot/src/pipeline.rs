//! From a task to a plan.

use std::time::{Duration, Instant};

use hipot_check::validate;
use hipot_search::{Blind, Observer, Outcome, SearchResult, astar};
use hipot_task::{Limits, Packing, Plan, PlanStep, Task};

use crate::heuristic::Spec;

/// What solving a task gave.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The heuristic that was used.
    pub spec: Spec,
    /// What the search found out. A plan has been executed by independent code.
    pub result: SearchResult,
    /// The time that computing the heuristic took.
    pub heuristic_time: Duration,
    /// The time that the search took.
    pub search_time: Duration,
}

/// Searches an optimal plan for `task` with the heuristic that `spec` names.
///
/// # Panics
/// If the plan found is not one, which would be a defect in hipot.
pub fn solve(task: &Task, spec: Spec, limits: &Limits, observer: &mut dyn Observer) -> Solution {
    let begin = Instant::now();
    let spec = spec.resolve();
    let packing = Packing::new(task);
    let mut heuristic = match spec {
        Spec::Blind | Spec::Auto => Blind::new(task, &packing),
    };
    let heuristic_time = begin.elapsed();
    let search_begin = Instant::now();
    let result = astar(task, &packing, &mut heuristic, limits, observer);
    let search_time = search_begin.elapsed();
    if let Outcome::Solved(plan) = &result.outcome {
        check(task, plan);
    }
    Solution { spec, result, heuristic_time, search_time }
}

/// Executes the plan with code that shares nothing with the search.
fn check(task: &Task, plan: &Plan) {
    let step = |id: &_| PlanStep { line: 0, name: task.operator(*id).name.clone() };
    let steps: Vec<PlanStep> = plan.operators.iter().map(step).collect();
    match validate(task, &steps) {
        // Operators of one name may differ in cost: the check takes the best.
        Ok(cost) => assert!(cost <= plan.cost, "the plan costs {cost}, not {}", plan.cost),
        Err(invalid) => panic!("the search found a plan that is none: {invalid}"),
    }
}
