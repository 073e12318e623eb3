//! What operators and axioms do, as directly as possible.

use hipot_task::{Fact, Operator, Task, Value};

/// A value for each variable.
pub type State = Vec<Value>;

/// `s_I`, axioms applied.
pub fn initial_state(task: &Task) -> State {
    let mut state = task.initial().to_vec();
    derive(task, &mut state);
    state
}

/// Whether `state` has all of `facts`.
pub(crate) fn satisfies(state: &[Value], facts: &[Fact]) -> bool {
    facts.iter().all(|fact| state[fact.variable.index()] == fact.value)
}

/// Whether `state` is a goal state.
pub fn is_goal(task: &Task, state: &State) -> bool {
    satisfies(state, task.goal())
}

/// Whether `operator` is applicable in `state`.
pub fn applicable(operator: &Operator, state: &State) -> bool {
    satisfies(state, &operator.preconditions)
}

/// s⟦o⟧, axioms applied.
pub fn apply(task: &Task, operator: &Operator, state: &State) -> State {
    let mut successor = state.clone();
    for effect in &operator.effects {
        if satisfies(state, &effect.conditions) {
            successor[effect.fact.variable.index()] = effect.fact.value;
        }
    }
    derive(task, &mut successor);
    successor
}

/// Sets the derived variables: each layer's rules until nothing changes.
pub(crate) fn derive(task: &Task, state: &mut State) {
    let mut layers: Vec<u32> = Vec::new();
    for (index, variable) in task.variables().iter().enumerate() {
        if let Some(layer) = variable.axiom_layer {
            state[index] = task.initial()[index];
            layers.push(layer);
        }
    }
    layers.sort_unstable();
    layers.dedup();
    for layer in layers {
        loop {
            let before = state.clone();
            for axiom in task.axioms() {
                let head = axiom.head.variable;
                if task.variable(head).axiom_layer == Some(layer) && satisfies(state, &axiom.body) {
                    state[head.index()] = axiom.head.value;
                }
            }
            if *state == before {
                break;
            }
        }
    }
}
