//! `auto`, from the task to the plan, with everything that it does where a first
//! search is not enough.

use hipot::auto::{Params, solve_automatically};
use hipot::generate::{Generated, hanoi, shuttle};
use hipot::heuristic::{LpSettings, Objective};
use hipot_check::{RandomTask, StateSpace, validate};
use hipot_search::Outcome;
use hipot_task::{Limits, PlanStep, Task};

/// A first search that ends at once, and an LP without pairs before it.
const IMPATIENT: Params = Params { first_nonzeros: 0, first_evaluated: 1, samples: 50 };

struct Seen {
    functions: usize,
    raised: bool,
    expanded: u64,
}

/// Solves a task and compares the cost.
fn check(task: &Task, params: Params, expected: Option<u64>, what: &str) -> Seen {
    let (limits, mut functions) = (Limits::none(), Vec::new());
    let found = solve_automatically(task, params, &limits, LpSettings::default(), &mut (), |it| {
        functions.push(it.best_potential().and_then(hipot::heuristic::Potential::bound));
        Ok(())
    });
    let found = found.unwrap();
    match &found.solution.result.outcome {
        Outcome::Solved(plan) => {
            assert_eq!(Some(plan.cost), expected, "{what}");
            let name = |id: &_| PlanStep { line: 0, name: task.operator(*id).name.clone() };
            let steps: Vec<PlanStep> = plan.operators.iter().map(name).collect();
            assert_eq!(validate(task, &steps).ok(), expected, "{what}");
        }
        Outcome::Unsolvable => assert_eq!(expected, None, "{what}"),
        Outcome::Stopped(stop) => panic!("{what}: {stop}"),
    }
    assert!(functions.is_sorted_by_key(|bound| bound.unwrap_or(u64::MAX)), "{what}: {functions:?}");
    let objective = found.heuristic.best_potential().map(|it| it.spec.objective);
    Seen {
        functions: functions.len(),
        raised: objective.is_some_and(|it| it != Objective::Initial),
        expanded: found.solution.result.statistics.expanded,
    }
}

#[test]
fn random_tasks_are_solved_optimally() {
    for seed in 0..150 {
        let task = RandomTask::default().generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        check(&task, Params::default(), expected, &format!("seed {seed}"));
    }
}

#[test]
fn tasks_with_axioms_and_conditional_effects_are_solved_blindly() {
    let shape = RandomTask { derived: 2, percent_conditional: 30, ..RandomTask::default() };
    for seed in 0..50 {
        let task = shape.generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        check(&task, Params::default(), expected, &format!("seed {seed}"));
    }
}

/// Tasks whose first search is cut short. Shuttle's bound is perfect with pairs;
/// for Hanoi's towers other states than the first can be told better.
#[test]
fn what_follows_a_first_search_is_optimal_too() {
    let tasks = [shuttle(6, 3), shuttle(5, 2), hanoi(7), hanoi(8)].map(Result::unwrap);
    let (mut improved, mut raised) = (0, 0);
    for (number, Generated { task, optimal_cost }) in tasks.into_iter().enumerate() {
        let seen = check(&task, IMPATIENT, optimal_cost, &format!("task {number}"));
        improved += usize::from(seen.functions > 1);
        raised += usize::from(seen.raised);
        assert!(seen.expanded > 0);
    }
    assert!(improved > 2 && raised > 0, "{improved} {raised}");
}
