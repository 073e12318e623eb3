//! Conditional effects: in dimension 1, the LP of the plain task has the optimum of the explicit LP,
//! which has a row for each transition of the given task; with contexts one by one as well as in
//! parts.

mod common;

use hipot_analysis::PlainTask;
use hipot_task::{Effect, Fact, Operator, Task, TaskBuilder, Variable, VariableId};
use hipot_testing::Rng;

use common::{all_features, complete_features, explicit, model_optimum, optimum, plain, same};

const VALUES: u32 = 3;

fn facts(variables: u32, percent: u32, rng: &mut Rng) -> Vec<Fact> {
    let mut facts = Vec::new();
    for variable in 0..variables {
        if rng.chance(percent) {
            facts.push(Fact::new(VariableId::new(variable as usize), rng.below(VALUES)));
        }
    }
    facts
}

/// A task whose goal is a state, with conditions for many effects: of any kind, or each on the
/// variable that the effect sets.
fn task(variables: u32, is_any: bool, seed: u64) -> Task {
    let mut rng = Rng::new(seed);
    let mut builder = TaskBuilder::new(true);
    for number in 0..variables {
        let values = (0..VALUES).map(|value| format!("{number}={value}"));
        builder.add_variable(Variable::new(number.to_string(), values)).unwrap();
    }
    let mut state = || facts(variables, 100, &mut rng);
    let (initial, goal) = (state(), state());
    builder.set_initial(initial.iter().map(|fact| fact.value).collect()).unwrap();
    builder.set_goal(goal).unwrap();
    for number in 0..4 + rng.below(6) {
        let mut effects = Vec::new();
        for fact in facts(variables, if is_any { 50 } else { 95 }, &mut rng) {
            for _ in 0..=rng.below(2) {
                let conditions = if is_any {
                    facts(variables, 40, &mut rng)
                } else {
                    vec![Fact::new(fact.variable, rng.below(VALUES))]
                };
                let fact = Fact::new(fact.variable, rng.below(VALUES));
                if !conditions.is_empty() {
                    effects.push(Effect { conditions, fact });
                }
            }
        }
        let preconditions = facts(variables, if is_any { 30 } else { 5 }, &mut rng);
        let (name, cost) = (format!("o{number}"), rng.below(6));
        builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
    }
    builder.build()
}

#[test]
fn dimension_1_is_the_explicit_lp() {
    let (mut cut, mut positive) = (0, 0);
    for (variables, is_any, seeds) in [(3, true, 300), (5, false, 60)] {
        for seed in 0..seeds {
            let task = task(variables, is_any, seed);
            let relaxed = PlainTask::new(&task);
            let normal = plain(relaxed.task());
            let found = model_optimum(&normal, &complete_features(&normal, 1), normal.initial());
            let expected = optimum(&explicit(&task, &all_features(&task, 1), task.initial()));
            assert!(same(found, expected), "seed {seed}: {found:?}, {expected:?}");
            cut += usize::from(relaxed.marker().is_some());
            positive += usize::from(expected.is_none_or(|value| value > 0.0));
        }
    }
    assert!(cut > 40 && positive > 100, "{cut} {positive}");
}
