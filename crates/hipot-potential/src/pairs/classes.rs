//! Which features share a weight.

use std::ops::Range;

use hipot_task::{Value, VariableId};

use super::exclusions::Exclusions;
use super::scope::Scope;
use crate::feature::{FactId, Facts};
use crate::objective::Average;

/// The class of each feature of size 1 and 2: features of one class have the
/// same weight. Class 0 is for pairs that are no feature, because they mention
/// a reference value or one variable twice, variables that are not paired, or
/// facts that are mutex; its weight is 0.
///
/// The classes of a fact's pairs stand in one row, block by block for the
/// variables that its variable is paired with: the size is that of what is
/// paired.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    facts: Facts,
    scope: Scope,
    exclusions: Exclusions,
    /// The class of each fact alone.
    atoms: Vec<u32>,
    /// Where the row of each fact begins.
    rows: Vec<usize>,
    /// For each variable, where the blocks of those that it is paired with
    /// begin in its facts' rows.
    blocks: Vec<Vec<u32>>,
    table: Vec<u32>,
    /// How many features each class has.
    sizes: Vec<u32>,
}

/// The class of what is no feature.
pub(crate) const NO_FEATURE: u32 = 0;

impl Classes {
    /// All facts and the pairs of facts in `scope`, but for those with the
    /// reference value of a variable that has one and those that no state has,
    /// in classes by `class_of`.
    /// It is asked once for each fact and each pair of facts a < b, and answers
    /// with numbers from 1 on, a new one being one more than the largest before.
    pub(crate) fn new(
        facts: Facts,
        scope: Scope,
        exclusions: Exclusions,
        references: &[Option<Value>],
        mut class_of: impl FnMut(u32, u32) -> u32,
    ) -> Self {
        let mut classes = Self::empty(facts, scope, exclusions);
        let is_useful = |facts: &Facts, id: FactId| {
            let fact = facts.fact(id);
            references[fact.variable.index()] != Some(fact.value)
        };
        let is_useful: Vec<bool> =
            classes.facts.ids().map(|id| is_useful(&classes.facts, id)).collect();
        let exclusions = classes.exclusions.clone();
        let facts = 0..classes.facts.len() as u32;
        let useful =
            facts.filter(|&fact| is_useful[fact as usize] && !exclusions.are_mutex(fact, fact));
        for fact in useful.clone() {
            let class = class_of(fact, fact);
            classes.count(class);
            classes.atoms[fact as usize] = class;
        }
        for a in useful {
            let variable = classes.facts.variable_of(a);
            for position in 0..classes.blocks[variable.index()].len() {
                let other = classes.scope.paired_with(variable)[position];
                if other < variable {
                    continue;
                }
                let begin =
                    classes.rows[a as usize] + classes.blocks[variable.index()][position] as usize;
                for (offset, b) in classes.facts.range_of(other).enumerate() {
                    if is_useful[b] && !exclusions.are_mutex(a, b as u32) {
                        let class = class_of(a, b as u32);
                        classes.count(class);
                        classes.table[begin + offset] = class;
                        let mirrored = classes.place(b as u32, a).expect("paired both ways");
                        classes.table[mirrored] = class;
                    }
                }
            }
        }
        classes
    }

    /// Each feature in a class of its own.
    pub(crate) fn singletons(
        facts: Facts,
        scope: Scope,
        exclusions: Exclusions,
        references: &[Option<Value>],
    ) -> Self {
        let mut next = 0;
        Self::new(facts, scope, exclusions, references, |_, _| {
            next += 1;
            next
        })
    }

    /// Nothing is a feature.
    fn empty(facts: Facts, scope: Scope, exclusions: Exclusions) -> Self {
        let (mut rows, mut blocks) = (Vec::with_capacity(facts.len()), Vec::new());
        let mut end = 0;
        for variable in (0..facts.variable_count()).map(VariableId::new) {
            let mut length = 0;
            let begins = scope.paired_with(variable).iter().map(|&other| {
                let begin = length;
                length += facts.domain_size(other) as u32;
                begin
            });
            blocks.push(begins.collect());
            for _ in facts.of_variable(variable) {
                rows.push(end);
                end += length as usize;
            }
        }
        let (atoms, table) = (vec![NO_FEATURE; facts.len()], vec![NO_FEATURE; end]);
        Self { facts, scope, exclusions, atoms, rows, blocks, table, sizes: vec![0] }
    }

    fn count(&mut self, class: u32) {
        if class as usize == self.sizes.len() {
            self.sizes.push(0);
        }
        self.sizes[class as usize] += 1;
    }

    /// The facts.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Which facts no state has together.
    pub(crate) fn exclusions(&self) -> &Exclusions {
        &self.exclusions
    }

    /// Which variables are paired.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The classes of a fact's pairs with the facts of a variable, in order;
    /// nothing where the variables are not paired.
    pub(crate) fn with_facts_of(&self, fact: u32, variable: VariableId) -> &[u32] {
        let length = self.facts.domain_size(variable);
        self.block(fact, variable).map_or(&[], |begin| &self.table[begin..begin + length])
    }

    /// The class of two facts, or of one fact twice.
    pub(crate) fn class(&self, a: u32, b: u32) -> u32 {
        if a == b {
            return self.atoms[a as usize];
        }
        self.place(a, b).map_or(NO_FEATURE, |place| self.table[place])
    }

    fn place(&self, a: u32, b: u32) -> Option<usize> {
        let variable = self.facts.variable_of(b);
        let begin = self.block(a, variable)?;
        Some(begin + b as usize - self.facts.range_of(variable).start)
    }

    fn block(&self, fact: u32, variable: VariableId) -> Option<usize> {
        let own = self.facts.variable_of(fact);
        let position = self.scope.position(own, variable)?;
        Some(self.rows[fact as usize] + self.blocks[own.index()][position] as usize)
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

    /// Calls `found` with the class of each feature that is true in a state.
    pub(crate) fn for_each_true(&self, state: &[Value], mut found: impl FnMut(u32)) {
        let facts = self.facts_of(state);
        for (variable, &fact) in facts.iter().enumerate() {
            let others = self.scope.paired_with(VariableId::new(variable)).iter();
            let others = others.map(|other| other.index()).take_while(|&other| other < variable);
            let classes = others.map(|other| self.class(fact, facts[other]));
            let classes = classes.chain([self.class(fact, fact)]);
            classes.filter(|&class| class != NO_FEATURE).for_each(&mut found);
        }
    }

    /// How many features of each class are true, on average.
    pub(crate) fn shares(&self, average: &Average) -> Vec<f64> {
        // Class 0 is no feature.
        let mut shares = vec![0.0; self.sizes.len()];
        match average {
            Average::AllStates(known) => self.for_each_feature(|a, b, class| {
                let share = |id: u32| {
                    let variable = self.facts.variable_of(id);
                    let value = id - self.facts.range_of(variable).start as u32;
                    known.share(variable.index(), value)
                };
                shares[class as usize] += if a == b { share(a) } else { share(a) * share(b) };
            }),
            Average::States(states) => {
                let each = 1.0 / states.len().max(1) as f64;
                for state in states {
                    self.for_each_true(state, |class| shares[class as usize] += each);
                }
            }
        }
        shares.remove(NO_FEATURE as usize);
        shares
    }

    /// Calls `found` with each fact twice, or two facts, that are a feature, and
    /// its class.
    fn for_each_feature(&self, mut found: impl FnMut(u32, u32, u32)) {
        for a in 0..self.facts.len() as u32 {
            let own = self.facts.variable_of(a);
            let later = self.scope.paired_with(own).iter().filter(|&&other| other > own);
            let others = later.flat_map(|&other| self.facts.range_of(other)).map(|b| b as u32);
            for b in others.chain([a]) {
                let class = self.class(a, b);
                if class != NO_FEATURE {
                    found(a, b, class);
                }
            }
        }
    }

    /// φ of a state, for these weights of the classes and without a constant.
    pub(crate) fn value(&self, state: &[Value], weights: &[i64]) -> i64 {
        let mut sum = 0;
        self.for_each_true(state, |class| sum += weights[class as usize]);
        sum
    }

    /// The numbers of the facts of a variable.
    pub(crate) fn of_variable(&self, variable: VariableId) -> Range<usize> {
        self.facts.range_of(variable)
    }
}
