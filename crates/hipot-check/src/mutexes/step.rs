//! The facts that a state, or two states connected by an operator, may have.
//!
//! A *domain* is a set of facts that a state may have. It shrinks by two rules. If
//! only one value of a variable is left, the state has it, and facts that are mutex
//! with it are removed. And a variable that the operator does not change has the same
//! value before and after. Every state that has the given facts and no pair of the
//! given sets has only facts that are left. If a variable has no value left, there is
//! no such state.

use hipot_task::{Fact, Operator, Task, VariableId};

use super::pairs::{FactSet, Numbers, PairSet};

/// The facts that one state may have.
#[derive(Clone, Debug)]
pub(super) struct Domain<'a> {
    /// The pairs that the state does not have.
    without: &'a PairSet,
    pub(super) facts: FactSet,
    /// For each variable, whether its only remaining value was used already.
    fixed: Vec<bool>,
}

/// No state satisfies the conditions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impossible;

impl<'a> Domain<'a> {
    /// All facts that a state without the pairs of `without` may have.
    fn new(variables: usize, without: &'a PairSet) -> Self {
        Self { without, facts: without.alive().clone(), fixed: vec![false; variables] }
    }

    /// Keeps the facts `given` as the only values of their variables.
    fn assume(&mut self, numbers: &Numbers, given: impl Iterator<Item = Fact>) {
        for fact in given {
            self.keep_only(numbers, fact.variable, numbers.of(fact));
        }
    }

    /// Removes the other values of a variable.
    fn keep_only(&mut self, numbers: &Numbers, variable: VariableId, kept: usize) {
        for fact in numbers.of_variable(variable).filter(|&fact| fact != kept) {
            self.facts.remove(fact);
        }
    }

    /// Uses each variable that has only one value left. False if nothing was new.
    fn propagate(&mut self, numbers: &Numbers) -> Result<bool, Impossible> {
        let mut any = false;
        for index in 0..self.fixed.len() {
            let mut left = numbers
                .of_variable(VariableId::new(index))
                .filter(|&fact| self.facts.contains(fact));
            let value = left.next().ok_or(Impossible)?;
            if left.next().is_none() && !self.fixed[index] {
                self.fixed[index] = true;
                any = true;
                self.facts.difference_with(self.without.row(value));
                if !self.facts.contains(value) {
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
        changed.insert_range(numbers.of_variable(effect.fact.variable));
    }
    changed
}

/// Keeps, for variables that do not change, only what both domains have.
fn meet(before: &mut FactSet, after: &mut FactSet, changed: &FactSet) {
    let mut allowed_before = after.clone();
    allowed_before.union_with(changed);
    let mut allowed_after = before.clone();
    allowed_after.union_with(changed);
    before.intersect_with(&allowed_before);
    after.intersect_with(&allowed_after);
}
