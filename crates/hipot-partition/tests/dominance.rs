//! seq ≤ ocp(dim=2) ≤ tcp(dim=2) ≤ h* in every state, each strictly somewhere.

mod common;

use hipot_partition::projection::AbstractStates;
use hipot_task::{Effect, Fact, Operator, Task, TaskBuilder, Variable, VariableId};
use hipot_testing::StateSpace;

use common::{
    assert_certified, at_most, explore, operator_costs, random_task, same, state_equation,
    transition_costs, value,
};

const SEEDS: u64 = 120;

/// h* of a state; +∞ for a dead end.
fn perfect(space: &StateSpace, state: usize) -> f64 {
    space.goal_distances[state].map_or(f64::INFINITY, |distance| distance as f64)
}

#[test]
fn finer_partitionings_are_no_worse() {
    let mut strict = [0; 3];
    for seed in 0..SEEDS {
        let task = random_task(seed);
        let space = explore(&task);
        let mut equation = state_equation(&task);
        let mut operators = operator_costs(&task, 2, AbstractStates::All);
        let mut transitions = transition_costs(&task, 2);
        for (index, state) in space.states.iter().enumerate() {
            let context = format!("seed {seed}, {state:?}");
            let bounds = [equation.bound(state), operators.bound(state), transitions.bound(state)];
            for bound in &bounds {
                assert_certified(bound, &context);
            }
            let [a, b, c] = bounds.map(|bound| value(&bound));
            let values = [a, b, c, perfect(&space, index)];
            assert!(values.is_sorted_by(|a, b| at_most(*a, *b)), "{context}: {values:?}");
            for (count, pair) in strict.iter_mut().zip(values.windows(2)) {
                *count += usize::from(!same(pair[0], pair[1]));
            }
        }
    }
    println!("seq < ocp, ocp < tcp, tcp < h*: in {strict:?} states");
    assert!(strict.iter().all(|&count| count >= 3), "{strict:?}");
}

#[test]
fn without_unreachable_abstract_states_it_is_no_worse_and_admissible() {
    let mut strict = 0;
    for seed in 0..3 * SEEDS {
        let task = random_task(seed);
        let space = explore(&task);
        for dimension in [1, 2] {
            let mut all = operator_costs(&task, dimension, AbstractStates::All);
            let mut reachable = operator_costs(&task, dimension, AbstractStates::Reachable);
            for (index, state) in space.states.iter().enumerate() {
                let context = format!("seed {seed}, dimension {dimension}, {state:?}");
                let bounds = [all.bound(state), reachable.bound(state)];
                for bound in &bounds {
                    assert_certified(bound, &context);
                }
                let [a, b] = bounds.map(|bound| value(&bound));
                let values = [a, b, perfect(&space, index)];
                assert!(values.is_sorted_by(|a, b| at_most(*a, *b)), "{context}: {values:?}");
                strict += usize::from(!same(a, b));
            }
        }
    }
    println!("strictly better in {strict} states");
    assert!(strict >= 3, "{strict}");
}

/// A store with a lid, a charge and a lamp. Opening the lid also charges, and
/// the lid only closes as the charge goes. The lamp needs the charge, too, and
/// goes on once; while the lid is open the store can be charged again. All is
/// in TNF, all operators cost 1, and the way to a lit lamp under a closed lid
/// is open, light, charge, close.
fn store() -> Task {
    let mut builder = TaskBuilder::new(false);
    let add = |builder: &mut TaskBuilder, name: &str, values: [&str; 2]| -> VariableId {
        builder.add_variable(Variable::new(name, values)).expect("a variable")
    };
    let lid = add(&mut builder, "lid", ["closed", "open"]);
    let lamp = add(&mut builder, "lamp", ["dark", "lit"]);
    let charge = add(&mut builder, "charge", ["empty", "full"]);
    builder.set_initial(vec![0, 0, 0]).expect("a state");
    let goal = vec![Fact::new(lid, 0), Fact::new(lamp, 1), Fact::new(charge, 0)];
    builder.set_goal(goal).expect("a goal");
    let mut operator = |name: &str, changes: &[(VariableId, u32, u32)]| {
        let preconditions = changes.iter().map(|&(id, old, _)| Fact::new(id, old)).collect();
        let effect = |&(id, _, new): &(VariableId, u32, u32)| Effect::new(Fact::new(id, new));
        let effects = changes.iter().map(effect).collect();
        let operator = Operator { name: name.to_owned(), preconditions, effects, cost: 1 };
        builder.add_operator(operator).expect("an operator");
    };
    operator("open", &[(lid, 0, 1), (charge, 0, 1)]);
    operator("light", &[(lamp, 0, 1), (charge, 1, 0)]);
    operator("charge", &[(lid, 1, 1), (charge, 0, 1)]);
    operator("close", &[(lid, 1, 0), (charge, 1, 0)]);
    builder.build()
}

/// After Keller et al. (IJCAI 2016), who show that there are such tasks.
/// Opening changes two variables, and what that is worth to the projections
/// {lid, lamp} and {charge, lamp} depends on the lamp. Shares of operators pay
/// each projection for its own worst case, dark or lit, which are not the same
/// case; shares of transitions pay in each case for that case.
#[test]
fn transition_costs_are_better_than_operator_costs_where_the_context_decides() {
    let task = store();
    let exact = |bound: hipot_partition::Bound| bound.value.expect("no dead end").to_string();
    assert_eq!(explore(&task).optimal_cost(), Some(4));
    assert_eq!(exact(transition_costs(&task, 2).bound(task.initial())), "4");
    for states in [AbstractStates::All, AbstractStates::Reachable] {
        assert_eq!(exact(operator_costs(&task, 2, states).bound(task.initial())), "2");
    }
    // In one projection to all variables both are perfect.
    assert_eq!(exact(operator_costs(&task, 3, AbstractStates::All).bound(task.initial())), "4");
}
