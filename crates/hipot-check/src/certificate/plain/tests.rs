//! Tests that the verifier's plain task is the planner's, and that hostile tasks cost little.

use hipot_analysis::PlainTask;
use hipot_task::Axiom;
use hipot_testing::RandomTask;

use super::*;

/// Cost, preconditions and effects of all operators, in order.
fn operators(task: &Task) -> Vec<(u32, Vec<Fact>, Vec<Fact>)> {
    let operator = |it: &Operator| {
        let mut set: Vec<Fact> = it.effects.iter().map(|effect| effect.fact).collect();
        set.sort_unstable();
        (it.cost, it.preconditions.clone(), set)
    };
    task.operators().iter().map(operator).collect()
}

/// Asserts that both have the same variables, initial state, goal and operators; returns whether
/// there is a marker.
fn assert_same(task: &Task) -> bool {
    let (ours, theirs) = (plain(task), PlainTask::new(task));
    let sizes =
        |task: &Task| -> Vec<u32> { task.variables().iter().map(Variable::domain_size).collect() };
    assert_eq!(sizes(&ours), sizes(theirs.task()));
    assert_eq!(ours.initial(), theirs.task().initial());
    assert_eq!(ours.goal(), theirs.task().goal());
    assert_eq!(operators(&ours), operators(theirs.task()));
    ours.variables().len() > task.variables().len()
}

#[test]
fn the_tasks_are_those_of_the_planner() {
    let small = RandomTask { derived: 3, percent_conditional: 60, ..RandomTask::default() };
    let wide = RandomTask { variables: 14, domain: 4, operators: 6, ..small };
    let huge = RandomTask { variables: 40, percent_conditional: 95, ..wide };
    let mut cut = 0;
    for (shape, seed) in
        [small, wide, huge].into_iter().flat_map(|it| (0..400).map(move |s| (it, s)))
    {
        cut += usize::from(assert_same(&shape.generate(seed)));
    }
    assert!(cut > 250, "{cut}");
}

/// Each of `operators` operators gives each of `people` people, who are in three places, another
/// place.
fn crowd(operators: usize, people: usize) -> Task {
    let mut builder = TaskBuilder::new(true);
    for person in 0..people {
        builder.add_variable(Variable::new(person.to_string(), ["a", "b", "c"])).unwrap();
    }
    builder.set_initial(vec![0; people]).unwrap();
    for number in 0..operators {
        let effect = |person| {
            let fact = |value| Fact::new(VariableId::new(person), value);
            Effect { conditions: vec![fact(0)], fact: fact(1) }
        };
        let (name, effects) = (number.to_string(), (0..people).map(effect).collect());
        builder
            .add_operator(Operator { name, preconditions: Vec::new(), effects, cost: 1 })
            .unwrap();
    }
    builder.build()
}

#[test]
fn the_limit_depends_on_the_number_of_operators() {
    // 27 cases, of which 8 change nothing: 19 operators instead of one, or 1 + 3 · 3.
    for (operators, cut) in [(1, false), (300, false), (400, true)] {
        assert_eq!(assert_same(&crowd(operators, 3)), cut, "{operators}");
    }
    assert!(assert_same(&crowd(3, 4)), "81 cases");
}

/// A long chain of effects, each of which reads what the next one sets, and a long body.
#[test]
fn large_operators_take_little_time() {
    const COUNT: usize = 20_000;
    let mut builder = TaskBuilder::new(true);
    let fact = |number, value| Fact::new(VariableId::new(number), value);
    for number in 0..=COUNT {
        builder.add_variable(Variable::new(number.to_string(), ["a", "b"])).unwrap();
    }
    let all = Variable { axiom_layer: Some(0), ..Variable::new("all", ["no", "yes"]) };
    let all = builder.add_variable(all).unwrap();
    builder.set_initial(vec![0; COUNT + 2]).unwrap();
    let chain =
        (0..COUNT).map(|it| Effect { conditions: vec![fact(it + 1, 1)], fact: fact(it, 1) });
    let alike = (0..COUNT).map(|it| Effect { conditions: vec![fact(it + 1, 1)], fact: fact(0, 1) });
    let (name, preconditions) = ("o".to_owned(), Vec::new());
    let effects = chain.chain(alike).collect();
    builder.add_operator(Operator { name, preconditions, effects, cost: 1 }).unwrap();
    let body = (0..COUNT).map(|number| fact(number, 1)).collect();
    builder.add_axiom(Axiom { body, head: Fact::new(all, 1) }).unwrap();
    assert!(assert_same(&builder.build()));
}
