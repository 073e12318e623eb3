//! Forward h² as one would write it down: a table of pairs, and loops over
//! operators and pairs of facts until nothing changes.

use std::time::Instant;

use hipot_task::{Fact, Operator, Task, VariableId};

/// For each pair of facts, numbered variable by variable, whether forward h²
/// reaches it; `None` where `deadline` passes first.
pub(crate) fn reached_pairs(task: &Task, deadline: Option<Instant>) -> Option<Vec<Vec<bool>>> {
    let mut table = Table::new(task);
    loop {
        let mut changed = false;
        for operator in task.operators() {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return None;
            }
            changed |= table.apply(operator);
        }
        if !changed {
            return Some(table.reached);
        }
    }
}

struct Table {
    /// The number of each variable's first fact.
    first: Vec<usize>,
    /// The variable of each fact.
    variable: Vec<VariableId>,
    reached: Vec<Vec<bool>>,
}

impl Table {
    /// The pairs of the initial state.
    fn new(task: &Task) -> Self {
        let (mut first, mut variable) = (Vec::new(), Vec::new());
        for id in task.variable_ids() {
            first.push(variable.len());
            variable.extend(task.variable(id).values.iter().map(|_| id));
        }
        let reached = vec![vec![false; variable.len()]; variable.len()];
        let mut table = Self { first, variable, reached };
        let initial: Vec<usize> = task
            .variable_ids()
            .zip(task.initial())
            .map(|(id, &value)| table.number(Fact::new(id, value)))
            .collect();
        for &p in &initial {
            for &q in &initial {
                table.reached[p][q] = true;
            }
        }
        table
    }

    fn number(&self, fact: Fact) -> usize {
        self.first[fact.variable.index()] + fact.value as usize
    }

    /// Reaches what `operator` adds; whether anything is new.
    fn apply(&mut self, operator: &Operator) -> bool {
        let pre: Vec<usize> = operator.preconditions.iter().map(|&f| self.number(f)).collect();
        if !pre.iter().all(|&p| pre.iter().all(|&q| self.reached[p][q])) {
            return false;
        }
        let eff: Vec<usize> = operator.effects.iter().map(|e| self.number(e.fact)).collect();
        let mut changed = false;
        for &p in &eff {
            for &q in &eff {
                changed |= self.reach(p, q);
            }
            for q in 0..self.variable.len() {
                let persists = eff.iter().all(|&e| self.variable[e] != self.variable[q]);
                let together = self.reached[q][q] && pre.iter().all(|&f| self.reached[f][q]);
                if persists && together {
                    changed |= self.reach(p, q);
                }
            }
        }
        changed
    }

    fn reach(&mut self, p: usize, q: usize) -> bool {
        let new = !self.reached[p][q];
        self.reached[p][q] = true;
        self.reached[q][p] = true;
        new
    }
}
