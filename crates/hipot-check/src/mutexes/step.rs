//! What single states, and two states that an operator connects, may look like.
//!
//! A *domain* is a set of facts that a state may have. It shrinks by two
//! rules: where one value of a variable is left, the state has it, and the
//! facts that are mutex with it go; and a variable that the operator does not
//! change has the same value before and after. Every state that has the given
//! facts and no pair of the given sets has only facts that are left. Where a
//! variable has no value left, there is no such state.

use hipot_task::{Fact, Operator, Task, VariableId};

use super::pairs::{FactSet, Numbers, PairSet, add, has, remove};

/// The facts that one state may have.
#[derive(Clone, Debug)]
pub(super) struct Domain<'a> {
    /// The pairs that the state does not have.
    without: &'a PairSet,
    pub(super) facts: FactSet,
    /// The variables whose only value was used.
    fixed: Vec<bool>,
}

/// There is no such state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impossible;

impl<'a> Domain<'a> {
    /// All facts that a state without the pairs of `without` may have.
    fn new(variables: usize, without: &'a PairSet) -> Self {
        Self { without, facts: without.alive().clone(), fixed: vec![false; variables] }
    }

    /// Leaves the facts `given` as the only values of their variables.
    fn assume(&mut self, numbers: &Numbers, given: impl Iterator<Item = Fact>) {
        for fact in given {
            self.keep_only(numbers, fact.variable, numbers.of(fact));
        }
    }

    /// Removes the other values of a variable.
    fn keep_only(&mut self, numbers: &Numbers, variable: VariableId, kept: usize) {
        for fact in numbers.of_variable(variable).filter(|&fact| fact != kept) {
            remove(&mut self.facts, fact);
        }
    }

    /// Uses each variable that has one value left. Whether anything was new.
    fn propagate(&mut self, numbers: &Numbers) -> Result<bool, Impossible> {
        let mut any = false;
        for index in 0..self.fixed.len() {
            let mut left =
                numbers.of_variable(VariableId::new(index)).filter(|&fact| has(&self.facts, fact));
            let value = left.next().ok_or(Impossible)?;
            if left.next().is_none() && !self.fixed[index] {
                self.fixed[index] = true;
                any = true;
                let excluded = self.without.row(value);
                self.facts.iter_mut().zip(excluded).for_each(|(word, row)| *word &= !row);
                if !has(&self.facts, value) {
                    return Err(Impossible);
                }
            }
        }
        Ok(any)
    }
}

/// The domain of states that have the facts `given` and no pair of `without`.
pub(super) fn state<'a>(
    task: &Task,
    numbers: &Numbers,
    given: &[Fact],
    without: &'a PairSet,
) -> Result<Domain<'a>, Impossible> {
    let mut domain = Domain::new(task.variables().len(), without);
    domain.assume(numbers, given.iter().copied());
    while domain.propagate(numbers)? {}
    Ok(domain)
}

/// The domains before and after `operator`, where the states have no pair of
/// the first and the second set.
pub(super) fn step<'a>(
    task: &Task,
    numbers: &Numbers,
    operator: &Operator,
    [without_before, without_after]: [&'a PairSet; 2],
) -> Result<[Domain<'a>; 2], Impossible> {
    let variables = task.variables().len();
    let mut before = Domain::new(variables, without_before);
    let mut after = Domain::new(variables, without_after);
    before.assume(numbers, operator.preconditions.iter().copied());
    after.assume(numbers, operator.effects.iter().map(|effect| effect.fact));
    let changed = changed_facts(numbers, operator);
    loop {
        meet(&mut before.facts, &mut after.facts, &changed);
        if !(before.propagate(numbers)? | after.propagate(numbers)?) {
            return Ok([before, after]);
        }
    }
}

/// All facts of the variables that an operator has effects on.
pub(super) fn changed_facts(numbers: &Numbers, operator: &Operator) -> FactSet {
    let mut changed = numbers.empty_set();
    for effect in &operator.effects {
        let facts = numbers.of_variable(effect.fact.variable);
        facts.for_each(|fact| add(&mut changed, fact));
    }
    changed
}

/// Leaves, of variables that do not change, what both domains have.
fn meet(before: &mut FactSet, after: &mut FactSet, changed: &FactSet) {
    for ((before, after), changed) in before.iter_mut().zip(after).zip(changed) {
        let both = *before & *after;
        *before = both | *before & changed;
        *after = both | *after & changed;
    }
}
