//! Which projections take part: what interesting patterns are, and what they keep.

mod common;

use std::collections::BTreeSet;

use hipot_partition::operator_cost::Params;
use hipot_partition::projection::{AbstractStates, Pattern, Patterns};
use hipot_partition::{ocp, tcp, transition_cost};
use hipot_task::{Limits, Task, VariableId};

use common::{Tally, assert_certified, at_most, explore, random_task, same, value};

const SEEDS: u64 = 200;

/// The variables of the projections of `ocp` over these patterns.
fn projections(task: &Task, patterns: Patterns) -> BTreeSet<Pattern> {
    let params = Params { patterns, ..Params::default() };
    let heuristic = ocp(task, &params, &Limits::none()).expect("a tiny task");
    heuristic.projections().iter().map(|projection| projection.variables().to_vec()).collect()
}

/// The value of `ocp` over these patterns and all abstract states in the initial state.
fn initial_value(task: &Task, patterns: Patterns, context: &str) -> f64 {
    let params = Params { patterns, states: AbstractStates::All, ..Params::default() };
    let mut heuristic = ocp(task, &params, &Limits::none()).expect("a tiny task");
    let bound = heuristic.bound(task.initial());
    assert_certified(&bound, context);
    value(&bound)
}

/// The definition, word for word: all subsets are tried.
fn interesting(task: &Task, dimension: usize, paths_may_leave: bool) -> BTreeSet<Pattern> {
    let all: Vec<VariableId> = task.variable_ids().collect();
    let subsets = (1_u32..1 << all.len()).map(|mask| -> Pattern {
        all.iter().copied().filter(|id| mask >> id.index() & 1 == 1).collect()
    });
    let good: Vec<Pattern> = subsets
        .filter(|pattern| {
            let through = if paths_may_leave { &all } else { pattern };
            pattern.len() <= dimension
                && is_connected(task, pattern)
                && pattern.iter().all(|&variable| reaches_goal(task, variable, through))
        })
        .collect();
    let is_within = |a: &Pattern, b: &Pattern| a != b && a.iter().all(|id| b.contains(id));
    good.iter().filter(|p| !good.iter().any(|other| is_within(p, other))).cloned().collect()
}

/// Whether an operator that changes `to` requires a value of `from`.
fn has_precondition_arc(task: &Task, from: VariableId, to: VariableId) -> bool {
    task.operators().iter().any(|operator| {
        from != to
            && operator.precondition_on(from).is_some()
            && operator.effects.iter().any(|effect| effect.fact.variable == to)
    })
}

fn has_effect_arc(task: &Task, one: VariableId, other: VariableId) -> bool {
    task.operators().iter().any(|operator| {
        [one, other].iter().all(|id| operator.effects.iter().any(|it| it.fact.variable == *id))
    })
}

fn reaches_goal(task: &Task, start: VariableId, through: &[VariableId]) -> bool {
    let mut reached = vec![start];
    let mut next = 0;
    while next < reached.len() {
        let found: Vec<VariableId> = through
            .iter()
            .copied()
            .filter(|&to| !reached.contains(&to) && has_precondition_arc(task, reached[next], to))
            .collect();
        reached.extend(found);
        next += 1;
    }
    reached.iter().any(|&id| task.goal().iter().any(|fact| fact.variable == id))
}

fn is_connected(task: &Task, pattern: &[VariableId]) -> bool {
    let mut reached = vec![pattern[0]];
    let mut next = 0;
    while next < reached.len() {
        let one = reached[next];
        let is_next = |&other: &VariableId| {
            has_precondition_arc(task, one, other)
                || has_precondition_arc(task, other, one)
                || has_effect_arc(task, one, other)
        };
        let found: Vec<VariableId> = pattern
            .iter()
            .copied()
            .filter(|other| !reached.contains(other) && is_next(other))
            .collect();
        reached.extend(found);
        next += 1;
    }
    reached.len() == pattern.len()
}

#[test]
fn interesting_patterns_are_those_of_the_definition() {
    let (mut fewer, mut fewer_generally) = (0, 0);
    for seed in 0..SEEDS {
        let task = random_task(seed);
        for dimension in 1..=3 {
            let found = projections(&task, Patterns::Interesting(dimension));
            assert_eq!(found, interesting(&task, dimension, false), "seed {seed}, {dimension}");
            let general = projections(&task, Patterns::InterestingGeneral(dimension));
            assert_eq!(general, interesting(&task, dimension, true), "seed {seed}, {dimension}");
            fewer += usize::from(found != general);
            fewer_generally += usize::from(general != projections(&task, Patterns::All(dimension)));
        }
    }
    assert!(fewer > 20 && fewer_generally > 20, "{fewer}, {fewer_generally}");
}

/// Paths that may leave the pattern lose nothing; paths within it can.
#[test]
fn general_interesting_patterns_have_the_value_of_all() {
    let (mut tally, mut lower) = (Tally::default(), 0);
    for seed in 0..SEEDS {
        let task = random_task(seed);
        for dimension in 1..=2 {
            let context = format!("seed {seed}, dimension {dimension}");
            let all = initial_value(&task, Patterns::All(dimension), &context);
            let general = initial_value(&task, Patterns::InterestingGeneral(dimension), &context);
            let interesting = initial_value(&task, Patterns::Interesting(dimension), &context);
            assert!(same(all, general), "{context}: {all}, {general}");
            assert!(at_most(interesting, all), "{context}: {interesting}, {all}");
            lower += usize::from(!same(interesting, all));
            tally.add(all);
        }
    }
    tally.assert_not_trivial();
    assert!(lower > 0, "interesting patterns lost nothing anywhere");
}

/// More patterns are never worse, and one with all variables is perfect.
#[test]
fn given_patterns_are_used() {
    let mut higher = 0;
    for seed in 0..SEEDS / 4 {
        let task = random_task(seed);
        let all: Pattern = task.variable_ids().collect();
        let context = format!("seed {seed}");
        let given = |patterns: &[&[VariableId]]| {
            let patterns = patterns.iter().map(|pattern| pattern.to_vec()).collect();
            initial_value(&task, Patterns::Given(patterns), &context)
        };
        let (one, more) = (given(&[&all[..1]]), given(&[&all[..1], &all[1..], &all[..1]]));
        assert!(at_most(one, more), "{context}: {one}, {more}");
        higher += usize::from(!same(one, more));
        let distance = explore(&task).goal_distances[0].map_or(f64::INFINITY, |it| it as f64);
        assert!(at_most(more, distance), "{context}: {more}, {distance}");
        assert!(same(given(&[&all]), distance), "{context}: {distance}");
    }
    assert!(higher > 5, "{higher}");
}

#[test]
fn transition_costs_over_given_patterns_are_no_lower() {
    for seed in 0..SEEDS / 8 {
        let task = random_task(seed);
        let ids: Vec<VariableId> = task.variable_ids().collect();
        let patterns = Patterns::Given(vec![ids[..1].to_vec(), ids[1..].to_vec()]);
        let context = format!("seed {seed}");
        let operators = initial_value(&task, patterns.clone(), &context);
        let params = transition_cost::Params { patterns, ..Default::default() };
        let mut heuristic = tcp(&task, &params, &Limits::none()).expect("a tiny task");
        let transitions = value(&heuristic.bound(task.initial()));
        assert!(at_most(operators, transitions), "{context}: {operators}, {transitions}");
    }
}
