//! The heuristic of a potential function.
//!
//! Features of size 1 are a table over facts and features of size 2 one table for
//! each pair of variables that has any. A successor's value comes from its
//! parent's: for each changed variable one look at each of its pairs' tables.
//! Larger features, and those of size 2 whose table would be large and almost
//! empty, are kept in lists by fact.

use std::collections::HashMap;

use hipot_task::{Estimate, Heuristic, OperatorId, PrunedTask, StateView, Task, Value, VariableId};

use super::PotentialFunction;
use super::terms::Terms;
use crate::feature::{FactId, Facts};

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
        Self::of(&Terms::new(function), task)
    }

    /// The same for states of a pruned task, each with the value of the original
    /// task's state that it stands for.
    pub fn pruned(function: &PotentialFunction, pruned: &PrunedTask) -> Self {
        Self::of(&Terms::pruned(function, pruned), pruned.task())
    }

    fn of(terms: &Terms<'_>, task: &Task) -> Self {
        let facts = terms.facts();
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
            denominator: terms.function().denominator,
            constant: terms.function().constant,
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
        let counts = terms.pair_counts();
        terms.for_each(|conjuncts, weight| heuristic.add(conjuncts, weight, facts, &counts));
        heuristic
    }

    fn add(
        &mut self,
        conjuncts: &[FactId],
        weight: i64,
        facts: &Facts,
        counts: &HashMap<(VariableId, VariableId), usize>,
    ) {
        match *conjuncts {
            [] => self.constant += weight,
            [fact] => self.unary[fact.index()] += weight,
            [a, b] if has_table(facts, (facts.variable(a), facts.variable(b)), counts) => {
                let (a, b) = (facts.fact(a), facts.fact(b));
                let pair = self.pair(a.variable, b.variable, facts);
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
    fn pair(&mut self, a: VariableId, b: VariableId, facts: &Facts) -> Pair {
        if let Some(pair) = self.pairs[a.index()].iter().find(|pair| pair.other == b) {
            return *pair;
        }
        let (size_a, size_b) = (facts.domain_size(a), facts.domain_size(b));
        let begin = self.tables.len() as u32;
        self.tables.resize(self.tables.len() + size_a * size_b, 0);
        let pair = Pair { other: b, begin, own_step: size_b as u32, other_step: 1 };
        self.pairs[a.index()].push(pair);
        let mirrored = Pair { other: a, begin, own_step: 1, other_step: size_b as u32 };
        self.pairs[b.index()].push(mirrored);
        pair
    }

    /// The estimate of a state that is given as a value for each variable.
    ///
    /// # Panics
    /// If `values` has not as many values as the task has variables. A value
    /// outside its variable's domain panics or gives a number without meaning.
    pub fn estimate_values(&mut self, values: &[Value]) -> Estimate {
        self.parent.copy_from_slice(values);
        self.parent_value = self.evaluate_parent();
        self.round(self.parent_value)
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
