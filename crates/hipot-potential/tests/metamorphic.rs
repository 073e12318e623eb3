//! Metamorphic tests: changes to a task whose effect on the optimum is known.
//!
//! The optimum of Theorems 1 and 5 belongs to the task and not to how it is
//! written down: renumbering variables, values and operators keeps it. The
//! constraints are homogeneous in weights and costs, so costs three times as
//! high give three times the optimum. Another feature is another weight, which may
//! be 0: it never lowers the optimum, and neither does a larger dimension.
//! Another operator is another constraint: it never raises the optimum.

mod common;

use std::sync::Arc;

use common::{
    MANY_VARIABLES, TINY, Tally, at_most, complete_features, conjunctions, features, model_optimum,
    plain, random_normal, same,
};
use hipot_potential::{FeatureSet, NormalForm, Optimum, Params, optimize};
use hipot_task::{Effect, Fact, Limits, Operator, Task, TaskBuilder, VariableId};
use hipot_testing::Rng;

/// The optimum of complete features in the initial state.
fn initial_optimum(normal: &NormalForm, dimension: usize) -> Option<f64> {
    model_optimum(normal, &complete_features(normal, dimension), normal.initial())
}

/// The normal form of a task that is in TNF already: nothing is added.
fn in_normal_form(task: &Task) -> Arc<NormalForm> {
    let normal = plain(task);
    assert_eq!(normal.task().operators().len(), task.operators().len());
    assert_eq!(normal.task().variables(), task.variables());
    normal
}

/// The certified bound in the initial state; `None` if there is no plan.
fn certified(normal: &Arc<NormalForm>, dimension: usize, seed: u64) -> Option<u64> {
    let features = complete_features(normal, dimension);
    let (features, state) = (FeatureSet::Given(&features), normal.initial());
    match optimize(normal, features, state, &Params::default(), &Limits::none()) {
        Ok(Optimum::Function(function, _)) => Some(function.bound(state)),
        Ok(Optimum::Unsolvable(..)) => None,
        Err(error) => panic!("seed {seed}: {error}"),
    }
}

/// A random permutation of `count` things: where each goes.
fn permutation(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    for index in (1..count).rev() {
        places.swap(index, rng.below(index as u32 + 1) as usize);
    }
    places
}

/// New numbers for variables and values.
struct Renumbering {
    variables: Vec<usize>,
    /// For each old variable.
    values: Vec<Vec<usize>>,
}

impl Renumbering {
    fn new(task: &Task, rng: &mut Rng) -> Self {
        let sizes = task.variables().iter().map(|variable| variable.values.len());
        Self {
            values: sizes.map(|size| permutation(size, rng)).collect(),
            variables: permutation(task.variables().len(), rng),
        }
    }

    fn fact(&self, fact: Fact) -> Fact {
        let index = fact.variable.index();
        let value = self.values[index][fact.value as usize] as u32;
        Fact::new(VariableId::new(self.variables[index]), value)
    }

    fn operator(&self, operator: &Operator) -> Operator {
        let effect = |effect: &Effect| Effect::new(self.fact(effect.fact));
        Operator {
            name: operator.name.clone(),
            preconditions: operator.preconditions.iter().map(|&fact| self.fact(fact)).collect(),
            effects: operator.effects.iter().map(effect).collect(),
            cost: operator.cost,
        }
    }
}

/// The task with its variables, values and operators renumbered.
fn renumbered(task: &Task, rng: &mut Rng) -> Task {
    let numbers = Renumbering::new(task, rng);
    let count = task.variables().len();
    let mut variables = task.variables().to_vec();
    let mut initial = vec![0; count];
    for id in task.variable_ids() {
        let old = task.variable(id);
        let place = numbers.variables[id.index()];
        variables[place] = old.clone();
        for (value, name) in old.values.iter().enumerate() {
            variables[place].values[numbers.values[id.index()][value]].clone_from(name);
        }
        initial[place] = numbers.values[id.index()][task.initial()[id.index()] as usize] as u32;
    }
    let mut builder = TaskBuilder::new(true);
    for variable in variables {
        builder.add_variable(variable).unwrap();
    }
    builder.set_initial(initial).unwrap();
    builder.set_goal(task.goal().iter().map(|&fact| numbers.fact(fact)).collect()).unwrap();
    for index in permutation(task.operators().len(), rng) {
        builder.add_operator(numbers.operator(&task.operators()[index])).unwrap();
    }
    builder.build()
}

/// The variables, initial state and goal of `task`, with these operators.
fn with_operators(task: &Task, operators: impl Iterator<Item = Operator>) -> Task {
    let mut builder = TaskBuilder::new(true);
    for variable in task.variables() {
        builder.add_variable(variable.clone()).unwrap();
    }
    builder.set_initial(task.initial().to_vec()).unwrap();
    builder.set_goal(task.goal().to_vec()).unwrap();
    for operator in operators {
        builder.add_operator(operator).unwrap();
    }
    builder.build()
}

#[test]
fn renumbering_keeps_the_optimum() {
    let mut tally = Tally::default();
    for seed in 0..100 {
        let normal = random_normal(TINY, seed);
        let other = in_normal_form(&renumbered(normal.task(), &mut Rng::new(seed)));
        for dimension in [1, 2, 3] {
            let first = initial_optimum(&normal, dimension);
            let second = initial_optimum(&other, dimension);
            assert!(same(first, second), "seed {seed}, {dimension}: {first:?} {second:?}");
            tally.add(first);
        }
        let bounds = (certified(&normal, 2, seed), certified(&other, 2, seed));
        assert_eq!(bounds.0, bounds.1, "seed {seed}");
    }
    tally.assert_varied();
}

#[test]
fn scaling_costs_scales_the_optimum() {
    let mut tally = Tally::default();
    for seed in 0..100 {
        let normal = random_normal(TINY, seed);
        let dearer = |operator: &Operator| Operator { cost: 3 * operator.cost, ..operator.clone() };
        let task = normal.task();
        let scaled = with_operators(task, task.operators().iter().map(dearer));
        let scaled = in_normal_form(&scaled);
        for dimension in [1, 2, 3] {
            let first = initial_optimum(&normal, dimension);
            let second = initial_optimum(&scaled, dimension);
            let expected = first.map(|optimum| 3.0 * optimum);
            assert!(same(expected, second), "seed {seed}, {dimension}: {first:?} {second:?}");
            tally.add(first);
        }
    }
    tally.assert_varied();
}

#[test]
fn more_features_never_lower_the_optimum() {
    let (mut raised, mut equal) = (0, 0);
    for seed in 0..100 {
        let normal = random_normal(MANY_VARIABLES, seed);
        let task = normal.task();
        let mut rng = Rng::new(seed);
        let mut chosen = conjunctions(task, 3);
        let mut before = None;
        for percent in [100, 60, 50, 40] {
            chosen.retain(|_| rng.chance(percent));
            let optimum = model_optimum(&normal, &features(task, &chosen), task.initial());
            if let Some(larger) = before {
                assert!(at_most(optimum, larger), "seed {seed}: {optimum:?}, more {larger:?}");
                raised += usize::from(!same(optimum, larger));
                equal += usize::from(same(optimum, larger));
            }
            before = Some(optimum);
        }
    }
    assert!(raised > 20 && equal > 20, "{raised}, {equal}");
}

#[test]
fn a_larger_dimension_never_lowers_the_optimum() {
    let mut raised = [0; 2];
    for seed in 0..200 {
        let normal = random_normal(MANY_VARIABLES, seed);
        let optima = [1, 2, 3].map(|dimension| initial_optimum(&normal, dimension));
        for (pair, count) in optima.windows(2).zip(&mut raised) {
            assert!(at_most(pair[0], pair[1]), "seed {seed}: {optima:?}");
            *count += usize::from(!same(pair[0], pair[1]));
        }
    }
    assert!(raised.iter().all(|&count| count > 3), "{raised:?}");
}

#[test]
fn more_operators_never_raise_the_optimum() {
    let mut lowered = 0;
    for seed in 0..100 {
        let normal = random_normal(TINY, seed);
        let mut rng = Rng::new(seed);
        let kept = normal.task().operators().iter().filter(|_| rng.chance(80)).cloned();
        let fewer = in_normal_form(&with_operators(normal.task(), kept));
        let first = initial_optimum(&normal, 2);
        let second = initial_optimum(&fewer, 2);
        assert!(at_most(first, second), "seed {seed}: {first:?}, fewer operators {second:?}");
        lowered += usize::from(!same(first, second));
    }
    assert!(lowered > 20, "{lowered}");
}
