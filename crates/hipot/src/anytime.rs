//! A plan soon, then the optimal one: `solve --anytime`.
//!
//! The anytime search ([`Anytime`]) comes first and gets a part of the time. Then everything is as
//! without it, but the run ends as soon as a lower bound, from an LP or from the search, is as high
//! as the cost of the best plan: then that plan is optimal.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hipot_analysis::PlainTask;
use hipot_analysis::h2::{self, h2};
use hipot_search::{Anytime, Outcome};
use hipot_task::{Limits, OperatorId, Packing, Plan, Stop, Task};

use crate::events::{Event, Events};
use crate::failure::Failure;
use crate::heuristic::Computed;
use crate::plan_check::check;
use crate::search::Searched;
use crate::search_task::SearchTask;
use crate::settings::Settings;
use crate::solution::Solution;
use crate::solve::solve;
use crate::spec::Spec;

/// The share of the time and of the memory that the anytime search may use.
const SHARE: f64 = 0.25;
const MEMORY_SHARE: f64 = 0.5;

/// The share of its time for finding operators that are on no plan.
const SHARE_FOR_PRUNING: f64 = 0.1;

/// With more operators, that share is never enough.
const TOO_LARGE_FOR_PRUNING: usize = 100_000;

/// Its time if there is no limit.
const AT_MOST: Duration = Duration::from_secs(60);

/// Cheaper plans are looked for during so many times the time of the first one.
const AS_LONG: u32 = 2;
const AT_LEAST: Duration = Duration::from_secs(1);

/// As [`solve`], after a search for plans that need not be optimal. Each plan is told as an
/// [`Event::Plan`]. If a limit comes before the best one is proved to be optimal, it is the
/// solution's [`incumbent`](Solution::incumbent).
pub fn solve_anytime(
    task: &Task,
    spec: &Spec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Solution, Failure> {
    let Some(plan) = find_plans(task, &settings.events, limits) else {
        return solve(task, spec, settings, limits);
    };
    let part = limits.for_part();
    let bound = Arc::new(AtomicU64::new(0));
    let events = ending_at(plan.cost, &settings.events, &bound, &part);
    let settings = Settings { events, ..settings.clone() };
    let solution = solve(task, spec, &settings, &part);
    let bound = bound.load(Ordering::Relaxed);
    let solution = match solution {
        Err(Failure::Stopped(stop)) => not_begun(stop, bound),
        solution => solution?,
    };
    Ok(with_plan(solution, bound, plan))
}

/// The best plan that the anytime search finds in its part of the time.
fn find_plans(task: &Task, events: &Events, limits: &Limits) -> Option<Plan> {
    let limits = limits.with_share(SHARE).within(AT_MOST).with_memory_share(MEMORY_SHARE);
    let begin = Instant::now();
    let tell = &mut |states| events.tell(Event::Plans(states));
    tell(0);
    let plain = PlainTask::new(task);
    let useless = useless(&plain, &limits.with_share(SHARE_FOR_PRUNING));
    let search_task = search_task(task, &plain, &useless);
    let packing = Packing::new(search_task.task());
    let mut search = Anytime::new(search_task.task(), &packing);
    let (mut best, mut part): (Option<Plan>, _) = (None, limits.clone());
    loop {
        match search.next_plan(&part, tell) {
            Ok(Some(mut plan)) => {
                search_task.restore(&mut plan);
                check(task, &plan);
                tracing::info!("a plan of cost {}", plan.cost);
                events.tell(Event::Plan(&plan));
                if best.is_none() {
                    part = limits.within((begin.elapsed() * AS_LONG).max(AT_LEAST));
                }
                best = Some(plan);
            }
            Ok(None) => return best,
            Err(stop) => {
                events.tell(Event::SearchPaused);
                if best.is_none() {
                    tracing::info!("no plan yet: {stop} for the first part of the run");
                }
                return best;
            }
        }
    }
}

/// The operators of the plain task that h² proves to be on no plan; none if the task is too large.
fn useless(plain: &PlainTask<'_>, limits: &Limits) -> Vec<OperatorId> {
    let task = plain.task();
    if task.operators().len() > TOO_LARGE_FOR_PRUNING {
        return Vec::new();
    }
    let found = h2(task, &h2::Params::default(), limits);
    found.map_or(Vec::new(), |found| found.useless().to_vec())
}

/// `task` without what is useless: dead ends that relaxed plans do not see. (A robot of floortile that
/// has painted the way out behind itself.) Preconditions that mutexes imply, as in a pruned task, were
/// tried: relaxed plans get worse, because h^add counts them as well.
fn search_task<'a>(
    task: &'a Task,
    plain: &PlainTask<'_>,
    useless: &[OperatorId],
) -> SearchTask<'a> {
    if useless.is_empty() {
        SearchTask::Whole(task)
    } else if plain.is_given() {
        let (useful, kept) = task.without_operators(useless);
        SearchTask::Useful(useful, kept)
    } else {
        SearchTask::plainly(task, plain, useless)
    }
}

/// The events of a run that ends when a bound reaches `cost`; the highest one is noted.
fn ending_at(cost: u64, events: &Events, highest: &Arc<AtomicU64>, part: &Limits) -> Events {
    let (highest, part) = (Arc::clone(highest), part.clone());
    events.then(move |event| {
        if let Event::Bound(bound) = event {
            highest.fetch_max(bound, Ordering::Relaxed);
            if bound >= cost {
                part.request(Stop::Interrupted);
            }
        }
    })
}

/// What is known if a limit came before there was a heuristic.
fn not_begun(stop: Stop, bound: u64) -> Solution {
    let heuristic = Computed::Blind(Vec::new());
    Solution::new(heuristic, Duration::ZERO, Searched::not_begun(stop, Some(bound)))
}

/// Adds a plan, and a bound that was proved on the way.
///
/// # Panics
/// If there is a proof that there is no such plan.
fn with_plan(mut solution: Solution, bound: u64, plan: Plan) -> Solution {
    let result = &mut solution.result;
    match &result.outcome {
        Outcome::Solved(_) => {}
        Outcome::Unsolvable => panic!("there is a plan, but the search proves that there is none"),
        Outcome::Stopped(_) | Outcome::BudgetSpent => {
            result.lower_bound = result.lower_bound.max(bound);
            assert!(result.lower_bound <= plan.cost, "no plan is cheaper than a lower bound");
            if result.lower_bound == plan.cost {
                result.outcome = Outcome::Solved(plan);
            } else {
                solution.incumbent = Some(plan);
            }
        }
    }
    solution
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use hipot_testing::{RandomTask, StateSpace};

    use super::*;

    /// The best plan is told, and proved to be optimal.
    #[test]
    fn costs_are_optimal_with_plans_known_before() {
        let mut proved_by_bounds = 0;
        for seed in 0..200 {
            let (percent_conditional, derived) = [(0, 0), (50, 0), (0, 2)][seed as usize / 3 % 3];
            let shape = RandomTask { percent_conditional, derived, ..RandomTask::default() };
            let task = shape.generate(seed);
            let told = Arc::new(Mutex::new(Vec::new()));
            let costs = Arc::clone(&told);
            let events = Events::new(move |event| {
                if let Event::Plan(plan) = event {
                    costs.lock().unwrap().push(plan.cost);
                }
            });
            let settings = Settings { events, ..Settings::default() };
            let spec = ["blind", "pot(dim=2)", "auto"][seed as usize % 3].parse().unwrap();
            let solution = solve_anytime(&task, &spec, &settings, &Limits::none()).unwrap();
            let optimal = StateSpace::explore(&task, 20_000).unwrap().optimal_cost();
            let found = match &solution.result.outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                Outcome::Unsolvable => None,
                other => panic!("seed {seed}: {other:?}"),
            };
            assert_eq!(found, optimal, "seed {seed}");
            let told = told.lock().unwrap();
            assert_eq!(told.last().copied(), optimal, "seed {seed}");
            assert!(told.is_sorted_by(|a, b| a > b) && solution.incumbent.is_none());
            proved_by_bounds += u64::from(solution.result.statistics.expanded == 0);
        }
        assert!(proved_by_bounds > 20, "{proved_by_bounds}");
    }

    /// At a limit the plan is there, and so is the bound.
    #[test]
    fn a_limit_leaves_the_plan() {
        let plan = |cost| Plan { operators: Vec::new(), cost };
        let solution = with_plan(not_begun(Stop::TimeLimit, 3), 3, plan(5));
        assert_eq!((solution.incumbent, solution.result.lower_bound), (Some(plan(5)), 3));
        let solution = with_plan(not_begun(Stop::TimeLimit, 3), 5, plan(5));
        assert_eq!(solution.result.outcome, Outcome::Solved(plan(5)));
        assert_eq!(solution.result.lower_bound, 5);
    }
}
