//! In dimension 1 all are the same: the state equation, atomic potentials, and
//! operator and transition cost partitioning over atomic projections
//! (Pommerening et al., AAAI 2015), on tasks in TNF.
//!
//! Of tasks that are not in TNF, the state equation has the same value as its
//! TNF: it is compared with the LP as the literature has it, where a fact may be
//! left over. (An operator that sets V without asking for its value takes what
//! it replaces from `forget` operators in TNF, which cost nothing and are
//! nothing but the slack of that LP.) The other heuristics here *are* those of
//! the TNF: projections of the task as it stands can have other values, and
//! nothing is claimed about them.

mod common;

use hipot_analysis::TnfTask;
use hipot_lp::{Params, Problem, Solver, Status};
use hipot_partition::projection::AbstractStates;
use hipot_potential::feature::{Features, frequent_values};
use hipot_potential::textbook;
use hipot_task::{Fact, Limits, Operator, Task, Value};

use common::{
    Tally, assert_certified, explore, in_normal_form, operator_costs, random_task, random_tnf,
    same, state_equation, transition_costs, value,
};

const SEEDS: u64 = 300;

fn optimum(problem: &Problem) -> f64 {
    let solution = Solver::new(problem).expect("a valid problem").solve(&Params::default());
    match solution.status {
        Status::Optimal => solution.objective,
        Status::Unbounded | Status::Infeasible => f64::INFINITY,
        status => panic!("a tiny LP ended {status:?}"),
    }
}

/// The best atomic potential function of a task in TNF.
fn potential(task: &Task, state: &[Value]) -> f64 {
    let normal = in_normal_form(task);
    let features = Features::complete(normal.facts().clone(), 1, &frequent_values(&normal));
    let mut model = textbook::model(&normal, &features).expect("atomic");
    textbook::maximize_in_state(&mut model, &normal, &features, state);
    optimum(model.problem())
}

#[test]
fn four_heuristics_are_the_same() {
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let task = random_tnf(seed);
        let state = task.initial();
        let expected = potential(&task, state);
        let bounds = [
            state_equation(&task).bound(state),
            operator_costs(&task, 1, AbstractStates::All).bound(state),
            transition_costs(&task, 1).bound(state),
        ];
        for bound in bounds {
            assert!(same(value(&bound), expected), "seed {seed}: {bound:?}, not {expected}");
            assert_certified(&bound, &format!("seed {seed}"));
        }
        tally.add(expected);
    }
    tally.assert_varied();
}

#[test]
fn two_are_the_same_in_every_state_when_warm() {
    for seed in 0..SEEDS / 3 {
        let task = random_tnf(seed);
        let mut equation = state_equation(&task);
        let mut partitioning = operator_costs(&task, 1, AbstractStates::All);
        for state in explore(&task).states {
            let (one, other) = (equation.bound(&state), partitioning.bound(&state));
            assert!(same(value(&one), value(&other)), "seed {seed}, {state:?}: {one:?}, {other:?}");
        }
    }
}

/// How often an operator certainly produces a fact, may produce it, and
/// certainly consumes it, as one lower bound on its net production.
fn net_production(operator: &Operator, fact: Fact) -> f64 {
    let required = operator.precondition_on(fact.variable);
    let effect = operator.effects.iter().find(|effect| effect.fact.variable == fact.variable);
    match (required, effect.map(|effect| effect.fact.value)) {
        (_, None) => 0.0,
        (Some(old), Some(new)) => {
            f64::from(u8::from(new == fact.value)) - f64::from(u8::from(old == fact.value))
        }
        // It sets the variable whatever the value is: it may produce.
        (None, Some(new)) => f64::from(u8::from(new == fact.value)),
    }
}

/// The state equation of a task that is not in TNF, as inequalities.
fn literature(task: &Task, state: &[Value]) -> f64 {
    let mut problem = Problem::minimize();
    let counts: Vec<_> =
        task.operators().iter().map(|o| problem.add_column(f64::from(o.cost), 0.0..)).collect();
    for variable in task.variable_ids() {
        for number in 0..task.variable(variable).domain_size() {
            let fact = Fact::new(variable, number);
            let wanted = f64::from(u8::from(task.goal().contains(&fact)));
            let present = f64::from(u8::from(state[variable.index()] == number));
            let terms = task.operators().iter().zip(&counts);
            let terms = terms.map(|(operator, &count)| (count, net_production(operator, fact)));
            problem.add_row(wanted - present.., terms);
        }
    }
    optimum(&problem)
}

#[test]
fn the_state_equation_does_not_need_transition_normal_form() {
    let mut tally = Tally::default();
    let mut changed = 0;
    for seed in 0..SEEDS {
        let task = random_task(seed);
        let tnf = TnfTask::new(&task).expect("the task has no axioms");
        changed += usize::from(tnf.task().operators().len() > task.operators().len());
        let mut equation = hipot_partition::seq(&task, &Limits::none()).expect("a tiny task");
        for state in explore(&task).states {
            let (bound, expected) = (equation.bound(&state), literature(&task, &state));
            let context = format!("seed {seed}, {state:?}");
            assert!(same(value(&bound), expected), "{context}: {bound:?}, not {expected}");
            tally.add(expected);
        }
    }
    tally.assert_varied();
    assert!(changed > SEEDS as usize / 4, "only {changed} tasks were not in TNF");
}
