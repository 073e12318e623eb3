//! `auto`, from the task to the plan, with everything that it does where a first
//! search is not enough.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hipot::auto::{Params, solve_automatically};
use hipot::events::{Event, Events};
use hipot::heuristic::Potential;
use hipot::settings::Settings;
use hipot::spec::Objective;
use hipot_check::validate;
use hipot_search::Outcome;
use hipot_task::{Limits, PlanStep, Stop, Task, sas};
use hipot_testing::{RandomTask, StateSpace};

use crate::generate::{Generated, hanoi, shuttle};

/// A first search that ends soon, and an LP without pairs before it.
const IMPATIENT: Params = Params {
    first_nonzeros: 0,
    first_evaluated: 300,
    probe_evaluated: 40,
    alone_evaluated: 500,
    samples: 50,
    large_operators: usize::MAX,
    opening_evaluated: 0,
};

/// Tasks that are not solved at once.
const LARGER: RandomTask = RandomTask {
    variables: 7,
    derived: 0,
    domain: 4,
    operators: 24,
    cost: 4,
    percent_free: 20,
    percent_conditional: 0,
};

struct Seen {
    functions: usize,
    raised: bool,
    several: bool,
    expanded: u64,
}

/// Solves a task and compares the cost.
fn check(task: &Task, params: Params, expected: Option<u64>, what: &str) -> Seen {
    check_with_threads(1, task, params, expected, what)
}

fn check_with_threads(
    threads: usize,
    task: &Task,
    params: Params,
    expected: Option<u64>,
    what: &str,
) -> Seen {
    let told = Arc::new(Mutex::new((Vec::new(), 0)));
    let sink = Arc::clone(&told);
    let events = Events::new(move |event| {
        let (functions, proved) = &mut *sink.lock().unwrap();
        match event {
            Event::Heuristic(heuristic) => {
                functions.push(heuristic.best_potential().and_then(Potential::bound));
            }
            Event::Bound(bound) => *proved = bound.max(*proved),
            _ => {}
        }
    });
    let settings = Settings { events, threads, ..Settings::default() };
    let found = solve_automatically(task, params, &settings, &Limits::none()).unwrap();
    let (functions, proved) = std::mem::take(&mut *told.lock().unwrap());
    assert!(expected.is_none_or(|cost| proved <= cost), "{what}: {proved}");
    match &found.result.outcome {
        Outcome::Solved(plan) => {
            assert_eq!(Some(plan.cost), expected, "{what}");
            let name = |id: &_| PlanStep { line: 0, name: task.operator(*id).name.clone() };
            let steps: Vec<PlanStep> = plan.operators.iter().map(name).collect();
            assert_eq!(validate(task, &steps).ok(), expected, "{what}");
        }
        Outcome::Unsolvable => assert_eq!(expected, None, "{what}"),
        other => panic!("{what}: {other:?}"),
    }
    assert!(functions.is_sorted_by_key(|bound| bound.unwrap_or(u64::MAX)), "{what}: {functions:?}");
    let objective = found.heuristic.best_potential().map(|it| it.spec.objective);
    Seen {
        functions: functions.len(),
        raised: objective.is_some_and(|it| it != Objective::Initial),
        several: found.heuristic.potentials().len() > 1,
        expanded: found.result.statistics.expanded,
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
fn tasks_with_axioms_and_conditional_effects_are_solved_optimally() {
    let shape = RandomTask { derived: 2, percent_conditional: 30, ..RandomTask::default() };
    for seed in 0..50 {
        let task = shape.generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        check(&task, Params::default(), expected, &format!("seed {seed}"));
    }
}

/// Functions that enter a blind search, or replace it.
#[test]
fn tasks_that_count_as_large_are_solved_optimally() {
    let large = Params { large_operators: 0, opening_evaluated: 2, ..IMPATIENT };
    let (mut blindly, mut with_functions) = (0, 0);
    for seed in 0..100 {
        let task = LARGER.generate(seed);
        let expected = StateSpace::explore(&task, 100_000).unwrap().optimal_cost();
        for first_evaluated in [10, u64::MAX] {
            let params = Params { first_evaluated, ..large };
            let seen = check(&task, params, expected, &format!("seed {seed}"));
            blindly += usize::from(seen.functions == 0);
            with_functions += usize::from(seen.functions > 0);
        }
    }
    assert!(blindly > 5 && with_functions > 50, "{blindly} {with_functions}");
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

/// With a second thread, the search goes on while functions are computed, and may end meanwhile, or
/// takes turns with them, with both threads.
#[test]
fn functions_are_computed_by_some_threads_or_all() {
    let generated = [hanoi(7), hanoi(9), hanoi(10), shuttle(6, 3)].map(Result::unwrap);
    for (number, Generated { task, optimal_cost }) in generated.into_iter().enumerate() {
        for (threads, alone_evaluated) in [(2, u64::MAX), (2, 500), (3, 2000)] {
            let params = Params { alone_evaluated, ..IMPATIENT };
            let what = format!("task {number}, {threads} threads, {alone_evaluated}");
            check_with_threads(threads, &task, params, optimal_cost, &what);
        }
    }
    for seed in 0..50 {
        let task = LARGER.generate(seed);
        let expected = StateSpace::explore(&task, 100_000).unwrap().optimal_cost();
        for alone_evaluated in [u64::MAX, 8] {
            let params = Params { first_evaluated: 5, alone_evaluated, ..IMPATIENT };
            check_with_threads(2, &task, params, expected, &format!("seed {seed}"));
        }
    }
}

/// A deadline and a request end a search with several threads, or a function that they compute, in
/// time, and what was proved holds.
#[test]
fn limits_end_a_search_with_several_threads() {
    let Generated { task, optimal_cost } = hanoi(16).unwrap();
    for (threads, is_asked) in [(2, false), (3, false), (2, true), (3, true)] {
        let settings = Settings { threads, ..Settings::default() };
        let time = Duration::from_millis(1500);
        let deadline = (!is_asked).then(|| Instant::now() + time);
        let limits = Limits::new(deadline, None);
        let begin = Instant::now();
        let found = thread::scope(|scope| {
            let asked = limits.clone();
            scope.spawn(move || {
                thread::sleep(time);
                if is_asked {
                    asked.request(Stop::Interrupted);
                }
            });
            solve_automatically(&task, IMPATIENT, &settings, &limits).unwrap().result
        });
        let stop = if is_asked { Stop::Interrupted } else { Stop::TimeLimit };
        assert_eq!(found.outcome, Outcome::Stopped(stop), "{threads} threads");
        let elapsed = begin.elapsed();
        assert!(time <= elapsed && elapsed < 3 * time, "{threads} threads: {elapsed:?}");
        assert!(Some(found.lower_bound) <= optimal_cost);
        assert!(found.statistics.evaluated > 5 * IMPATIENT.alone_evaluated);
    }
}

/// A lift and passengers who wait for it, two on a floor, each with another goal.
fn lift(passengers: usize) -> Task {
    let floors: Vec<usize> = (0..passengers).collect();
    let mut variables = vec![variable("lift", floors.iter().map(|it| format!("at {it}")))];
    let (mut goals, mut operators) = (Vec::new(), Vec::new());
    for (from, to) in floors.iter().flat_map(|from| floors.iter().map(move |to| (from, to))) {
        if from != to {
            operators.push(format!("move {from} {to}\n0\n1\n0 0 {from} {to}\n"));
        }
    }
    for passenger in 0..passengers {
        let (number, (origin, goal)) = (passenger + 1, (passenger / 2, 5 * passenger + 3));
        let goal = goal % passengers;
        let values = ["waits", "rides", "is there"].map(str::to_owned);
        variables.push(variable(&format!("passenger {passenger}"), values.into_iter()));
        goals.push(format!("{number} 2\n"));
        operators.push(format!("board {passenger}\n1\n0 {origin}\n1\n0 {number} 0 1\n"));
        operators.push(format!("leave {passenger}\n1\n0 {goal}\n1\n0 {number} 1 2\n"));
    }
    let count = operators.len();
    let operators = operators.join("1\nend_operator\nbegin_operator\n");
    let text = format!(
        "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n{}\n{}0\n\
         begin_state\n{}\n{}end_state\nbegin_goal\n{passengers}\n{}end_goal\n\
         {count}\nbegin_operator\n{operators}1\nend_operator\n0\n",
        variables.len(),
        variables.concat(),
        passengers - 1,
        "0\n".repeat(passengers),
        goals.concat(),
    );
    sas::read(text.as_bytes()).unwrap()
}

fn variable(name: &str, values: impl ExactSizeIterator<Item = String>) -> String {
    let count = values.len();
    let values = values.collect::<Vec<_>>().join("\n");
    format!("begin_variable\n{name}\n-1\n{count}\n{values}\nend_variable\n")
}

/// A search that is stuck in its first layer goes on with several functions, and needs
/// far fewer states than to the end with one.
#[test]
fn several_functions_help_out_of_a_plateau() {
    let short = Params { first_evaluated: 300, samples: 200, ..Params::default() };
    let long = Params { first_evaluated: u64::MAX, ..short };
    for passengers in [8, 9] {
        let task = lift(passengers);
        let expected = StateSpace::explore(&task, 1_000_000).unwrap().optimal_cost();
        let what = format!("{passengers} passengers");
        let [one, more] = [long, short].map(|params| check(&task, params, expected, &what));
        assert!(more.several && !one.several, "{what}");
        assert!(more.expanded * 10 < one.expanded, "{what}: {} {}", more.expanded, one.expanded);
    }
}
