//! A function does not make the invariant true in goal states.
//!
//! Where it does and less than the bound has been spent, D·φ(s) ≥ 1. Variables without a goal value are
//! replaced by `unknown`, one after the other: φ does not fall, because forgetting a value costs
//! nothing. This is proved by contradiction, value by value: if φ fell, the variable would have none of
//! its values. In the end φ is about the facts of the goal only, and at most 0.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use hipot_task::Task;

use crate::constraint::Constraint;
use crate::formula::{Formula, FunctionIds};
use crate::function::Function;
use crate::literal::{Side, Variable};
use crate::proof::{Id, ProofWriter, Sum};
use crate::steps::{bound_above, maximize};

pub(crate) struct Goal<'a, W> {
    formula: &'a Formula,
    function: &'a Function,
    ids: &'a FunctionIds,
    proof: &'a mut ProofWriter<W>,
    /// For each variable, whether the goal gives its value.
    is_given: Vec<bool>,
    /// What follows from the last case by unit propagation, and "at most one" for variables
    /// of the goal.
    given: Vec<Id>,
    /// The coefficient of each fact, with some variables unknown.
    facts: Vec<Vec<i128>>,
    /// The features of two facts that are left.
    pairs: BTreeSet<usize>,
    forgotten: BTreeSet<usize>,
    degree: i128,
    /// A coefficient that makes up for everything else.
    large: i128,
}

impl<'a, W: Write> Goal<'a, W> {
    pub(crate) fn new(
        task: &Task,
        formula: &'a Formula,
        function: &'a Function,
        proof: &'a mut ProofWriter<W>,
    ) -> Self {
        let mut is_given = vec![false; task.variables().len()];
        let mut given = vec![formula.last];
        for fact in task.goal() {
            is_given[fact.variable.index()] = true;
            given.push(formula.values[Side::Before as usize][fact.variable.index()].at_most);
        }
        let weight =
            |&feature: &Option<usize>| feature.map_or(0, |it| function.features[it].weight);
        let facts = function.singles.iter().map(|it| it.iter().map(weight).collect()).collect();
        let pairs = function.pairs.values().flatten().copied().collect();
        let degree = 1 - function.constant;
        let large = 2 * function.magnitude() + 1;
        let forgotten = BTreeSet::new();
        let ids = &formula.functions[function.number - 1];
        Self {
            formula,
            function,
            ids,
            proof,
            is_given,
            given,
            facts,
            pairs,
            forgotten,
            degree,
            large,
        }
    }

    /// Proves that the function is not large enough in a goal state.
    pub(crate) fn prove(mut self) -> io::Result<Id> {
        let mut sum = Sum::default();
        sum.add(1, self.ids.far[Side::Before as usize].holds);
        if self.function.bound.is_some() {
            sum.add(self.function.denominator, self.formula.spent[Side::Before as usize]);
        }
        sum.add_literal(self.large, !Variable::Last);
        let mut last = self.proof.sum(&sum)?;
        for variable in 0..self.is_given.len() {
            if !self.is_given[variable] && self.function.mentions(variable) {
                last = self.forget(variable, last)?;
            }
        }
        let mut from = self.given.clone();
        for feature in &self.pairs {
            let definition = &self.ids.features[Side::Before as usize][feature];
            from.extend(definition.implies.iter().copied().chain([definition.implied]));
        }
        from.push(last);
        self.proof.propagate(&Constraint::clause([!Variable::Last, !self.far()]), from)
    }

    fn far(&self) -> Variable {
        Variable::Far(Side::Before, self.function.number)
    }

    /// The inequality as it is now.
    fn inequality(&self) -> Constraint {
        let mut terms = Vec::new();
        for (variable, weights) in self.facts.iter().enumerate() {
            for (value, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0) {
                terms.push((weight, Variable::Fact(Side::Before, variable, value as u32).into()));
            }
        }
        for &index in &self.pairs {
            let feature = &self.function.features[index];
            let name = Variable::Feature(Side::Before, self.function.number, feature.number);
            terms.push((feature.weight, name.into()));
        }
        terms.push((self.large, !Variable::Last));
        terms.push((self.large, !self.far()));
        Constraint { terms, degree: self.degree }
    }

    /// Replaces a variable by `unknown` in the inequality with this number.
    fn forget(&mut self, variable: usize, last: Id) -> io::Result<Id> {
        let values = self.facts[variable].len();
        self.facts[variable] = vec![0; values];
        let features: Vec<usize> = self.about(variable);
        for feature in &features {
            self.pairs.remove(feature);
        }
        self.degree -= self.function.single((variable, None));
        let mut others: BTreeMap<usize, Vec<i128>> = BTreeMap::new();
        for other in 0..self.facts.len() {
            if other == variable || !self.function.is_pair(variable, other) {
                continue;
            }
            if self.forgotten.contains(&other) {
                self.degree -= self.function.pair((variable, None), (other, None));
                continue;
            }
            let weight = |value| self.function.pair((variable, None), (other, Some(value)));
            let unknown: Vec<i128> = (0..self.facts[other].len() as u32).map(weight).collect();
            for (sum, weight) in self.facts[other].iter_mut().zip(&unknown) {
                *sum += weight;
            }
            others.insert(other, unknown);
        }
        self.forgotten.insert(variable);
        let inequality = self.inequality();
        let negation = self.proof.assume_negation(&inequality)?;
        let mut excluded = vec![self.formula.values[Side::Before as usize][variable].at_least];
        for value in 0..values as u32 {
            excluded.push(self.exclude((variable, value), &features, &others, [last, negation])?);
        }
        let contradiction = self.proof.contradict(excluded)?;
        self.proof.end_by_contradiction(contradiction)
    }

    /// The variable does not have this value, if φ falls when it is forgotten.
    fn exclude(
        &mut self,
        (variable, value): (usize, u32),
        features: &[usize],
        others: &BTreeMap<usize, Vec<i128>>,
        [last, negation]: [Id; 2],
    ) -> io::Result<Id> {
        let mut sum = Sum::default();
        sum.add(1, last);
        sum.add(1, negation);
        for &feature in features {
            bound_above(&mut sum, self.ids, self.function, feature, &[(variable, value)]);
        }
        for (&other, unknown) in others.iter().filter(|(other, _)| !self.is_given[**other]) {
            let known = |it| self.function.pair((variable, Some(value)), (other, Some(it)));
            let falls = (0..).map(known).zip(unknown).map(|(known, unknown)| known - unknown);
            maximize(&mut sum, self.formula, other, &falls.collect::<Vec<_>>());
        }
        let id = self.proof.sum(&sum)?;
        let mut from = vec![negation];
        from.extend(self.given.iter().copied());
        from.extend([self.formula.values[Side::Before as usize][variable].at_most, id]);
        let fact = Variable::Fact(Side::Before, variable, value);
        self.proof.propagate(&Constraint::clause([!fact]), from)
    }

    /// The features about a variable that are left.
    fn about(&self, variable: usize) -> Vec<usize> {
        let mentions = |&&feature: &&usize| {
            self.function.features[feature].facts.iter().any(|&(it, _)| it == variable)
        };
        self.pairs.iter().filter(mentions).copied().collect()
    }
}
