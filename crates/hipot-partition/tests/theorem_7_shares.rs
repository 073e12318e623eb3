//! Theorem 7 in both directions, for the functions that the planner computes: cost
//! partitionings become potential functions (w = h) that are certified as they are, and
//! potential functions become shares of every transition's cost, in exact arithmetic.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use hipot_check::{State, applicable, apply};
use hipot_partition::certify::Constraints;
use hipot_partition::projection::AbstractStates;
use hipot_partition::{PartitionHeuristic, Source};
use hipot_potential::feature::Features;
use hipot_potential::shares::{ShareRange, Shares};
use hipot_potential::textbook::certify_function;
use hipot_potential::{
    Certified, Costs, FeatureSet, NormalForm, Optimum, Params, Violation, optimize,
};
use hipot_task::{FactId, Limits, OperatorId, Task, Value};

use common::{in_normal_form, operator_costs, random_tnf, state_equation, transition_costs};

const SEEDS: u64 = 60;

/// All states of a task, reachable or not.
fn all_states(task: &Task) -> Vec<State> {
    let mut states: Vec<State> = vec![Vec::new()];
    for variable in task.variables() {
        let longer = |state: State| {
            (0..variable.domain_size()).map(move |value| [&state[..], &[value]].concat())
        };
        states = states.into_iter().flat_map(longer).collect();
    }
    states
}

/// The potential function of a cost partitioning's proof for the initial state.
fn function_of<C: Constraints>(
    normal: &Arc<NormalForm>,
    heuristic: &mut PartitionHeuristic<C>,
) -> (Certified, Costs) {
    let bound = heuristic.bound(normal.initial());
    let proof = heuristic.proof(&bound).expect("no abstract dead ends");
    let ids = |facts: &Vec<_>| facts.iter().map(|&fact| normal.facts().id(fact)).collect();
    let (numerators, lists): (Vec<i64>, Vec<Vec<FactId>>) =
        proof.weights.iter().map(|(weight, facts)| (*weight, ids(facts))).unzip();
    let features = Features::new(normal.facts().clone(), lists).expect("distinct conjunctions");
    let costs = if bound.source == Source::Ray { Costs::Zero } else { Costs::Given };
    let function = certify_function(normal, &features, numerators, proof.denominator, costs);
    let function = function.expect("proved already");
    match bound.value {
        Some(value) => assert_eq!(function.exact(normal.initial()), value),
        None => assert!(function.numerator(normal.initial()) > 0),
    }
    assert_eq!((function.denominator(), function.constant()), (proof.denominator, 0));
    (function, costs)
}

/// The best potential function of dimension 2 in the initial state.
fn potential(normal: &Arc<NormalForm>) -> (Certified, Costs) {
    let features = FeatureSet::UpTo(2);
    let (params, limits) = (Params::default(), Limits::none());
    match optimize(normal, features, normal.initial(), &params, &limits).expect("a tiny task") {
        Optimum::Function(function, _) => (function, Costs::Given),
        Optimum::Unsolvable(function, _) => (function, Costs::Zero),
    }
}

/// What the shares of all transitions look like.
#[derive(Debug, Default)]
struct Tally {
    transitions: usize,
    negative: usize,
    depends_on_context: usize,
    tight: usize,
}

/// The cost of an operator in units of the function.
fn cost(function: &Certified, costs: Costs, id: OperatorId) -> i128 {
    let cost = match costs {
        Costs::Given => function.normal_form().cost(id),
        Costs::Zero => 0,
    };
    i128::from(cost) * i128::from(function.denominator())
}

/// Checks all that is claimed about the shares of a function.
fn check((function, costs): &(Certified, Costs), tally: &mut Tally, context: &str) {
    let normal = function.normal_form();
    let task = normal.task();
    let shares = Shares::new(normal, function.features(), function.weights());
    let states = all_states(task);
    let mut attained: BTreeMap<(OperatorId, usize), (i128, i128)> = BTreeMap::new();
    let mut largest: BTreeMap<OperatorId, i128> = BTreeMap::new();
    for state in &states {
        let distances: i128 = shares.distances(state).iter().sum();
        assert_eq!(distances, function.numerator(state), "{context}: h is φ");
        for id in task.operator_ids().filter(|&id| applicable(task.operator(id), state)) {
            let after: Vec<Value> = apply(task, task.operator(id), state);
            let parts = shares.of_transition(state, &after);
            let sum: i128 = parts.iter().sum();
            assert_eq!(sum, function.numerator(state) - function.numerator(&after), "{context}");
            assert!(sum <= cost(function, *costs, id), "{context}: {id} pays too much");
            let most = largest.entry(id).or_insert(sum);
            *most = sum.max(*most);
            tally.transitions += 1;
            tally.negative += parts.iter().filter(|&&part| part < 0).count();
            for (pattern, part) in parts.into_iter().enumerate() {
                let range = attained.entry((id, pattern)).or_insert((part, part));
                *range = (range.0.min(part), range.1.max(part));
            }
        }
    }
    assert!(shares.distances(normal.goal()).iter().all(|&distance| distance == 0), "{context}");
    for id in task.operator_ids() {
        let ranges = shares.of_operator(id).expect("no mutexes");
        for range in &ranges {
            tally.depends_on_context += usize::from(range.smallest < range.largest);
        }
        let nonzero = attained.iter().filter(|((own, _), range)| *own == id && **range != (0, 0));
        let expected: Vec<ShareRange> = nonzero
            .map(|(&(_, pattern), &(smallest, largest))| ShareRange { pattern, smallest, largest })
            .collect();
        assert_eq!(ranges, expected, "{context}: {id}");
        assert_eq!(shares.largest_sum(id), Some(largest[&id]), "{context}: {id}");
        let cost = cost(function, *costs, id);
        tally.tight += usize::from(cost > 0 && largest[&id] == cost);
    }
}

#[test]
fn cost_partitionings_are_potential_functions() {
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let task = random_tnf(seed);
        let normal = Arc::new(in_normal_form(&task));
        check(
            &function_of(&normal, &mut state_equation(&task)),
            &mut tally,
            &format!("{seed} seq"),
        );
        for dimension in [1, 2] {
            let context = format!("seed {seed}, dimension {dimension}");
            check(
                &function_of(&normal, &mut transition_costs(&task, dimension)),
                &mut tally,
                &context,
            );
            let mut operators = operator_costs(&task, dimension, AbstractStates::All);
            let function = function_of(&normal, &mut operators);
            check(&function, &mut tally, &context);
            // The largest shares are an operator cost partitioning.
            let (function, costs) = function;
            let shares = Shares::new(&normal, function.features(), function.weights());
            for id in task.operator_ids() {
                let ranges = shares.of_operator(id).expect("no mutexes");
                let paid: i128 = ranges.iter().map(|range| range.largest).sum();
                assert!(paid <= cost(&function, costs, id), "{context}: {id}");
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.negative > 1000 && tally.depends_on_context > 300 && tally.tight > 300);
}

#[test]
fn potential_functions_are_cost_partitionings() {
    let mut tally = Tally::default();
    for seed in 0..3 * SEEDS {
        let normal = Arc::new(in_normal_form(&random_tnf(seed)));
        check(&potential(&normal), &mut tally, &format!("seed {seed}"));
    }
    println!("{tally:?}");
    assert!(tally.negative > 1000 && tally.depends_on_context > 300 && tally.tight > 150);
}

#[test]
fn what_no_operator_allows_is_not_certified() {
    let mut refused = 0;
    for seed in 0..SEEDS {
        let normal = Arc::new(in_normal_form(&random_tnf(seed)));
        let (function, costs) = potential(&normal);
        let certify = |by: i64| {
            let weights: Vec<i64> = function.weights().iter().map(|weight| weight * by).collect();
            let (features, denominator) = (function.features(), function.denominator());
            certify_function(&normal, features, weights, denominator, Costs::Given)
        };
        if function.numerator(normal.initial()) > 0 && costs == Costs::Given {
            refused += usize::from(matches!(certify(3), Err(Violation::Inconsistent { .. })));
        }
    }
    assert!(refused > 20, "{refused}");
}
