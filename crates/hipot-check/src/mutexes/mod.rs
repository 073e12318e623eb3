//! Proofs that pairs of facts are mutex.
//!
//! A proof is a sequence of [layers](Layer), each a set of pairs of facts and
//! a direction. [`check`] accepts it only if no state of any plan has a pair
//! of any layer. A plan is a sequence of operators from the initial state to a goal
//! state, and its states include the first and the last. A pair of a fact with itself
//! says that no such state has the fact: it is *dead*. (The usual proof has two
//! layers, F forward and B backward.)
//!
//! # What is checked, and why it suffices
//!
//! Let L be the pairs of a layer and K those of all earlier ones, together
//! with all pairs of two values of one variable. Suppose that no state of a
//! plan s₀, o₁, s₁, …, oₙ, sₙ has a pair of K (true of the first layer's K).
//!
//! *Forward*: it is checked that
//!
//! 1. the initial state has no pair of L \ K, and
//! 2. no operator leads from a state without pairs of K ∪ L to a state without
//!    pairs of K that has a pair of L.
//!
//! By induction from s₀ forward, no sᵢ has a pair of L. As long as all layers are
//! forward, the states need not be on a plan: no reachable state has a pair of K, and
//! hence none has a pair of L.
//!
//! *Backward*: it is checked that
//!
//! 1. no goal state without pairs of K has a pair of L, and
//! 2. no operator leads from a state without pairs of K that has a pair of L
//!    to a state without pairs of K ∪ L.
//!
//! By induction from sₙ backward, no sᵢ has a pair of L.
//!
//! The order of the layers matters. If F and B were each allowed to rest on the
//! other, a state with a pair of B could lead to one with a pair of F, each excluded
//! because of the other, although both lie on a plan.
//!
//! *Operators, pair by pair.* Point 2 speaks of states, of which there are too
//! many. Instead, each side of a step has a *domain*: a set of facts that contains
//! all facts of every possible state on that side (module `step`). Forward, a pair of
//! L in the state after a step has a fact that the operator sets; otherwise the state
//! before would have the pair as well, contrary to the assumption. So each fact that
//! the operator sets is paired with each fact of the domain after, and none of these
//! pairs may be in L \ K. Backward, a pair of L in the state before has a fact of a
//! variable that the operator sets; otherwise the state after would have it too. So
//! each fact of such a variable in the domain before is paired with each fact of that
//! domain. This checks more pairs than states have: what is accepted is proved. h² is
//! accepted, because its rules reach all pairs of these domains.
//!
//! For n facts, a layer takes about |𝒪| · n · (n / 64) operations on words at worst,
//! and far fewer if little is implied.

mod excluded;
mod layer;
mod pairs;
mod rejection;
mod step;

use std::borrow::Borrow;

pub(crate) use excluded::Excluded;
pub use layer::{Direction, Layer};
pub use rejection::Rejection;

use hipot_task::{Fact, OperatorId, Task, Value, VariableId};

use layer::PairedFacts;
use pairs::{FactSet, Numbers, PairSet};
use step::{Impossible, changed_facts, state, step};

/// Mutexes that are proved.
#[derive(Clone, Debug)]
pub struct Proved<'a> {
    task: &'a Task,
    numbers: Numbers,
    known: PairSet,
}

impl Proved<'_> {
    /// Whether no state of a plan has both facts.
    pub fn are_mutex(&self, first: Fact, second: Fact) -> bool {
        self.known.row(self.numbers.of(first)).contains(self.numbers.of(second))
    }

    /// Whether the mutexes show that the operator is in no plan.
    pub fn is_useless(&self, operator: OperatorId) -> bool {
        let operator = self.task.operator(operator);
        step(self.task, &self.numbers, operator, [&self.known; 2]).is_err()
    }

    /// Whether the mutexes show that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        let initial = initial_facts(self.task, &self.numbers);
        initial.ones().any(|fact| !self.known.row(fact).is_disjoint(&initial))
            || state(self.task, &self.numbers, self.task.goal(), &self.known).is_err()
    }

    /// The number of pairs and dead facts, without the pairs of two values of
    /// one variable.
    pub fn pair_count(&self) -> usize {
        let later = |fact: usize| {
            let own = self.numbers.of_variable(self.numbers.fact(fact).variable);
            let counts = |&other: &usize| other == fact || other >= own.end;
            self.known.row(fact).ones().filter(counts).count()
        };
        (0..self.numbers.count()).map(later).sum()
    }

    /// Whether one of the `facts` of a state, in which variables have these values, is in a pair that
    /// the state has: no plan has the state.
    pub(crate) fn exclude(
        &self,
        state: impl Fn(VariableId) -> Value,
        mut facts: impl Iterator<Item = Fact>,
    ) -> bool {
        facts.any(|fact| {
            let row = self.known.row(self.numbers.of(fact));
            let has = |id| row.contains(self.numbers.of(Fact::new(id, state(id))));
            self.task.variable_ids().any(has)
        })
    }

    /// The facts that a state of a plan cannot have if it has the facts `given`.
    pub(crate) fn excluded_by(&self, given: impl IntoIterator<Item = Fact>) -> Excluded<'_> {
        Excluded::new(&self.numbers, &self.known, given)
    }
}

/// Checks the layers, each of which may rest on those before it.
pub fn check(
    task: &Task,
    layers: impl IntoIterator<Item: Borrow<Layer>>,
) -> Result<Proved<'_>, Rejection> {
    const BY: &str = "the check of mutexes";
    task.require_no_axioms(BY)?;
    task.require_no_conditional_effects(BY)?;
    let numbers = Numbers::new(task);
    let known = natural_pairs(task, &numbers);
    let mut checker = Checker {
        possible: vec![true; task.operators().len()],
        proved: Proved { task, numbers, known },
    };
    for (number, layer) in layers.into_iter().enumerate() {
        let layer = PairedFacts::new(layer.borrow(), &checker.proved.numbers)?;
        checker.check(number, &layer)?;
    }
    Ok(checker.proved)
}

struct Checker<'a> {
    proved: Proved<'a>,
    /// For each operator, whether it may be in a plan: no layer has ruled out all states
    /// before it or after it.
    possible: Vec<bool>,
}

impl Checker<'_> {
    /// Checks a layer and adds its pairs to those known.
    fn check(&mut self, number: usize, layer: &PairedFacts) -> Result<(), Rejection> {
        let numbers = &self.proved.numbers;
        let name = |(first, second)| (numbers.fact(first), numbers.fact(second));
        if let Some(pair) = self.pair_at_the_end(layer) {
            let pair = name(pair);
            return Err(match layer.direction {
                Direction::Forward => Rejection::Initial { layer: number, pair },
                Direction::Backward => Rejection::Goal { layer: number, pair },
            });
        }
        let mut joined = self.proved.known.clone();
        joined.add_all(&layer.pairs);
        for operator in self.proved.task.operator_ids() {
            if !self.possible[operator.index()] {
                continue;
            }
            match self.pair_of_step(layer, &joined, operator) {
                Ok(None) => {}
                Ok(Some(pair)) => {
                    return Err(Rejection::Operator { layer: number, operator, pair: name(pair) });
                }
                Err(Impossible) => self.possible[operator.index()] = false,
            }
        }
        self.proved.known = joined;
        Ok(())
    }

    /// Point 1: a pair of the layer in the initial state, or in a goal state.
    fn pair_at_the_end(&self, layer: &PairedFacts) -> Option<(usize, usize)> {
        let Proved { task, numbers, known } = &self.proved;
        match layer.direction {
            Direction::Forward => {
                let initial = initial_facts(task, numbers);
                layer.pairs.find(known, initial.ones(), &initial)
            }
            Direction::Backward => {
                let goal = state(task, numbers, task.goal(), known).ok()?;
                layer.pairs.find(known, goal.facts.ones(), &goal.facts)
            }
        }
    }

    /// Point 2: a pair of the layer on only one side of an operator.
    fn pair_of_step(
        &self,
        layer: &PairedFacts,
        joined: &PairSet,
        operator: OperatorId,
    ) -> Result<Option<(usize, usize)>, Impossible> {
        let Proved { task, numbers, known } = &self.proved;
        let operator = task.operator(operator);
        let changed = changed_facts(numbers, operator);
        if changed.is_disjoint(&layer.paired) {
            return Ok(None);
        }
        let without = match layer.direction {
            Direction::Forward => [joined, known],
            Direction::Backward => [known, joined],
        };
        let [before, after] = step(task, numbers, operator, without)?;
        let side = match layer.direction {
            Direction::Forward => after.facts,
            Direction::Backward => before.facts,
        };
        let first = changed.intersection(&side);
        Ok(layer.pairs.find(known, first, &side))
    }
}

/// The pairs of two values of one variable.
fn natural_pairs(task: &Task, numbers: &Numbers) -> PairSet {
    let mut pairs = PairSet::new(numbers);
    for variable in task.variable_ids() {
        let facts = numbers.of_variable(variable);
        for first in facts.clone() {
            (facts.start..first).for_each(|second| pairs.add(first, second));
        }
    }
    pairs
}

/// The facts of the initial state.
fn initial_facts(task: &Task, numbers: &Numbers) -> FactSet {
    let mut facts = numbers.empty_set();
    for (variable, &value) in task.variable_ids().zip(task.initial()) {
        facts.insert(numbers.of(Fact::new(variable, value)));
    }
    facts
}
