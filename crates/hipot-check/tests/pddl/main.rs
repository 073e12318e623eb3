//! The meaning of PDDL: conditions, effects, rules, costs, and what is said
//! about wrong plans.

mod brute_force;
mod failures;
mod meaning;
mod random_tasks;
mod rules;

use hipot_check::pddl::{Failure, GroundAction, Semantics, State, validate};
use hipot_pddl::{Source, Task, read};
use hipot_task::read_plan;

/// A task from the inside of its domain and of its problem.
fn task(domain: &str, problem: &str) -> Task {
    let domain = format!("(define (domain d) {domain})");
    let problem = format!("(define (problem p) (:domain d) {problem})");
    read(&Source::new("domain.pddl", domain), &Source::new("problem.pddl", problem))
        .unwrap_or_else(|errors| panic!("{errors}"))
}

fn check(task: &Task, plan: &str) -> Result<u64, Failure> {
    validate(&Semantics::new(task).unwrap(), &read_plan(plan).unwrap())
}

fn message(task: &Task, plan: &str) -> String {
    check(task, plan).unwrap_err().to_string()
}

/// The atoms of a state, as PDDL.
fn atoms(semantics: &Semantics<'_>, state: &State) -> Vec<String> {
    state.atoms().map(|atom| semantics.atom_name(&atom)).collect()
}

/// The step that a plan writes like this.
fn step(task: &Task, line: &str) -> GroundAction {
    let mut words = line.split(' ');
    let name = words.next().unwrap();
    let object = |word| task.objects.iter().position(|object| object.name == word).unwrap();
    GroundAction {
        action: task.actions.iter().position(|action| action.name == name).unwrap(),
        arguments: words.map(object).map(hipot_pddl::ast::ObjectId::new).collect(),
    }
}
