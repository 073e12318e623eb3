//! A* against Dijkstra's algorithm on thousands of random tiny tasks, with
//! every kind of heuristic that the search must cope with.

use std::collections::HashMap;

use hipot_check::validate;
use hipot_search::{Blind, Outcome, SearchParams, SearchResult, Ties, astar};
use hipot_task::{Estimate, Heuristic, Limits, Packing, PlanStep, StateView, Task};
use hipot_testing::{RandomTask, Rng, StateSpace};

const MAX_STATES: usize = 20_000;
const SEEDS: u64 = 2000;

fn plain() -> RandomTask {
    RandomTask::default()
}

fn run<H: Heuristic>(task: &Task, packing: &Packing, heuristic: &mut H) -> SearchResult {
    astar(task, packing, heuristic, SearchParams::default(), &Limits::none(), &mut |_| {})
}

/// Orders with seeds, and so little patience that tiny tasks notice.
fn all_ties(seed: u64) -> [Ties; 5] {
    let patience = seed % 8;
    [
        Ties::Newest,
        Ties::Oldest,
        Ties::EitherEnd { seed },
        Ties::AnyH { seed, patience },
        Ties::Dives { seed, patience },
    ]
}

/// Checks outcome, lower bound and plan against the true optimal cost.
fn check(task: &Task, space: &StateSpace, result: &SearchResult, seed: u64) {
    match (&result.outcome, space.optimal_cost()) {
        (Outcome::Solved(plan), Some(cost)) => {
            assert_eq!(plan.cost, cost, "seed {seed}");
            assert_eq!(result.lower_bound, cost, "seed {seed}");
            let step = |id: &_| PlanStep { line: 0, name: task.operator(*id).name.clone() };
            let steps: Vec<PlanStep> = plan.operators.iter().map(step).collect();
            assert_eq!(validate(task, &steps), Ok(cost), "seed {seed}");
        }
        (Outcome::Unsolvable, None) => {}
        (outcome, cost) => panic!("seed {seed}: {outcome:?}, but h* is {cost:?}"),
    }
}

/// Blind search on `SEEDS` tasks; how many of them have a plan.
fn blind_search_is_right(shape: RandomTask) -> usize {
    let mut solvable = 0;
    for seed in 0..SEEDS {
        let task = shape.generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let packing = Packing::new(&task);
        let result = run(&task, &packing, &mut Blind::new(&task, &packing));
        check(&task, &space, &result, seed);
        assert_eq!(result.statistics.reopened, 0);
        assert!(result.statistics.evaluated <= space.states.len() as u64);
        solvable += usize::from(space.optimal_cost().is_some());
    }
    // A test on trivial tasks would show nothing.
    assert!(solvable > SEEDS as usize / 8, "only {solvable} tasks have a plan");
    assert!(solvable < SEEDS as usize, "all tasks have a plan");
    solvable
}

#[test]
fn blind_on_plain_tasks() {
    blind_search_is_right(plain());
}

#[test]
fn blind_with_zero_costs() {
    blind_search_is_right(RandomTask { percent_free: 60, ..plain() });
}

#[test]
fn blind_with_conditional_effects() {
    blind_search_is_right(RandomTask { percent_conditional: 60, ..plain() });
}

#[test]
fn blind_with_axioms() {
    blind_search_is_right(RandomTask { derived: 4, ..plain() });
}

#[test]
fn blind_with_everything() {
    blind_search_is_right(RandomTask {
        variables: 5,
        derived: 3,
        operators: 20,
        percent_free: 20,
        percent_conditional: 40,
        ..plain()
    });
}

#[test]
fn blind_with_large_costs() {
    blind_search_is_right(RandomTask { cost: i32::MAX as u32 - 1, percent_free: 10, ..plain() });
}

#[test]
fn blind_with_many_variables() {
    blind_search_is_right(RandomTask { variables: 12, domain: 2, operators: 30, ..plain() });
}

/// A table that is consistent: the perfect heuristic, scaled down.
fn scaled(space: &StateSpace, tenths: u64) -> Table {
    Table::new(space, true, |cost| match cost {
        Some(cost) => Estimate::at_least(cost * tenths / 10),
        None => Estimate::DEAD_END,
    })
}

#[test]
fn every_order_among_ties_is_right_and_reopens_nothing() {
    let mut orders_that_differ = 0;
    for seed in 0..SEEDS {
        let task = RandomTask { operators: 24, percent_free: 20, ..plain() }.generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let packing = Packing::new(&task);
        let mut expanded = Vec::new();
        for ties in all_ties(seed) {
            let params = SearchParams { ties, ..SearchParams::default() };
            let heuristic = &mut scaled(&space, seed % 10);
            let result = astar(&task, &packing, heuristic, params, &Limits::none(), &mut |_| {});
            check(&task, &space, &result, seed);
            assert_eq!(result.statistics.reopened, 0, "seed {seed}");
            expanded.push(result.statistics.expanded);
        }
        orders_that_differ += usize::from(expanded.iter().any(|it| *it != expanded[0]));
    }
    assert!(orders_that_differ > SEEDS as usize / 20, "{orders_that_differ}");
}

/// A heuristic given as a table.
struct Table {
    estimates: HashMap<Vec<u32>, Estimate>,
    is_consistent: bool,
}

impl Table {
    fn new(
        space: &StateSpace,
        is_consistent: bool,
        mut estimate: impl FnMut(Option<u64>) -> Estimate,
    ) -> Self {
        let distances = space.goal_distances.iter();
        let estimates = space.states.iter().cloned().zip(distances.map(|&cost| estimate(cost)));
        Self { estimates: estimates.collect(), is_consistent }
    }
}

impl Heuristic for Table {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.estimates[&state.unpack()]
    }

    fn is_consistent(&self) -> bool {
        self.is_consistent
    }
}

#[test]
fn perfect_heuristic_expands_nothing_before_the_last_layer() {
    for seed in 0..SEEDS {
        let task = RandomTask { percent_free: 20, ..plain() }.generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let exact = |cost: Option<u64>| cost.map_or(Estimate::DEAD_END, Estimate::at_least);
        let result = run(&task, &Packing::new(&task), &mut Table::new(&space, true, exact));
        check(&task, &space, &result, seed);
        assert_eq!(result.statistics.expanded_until_last_jump, 0);
        assert_eq!(result.initial, Some(exact(space.optimal_cost())));
        if space.optimal_cost().is_none() {
            assert_eq!((result.statistics.expanded, result.statistics.dead_ends), (0, 1));
        }
    }
}

#[test]
fn inconsistent_heuristics_reopen_and_stay_optimal() {
    let mut reopened = 0;
    for seed in 0..SEEDS {
        let task = RandomTask { variables: 6, operators: 20, cost: 20, ..plain() }.generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let mut rng = Rng::new(seed);
        let admissible = |cost: Option<u64>| match cost {
            Some(cost) => Estimate::at_least(u64::from(rng.below(cost as u32 + 1))),
            None if rng.chance(50) => Estimate::DEAD_END,
            None => Estimate::at_least(rng.below(50).into()),
        };
        let mut table = Table::new(&space, false, admissible);
        let result = run(&task, &Packing::new(&task), &mut table);
        check(&task, &space, &result, seed);
        reopened += result.statistics.reopened;
    }
    assert!(reopened > 0, "no heuristic was inconsistent enough");
}

/// Asks for a successor's estimate through its parent's, as potential
/// heuristics do.
struct Incremental {
    table: Table,
    packing: Packing,
    task: Task,
    parent: Option<Vec<u32>>,
}

impl Heuristic for Incremental {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.table.estimate(state)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.parent = Some(parent.unpack());
    }

    fn estimate_successor(
        &mut self,
        operator: hipot_task::OperatorId,
        successor: StateView<'_>,
    ) -> Estimate {
        let parent = self.parent.as_ref().expect("enter comes first");
        let state = hipot_check::apply(&self.task, self.task.operator(operator), parent);
        assert_eq!(successor.words(), self.packing.pack(&state));
        self.table.estimate(successor)
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

#[test]
fn successors_are_evaluated_from_the_parent_that_was_entered() {
    for seed in 0..SEEDS / 4 {
        let task = plain().generate(seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let exact = |cost: Option<u64>| cost.map_or(Estimate::DEAD_END, Estimate::at_least);
        let packing = Packing::new(&task);
        let table = Table::new(&space, true, exact);
        let mut heuristic =
            Incremental { table, packing: packing.clone(), task: task.clone(), parent: None };
        check(&task, &space, &run(&task, &packing, &mut heuristic), seed);
    }
}
