//! What the property tests share: tiny random tasks, and how to compare values
//! that are nearly the same.

// Each test file uses a part of this.
#![allow(dead_code)]

pub(crate) mod abstractions;

use hipot_analysis::TnfTask;
use hipot_check::State;
use hipot_partition::operator_cost::{self, OperatorCosts};
use hipot_partition::projection::{AbstractStates, Patterns};
use hipot_partition::state_equation::StateEquation;
use hipot_partition::transition_cost::{self, TransitionCosts};
use hipot_partition::{Bound, PartitionHeuristic, Source, ocp, seq, tcp};
use hipot_potential::NormalForm;
use hipot_task::{
    Effect, Fact, Limits, Operator, Rational, Task, TaskBuilder, Variable, VariableId,
};
use hipot_testing::{RandomTask, Rng, StateSpace};

/// At most 3 variables with 3 values, and the value `unknown` in TNF.
const TINY: RandomTask = RandomTask {
    variables: 3,
    derived: 0,
    domain: 3,
    operators: 14,
    cost: 5,
    percent_free: 10,
    percent_conditional: 0,
};

const VALID: &str = "random parts are valid";

/// A tiny task: every third one as loose as they come, the others nearly in
/// TNF, so that plans are long.
pub(crate) fn random_task(seed: u64) -> Task {
    if seed.is_multiple_of(3) { TINY.generate(seed) } else { busy_task(seed) }
}

/// The TNF of a tiny task, as a task of its own.
pub(crate) fn random_tnf(seed: u64) -> Task {
    TnfTask::new(&random_task(seed)).expect("the task has no axioms").task().clone()
}

/// The normal form of a task that is in TNF already: nothing is added.
pub(crate) fn in_normal_form(task: &Task) -> NormalForm {
    let normal = NormalForm::plain(task).expect("the task has no axioms");
    assert_eq!(normal.task().operators(), task.operators(), "the task is in TNF already");
    assert_eq!(normal.task().variables(), task.variables(), "the task is in TNF already");
    normal
}

fn busy_task(seed: u64) -> Task {
    let mut rng = Rng::new(seed);
    let mut builder = TaskBuilder::new(true);
    let mut variables = Vec::new();
    for number in 0..TINY.variables + u32::from(rng.chance(30)) {
        let size = TINY.domain - u32::from(number >= TINY.variables || rng.chance(40));
        let values = (0..size).map(|value| format!("v{number}={value}"));
        let variable = Variable::new(format!("v{number}"), values);
        variables.push((builder.add_variable(variable).expect(VALID), size));
    }
    let mut random_state = || -> State { variables.iter().map(|&(_, n)| rng.below(n)).collect() };
    builder.set_initial(random_state()).expect(VALID);
    let goal = variables.iter().zip(random_state()).map(|(&(id, _), value)| Fact::new(id, value));
    let goal: Vec<Fact> = goal.skip(usize::from(rng.chance(15))).collect();
    builder.set_goal(goal).expect(VALID);
    for number in 0..TINY.operators {
        builder.add_operator(busy_operator(number, &variables, &mut rng)).expect(VALID);
    }
    builder.build()
}

/// An operator that changes one variable, asks for some others, and changes
/// half of those; it asks for what it changes nearly always.
fn busy_operator(number: u32, variables: &[(VariableId, u32)], rng: &mut Rng) -> Operator {
    let always = rng.below(variables.len() as u32) as usize;
    let mut preconditions = Vec::new();
    let mut effects = Vec::new();
    for (index, &(variable, size)) in variables.iter().enumerate() {
        if index != always && !rng.chance(35) {
            continue;
        }
        let old = rng.below(size);
        let new = (old + 1 + rng.below(size - 1)) % size;
        let changes = index == always || rng.chance(50);
        if !changes || rng.chance(96) {
            preconditions.push(Fact::new(variable, old));
        }
        if changes {
            effects.push(Effect::new(Fact::new(variable, new)));
        }
    }
    let cost = if rng.chance(TINY.percent_free) { 0 } else { rng.below(TINY.cost + 1) };
    Operator { name: format!("o{number}"), preconditions, effects, cost }
}

/// The reachable states and their distances.
pub(crate) fn explore(task: &Task) -> StateSpace {
    StateSpace::explore(task, 10_000).expect("a tiny task")
}

/// `seq`.
pub(crate) fn state_equation(task: &Task) -> PartitionHeuristic<StateEquation> {
    seq(task, &Limits::none()).expect("a tiny task")
}

/// `ocp(dim=dimension)`.
pub(crate) fn operator_costs(
    task: &Task,
    dimension: usize,
    states: AbstractStates,
) -> PartitionHeuristic<OperatorCosts> {
    let params =
        operator_cost::Params { patterns: Patterns::All(dimension), states, ..Default::default() };
    ocp(task, &params, &Limits::none()).expect("a tiny task")
}

/// `tcp(dim=dimension)`.
pub(crate) fn transition_costs(
    task: &Task,
    dimension: usize,
) -> PartitionHeuristic<TransitionCosts> {
    let params =
        transition_cost::Params { patterns: Patterns::All(dimension), ..Default::default() };
    tcp(task, &params, &Limits::none()).expect("a tiny task")
}

/// The value as a number; +∞ for a dead end.
pub(crate) fn value(bound: &Bound) -> f64 {
    bound.value.map_or(f64::INFINITY, Rational::to_f64)
}

/// Whether two values are the same up to the solver's tolerance.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs()) || a.is_infinite() && b.is_infinite()
}

/// Whether `a` is at most `b`, up to the solver's tolerance.
pub(crate) fn at_most(a: f64, b: f64) -> bool {
    a < b || same(a, b)
}

/// The certified value is not above the LP's, and less than 10⁻⁴ below.
pub(crate) fn assert_certified(bound: &Bound, context: &str) {
    let (value, objective) = (value(bound), bound.objective);
    let close = value <= objective + 1e-9 * (1.0 + objective.abs()) && value > objective - 1e-4;
    let both_dead = value.is_infinite() && objective.is_infinite();
    assert!(close || both_dead, "{context}: {bound:?}");
    assert_ne!(bound.source, Source::Earlier, "{context}: {bound:?}");
}

/// What the values of a family of tasks look like.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    zero: usize,
    positive: usize,
    fractional: usize,
    dead_ends: usize,
}

impl Tally {
    /// Counts a value.
    pub(crate) fn add(&mut self, value: f64) {
        match value {
            _ if value.is_infinite() => self.dead_ends += 1,
            _ if value < 1e-6 => self.zero += 1,
            _ => {
                self.positive += 1;
                self.fractional += usize::from((value - value.round()).abs() > 1e-4);
            }
        }
    }

    /// A test on trivial tasks would show nothing.
    pub(crate) fn assert_not_trivial(&self) {
        let all = self.zero + self.positive + self.dead_ends;
        assert!(self.positive * 3 >= all, "too few positive values: {self:?}");
        assert!(self.dead_ends * 100 >= all, "too few dead ends: {self:?}");
    }

    /// Nor would one on tasks with integer values only.
    pub(crate) fn assert_varied(&self) {
        self.assert_not_trivial();
        assert!(self.fractional > 0, "no fractional value: {self:?}");
    }
}
