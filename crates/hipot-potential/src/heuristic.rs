//! A certified potential function as a heuristic for searches: max(0, ⌈φ⌉).
//!
//! *Tables.* The weights of features of size 1 are in a table over facts. Those of size 2 are
//! in one table for each pair of variables that has any. Larger features, and those of size 2
//! whose table would be large and almost empty, are in a list, with an index from facts to the
//! features that mention them. All numbers are integers; the certificate guarantees that no
//! sum overflows.
//!
//! *Successors.* The value of a successor is computed from that of its parent: for each
//! changed variable, one look into the tables of each of its pairs. Visiting the pairs of each
//! changed variable separately counts a pair of two changed variables from both sides, each
//! time with the new value of the other; a correction term makes up for it. In the list, a
//! feature with several changed facts is counted only for the first of them.
//!
//! *Consistency.* All reachable states satisfy forward mutexes, so a function that holds in
//! all states without these mutexes is consistent in every search. A function that holds only
//! in states of plans may be inconsistent at dead ends, so A* may reopen those. The plan is
//! optimal all the same, because all states on the way to a state of a plan are states of
//! plans.

mod invariance;
mod terms;

use std::collections::HashMap;

use hipot_analysis::PrunedTask;
use hipot_task::{
    Estimate, Fact, FactId, Facts, Heuristic, OperatorId, StateView, Task, Value, VariableId,
};

use self::terms::Terms;
use crate::certify::Certified;
use crate::normal_form::Validity;

/// The table of the features of size 2 on two variables, as seen from one of them.
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

/// A feature that is not in a table.
#[derive(Clone, Debug)]
struct Listed {
    conjuncts: Vec<(VariableId, Value)>,
    weight: i64,
}

/// Whether a pair has a table: it is small, or not almost empty.
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
    /// The weight of each fact.
    unary: Vec<i64>,
    /// The pairs of each variable.
    pairs: Vec<Vec<Pair>>,
    /// The tables of all pairs.
    tables: Vec<i64>,
    /// The features that are in no table, and for each fact those that mention it.
    listed: Vec<Listed>,
    listed_of: Vec<Vec<u32>>,
    /// The effects of each operator of the search's task.
    effects: Vec<Vec<(VariableId, Value)>>,
    /// The state entered last, and the numerator of φ there.
    parent: Vec<Value>,
    parent_value: i64,
    /// The variables that the current operator changes, with old and new values.
    changed: Vec<(VariableId, Value, Value)>,
    is_consistent: bool,
}

impl PotentialHeuristic {
    /// The heuristic for states of `task`; `function` is a potential function for its normal
    /// form. Every state of `task` is a state of its normal form.
    pub fn new(function: &Certified, task: &Task) -> Self {
        Self::of(&Terms::new(function), task)
    }

    /// The heuristic for states of a pruned task. The value of a state is that of the state
    /// of the original task that it stands for.
    pub fn pruned(function: &Certified, pruned: &PrunedTask) -> Self {
        Self::of(&Terms::pruned(function, pruned), pruned.task())
    }

    fn of(terms: &Terms<'_>, task: &Task) -> Self {
        let facts = terms.facts();
        let variables = facts.variable_count();
        let effects = task.operators().iter().map(|operator| {
            operator
                .effects
                .iter()
                .map(|effect| (effect.fact.variable, effect.fact.value))
                .collect()
        });
        let mut heuristic = Self {
            denominator: terms.function().denominator(),
            constant: terms.function().constant(),
            begins: facts.variable_ids().map(|variable| facts.numbers(variable).start).collect(),
            unary: vec![0; facts.len()],
            pairs: vec![Vec::new(); variables],
            tables: Vec::new(),
            listed: Vec::new(),
            listed_of: vec![Vec::new(); facts.len()],
            effects: effects.collect(),
            parent: vec![0; variables],
            parent_value: 0,
            changed: Vec::new(),
            is_consistent: terms.function().validity() != Validity::StatesOfPlans,
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
                    self.listed_of[fact.index()].push(self.listed.len() as u32);
                }
                let fact = |&id: &FactId| (facts.fact(id).variable, facts.fact(id).value);
                self.listed
                    .push(Listed { conjuncts: conjuncts.iter().map(fact).collect(), weight });
            }
        }
    }

    /// The pair ⟨`a`, `b`⟩; creates it if necessary.
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

    /// The estimate of a state, given as a value for each variable.
    ///
    /// # Panics
    /// If the number of `values` is not the number of variables. A value outside its
    /// variable's domain panics or gives a meaningless number.
    pub fn estimate_values(&mut self, values: &[Value]) -> Estimate {
        self.parent.copy_from_slice(values);
        self.parent_value = self.evaluate_parent();
        self.round(self.parent_value)
    }

    /// The numerator of φ in a state, which is entered.
    pub fn numerator(&mut self, state: StateView<'_>) -> i64 {
        self.enter(state);
        self.parent_value
    }

    /// The numerator of φ in `successor`, the result of `operator` in the state that was entered
    /// last.
    pub fn successor_numerator(&mut self, operator: OperatorId, successor: StateView<'_>) -> i64 {
        self.changed.clear();
        for &(variable, new) in &self.effects[operator.index()] {
            let old = self.parent[variable.index()];
            if old != new {
                self.changed.push((variable, old, new));
                self.parent[variable.index()] = new;
            }
        }
        let mut value = self.parent_value + self.change();
        if !self.listed.is_empty() {
            value += self.listed_change(successor);
        }
        for &(variable, old, _) in &self.changed {
            self.parent[variable.index()] = old;
        }
        value
    }

    /// The numerator of φ in `parent`.
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
        let holds = |listed: &&Listed| {
            listed.conjuncts.iter().all(|(variable, value)| self.parent[variable.index()] == *value)
        };
        value
            + twice / 2
            + self.listed.iter().filter(holds).map(|listed| listed.weight).sum::<i64>()
    }

    fn round(&self, numerator: i64) -> Estimate {
        if numerator <= 0 {
            return Estimate::at_least(0);
        }
        let cost = (numerator - 1) / self.denominator + 1;
        Estimate::at_least(cost.unsigned_abs())
    }

    /// The numerator of φ(successor) − φ(parent) by features in tables. They differ in the
    /// variables `changed`, for which `parent` already has the successor's values.
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
            // For a pair of two changed variables, the loop above has counted
            // w(new, new') − w(old, new') from each side.
            for &(second, second_old, second_new) in &self.changed[..index] {
                change += self.correction((variable, old, new), (second, second_old, second_new));
            }
        }
        change
    }

    /// The correction for a pair of two changed variables, which is counted from both sides:
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

    /// The terms that mention one of the facts that a symmetry moves; those in tables come once for
    /// each.
    fn terms_of(&self, moved: &[(Fact, Fact)]) -> Vec<invariance::Term> {
        let mut terms = Vec::new();
        for &(fact, _) in moved {
            let begin = self.begins[fact.variable.index()];
            terms.push((vec![fact], self.unary[(begin + fact.value) as usize]));
            for pair in &self.pairs[fact.variable.index()] {
                let next = self.begins.get(pair.other.index() + 1).copied();
                let end = next.unwrap_or(self.unary.len() as u32);
                for value in 0..end - self.begins[pair.other.index()] {
                    let place = pair.begin + fact.value * pair.own_step + value * pair.other_step;
                    let mut conjuncts = vec![fact, Fact::new(pair.other, value)];
                    conjuncts.sort_unstable();
                    terms.push((conjuncts, self.tables[place as usize]));
                }
            }
        }
        let is_moved = |fact: &Fact| moved.binary_search_by_key(fact, |&(from, _)| from).is_ok();
        for Listed { conjuncts, weight } in &self.listed {
            let mut facts: Vec<Fact> = conjuncts.iter().map(|&(v, d)| Fact::new(v, d)).collect();
            facts.sort_unstable();
            terms.extend(facts.iter().any(is_moved).then(|| (facts.clone(), *weight)));
        }
        terms.retain(|&(_, weight)| weight != 0);
        terms
    }

    /// The change by features in the list: those with old facts become false, those with new
    /// facts become true.
    fn listed_change(&self, successor: StateView<'_>) -> i64 {
        let mut change = 0;
        for (index, &(variable, old, new)) in self.changed.iter().enumerate() {
            let begin = self.begins[variable.index()];
            let earlier =
                |v: &VariableId| self.changed[..index].iter().any(|(other, ..)| other == v);
            for (value, sign) in [(old, -1), (new, 1)] {
                for &feature in &self.listed_of[(begin + value) as usize] {
                    let Listed { conjuncts, weight } = &self.listed[feature as usize];
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
        let value = self.successor_numerator(operator, successor);
        self.round(value)
    }

    fn is_incremental(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        self.is_consistent
    }

    fn is_invariant_under(&self, moved: &[(Fact, Fact)]) -> bool {
        invariance::keeps(self.terms_of(moved), moved)
    }
}
