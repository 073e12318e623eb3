//! Plans of the anytime search: valid, each cheaper than the one before, the last one optimal.

use hipot_check::validate;
use hipot_search::Anytime;
use hipot_task::{Limits, Packing, PlanStep, Stop, Task};
use hipot_testing::{RandomTask, StateSpace};

fn validated(task: &Task, operators: &[hipot_task::OperatorId]) -> u64 {
    let step = |id: &_| PlanStep { line: 0, name: task.operator(*id).name.clone() };
    let steps: Vec<PlanStep> = operators.iter().map(step).collect();
    validate(task, &steps).expect("a plan")
}

#[test]
fn plans_become_cheaper_until_the_last_one_is_optimal() {
    let shapes = [
        RandomTask::default(),
        RandomTask { variables: 6, operators: 24, ..RandomTask::default() },
        RandomTask { percent_conditional: 50, ..RandomTask::default() },
        RandomTask { derived: 2, ..RandomTask::default() },
    ];
    let (mut improved, mut none) = (0, 0);
    for seed in 0..2000 {
        let task = shapes[seed as usize % shapes.len()].generate(seed);
        let mut search = Anytime::new(&task, &Packing::new(&task));
        let mut best = None;
        while let Some(plan) = search.next_plan(&Limits::none(), &mut |_| {}).unwrap() {
            assert_eq!(validated(&task, &plan.operators), plan.cost, "seed {seed}");
            assert!(best.is_none_or(|best| plan.cost < best), "seed {seed}");
            improved += usize::from(best.is_some());
            best = Some(plan.cost);
        }
        let space = StateSpace::explore(&task, 20_000).unwrap();
        assert_eq!(best, space.optimal_cost(), "seed {seed}");
        none += usize::from(best.is_none());
    }
    assert!(improved > 20 && none > 40, "{improved} {none}");
}

#[test]
fn limits_end_it() {
    let task = RandomTask::default().generate(1);
    let mut search = Anytime::new(&task, &Packing::new(&task));
    let limits = Limits::none();
    limits.request(Stop::Interrupted);
    assert_eq!(search.next_plan(&limits, &mut |_| {}), Err(Stop::Interrupted));
}
