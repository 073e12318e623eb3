//! Arbitrary abstractions, explicitly: maps from the states of a transition system to numbers,
//! and the two linear programs of Theorem 7 over them, written down as the paper has them.
//!
//! Nothing here knows about variables. The states are the reachable ones of a task in TNF: they
//! and their transitions are a transition system of their own, with one goal state, and the
//! theorem is about any of these.

use hipot_lp::{Column, Params, Problem, Solver, Status, common_denominator, nearest_integers};
use hipot_task::Rational;
use hipot_testing::{Rng, StateSpace};

use super::{explore, in_normal_form, random_tnf};

/// A transition between states, and its cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) cost: u32,
}

/// A map from states to abstract states, numbers below `size`.
#[derive(Clone, Debug)]
pub(crate) struct Abstraction {
    pub(crate) of_state: Vec<usize>,
    pub(crate) size: usize,
}

impl Abstraction {
    /// A random map that is onto: states are merged until `size` classes are left.
    pub(crate) fn random(states: usize, size: usize, rng: &mut Rng) -> Self {
        let mut of_state: Vec<usize> = (0..states).collect();
        for last in (size..states).rev() {
            // The last two classes change places, so that any two may be merged.
            let other = rng.below(last as u32 + 1) as usize;
            let into = rng.below(last as u32) as usize;
            for class in &mut of_state {
                *class = match *class {
                    own if own == other => last,
                    own if own == last => other,
                    own => own,
                };
            }
            of_state.iter_mut().filter(|class| **class == last).for_each(|class| *class = into);
        }
        Self { of_state, size }
    }

    /// A random map, coarse or fine.
    pub(crate) fn any(states: usize, rng: &mut Rng) -> Self {
        let begin = if rng.chance(50) { 1 } else { states.div_ceil(3) };
        let size = begin + rng.below((states - begin + 1) as u32) as usize;
        Self::random(states, size, rng)
    }
}

/// A transition system with one goal state, and some abstractions of it.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) space: StateSpace,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) goal: usize,
    pub(crate) abstractions: Vec<Abstraction>,
}

impl System {
    /// The reachable states of a random task in TNF, with one to four random abstractions;
    /// `None` if the goal is unreachable.
    pub(crate) fn random(seed: u64) -> Option<Self> {
        let task = random_tnf(seed);
        let space = explore(&task);
        let goal = in_normal_form(&task).goal().to_vec();
        let goal = space.states.iter().position(|state| *state == goal)?;
        let transition = |&(from, operator, to)| {
            let cost = task.operator(operator).cost;
            Transition { from, to, cost }
        };
        let transitions = space.transitions.iter().map(transition).collect();
        let mut rng = Rng::new(seed);
        let states = space.states.len();
        let abstractions = (0..=rng.below(4)).map(|_| Abstraction::any(states, &mut rng)).collect();
        Some(Self { space, transitions, goal, abstractions })
    }

    /// The LP of Eq. 14–16, with all its columns.
    pub(crate) fn cost_partitionings(&self) -> FunctionLp {
        let mut problem = Problem::maximize();
        let h = self.add_functions(&mut problem);
        for (columns, abstraction) in h.iter().zip(&self.abstractions) {
            problem.set_column_bounds(columns[abstraction.of_state[self.goal]], 0.0..=0.0);
        }
        for &Transition { from, to, cost } in &self.transitions {
            let mut shares = Vec::new();
            for (columns, abstraction) in h.iter().zip(&self.abstractions) {
                let share = problem.add_column(0.0, ..);
                let before = columns[abstraction.of_state[from]];
                let after = columns[abstraction.of_state[to]];
                if before == after {
                    problem.add_row(..=0.0, [(share, -1.0)]);
                } else {
                    problem.add_row(..=0.0, [(before, 1.0), (after, -1.0), (share, -1.0)]);
                }
                shares.push((share, 1.0));
            }
            problem.add_row(..=f64::from(cost), shares);
        }
        FunctionLp { problem, functions: h }
    }

    /// The LP of Eq. 1–2 with the abstract states as features.
    pub(crate) fn potentials(&self) -> FunctionLp {
        let mut problem = Problem::maximize();
        let w = self.add_functions(&mut problem);
        let terms = |state: usize, sign: f64| {
            let column = move |(columns, abstraction): (&Vec<Column>, &Abstraction)| {
                (columns[abstraction.of_state[state]], sign)
            };
            w.iter().zip(&self.abstractions).map(column)
        };
        problem.add_row(..=0.0, terms(self.goal, 1.0));
        for &Transition { from, to, cost } in &self.transitions {
            let pairs = terms(from, 1.0).zip(terms(to, -1.0)).filter(|(a, b)| a.0 != b.0);
            problem.add_row(..=f64::from(cost), pairs.flat_map(|(a, b)| [a, b]));
        }
        FunctionLp { problem, functions: w }
    }

    fn add_functions(&self, problem: &mut Problem) -> Vec<Vec<Column>> {
        let of_abstraction = |abstraction: &Abstraction| {
            (0..abstraction.size).map(|_| problem.add_column(0.0, ..)).collect()
        };
        self.abstractions.iter().map(of_abstraction).collect()
    }
}

/// A linear program over a function of abstract states, and further columns behind it.
#[derive(Clone, Debug)]
pub(crate) struct FunctionLp {
    pub(crate) problem: Problem,
    /// The columns of each abstraction's states.
    pub(crate) functions: Vec<Vec<Column>>,
}

/// The optimum of an LP, and a solution that attains it; `None` if it is unbounded.
pub(crate) type Optimum = Option<(f64, Vec<f64>)>;

impl FunctionLp {
    /// A solver, which can be given one state after another.
    pub(crate) fn solver(&self) -> Solver {
        Solver::new(&self.problem).expect("a valid problem")
    }

    /// The columns of a state's abstractions.
    pub(crate) fn columns(&self, system: &System, state: usize) -> Vec<Column> {
        let pairs = self.functions.iter().zip(&system.abstractions);
        pairs.map(|(columns, abstraction)| columns[abstraction.of_state[state]]).collect()
    }

    /// The function's largest value in a state.
    pub(crate) fn maximize(&self, solver: &mut Solver, system: &System, state: usize) -> Optimum {
        let mut objective = vec![0.0; self.problem.num_columns()];
        for column in self.columns(system, state) {
            objective[column.index()] = 1.0;
        }
        optimum(solver, &objective)
    }

    /// The solution in integers over a denominator: the function, and all columns.
    pub(crate) fn exact(&self, values: &[f64]) -> Exact {
        let denominator = common_denominator(values).expect("a vertex with small denominators");
        let columns = nearest_integers(values, denominator as f64).expect("small values");
        let of_abstraction = |of: &Vec<Column>| of.iter().map(|c| columns[c.index()]).collect();
        let functions = self.functions.iter().map(of_abstraction).collect();
        Exact { functions, denominator, columns }
    }
}

/// The optimum with another objective.
pub(crate) fn optimum(solver: &mut Solver, objective: &[f64]) -> Optimum {
    solver.set_objective(objective).expect("one coefficient for each column");
    let params = Params { known_feasible: true, tolerance: 1e-9, ..Params::default() };
    let solution = solver.solve(&params);
    match solution.status {
        Status::Optimal => Some((solution.objective, solution.values)),
        Status::Unbounded => None,
        status => panic!("a tiny LP ended {status:?}"),
    }
}

/// A function of abstract states in exact arithmetic.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    /// The numerators for each abstraction's states.
    pub(crate) functions: Vec<Vec<i64>>,
    pub(crate) denominator: i64,
    /// The numerators of all columns.
    pub(crate) columns: Vec<i64>,
}

impl Exact {
    /// The function's parts in a state: h(α(s)) for each α, as numerators.
    pub(crate) fn parts(&self, system: &System, state: usize) -> Vec<i64> {
        let pairs = self.functions.iter().zip(&system.abstractions);
        pairs.map(|(function, abstraction)| function[abstraction.of_state[state]]).collect()
    }

    /// φ(s) = Σ_α h(α(s)).
    pub(crate) fn value(&self, system: &System, state: usize) -> Rational {
        let numerator = self.numerator(system, state).into();
        Rational { numerator, denominator: self.denominator.into() }
    }

    fn numerator(&self, system: &System, state: usize) -> i64 {
        self.parts(system, state).iter().sum()
    }

    /// Eq. 1 and 2: φ(s_⋆) ≤ 0, and φ(s) − φ(s′) ≤ cost(o).
    pub(crate) fn is_potential(&self, system: &System) -> bool {
        let consistent = |transition: &Transition| {
            let decrease =
                self.numerator(system, transition.from) - self.numerator(system, transition.to);
            decrease <= i64::from(transition.cost) * self.denominator
        };
        self.numerator(system, system.goal) <= 0 && system.transitions.iter().all(consistent)
    }

    /// Eq. 14–16 with these shares: for each transition one for each abstraction.
    pub(crate) fn is_cost_partitioning(&self, system: &System, shares: &[Vec<i64>]) -> bool {
        let holds = |(transition, shares): (&Transition, &Vec<i64>)| {
            let before = self.parts(system, transition.from);
            let after = self.parts(system, transition.to);
            let mut steps = before.iter().zip(&after).zip(shares);
            steps.all(|((before, after), share)| before - after <= *share)
                && shares.iter().sum::<i64>() <= i64::from(transition.cost) * self.denominator
        };
        self.parts(system, system.goal).iter().all(|&part| part == 0)
            && shares.len() == system.transitions.len()
            && system.transitions.iter().zip(shares).all(holds)
    }

    /// w′(α(s)) = w(α(s)) − w(α(s_⋆)), as in the proof of Proposition 2.
    pub(crate) fn normalized(&self, system: &System) -> Self {
        let goal = self.parts(system, system.goal);
        let shift =
            |(function, goal): (&Vec<i64>, i64)| function.iter().map(|w| w - goal).collect();
        let functions = self.functions.iter().zip(goal).map(shift).collect();
        Self { functions, ..self.clone() }
    }

    /// c^α(s → s′) = w(α(s)) − w(α(s′)), as in the proof of Proposition 2.
    pub(crate) fn transition_costs(&self, system: &System) -> Vec<Vec<i64>> {
        let of_transition = |transition: &Transition| {
            let before = self.parts(system, transition.from);
            let after = self.parts(system, transition.to);
            before.iter().zip(after).map(|(before, after)| before - after).collect()
        };
        system.transitions.iter().map(of_transition).collect()
    }
}
