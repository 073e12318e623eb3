//! Features: conjunctions of facts.
//!
//! Facts are numbered through, variable by variable, so that a feature is a
//! short list of numbers and a table over facts is a vector. All features of
//! a potential function lie in one flat list with an index from facts to the
//! features that mention them: an operator touches few facts, so few features.

use hipot_task::{Fact, Task, Value, VariableId};

/// The number of a fact, from 0, in the order of variables and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(u32);

impl FactId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The facts of a task.
#[derive(Clone, Debug)]
pub struct Facts {
    /// For each variable its first fact's number; at the end their count.
    begins: Vec<u32>,
    variables: Vec<VariableId>,
}

impl Facts {
    /// The facts of `task`.
    pub fn new(task: &Task) -> Self {
        let mut begins = vec![0];
        let mut variables = Vec::new();
        for id in task.variable_ids() {
            variables.resize(variables.len() + task.variable(id).values.len(), id);
            begins.push(variables.len() as u32);
        }
        Self { begins, variables }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The number of `fact`.
    pub fn id(&self, fact: Fact) -> FactId {
        FactId(self.begins[fact.variable.index()] + fact.value)
    }

    /// The fact with this number.
    pub fn fact(&self, id: FactId) -> Fact {
        let variable = self.variable(id);
        Fact::new(variable, id.0 - self.begins[variable.index()])
    }

    /// The variable of the fact with this number.
    pub fn variable(&self, id: FactId) -> VariableId {
        self.variables[id.index()]
    }

    /// |dom(V)|.
    pub fn domain_size(&self, variable: VariableId) -> usize {
        (self.begins[variable.index() + 1] - self.begins[variable.index()]) as usize
    }

    /// All facts, in order.
    pub fn ids(&self) -> impl Iterator<Item = FactId> + use<> {
        (0..self.len() as u32).map(FactId)
    }

    /// The variable of the fact with this number.
    pub(crate) fn variable_of(&self, number: u32) -> VariableId {
        self.variables[number as usize]
    }

    /// The numbers of the facts of one variable.
    pub(crate) fn range_of(&self, variable: VariableId) -> std::ops::Range<usize> {
        self.begins[variable.index()] as usize..self.begins[variable.index() + 1] as usize
    }

    /// The facts of one variable.
    pub fn of_variable(&self, variable: VariableId) -> impl Iterator<Item = FactId> + use<> {
        (self.begins[variable.index()]..self.begins[variable.index() + 1]).map(FactId)
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.begins.len() - 1
    }
}

/// The number of a feature f ∈ ℱ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(u32);

impl FeatureId {
    /// The number as an index.
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

/// Why a list of facts is no feature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// It has no facts.
    #[error("a feature must have at least one fact")]
    Empty,
    /// It has two facts of one variable.
    #[error("the feature mentions variable {0} twice")]
    VariableTwice(VariableId),
    /// It is there already.
    #[error("the feature is there twice")]
    Twice,
}

impl Features {
    /// The features given as lists of facts, in this order. An error comes
    /// with the index of the list that is wrong.
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
    /// sum of features of at most its size that do not, and a constant. So
    /// leaving these features out changes nothing but a constant, which a
    /// potential function has anyway.
    pub fn complete(facts: Facts, dimension: usize, references: &[Value]) -> Self {
        let reference = |id: FactId| references[facts.variable(id).index()];
        let useful: Vec<FactId> = (0..facts.len() as u32)
            .map(FactId)
            .filter(|&id| facts.fact(id).value != reference(id))
            .collect();
        let mut begins = vec![0];
        let mut conjuncts: Vec<FactId> = Vec::new();
        // Extend each feature of one size by all later variables' facts.
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

    /// Features of size 1 and 2, given as pairs of facts a < b of different
    /// variables, or of one fact twice; each once.
    pub(crate) fn of_pairs(facts: Facts, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut begins = vec![0];
        let mut conjuncts: Vec<FactId> = Vec::new();
        let mut dimension = 0;
        for (a, b) in pairs {
            let begin = conjuncts.len();
            conjuncts.push(FactId(a));
            if a != b {
                conjuncts.push(FactId(b));
            }
            dimension = dimension.max(conjuncts.len() - begin);
            begins.push(conjuncts.len() as u32);
        }
        Self::with_index(facts, begins, conjuncts, dimension)
    }

    /// How many features [`complete`](Self::complete) would make: the sums of
    /// products of `|dom(V)| − 1` over all sets of up to `dimension` variables.
    pub fn complete_count(facts: &Facts, dimension: usize) -> u64 {
        let mut of_size = vec![0_u64; dimension + 1];
        of_size[0] = 1;
        for variable in 0..facts.variable_count() {
            let values = facts.domain_size(VariableId::new(variable)) as u64 - 1;
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

    /// |ℱ|.
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Whether there is none.
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

    /// The feature in the task's words: its facts' names, joined by ` & `. All
    /// variables call their value `unknown` the same, so it has the variable's
    /// name before it.
    pub fn name(&self, feature: FeatureId, task: &Task) -> String {
        let name = |&id: &FactId| {
            let fact = self.facts.fact(id);
            match task.fact_name(fact) {
                "unknown" => format!("{}=unknown", task.variable(fact.variable).name),
                name => name.to_owned(),
            }
        };
        self.conjuncts(feature).iter().map(name).collect::<Vec<_>>().join(" & ")
    }
}

/// How often operators read or write each fact.
pub(crate) fn fact_uses(task: &Task, facts: &Facts) -> Vec<u32> {
    let mut uses = vec![0_u32; facts.len()];
    for operator in task.operators() {
        let effects = operator.effects.iter().map(|effect| effect.fact);
        for fact in operator.preconditions.iter().copied().chain(effects) {
            uses[facts.id(fact).index()] += 1;
        }
    }
    uses
}

/// For each variable the value that operators read and write most often: as
/// the reference value it saves most.
pub fn frequent_values(task: &Task) -> Vec<Value> {
    let facts = Facts::new(task);
    let uses = fact_uses(task, &facts);
    let most_used = |variable| {
        let by_use = |id: &FactId| (uses[id.index()], std::cmp::Reverse(*id));
        let found = facts.of_variable(variable).max_by_key(by_use);
        facts.fact(found.expect("variables have values")).value
    };
    task.variable_ids().map(most_used).collect()
}
