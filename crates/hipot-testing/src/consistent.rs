//! Random consistent functions, and their maxima as heuristics.

use std::collections::HashMap;
use std::sync::Arc;

use hipot_check::State;
use hipot_task::{Estimate, Heuristic, Rng, StateView, Task};

use crate::state_space::StateSpace;

/// The maximum of consistent functions, given as tables: 0 if there is none.
#[derive(Clone)]
pub struct Tables {
    states: Arc<HashMap<State, usize>>,
    functions: Vec<Arc<Vec<Estimate>>>,
    is_incremental: bool,
}

impl Tables {
    /// The maximum of no functions about the states of `space`. If it is incremental, whoever
    /// generates a state evaluates it.
    pub fn new(space: &StateSpace, is_incremental: bool) -> Self {
        let states = Arc::new(space.states.iter().cloned().zip(0..).collect());
        Self { states, functions: Vec::new(), is_incremental }
    }

    /// Drops all functions.
    pub fn clear(&mut self) {
        self.functions.clear();
    }

    /// Adds a random function.
    pub fn add(&mut self, task: &Task, space: &StateSpace, rng: &mut Rng) {
        self.functions.push(Arc::new(consistent(task, space, rng)));
    }
}

/// A random consistent function: random values up to h*, lowered until no operator lowers them by
/// more than its cost. Dead ends are all known as such, or none is.
fn consistent(task: &Task, space: &StateSpace, rng: &mut Rng) -> Vec<Estimate> {
    let knows_dead_ends = rng.chance(50);
    let share = rng.below(101);
    let value = |distance: &Option<u64>| match *distance {
        Some(distance) if rng.chance(share) => distance,
        Some(distance) => rng.below(distance as u32 + 1).into(),
        None if knows_dead_ends => u64::MAX,
        None => rng.below(50).into(),
    };
    let mut values: Vec<u64> = space.goal_distances.iter().map(value).collect();
    loop {
        let mut is_consistent = true;
        for &(source, operator, target) in &space.transitions {
            let cost = u64::from(task.operator(operator).cost);
            let most = values[target].saturating_add(cost);
            if values[source] > most {
                (values[source], is_consistent) = (most, false);
            }
        }
        if is_consistent {
            break;
        }
    }
    let estimate =
        |value| if value == u64::MAX { Estimate::DEAD_END } else { Estimate::at_least(value) };
    values.into_iter().map(estimate).collect()
}

impl Heuristic for Tables {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let index = self.states[&state.unpack()];
        self.functions.iter().map(|it| it[index]).max().unwrap_or(Estimate::at_least(0))
    }

    fn is_incremental(&self) -> bool {
        self.is_incremental
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
