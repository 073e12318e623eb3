//! Proposition 2: the optimal solutions of Eq. 14–16, projected to h, are the optimal solutions
//! of Eq. 1–2. Over random abstractions, in exact arithmetic:
//!
//! - A solution of either LP is rounded to integers over one denominator. It solves its own
//!   constraints exactly; turned into the other kind as in the proof, it solves the others
//!   exactly; and both have the same exact value.
//! - The two sets of optimal solutions are the same: closed convex sets are, if they reach
//!   equally far in every direction. So a random direction is maximized over each of them, and
//!   the solutions found are exchanged, too.
//!
//! The proposition means potential functions with w(α(s_⋆)) = 0 for all α. Its proof shifts
//! others (constants can be moved from one abstraction to another), and so does the first test;
//! the second looks at these only.

mod common;

use hipot_lp::Solver;
use hipot_task::Rational;
use hipot_testing::Rng;

use common::abstractions::{Exact, FunctionLp, System, optimum};
use common::same;

const SEEDS: u64 = 80;

/// The shares of a solution of Eq. 14–16: the columns behind h, transition by transition.
fn shares(system: &System, lp: &FunctionLp, solution: &Exact) -> Vec<Vec<i64>> {
    let begin: usize = lp.functions.iter().map(Vec::len).sum();
    let columns = &solution.columns[begin..];
    columns.chunks(system.abstractions.len()).map(<[i64]>::to_vec).collect()
}

/// The solution of Eq. 14–16 that is best in `state`, checked; `None` if it is unbounded.
fn best_partitioning(
    system: &System,
    lp: &FunctionLp,
    solver: &mut Solver,
    state: usize,
) -> Option<Exact> {
    let (_, values) = lp.maximize(solver, system, state)?;
    let found = lp.exact(&values);
    assert!(found.is_cost_partitioning(system, &shares(system, lp, &found)));
    Some(found)
}

#[test]
fn each_solution_is_one_of_the_other_kind_with_the_same_value() {
    let (mut compared, mut negative_shares, mut shifted) = (0, 0, 0);
    for seed in 0..SEEDS {
        let Some(system) = System::random(seed) else { continue };
        let [partitionings, potentials] = [system.cost_partitionings(), system.potentials()];
        let [mut first, mut second] = [partitionings.solver(), potentials.solver()];
        for state in 0..system.space.states.len() {
            let context = format!("seed {seed}, state {state}");
            // From shares to potentials: w = h.
            let found = best_partitioning(&system, &partitionings, &mut first, state);
            let Some((_, values)) = potentials.maximize(&mut second, &system, state) else {
                assert!(found.is_none(), "{context}: only one is unbounded");
                continue;
            };
            let partitioning = found.expect("both are bounded");
            assert!(partitioning.is_potential(&system), "{context}");
            // From potentials to shares: c(s → s′) = w(α(s)) − w(α(s′)).
            let given = potentials.exact(&values);
            assert!(given.is_potential(&system), "{context}");
            let potential = given.normalized(&system);
            let shares = potential.transition_costs(&system);
            assert!(potential.is_cost_partitioning(&system, &shares), "{context}");
            let value = |function: &Exact| function.value(&system, state);
            assert_eq!(value(&partitioning), value(&potential), "{context}");
            compared += 1;
            negative_shares += shares.iter().flatten().filter(|&&share| share < 0).count();
            shifted += usize::from(given.functions != potential.functions);
        }
    }
    println!("{compared} states, {negative_shares} negative shares, {shifted} functions shifted");
    assert!(compared >= 300 && negative_shares >= 1000 && shifted >= 30);
}

/// The values of h and w that the second test looks at: within this distance of 0, so that
/// every direction has an end.
const BOX: f64 = 100.0;

/// The solutions with the best value in `state`, h(α(s_⋆)) = 0, and values in the box.
fn optimal_face(lp: &FunctionLp, system: &System, state: usize, best: Rational) -> FunctionLp {
    let mut face = lp.clone();
    for &column in face.functions.iter().flatten() {
        face.problem.set_column_bounds(column, -BOX..=BOX);
    }
    for column in face.columns(system, system.goal) {
        face.problem.set_column_bounds(column, 0.0..=0.0);
    }
    let terms: Vec<_> = face.columns(system, state).into_iter().map(|it| (it, 1.0)).collect();
    face.problem.add_row(best.to_f64().., terms);
    face
}

#[test]
fn both_sets_of_optimal_solutions_reach_equally_far() {
    let (mut directions, mut different) = (0, 0);
    for seed in 0..SEEDS {
        let Some(system) = System::random(seed) else { continue };
        let mut rng = Rng::new(seed);
        let [partitionings, potentials] = [system.cost_partitionings(), system.potentials()];
        let mut solver = partitionings.solver();
        let state = rng.below(system.space.states.len() as u32) as usize;
        let Some(found) = best_partitioning(&system, &partitionings, &mut solver, state) else {
            continue;
        };
        let best = found.value(&system, state);
        let faces = [&partitionings, &potentials].map(|lp| optimal_face(lp, &system, state, best));
        let mut solvers = [faces[0].solver(), faces[1].solver()];
        for _ in 0..4 {
            let context = format!("seed {seed}, state {state}");
            let count = faces[0].functions.iter().map(Vec::len).sum();
            let direction: Vec<f64> = (0..count).map(|_| f64::from(rng.below(7)) - 3.0).collect();
            let [a, b] = [0, 1].map(|index| {
                // The columns of h come first, the shares are in no direction.
                let mut objective = direction.clone();
                objective.resize(faces[index].problem.num_columns(), 0.0);
                let (reach, values) =
                    optimum(&mut solvers[index], &objective).expect("the box has an end");
                (reach, faces[index].exact(&values))
            });
            assert!(same(a.0, b.0), "{context}: {} and {}", a.0, b.0);
            for solution in [&a.1, &b.1] {
                let shares = solution.transition_costs(&system);
                assert!(solution.is_potential(&system), "{context}");
                assert!(solution.is_cost_partitioning(&system, &shares), "{context}");
                assert_eq!(solution.value(&system, state), best, "{context}");
            }
            directions += 1;
            different += usize::from(a.1.functions != found.functions);
        }
    }
    println!("{directions} directions, {different} other solutions");
    assert!(directions >= 100 && different >= 50, "{directions} {different}");
}
