//! Mutexes: groups of facts of which no state has two, and sets of pairs.
//!
//! A [`Mutexes`] is a symmetric relation between facts, kept as one bit for
//! each ordered pair: whoever wants the facts that go with a partial state
//! takes the rows of its facts and works on whole words. Two facts of one
//! variable are mutex by nature and always in the relation. A fact that is
//! mutex with itself is *dead*: no state has it.
//!
//! What "no state" means (no reachable one, none on a plan) is for the maker
//! of a set to say.

use std::collections::HashSet;

use crate::bit_matrix::{self, BitMatrix};
use crate::ids::Fact;
use crate::limits::{Limits, Stop};
use crate::symmetry::{FactNumbering, Permutation};
use crate::task::{Operator, Task};

/// A set of facts that are pairwise mutex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutexGroup {
    /// The facts, in the order in which the source lists them.
    pub facts: Vec<Fact>,
}

impl MutexGroup {
    /// Whether the group is *fact-alternating* (Fišer & Komenda, JAIR 2018): the
    /// initial state has at most one of its facts, and an operator makes no more
    /// of them true than it requires and makes false. Then no reachable state has
    /// two; that takes no more than a look at each operator. Operators that
    /// require two are never applied before that is broken.
    ///
    /// False for tasks with axioms or conditional effects.
    pub fn is_alternating(&self, task: &Task) -> bool {
        const BY: &str = "alternation";
        let supported = task.require_no_axioms(BY).and(task.require_no_conditional_effects(BY));
        let initially = |fact: &&Fact| task.initial()[fact.variable.index()] == fact.value;
        supported.is_ok() && self.facts.iter().filter(initially).count() <= 1 && {
            let facts: HashSet<Fact> = self.facts.iter().copied().collect();
            task.operators().iter().all(|operator| keeps(operator, &facts))
        }
    }
}

/// Whether an operator makes no more of some facts true than it requires and
/// makes false, or requires two of them.
fn keeps(operator: &Operator, facts: &HashSet<Fact>) -> bool {
    let required = operator.preconditions.iter().filter(|fact| facts.contains(fact));
    let (mut required_count, mut lost) = (0, 0);
    for fact in required {
        let set = operator.effects.iter().find(|it| it.fact.variable == fact.variable);
        required_count += 1;
        lost += usize::from(set.is_some_and(|effect| effect.fact != *fact));
    }
    let holds = |fact: &Fact| operator.preconditions.contains(fact);
    let made = operator.effects.iter().map(|effect| effect.fact);
    let made = made.filter(|fact| facts.contains(fact) && !holds(fact)).count();
    required_count > 1 || made <= lost && made <= 1
}

/// A set of pairs of facts that are mutex.
///
/// ```
/// use hipot_task::{Fact, Limits, MutexGroup, Mutexes, TaskBuilder, Variable};
///
/// let mut builder = TaskBuilder::new(false);
/// let key = builder.add_variable(Variable::new("key", ["on the hook", "in the lock"]))?;
/// let hook = builder.add_variable(Variable::new("hook", ["free", "in use"]))?;
/// builder.set_initial(vec![0, 1])?;
/// let [hung, free] = [Fact::new(key, 0), Fact::new(hook, 0)];
/// builder.add_mutex_group(MutexGroup { facts: vec![hung, free] })?;
///
/// let mutexes = Mutexes::from_groups(&builder.build(), &Limits::none())?;
/// assert!(mutexes.are_mutex(free, hung));
/// assert!(!mutexes.are_mutex(free, Fact::new(key, 1)));
/// assert_eq!(mutexes.pairs().collect::<Vec<_>>(), [(hung, free)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutexes {
    numbering: FactNumbering,
    bits: BitMatrix,
}

impl Mutexes {
    /// The pairs that are mutex by nature: two facts of one variable. Takes
    /// n²/8 bytes for n facts, if `limits` have them.
    pub fn new(task: &Task, limits: &Limits) -> Result<Self, Stop> {
        let numbering = FactNumbering::new(task);
        let mut bits = BitMatrix::new(numbering.len(), numbering.len(), limits)?;
        for variable in task.variable_ids() {
            let facts = numbering.facts_of(variable);
            for first in facts.clone() {
                facts.clone().filter(|&second| second != first).for_each(|s| bits.set(first, s));
            }
        }
        Ok(Self { numbering, bits })
    }

    /// The pairs of those of the task's mutex groups that can be proved at once,
    /// and those by nature: see [`MutexGroup::is_alternating`].
    pub fn from_proved_groups(task: &Task, limits: &Limits) -> Result<Self, Stop> {
        let groups = task.mutex_groups().iter().filter(|group| group.is_alternating(task));
        Self::of_groups(task, groups, limits)
    }

    /// The pairs of the task's mutex groups, and those by nature.
    pub fn from_groups(task: &Task, limits: &Limits) -> Result<Self, Stop> {
        Self::of_groups(task, task.mutex_groups().iter(), limits)
    }

    fn of_groups<'a>(
        task: &Task,
        groups: impl Iterator<Item = &'a MutexGroup>,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let mut mutexes = Self::new(task, limits)?;
        for group in groups {
            limits.check()?;
            for (index, &first) in group.facts.iter().enumerate() {
                group.facts[..index].iter().for_each(|&second| mutexes.insert(first, second));
            }
        }
        Ok(mutexes)
    }

    /// The numbers of the facts, by which rows are counted.
    pub fn numbering(&self) -> &FactNumbering {
        &self.numbering
    }

    /// Adds a pair, or with one fact twice a dead fact.
    pub fn insert(&mut self, first: Fact, second: Fact) {
        let [first, second] = [first, second].map(|fact| self.numbering.index(fact));
        self.bits.set(first, second);
        self.bits.set(second, first);
    }

    /// Adds all pairs of another set.
    ///
    /// # Panics
    /// If the other set belongs to a task with other variables.
    pub fn union_with(&mut self, other: &Self) {
        assert_eq!(self.numbering, other.numbering, "both sets are of one task");
        for (word, other) in self.bits.words_mut().iter_mut().zip(other.bits.words()) {
            *word |= other;
        }
    }

    /// Whether no state has both facts.
    pub fn are_mutex(&self, first: Fact, second: Fact) -> bool {
        self.bits.get(self.numbering.index(first), self.numbering.index(second))
    }

    /// Whether no state has the fact.
    pub fn is_dead(&self, fact: Fact) -> bool {
        self.are_mutex(fact, fact)
    }

    /// Whether `facts` have a pair that is mutex, or a dead fact.
    pub fn exclude(&self, facts: &[Fact]) -> bool {
        let excluded =
            |index: usize| facts[..=index].iter().any(|&other| self.are_mutex(facts[index], other));
        (0..facts.len()).any(excluded)
    }

    /// Whether a permutation of the facts maps the set onto itself.
    pub fn is_preserved_by(&self, permutation: &Permutation) -> bool {
        let count = |row: &[u64]| row.iter().map(|word| word.count_ones()).sum::<u32>();
        let keeps = |&(from, to): &(u32, u32)| {
            count(self.row(from)) == count(self.row(to))
                && bit_matrix::ones(self.row(from))
                    .all(|other| self.bits.get(to, permutation.apply(other)))
        };
        permutation.moved().iter().all(keeps)
    }

    /// The facts that are mutex with the fact of this number: bit i of word w
    /// stands for the fact number 64 w + i.
    pub fn row(&self, number: u32) -> &[u64] {
        self.bits.row(number)
    }

    /// The number of words of a row.
    pub fn row_words(&self) -> usize {
        self.bits.stride()
    }

    /// A row with a bit for each fact.
    pub fn full_row(&self) -> Vec<u64> {
        self.bits.full_row()
    }

    /// The pairs that are not mutex by nature, each once with the lower fact
    /// first, in order. A dead fact comes as a pair with itself.
    pub fn pairs(&self) -> impl Iterator<Item = (Fact, Fact)> {
        (0..self.numbering.len() as u32).flat_map(move |first| {
            let own = self.numbering.facts_of(self.numbering.variable(first));
            let later = bit_matrix::ones(self.row(first));
            let kept = later.filter(move |&s| s == first || s > first && !own.contains(&s));
            kept.map(move |second| (self.numbering.fact(first), self.numbering.fact(second)))
        })
    }

    /// The number of [`pairs`](Self::pairs).
    pub fn count(&self) -> u64 {
        let ones: u64 = self.bits.words().iter().map(|word| u64::from(word.count_ones())).sum();
        let mut natural = 0;
        for variable in (0..self.numbering.variables()).map(crate::VariableId::new) {
            let size = self.numbering.facts_of(variable).len() as u64;
            natural += size * (size - 1);
        }
        let dead = self.dead().count() as u64;
        (ones - natural - dead) / 2 + dead
    }

    /// The dead facts, in order.
    pub fn dead(&self) -> impl Iterator<Item = Fact> {
        let numbers = 0..self.numbering.len() as u32;
        let dead = numbers.filter(|&number| self.bits.get(number, number));
        dead.map(|number| self.numbering.fact(number))
    }

    /// The bits, for those who fill them row by row.
    pub(crate) fn bits_mut(&mut self) -> &mut BitMatrix {
        &mut self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TaskBuilder, Variable, VariableId};

    fn switches(count: usize) -> TaskBuilder {
        let mut builder = TaskBuilder::new(false);
        for number in 0..count {
            builder.add_variable(Variable::new(number.to_string(), ["off", "on"])).unwrap();
        }
        builder.set_initial(vec![0; count]).unwrap();
        builder
    }

    fn fact(variable: usize, value: u32) -> Fact {
        Fact::new(VariableId::new(variable), value)
    }

    #[test]
    fn values_of_one_variable_are_mutex_but_no_pairs() {
        let mutexes = Mutexes::new(&switches(40).build(), &Limits::none()).unwrap();
        assert!(mutexes.are_mutex(fact(39, 0), fact(39, 1)));
        assert!(!mutexes.are_mutex(fact(39, 0), fact(39, 0)));
        assert_eq!((mutexes.pairs().count(), mutexes.count()), (0, 0));
    }

    #[test]
    fn pairs_come_once_and_in_order() {
        let task = switches(3).build();
        let mut mutexes = Mutexes::new(&task, &Limits::none()).unwrap();
        mutexes.insert(fact(2, 1), fact(0, 0));
        mutexes.insert(fact(1, 1), fact(1, 1));
        mutexes.insert(fact(0, 0), fact(2, 1));
        let pairs = [(fact(0, 0), fact(2, 1)), (fact(1, 1), fact(1, 1))];
        assert_eq!(mutexes.pairs().collect::<Vec<_>>(), pairs);
        assert_eq!(mutexes.count(), 2);
        assert_eq!(mutexes.dead().collect::<Vec<_>>(), [fact(1, 1)]);
        assert!(mutexes.exclude(&[fact(0, 0), fact(1, 0), fact(2, 1)]));
        assert!(mutexes.exclude(&[fact(1, 1)]));
        assert!(!mutexes.exclude(&[fact(0, 0), fact(1, 0), fact(2, 0)]));
    }

    #[test]
    fn a_union_has_the_pairs_of_both() {
        let mut builder = switches(3);
        builder.add_mutex_group(MutexGroup { facts: vec![fact(2, 0), fact(0, 1)] }).unwrap();
        let task = builder.build();
        let mut union = Mutexes::from_groups(&task, &Limits::none()).unwrap();
        let mut other = Mutexes::new(&task, &Limits::none()).unwrap();
        other.insert(fact(1, 0), fact(2, 1));
        union.union_with(&other);
        let pairs = [(fact(0, 1), fact(2, 0)), (fact(1, 0), fact(2, 1))];
        assert_eq!(union.pairs().collect::<Vec<_>>(), pairs);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_asked_for_first() {
        let limits = Limits::new(None, Some(1 << 20));
        assert_eq!(Mutexes::new(&switches(2000).build(), &limits), Err(Stop::MemoryLimit));
    }
}
