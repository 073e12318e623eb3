//! Mutexes: pairs of facts that never hold together.
//!
//! A [`Mutexes`] is a symmetric relation between facts, stored as one bit for
//! each ordered pair. The facts that are compatible with a partial state can
//! therefore be computed with whole words of the rows of its facts
//! ([`Mutexes::partners`], [`Mutexes::excluded_by`]). Two values of one variable
//! are always mutex. A fact that is mutex with itself is *dead*: it never holds.
//!
//! "Never" depends on where the set comes from: in no reachable state, or in no
//! state of a plan.

use std::collections::HashSet;

use crate::bit_matrix::{self, BitMatrix};
use crate::fact_set::{FactRow, FactSet};
use crate::symmetry::Permutation;
use hipot_task::{Fact, FactId, Facts, Limits, MutexGroup, Operator, Stop, Task};

/// A set of pairs of facts that are mutex.
///
/// ```
/// use hipot_analysis::Mutexes;
/// use hipot_task::{Fact, Limits, MutexGroup, TaskBuilder, Variable};
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
    numbering: Facts,
    bits: BitMatrix,
}

impl Mutexes {
    /// Only the pairs of two values of one variable. Takes n²/8 bytes for n facts,
    /// if `limits` allow.
    pub fn new(task: &Task, limits: &Limits) -> Result<Self, Stop> {
        let numbering = Facts::new(task);
        let mut bits = BitMatrix::new(numbering.len(), numbering.len(), limits)?;
        for variable in task.variable_ids() {
            let facts = numbering.numbers(variable);
            for first in facts.clone() {
                facts.clone().filter(|&second| second != first).for_each(|s| bits.set(first, s));
            }
        }
        Ok(Self { numbering, bits })
    }

    /// The pairs of the task's *fact-alternating* mutex groups (Fišer & Komenda, JAIR 2018),
    /// and of two values of one variable.
    ///
    /// In such a group, the initial state has at most one of the facts, and no operator makes
    /// more of them true than it requires and makes false. Then no reachable state has two, and
    /// one look at each operator proves it. Operators that require two are never applicable in
    /// a reachable state. Tasks with axioms or conditional effects have no such groups.
    pub fn from_proved_groups(task: &Task, limits: &Limits) -> Result<Self, Stop> {
        let groups = task.mutex_groups().iter().filter(|group| is_alternating(group, task));
        Self::of_groups(task, groups, limits)
    }

    /// The pairs of the task's mutex groups, and of two values of one variable.
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

    /// The numbering of the facts.
    pub fn facts(&self) -> &Facts {
        &self.numbering
    }

    /// Adds a pair; a fact paired with itself becomes dead.
    pub fn insert(&mut self, first: Fact, second: Fact) {
        let [first, second] = [first, second].map(|fact| self.numbering.id(fact).number());
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

    /// Whether the two facts are mutex.
    pub fn are_mutex(&self, first: Fact, second: Fact) -> bool {
        self.bits.get(self.numbering.id(first).number(), self.numbering.id(second).number())
    }

    /// Whether the fact is dead.
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
        let keeps = |&(from, to): &(u32, u32)| {
            let [from, to] = [from, to].map(|number| self.partners(FactId::new(number)));
            let image = |fact: FactId| FactId::new(permutation.apply(fact.number()));
            from.count() == to.count() && from.iter().all(|other| to.contains(image(other)))
        };
        permutation.moved().iter().all(keeps)
    }

    /// The facts that are mutex with `fact`: the other values of its variable among them, and
    /// `fact` itself if it is dead.
    pub fn partners(&self, fact: FactId) -> FactRow<'_> {
        FactRow::new(self.bits.row(fact.number()))
    }

    /// The facts that are mutex with at least one of `facts`.
    pub fn excluded_by(&self, facts: impl IntoIterator<Item = FactId>) -> FactSet {
        let mut excluded = FactSet::new(&self.numbering);
        facts.into_iter().for_each(|fact| excluded.union_with(self.partners(fact)));
        excluded
    }

    /// The words of [`partners`](Self::partners), by the fact's number: bit i of word w stands
    /// for fact 64 w + i.
    pub(crate) fn row(&self, number: u32) -> &[u64] {
        self.bits.row(number)
    }

    /// The number of words of a row.
    pub(crate) fn row_words(&self) -> usize {
        self.bits.stride()
    }

    /// A row with all facts.
    pub(crate) fn full_row(&self) -> Vec<u64> {
        self.bits.full_row()
    }

    /// The pairs without those of two values of one variable, each once with the
    /// lower fact first, in order. A dead fact is a pair with itself.
    pub fn pairs(&self) -> impl Iterator<Item = (Fact, Fact)> {
        (0..self.numbering.len() as u32).flat_map(move |first| {
            let own = self.numbering.numbers(self.numbering.variable(FactId::new(first)));
            let later = bit_matrix::ones(self.row(first));
            let kept = later.filter(move |&s| s == first || s > first && !own.contains(&s));
            kept.map(move |second| {
                (self.numbering.fact(FactId::new(first)), self.numbering.fact(FactId::new(second)))
            })
        })
    }

    /// The number of [`pairs`](Self::pairs).
    pub fn count(&self) -> u64 {
        let ones: u64 = self.bits.words().iter().map(|word| u64::from(word.count_ones())).sum();
        let mut natural = 0;
        for variable in (0..self.numbering.variable_count()).map(hipot_task::VariableId::new) {
            let size = self.numbering.numbers(variable).len() as u64;
            natural += size * (size - 1);
        }
        let dead = self.dead().count() as u64;
        (ones - natural - dead) / 2 + dead
    }

    /// The dead facts, in order.
    pub fn dead(&self) -> impl Iterator<Item = Fact> {
        let numbers = 0..self.numbering.len() as u32;
        let dead = numbers.filter(|&number| self.bits.get(number, number));
        dead.map(|number| self.numbering.fact(FactId::new(number)))
    }

    /// The bits, to be filled row by row.
    pub(crate) fn bits_mut(&mut self) -> &mut BitMatrix {
        &mut self.bits
    }
}

/// Whether a mutex group is fact-alternating: see [`Mutexes::from_proved_groups`].
fn is_alternating(group: &MutexGroup, task: &Task) -> bool {
    const BY: &str = "alternation";
    let supported = task.require_no_axioms(BY).and(task.require_no_conditional_effects(BY));
    let initially = |fact: &&Fact| task.initial()[fact.variable.index()] == fact.value;
    supported.is_ok() && group.facts.iter().filter(initially).count() <= 1 && {
        let facts: HashSet<Fact> = group.facts.iter().copied().collect();
        task.operators().iter().all(|operator| keeps(operator, &facts))
    }
}

/// Whether an operator requires two of `facts`, or makes no more of them true than it
/// requires and makes false.
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

#[cfg(test)]
mod tests {
    use super::*;
    use hipot_task::{TaskBuilder, Variable, VariableId};

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
