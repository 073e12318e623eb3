use super::build::Limits;
use super::*;
use hipot_task::{Effect, Fact, Operator, Variable};
use hipot_testing::{RandomTask, StateSpace};

const BOTH: RandomTask = RandomTask {
    variables: 4,
    derived: 3,
    domain: 3,
    operators: 8,
    cost: 5,
    percent_free: 15,
    percent_conditional: 60,
};
const CONDITIONAL: RandomTask = RandomTask { derived: 0, ..BOTH };
const AXIOMS: RandomTask = RandomTask { percent_conditional: 0, ..BOTH };

/// Contexts for each operator; parts with all of their contexts; and loose steps.
const WHOLE: Limits = Limits { operator: &[1000], part: 1000 };
const PARTS: Limits = Limits { operator: &[1], part: 1000 };
const LOOSE: Limits = Limits { operator: &[1], part: 2 };

/// Calls `compare` with the goal distances in a task and in its plain task, for each reachable
/// state.
fn compare(shape: RandomTask, limits: &Limits, compare: impl Fn(Option<u64>, Option<u64>, u64)) {
    let (mut states, mut solvable) = (0, 0);
    for seed in 0..600 {
        let task = shape.generate(seed);
        if is_plain(&task) {
            continue;
        }
        let plain = build(&task, limits);
        assert!(is_plain(&plain.task));
        let Ok(space) = StateSpace::explore(&task, 500) else { continue };
        let Ok(relaxed) = StateSpace::explore(&plain.task, 20_000) else { continue };
        for (state, &distance) in space.states.iter().zip(&space.goal_distances) {
            let mut image = state.clone();
            image.extend(plain.marker.map(|_| 0));
            let found = relaxed.states.iter().position(|it| *it == image);
            let found = found.unwrap_or_else(|| panic!("seed {seed}: {state:?} is reachable"));
            compare(distance, relaxed.goal_distances[found], seed);
            states += 1;
            solvable += usize::from(distance.is_some());
        }
    }
    assert!(states > 500 && solvable > 200, "{states} {solvable}");
}

fn never_higher(given: Option<u64>, plain: Option<u64>, seed: u64) {
    let is_lower = given.is_none_or(|given| plain.is_some_and(|plain| plain <= given));
    assert!(is_lower, "seed {seed}: {given:?}, but {plain:?} in the plain task");
}

#[test]
fn distances_are_never_higher() {
    for shape in [BOTH, CONDITIONAL, AXIOMS] {
        for limits in [&WHOLE, &PARTS, &LOOSE, &LIMITS] {
            compare(shape, limits, never_higher);
        }
    }
}

#[test]
fn contexts_and_exact_parts_lose_nothing() {
    for limits in [&WHOLE, &PARTS] {
        compare(CONDITIONAL, limits, |given, plain, seed| assert_eq!(given, plain, "seed {seed}"));
    }
}

fn fact(variable: usize, value: u32) -> Fact {
    Fact::new(VariableId::new(variable), value)
}

/// One operator with these effects on variables of three values.
fn task(variables: usize, preconditions: Vec<Fact>, effects: &[(&[Fact], Fact)]) -> Task {
    let mut builder = TaskBuilder::new(true);
    for number in 0..variables {
        builder.add_variable(Variable::new(number.to_string(), ["a", "b", "c"])).unwrap();
    }
    builder.set_initial(vec![0; variables]).unwrap();
    let effect =
        |&(conditions, fact): &(&[Fact], Fact)| Effect { conditions: conditions.to_vec(), fact };
    let effects = effects.iter().map(effect).collect();
    builder.add_operator(Operator { name: "o".into(), preconditions, effects, cost: 2 }).unwrap();
    builder.build()
}

fn names(task: &Task) -> Vec<&str> {
    task.operators().iter().map(|it| it.name.as_str()).collect()
}

#[test]
fn preconditions_decide_effects() {
    let implied = (&[fact(0, 1)][..], fact(1, 1));
    let excluded = (&[fact(0, 2)][..], fact(2, 1));
    let task = task(3, vec![fact(0, 1)], &[implied, excluded]);
    let plain = PlainTask::new(&task);
    assert_eq!(names(plain.task()), ["o"]);
    assert_eq!(plain.task().operators()[0].effects, [Effect::new(fact(1, 1))]);
    assert_eq!(plain.marker(), None);
}

#[test]
fn a_context_that_changes_nothing_is_left_out() {
    let task = task(2, Vec::new(), &[(&[fact(0, 1)], fact(1, 1))]);
    let plain = PlainTask::new(&task);
    assert_eq!(names(plain.task()), ["o (case 1)"]);
    let [case] = plain.task().operators() else { panic!("one context") };
    assert_eq!((&case.preconditions[..], case.cost), (&[fact(0, 1)][..], 2));
}

#[test]
fn independent_effects_are_parts() {
    let effects: Vec<_> =
        (0..4).map(|number| ([fact(2 * number, 1)], fact(2 * number + 1, 1))).collect();
    let effects: Vec<(&[Fact], Fact)> = effects.iter().map(|(it, fact)| (&it[..], *fact)).collect();
    let task = task(8, Vec::new(), &effects);
    let plain = PlainTask::new(&task);
    let marker = plain.marker().expect("3⁴ contexts are too many");
    assert_eq!(plain.task().operators().len(), 1 + 4 * 3);
    assert_eq!(plain.task().variable(marker).domain_size(), 1 + 4);
    let costs: u32 = plain.task().operators().iter().map(|it| it.cost).sum();
    assert_eq!(costs, 2, "only the start costs");
    let (searched, kept) = plain.searched(&task, &[]);
    assert_eq!((searched.variables().len(), kept.len()), (9, 1));
    assert_eq!(searched.operators(), task.operators());
    let all: Vec<OperatorId> = plain.task().operator_ids().collect();
    assert_eq!(plain.useless_given(&task, &all[1..]), [], "it may start");
    assert_eq!(plain.useless_given(&task, &all[..1]), kept);
}

#[test]
fn linked_effects_that_are_too_many_are_loose() {
    // Each of six variables gets the value of the next one: 3⁷ contexts.
    let effects: Vec<_> = (0..6)
        .flat_map(|to| (0..3).map(move |value| ([fact(to + 1, value)], fact(to, value))))
        .collect();
    let effects: Vec<(&[Fact], Fact)> = effects.iter().map(|(it, fact)| (&it[..], *fact)).collect();
    let shifted = task(7, Vec::new(), &effects);
    let plain = PlainTask::new(&shifted);
    assert_eq!(plain.task().operators().len(), 1 + 6 * 3, "read before they are set");
    // In a circle, one of them is read after it was set.
    let mut circle = effects.clone();
    let last: Vec<_> = (0..3).map(|value| ([fact(0, value)], fact(6, value))).collect();
    circle.extend(last.iter().map(|(it, fact)| (&it[..], *fact)));
    let rotated = task(7, Vec::new(), &circle);
    let plain = PlainTask::new(&rotated);
    assert_eq!(plain.task().operators().len(), 1 + 6 * 3 + 3 + 1, "or nothing happens");
}

#[test]
fn axioms_cost_nothing_and_may_be_taken_back() {
    let mut builder = TaskBuilder::new(false);
    let lamp = builder.add_variable(Variable::new("lamp", ["off", "on"])).unwrap();
    let mut lit = Variable::new("lit", ["no", "yes"]);
    lit.axiom_layer = Some(0);
    let lit = builder.add_variable(lit).unwrap();
    builder.set_initial(vec![1, 0]).unwrap();
    let body = vec![Fact::new(lamp, 1)];
    builder.add_axiom(Axiom { body, head: Fact::new(lit, 1) }).unwrap();
    let task = builder.build();
    let plain = PlainTask::new(&task);
    assert_eq!(names(plain.task()), ["derive yes", "take back lit"]);
    assert_eq!(plain.task().initial(), [1, 1], "axioms applied");
    assert!(plain.task().operators().iter().all(|it| it.cost == 0));
}

/// Two derived facts that rest on different values of one variable never hold together.
#[test]
fn a_derived_fact_does_not_outlast_its_reason() {
    let mut builder = TaskBuilder::new(true);
    let lever = builder.add_variable(Variable::new("lever", ["left", "right"])).unwrap();
    let derived = ["open", "closed"].map(|name| {
        let variable = Variable { axiom_layer: Some(0), ..Variable::new(name, ["no", "yes"]) };
        builder.add_variable(variable).unwrap()
    });
    builder.set_initial(vec![0, 0, 0]).unwrap();
    builder.set_goal(derived.map(|it| Fact::new(it, 1)).to_vec()).unwrap();
    for (side, it) in derived.into_iter().enumerate() {
        let body = vec![Fact::new(lever, side as u32)];
        builder.add_axiom(Axiom { body, head: Fact::new(it, 1) }).unwrap();
    }
    for (name, from) in [("right", 0), ("left", 1)] {
        let (name, preconditions) = (name.to_owned(), vec![Fact::new(lever, from)]);
        let effects = vec![Effect::new(Fact::new(lever, 1 - from))];
        builder.add_operator(Operator { name, preconditions, effects, cost: 1 }).unwrap();
    }
    let task = builder.build();
    let space = StateSpace::explore(PlainTask::new(&task).task(), 100).unwrap();
    assert_eq!(space.optimal_cost(), None);
}
