//! Landmarks: facts that hold at some time in every plan.
//!
//! A fact is a landmark *of the delete relaxation* if the goal cannot be reached without it even
//! if facts never become false. All such landmarks are found by one fixpoint (Zhu and Givan,
//! ICAPS 2003 doctoral consortium; Keyder, Richter and Helmert, ECAI 2010): let L(f) be the facts
//! that are needed for f. A fact of the initial state needs itself. Any other fact needs itself
//! and what each of its achievers needs, and an operator needs what its preconditions need. From
//! above, that is from "everything", the greatest solution is reached by intersections.
//!
//! [`Landmarks::reachable_without`] are the facts that the relaxation reaches while a landmark
//! ℓ has not yet been true. A state in which all facts are of this kind still has ℓ ahead of it: a
//! plan from there that avoids ℓ would, in the relaxation, be a plan from the initial state that
//! avoids ℓ. (Seipp and Helmert, JAIR 2018, Section 5.2, make abstractions of this.)
//!
//! Operators with conditional effects need the conditions for the effect as well. Axioms are not
//! supported: the task has no landmarks then.

use hipot_task::{Fact, FactId, Facts, Limits, OperatorId, Stop, Task};

use crate::bit_matrix::{self, BitMatrix};
use crate::fact_set::FactSet;

/// The number of operators between two checks of the limits.
const OPERATORS_PER_CHECK: usize = 1024;

/// The landmarks of a task's delete relaxation.
#[derive(Clone, Debug)]
pub struct Landmarks<'a> {
    task: &'a Task,
    facts: Facts,
    useful: Vec<OperatorId>,
    found: Vec<Fact>,
}

impl<'a> Landmarks<'a> {
    /// The landmarks of `task` without the operators that `is_useless` names, if n²/8 bytes for n
    /// facts are there. If the relaxation does not reach the goal, there are none.
    pub fn new(
        task: &'a Task,
        is_useless: impl Fn(OperatorId) -> bool,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let facts = Facts::new(task);
        let useful = task.operator_ids().filter(|&id| !is_useless(id)).collect();
        let mut landmarks = Self { task, facts, useful, found: Vec::new() };
        if task.axioms().is_empty() {
            landmarks.found = landmarks.find(limits)?;
        }
        Ok(landmarks)
    }

    /// The landmarks, in order; among them are the facts of the goal, and perhaps some of the
    /// initial state.
    pub fn facts(&self) -> &[Fact] {
        &self.found
    }

    fn find(&self, limits: &Limits) -> Result<Vec<Fact>, Stop> {
        let count = self.facts.len();
        let mut needed = BitMatrix::new(count, count, limits)?;
        let mut reached = vec![false; count];
        for fact in self.facts.of_state(self.task.initial()) {
            reached[fact.index()] = true;
            needed.set(fact.number(), fact.number());
        }
        while self.pass(&mut needed, &mut reached, limits)? {}
        let goal = || self.task.goal().iter().map(|&fact| self.facts.id(fact));
        if goal().any(|fact| !reached[fact.index()]) {
            return Ok(Vec::new());
        }
        let mut all = vec![0; needed.stride()];
        goal().for_each(|fact| unite(&mut all, needed.row(fact.number())));
        Ok(bit_matrix::ones(&all).map(|number| self.facts.fact(FactId::new(number))).collect())
    }

    /// Applies each operator once. Returns whether anything has changed.
    fn pass(
        &self,
        needed: &mut BitMatrix,
        reached: &mut [bool],
        limits: &Limits,
    ) -> Result<bool, Stop> {
        let mut has_changed = false;
        let mut row = vec![0; needed.stride()];
        for (index, &id) in self.useful.iter().enumerate() {
            if index % OPERATORS_PER_CHECK == 0 {
                limits.check()?;
            }
            let operator = self.task.operator(id);
            for effect in &operator.effects {
                let conditions = || operator.preconditions.iter().chain(&effect.conditions);
                if !conditions().all(|&fact| reached[self.facts.id(fact).index()]) {
                    continue;
                }
                let achieved = self.facts.id(effect.fact).number();
                row.fill(0);
                bit_matrix::set(&mut row, achieved);
                conditions()
                    .for_each(|&fact| unite(&mut row, needed.row(self.facts.id(fact).number())));
                let is_new = !std::mem::replace(&mut reached[achieved as usize], true);
                has_changed |= narrow(needed.row_mut(achieved), &row, is_new);
            }
        }
        Ok(has_changed)
    }

    /// The facts that the relaxation reaches from the initial state by operators that never make
    /// `landmark` true. Operators whose effects have conditions count as if they had none.
    pub fn reachable_without(&self, landmark: Fact, limits: &Limits) -> Result<FactSet, Stop> {
        let mut reached = FactSet::new(&self.facts);
        self.facts.of_state(self.task.initial()).for_each(|fact| reached.insert(fact));
        let mut open = self.useful.clone();
        open.retain(|&id| self.task.operator(id).effects.iter().all(|it| it.fact != landmark));
        loop {
            limits.check()?;
            let before = open.len();
            open.retain(|&id| {
                let operator = self.task.operator(id);
                let holds = |fact: &Fact| reached.contains(self.facts.id(*fact));
                let is_applicable = operator.preconditions.iter().all(holds);
                if is_applicable {
                    let effects = operator.effects.iter().map(|effect| effect.fact);
                    effects.for_each(|fact| reached.insert(self.facts.id(fact)));
                }
                !is_applicable
            });
            if open.len() == before {
                return Ok(reached);
            }
        }
    }
}

fn unite(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// Intersects `row` with `other`, or sets it if it is new. Returns whether it has changed.
fn narrow(row: &mut [u64], other: &[u64], is_new: bool) -> bool {
    if is_new {
        row.copy_from_slice(other);
        return true;
    }
    let mut has_changed = false;
    for (word, other) in row.iter_mut().zip(other) {
        has_changed |= *word & !other != 0;
        *word &= other;
    }
    has_changed
}

#[cfg(test)]
mod tests {
    use hipot_task::{Effect, Operator, TaskBuilder, Variable, VariableId};

    use super::*;

    fn fact(variable: usize, value: u32) -> Fact {
        Fact::new(VariableId::new(variable), value)
    }

    /// A robot in rooms 0 – 1 – 2 (and 3 beside 1) that fetches a key in room 2.
    fn rooms() -> Task {
        let mut builder = TaskBuilder::new(false);
        builder.add_variable(Variable::new("robot", ["0", "1", "2", "3"])).unwrap();
        builder.add_variable(Variable::new("key", ["there", "held"])).unwrap();
        builder.set_initial(vec![0, 0]).unwrap();
        builder.set_goal(vec![fact(0, 0), fact(1, 1)]).unwrap();
        let mut add = |preconditions: &[Fact], effect: Fact| {
            let (preconditions, effects) = (preconditions.to_vec(), vec![Effect::new(effect)]);
            let operator = Operator { name: "o".to_owned(), preconditions, effects, cost: 1 };
            builder.add_operator(operator).unwrap();
        };
        for (from, to) in [(0, 1), (1, 2), (1, 3)] {
            add(&[fact(0, from)], fact(0, to));
            add(&[fact(0, to)], fact(0, from));
        }
        add(&[fact(0, 2), fact(1, 0)], fact(1, 1));
        builder.build()
    }

    #[test]
    fn all_landmarks_of_the_relaxation_are_found() {
        let task = rooms();
        let landmarks = Landmarks::new(&task, |_| false, &Limits::none()).unwrap();
        let expected = [fact(0, 0), fact(0, 1), fact(0, 2), fact(1, 0), fact(1, 1)];
        assert_eq!(landmarks.facts(), expected);
        let before = landmarks.reachable_without(fact(0, 1), &Limits::none()).unwrap();
        let facts = Facts::new(&task);
        let found: Vec<Fact> =
            facts.ids().filter(|&f| before.contains(f)).map(|f| facts.fact(f)).collect();
        assert_eq!(found, [fact(0, 0), fact(1, 0)]);
        // Without the operator that takes the key, the goal is out of reach.
        let cut = Landmarks::new(&task, |id| id.index() == 6, &Limits::none()).unwrap();
        assert!(cut.facts().is_empty());
    }
}
