//! Listed states, and states that are one step from the bound.
//!
//! The proof follows the certificate: for each listed state and each operator that is
//! applicable in it, one line says why the invariant holds in the successor. It is listed with no more
//! than the cost that is then spent, or a function is large enough there, or it is no goal state and one
//! step from the bound; or the step costs too much. Values, and functions in known states, follow by unit
//! propagation; what is said about costs is proved once for each pair of costs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use hipot_task::{Task, Value};

use crate::constraint::Constraint;
use crate::formula::{Formula, Named};
use crate::function::Function;
use crate::invariant::Invariant;
use crate::literal::{Literal, Side, Variable};
use crate::proof::{Id, ProofWriter, Sum};
use crate::steps::bound_below;

pub(crate) struct Listed<'a, W> {
    task: &'a Task,
    invariant: &'a Invariant,
    formula: &'a Formula,
    proof: &'a mut ProofWriter<W>,
    /// From "at least so much" by a step of this cost to "at least so much".
    reached: BTreeMap<(u64, u32, u64), Id>,
    /// From there the bound is reached, so there is no such step.
    too_much: BTreeMap<(u64, u32), Id>,
    /// From there only a goal state is not one step from the bound.
    late: BTreeMap<(u64, u32), Id>,
    /// From there a function that is not large enough is less than so much.
    far: BTreeMap<(usize, u64, u32), Id>,
}

impl<'a, W: Write> Listed<'a, W> {
    pub(crate) fn new(
        task: &'a Task,
        invariant: &'a Invariant,
        formula: &'a Formula,
        proof: &'a mut ProofWriter<W>,
    ) -> Self {
        let (reached, too_much) = (BTreeMap::new(), BTreeMap::new());
        let (late, far) = (BTreeMap::new(), BTreeMap::new());
        Self { task, invariant, formula, proof, reached, too_much, late, far }
    }

    /// Proves for each listed state that no step from it breaks the invariant.
    pub(crate) fn prove_steps(&mut self) -> io::Result<Vec<Id>> {
        (0..self.invariant.listing.states.len()).map(|index| self.state(index)).collect()
    }

    /// Proves for each listed state that it is no goal state.
    pub(crate) fn prove_last(&mut self) -> io::Result<Vec<Id>> {
        let mut proved = Vec::new();
        for (index, (_, state)) in self.invariant.listing.states.iter().enumerate() {
            let mut from = vec![self.formula.last, self.listed(Side::Before, index).holds];
            from.extend(self.at_most(Side::Before, self.differing_from_goal(state)));
            let listed = Variable::Listed(Side::Before, index + 1);
            let clause = Constraint::clause([!Variable::Last, !listed]);
            proved.push(self.proof.propagate(&clause, from)?);
        }
        Ok(proved)
    }

    /// Proves that a state that is one step from the bound is left by no step, and no goal state.
    pub(crate) fn prove_late(&mut self) -> io::Result<[Id; 2]> {
        let [late, after] = [Side::Before, Side::After].map(|side| side as usize);
        let step = self.invariant.step.map_or(0, i128::from);
        let [late, goal] = [self.formula.parts.late[late], self.formula.parts.goal[late]];
        let mut from = vec![self.formula.some_operator];
        for &cost in self.formula.costs.values() {
            let mut sum = Sum::default();
            sum.add(1, late.holds);
            sum.add(1, cost);
            sum.add(1, self.formula.spent[after]);
            sum.add_literal(step, Variable::Goal(Side::Before));
            from.push(self.proof.saturated_sum(&sum)?);
        }
        from.extend(self.formula.steps.iter().map(|step| step.id));
        let name = Variable::Late(Side::Before);
        let left = self.proof.propagate(&Constraint::clause([!Variable::Step, !name]), from)?;
        let mut sum = Sum::default();
        sum.add(1, late.holds);
        sum.add(1, self.formula.spent[Side::Before as usize]);
        let id = self.proof.sum(&sum)?;
        let clause = Constraint::clause([!Variable::Last, !name]);
        let last = self.proof.propagate(&clause, [self.formula.last, goal.fails, id])?;
        Ok([left, last])
    }

    fn listed(&self, side: Side, index: usize) -> Named {
        self.formula.parts.listed[side as usize][index]
    }

    /// "At most one value" of a variable.
    fn at_most(&self, side: Side, variable: Option<usize>) -> Option<Id> {
        variable.map(|it| self.formula.values[side as usize][it].at_most)
    }

    /// A variable that does not have its goal value.
    fn differing_from_goal(&self, state: &[Value]) -> Option<usize> {
        let differs = |fact: &&hipot_task::Fact| state[fact.variable.index()] != fact.value;
        self.task.goal().iter().find(differs).map(|fact| fact.variable.index())
    }

    /// No step from a listed state breaks the invariant.
    fn state(&mut self, index: usize) -> io::Result<Id> {
        let state = &self.invariant.listing.states[index].1;
        let mut from = vec![self.listed(Side::Before, index).holds];
        from.extend(self.formula.values[Side::Before as usize].iter().map(|it| it.at_most));
        let mut cases = Vec::new();
        for (operator, step) in self.formula.steps.iter().enumerate() {
            let mut asked = step.changes.iter();
            if asked.all(|it| it.before.is_none_or(|value| state[it.variable] == value)) {
                cases.push(self.successor(index, operator)?);
            } else {
                // It asks for a value that the state does not have.
                from.push(step.id);
            }
        }
        from.extend(cases.iter().copied().chain([self.formula.some_operator]));
        let clause = Constraint::clause([!Variable::Step].into_iter().chain(holds_after(index)));
        let id = self.proof.propagate(&clause, from)?;
        for case in cases {
            self.proof.forget(case)?;
        }
        Ok(id)
    }

    /// The invariant holds after an operator that is applicable in a listed state.
    fn successor(&mut self, index: usize, operator: usize) -> io::Result<Id> {
        let (cost, state) = &self.invariant.listing.states[index];
        let step = &self.formula.steps[operator];
        let mut from = vec![self.listed(Side::Before, index).holds, step.id];
        from.extend(self.formula.kept[step.set]);
        let mut after = state.clone();
        for change in &step.changes {
            after[change.variable] = change.after.unwrap_or(after[change.variable]);
        }
        for (variable, &value) in state.iter().enumerate() {
            if !self.formula.sets[step.set].contains(&variable) {
                from.push(self.formula.frames[variable][value as usize].forward);
            }
        }
        let forgotten = self.covered((*cost, step.cost), &after, &mut from)?;
        let literals = [!Variable::Operator(operator)].into_iter().chain(holds_after(index));
        let id = self.proof.propagate(&Constraint::clause(literals), from)?;
        if let Some(forgotten) = forgotten {
            self.proof.forget(forgotten)?;
        }
        Ok(id)
    }

    /// Adds the lines that show why the invariant holds in a state that is reached at this cost and by
    /// this step. Returns one that is needed only here, if there is one.
    fn covered(
        &mut self,
        (spent, cost): (u64, u32),
        after: &[Value],
        from: &mut Vec<Id>,
    ) -> io::Result<Option<Id>> {
        let parts = &self.formula.parts;
        let implies = |part| parts.implies[Side::After as usize].get(&part).copied();
        let total = spent.saturating_add(cost.into());
        let missing = self.invariant.bound().map(|bound| bound.saturating_sub(total));
        if missing == Some(0) {
            from.push(self.too_much((spent, cost))?);
            return Ok(None);
        }
        if let Some(found) = self.invariant.find(after, total) {
            from.push(self.listed(Side::After, found).fails);
            from.extend(implies(Variable::Listed(Side::After, found + 1)));
            if missing.is_some() {
                let listed = self.invariant.listing.states[found].0;
                from.push(self.reached(spent, cost, listed)?);
            }
            return Ok(None);
        }
        let differing = self.differing_from_goal(after);
        let is_late = self.invariant.step.zip(missing).is_some_and(|(step, it)| it <= step.into());
        if is_late && differing.is_some() {
            from.extend(implies(Variable::Late(Side::After)));
            from.push(parts.goal[Side::After as usize].holds);
            from.extend(self.at_most(Side::After, differing));
            from.push(self.late((spent, cost))?);
            return Ok(None);
        }
        let is_enough = |it: &&Function| it.value(after) >= it.enough(total);
        let Some(function) = self.invariant.functions.iter().find(is_enough) else {
            // The certificate is wrong: the line will be refused.
            return Ok(None);
        };
        from.extend(implies(Variable::Far(Side::After, function.number)));
        from.extend(self.formula.values[Side::After as usize].iter().map(|it| it.at_most));
        let mut sum = Sum::default();
        sum.add(1, self.far(function, (spent, cost))?);
        let known: Vec<(usize, Value)> = after.iter().copied().enumerate().collect();
        let ids = &self.formula.functions[function.number - 1];
        for &feature in function.pairs.values().flatten() {
            bound_below(&mut sum, ids, function, feature, &known);
        }
        let id = self.proof.sum(&sum)?;
        from.push(id);
        Ok(Some(id))
    }

    /// What was spent before, and the cost of the step.
    fn add_costs(&self, sum: &mut Sum, factor: i128, (spent, cost): (u64, u32)) {
        sum.add(factor, self.formula.parts.at_least[Side::Before as usize][&spent].holds);
        sum.add(factor, self.formula.costs[&cost]);
    }

    fn too_much(&mut self, step: (u64, u32)) -> io::Result<Id> {
        if let Some(&id) = self.too_much.get(&step) {
            return Ok(id);
        }
        let mut sum = Sum::default();
        self.add_costs(&mut sum, 1, step);
        sum.add(1, self.formula.spent[Side::After as usize]);
        let id = self.proof.saturated_sum(&sum)?;
        self.too_much.insert(step, id);
        Ok(id)
    }

    fn reached(&mut self, spent: u64, cost: u32, reached: u64) -> io::Result<Id> {
        if let Some(&id) = self.reached.get(&(spent, cost, reached)) {
            return Ok(id);
        }
        let mut sum = Sum::default();
        self.add_costs(&mut sum, 1, (spent, cost));
        sum.add(1, self.formula.parts.at_least[Side::After as usize][&reached].fails);
        let id = self.proof.saturated_sum(&sum)?;
        self.reached.insert((spent, cost, reached), id);
        Ok(id)
    }

    fn late(&mut self, step: (u64, u32)) -> io::Result<Id> {
        if let Some(&id) = self.late.get(&step) {
            return Ok(id);
        }
        let mut sum = Sum::default();
        self.add_costs(&mut sum, 1, step);
        sum.add(1, self.formula.parts.late[Side::After as usize].fails);
        let id = self.proof.sum(&sum)?;
        self.late.insert(step, id);
        Ok(id)
    }

    fn far(&mut self, function: &Function, step: (u64, u32)) -> io::Result<Id> {
        let key = (function.number, step.0, step.1);
        if let Some(&id) = self.far.get(&key) {
            return Ok(id);
        }
        let mut sum = Sum::default();
        if function.bound.is_some() {
            self.add_costs(&mut sum, function.denominator, step);
        }
        let ids = &self.formula.functions[function.number - 1];
        sum.add(1, ids.far[Side::After as usize].fails);
        let id = self.proof.sum(&sum)?;
        self.far.insert(key, id);
        Ok(id)
    }
}

/// Not in the listed state, or the invariant holds after the step.
fn holds_after(index: usize) -> [Literal; 2] {
    [!Variable::Listed(Side::Before, index + 1), Variable::Invariant(Side::After).into()]
}
