//! Orbit search against Dijkstra's algorithm, on random tiny tasks made of copies of a component.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use hipot_check::execute;
use hipot_search::{
    AStar, Blind, Change, OrbitSearch, Orbits, Outcome, SearchParams, SearchResult, StateBudget,
    Ties, UseOfSymmetries, astar,
};
use hipot_task::{Estimate, Fact, Heuristic, Limits, Packing, StateView, Task, Value};
use hipot_testing::{RandomTask, Rng, StateSpace, Symmetric, SymmetricTask};

const MAX_STATES: usize = 20_000;
const SEEDS: u64 = 400;

fn shape(starts_alike: bool) -> SymmetricTask {
    let component =
        RandomTask { variables: 3, operators: 12, percent_free: 15, ..RandomTask::default() };
    SymmetricTask { component, copies: 3, starts_alike }
}

fn orbits(symmetric: &Symmetric) -> Orbits {
    Orbits::new(&symmetric.task, &Packing::new(&symmetric.task), &symmetric.generators)
}

fn begin(symmetric: &Symmetric, ties: Ties) -> AStar {
    let packing = Packing::new(&symmetric.task);
    AStar::of_orbits(&symmetric.task, &packing, ties, Some(orbits(symmetric))).unwrap()
}

fn run<H: Heuristic>(search: &mut AStar, heuristic: &mut H) -> SearchResult {
    search.advance(heuristic, StateBudget::default(), &Limits::none(), &mut |_| {})
}

/// Checks outcome, lower bound and plan against the true optimal cost.
fn check(task: &Task, cost: Option<u64>, result: &SearchResult, seed: u64) {
    match (&result.outcome, cost) {
        (Outcome::Solved(plan), Some(cost)) => {
            assert_eq!((plan.cost, result.lower_bound), (cost, cost), "seed {seed}");
            let operators = plan.operators.iter().map(|&id| task.operator(id));
            assert_eq!(execute(task, operators), Ok(cost), "seed {seed}");
        }
        (Outcome::Unsolvable, None) => {}
        (outcome, cost) => panic!("seed {seed}: {outcome:?}, but h* is {cost:?}"),
    }
}

/// Blind search with and without symmetries: the states expanded before the last layer.
fn blind(shape: SymmetricTask) -> (u64, u64) {
    let (mut without, mut with, mut solvable) = (0, 0, 0);
    for seed in 0..SEEDS {
        let symmetric = shape.generate(seed);
        let task = &symmetric.task;
        let cost = StateSpace::explore(task, MAX_STATES).unwrap().optimal_cost();
        let packing = Packing::new(task);
        let heuristic = &mut Blind::new(task, &packing);
        let params = SearchParams::default();
        let plain = astar(task, &packing, heuristic, params, &Limits::none(), &mut |_| {});
        let found = run(&mut begin(&symmetric, Ties::Newest), heuristic);
        check(task, cost, &found, seed);
        assert_eq!((plain.symmetries, found.symmetries), (0, symmetric.generators.len()));
        assert_eq!(found.statistics.reopened, 0, "seed {seed}");
        let [plain, found] = [plain, found].map(|it| it.statistics.expanded_until_last_jump);
        assert!(found <= plain, "seed {seed}: {found} of {plain}");
        (without, with) = (without + plain, with + found);
        solvable += usize::from(cost.is_some());
    }
    assert!(solvable > SEEDS as usize / 8 && solvable < SEEDS as usize, "{solvable}");
    (without, with)
}

#[test]
fn blind_search_expands_one_state_of_each_orbit() {
    let (without, with) = blind(shape(true));
    assert!(2 * with < without, "{with} of {without}");
}

#[test]
fn symmetries_need_not_preserve_the_initial_state() {
    let (without, with) = blind(shape(false));
    assert!(3 * with < 2 * without, "{with} of {without}");
}

#[test]
fn costs_may_be_large() {
    let component = RandomTask { cost: i32::MAX as u32 - 1, ..shape(true).component };
    blind(SymmetricTask { component, ..shape(true) });
}

/// h* of all states that are reachable from the initial state or from an image of it.
fn distances(symmetric: &Symmetric) -> HashMap<Vec<Value>, Option<u64>> {
    let task = &symmetric.task;
    let space = StateSpace::explore(task, MAX_STATES).unwrap();
    let mut all: HashMap<Vec<Value>, Option<u64>> = HashMap::new();
    let known = space.states.into_iter().zip(space.goal_distances);
    let mut open: Vec<(Vec<Value>, Option<u64>)> = known.collect();
    while let Some((state, distance)) = open.pop() {
        if all.insert(state.clone(), distance).is_some() {
            continue;
        }
        for moved in &symmetric.generators {
            let mut image = state.clone();
            for &(from, to) in moved {
                if state[from.variable.index()] == from.value {
                    image[to.variable.index()] = to.value;
                }
            }
            open.push((image, distance));
        }
    }
    all
}

/// Estimates given as tables; their maximum is taken.
struct Tables {
    functions: Vec<Rc<HashMap<Vec<Value>, Estimate>>>,
    is_consistent: bool,
    is_invariant: bool,
}

impl Heuristic for Tables {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let state = state.unpack();
        let estimates = self.functions.iter().map(|function| function[&state]);
        estimates.max().unwrap_or(Estimate::at_least(0))
    }

    fn is_consistent(&self) -> bool {
        self.is_consistent
    }

    fn is_invariant_under(&self, _: &[(Fact, Fact)]) -> bool {
        self.is_invariant
    }
}

/// A share of the perfect heuristic: consistent, and the same for symmetric states.
fn share(all: &HashMap<Vec<Value>, Option<u64>>, tenths: u64) -> Tables {
    let estimate = |cost: u64| Estimate::at_least(cost * tenths / 10);
    let estimate = |cost: Option<u64>| cost.map_or(Estimate::DEAD_END, estimate);
    let function = all.iter().map(|(state, &cost)| (state.clone(), estimate(cost)));
    Tables { functions: vec![Rc::new(function.collect())], is_consistent: true, is_invariant: true }
}

/// Random admissible estimates, which differ between symmetric states.
fn random(all: &HashMap<Vec<Value>, Option<u64>>, rng: &mut Rng) -> Tables {
    let mut states: Vec<(&Vec<Value>, Option<u64>)> = all.iter().map(|(s, &c)| (s, c)).collect();
    states.sort_unstable();
    let estimate = |cost: Option<u64>| match cost {
        Some(cost) => Estimate::at_least(u64::from(rng.below(cost as u32 + 1))),
        None if rng.chance(50) => Estimate::DEAD_END,
        None => Estimate::at_least(rng.below(50).into()),
    };
    let estimates: Vec<Estimate> = states.iter().map(|&(_, cost)| cost).map(estimate).collect();
    let function = states.into_iter().map(|(state, _)| state.clone()).zip(estimates);
    let functions = vec![Rc::new(function.collect())];
    Tables { functions, is_consistent: false, is_invariant: false }
}

#[test]
fn invariant_heuristics_reopen_nothing_in_any_order() {
    for seed in 0..SEEDS {
        let symmetric = shape(seed % 2 == 0).generate(seed);
        let all = distances(&symmetric);
        let cost = all[symmetric.task.initial()];
        for ties in [Ties::Newest, Ties::Oldest, Ties::Dives { seed, patience: seed % 8 }] {
            let heuristic = &mut share(&all, seed % 11);
            let result = run(&mut begin(&symmetric, ties), heuristic);
            check(&symmetric.task, cost, &result, seed);
            assert_eq!(result.statistics.reopened, 0, "seed {seed}");
        }
    }
}

#[test]
fn other_heuristics_reopen_and_stay_optimal() {
    let mut reopened = 0;
    for seed in 0..SEEDS {
        let symmetric = shape(seed % 2 == 0).generate(seed);
        let all = distances(&symmetric);
        let heuristic = &mut random(&all, &mut Rng::new(seed));
        let result = run(&mut begin(&symmetric, Ties::Newest), heuristic);
        check(&symmetric.task, all[symmetric.task.initial()], &result, seed);
        reopened += result.statistics.reopened;
    }
    assert!(reopened > 0, "no heuristic was inconsistent enough");
}

/// A search that is continued with more functions, invariant or not.
#[test]
fn a_search_can_be_continued_with_another_heuristic() {
    let mut reevaluated = 0;
    for seed in 0..SEEDS {
        let symmetric = shape(seed % 2 == 0).generate(seed);
        let all = distances(&symmetric);
        let mut rng = Rng::new(seed);
        let mut heuristic =
            if rng.chance(50) { share(&all, 3) } else { random(&all, &mut Rng::new(seed)) };
        let mut search = begin(&symmetric, Ties::Dives { seed, patience: 3 });
        let mut budget = StateBudget { evaluated: 0, ..StateBudget::default() };
        let result = loop {
            budget.evaluated += u64::from(1 + rng.below(1 + all.len() as u32 / 8));
            let result = search.advance(&mut heuristic, budget, &Limits::none(), &mut |_| {});
            if result.outcome != Outcome::BudgetSpent {
                break result;
            }
            heuristic.functions.extend(share(&all, rng.below(11).into()).functions);
            search.change_heuristic(Change::Higher);
        };
        check(&symmetric.task, all[symmetric.task.initial()], &result, seed);
        assert!(result.statistics.reopened == 0 || !heuristic.is_invariant, "seed {seed}");
        reevaluated += result.statistics.reevaluated;
    }
    assert!(reevaluated > SEEDS / 3, "{reevaluated}");
}

/// `count` lamps that can be switched on and off, of which the first `symmetric` are alike: the
/// cost of the others differs.
fn lamps(count: u32, symmetric: u32) -> Symmetric {
    use hipot_task::{Effect, Operator, TaskBuilder, Variable};
    let mut builder = TaskBuilder::new(true);
    let add = |_| builder.add_variable(Variable::new("lamp", ["off", "on"])).unwrap();
    let lamps: Vec<_> = (0..count).map(add).collect();
    builder.set_initial(vec![0; count as usize]).unwrap();
    builder.set_goal(lamps.iter().map(|&lamp| Fact::new(lamp, 1)).collect()).unwrap();
    for (number, &lamp) in lamps.iter().enumerate() {
        for value in 0..2 {
            let cost = if number < symmetric as usize { 1 } else { 2 + number as u32 };
            let (preconditions, fact) = (vec![Fact::new(lamp, 1 - value)], Fact::new(lamp, value));
            let (name, effects) = (format!("{number}-{value}"), vec![Effect::new(fact)]);
            builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
        }
    }
    let mut generators = Vec::new();
    for pair in lamps[..symmetric as usize].windows(2) {
        let moved = (0..2).flat_map(|value| {
            let [a, b] = [pair[0], pair[1]].map(|lamp| Fact::new(lamp, value));
            [(a, b), (b, a)]
        });
        generators.push(moved.collect());
    }
    Symmetric { task: builder.build(), generators }
}

/// The number of times that symmetries were asked for, and the result.
fn solve_lamps(count: u32, symmetric: u32, symmetries: UseOfSymmetries) -> (u32, SearchResult) {
    let symmetric = lamps(count, symmetric);
    let (task, packing) = (&symmetric.task, &Packing::new(&symmetric.task));
    let params = SearchParams { symmetries, ..SearchParams::default() };
    let asked = Cell::new(0);
    let find = &|| {
        asked.set(asked.get() + 1);
        orbits(&symmetric)
    };
    let heuristic = &mut Blind::new(task, packing);
    let tell = &mut |_: hipot_search::Progress<'_>| {};
    let limits = &Limits::none();
    let mut search = OrbitSearch::new(task, packing, params).unwrap();
    // In turns, across the trials.
    for evaluated in [100, 30_000] {
        let budget = StateBudget { evaluated, ..StateBudget::default() };
        search.advance((task, packing), heuristic, budget, find, limits, tell);
    }
    let all = StateBudget::default();
    let result = search.advance((task, packing), heuristic, all, find, limits, tell);
    assert_eq!(result.statistics, search.result_so_far().statistics);
    let cost = task.operators().iter().map(|it| u64::from(it.cost)).sum::<u64>() / 2;
    check(task, Some(cost), &result, 0);
    (asked.get(), result)
}

#[test]
fn symmetries_are_used_if_they_pay() {
    use UseOfSymmetries::{Always, IfTheyPay, Never};
    // 2¹⁶ states: they have 17 representatives, or 2¹⁶ if no two lamps are alike.
    let (asked, plain) = solve_lamps(16, 16, Never);
    assert_eq!((asked, plain.symmetries, plain.statistics.evaluated), (0, 0, 1 << 16));
    let (asked, found) = solve_lamps(16, 16, IfTheyPay);
    assert_eq!((asked, found.symmetries), (1, 15));
    assert!(found.statistics.evaluated < 21_000, "{:?}", found.statistics);
    let (asked, found) = solve_lamps(16, 16, Always);
    assert_eq!((asked, found.symmetries, found.statistics.evaluated), (1, 15, 17));
    let (asked, found) = solve_lamps(16, 0, IfTheyPay);
    assert_eq!((asked, found.symmetries), (1, 0));
    assert_eq!(found.statistics, solve_lamps(16, 0, Never).1.statistics);
    // Short searches do not ask.
    assert_eq!(solve_lamps(8, 8, IfTheyPay).0, 0);
}
