//! Tasks whose symmetries are known.

use hipot_analysis::TnfTask;
use hipot_analysis::symmetry::{PairOrbits, Params, Symmetries};
use hipot_task::{Effect, Fact, Limits, Operator, Stop, Task, TaskBuilder, Variable};

use crate::{distinct, fact, find, initial_facts};

fn variables(builder: &mut TaskBuilder, count: usize, domain: u32) {
    for _ in 0..count {
        let values = (0..domain).map(|value| format!("value {value}"));
        builder.add_variable(Variable::new("variable", values)).unwrap();
    }
}

fn operator(builder: &mut TaskBuilder, pre: &[Fact], eff: &[Fact], cost: u32) {
    let operator = Operator {
        name: "operator".into(),
        preconditions: pre.to_vec(),
        effects: eff.iter().map(|&fact| Effect::new(fact)).collect(),
        cost,
    };
    builder.add_operator(operator).unwrap();
}

/// Variable 0: the robot's room; 1 and 2: the grippers, free or not; then the
/// balls: in one of two rooms or grippers.
fn gripper(balls: usize) -> Task {
    let mut builder = TaskBuilder::new(false);
    variables(&mut builder, 3, 2);
    variables(&mut builder, balls, 4);
    builder.set_initial(vec![0; 3 + balls]).unwrap();
    builder.set_goal((0..balls).map(|ball| fact(3 + ball, 1)).collect()).unwrap();
    for room in 0..2 {
        operator(&mut builder, &[fact(0, room)], &[fact(0, 1 - room)], 1);
        for ball in 3..3 + balls {
            for hand in 1..3 {
                let on_floor = [fact(ball, room), fact(hand, 0)];
                let in_hand = [fact(ball, 1 + hand as u32), fact(hand, 1)];
                let here = fact(0, room);
                operator(&mut builder, &[here, on_floor[0], on_floor[1]], &in_hand, 1);
                operator(&mut builder, &[here, in_hand[0], in_hand[1]], &on_floor, 1);
            }
        }
    }
    builder.build()
}

#[test]
fn balls_and_grippers_are_interchangeable() {
    for balls in [2, 3, 7] {
        let task = gripper(balls);
        let symmetries = find(&task);
        assert_eq!(symmetries.generators().len(), balls - 1 + 1);
        // The robot's rooms, a ball in each room or held, a gripper free or not.
        assert_eq!(distinct(&symmetries.orbits_of_facts()), 2 + 3 + 2);
        // Move, pick and drop, in each of two rooms.
        assert_eq!(distinct(&symmetries.orbits_of_operators(&task)), 6);
        assert_eq!(PairOrbits::new(&symmetries, &Limits::none()).unwrap().len(), 35);
        // A held ball's gripper would have to be chosen.
        let held = symmetries.invariant_values(|fact| u64::from(fact.value));
        assert!(held[3..].iter().all(|&value| value == Some(1)));
    }
}

#[test]
fn transition_normal_form_keeps_the_symmetries() {
    let task = TnfTask::new(&gripper(5)).unwrap();
    assert_eq!(find(task.task()).generators().len(), 5);
}

#[test]
fn forty_balls_give_forty_generators_that_move_few_facts() {
    let task = gripper(40);
    let initial = initial_facts(&task);
    let preserved = [&initial[..], task.goal()];
    let symmetries = Symmetries::find(&task, &preserved, &Params::default(), &Limits::none());
    assert_eq!(symmetries.generators().len(), 40);
    let small = symmetries.generators().iter().filter(|g| g.support().len() == 8);
    assert_eq!(small.count(), 39);
    assert_eq!(PairOrbits::new(&symmetries, &Limits::none()).unwrap().len(), 35);
}

/// Trucks between `places` in a row, and one package.
fn trucks(trucks: usize, places: u32, costs: &[u32]) -> Task {
    let mut builder = TaskBuilder::new(true);
    variables(&mut builder, 1, places + trucks as u32);
    variables(&mut builder, trucks, places);
    builder.set_initial(vec![0; 1 + trucks]).unwrap();
    builder.set_goal(vec![fact(0, places - 1)]).unwrap();
    for truck in 1..=trucks {
        let inside = fact(0, places + truck as u32 - 1);
        for place in 0..places {
            let here = fact(truck, place);
            operator(&mut builder, &[here, fact(0, place)], &[inside], 1);
            operator(&mut builder, &[here, inside], &[fact(0, place)], 1);
            if place > 0 {
                let there = fact(truck, place - 1);
                operator(&mut builder, &[here], &[there], costs[truck - 1]);
                operator(&mut builder, &[there], &[here], costs[truck - 1]);
            }
        }
    }
    builder.build()
}

#[test]
fn trucks_are_interchangeable_if_they_cost_the_same() {
    let symmetries = find(&trucks(2, 3, &[2, 2]));
    assert_eq!(symmetries.generators().len(), 1);
    // In a truck, and the places of the trucks.
    assert_eq!(symmetries.generators()[0].support().len(), 2 + 6);
    assert!(find(&trucks(2, 3, &[2, 3])).is_trivial());
    assert_eq!(find(&trucks(3, 3, &[2, 3, 2])).generators().len(), 1);
}

#[test]
fn a_chain_has_no_symmetry() {
    let mut builder = TaskBuilder::new(true);
    variables(&mut builder, 6, 2);
    builder.set_initial(vec![0; 6]).unwrap();
    builder.set_goal(vec![fact(5, 1)]).unwrap();
    operator(&mut builder, &[fact(0, 0)], &[fact(0, 1)], 1);
    for variable in 1..6 {
        let pre = [fact(variable - 1, 1), fact(variable, 0)];
        operator(&mut builder, &pre, &[fact(variable, 1)], 1);
    }
    assert!(find(&builder.build()).is_trivial());
}

/// A binary variable a vertex; an edge's operator sets both ends.
fn graph_task(vertices: usize, edges: &[(usize, usize)]) -> Task {
    let mut builder = TaskBuilder::new(false);
    variables(&mut builder, vertices, 2);
    builder.set_initial(vec![0; vertices]).unwrap();
    builder.set_goal((0..vertices).map(|vertex| fact(vertex, 1)).collect()).unwrap();
    for &(one, other) in edges {
        let pre = [fact(one, 0), fact(other, 0)];
        operator(&mut builder, &pre, &[fact(one, 1), fact(other, 1)], 1);
    }
    builder.build()
}

fn cycle(first: usize, len: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).map(move |place| (first + place, first + (place + 1) % len))
}

#[test]
fn color_refinement_does_not_tell_triangles_from_a_hexagon_but_the_search_does() {
    let edges: Vec<_> = cycle(0, 3).chain(cycle(3, 6)).chain(cycle(9, 3)).collect();
    let symmetries = find(&graph_task(12, &edges));
    let orbits = symmetries.orbits_of_facts();
    assert_eq!(distinct(&orbits), 4);
    let initial = |vertex: usize| orbits[2 * vertex];
    assert!((0..3).all(|vertex| initial(vertex) == initial(9 + vertex)));
    assert_ne!(initial(0), initial(3));
}

#[test]
fn a_cube_has_all_its_symmetries() {
    let mut edges = Vec::new();
    for vertex in 0..8_usize {
        edges.extend((0..3).map(|bit| (vertex, vertex ^ (1 << bit))).filter(|e| e.0 < e.1));
    }
    let symmetries = find(&graph_task(8, &edges));
    assert_eq!(distinct(&symmetries.orbits_of_facts()), 2);
    // Pairs of initial facts: 3 distances; of different kind: 3; of goals: 3.
    let pairs = PairOrbits::new(&symmetries, &Limits::none()).unwrap();
    assert_eq!(pairs.len(), 2 + 9);
}

#[test]
fn the_petersen_graph_has_all_its_symmetries() {
    let spokes = (0..5).map(|place| (place, 5 + place));
    let inner = (0..5).map(|place| (5 + place, 5 + (place + 2) % 5));
    let edges: Vec<_> = cycle(0, 5).chain(spokes).chain(inner).collect();
    let symmetries = find(&graph_task(10, &edges));
    let pairs = PairOrbits::new(&symmetries, &Limits::none()).unwrap();
    // Single facts, and two distances for each combination of values.
    assert_eq!(pairs.len(), 2 + 2 * 3);
}

#[test]
fn operators_count_as_often_as_they_occur() {
    // Two variables that only differ in that one operator is there twice.
    let mut builder = TaskBuilder::new(false);
    variables(&mut builder, 2, 2);
    builder.set_initial(vec![0; 2]).unwrap();
    for variable in [0, 1, 1] {
        operator(&mut builder, &[fact(variable, 0)], &[fact(variable, 1)], 1);
    }
    let once_more = builder.clone();
    assert!(find(&builder.build()).is_trivial());
    let mut builder = once_more;
    operator(&mut builder, &[fact(0, 0)], &[fact(0, 1)], 1);
    let task = builder.build();
    let symmetries = find(&task);
    assert_eq!(symmetries.generators().len(), 1);
    assert_eq!(distinct(&symmetries.orbits_of_operators(&task)), 1);
}

#[test]
fn sets_are_preserved_one_by_one() {
    let task = graph_task(4, &cycle(0, 4).collect::<Vec<_>>());
    let (one, other) = ([fact(0, 0)], [fact(2, 0)]);
    let find = |preserved: &[&[Fact]]| {
        Symmetries::find(&task, preserved, &Params::default(), &Limits::none())
    };
    let orbits = |symmetries: &Symmetries| distinct(&symmetries.orbits_of_facts());
    assert_eq!(orbits(&find(&[])), 2);
    assert_eq!(orbits(&find(&[&one])), 6);
    assert_eq!(orbits(&find(&[&one, &other])), 6);
    assert_eq!(orbits(&find(&[&[one[0], other[0]]])), 4);
}

#[test]
fn limits_end_the_search_early() {
    let task = gripper(10);
    let limits = Limits::none();
    limits.request(Stop::Interrupted);
    assert!(Symmetries::find(&task, &[], &Params::default(), &limits).is_trivial());
    let mut some = Vec::new();
    for steps in (0..40_000).step_by(1_000) {
        let params = Params { steps, steps_per_size: 0, ..Params::default() };
        some.push(Symmetries::find(&task, &[], &params, &Limits::none()).generators().len());
    }
    assert_eq!(some[0], 0);
    assert!(some.is_sorted(), "{some:?}");
    assert_eq!(distinct(&find(&task).orbits_of_facts()), 7);
    assert!(PairOrbits::new(&find(&task), &limits).is_err());
}

#[test]
fn axioms_and_conditional_effects_are_left_alone() {
    let mut builder = TaskBuilder::new(false);
    variables(&mut builder, 2, 2);
    builder.set_initial(vec![0; 2]).unwrap();
    let effect = |to, condition| Effect { conditions: vec![condition], fact: to };
    let effects = vec![effect(fact(0, 1), fact(1, 0)), effect(fact(1, 1), fact(0, 0))];
    let operator = Operator { name: "both".into(), preconditions: vec![], effects, cost: 1 };
    builder.add_operator(operator).unwrap();
    assert!(find(&builder.build()).is_trivial());
}

/// A lamp for each vertex of a ring of six and of two triangles; an operator switches on the two
/// lamps of an edge. Color refinement does not tell the ring from the triangles.
#[test]
fn cells_may_be_larger_than_orbits() {
    let ring = (0..6).map(|it| [it, (it + 1) % 6]);
    let triangles = (0..6).map(|it| [6 + it, 6 + it / 3 * 3 + (it + 1) % 3]);
    let mut builder = TaskBuilder::new(false);
    variables(&mut builder, 12, 2);
    builder.set_initial(vec![0; 12]).unwrap();
    builder.set_goal((0..12).map(|lamp| fact(lamp, 1)).collect()).unwrap();
    for edge in ring.chain(triangles) {
        let [off, on] = [0, 1].map(|value| edge.map(|lamp| fact(lamp, value)));
        operator(&mut builder, &off, &on, 1);
    }
    let symmetries = find(&builder.build());
    assert_eq!(symmetries.cells_of_facts(), 2);
    assert_eq!(distinct(&symmetries.orbits_of_facts()), 4);
}
