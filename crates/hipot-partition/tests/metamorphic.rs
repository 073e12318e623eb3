//! What does not change the task does not change the values: operators in
//! another order, variables in another order, costs in another unit.

mod common;

use hipot_partition::projection::AbstractStates;
use hipot_task::{Effect, Fact, Task, TaskBuilder, VariableId};
use hipot_testing::Rng;

use common::{operator_costs, random_task, same, state_equation, transition_costs, value};

const SEEDS: u64 = 150;
const FACTOR: u32 = 7;

/// The values of all heuristics in the initial state.
fn values(task: &Task) -> [f64; 4] {
    let initial = task.initial();
    [
        value(&state_equation(task).bound(initial)),
        value(&operator_costs(task, 2, AbstractStates::All).bound(initial)),
        value(&operator_costs(task, 2, AbstractStates::Reachable).bound(initial)),
        value(&transition_costs(task, 2).bound(initial)),
    ]
}

fn shuffled(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for place in (1..count).rev() {
        order.swap(place, rng.below(place as u32 + 1) as usize);
    }
    order
}

/// The task with variable `order[i]` as number i, operators in the order given
/// by `operators`, and costs multiplied.
fn rewritten(task: &Task, order: &[usize], operators: &[usize], factor: u32) -> Task {
    let place = |id: VariableId| order.iter().position(|&old| old == id.index());
    let fact = |fact: Fact| {
        Fact::new(VariableId::new(place(fact.variable).expect("a permutation")), fact.value)
    };
    let facts = |facts: &[Fact]| facts.iter().copied().map(fact).collect::<Vec<_>>();
    let mut builder = TaskBuilder::new(true);
    for &old in order {
        builder.add_variable(task.variables()[old].clone()).expect("a valid variable");
    }
    let initial = order.iter().map(|&old| task.initial()[old]).collect();
    builder.set_initial(initial).expect("a state");
    builder.set_goal(facts(task.goal())).expect("a goal");
    for &index in operators {
        let mut operator = task.operators()[index].clone();
        operator.preconditions = facts(&operator.preconditions);
        let effects = operator.effects.iter();
        operator.effects = effects.map(|effect| Effect::new(fact(effect.fact))).collect();
        operator.cost *= factor;
        builder.add_operator(operator).expect("a valid operator");
    }
    builder.build()
}

#[test]
fn the_order_of_operators_and_variables_does_not_matter() {
    for seed in 0..SEEDS {
        let task = random_task(seed);
        let mut rng = Rng::new(seed);
        let variables = shuffled(task.variables().len(), &mut rng);
        let operators = shuffled(task.operators().len(), &mut rng);
        let (before, after) = (values(&task), values(&rewritten(&task, &variables, &operators, 1)));
        let all_same = before.iter().zip(after).all(|(&before, after)| same(before, after));
        assert!(all_same, "seed {seed}: {before:?}, {after:?}");
    }
}

#[test]
fn values_grow_with_costs() {
    let mut positive = 0;
    for seed in 0..SEEDS {
        let task = random_task(seed);
        let variables: Vec<usize> = (0..task.variables().len()).collect();
        let operators: Vec<usize> = (0..task.operators().len()).collect();
        let dearer = rewritten(&task, &variables, &operators, FACTOR);
        for (before, after) in values(&task).into_iter().zip(values(&dearer)) {
            assert!(same(before * f64::from(FACTOR), after), "seed {seed}: {before}, {after}");
            positive += usize::from(before > 0.0);
        }
    }
    assert!(positive > SEEDS as usize, "only {positive} values were positive");
}
