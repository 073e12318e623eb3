//! Tests that the verifier's normal form equals the planner's, operator by operator.

use hipot_analysis::h2::{self, h2};
use hipot_analysis::{Mutexes, TnfTask};
use hipot_task::{Effect, Fact, Limits, Operator, Task, TaskBuilder, Value, Variable, VariableId};
use hipot_testing::RandomTask;

use super::OpenValues;
use super::change::Change;
use super::normal_form::NormalForm;
use crate::mutexes::{Direction, Layer, check};

/// An operator: its cost and its changes.
type Plain = (u32, Vec<Change>);

fn ours(normal: &NormalForm<'_>) -> Vec<Plain> {
    normal.operators().map(|operator| (operator.cost, operator.changes)).collect()
}

fn theirs(tnf: &TnfTask) -> Vec<Plain> {
    let plain = |operator: &Operator| {
        let change = |fact: &Fact| {
            let is_on = |effect: &&Effect| effect.fact.variable == fact.variable;
            let effect = operator.effects.iter().find(is_on).expect("in normal form");
            let (variable, before) = (fact.variable.index(), fact.value);
            Change { variable, before, after: effect.fact.value }
        };
        (operator.cost, operator.preconditions.iter().map(change).collect())
    };
    tnf.task().operators().iter().map(plain).collect()
}

/// Asserts that the planner's form and this one have the same values, goal state and
/// operators, in the same order; returns the number of operators.
fn assert_same(task: &Task, open: OpenValues, mutexes: Option<&Mutexes>) -> usize {
    let layer = mutexes.map(|it| Layer::new(task, Direction::Forward, it.pairs()).unwrap());
    let proved = layer.map(|layer| check(task, [layer]).unwrap());
    let normal = NormalForm::new(task, open, proved.as_ref());
    let their_open = match open {
        OpenValues::Unknown => hipot_analysis::OpenValues::Unknown,
        OpenValues::Cases => hipot_analysis::OpenValues::Cases,
    };
    let tnf = TnfTask::with_open_values(task, their_open, mutexes).unwrap();
    let goal: Vec<Value> = tnf.task().goal().iter().map(|fact| fact.value).collect();
    assert_eq!(normal.goal, goal);
    for variable in tnf.task().variable_ids() {
        let size = tnf.task().variable(variable).domain_size();
        assert_eq!(normal.domain_size(variable.index()), size);
    }
    assert_eq!(ours(&normal), theirs(&tnf));
    tnf.task().operators().len()
}

#[test]
fn the_forms_are_those_of_the_planner() {
    let tiny = RandomTask { operators: 6, ..RandomTask::default() };
    let large = RandomTask { variables: 6, domain: 6, operators: 12, ..tiny };
    let (mut split, mut fewer) = (0, 0);
    for (shape, seed) in [tiny, large].into_iter().flat_map(|it| (0..1500).map(move |s| (it, s))) {
        let task = shape.generate(seed);
        let found = h2(&task, &h2::Params::default(), &Limits::none()).unwrap();
        let mutexes = found.forward();
        let unknown = assert_same(&task, OpenValues::Unknown, None);
        let cases = assert_same(&task, OpenValues::Cases, None);
        split += usize::from(cases > unknown);
        assert_same(&task, OpenValues::Unknown, Some(mutexes));
        fewer += usize::from(assert_same(&task, OpenValues::Cases, Some(mutexes)) < cases);
    }
    assert!(split > 1000 && fewer > 1000, "{split} {fewer}");
}

/// A task with `singles` operators that set one of three variables of 8 values, and
/// `doubles` operators that set two of them.
fn setters(singles: usize, doubles: usize) -> Task {
    let mut builder = TaskBuilder::new(true);
    let values = || (0..8).map(|value| value.to_string());
    let ids = [(); 3].map(|()| builder.add_variable(Variable::new("v", values())).unwrap());
    builder.set_initial(vec![0; 3]).unwrap();
    let set = |ids: &[VariableId]| {
        let effects = ids.iter().map(|&id| Effect::new(Fact::new(id, 1))).collect();
        Operator { name: "set".to_owned(), preconditions: Vec::new(), effects, cost: 1 }
    };
    for index in 0..singles {
        builder.add_operator(set(&ids[index % 3..][..1])).unwrap();
    }
    for index in 0..doubles {
        builder.add_operator(set(&ids[index % 2..][..2])).unwrap();
    }
    builder.build()
}

#[test]
fn too_many_operators_are_left_as_they_are() {
    // Forgetting comes on top: 24 operators.
    assert_eq!(assert_same(&setters(0, 10), OpenValues::Cases, None), 10 * 63 + 24);
    assert_eq!(assert_same(&setters(0, 20), OpenValues::Cases, None), 20 + 24);
    assert_eq!(assert_same(&setters(100, 10), OpenValues::Cases, None), 700 + 10 * 63 + 24);
    assert_eq!(assert_same(&setters(100, 20), OpenValues::Cases, None), 700 + 20 + 24);
    assert_eq!(assert_same(&setters(400, 20), OpenValues::Cases, None), 420 + 24);
}
