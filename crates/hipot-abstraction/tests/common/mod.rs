//! Random tasks and abstractions of them, for several tests.
#![allow(dead_code, reason = "each test uses a part")]

use hipot_abstraction::cartesian::{self, abstractions, subtasks};
use hipot_abstraction::grow::grow;
use hipot_abstraction::systematic::{self, systematic};
use hipot_abstraction::{Abstraction, Costs, Frame};
use hipot_analysis::Mutexes;
use hipot_analysis::h2::{self, h2};
use hipot_task::{Limits, Task, VariableId};
use hipot_testing::{RandomTask, StateSpace};

pub(crate) const SEEDS: u64 = 4000;

/// A random task; some have operators that cost nothing.
pub(crate) fn random_task(seed: u64) -> Task {
    let percent_free = if seed.is_multiple_of(3) { 30 } else { 0 };
    let variables = 4 + (seed % 2) as u32;
    RandomTask { variables, operators: 14, percent_free, ..RandomTask::default() }.generate(seed)
}

pub(crate) fn explore(task: &Task) -> StateSpace {
    StateSpace::explore(task, 10_000).expect("it is tiny")
}

/// No mutexes, those of reachable states, or those of states of plans.
pub(crate) fn mutexes(task: &Task, kind: u64) -> Option<Mutexes> {
    match kind % 3 {
        0 => None,
        1 => {
            let params = h2::Params { passes: 1, ..h2::Params::default() };
            Some(h2(task, &params, &Limits::none()).unwrap().mutexes().clone())
        }
        _ => Some(h2(task, &h2::Params::default(), &Limits::none()).unwrap().mutexes().clone()),
    }
}

pub(crate) fn frame<'a>(task: &'a Task, mutexes: Option<&'a Mutexes>) -> Frame<'a> {
    Frame::new(task, mutexes, &Limits::none()).expect("no axioms, no conditional effects")
}

pub(crate) fn costs(task: &Task) -> Costs {
    Costs::new(task.operators().iter().map(|operator| operator.cost.into()).collect())
}

pub(crate) fn projections(frame: &Frame<'_>) -> Vec<Abstraction> {
    let limits = Limits::none();
    let params = systematic::Params { max_size: 1, ..Default::default() };
    let found = systematic(frame, &costs(frame.task()), &params, &limits, &limits).unwrap();
    let (costs, samples) = (costs(frame.task()), [frame.task().initial().to_vec()]);
    let grown = grow(frame, &found, &costs, &samples, &params, &limits, &limits).unwrap();
    found.into_iter().chain(grown).map(Abstraction::from).collect()
}

pub(crate) fn projection(frame: &Frame<'_>, pattern: &[VariableId]) -> Option<Abstraction> {
    use hipot_abstraction::projection::Projection;
    let found = Projection::new(frame, pattern, 10_000, &Limits::none()).unwrap();
    found.map(Abstraction::from)
}

pub(crate) fn cartesian(frame: &Frame<'_>, max_states: usize) -> Vec<Abstraction> {
    let limits = Limits::none();
    let params = cartesian::Params { max_states, ..Default::default() };
    let subtasks = subtasks(frame, &limits).unwrap();
    let found = abstractions(frame, &subtasks, &params, &limits, &limits).unwrap();
    found.into_iter().map(Abstraction::from).collect()
}
