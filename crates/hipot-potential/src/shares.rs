//! A potential function as a transition cost partitioning.
//! [PHB17, Theorem 7; thm:relation-pot-tcp] [PHB17, Proposition 2]
//!
//! The features over one set of variables are abstract states of the projection α to these
//! variables, so φ(s) = constant + Σ_α w(α(s)): an abstract state that is no feature weighs 0.
//! The proof of Proposition 2 reads two things off the weights:
//!
//! - *Distances*: h(α(s)) = w(α(s)) − w(α(s_⋆)), which is 0 in the goal. Their sum is
//!   φ(s) − φ(s_⋆).
//! - *Shares*: c^α(s → s′) = w(α(s)) − w(α(s′)). Under these costs no path in α is shorter than
//!   h says, and the shares of a transition add up to φ(s) − φ(s′) ≤ cost(o), because φ is
//!   consistent.
//!
//! So the function *is* a cost partitioning, and [`Shares`] shows it. A cost partitioning
//! whose distances are known is a potential function in the same way, with w = h.
//!
//! An operator's transitions are too many to list, but its share in α depends only on the
//! facts of α's other variables. These contexts are not enumerated either: a context in which
//! no feature of α changes has the share 0, and the others are found from the features that
//! the operator changes ([`Delta`]).
//!
//! All numbers are numerators over the function's denominator, and exact.

use std::collections::BTreeMap;

use hipot_task::{FactId, OperatorId, Value, VariableId};

use crate::contexts::{Domains, largest_decrease};
use crate::delta::{Delta, Term};
use crate::feature::{FeatureId, Features};
use crate::normal_form::NormalForm;

/// The projections of a function, and what each gets of every cost.
#[derive(Debug)]
pub struct Shares<'a> {
    normal: &'a NormalForm,
    features: &'a Features,
    weights: &'a [i64],
    patterns: Vec<Vec<VariableId>>,
    /// The pattern of each feature.
    pattern_of: Vec<usize>,
    /// w(α(s_⋆)) for each pattern.
    goal: Vec<i128>,
}

/// What a projection gets of an operator's cost: from the smallest share in any context to
/// the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareRange {
    /// The index of the projection's pattern.
    pub pattern: usize,
    /// The smallest share.
    pub smallest: i128,
    /// The largest share: what an operator cost partitioning has to pay.
    pub largest: i128,
}

impl<'a> Shares<'a> {
    /// The shares of the function with these weights, over features of `normal`.
    pub fn new(normal: &'a NormalForm, features: &'a Features, weights: &'a [i64]) -> Self {
        let variables = |feature: FeatureId| -> Vec<VariableId> {
            features.conjuncts(feature).iter().map(|&id| features.facts().variable(id)).collect()
        };
        let mut patterns: Vec<Vec<VariableId>> = features.ids().map(variables).collect();
        patterns.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        patterns.dedup();
        let place = |pattern: &Vec<VariableId>| {
            patterns.binary_search_by(|other| (other.len(), other).cmp(&(pattern.len(), pattern)))
        };
        let pattern_of = features.ids().map(|it| place(&variables(it)).expect("in the list"));
        let pattern_of = pattern_of.collect();
        let mut shares = Self { normal, features, weights, patterns, pattern_of, goal: Vec::new() };
        shares.goal = shares.sums(normal.goal());
        shares
    }

    /// The variables of each projection: smaller ones first.
    pub fn patterns(&self) -> &[Vec<VariableId>] {
        &self.patterns
    }

    /// h(α(s)) for each projection.
    pub fn distances(&self, state: &[Value]) -> Vec<i128> {
        self.sums(state).iter().zip(&self.goal).map(|(own, goal)| own - goal).collect()
    }

    /// c^α(s → s′) for each projection.
    pub fn of_transition(&self, before: &[Value], after: &[Value]) -> Vec<i128> {
        let pairs = self.sums(before).into_iter().zip(self.sums(after));
        pairs.map(|(before, after)| before - after).collect()
    }

    /// w(α(s)) for each projection.
    fn sums(&self, state: &[Value]) -> Vec<i128> {
        let mut sums = vec![0; self.patterns.len()];
        for fact in self.features.facts().of_state(state) {
            for &feature in self.features.mentioning(fact) {
                // Each feature is found once, by its first fact.
                let is_first = self.features.conjuncts(feature)[0] == fact;
                if is_first && self.features.holds(feature, state) {
                    sums[self.pattern_of[feature.index()]] += self.weight(feature);
                }
            }
        }
        sums
    }

    fn weight(&self, feature: FeatureId) -> i128 {
        self.weights[feature.index()].into()
    }

    /// The shares of an operator, of projections that get something other than 0 in some
    /// context; `None` if the mutexes prove that the operator is never applied.
    pub fn of_operator(&self, operator: OperatorId) -> Option<Vec<ShareRange>> {
        let domains = Domains::of_operator(self.normal, operator)?;
        let delta = Delta::new(self.normal, self.features, operator);
        // For each pattern, the share in each context that some feature mentions.
        let mut shares: BTreeMap<usize, BTreeMap<&[FactId], i128>> = BTreeMap::new();
        let independent = delta.independent.iter().map(|&term| (term, &[][..]));
        for (Term { feature, sign }, context) in independent.chain(delta.dependent()) {
            let is_possible = |&id: &FactId| domains.place(self.features.facts(), id).is_some();
            if self.weight(feature) != 0 && context.iter().all(is_possible) {
                let contexts = shares.entry(self.pattern_of[feature.index()]).or_default();
                *contexts.entry(context).or_default() += self.weight(feature) * i128::from(sign);
            }
        }
        let range = |(pattern, contexts): (usize, BTreeMap<&[FactId], i128>)| {
            let is_all = contexts.len() as u64 == self.contexts(operator, &domains, pattern);
            let others = if is_all { None } else { Some(0) };
            let all = || contexts.values().copied().chain(others);
            let (smallest, largest) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
            ShareRange { pattern, smallest, largest }
        };
        let is_something = |range: &ShareRange| (range.smallest, range.largest) != (0, 0);
        Some(shares.into_iter().map(range).filter(is_something).collect())
    }

    /// The number of contexts that an operator has in a projection.
    fn contexts(&self, operator: OperatorId, domains: &Domains, pattern: usize) -> u64 {
        let mentions = self.normal.mentions(operator);
        let facts = self.normal.facts();
        let is_open = |id: &&VariableId| {
            mentions.iter().all(|mention| facts.variable(mention.before) != **id)
        };
        let open = self.patterns[pattern].iter().filter(is_open);
        open.fold(1, |count: u64, id| count.saturating_mul(domains.sizes()[id.index()] as u64))
    }

    /// The most that all projections together get of an operator's cost in one context: the
    /// largest decrease of φ. `None` if the operator is never applied or has too many
    /// contexts.
    pub fn largest_sum(&self, operator: OperatorId) -> Option<i128> {
        let domains = Domains::of_operator(self.normal, operator)?;
        let delta = Delta::new(self.normal, self.features, operator);
        let weight = |feature| self.weight(feature);
        largest_decrease(&delta, self.features.facts(), &domains, weight).ok()?
    }
}
