//! The potential function with an inverted index from facts to features.

use std::ops::Range;

use hipot_task::Value;

use super::Certificate;
use super::integer::Integer;
use super::normal_form::NormalForm;

/// A fact: the variable's index and the value.
pub(super) type IndexedFact = (usize, Value);

/// φ, as integers: its values are those of the certificate's φ times the
/// denominator.
pub(super) struct Potential<N> {
    pub(super) constant: N,
    pub(super) weights: Vec<N>,
    /// The facts of all features, one feature after the other.
    facts: Vec<IndexedFact>,
    ends: Vec<usize>,
    pub(super) numbering: FactNumbering,
    /// The features that mention a fact, one fact after the other.
    mentions: Vec<u32>,
    mention_ends: Vec<usize>,
}

impl<N: Integer> Potential<N> {
    /// The certificate's function; its facts are facts of the task.
    pub(super) fn new(certificate: &Certificate, normal: &NormalForm<'_>) -> Self {
        let mut weights = Vec::with_capacity(certificate.feature_count());
        let (mut facts, mut ends) = (Vec::new(), Vec::new());
        for (weight, feature) in certificate.features() {
            weights.push(N::from_big(weight));
            let known = |fact| normal.value(fact).expect("the facts were checked");
            facts.extend(feature.iter().map(|&fact| (fact.variable.index(), known(fact))));
            ends.push(facts.len());
        }
        let numbering = FactNumbering::new(normal);
        let (mentions, mention_ends) = invert(&facts, &ends, &numbering);
        let constant = N::from_big(certificate.constant());
        Self { constant, weights, facts, ends, numbering, mentions, mention_ends }
    }

    /// The facts of a feature, in the order of variables.
    pub(super) fn feature(&self, feature: usize) -> &[IndexedFact] {
        &self.facts[range(&self.ends, feature)]
    }

    /// The features that mention a fact.
    pub(super) fn features_with(&self, fact: IndexedFact) -> impl Iterator<Item = usize> {
        let range = range(&self.mention_ends, self.numbering.number(fact));
        self.mentions[range].iter().map(|&feature| feature as usize)
    }

    /// φ(s).
    pub(super) fn value(&self, state: &[Value]) -> N {
        let mut value = self.constant.clone();
        for (feature, weight) in self.weights.iter().enumerate() {
            if self.feature(feature).iter().all(|&(variable, value)| state[variable] == value) {
                value.add(weight);
            }
        }
        value
    }
}

/// The list of features for each fact, by counting sort.
fn invert(
    facts: &[IndexedFact],
    ends: &[usize],
    numbering: &FactNumbering,
) -> (Vec<u32>, Vec<usize>) {
    let mut next = vec![0; numbering.count()];
    for &fact in facts {
        next[numbering.number(fact)] += 1;
    }
    let mut start = 0;
    for slot in &mut next {
        (*slot, start) = (start, start + *slot);
    }
    let mut mentions = vec![0; facts.len()];
    for feature in 0..ends.len() {
        for &fact in &facts[range(ends, feature)] {
            let slot = &mut next[numbering.number(fact)];
            mentions[*slot] = feature as u32;
            *slot += 1;
        }
    }
    (mentions, next)
}

/// The range of list `index`, given where each list ends.
fn range(ends: &[usize], index: usize) -> Range<usize> {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    start..ends[index]
}

/// Consecutive numbers for all facts of the normal form.
pub(super) struct FactNumbering {
    /// The number of each variable's first fact, and at the end the number of facts.
    first: Vec<usize>,
}

impl FactNumbering {
    fn new(normal: &NormalForm<'_>) -> Self {
        let mut first = vec![0];
        for variable in 0..normal.task.variables().len() {
            first.push(first[variable] + normal.domain_size(variable) as usize);
        }
        Self { first }
    }

    /// The number of facts.
    pub(super) fn count(&self) -> usize {
        self.first[self.first.len() - 1]
    }

    /// The number of a fact.
    pub(super) fn number(&self, (variable, value): IndexedFact) -> usize {
        self.first[variable] + value as usize
    }

    /// The number of values of a variable.
    pub(super) fn domain_size(&self, variable: usize) -> u32 {
        (self.first[variable + 1] - self.first[variable]) as u32
    }
}
