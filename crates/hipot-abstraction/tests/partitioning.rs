//! What must hold for partitionings of any task: one abstraction alone has its own distances, the
//! order of storage does not matter, limits are kept, and what is not supported is refused.

mod common;

use common::{SEEDS, cartesian, costs, explore, frame, projection, projections, random_task};
use hipot_abstraction::partitioning::{Saturator, saturated_cost_partitioning};
use hipot_abstraction::{Abstraction, Collection, Costs, Error, Frame, INFINITE};
use hipot_task::{
    Effect, Fact, Limits, Operator, OperatorId, Rng, Stop, Task, TaskBuilder, Value, VariableId,
};
use hipot_testing::RandomTask;

#[test]
fn one_abstraction_has_its_own_distances() {
    let limits = Limits::none();
    let mut compared = 0;
    for seed in 0..SEEDS / 4 {
        let task = random_task(seed);
        let frame = frame(&task, None);
        for abstraction in projections(&frame).into_iter().chain(cartesian(&frame, 20)) {
            let distances = abstraction.distances(&costs(&task), &limits).unwrap();
            let collection = Collection::new(&frame, vec![abstraction], &limits).unwrap();
            let Some(states) = collection.states(task.initial()) else { continue };
            for saturator in [Saturator::All, Saturator::PerimStar] {
                let found = saturated_cost_partitioning(
                    &collection,
                    &[0],
                    &costs(&task),
                    saturator,
                    &states,
                    &limits,
                );
                let found = found.unwrap();
                let initial = states[0] as usize;
                assert_eq!(found.value(&states), distances[initial], "seed {seed}");
                // What is kept for the perimeter can be missing behind it.
                for (state, &distance) in distances.iter().enumerate() {
                    // Operators that are impossible can leave more states dead.
                    if distance != INFINITE && !collection.is_dead(0, state as u32) {
                        let value = found.value(&[state as u32]);
                        assert!(value <= distance, "seed {seed}");
                        assert!(value == distance || saturator != Saturator::All, "seed {seed}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

/// A task stored differently, and where its parts have gone.
struct Stored {
    task: Task,
    variables: Vec<usize>,
    values: Vec<Vec<Value>>,
    operators: Vec<usize>,
}

fn permutation(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_cached_key(|_| rng.next_u64());
    order
}

impl Stored {
    fn new(task: &Task, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let variables = permutation(task.variables().len(), &mut rng);
        let sizes = task.variables().iter().map(|variable| variable.values.len());
        let values: Vec<Vec<Value>> = sizes
            .map(|size| permutation(size, &mut rng).into_iter().map(|it| it as Value).collect())
            .collect();
        let operators = permutation(task.operators().len(), &mut rng);
        let mut stored = Self { task: task.clone(), variables, values, operators };
        stored.task = stored.build(task);
        stored
    }

    fn fact(&self, fact: Fact) -> Fact {
        let variable = fact.variable.index();
        Fact::new(
            VariableId::new(self.variables[variable]),
            self.values[variable][fact.value as usize],
        )
    }

    fn state(&self, state: &[Value]) -> Vec<Value> {
        let mut stored = vec![0; state.len()];
        for (variable, &value) in state.iter().enumerate() {
            stored[self.variables[variable]] = self.values[variable][value as usize];
        }
        stored
    }

    fn build(&self, task: &Task) -> Task {
        let facts = |facts: &[Fact]| {
            let mut facts: Vec<Fact> = facts.iter().map(|&fact| self.fact(fact)).collect();
            facts.sort_unstable();
            facts
        };
        let mut builder = TaskBuilder::new(true);
        for number in 0..task.variables().len() {
            let old = self.variables.iter().position(|&it| it == number).unwrap();
            builder.add_variable(task.variables()[old].clone()).unwrap();
        }
        builder.set_initial(self.state(task.initial())).unwrap();
        builder.set_goal(facts(task.goal())).unwrap();
        for number in 0..task.operators().len() {
            let old = self.operators.iter().position(|&it| it == number).unwrap();
            let Operator { name, preconditions, effects, .. } = &task.operators()[old];
            let effects = effects.iter().map(|effect| Effect::new(self.fact(effect.fact)));
            let (preconditions, effects) = (facts(preconditions), effects.collect());
            let cost = task.operators()[old].cost;
            let name = name.clone();
            builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
        }
        builder.build()
    }
}

#[test]
fn values_do_not_depend_on_the_order_of_storage() {
    let limits = Limits::none();
    for seed in 0..SEEDS / 4 {
        let task = random_task(seed);
        let stored = Stored::new(&task, seed);
        let ids: Vec<VariableId> = task.variable_ids().collect();
        let patterns: Vec<Vec<VariableId>> =
            ids.windows(2).map(<[_]>::to_vec).chain([ids.clone()]).collect();
        let (one, other) = (frame(&task, None), frame(&stored.task, None));
        let moved = |pattern: &Vec<VariableId>| {
            let mut moved: Vec<VariableId> =
                pattern.iter().map(|it| VariableId::new(stored.variables[it.index()])).collect();
            moved.sort_unstable();
            moved
        };
        let collect = |frame: &Frame<'_>, patterns: &[Vec<VariableId>]| {
            let all: Vec<Abstraction> =
                patterns.iter().filter_map(|pattern| projection(frame, pattern)).collect();
            Collection::new(frame, all, &limits).unwrap()
        };
        let moved: Vec<_> = patterns.iter().map(moved).collect();
        let (one, other) = (collect(&one, &patterns), collect(&other, &moved));
        let states = [one.states(task.initial()), other.states(stored.task.initial())];
        let [Some(initial), Some(moved)] = states else {
            assert_eq!(states, [None, None], "seed {seed}");
            continue;
        };
        let order: Vec<usize> = (0..one.len()).collect();
        let partition = |collection: &Collection, costs: &Costs, states: &[u32]| {
            saturated_cost_partitioning(
                collection,
                &order,
                costs,
                Saturator::PerimStar,
                states,
                &limits,
            )
            .unwrap()
        };
        let first = partition(&one, &costs(&task), &initial);
        let second = partition(&other, &costs(&stored.task), &moved);
        for state in explore(&task).states {
            let states = [one.states(&state), other.states(&stored.state(&state))];
            let [first, second] = [(&first, &states[0]), (&second, &states[1])]
                .map(|(it, states)| states.as_ref().map(|states| it.value(states)));
            assert_eq!(first, second, "seed {seed}, {state:?}");
        }
    }
}

#[test]
fn an_operator_that_goes_away_from_the_goal_has_a_negative_cost() {
    // One step towards the goal, one away from it.
    let mut builder = TaskBuilder::new(true);
    let place =
        builder.add_variable(hipot_task::Variable::new("at", ["far", "near", "there"])).unwrap();
    builder.set_initial(vec![0]).unwrap();
    builder.set_goal(vec![Fact::new(place, 2)]).unwrap();
    for (from, to, cost) in [(0, 1, 3), (1, 2, 4), (1, 0, 5)] {
        let (preconditions, effects) =
            (vec![Fact::new(place, from)], vec![Effect::new(Fact::new(place, to))]);
        builder
            .add_operator(Operator { name: "o".to_owned(), preconditions, effects, cost })
            .unwrap();
    }
    let task = builder.build();
    let limits = Limits::none();
    let frame = frame(&task, None);
    let one = || projection(&frame, &[place]).unwrap();
    let collection = Collection::new(&frame, vec![one(), one()], &limits).unwrap();
    let found = saturated_cost_partitioning(
        &collection,
        &[0, 1],
        &costs(&task),
        Saturator::All,
        &[0, 0],
        &limits,
    )
    .unwrap();
    assert_eq!(found.value(&[0, 0]), 7);
    let left: Vec<i64> = (0..3).map(|index| found.left.of(OperatorId::new(index))).collect();
    assert_eq!(left, [0, 0, 8]);
}

#[test]
fn limits_and_languages_are_respected() {
    let task = random_task(149);
    let frame = frame(&task, None);
    let all = projections(&frame);
    assert!(!all.is_empty());
    let memory = Limits::new(None, Some(1));
    let pattern: Vec<VariableId> = task.variable_ids().collect();
    let refused =
        hipot_abstraction::projection::Projection::new(&frame, &pattern, u32::MAX, &memory);
    assert_eq!(refused.err(), Some(Error::Stopped(Stop::MemoryLimit)));
    let huge = Costs::new(vec![1 << 61; task.operators().len()]);
    assert!(matches!(all[0].distances(&huge, &Limits::none()), Err(Error::TooLarge { .. })));

    let conditional = RandomTask { percent_conditional: 100, ..RandomTask::default() };
    let derived = RandomTask { derived: 3, ..RandomTask::default() };
    for kind in [conditional, derived] {
        let refused = (0..20)
            .filter(|&seed| Frame::new(&kind.generate(seed), None, &Limits::none()).is_err());
        assert!(refused.count() > 5);
    }
}
