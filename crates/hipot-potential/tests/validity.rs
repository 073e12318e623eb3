//! Where a function holds, and what follows from it.
//!
//! The mutexes of a normal form decide for which transitions its functions are consistent
//! ([`Validity`]). Here every syntactic transition is tried, in integers: those that the
//! validity promises keep Eq. 2, and some of the others do not, so no stronger promise would
//! be true. States are enumerated as well: no reachable state has a mutex of groups or of
//! forward h², no state of a plan has one of h², and some other reachable state has. The
//! heuristic of a search calls itself consistent just where all reachable states count.

mod common;

use std::sync::Arc;

use common::{TINY, plain, random_task, transitions};
use hipot_analysis::OpenValues;
use hipot_analysis::h2::{self, Direction, h2};
use hipot_check::is_goal;
use hipot_potential::{
    Certified, FeatureSet, MutexChoice, NormalForm, Optimum, Params, PotentialHeuristic, Validity,
    optimize,
};
use hipot_task::{Fact, Heuristic, Limits, MutexGroup, Task, TaskBuilder, Value};
use hipot_testing::{RandomTask, StateSpace};

const MAX_STATES: usize = 2000;

/// Tasks with few operators have many mutexes.
const FEW_OPERATORS: RandomTask = RandomTask { operators: 8, ..TINY };

/// What the functions of one validity have shown.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    functions: usize,
    /// Functions with a positive bound in the initial state.
    positive: usize,
    /// Transitions of the normal form that are promised nothing, and those of them that break
    /// Eq. 2.
    others: usize,
    broken: usize,
    /// Reachable states with a mutex.
    excluded_states: usize,
    /// Transitions between reachable states for which the bound is inconsistent.
    inconsistent: usize,
}

/// What was seen for each validity.
#[derive(Debug, Default)]
struct Tally {
    everywhere: Seen,
    without_mutexes: Seen,
    states_of_plans: Seen,
}

impl Tally {
    fn of(&mut self, validity: Validity) -> &mut Seen {
        match validity {
            Validity::Everywhere => &mut self.everywhere,
            Validity::WithoutMutexes => &mut self.without_mutexes,
            Validity::StatesOfPlans => &mut self.states_of_plans,
        }
    }
}

fn has_mutex(normal: &NormalForm, state: &[Value]) -> bool {
    let facts = normal.task().variable_ids().zip(state);
    let facts: Vec<Fact> = facts.map(|(variable, &value)| Fact::new(variable, value)).collect();
    normal.mutexes().is_some_and(|mutexes| mutexes.exclude(&facts))
}

/// A function, and what to compare it with.
struct Case<'a> {
    task: &'a Task,
    space: &'a StateSpace,
    function: &'a Certified,
    what: &'a str,
}

impl Case<'_> {
    fn normal(&self) -> &NormalForm {
        self.function.normal_form()
    }

    fn check(&self, seen: &mut Seen) {
        seen.functions += 1;
        seen.positive += usize::from(self.function.bound(self.task.initial()) > 0);
        self.check_heuristic();
        self.check_transitions(seen);
        self.check_reachable(seen);
    }

    fn check_heuristic(&self) {
        let heuristic = PotentialHeuristic::new(self.function, self.task);
        let is_consistent = match self.function.validity() {
            Validity::Everywhere | Validity::WithoutMutexes => true,
            Validity::StatesOfPlans => false,
        };
        assert_eq!(heuristic.is_consistent(), is_consistent, "{}", self.what);
    }

    /// Eq. 2 in integers, for all transitions of the normal form.
    fn check_transitions(&self, seen: &mut Seen) {
        let (normal, function) = (self.normal(), self.function);
        for (before, operator, after) in transitions(normal.task()) {
            let decrease = function.numerator(&before) - function.numerator(&after);
            let room = i128::from(normal.cost(operator)) * i128::from(function.denominator());
            let is_promised = match function.validity() {
                Validity::Everywhere => true,
                Validity::WithoutMutexes | Validity::StatesOfPlans => {
                    !has_mutex(normal, &before) && !has_mutex(normal, &after)
                }
            };
            if is_promised {
                assert!(decrease <= room, "{}: {operator} in {before:?}", self.what);
            } else {
                seen.others += 1;
                seen.broken += usize::from(decrease > room);
            }
        }
    }

    /// The states that count have no mutexes; among them the bound is consistent and 0 at
    /// goals.
    fn check_reachable(&self, seen: &mut Seen) {
        let (normal, function) = (self.normal(), self.function);
        let StateSpace { states, transitions, goal_distances } = self.space;
        let counts = |index: usize| match function.validity() {
            Validity::Everywhere | Validity::WithoutMutexes => true,
            Validity::StatesOfPlans => goal_distances[index].is_some(),
        };
        for (index, state) in states.iter().enumerate() {
            let is_excluded = has_mutex(normal, state);
            assert!(!(counts(index) && is_excluded), "{}: {state:?}", self.what);
            seen.excluded_states += usize::from(is_excluded);
            if is_goal(self.task, state) {
                assert_eq!(function.bound(state), 0, "{}: {state:?}", self.what);
            }
        }
        for &(source, operator, target) in transitions {
            let cost = u64::from(self.task.operator(operator).cost);
            let [before, after] = [source, target].map(|it| function.bound(&states[it]));
            let is_consistent = before <= cost + after;
            assert!(
                is_consistent || !(counts(source) && counts(target)),
                "{}: {operator} in {:?}",
                self.what,
                states[source]
            );
            seen.inconsistent += usize::from(!is_consistent);
        }
    }
}

/// Checks the best functions of `normal` for the initial state; they have the validity
/// `expected`.
fn check(task: &Task, normal: &Arc<NormalForm>, expected: Validity, tally: &mut Tally, what: &str) {
    assert_eq!(normal.validity(), expected, "{what}");
    let space = StateSpace::explore(task, MAX_STATES).unwrap();
    let (params, limits) = (Params::default(), Limits::none());
    for dimension in 1..=3 {
        let what = format!("{what}, dimension {dimension}");
        let features = FeatureSet::UpTo(dimension);
        let found = optimize(normal, features, normal.initial(), &params, &limits).unwrap();
        let function = match found {
            Optimum::Function(function, _) => function,
            Optimum::Unsolvable(function, _) => {
                assert_eq!(space.optimal_cost(), None, "{what}");
                function
            }
        };
        assert!(Arc::ptr_eq(function.normal_form(), normal), "{what}");
        assert_eq!(function.validity(), expected, "{what}");
        let case = Case { task, space: &space, function: &function, what: &what };
        case.check(tally.of(expected));
    }
}

fn with_choice(task: &Task, choice: MutexChoice, open: OpenValues) -> Arc<NormalForm> {
    Arc::new(NormalForm::new(task, choice, open, &Limits::none()).unwrap())
}

const OPEN_VALUES: [OpenValues; 2] = [OpenValues::Unknown, OpenValues::Cases];

#[test]
fn without_mutexes_functions_hold_everywhere() {
    let mut tally = Tally::default();
    for seed in 0..100 {
        let task = random_task(TINY, seed);
        check(&task, &plain(&task), Validity::Everywhere, &mut tally, &format!("seed {seed}"));
        for open in OPEN_VALUES {
            let normal = with_choice(&task, MutexChoice::None, open);
            let what = format!("seed {seed}, {open:?}");
            check(&task, &normal, Validity::Everywhere, &mut tally, &what);
        }
    }
    let Seen { functions, positive, others, .. } = tally.everywhere;
    assert!(functions == 900 && positive > 100 && others == 0, "{tally:?}");
}

/// `task` with each pair of facts of two variables as a mutex group. Most of the groups are
/// not mutex, and only those that are easily proved are used.
fn with_groups(task: &Task) -> Task {
    let mut builder = TaskBuilder::new(true);
    for variable in task.variables() {
        builder.add_variable(variable.clone()).unwrap();
    }
    builder.set_initial(task.initial().to_vec()).unwrap();
    builder.set_goal(task.goal().to_vec()).unwrap();
    for operator in task.operators() {
        builder.add_operator(operator.clone()).unwrap();
    }
    for facts in common::conjunctions(task, 2).into_iter().filter(|facts| facts.len() == 2) {
        builder.add_mutex_group(MutexGroup { facts }).unwrap();
    }
    builder.build()
}

#[test]
fn with_groups_functions_hold_without_mutexes() {
    let mut tally = Tally::default();
    for seed in 0..200 {
        let task = with_groups(&random_task(FEW_OPERATORS, seed));
        for open in OPEN_VALUES {
            let normal = with_choice(&task, MutexChoice::Groups, open);
            let expected = match normal.mutexes() {
                Some(_) => Validity::WithoutMutexes,
                None => Validity::Everywhere,
            };
            check(&task, &normal, expected, &mut tally, &format!("seed {seed}, {open:?}"));
        }
    }
    let Seen { functions, positive, broken, excluded_states, .. } = tally.without_mutexes;
    assert!(functions > 100 && positive > 20 && broken > 20, "{tally:?}");
    assert_eq!(excluded_states, 0, "{tally:?}");
}

#[test]
fn with_h2_functions_hold_among_states_of_plans() {
    let mut tally = Tally::default();
    for seed in 0..200 {
        let task = random_task(FEW_OPERATORS, seed);
        let found = h2(&task, &h2::Params::default(), &Limits::none()).unwrap();
        if found.is_unsolvable() {
            continue;
        }
        let mut layers = found.layers().iter();
        let expected = if layers.any(|layer| layer.direction == Direction::Backward) {
            Validity::StatesOfPlans
        } else if found.mutexes().count() > 0 {
            Validity::WithoutMutexes
        } else {
            Validity::Everywhere
        };
        for open in OPEN_VALUES {
            let normal = with_choice(&task, MutexChoice::H2, open);
            check(&task, &normal, expected, &mut tally, &format!("seed {seed}, {open:?}"));
        }
    }
    let Tally { everywhere, without_mutexes, states_of_plans } = tally;
    assert!(everywhere.functions > 5 && without_mutexes.functions > 20, "{tally:?}");
    assert_eq!(without_mutexes.excluded_states, 0, "{tally:?}");
    let Seen { functions, positive, broken, excluded_states, inconsistent, .. } = states_of_plans;
    assert!(functions > 100 && positive > 20 && broken > 20, "{tally:?}");
    assert!(excluded_states > 20 && inconsistent > 0, "{tally:?}");
}

/// The first layer of h² is forward and assumes nothing.
#[test]
fn with_forward_h2_functions_hold_without_mutexes() {
    let mut tally = Tally::default();
    for seed in 0..100 {
        let task = random_task(FEW_OPERATORS, seed);
        let found = h2(&task, &h2::Params::default(), &Limits::none()).unwrap();
        let (mutexes, proof) = (found.forward(), found.layers()[..1].to_vec());
        if found.is_unsolvable() || mutexes.count() == 0 {
            continue;
        }
        let open = OpenValues::Unknown;
        let normal = NormalForm::with_mutexes(&task, mutexes, proof, open, &Limits::none());
        let normal = Arc::new(normal.unwrap());
        check(&task, &normal, Validity::WithoutMutexes, &mut tally, &format!("seed {seed}"));
    }
    let Seen { functions, positive, broken, excluded_states, .. } = tally.without_mutexes;
    assert!(functions > 50 && positive > 10 && broken > 20, "{tally:?}");
    assert_eq!(excluded_states, 0, "{tally:?}");
}
