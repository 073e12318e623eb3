//! Features: conjunctions of facts.
//!
//! Facts are [numbered](Facts), so a feature is a short list of numbers. All
//! features of a potential function are in one flat list. An index leads from
//! facts to the features that mention them: an operator changes few facts, so
//! it affects few features.

use hipot_task::{FactId, Facts, Task, Value, VariableId};

use crate::normal_form::NormalForm;

/// The index of a feature f ∈ ℱ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(u32);

impl FeatureId {
    /// The index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of features ℱ.
#[derive(Clone, Debug)]
pub struct Features {
    facts: Facts,
    /// Feature i is `conjuncts[begins[i]..begins[i + 1]]`.
    begins: Vec<u32>,
    conjuncts: Vec<FactId>,
    /// Fact i is mentioned by `mentions[mention_begins[i]..mention_begins[i + 1]]`.
    mention_begins: Vec<u32>,
    mentions: Vec<FeatureId>,
    dimension: usize,
}

/// Why a list of facts is not a feature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// It has no facts.
    #[error("a feature must have at least one fact")]
    Empty,
    /// It has two facts of one variable.
    #[error("the feature mentions variable {0} twice")]
    VariableTwice(VariableId),
    /// The feature is listed already.
    #[error("the feature is listed twice")]
    Twice,
}

impl Features {
    /// Features given as lists of facts, in this order. An error comes with the
    /// index of the offending list.
    pub fn new(facts: Facts, lists: Vec<Vec<FactId>>) -> Result<Self, (usize, FeatureError)> {
        let mut begins = vec![0];
        let mut conjuncts = Vec::new();
        let mut dimension = 0;
        let mut seen = std::collections::HashSet::with_capacity(lists.len());
        for (index, mut list) in lists.into_iter().enumerate() {
            list.sort_unstable();
            if list.is_empty() {
                return Err((index, FeatureError::Empty));
            }
            let same = |pair: &&[FactId]| facts.variable(pair[0]) == facts.variable(pair[1]);
            if let Some(pair) = list.windows(2).find(same) {
                return Err((index, FeatureError::VariableTwice(facts.variable(pair[0]))));
            }
            dimension = dimension.max(list.len());
            conjuncts.extend_from_slice(&list);
            begins.push(conjuncts.len() as u32);
            if !seen.insert(list) {
                return Err((index, FeatureError::Twice));
            }
        }
        Ok(Self::with_index(facts, begins, conjuncts, dimension))
    }

    /// All features of size at most `dimension` that mention no reference
    /// value.
    ///
    /// For a *reference value* r of V, [V = r] = 1 − Σ [V = d] over the other
    /// values d. Multiplied out, this writes a feature that mentions r as a
    /// linear combination of features of at most its size that do not, and a
    /// constant. So leaving these features out changes nothing but the constant,
    /// which a potential function has anyway.
    pub fn complete(facts: Facts, dimension: usize, references: &[Value]) -> Self {
        let reference = |id: FactId| references[facts.variable(id).index()];
        let useful: Vec<FactId> =
            facts.ids().filter(|&id| facts.fact(id).value != reference(id)).collect();
        let mut begins = vec![0];
        let mut conjuncts: Vec<FactId> = Vec::new();
        // Extend each feature of one size by the facts of all later variables.
        let mut previous: Vec<Vec<FactId>> = vec![Vec::new()];
        let mut largest = 0;
        for size in 1..=dimension.min(facts.variable_count()) {
            let mut next = Vec::new();
            for feature in &previous {
                let first = feature.last().map_or(0, |last| {
                    useful.partition_point(|id| facts.variable(*id) <= facts.variable(*last))
                });
                for &fact in &useful[first..] {
                    let mut longer = feature.clone();
                    longer.push(fact);
                    conjuncts.extend_from_slice(&longer);
                    begins.push(conjuncts.len() as u32);
                    largest = size;
                    if size < dimension {
                        next.push(longer);
                    }
                }
            }
            previous = next;
        }
        Self::with_index(facts, begins, conjuncts, largest)
    }

    /// Features of size 1 and 2. One of size 2 is given as a pair of facts a < b of
    /// different variables, one of size 1 as its fact twice; each is given once.
    pub(crate) fn of_pairs(
        facts: Facts,
        pairs: impl IntoIterator<Item = (FactId, FactId)>,
    ) -> Self {
        let mut begins = vec![0];
        let mut conjuncts: Vec<FactId> = Vec::new();
        let mut dimension = 0;
        for (a, b) in pairs {
            let begin = conjuncts.len();
            conjuncts.push(a);
            if a != b {
                conjuncts.push(b);
            }
            dimension = dimension.max(conjuncts.len() - begin);
            begins.push(conjuncts.len() as u32);
        }
        Self::with_index(facts, begins, conjuncts, dimension)
    }

    /// The number of features that [`complete`](Self::complete) would return: the sum, over
    /// all sets of up to `dimension` variables, of the products of their `|dom(V)| − 1`.
    pub fn complete_count(facts: &Facts, dimension: usize) -> u64 {
        let mut of_size = vec![0_u64; dimension + 1];
        of_size[0] = 1;
        for variable in facts.variable_ids() {
            let values = facts.domain_size(variable) as u64 - 1;
            for size in (1..=dimension).rev() {
                let more = of_size[size - 1].saturating_mul(values);
                of_size[size] = of_size[size].saturating_add(more);
            }
        }
        of_size[1..].iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    fn with_index(
        facts: Facts,
        begins: Vec<u32>,
        conjuncts: Vec<FactId>,
        dimension: usize,
    ) -> Self {
        let mut mention_begins = vec![0_u32; facts.len() + 1];
        for fact in &conjuncts {
            mention_begins[fact.index() + 1] += 1;
        }
        for index in 0..facts.len() {
            mention_begins[index + 1] += mention_begins[index];
        }
        let mut next = mention_begins.clone();
        let mut mentions = vec![FeatureId(0); conjuncts.len()];
        for feature in 0..begins.len() - 1 {
            for fact in &conjuncts[begins[feature] as usize..begins[feature + 1] as usize] {
                mentions[next[fact.index()] as usize] = FeatureId(feature as u32);
                next[fact.index()] += 1;
            }
        }
        Self { facts, begins, conjuncts, mention_begins, mentions, dimension }
    }

    /// The number of features, |ℱ|.
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of the largest feature.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// All features, in order.
    pub fn ids(&self) -> impl Iterator<Item = FeatureId> + use<> {
        (0..self.len() as u32).map(FeatureId)
    }

    /// The facts of a feature, in order.
    pub fn conjuncts(&self, feature: FeatureId) -> &[FactId] {
        let index = feature.index();
        &self.conjuncts[self.begins[index] as usize..self.begins[index + 1] as usize]
    }

    /// The features that mention `fact`.
    pub fn mentioning(&self, fact: FactId) -> &[FeatureId] {
        let index = fact.index();
        &self.mentions[self.mention_begins[index] as usize..self.mention_begins[index + 1] as usize]
    }

    /// The facts that features are made of.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Whether `state`, a value for each variable, makes `feature` true.
    pub fn holds(&self, feature: FeatureId, state: &[Value]) -> bool {
        self.conjuncts(feature).iter().all(|&id| {
            let fact = self.facts.fact(id);
            state[fact.variable.index()] == fact.value
        })
    }

    /// A name for the feature: its facts' names, joined by ` & `. The value `unknown` has
    /// the same name for every variable, so there the variable's name comes first.
    pub fn name(&self, feature: FeatureId, task: &Task) -> String {
        conjunction_name(self.conjuncts(feature), &self.facts, task)
    }
}

/// A name of a conjunction of facts, made from names of the task.
pub(crate) fn conjunction_name(conjuncts: &[FactId], facts: &Facts, task: &Task) -> String {
    let name = |&id: &FactId| {
        let fact = facts.fact(id);
        match task.fact_name(fact) {
            "unknown" => format!("{}=unknown", task.variable(fact.variable).name),
            name => name.to_owned(),
        }
    };
    conjuncts.iter().map(name).collect::<Vec<_>>().join(" & ")
}

/// For each fact, how often operators read or write it.
pub(crate) fn fact_uses(normal: &NormalForm) -> Vec<u32> {
    let mut uses = vec![0_u32; normal.facts().len()];
    for mention in normal.operator_ids().flat_map(|operator| normal.mentions(operator)) {
        uses[mention.before.index()] += 1;
        uses[mention.after.index()] += 1;
    }
    uses
}

/// For each variable, the value that operators read and write most often. As the
/// reference value it saves most.
pub fn frequent_values(normal: &NormalForm) -> Vec<Value> {
    let (facts, uses) = (normal.facts(), fact_uses(normal));
    let most_used = |variable| {
        let by_use = |id: &FactId| (uses[id.index()], std::cmp::Reverse(*id));
        let found = facts.of_variable(variable).max_by_key(by_use);
        facts.fact(found.expect("variables have values")).value
    };
    facts.variable_ids().map(most_used).collect()
}
