//! Potential functions in exact arithmetic, and their heuristic.
//!
//! φ(s) = (constant + Σ W(f) [s ⊨ f]) / denominator with integers W. With
//! integer costs max(0, ⌈φ⌉) of a consistent and goal-aware φ is consistent
//! and goal-aware too: rounding up keeps φ(s) ≤ cost(o) + φ(s⟦o⟧) because
//! cost(o) is an integer.
//!
//! For the search, features of size 1 are a table over facts and features of
//! size 2 one table for each pair of variables that has any. A successor's
//! value comes from its parent's: for each changed variable one look at each
//! of its pairs' tables. Larger features, and those of size 2 whose table would
//! be large and almost empty, are kept in lists by fact.

use std::collections::HashMap;

use hipot_task::{Estimate, Heuristic, OperatorId, StateView, Task, Value, VariableId};

use crate::feature::{FactId, Facts, Features};
use crate::rational::Rational;

/// A potential function that has been certified: consistent and goal-aware.
/// [`certify`](crate::certify) is the only place that makes one.
#[derive(Clone, Debug)]
pub struct PotentialFunction {
    pub(crate) features: Features,
    pub(crate) weights: Vec<i64>,
    pub(crate) constant: i64,
    pub(crate) denominator: i64,
}

impl PotentialFunction {
    /// ℱ, over the facts of the task in TNF.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The numerators of the weights, in the order of the features.
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// The numerator of the constant.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// What all numerators are divided by; positive.
    pub fn denominator(&self) -> i64 {
        self.denominator
    }

    /// The numerator of φ(s).
    pub fn numerator(&self, state: &[Value]) -> i128 {
        let terms = self.features.ids().filter(|&feature| self.features.holds(feature, state));
        let sum: i128 = terms.map(|feature| i128::from(self.weights[feature.index()])).sum();
        sum + i128::from(self.constant)
    }

    /// Whether φ(s) is higher than that of another function.
    pub fn is_higher(&self, other: &Self, state: &[Value]) -> bool {
        let scaled = |one: &Self, by: i64| one.numerator(state) * i128::from(by);
        scaled(self, other.denominator) > scaled(other, self.denominator)
    }

    /// max(0, ⌈φ(s)⌉).
    pub fn bound(&self, state: &[Value]) -> u64 {
        let numerator = self.numerator(state);
        let denominator = i128::from(self.denominator);
        let rounded =
            numerator.div_euclid(denominator) + i128::from(numerator.rem_euclid(denominator) != 0);
        u64::try_from(rounded.max(0)).unwrap_or(u64::MAX)
    }

    /// φ(s).
    pub fn exact(&self, state: &[Value]) -> Rational {
        Rational { numerator: self.numerator(state), denominator: self.denominator.into() }
    }
}

/// The weights of features of size 2 on two variables.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// The other variable.
    other: VariableId,
    /// The weight for values d of this variable and e of the other one is at
    /// `begin + d * own_step + e * other_step`.
    begin: u32,
    own_step: u32,
    other_step: u32,
}

/// A feature that is in no table.
#[derive(Clone, Debug)]
struct Large {
    conjuncts: Vec<(VariableId, Value)>,
    weight: i64,
}

/// How many features of size 2 with a weight other than 0 each pair has.
fn pair_counts(function: &PotentialFunction) -> HashMap<(VariableId, VariableId), usize> {
    let facts = function.features.facts();
    let mut counts = HashMap::new();
    for feature in function.features.ids() {
        if let [a, b] = *function.features.conjuncts(feature)
            && function.weights[feature.index()] != 0
        {
            *counts.entry((facts.variable(a), facts.variable(b))).or_insert(0) += 1;
        }
    }
    counts
}

/// Whether the table of a pair is small, or well filled.
fn has_table(
    facts: &Facts,
    pair: (VariableId, VariableId),
    counts: &HashMap<(VariableId, VariableId), usize>,
) -> bool {
    let entries = facts.domain_size(pair.0) * facts.domain_size(pair.1);
    entries <= 4096 || entries <= 64 * counts.get(&pair).copied().unwrap_or(0)
}

/// max(0, ⌈φ⌉) for the states of a search.
#[derive(Clone, Debug)]
pub struct PotentialHeuristic {
    denominator: i64,
    constant: i64,
    /// The first fact of each variable.
    begins: Vec<u32>,
    /// A weight for each fact.
    unary: Vec<i64>,
    /// The pairs of each variable.
    pairs: Vec<Vec<Pair>>,
    tables: Vec<i64>,
    /// Features that are in no table, and those that each fact is in.
    large: Vec<Large>,
    large_of: Vec<Vec<u32>>,
    /// The changes that each operator of the original task may make.
    effects: Vec<Vec<(VariableId, Value)>>,
    /// The state entered last, and the numerator of φ there.
    parent: Vec<Value>,
    parent_value: i64,
    changed: Vec<(VariableId, Value, Value)>,
    is_consistent: bool,
}

impl PotentialHeuristic {
    /// The same for a function that is consistent among states of plans only,
    /// by mutexes that hold there. A* may reopen dead ends then; what it finds is
    /// optimal, for all states on the way to a state of a plan are states of
    /// plans.
    #[must_use]
    pub fn among_states_of_plans(self) -> Self {
        Self { is_consistent: false, ..self }
    }

    /// The heuristic for states of `task`, of whose TNF `function` is a
    /// potential function. Every state of `task` is one of its TNF.
    pub fn new(function: &PotentialFunction, task: &Task) -> Self {
        let facts = function.features.facts();
        let variables = facts.variable_count();
        let first =
            |index| facts.of_variable(VariableId::new(index)).next().map_or(0, FactId::index);
        let effects = task.operators().iter().map(|operator| {
            operator
                .effects
                .iter()
                .map(|effect| (effect.fact.variable, effect.fact.value))
                .collect()
        });
        let mut heuristic = Self {
            denominator: function.denominator,
            constant: function.constant,
            begins: (0..variables).map(|index| first(index) as u32).collect(),
            unary: vec![0; facts.len()],
            pairs: vec![Vec::new(); variables],
            tables: Vec::new(),
            large: Vec::new(),
            large_of: vec![Vec::new(); facts.len()],
            effects: effects.collect(),
            parent: vec![0; variables],
            parent_value: 0,
            changed: Vec::new(),
            is_consistent: true,
        };
        let counts = pair_counts(function);
        for feature in function.features.ids() {
            let weight = function.weights[feature.index()];
            if weight != 0 {
                heuristic.add(function.features.conjuncts(feature), weight, function, &counts);
            }
        }
        heuristic
    }

    fn add(
        &mut self,
        conjuncts: &[FactId],
        weight: i64,
        function: &PotentialFunction,
        counts: &HashMap<(VariableId, VariableId), usize>,
    ) {
        let facts = function.features.facts();
        match *conjuncts {
            [fact] => self.unary[fact.index()] += weight,
            [a, b] if has_table(facts, (facts.variable(a), facts.variable(b)), counts) => {
                let (a, b) = (facts.fact(a), facts.fact(b));
                let pair = self.pair(a.variable, b.variable, function);
                let place = pair.begin + a.value * pair.own_step + b.value * pair.other_step;
                self.tables[place as usize] += weight;
            }
            _ => {
                for fact in conjuncts {
                    self.large_of[fact.index()].push(self.large.len() as u32);
                }
                let fact = |&id: &FactId| (facts.fact(id).variable, facts.fact(id).value);
                self.large.push(Large { conjuncts: conjuncts.iter().map(fact).collect(), weight });
            }
        }
    }

    /// The pair ⟨`a`, `b`⟩, made where it is not there yet.
    fn pair(&mut self, a: VariableId, b: VariableId, function: &PotentialFunction) -> Pair {
        if let Some(pair) = self.pairs[a.index()].iter().find(|pair| pair.other == b) {
            return *pair;
        }
        let facts = function.features.facts();
        let (size_a, size_b) = (facts.domain_size(a), facts.domain_size(b));
        let begin = self.tables.len() as u32;
        self.tables.resize(self.tables.len() + size_a * size_b, 0);
        let pair = Pair { other: b, begin, own_step: size_b as u32, other_step: 1 };
        self.pairs[a.index()].push(pair);
        let mirrored = Pair { other: a, begin, own_step: 1, other_step: size_b as u32 };
        self.pairs[b.index()].push(mirrored);
        pair
    }

    /// The numerator of φ in `parent`, which was set before.
    fn evaluate_parent(&self) -> i64 {
        let mut twice = 0;
        let mut value = self.constant;
        for (variable, &own) in self.parent.iter().enumerate() {
            value += self.unary[(self.begins[variable] + own) as usize];
            for pair in &self.pairs[variable] {
                let other = self.parent[pair.other.index()];
                twice += self.tables
                    [(pair.begin + own * pair.own_step + other * pair.other_step) as usize];
            }
        }
        let holds = |large: &&Large| {
            large.conjuncts.iter().all(|(variable, value)| self.parent[variable.index()] == *value)
        };
        value + twice / 2 + self.large.iter().filter(holds).map(|large| large.weight).sum::<i64>()
    }

    fn round(&self, numerator: i64) -> Estimate {
        if numerator <= 0 {
            return Estimate::at_least(0);
        }
        let cost = (numerator - 1) / self.denominator + 1;
        Estimate::at_least(cost.unsigned_abs())
    }

    /// φ(successor) − φ(parent), where they differ in the variables `changed`
    /// and `parent` holds the successor's values of these already.
    fn change(&self) -> i64 {
        let mut change = 0;
        for (index, &(variable, old, new)) in self.changed.iter().enumerate() {
            let begin = self.begins[variable.index()];
            change += self.unary[(begin + new) as usize] - self.unary[(begin + old) as usize];
            for pair in &self.pairs[variable.index()] {
                let other = self.parent[pair.other.index()];
                let base = pair.begin + other * pair.other_step;
                change += self.tables[(base + new * pair.own_step) as usize];
                change -= self.tables[(base + old * pair.own_step) as usize];
            }
            // Pairs of two changed variables: the loop above has counted
            // w(new, new') − w(old, new') once from each side.
            for &(second, second_old, second_new) in &self.changed[..index] {
                change += self.correction((variable, old, new), (second, second_old, second_new));
            }
        }
        change
    }

    /// What both sides of a pair of changed variables together miss:
    /// −w(n, n') + w(o, n') + w(n, o') − w(o, o').
    fn correction(
        &self,
        (first, old, new): (VariableId, Value, Value),
        (second, second_old, second_new): (VariableId, Value, Value),
    ) -> i64 {
        let Some(pair) = self.pairs[first.index()].iter().find(|pair| pair.other == second) else {
            return 0;
        };
        let weight = |own: Value, other: Value| {
            self.tables[(pair.begin + own * pair.own_step + other * pair.other_step) as usize]
        };
        weight(old, second_new) + weight(new, second_old)
            - weight(new, second_new)
            - weight(old, second_old)
    }

    /// The change by features in no table: those of the old facts go, those of
    /// the new ones come.
    fn large_change(&self, successor: StateView<'_>) -> i64 {
        let mut change = 0;
        for (index, &(variable, old, new)) in self.changed.iter().enumerate() {
            let begin = self.begins[variable.index()];
            let earlier =
                |v: &VariableId| self.changed[..index].iter().any(|(other, ..)| other == v);
            for (value, sign) in [(old, -1), (new, 1)] {
                for &large in &self.large_of[(begin + value) as usize] {
                    let Large { conjuncts, weight } = &self.large[large as usize];
                    let holds = conjuncts.iter().all(|(v, wanted)| {
                        let found = if sign < 0 { self.old_value(*v) } else { successor.value(*v) };
                        found == *wanted
                    });
                    let counted = conjuncts.iter().any(|(v, _)| earlier(v));
                    if holds && !counted {
                        change += sign * weight;
                    }
                }
            }
        }
        change
    }

    fn old_value(&self, variable: VariableId) -> Value {
        let changed = self.changed.iter().find(|(other, ..)| *other == variable);
        changed.map_or(self.parent[variable.index()], |&(_, old, _)| old)
    }
}

impl Heuristic for PotentialHeuristic {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.enter(state);
        self.round(self.parent_value)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        for variable in 0..self.parent.len() {
            self.parent[variable] = parent.value(VariableId::new(variable));
        }
        self.parent_value = self.evaluate_parent();
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        self.changed.clear();
        for &(variable, new) in &self.effects[operator.index()] {
            let old = self.parent[variable.index()];
            if old != new {
                self.changed.push((variable, old, new));
                self.parent[variable.index()] = new;
            }
        }
        let mut value = self.parent_value + self.change();
        if !self.large.is_empty() {
            value += self.large_change(successor);
        }
        for &(variable, old, _) in &self.changed {
            self.parent[variable.index()] = old;
        }
        self.round(value)
    }

    fn is_consistent(&self) -> bool {
        self.is_consistent
    }
}
