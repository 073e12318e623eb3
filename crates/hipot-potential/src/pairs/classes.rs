//! Which features share a weight: a table from pairs of facts to LP columns.
//!
//! A feature of size 2 is a pair of facts {a, b}, one of size 1 a fact alone. Features in the
//! same *class* have the same weight, so a class is a column of the LP: class c is column
//! c − 1. Class 0, [`NO_FEATURE`], is for everything that is not a feature: pairs with a
//! reference value, two facts of one variable, variables that are not paired, mutex facts.
//! Its weight is 0, so code that sums weights need not treat it separately.
//!
//! *Layout.* The table has a row for each fact a. The row has a block for each variable V that
//! the variable of a is paired with, and the block has the class of {a, ⟨V, v⟩} for each value
//! v of V. So the classes for all values of a context variable are contiguous: Eq. 9 and the
//! exact check read whole blocks. Each pair is stored twice, as {a, b} and {b, a}. The size of
//! the table depends only on the pairs of variables in use: quadratic in the number of facts
//! for all of them, small for few.

use hipot_task::{FactId, Facts, Task, Value, VariableId};

use super::pair_set::PairSet;
use crate::exclusions::are_mutex;
use crate::feature::conjunction_name;
use crate::normal_form::NormalForm;
use crate::objective::Average;

/// The class of each feature of size 1 and 2.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    facts: Facts,
    pairs: PairSet,
    /// The class of each fact alone.
    atoms: Vec<u32>,
    /// Where the row of each fact begins.
    rows: Vec<usize>,
    /// For each variable, where the blocks of the variables that it is paired
    /// with begin in the rows of its facts.
    blocks: Vec<Vec<u32>>,
    table: Vec<u32>,
    /// The number of features of each class.
    sizes: Vec<u32>,
}

/// The class of pairs that are not features.
pub(crate) const NO_FEATURE: u32 = 0;

impl Classes {
    /// The facts and the pairs of facts in `pairs`, in classes by `class_of`, without mutexes
    /// and without those that mention a reference value. (Of a pair of variables that is chosen
    /// in part, chosen pairs with a reference value stay: there, others do not make up for them.)
    /// `class_of` is called once for each fact (given twice) and each pair of facts a < b. It
    /// returns numbers from 1 on; a new number is one more than the largest before.
    pub(crate) fn new(
        normal: &NormalForm,
        pairs: PairSet,
        references: &[Option<Value>],
        mut class_of: impl FnMut(FactId, FactId) -> u32,
    ) -> Self {
        let mut classes = Self::empty(normal.facts().clone(), pairs);
        let facts = normal.facts();
        let is_reference = |id: FactId| {
            let fact = facts.fact(id);
            references[fact.variable.index()] == Some(fact.value)
        };
        let is_useful: Vec<bool> = facts.ids().map(|id| !is_reference(id)).collect();
        let possible = facts.ids().filter(|&fact| !are_mutex(normal, fact, fact));
        for fact in possible.clone().filter(|fact| is_useful[fact.index()]) {
            let class = class_of(fact, fact);
            classes.count(class);
            classes.atoms[fact.index()] = class;
        }
        for a in possible {
            let variable = facts.variable(a);
            for position in 0..classes.blocks[variable.index()].len() {
                let other = classes.pairs.paired_with(variable)[position];
                if other < variable {
                    continue;
                }
                let begin =
                    classes.rows[a.index()] + classes.blocks[variable.index()][position] as usize;
                for (offset, b) in facts.of_variable(other).enumerate() {
                    let is_chosen = match classes.pairs.part(variable, other) {
                        Some(part) => part.contains(&(a, b)),
                        None => is_useful[a.index()] && is_useful[b.index()],
                    };
                    if is_chosen && !are_mutex(normal, a, b) {
                        let class = class_of(a, b);
                        classes.count(class);
                        classes.table[begin + offset] = class;
                        let mirrored = classes.place(b, a).expect("paired both ways");
                        classes.table[mirrored] = class;
                    }
                }
            }
        }
        classes
    }

    /// Each feature in a class of its own.
    pub(crate) fn singletons(
        normal: &NormalForm,
        pairs: PairSet,
        references: &[Option<Value>],
    ) -> Self {
        let mut next = 0;
        Self::new(normal, pairs, references, |_, _| {
            next += 1;
            next
        })
    }

    /// A table in which no pair is a feature.
    fn empty(facts: Facts, pairs: PairSet) -> Self {
        let (mut rows, mut blocks) = (Vec::with_capacity(facts.len()), Vec::new());
        let mut end = 0;
        for variable in facts.variable_ids() {
            let mut length = 0;
            let begins = pairs.paired_with(variable).iter().map(|&other| {
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
        Self { facts, pairs, atoms, rows, blocks, table, sizes: vec![0] }
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

    /// Which variables are paired.
    pub(crate) fn pairs(&self) -> &PairSet {
        &self.pairs
    }

    /// The classes of a fact's pairs with the facts of a variable, in order;
    /// empty if the variables are not paired.
    pub(crate) fn with_facts_of(&self, fact: FactId, variable: VariableId) -> &[u32] {
        let length = self.facts.domain_size(variable);
        self.block(fact, variable).map_or(&[], |begin| &self.table[begin..begin + length])
    }

    /// The class of two facts; of a single fact if both are the same.
    pub(crate) fn class(&self, a: FactId, b: FactId) -> u32 {
        if a == b {
            return self.atoms[a.index()];
        }
        self.place(a, b).map_or(NO_FEATURE, |place| self.table[place])
    }

    fn place(&self, a: FactId, b: FactId) -> Option<usize> {
        let variable = self.facts.variable(b);
        let begin = self.block(a, variable)?;
        Some(begin + b.index() - self.facts.range(variable).start)
    }

    fn block(&self, fact: FactId, variable: VariableId) -> Option<usize> {
        let own = self.facts.variable(fact);
        let position = self.pairs.position(own, variable)?;
        Some(self.rows[fact.index()] + self.blocks[own.index()][position] as usize)
    }

    /// The number of classes without [`NO_FEATURE`].
    pub(crate) fn len(&self) -> usize {
        self.sizes.len() - 1
    }

    /// The number of features of a class.
    pub(crate) fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    /// Calls `found` with the class of each feature that is true in a state.
    pub(crate) fn for_each_true(&self, state: &[Value], mut found: impl FnMut(u32)) {
        let facts: Vec<FactId> = self.facts.of_state(state).collect();
        for (variable, &fact) in facts.iter().enumerate() {
            let others = self.pairs.paired_with(VariableId::new(variable)).iter();
            let others = others.map(|other| other.index()).take_while(|&other| other < variable);
            let classes = others.map(|other| self.class(fact, facts[other]));
            let classes = classes.chain([self.class(fact, fact)]);
            classes.filter(|&class| class != NO_FEATURE).for_each(&mut found);
        }
    }

    /// For each class, how many of its features are true, on average.
    pub(crate) fn shares(&self, average: &Average) -> Vec<f64> {
        // The entry of class 0 is removed at the end.
        let mut shares = vec![0.0; self.sizes.len()];
        match average {
            Average::AllStates(marginals) => self.for_each_feature(|a, b, class| {
                let share = |id: FactId| marginals.share(id);
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

    /// Raises the numbers of variables whose facts share weights to the largest among them.
    pub(crate) fn make_equal(&self, numbers: &mut [i64]) {
        let mut of_class = vec![i64::MIN; self.sizes.len()];
        loop {
            let mut is_changed = false;
            for fact in self.facts.ids() {
                let class = self.atoms[fact.index()] as usize;
                let number = &mut numbers[self.facts.variable(fact).index()];
                if class != NO_FEATURE as usize {
                    is_changed |= of_class[class] > *number;
                    *number = (*number).max(of_class[class]);
                    is_changed |= *number > of_class[class];
                    of_class[class] = *number;
                }
            }
            if !is_changed {
                return;
            }
        }
    }

    /// A name for each class: w of its first feature, and the number of its features if there
    /// are several.
    pub(crate) fn names(&self, task: &Task) -> Vec<String> {
        let mut names = vec![String::new(); self.sizes.len()];
        self.for_each_feature(|a, b, class| {
            let name = &mut names[class as usize];
            if name.is_empty() {
                let conjuncts = if a == b { &[a][..] } else { &[a, b] };
                let feature = conjunction_name(conjuncts, &self.facts, task);
                *name = match self.size(class) {
                    1 => format!("w({feature})"),
                    size => format!("w({feature}){{{size}}}"),
                };
            }
        });
        names.remove(NO_FEATURE as usize);
        names
    }

    /// Calls `found` with the two facts and the class of each feature; a feature of
    /// size 1 has its fact twice.
    pub(crate) fn for_each_feature(&self, mut found: impl FnMut(FactId, FactId, u32)) {
        for a in self.facts.ids() {
            let own = self.facts.variable(a);
            let later = self.pairs.paired_with(own).iter().filter(|&&other| other > own);
            let others = later.flat_map(|&other| self.facts.of_variable(other));
            for b in others.chain([a]) {
                let class = self.class(a, b);
                if class != NO_FEATURE {
                    found(a, b, class);
                }
            }
        }
    }
}
