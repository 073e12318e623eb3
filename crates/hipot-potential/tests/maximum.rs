//! Several functions as one heuristic: its estimates are the maxima of theirs.

mod common;

use std::sync::Arc;

use common::{TINY, random_task};
use hipot_analysis::OpenValues;
use hipot_potential::{
    Certified, FeatureSet, MutexChoice, NormalForm, Optimum, Params, PotentialHeuristic,
    fact_ensemble, optimize,
};
use hipot_task::{Estimate, Heuristic, Limits, Packing, StateView, Task};
use hipot_testing::{RandomTask, StateSpace};

/// Functions of size `dimension`, and one of size 1: with other features and denominators.
fn functions(normal: &Arc<NormalForm>, space: &StateSpace, dimension: usize) -> Vec<Certified> {
    let (params, limits) = (Params::default(), Limits::none());
    let mut functions = Vec::new();
    for dimension in [1, dimension] {
        let features = FeatureSet::UpTo(dimension);
        match optimize(normal, features, normal.initial(), &params, &limits).unwrap() {
            Optimum::Function(function, _) => functions.push(function),
            Optimum::Unsolvable(..) => return Vec::new(),
        }
    }
    let known = functions[1].clone();
    let features = FeatureSet::Given(known.features());
    let found = fact_ensemble(&known, features, &space.states, 6, &params, &limits);
    functions.extend(found.unwrap());
    functions
}

/// Compares all estimates, from scratch and from the parent, with those of single functions.
fn compare<const N: usize>(
    (task, space): (&Task, &StateSpace),
    mut together: PotentialHeuristic<N>,
    mut alone: Vec<PotentialHeuristic>,
    what: &str,
) {
    let packing = Packing::new(task);
    let words: Vec<Vec<u32>> = space.states.iter().map(|state| packing.pack(state)).collect();
    let view = |index: usize| StateView::new(&packing, &words[index]);
    let mut expected = Vec::new();
    for index in 0..words.len() {
        let estimates = alone.iter_mut().map(|it| it.estimate(view(index)));
        let highest: Estimate = estimates.max().unwrap();
        assert_eq!(together.estimate(view(index)), highest, "{what}");
        expected.push(highest);
    }
    for &(source, operator, target) in &space.transitions {
        together.enter(view(source));
        let estimate = together.estimate_successor(operator, view(target));
        assert_eq!(estimate, expected[target], "{what}: {operator}");
    }
}

#[test]
fn several_functions_are_their_maximum() {
    let (mut compared, mut pruned_too) = (0, 0);
    for seed in 0..120 {
        let task = random_task(RandomTask { operators: 10, ..TINY }, seed);
        let space = StateSpace::explore(&task, 2000).unwrap();
        let choice = if seed % 2 == 0 { MutexChoice::None } else { MutexChoice::H2 };
        let open = OpenValues::Unknown;
        let normal = Arc::new(NormalForm::new(&task, choice, open, &Limits::none()).unwrap());
        for dimension in 2..=3 {
            let all = functions(&normal, &space, dimension);
            if all.is_empty() {
                continue;
            }
            let what = format!("seed {seed}, dimension {dimension}, {} functions", all.len());
            let all: Vec<&Certified> = all.iter().collect();
            let alone = all.iter().map(|it| PotentialHeuristic::new(it, &task)).collect();
            let together = PotentialHeuristic::<8>::maximum(&all, &task);
            compare((&task, &space), together, alone, &what);
            compared += usize::from(all.len() > 3);
            if let Some(pruned) = normal.pruned() {
                let space = StateSpace::explore(pruned.task(), 2000).unwrap();
                let alone = all.iter().map(|it| PotentialHeuristic::pruned(it, pruned)).collect();
                let together = PotentialHeuristic::<8>::pruned_maximum(&all, pruned);
                compare((pruned.task(), &space), together, alone, &what);
                pruned_too += 1;
            }
        }
    }
    assert!(compared > 60 && pruned_too > 20, "{compared} {pruned_too}");
}
