//! What the property tests share: every syntactic state and transition of a
//! tiny task, the explicit LP over them, feature sets, and a tally that shows
//! whether a family of random tasks is varied enough to test anything.

// Each test file uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::sync::Arc;

use hipot_check::{State, applicable, apply};
use hipot_lp::{Column, Params, Problem, Solver, Status};
use hipot_potential::feature::{Features, frequent_values};
use hipot_potential::{Certified, NormalForm, textbook};
use hipot_task::{
    Effect, Fact, Facts, Operator, OperatorId, Task, TaskBuilder, Value, Variable, VariableId,
};
use hipot_testing::{RandomTask, Rng};

/// Tiny tasks: at most 256 states in TNF.
pub(crate) const TINY: RandomTask = RandomTask {
    variables: 4,
    derived: 0,
    domain: 3,
    operators: 18,
    cost: 5,
    percent_free: 10,
    percent_conditional: 0,
};

/// Tasks with more and smaller variables, so that contexts mention several: at
/// most 243 states in TNF.
pub(crate) const MANY_VARIABLES: RandomTask = RandomTask { variables: 5, domain: 2, ..TINY };

/// A random task: every third one as loose as they come, the others with more
/// to do.
pub(crate) fn random_task(shape: RandomTask, seed: u64) -> Task {
    if seed.is_multiple_of(3) { shape.generate(seed) } else { busy_task(shape, seed) }
}

/// The normal form of `task`, without mutexes.
pub(crate) fn plain(task: &Task) -> Arc<NormalForm> {
    Arc::new(NormalForm::plain(task).expect("the task has no axioms"))
}

/// The normal form of a random task, without mutexes.
pub(crate) fn random_normal(shape: RandomTask, seed: u64) -> Arc<NormalForm> {
    plain(&random_task(shape, seed))
}

/// A random task nearly in TNF, with all numbers near the upper bounds of
/// `shape`: most of its plans are long, and its LPs are far from trivial.
fn busy_task(shape: RandomTask, seed: u64) -> Task {
    let mut rng = Rng::new(seed);
    let mut builder = TaskBuilder::new(true);
    let mut sizes = Vec::new();
    for number in 0..shape.variables - u32::from(rng.chance(30)) {
        let size = shape.domain - u32::from(shape.domain > 2 && rng.chance(30));
        let values = (0..size).map(|value| format!("v{number}={value}"));
        let variable = Variable::new(format!("v{number}"), values);
        sizes.push((builder.add_variable(variable).expect(VALID), size));
    }
    let mut random_state = || -> State { sizes.iter().map(|&(_, n)| rng.below(n)).collect() };
    builder.set_initial(random_state()).expect(VALID);
    let goal = sizes.iter().zip(random_state()).map(|(&(variable, _), v)| Fact::new(variable, v));
    let goal = goal.collect::<Vec<_>>().split_off(usize::from(rng.chance(15)));
    builder.set_goal(goal).expect(VALID);
    for number in 0..shape.operators + 2 {
        builder.add_operator(busy_operator(shape, number, &sizes, &mut rng)).expect(VALID);
    }
    builder.build()
}

const VALID: &str = "random parts are valid";

/// An operator that asks for all variables that it sets, nearly always.
fn busy_operator(
    shape: RandomTask,
    number: u32,
    sizes: &[(VariableId, u32)],
    rng: &mut Rng,
) -> Operator {
    let changed = rng.below(sizes.len() as u32) as usize;
    let mut preconditions = Vec::new();
    let mut effects = Vec::new();
    for (index, &(variable, size)) in sizes.iter().enumerate() {
        if index != changed && !rng.chance(30) {
            continue;
        }
        let old = rng.below(size);
        let other = (old + 1 + rng.below(size - 1)) % size;
        let new = if index == changed || rng.chance(50) { other } else { old };
        if rng.chance(96) {
            preconditions.push(Fact::new(variable, old));
        }
        effects.push(Effect::new(Fact::new(variable, new)));
    }
    let cost = if rng.chance(shape.percent_free) { 0 } else { rng.below(shape.cost + 1) };
    Operator { name: format!("o{number}"), preconditions, effects, cost }
}

/// Every assignment of values to variables, reachable or not.
pub(crate) fn states(task: &Task) -> Vec<State> {
    let mut states = vec![Vec::new()];
    for variable in task.variables() {
        let extend = |state: &State| {
            let longer = |value| state.iter().copied().chain([value]).collect();
            (0..variable.domain_size()).map(longer).collect::<Vec<State>>()
        };
        states = states.iter().flat_map(extend).collect();
    }
    states
}

/// Every transition ⟨s, o, s⟦o⟧⟩ from every syntactic state.
pub(crate) fn transitions(task: &Task) -> Vec<(State, OperatorId, State)> {
    let mut transitions = Vec::new();
    for state in states(task) {
        for id in task.operator_ids() {
            let operator = task.operator(id);
            if applicable(operator, &state) {
                transitions.push((state.clone(), id, apply(task, operator, &state)));
            }
        }
    }
    transitions
}

/// s_⋆ of a task in TNF.
pub(crate) fn goal_state(task: &Task) -> State {
    assert_eq!(task.goal().len(), task.variables().len(), "the goal of a TNF task is a state");
    task.goal().iter().map(|fact| fact.value).collect()
}

/// φ(s) in floating point.
pub(crate) fn value(function: &Certified, state: &[Value]) -> f64 {
    function.numerator(state) as f64 / function.denominator() as f64
}

/// Every conjunction of 1 to `dimension` facts.
pub(crate) fn conjunctions(task: &Task, dimension: usize) -> Vec<Vec<Fact>> {
    let mut lists: Vec<Vec<Fact>> = vec![Vec::new()];
    for variable in task.variable_ids() {
        let mut longer = Vec::new();
        for list in lists.iter().filter(|list| list.len() < dimension) {
            for value in 0..task.variable(variable).domain_size() {
                longer.push(list.iter().copied().chain([Fact::new(variable, value)]).collect());
            }
        }
        lists.extend(longer);
    }
    lists.retain(|list| !list.is_empty());
    lists
}

/// The features with these conjuncts.
pub(crate) fn features(task: &Task, lists: &[Vec<Fact>]) -> Features {
    let facts = Facts::new(task);
    let ids = |list: &Vec<Fact>| list.iter().map(|&fact| facts.id(fact)).collect();
    let lists = lists.iter().map(ids).collect();
    Features::new(facts, lists).expect("conjunctions of distinct variables")
}

/// All features of size at most `dimension`, reference values included.
pub(crate) fn all_features(task: &Task, dimension: usize) -> Features {
    features(task, &conjunctions(task, dimension))
}

/// All features of size at most `dimension` without reference values.
pub(crate) fn complete_features(normal: &NormalForm, dimension: usize) -> Features {
    Features::complete(normal.facts().clone(), dimension, &frequent_values(normal))
}

/// About `percent` of 100 of all features of size at most `dimension`.
pub(crate) fn some_features(
    task: &Task,
    dimension: usize,
    percent: u32,
    rng: &mut Rng,
) -> Features {
    let mut lists = conjunctions(task, dimension);
    lists.retain(|_| rng.chance(percent));
    features(task, &lists)
}

/// The optimum of a maximization problem with a feasible point; `None` if it
/// is unbounded.
pub(crate) fn optimum(problem: &Problem) -> Option<f64> {
    let params = Params { known_feasible: true, ..Params::default() };
    let solution = Solver::new(problem).expect("a valid problem").solve(&params);
    match solution.status {
        Status::Optimal => Some(solution.objective),
        Status::Unbounded => None,
        status => panic!("a tiny LP ended {status:?}"),
    }
}

/// Whether two optima are the same up to the solver's tolerance.
pub(crate) fn same(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-6 * (1.0 + a.abs()),
        (None, None) => true,
        _ => false,
    }
}

/// Whether `a` is at most `b`; unbounded is more than any number.
pub(crate) fn at_most(a: Option<f64>, b: Option<f64>) -> bool {
    same(a, b) || b.is_none() || matches!((a, b), (Some(a), Some(b)) if a < b)
}

/// max φ(state) − φ(s_⋆) subject to Eq. 2, with a row for each transition.
pub(crate) fn explicit(task: &Task, features: &Features, state: &[Value]) -> Problem {
    explicit_where(task, features, state, |_, _| true)
}

/// max φ(state) − φ(s_⋆) subject to Eq. 2 for the states and operators that count.
pub(crate) fn explicit_where(
    task: &Task,
    features: &Features,
    state: &[Value],
    counts: impl Fn(&[Value], OperatorId) -> bool,
) -> Problem {
    let goal = goal_state(task);
    let change = |before: &[Value], after: &[Value]| -> Vec<i8> {
        let value = |feature, state: &[Value]| i8::from(features.holds(feature, state));
        features.ids().map(|feature| value(feature, before) - value(feature, after)).collect()
    };
    let mut problem = Problem::maximize();
    for value in change(state, &goal) {
        problem.add_column(value.into(), ..);
    }
    let mut rows = BTreeSet::new();
    let transitions = transitions(task).into_iter();
    for (before, operator, after) in transitions.filter(|it| counts(&it.0, it.1)) {
        rows.insert((task.operator(operator).cost, change(&before, &after)));
    }
    for (cost, row) in rows {
        let terms = row.iter().enumerate();
        let terms = terms.map(|(index, &value)| (Column(index as u32), f64::from(value)));
        problem.add_row(..=f64::from(cost), terms);
    }
    problem
}

/// max φ(state) − φ(s_⋆) over the [textbook LP](textbook::model).
pub(crate) fn model_optimum(
    normal: &NormalForm,
    features: &Features,
    state: &[Value],
) -> Option<f64> {
    let mut model = textbook::model(normal, features).expect("tiny tasks are narrow");
    textbook::maximize_in_state(&mut model, normal, features, state);
    optimum(model.problem())
}

/// What the optima of a family of LPs look like.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) zero: usize,
    pub(crate) positive: usize,
    pub(crate) fractional: usize,
    pub(crate) unbounded: usize,
}

impl Tally {
    /// Counts an optimum.
    pub(crate) fn add(&mut self, optimum: Option<f64>) {
        match optimum {
            None => self.unbounded += 1,
            Some(value) if value < 1e-6 => self.zero += 1,
            Some(value) => {
                self.positive += 1;
                self.fractional += usize::from((value - value.round()).abs() > 1e-4);
            }
        }
    }

    /// A test on trivial tasks would show nothing.
    pub(crate) fn assert_varied(&self) {
        let all = self.zero + self.positive + self.unbounded;
        assert!(self.positive * 10 >= all, "too few positive optima: {self:?}");
        assert!(self.unbounded * 50 >= all, "too few unbounded LPs: {self:?}");
        assert!(self.fractional > 0, "no fractional optimum: {self:?}");
    }
}

/// All orders of `count` things.
pub(crate) fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for thing in 0..count {
        let insert = |order: &Vec<usize>| {
            let at = |place: usize| {
                let mut longer = order.clone();
                longer.insert(place, thing);
                longer
            };
            (0..=thing).map(at).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(insert).collect();
    }
    orders
}
