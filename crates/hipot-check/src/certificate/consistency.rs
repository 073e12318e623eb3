//! How far an operator can let the potential fall.
//!
//! For an operator o, the maximum of φ(s) − φ(s⟦o⟧) over all states s in which
//! o is applicable. A feature matters only if it mentions a fact that o takes
//! away (it may become false: its weight counts) or brings (it may become
//! true: its weight counts negatively); the others keep their truth value.
//! What a feature says about the variables of o is decided by o. What remains
//! of it, its *context*, is a condition on the other variables:
//!
//! - No context: the weight counts in every state (Δ\_o^ind of the paper).
//! - One fact: the weight counts where the state has it. Different variables
//!   are independent, so each takes the value that is best for it: the
//!   separable maximum of Theorem 1, the z\_V^o of Eq. 9.
//! - Several facts: these link their variables; [`linked`] takes the maximum over
//!   them.
//!
//! For features of at most two facts there is never more than one context
//! fact, and an operator takes time linear in the features that mention a
//! fact it changes, plus sorting the facts of their contexts.
//!
//! With mutexes, contexts have only [`Possible`] values, and operators that are in no
//! plan are skipped.
//!
//! A variable with only one (possible) value is treated as if the operator required
//! that value. So each linked variable has at least two values.

use std::collections::BTreeSet;

use hipot_task::Value;

use super::change::Change;
use super::integer::Integer;
use super::linked::{self, Maximum, Term, TooHard};
use super::normal_form::NormalForm;
use super::possible::Possible;
use super::potential::{FactNumbering, IndexedFact, Potential};

/// Computes the greatest falls of a potential function, operator by operator.
pub(super) struct Consistency<'a, N> {
    normal: &'a NormalForm<'a>,
    potential: &'a Potential<N>,
    /// What the current operator does to each variable.
    changes: Vec<Option<Change>>,
    /// The weight for each context fact, for contexts of one fact.
    unary: FactSums<N>,
    /// The contexts of several facts.
    linked: Vec<Term<N>>,
    /// The context of the current feature.
    context: Vec<IndexedFact>,
}

impl<'a, N: Integer> Consistency<'a, N> {
    pub(super) fn new(potential: &'a Potential<N>, normal: &'a NormalForm<'a>) -> Self {
        let constant = |variable| {
            let only_value = Change { variable, before: 0, after: 0 };
            (potential.numbering.domain_size(variable) == 1).then_some(only_value)
        };
        Self {
            normal,
            potential,
            changes: (0..normal.task.variables().len()).map(constant).collect(),
            unary: FactSums::new(potential.numbering.count()),
            linked: Vec::new(),
            context: Vec::new(),
        }
    }

    /// The greatest fall of φ by an operator, and a context that attains it;
    /// `None` for an operator that is in no plan.
    pub(super) fn greatest_fall(
        &mut self,
        changes: &[Change],
    ) -> Result<Option<Maximum<N>>, TooHard> {
        let around = Possible::around(self.normal, changes);
        let with_fixed = |possible: Possible<'a>| Some((possible.find_fixed(changes)?, possible));
        let Some((fixed, possible)) = around.and_then(with_fixed) else {
            return Ok(None);
        };
        for change in changes.iter().chain(&fixed) {
            self.changes[change.variable] = Some(*change);
        }
        let mut fall = Maximum { amount: self.collect(changes, &possible), facts: Vec::new() };
        for change in changes.iter().chain(&fixed) {
            if self.potential.numbering.domain_size(change.variable) > 1 {
                self.changes[change.variable] = None;
            }
        }
        let linked = std::mem::take(&mut self.linked);
        let result = self.add_linked(linked, &possible, &mut fall);
        self.add_separable(&possible, &mut fall);
        result.map(|()| Some(fall))
    }

    /// Sorts the weights of all features that the operator can change by their
    /// contexts; returns the sum of those without context.
    fn collect(&mut self, changes: &[Change], possible: &Possible<'_>) -> N {
        let mut independent = N::ZERO;
        for change in changes.iter().filter(|change| change.before != change.after) {
            for (side, value) in [(Side::Before, change.before), (Side::After, change.after)] {
                for feature in self.potential.features_with((change.variable, value)) {
                    if self.find_context(feature, side, change.variable)
                        && self.context.iter().all(|&fact| possible.has(fact))
                    {
                        self.add_feature(feature, side, &mut independent);
                    }
                }
            }
        }
        independent
    }

    /// Finds the context of a feature. False if the operator makes the feature false
    /// on this side, or if the feature is counted with another variable: each is
    /// counted with the first of its variables that changes.
    fn find_context(&mut self, feature: usize, side: Side, counted_with: usize) -> bool {
        self.context.clear();
        for &(variable, value) in self.potential.feature(feature) {
            match self.changes[variable] {
                None => self.context.push((variable, value)),
                Some(change) => {
                    let is_counted = change.before != change.after && variable < counted_with;
                    if is_counted || side.value(change) != value {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn add_feature(&mut self, feature: usize, side: Side, independent: &mut N) {
        let weight = &self.potential.weights[feature];
        match self.context[..] {
            [] => side.count(weight, independent),
            [fact] => side.count(weight, self.unary.at(fact, &self.potential.numbering)),
            _ => {
                let mut amount = N::ZERO;
                side.count(weight, &mut amount);
                self.linked.push(Term { amount, facts: self.context.clone() });
            }
        }
    }

    /// Adds the maximum over the variables that features link.
    fn add_linked(
        &mut self,
        mut terms: Vec<Term<N>>,
        possible: &Possible<'_>,
        fall: &mut Maximum<N>,
    ) -> Result<(), TooHard> {
        if terms.is_empty() {
            return Ok(());
        }
        let facts = terms.iter().flat_map(|term| &term.facts);
        let variables: BTreeSet<usize> = facts.map(|&(variable, _)| variable).collect();
        let numbering = &self.potential.numbering;
        for fact in self.unary.take_facts_of(&variables) {
            let amount = self.unary.take(fact, numbering);
            terms.push(Term { amount, facts: vec![fact] });
        }
        for component in linked::components(terms) {
            fall.add(linked::maximize(&component, possible)?);
        }
        Ok(())
    }

    /// Adds the maximum over each of the other variables.
    fn add_separable(&mut self, possible: &Possible<'_>, fall: &mut Maximum<N>) {
        let numbering = &self.potential.numbering;
        let mut facts = std::mem::take(&mut self.unary.facts);
        facts.sort_unstable();
        for of_variable in facts.chunk_by(|one, other| one.0 == other.0) {
            let sums = of_variable.iter().map(|&fact| (fact, self.unary.take(fact, numbering)));
            let (mut best, mut amount) =
                sums.max_by(|one, other| one.1.cmp(&other.1)).expect("a chunk has a fact");
            if amount < N::ZERO
                && let Some(value) = unmentioned_value(of_variable, possible)
            {
                (best, amount) = ((best.0, value), N::ZERO);
            }
            fall.amount.add(&amount);
            fall.facts.push(best);
        }
        facts.clear();
        self.unary.facts = facts;
    }
}

/// The smallest possible value of the variable that none of its `facts`, which
/// are possible, in order and differ, mentions.
fn unmentioned_value(facts: &[IndexedFact], possible: &Possible<'_>) -> Option<Value> {
    let mut mentioned = facts.iter().map(|&(_, value)| value).peekable();
    possible.values(facts[0].0).find(|value| mentioned.next_if_eq(value).is_none())
}

/// The two ends of a transition.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl Side {
    fn value(self, change: Change) -> Value {
        match self {
            Self::Before => change.before,
            Self::After => change.after,
        }
    }

    /// Counts the weight of a feature that is true on this side only.
    fn count<N: Integer>(self, weight: &N, fall: &mut N) {
        match self {
            Self::Before => fall.add(weight),
            Self::After => fall.subtract(weight),
        }
    }
}

/// A sum for each fact, 0 for all but a few.
struct FactSums<N> {
    sums: Vec<N>,
    is_listed: Vec<bool>,
    /// The facts whose sum may differ from 0.
    facts: Vec<IndexedFact>,
}

impl<N: Integer> FactSums<N> {
    fn new(facts: usize) -> Self {
        Self { sums: vec![N::ZERO; facts], is_listed: vec![false; facts], facts: Vec::new() }
    }

    fn at(&mut self, fact: IndexedFact, numbering: &FactNumbering) -> &mut N {
        let number = numbering.number(fact);
        if !std::mem::replace(&mut self.is_listed[number], true) {
            self.facts.push(fact);
        }
        &mut self.sums[number]
    }

    /// The sum of a fact that is no longer listed; it becomes 0.
    fn take(&mut self, fact: IndexedFact, numbering: &FactNumbering) -> N {
        let number = numbering.number(fact);
        self.is_listed[number] = false;
        std::mem::replace(&mut self.sums[number], N::ZERO)
    }

    /// Removes the facts of these variables from the list.
    fn take_facts_of(&mut self, variables: &BTreeSet<usize>) -> Vec<IndexedFact> {
        let facts = std::mem::take(&mut self.facts);
        let (taken, kept) = facts.into_iter().partition(|fact| variables.contains(&fact.0));
        self.facts = kept;
        taken
    }
}
