//! Which features share a weight.

use hipot_task::{Value, VariableId};

use crate::feature::{FactId, Facts};

/// The class of each feature of size 1 and 2: features of one class have the
/// same weight. Class 0 is for pairs that are no feature, because they mention
/// a reference value or one variable twice; its weight is 0.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    facts: Facts,
    /// The class of facts a and b is at a · n + b; of a fact alone at a · n + a.
    table: Vec<u32>,
    /// How many features each class has.
    sizes: Vec<u32>,
}

/// The class of what is no feature.
pub(crate) const NO_FEATURE: u32 = 0;

impl Classes {
    /// Each feature in a class of its own, but for those with a reference
    /// value of their variable, if it has one.
    pub(crate) fn singletons(facts: Facts, dimension: usize, references: &[Option<Value>]) -> Self {
        let mut next = 0;
        Self::new(facts, dimension, references, |_, _| {
            next += 1;
            next
        })
    }

    /// Features of size up to `dimension`, which is 1 or 2, in classes by
    /// `class_of`, which is asked once for each fact and
    /// each pair of facts a < b, and answers with numbers from 1 on, a new one
    /// being one more than the largest before.
    pub(crate) fn new(
        facts: Facts,
        dimension: usize,
        references: &[Option<Value>],
        mut class_of: impl FnMut(usize, usize) -> u32,
    ) -> Self {
        let count = facts.len();
        let mut table = vec![NO_FEATURE; count * count];
        let mut sizes = vec![0];
        let is_useful = |id: FactId| {
            let fact = facts.fact(id);
            references[fact.variable.index()] != Some(fact.value)
        };
        let useful: Vec<FactId> = facts.ids().filter(|&id| is_useful(id)).collect();
        let mut add = |a: FactId, b: FactId| {
            let class = class_of(a.index(), b.index());
            if class as usize == sizes.len() {
                sizes.push(0);
            }
            sizes[class as usize] += 1;
            table[a.index() * count + b.index()] = class;
            table[b.index() * count + a.index()] = class;
        };
        for &fact in &useful {
            add(fact, fact);
        }
        let first_of_pair = if dimension > 1 { &useful[..] } else { &[] };
        for (position, &a) in first_of_pair.iter().enumerate() {
            for &b in &useful[position + 1..] {
                if facts.variable(a) != facts.variable(b) {
                    add(a, b);
                }
            }
        }
        Self { facts, table, sizes }
    }

    /// The facts.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The classes of a fact's pairs with all facts.
    pub(crate) fn row(&self, fact: u32) -> &[u32] {
        &self.table[fact as usize * self.facts.len()..][..self.facts.len()]
    }

    /// The class of two facts, or of one fact twice.
    pub(crate) fn class(&self, a: u32, b: u32) -> u32 {
        self.table[a as usize * self.facts.len() + b as usize]
    }

    /// How many classes there are, [`NO_FEATURE`] not counted.
    pub(crate) fn len(&self) -> usize {
        self.sizes.len() - 1
    }

    /// How many features a class has.
    pub(crate) fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    /// The numbers of the facts that are true in a state.
    pub(crate) fn facts_of(&self, state: &[Value]) -> Vec<u32> {
        let begin = |variable| self.facts.range_of(VariableId::new(variable)).start as u32;
        state.iter().enumerate().map(|(variable, &value)| begin(variable) + value).collect()
    }

    /// φ of a state, for these weights of the classes and without a constant.
    pub(crate) fn value(&self, state: &[Value], weights: &[i64]) -> i64 {
        let facts = self.facts_of(state);
        let mut sum = 0;
        for (position, &a) in facts.iter().enumerate() {
            for &b in &facts[..=position] {
                sum += weights[self.class(a, b) as usize];
            }
        }
        sum
    }

    /// The numbers of the facts of a variable.
    pub(crate) fn of_variable(&self, variable: VariableId) -> std::ops::Range<usize> {
        self.facts.range_of(variable)
    }
}
