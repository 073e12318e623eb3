//! Sums: what a saturated cost partitioning proves.
//!
//! A [`Sum`] is a potential function φ, or none, and partitionings of the costs that it leaves
//! over abstractions. Its value in a state s is φ(s) plus the highest value of one of these
//! partitionings. All numbers are numerators over one denominator.
//!
//! # Why it is a lower bound
//!
//! Let d(o) be the largest decrease of φ along the transitions of the operator o *of the given
//! task*, between states that the mutexes of φ allow. In transition normal form, such a transition
//! forgets some values, takes o or one of its cases, and perhaps another one forgets: nothing that
//! is forgotten takes anything from φ, so d(o) is at most the largest decrease of o's operators in
//! the normal form. On the way from s to a goal state, φ decreases by at most Σ d(o); in the goal
//! state it is at most 0, since what the goal leaves open can be forgotten. Abstractions get
//! cost(o) − d(o), which is more than the cost where o always raises φ; their sum decreases by at
//! most that much, and is at most 0 in goal states. So the sum of both is at most the cost of the
//! plan.
//!
//! The mutexes of φ and those of the abstractions need not be the same. Both hold in all states of
//! all plans (or in all reachable states), and a reachable state with a plan is a state of a plan
//! from the initial state. So the argument holds for every reachable state. If both sets hold in
//! all reachable states, the sum is consistent among them: its value drops by at most cost(o),
//! and so do the maximum of several sums and, as costs are integers, its ceiling.
//!
//! In abstractions an operator without transitions can leave others unlimited costs, and a state
//! that is mapped to a dead abstract state is on no plan.

use std::sync::Arc;

use hipot_abstraction::partitioning::{Partitioning, Tables};
use hipot_abstraction::{Collection, Costs};
use hipot_potential::{Certified, NormalForm, Report, Validity};
use hipot_task::{Rational, Value};

use crate::spec::SaturatedSpec;

/// A saturated cost partitioning, ready to be used or reported.
#[derive(Clone, Debug)]
pub struct Saturated {
    /// The spec.
    pub spec: SaturatedSpec,
    /// The mutexes of the abstractions.
    pub normal: Arc<NormalForm>,
    /// The abstractions.
    pub collection: Arc<Collection>,
    /// The heuristic is the maximum of these sums, of which there is at least one.
    pub sums: Vec<Sum>,
    /// The abstract states of the initial state; `None` if it is on no plan.
    pub initial: Option<Vec<u32>>,
    /// The time for building it, in seconds.
    pub seconds: f64,
}

/// A potential function, and what abstractions add to it.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The function, and how it was found.
    pub function: Option<(Certified, Report)>,
    /// The denominator of all numbers: a multiple of the function's.
    pub denominator: i64,
    /// For each operator, the most that the function takes; 0 without one.
    pub taken: Vec<i64>,
    /// One unit of the abstractions' costs and values is so many of these numbers. More than 1 if
    /// the denominator is large, to keep tables small.
    pub unit: i64,
    /// What the function leaves of the costs, in these units, rounded down.
    pub left: Costs,
    /// The partitioning that is best in the initial state.
    pub first: Partitioning,
    /// The values of all partitionings.
    pub tables: Arc<Tables>,
}

impl Sum {
    /// The value of a state that is also given by its abstract states: that of the function, and
    /// the highest of the partitionings.
    pub(crate) fn value(&self, state: &[Value], states: &[u32]) -> Rational {
        let function = self.function.as_ref().map_or(0, |(it, _)| it.numerator(state));
        let values = (0..self.tables.len()).map(|index| self.tables.value(index, states));
        let numerator = function + i128::from(self.unit) * i128::from(values.max().unwrap_or(0));
        Rational { numerator, denominator: self.denominator.into() }
    }
}

impl Saturated {
    /// The value of the initial state and the sum that it comes from; `None` if there is no plan.
    pub fn best(&self) -> Option<(Rational, &Sum)> {
        let states = self.initial.as_ref()?;
        let initial = self.normal.initial();
        let mut sums = self.sums.iter().map(|sum| (sum.value(initial, states), sum));
        let first = sums.next()?;
        let is_higher = |one: &Rational, other: &Rational| {
            one.numerator * other.denominator > other.numerator * one.denominator
        };
        Some(sums.fold(first, |best, next| if is_higher(&next.0, &best.0) { next } else { best }))
    }

    /// max(0, ⌈h(s)⌉) for a state of the given task; `None` if it is on no plan.
    pub fn value(&self, state: &[Value]) -> Option<u64> {
        let states = self.collection.states(state)?;
        self.sums.iter().map(|sum| sum.value(state, &states).bound()).max()
    }

    /// max(0, ⌈h(s_I)⌉); `None` if there is no plan.
    pub fn bound(&self) -> Option<u64> {
        self.best().map(|(value, _)| value.bound())
    }

    /// h(s_I) as a fraction; `None` if there is no plan.
    pub fn exact(&self) -> Option<Rational> {
        self.best().map(|(value, _)| value)
    }

    /// Whether the values are consistent in all reachable states.
    pub fn is_consistent(&self) -> bool {
        let functions = self.sums.iter().filter_map(|sum| sum.function.as_ref());
        let mut forms = functions.map(|(function, _)| function.validity());
        self.normal.validity() != Validity::StatesOfPlans
            && forms.all(|validity| validity != Validity::StatesOfPlans)
    }
}
