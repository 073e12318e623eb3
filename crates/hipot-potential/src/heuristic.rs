//! Certified potential functions as a heuristic for searches: max(0, ⌈φ⌉), or the maximum of that
//! over N functions.
//!
//! *Several functions at once.* What takes time is to find the entries of the tables, and to wait for
//! memory. So the weights of all N functions for a feature lie side by side ([`Lanes`]), and one
//! pass evaluates all of them: the maximum of eight functions takes about as long as two functions
//! one after the other.
//!
//! *Tables.* The weights of features of size 1 are in a table over facts. Those of size 2 are
//! in one table for each pair of variables that has any. Larger features, and those of size 2
//! whose table would be large and almost empty, are in a list, with an index from facts to the
//! features that mention them. All numbers are integers; the certificate guarantees that no
//! sum overflows.
//!
//! *Successors.* The value of a successor is computed from that of its parent. For each variable V,
//! the sum over the terms of V in the parent is computed once for all successors. For a changed
//! variable, the same sum with its new value takes one look into the tables of each of its
//! pairs. With all other variables as in the parent, a pair of two changed variables contributes
//! w(n, o') − w(o, o') + w(o, n') − w(o, o') instead of w(n, n') − w(o, o'); a correction makes up
//! for it. In the list, a feature with several changed facts is counted only for the first of
//! them.
//!
//! *Consistency.* All reachable states satisfy forward mutexes, so a function that holds in
//! all states without these mutexes is consistent in every search. A function that holds only
//! in states of plans may be inconsistent at dead ends, so A* may reopen those. The plan is
//! optimal all the same, because all states on the way to a state of a plan are states of
//! plans.

mod changes;
mod invariance;
mod lanes;
mod terms;

use std::collections::HashMap;

use hipot_analysis::PrunedTask;
use hipot_task::{
    Estimate, Fact, FactId, Facts, Heuristic, OperatorId, StateView, Task, Value, VariableId,
};

pub use self::changes::Changes;
use self::lanes::Lanes;
use self::terms::{PairCounts, Terms, pair_counts};
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
struct Listed<const N: usize> {
    conjuncts: Vec<(VariableId, Value)>,
    weight: Lanes<N>,
}

/// Whether a pair has a table: it is small, or not almost empty.
fn has_table(facts: &Facts, pair: (VariableId, VariableId), counts: &PairCounts) -> bool {
    let entries = facts.domain_size(pair.0) * facts.domain_size(pair.1);
    entries <= 4096 || entries <= 64 * counts.get(&pair).copied().unwrap_or(0)
}

/// max(0, ⌈φ⌉) for the states of a search; of several functions, the maximum.
#[derive(Clone, Debug)]
pub struct PotentialHeuristic<const N: usize = 1> {
    denominators: [i64; N],
    constant: Lanes<N>,
    /// The first fact of each variable.
    begins: Vec<u32>,
    /// The weights of each fact.
    unary: Vec<Lanes<N>>,
    /// The pairs of each variable.
    pairs: Vec<Vec<Pair>>,
    /// The tables of all pairs.
    tables: Vec<Lanes<N>>,
    /// The features that are in no table, and for each fact those that mention it.
    listed: Vec<Listed<N>>,
    listed_of: Vec<Vec<u32>>,
    /// What the operators of the search's task may change.
    effects: Changes,
    /// The state entered last, and the numerators of the functions there.
    parent: Vec<Value>,
    parent_value: Lanes<N>,
    /// For each variable, the sum of the terms in tables that mention it and are true there.
    sums: Vec<Lanes<N>>,
    /// The variables that the current operator changes, with old and new values.
    changed: Vec<(VariableId, Value, Value)>,
    is_consistent: bool,
}

impl PotentialHeuristic {
    /// The heuristic for states of `task`; `function` is a potential function for its normal
    /// form. Every state of `task` is a state of its normal form.
    pub fn new(function: &Certified, task: &Task) -> Self {
        Self::maximum(&[function], task)
    }

    /// The heuristic for states of a pruned task. The value of a state is that of the state
    /// of the original task that it stands for.
    pub fn pruned(function: &Certified, pruned: &PrunedTask) -> Self {
        Self::pruned_maximum(&[function], pruned)
    }

    /// The numerator of φ in a state, which is entered.
    pub fn numerator(&mut self, state: StateView<'_>) -> i64 {
        self.enter(state);
        self.parent_value.0[0]
    }

    /// The numerator of φ in `successor`, the result of `operator` in the state that was entered
    /// last.
    pub fn successor_numerator(&mut self, operator: OperatorId, successor: StateView<'_>) -> i64 {
        self.successor_value(operator, successor).0[0]
    }
}

impl<const N: usize> PotentialHeuristic<N> {
    /// As [`new`](PotentialHeuristic::new), for the maximum of at most N functions.
    ///
    /// # Panics
    /// If there are no functions or more than N, or if they are about different normal forms.
    pub fn maximum(functions: &[&Certified], task: &Task) -> Self {
        let terms: Vec<_> = functions.iter().map(|it| Terms::new(it)).collect();
        Self::of(&terms, task)
    }

    /// As [`pruned`](PotentialHeuristic::pruned), for the maximum of at most N functions.
    ///
    /// # Panics
    /// If there are no functions or more than N.
    pub fn pruned_maximum(functions: &[&Certified], pruned: &PrunedTask) -> Self {
        let terms: Vec<_> = functions.iter().map(|it| Terms::pruned(it, pruned)).collect();
        Self::of(&terms, pruned.task())
    }

    fn of(all: &[Terms<'_>], task: &Task) -> Self {
        assert!(all.len() <= N, "there is room for {N} functions");
        let facts = all[0].facts();
        let is_one_numbering = all.iter().all(|terms| terms.facts() == facts);
        assert!(is_one_numbering, "the functions are about the same normal form");
        let variables = facts.variable_count();
        let is_consistent =
            |terms: &Terms<'_>| terms.function().validity() != Validity::StatesOfPlans;
        let mut heuristic = Self {
            denominators: [1; N],
            constant: Lanes::default(),
            begins: facts.variable_ids().map(|variable| facts.numbers(variable).start).collect(),
            unary: vec![Lanes::default(); facts.len()],
            pairs: vec![Vec::new(); variables],
            tables: Vec::new(),
            listed: Vec::new(),
            listed_of: vec![Vec::new(); facts.len()],
            effects: Changes::new(task),
            parent: vec![0; variables],
            parent_value: Lanes::default(),
            sums: vec![Lanes::default(); variables],
            changed: Vec::new(),
            is_consistent: all.iter().all(is_consistent),
        };
        let (counts, mut known) = (pair_counts(all), HashMap::new());
        for (lane, terms) in all.iter().enumerate() {
            heuristic.denominators[lane] = terms.function().denominator();
            heuristic.constant += Lanes::one(lane, terms.function().constant());
            terms.for_each(|conjuncts, weight| {
                let weight = Lanes::one(lane, weight);
                heuristic.add(conjuncts, weight, facts, &counts, &mut known);
            });
        }
        heuristic
    }

    fn add(
        &mut self,
        conjuncts: &[FactId],
        weight: Lanes<N>,
        facts: &Facts,
        counts: &PairCounts,
        known: &mut HashMap<Vec<FactId>, usize>,
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
                let place = *known.entry(conjuncts.to_vec()).or_insert(self.listed.len());
                if place == self.listed.len() {
                    self.list(conjuncts, facts);
                }
                self.listed[place].weight += weight;
            }
        }
    }

    /// Adds a feature to the list, with weight 0.
    fn list(&mut self, conjuncts: &[FactId], facts: &Facts) {
        for fact in conjuncts {
            self.listed_of[fact.index()].push(self.listed.len() as u32);
        }
        let fact = |&id: &FactId| (facts.fact(id).variable, facts.fact(id).value);
        let conjuncts = conjuncts.iter().map(fact).collect();
        self.listed.push(Listed { conjuncts, weight: Lanes::default() });
    }

    /// The pair ⟨`a`, `b`⟩; creates it if necessary.
    fn pair(&mut self, a: VariableId, b: VariableId, facts: &Facts) -> Pair {
        if let Some(pair) = self.pairs[a.index()].iter().find(|pair| pair.other == b) {
            return *pair;
        }
        let (size_a, size_b) = (facts.domain_size(a), facts.domain_size(b));
        let begin = self.tables.len() as u32;
        self.tables.resize(self.tables.len() + size_a * size_b, Lanes::default());
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
        self.evaluate_parent();
        self.round(self.parent_value)
    }

    /// Computes the numerators of the functions in `parent`, and the sums for its variables.
    fn evaluate_parent(&mut self) {
        let mut value = self.constant;
        let mut twice = Lanes::default();
        for variable in 0..self.parent.len() {
            let own = self.parent[variable];
            let unary = self.unary[(self.begins[variable] + own) as usize];
            let pairs = self.pair_sum(variable, own);
            value += unary;
            twice += pairs;
            self.sums[variable] = unary;
            self.sums[variable] += pairs;
        }
        value += twice.halved();
        for Listed { conjuncts, weight } in &self.listed {
            if conjuncts.iter().all(|(variable, value)| self.parent[variable.index()] == *value) {
                value += *weight;
            }
        }
        self.parent_value = value;
    }

    /// The sum over the pairs of a variable if it has the value `own` and the others are as in the
    /// parent.
    #[inline]
    fn pair_sum(&self, variable: usize, own: Value) -> Lanes<N> {
        let mut sum = Lanes::default();
        for pair in &self.pairs[variable] {
            let other = self.parent[pair.other.index()];
            let place = pair.begin + own * pair.own_step + other * pair.other_step;
            sum += self.tables[place as usize];
        }
        sum
    }

    /// The largest of the values with these numerators, rounded up.
    #[inline]
    fn round(&self, numerators: Lanes<N>) -> Estimate {
        let mut highest = 0;
        for (numerator, denominator) in numerators.0.into_iter().zip(self.denominators) {
            // Divisions take long, and most functions are not the highest.
            if i128::from(numerator) > i128::from(highest) * i128::from(denominator) {
                highest = (numerator - 1) / denominator + 1;
            }
        }
        Estimate::at_least(highest.unsigned_abs())
    }

    /// The numerators of the functions in `successor`, the result of `operator` in `parent`.
    #[inline]
    fn successor_value(&mut self, operator: OperatorId, successor: StateView<'_>) -> Lanes<N> {
        self.changed.clear();
        for (variable, new) in self.effects.values(operator, successor) {
            let old = self.parent[variable.index()];
            if old != new {
                self.changed.push((variable, old, new));
            }
        }
        let mut value = self.parent_value;
        value += self.change();
        if !self.listed.is_empty() {
            value += self.listed_change(successor);
        }
        value
    }

    /// The numerators of φ(successor) − φ(parent) by features in tables.
    fn change(&self) -> Lanes<N> {
        let mut change = Lanes::default();
        for (index, &(variable, old, new)) in self.changed.iter().enumerate() {
            let begin = self.begins[variable.index()];
            change += self.unary[(begin + new) as usize];
            change += self.pair_sum(variable.index(), new);
            change -= self.sums[variable.index()];
            for &(second, second_old, second_new) in &self.changed[..index] {
                self.correct(&mut change, (variable, old, new), (second, second_old, second_new));
            }
        }
        change
    }

    /// Adds the correction for a pair of two changed variables, which is counted from both sides:
    /// w(n, n') − w(o, n') − w(n, o') + w(o, o').
    fn correct(
        &self,
        change: &mut Lanes<N>,
        (first, old, new): (VariableId, Value, Value),
        (second, second_old, second_new): (VariableId, Value, Value),
    ) {
        let Some(pair) = self.pairs[first.index()].iter().find(|pair| pair.other == second) else {
            return;
        };
        let weight = |own: Value, other: Value| {
            self.tables[(pair.begin + own * pair.own_step + other * pair.other_step) as usize]
        };
        *change += weight(new, second_new);
        *change -= weight(old, second_new);
        *change -= weight(new, second_old);
        *change += weight(old, second_old);
    }

    /// The terms that mention one of the facts that a symmetry moves; those in tables come once for
    /// each.
    fn terms_of(&self, moved: &[(Fact, Fact)]) -> Vec<invariance::Term<N>> {
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
        terms.retain(|&(_, weight)| weight != Lanes::default());
        terms
    }

    /// The change by features in the list: those with old facts become false, those with new
    /// facts become true.
    fn listed_change(&self, successor: StateView<'_>) -> Lanes<N> {
        let mut change = Lanes::default();
        for (index, &(variable, old, new)) in self.changed.iter().enumerate() {
            let begin = self.begins[variable.index()];
            let earlier =
                |v: &VariableId| self.changed[..index].iter().any(|(other, ..)| other == v);
            for (value, is_old) in [(old, true), (new, false)] {
                for &feature in &self.listed_of[(begin + value) as usize] {
                    let Listed { conjuncts, weight } = &self.listed[feature as usize];
                    let holds = conjuncts.iter().all(|(v, wanted)| {
                        let parent = self.parent[v.index()];
                        let found = if is_old { parent } else { successor.value(*v) };
                        found == *wanted
                    });
                    let counted = conjuncts.iter().any(|(v, _)| earlier(v));
                    match is_old {
                        _ if !holds || counted => {}
                        true => change -= *weight,
                        false => change += *weight,
                    }
                }
            }
        }
        change
    }
}

impl<const N: usize> Heuristic for PotentialHeuristic<N> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.enter(state);
        self.round(self.parent_value)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        for variable in 0..self.parent.len() {
            self.parent[variable] = parent.value(VariableId::new(variable));
        }
        self.evaluate_parent();
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        let value = self.successor_value(operator, successor);
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
