//! h² against brute force: mutexes hold, proofs are accepted, pruning keeps
//! the plans.

mod pruning;
mod soundness;
mod straightforward;

use std::path::Path;

use hipot_analysis::h2::{Direction, H2, Params, h2};
use hipot_check::mutexes;
use hipot_task::{Fact, Limits, Task, Value, VariableId, sas};
use hipot_testing::{RandomTask, StateSpace};

/// Random tasks of several shapes, with their state spaces.
fn random_tasks(count: u64) -> impl Iterator<Item = (u64, Task, StateSpace)> {
    let small = RandomTask { percent_free: 20, ..RandomTask::default() };
    let wide = RandomTask { variables: 6, domain: 3, operators: 8, ..small };
    let deep = RandomTask { variables: 3, domain: 6, operators: 20, ..small };
    (0..count).map(move |seed| {
        let task = [small, wide, deep][(seed % 3) as usize].generate(seed);
        let space = StateSpace::explore(&task, 100_000).unwrap();
        (seed, task, space)
    })
}

/// The examples that h² supports, with their names.
fn examples() -> Vec<(String, Task)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sas"));
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let task = sas::read(&std::fs::read(file).unwrap()).unwrap();
        (file.file_stem().unwrap().to_string_lossy().into_owned(), task)
    };
    let supported = |task: &Task| {
        let by = "the test";
        task.require_no_axioms(by).and(task.require_no_conditional_effects(by)).is_ok()
    };
    files.iter().map(read).filter(|(_, task)| supported(task)).collect()
}

fn found(task: &Task) -> H2 {
    h2(task, &Params::default(), &Limits::none()).unwrap()
}

/// The layers as the checker reads them.
fn layers(task: &Task, h2: &H2) -> Vec<mutexes::Layer> {
    let layers = h2.layers().iter().map(|layer| {
        mutexes::Layer::new(task, direction(layer.direction), layer.mutexes.pairs()).unwrap()
    });
    layers.collect()
}

fn direction(direction: Direction) -> mutexes::Direction {
    match direction {
        Direction::Forward => mutexes::Direction::Forward,
        Direction::Backward => mutexes::Direction::Backward,
    }
}

/// The facts of a state.
fn facts(state: &[Value]) -> Vec<Fact> {
    let numbered = state.iter().enumerate();
    numbered.map(|(index, &value)| Fact::new(VariableId::new(index), value)).collect()
}

/// The states that lie on plans: all are reachable, and these reach the goal.
fn states_of_plans(space: &StateSpace) -> Vec<&Vec<Value>> {
    let states = space.states.iter().zip(&space.goal_distances);
    states.filter(|(_, distance)| distance.is_some()).map(|(state, _)| state).collect()
}
