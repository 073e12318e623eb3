//! Proposition 1 (Keller et al., IJCAI 2016): whatever transition cost partitioning is given,
//! Σ_i h_i(s, cost_i) ≤ h*(s) in every state.
//!
//! The heuristics are distances in random abstractions, maps from states to anything at all.
//! The cost functions are random integers, negative ones included, in units of 1/6 of the
//! task's costs; everything here is exact. A distance is −∞ if a negative cycle lies on the
//! way to the goal, and then so is the sum: nothing is claimed, which is admissible.

mod common;

use hipot_check::is_goal;
use hipot_task::Task;
use hipot_testing::{Rng, StateSpace};

use common::abstractions::Abstraction;
use common::{explore, random_task};

const SEEDS: u64 = 900;

/// The costs of the task are multiplied by this, so that shares need not be integers.
const UNITS: u32 = 6;

/// The length of a shortest path to the goal, in order of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// −∞: there are paths of any length below 0.
    NegativeCycle,
    Finite(i64),
    /// +∞.
    NoPath,
}

impl Distance {
    /// The length of a path that begins with a step of this length.
    fn after(self, step: i64) -> Self {
        match self {
            Self::Finite(length) => Self::Finite(step + length),
            infinite => infinite,
        }
    }
}

/// The transitions of an abstraction: ⟨from, cost, to⟩.
type Edges = Vec<(usize, i64, usize)>;

/// The algorithm of Bellman and Ford. A state that still improves after as many rounds as
/// there are states, or reaches one that does, has paths of any length.
fn distances(size: usize, edges: &Edges, goals: &[usize]) -> Vec<Distance> {
    let mut found = vec![Distance::NoPath; size];
    for &goal in goals {
        found[goal] = Distance::Finite(0);
    }
    for round in 0..2 * size {
        for &(from, cost, to) in edges {
            let length = found[to].after(cost);
            if length < found[from] {
                found[from] = if round < size { length } else { Distance::NegativeCycle };
            }
        }
    }
    found
}

/// Costs for each abstraction and transition.
type CostFunctions = Vec<Vec<i64>>;

/// How the costs of a transition are distributed.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Shares of at least 0.
    Nonnegative,
    /// Differences of random potentials, and of what is left some more.
    Potentials,
    /// Anything.
    Wild,
}

/// A random transition cost partitioning over these abstractions.
fn partition(
    task: &Task,
    space: &StateSpace,
    abstractions: &[Abstraction],
    kind: Kind,
    rng: &mut Rng,
) -> CostFunctions {
    let potentials: Vec<Vec<i64>> = abstractions
        .iter()
        .map(|abstraction| (0..abstraction.size).map(|_| rng.below(UNITS).into()).collect())
        .collect();
    let mut costs = vec![Vec::new(); abstractions.len()];
    for &(from, operator, to) in &space.transitions {
        let mut left = i64::from(task.operator(operator).cost) * i64::from(UNITS);
        let mut shares: Vec<i64> = Vec::new();
        for (abstraction, potential) in abstractions.iter().zip(&potentials) {
            let [before, after] = [from, to].map(|state| abstraction.of_state[state]);
            shares.push(match kind {
                Kind::Nonnegative => {
                    rng.below(u32::try_from(left).expect("no more is given") + 1).into()
                }
                Kind::Potentials => potential[before] - potential[after],
                Kind::Wild => i64::from(rng.below(2 * UNITS)) - i64::from(UNITS / 2),
            });
            left -= shares[shares.len() - 1];
        }
        // What was given away twice is taken back; of what is left, someone gets a part.
        let lucky = rng.below(shares.len() as u32) as usize;
        shares[lucky] += if left < 0 || rng.chance(70) { left } else { left / 2 };
        costs.iter_mut().zip(shares).for_each(|(costs, share)| costs.push(share));
    }
    costs
}

/// Definition 1.
fn is_partitioning(task: &Task, space: &StateSpace, costs: &CostFunctions) -> bool {
    space.transitions.iter().enumerate().all(|(index, &(_, operator, _))| {
        let sum: i64 = costs.iter().map(|costs| costs[index]).sum();
        sum <= i64::from(task.operator(operator).cost) * i64::from(UNITS)
    })
}

/// Σ_i h_i(s, cost_i) for every state, with −∞ wherever one of the distances is −∞. A
/// distance of +∞ is that of a dead end.
fn sums(
    task: &Task,
    space: &StateSpace,
    abstractions: &[Abstraction],
    costs: &CostFunctions,
) -> Vec<Distance> {
    let mut sums = vec![Distance::Finite(0); space.states.len()];
    for (abstraction, costs) in abstractions.iter().zip(costs) {
        let edge = |(&(from, _, to), &cost): (&(usize, _, usize), &i64)| {
            (abstraction.of_state[from], cost, abstraction.of_state[to])
        };
        let edges: Edges = space.transitions.iter().zip(costs).map(edge).collect();
        let goals = (0..space.states.len()).filter(|&state| is_goal(task, &space.states[state]));
        let goals: Vec<usize> = goals.map(|state| abstraction.of_state[state]).collect();
        let found = distances(abstraction.size, &edges, &goals);
        for (sum, &class) in sums.iter_mut().zip(&abstraction.of_state) {
            *sum = match (*sum, found[class]) {
                (Distance::NegativeCycle, _) | (_, Distance::NegativeCycle) => {
                    Distance::NegativeCycle
                }
                (Distance::NoPath, _) | (_, Distance::NoPath) => Distance::NoPath,
                (Distance::Finite(sum), Distance::Finite(own)) => Distance::Finite(sum + own),
            };
        }
    }
    sums
}

/// h*(s).
fn perfect(space: &StateSpace, state: usize) -> Distance {
    let length =
        |cost: u64| Distance::Finite(i64::try_from(cost).expect("a small cost") * i64::from(UNITS));
    space.goal_distances[state].map_or(Distance::NoPath, length)
}

/// What the sums look like.
#[derive(Debug, Default)]
struct Tally {
    minus_infinity: usize,
    negative: usize,
    positive: usize,
    perfect: usize,
    dead_ends: usize,
    negative_costs: usize,
}

impl Tally {
    fn add(&mut self, sum: Distance, perfect: Distance) {
        let is_finite = matches!(sum, Distance::Finite(_));
        self.minus_infinity += usize::from(sum == Distance::NegativeCycle);
        self.negative += usize::from(is_finite && sum < Distance::Finite(0));
        self.positive += usize::from(is_finite && sum > Distance::Finite(0));
        self.perfect += usize::from(is_finite && sum == perfect && sum > Distance::Finite(0));
        self.dead_ends += usize::from(sum == Distance::NoPath);
    }
}

/// The task, its states and abstractions with this number.
fn setting(seed: u64) -> (Task, StateSpace, Vec<Abstraction>, Rng) {
    let task = random_task(seed);
    let space = explore(&task);
    let mut rng = Rng::new(seed);
    let count = 1 + rng.below(3);
    let states = space.states.len();
    let abstractions = (0..count).map(|_| Abstraction::any(states, &mut rng)).collect();
    (task, space, abstractions, rng)
}

#[test]
fn the_sum_over_any_transition_cost_partitioning_is_admissible() {
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let (task, space, abstractions, mut rng) = setting(seed);
        for kind in [Kind::Nonnegative, Kind::Potentials, Kind::Wild] {
            let costs = partition(&task, &space, &abstractions, kind, &mut rng);
            assert!(is_partitioning(&task, &space, &costs), "seed {seed}, {kind:?}");
            tally.negative_costs += costs.iter().flatten().filter(|&&cost| cost < 0).count();
            for (state, sum) in sums(&task, &space, &abstractions, &costs).into_iter().enumerate() {
                let perfect = perfect(&space, state);
                assert!(
                    sum <= perfect,
                    "seed {seed}, {kind:?}, state {state}: {sum:?} {perfect:?}"
                );
                tally.add(sum, perfect);
            }
        }
    }
    println!("{tally:?}");
    let Tally { minus_infinity, negative, positive, perfect, dead_ends, negative_costs } = tally;
    let counts = [minus_infinity, negative, positive, perfect, dead_ends, negative_costs];
    assert!(counts.iter().all(|&count| count >= 100), "{counts:?}");
}

/// Definition 1 is needed: functions that give away 1 too much are not admissible.
#[test]
fn what_is_given_away_twice_is_noticed() {
    let mut inadmissible = 0;
    for seed in 0..SEEDS {
        let (task, space, abstractions, mut rng) = setting(seed);
        let mut costs = partition(&task, &space, &abstractions, Kind::Potentials, &mut rng);
        costs[0].iter_mut().for_each(|cost| *cost += i64::from(UNITS));
        if is_partitioning(&task, &space, &costs) {
            continue;
        }
        let sums = sums(&task, &space, &abstractions, &costs);
        inadmissible +=
            (0..sums.len()).filter(|&state| sums[state] > perfect(&space, state)).count();
    }
    assert!(inadmissible >= 100, "{inadmissible}");
}

#[test]
fn distances_with_negative_cycles() {
    use Distance::{Finite, NegativeCycle, NoPath};
    // 0 → 1 → goal 2, with a cycle 3 ⇄ 4 that leads to 1, and 5 that leads nowhere.
    let mut edges = vec![(0, 4, 1), (1, -3, 2), (3, 2, 4), (4, -2, 3), (4, 1, 1), (5, -1, 5)];
    let expected = [Finite(1), Finite(-3), Finite(0), Finite(0), Finite(-2), NoPath];
    assert_eq!(distances(6, &edges, &[2]), expected);
    edges[2].1 = 1;
    let expected = [Finite(1), Finite(-3), Finite(0), NegativeCycle, NegativeCycle, NoPath];
    assert_eq!(distances(6, &edges, &[2]), expected);
}
