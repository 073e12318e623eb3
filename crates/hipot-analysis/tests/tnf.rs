//! Transition normal form keeps h*.

use hipot_analysis::{OpenValues, TnfTask};
use hipot_task::{Effect, Fact, Operator, Task, VariableId};
use hipot_testing::{RandomTask, StateSpace};

#[test]
fn tnf_keeps_the_optimal_cost_of_every_state() {
    let shape = RandomTask { percent_free: 20, ..RandomTask::default() };
    let mut with_unknown = 0;
    for seed in 0..1500 {
        let task = shape.generate(seed);
        let tnf = TnfTask::new(&task).unwrap();
        let space = StateSpace::explore(&task, 10_000).unwrap();
        let tnf_space = StateSpace::explore(tnf.task(), 100_000).unwrap();
        for (state, cost) in space.states.iter().zip(&space.goal_distances) {
            let index = tnf_space.states.iter().position(|tnf_state| tnf_state == state).unwrap();
            assert_eq!(tnf_space.goal_distances[index], *cost, "seed {seed}, state {state:?}");
        }
        with_unknown += usize::from(task.variable_ids().any(|id| tnf.unknown(id).is_some()));
    }
    assert!(with_unknown > 100);
}

#[test]
fn tnf_has_its_form_and_no_more_than_it_needs() {
    for seed in 0..1500 {
        let task = RandomTask::default().generate(seed);
        let tnf = TnfTask::new(&task).unwrap();
        let normal = tnf.task();
        assert_eq!(normal.goal().len(), normal.variables().len());
        let mut forgetting = 0;
        for id in normal.operator_ids() {
            let operator = normal.operator(id);
            assert_normal(operator);
            let cost = tnf.origin(id).map_or(0, |origin| task.operator(origin).cost);
            assert_eq!(operator.cost, cost);
            forgetting += usize::from(tnf.origin(id).is_none());
        }
        let needed = |id: &VariableId| {
            let open = task.goal().iter().all(|fact| fact.variable != *id);
            let sets_unasked = |operator: &hipot_task::Operator| {
                operator.effects.iter().any(|effect| effect.fact.variable == *id)
                    && operator.preconditions.iter().all(|fact| fact.variable != *id)
            };
            open || task.operators().iter().any(sets_unasked)
        };
        let values = |id: VariableId| task.variable(id).values.len();
        let expected: usize = task.variable_ids().filter(needed).map(values).sum();
        assert_eq!(forgetting, expected);
    }
}

/// vars(pre) = vars(eff).
fn assert_normal(operator: &Operator) {
    let mut effects: Vec<VariableId> =
        operator.effects.iter().map(|effect| effect.fact.variable).collect();
    effects.sort_unstable();
    let asked: Vec<VariableId> = operator.preconditions.iter().map(|it| it.variable).collect();
    assert_eq!(asked, effects);
}

/// Whether an operator does what its origin does, and requires all that it requires.
fn is_case_of(case: &Operator, origin: &Operator) -> bool {
    let has = |effect: &Effect| case.effects.contains(effect);
    case.name == origin.name
        && case.cost == origin.cost
        && origin.preconditions.iter().all(|fact| case.preconditions.contains(fact))
        && origin.effects.iter().all(has)
}

/// What operators ask for in a form by cases of a task whose operators have few
/// combinations: known values, all different, and to forget the whole goal.
fn assert_by_cases(task: &Task, tnf: &TnfTask) {
    let normal = tnf.task();
    for id in normal.operator_ids() {
        let operator = normal.operator(id);
        assert_normal(operator);
        let is_known = |fact: &Fact| tnf.unknown(fact.variable) != Some(fact.value);
        assert!(operator.preconditions.iter().all(is_known));
        match tnf.origin(id) {
            Some(origin) => assert!(is_case_of(operator, task.operator(origin))),
            None => {
                let is_asked = |fact: &&Fact| operator.preconditions.contains(fact);
                let asked = task.goal().iter().filter(is_asked).count();
                assert_eq!(asked, task.goal().len());
                assert_eq!(operator.preconditions.len(), 1 + asked);
            }
        }
    }
    for variable in task.variable_ids() {
        let is_in_goal = task.goal().iter().any(|fact| fact.variable == variable);
        assert_eq!(tnf.unknown(variable).is_none(), is_in_goal);
    }
    let (ids, mut distinct) = (normal.operator_ids(), Vec::new());
    distinct.extend(ids.map(|id| (tnf.origin(id), &normal.operator(id).preconditions)));
    let count = distinct.len();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), count, "no case comes twice");
}

#[test]
fn by_cases_only_the_goal_has_unknown_values() {
    let shape = RandomTask { variables: 3, ..RandomTask::default() };
    let mut more = 0;
    for seed in 0..1500 {
        let task = shape.generate(seed);
        let tnf = TnfTask::with_open_values(&task, OpenValues::Cases, None).unwrap();
        assert_by_cases(&task, &tnf);
        let own = |id: &hipot_task::OperatorId| tnf.origin(*id).is_some();
        more += usize::from(tnf.task().operator_ids().filter(own).count() > task.operators().len());
    }
    assert!(more > 500, "{more}");
}

#[test]
fn tnf_refuses_what_it_cannot_express() {
    let refused = |shape: RandomTask| {
        let task =
            (0..).map(|seed| shape.generate(seed)).find_map(|task| TnfTask::new(&task).err());
        task.unwrap().to_string()
    };
    let axioms = refused(RandomTask { derived: 2, ..RandomTask::default() });
    assert!(axioms.contains("does not support axioms (variable 'd0' is derived)"), "{axioms}");
    let conditional = refused(RandomTask { percent_conditional: 50, ..RandomTask::default() });
    assert!(conditional.contains("does not support conditional effects"), "{conditional}");
}
