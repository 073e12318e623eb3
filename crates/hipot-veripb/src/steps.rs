//! No operator breaks the invariant where a function makes it true: it is true afterwards.
//!
//! An operator o of cost c that leads from s to s' lets φ fall by at most c. Here is how the proof
//! says so:
//!
//! - *Once for each cost*: the inequality before, its negation after and the cost of the step add up to
//!   D·φ(s) − D·φ(s') ≥ D·c + 1, where D is the denominator. It remains to show the contrary.
//! - *Once for each set of variables that some operator changes*: features about other variables keep
//!   their values, so they are canceled.
//! - *Once for each change V: d → e and each other variable W*: before the step, a feature ⟨V, d⟩ ∧
//!   ⟨W, x⟩ is true if ⟨W, x⟩ is; after it, ⟨V, e⟩ ∧ ⟨W, x⟩ is true if ⟨W, x⟩ is. So if W keeps its value, these
//!   features amount to a sum over the facts of W.
//! - *For each operator*: these are added. For each variable W that the operator does not mention,
//!   what is left is Σₓ Cₓ·⟨W, x⟩, which is at most the largest Cₓ, because W has one value. All other facts that
//!   are left are known, so the operator contradicts the sum by unit propagation.
//!
//! If an operator sets a variable that it does not ask for, this is done for each of its values.

use std::collections::BTreeMap;
use std::io::{self, Write};

use hipot_task::{Task, Value};

use crate::constraint::Constraint;
use crate::error::ExportError;
use crate::formula::{Change, Formula, FunctionIds};
use crate::function::Function;
use crate::literal::{Side, Variable};
use crate::proof::{Id, ProofWriter, Sum};

/// The most combinations of values of variables that an operator sets without asking for them.
const MAX_CASES: usize = 10_000;

/// A variable with a value.
type Known = (usize, Value);

/// A variable that an operator changes, with its values before and after.
type Changed = (usize, Value, Value);

pub(crate) struct Steps<'a, W> {
    formula: &'a Formula,
    function: &'a Function,
    ids: &'a FunctionIds,
    proof: &'a mut ProofWriter<W>,
    /// Features of two facts keep their values if their variables do; the direction depends on the
    /// sign of the weight.
    carried: BTreeMap<usize, Id>,
    /// For each set of changed variables and each cost, what features of changed variables must
    /// contradict.
    remaining: BTreeMap<(usize, u32), Id>,
    /// For a change and another variable, the features about both as a sum over that variable.
    contexts: BTreeMap<(Changed, usize), Id>,
    /// The features about two variables with known values.
    known: BTreeMap<(Side, Known, Known), Id>,
}

/// Checks that no operator has too many cases.
pub(crate) fn check_cases(task: &Task, formula: &Formula) -> Result<(), ExportError> {
    for (operator, step) in task.operators().iter().zip(&formula.steps) {
        let open = step.changes.iter().filter(|change| change.before.is_none());
        let sizes = open.map(|change| task.variables()[change.variable].values.len());
        let cases = sizes.fold(1_usize, usize::saturating_mul);
        if cases > MAX_CASES {
            return Err(ExportError::Cases { operator: operator.name.clone(), cases });
        }
    }
    Ok(())
}

impl<'a, W: Write> Steps<'a, W> {
    pub(crate) fn new(
        formula: &'a Formula,
        function: &'a Function,
        proof: &'a mut ProofWriter<W>,
    ) -> Self {
        let ids = &formula.functions[function.number - 1];
        let (carried, remaining) = (BTreeMap::new(), BTreeMap::new());
        let (contexts, known) = (BTreeMap::new(), BTreeMap::new());
        Self { formula, function, ids, proof, carried, remaining, contexts, known }
    }

    /// Proves that no step from where the function makes the invariant true breaks it.
    pub(crate) fn prove(mut self) -> io::Result<Id> {
        self.carry()?;
        let [far, far_after] = Side::BOTH.map(|side| Variable::Far(side, self.function.number));
        let implies = self.formula.parts.implies[Side::After as usize][&far_after];
        let mut proved = vec![self.formula.some_operator, implies];
        for operator in 0..self.formula.steps.len() {
            let changes = self.formula.steps[operator].changes.clone();
            proved.push(self.operator(operator, &changes)?);
        }
        let invariant = Variable::Invariant(Side::After).into();
        self.proof.propagate(&Constraint::clause([!Variable::Step, !far, invariant]), proved)
    }

    /// Features of two facts keep their values if their variables do.
    fn carry(&mut self) -> io::Result<()> {
        for &feature in self.function.pairs.values().flatten() {
            let [before, after] =
                Side::BOTH.map(|side| &self.ids.features[side as usize][&feature]);
            let is_positive = self.function.features[feature].weight > 0;
            let (from, to) = if is_positive { (before, after) } else { (after, before) };
            let mut sum = Sum::default();
            sum.add(1, to.implied);
            from.implies.iter().for_each(|&id| sum.add(1, id));
            for &(variable, value) in &self.function.features[feature].facts {
                let frame = self.formula.frames[variable][value as usize];
                sum.add(1, if is_positive { frame.forward } else { frame.backward });
            }
            let id = self.proof.saturated_sum(&sum)?;
            self.carried.insert(feature, id);
        }
        Ok(())
    }

    /// The operator does not lead from where the function is large enough to where it is not, if variables have the values that these
    /// changes have before.
    fn operator(&mut self, operator: usize, changes: &[Change]) -> io::Result<Id> {
        let Some(open) = changes.iter().position(|change| change.before.is_none()) else {
            return self.case(operator, changes);
        };
        let variable = changes[open].variable;
        let mut from = vec![self.formula.values[0][variable].at_least];
        for value in 0..self.function.singles[variable].len() as u32 {
            let mut changes = changes.to_vec();
            changes[open].before = Some(value);
            from.push(self.operator(operator, &changes)?);
        }
        let clause = self.clause(operator, changes);
        let id = self.proof.propagate(&clause, from.iter().copied())?;
        for case in &from[1..] {
            self.proof.forget(*case)?;
        }
        Ok(id)
    }

    /// The operator, with these values before where it does not ask for them, does not lead from where the
    /// function is large enough to where it is not.
    fn clause(&self, operator: usize, changes: &[Change]) -> Constraint {
        let asked = &self.formula.steps[operator].changes;
        let open = asked.iter().zip(changes).filter(|(asked, _)| asked.before.is_none());
        let chosen = open.filter_map(|(_, change)| Some((change.variable, change.before?)));
        let chosen = chosen.map(|(variable, value)| !Variable::Fact(Side::Before, variable, value));
        let [before, after] = Side::BOTH.map(|side| Variable::Far(side, self.function.number));
        let rest = [!Variable::Operator(operator), !before, after.into()];
        Constraint::clause(chosen.chain(rest))
    }

    /// The same if all values before are known.
    fn case(&mut self, operator: usize, changes: &[Change]) -> io::Result<Id> {
        let value = |change: &Change| change.before.expect("all values are known");
        let with_after = |it: &Change| Some((it.variable, value(it), it.after?));
        let changed: Vec<Changed> = changes.iter().filter_map(with_after).collect();
        let step = &self.formula.steps[operator];
        let mut sum = Sum::default();
        sum.add(1, self.remaining(step.set, step.cost)?);
        for (position, &(variable, before, after)) in changed.iter().enumerate() {
            for &(other, other_before, other_after) in &changed[position + 1..] {
                if !self.function.about(variable, other).is_empty() {
                    let before = ((variable, before), (other, other_before));
                    let after = ((variable, after), (other, other_after));
                    sum.add(1, self.known(Side::Before, before.0, before.1)?);
                    sum.add(1, self.known(Side::After, after.0, after.1)?);
                }
            }
        }
        for other in 0..self.function.singles.len() {
            if changed.iter().any(|&(variable, ..)| variable == other) {
                continue;
            }
            let is_asked = changes.iter().any(|change| change.variable == other);
            self.add_context(&mut sum, &changed, other, is_asked)?;
        }
        let total = self.proof.sum(&sum)?;
        let mut from = vec![step.id];
        from.extend(self.formula.kept[step.set]);
        from.extend(changes.iter().map(|it| self.formula.values[0][it.variable].at_most));
        from.extend(changed.iter().map(|&(it, ..)| self.formula.values[1][it].at_most));
        from.push(total);
        let clause = self.clause(operator, changes);
        let id = self.proof.propagate(&clause, from)?;
        self.proof.forget(total)?;
        Ok(id)
    }

    /// Adds the features about changed variables and one that keeps its value.
    fn add_context(
        &mut self,
        sum: &mut Sum,
        changed: &[Changed],
        other: usize,
        is_known: bool,
    ) -> io::Result<()> {
        let mut coefficients = vec![0; self.function.singles[other].len()];
        for &change in changed {
            let (variable, before, after) = change;
            if self.function.about(variable, other).is_empty() {
                continue;
            }
            sum.add(1, self.context(change, other)?);
            for (value, coefficient) in coefficients.iter_mut().enumerate() {
                let fact = (other, Some(value as u32));
                *coefficient += self.function.pair((variable, Some(before)), fact)
                    - self.function.pair((variable, Some(after)), fact);
            }
        }
        if !is_known {
            maximize(sum, self.formula, other, &coefficients);
        }
        Ok(())
    }

    /// What a step of this cost that changes these variables contradicts if it breaks the invariant: the fall of
    /// the features about changed variables exceeds the cost.
    fn remaining(&mut self, set: usize, cost: u32) -> io::Result<Id> {
        let cost = if self.function.bound.is_some() { cost } else { 0 };
        if let Some(&id) = self.remaining.get(&(set, cost)) {
            return Ok(id);
        }
        let mut sum = Sum::default();
        sum.add(1, self.ids.far[Side::Before as usize].holds);
        sum.add(1, self.ids.far[Side::After as usize].fails);
        if self.function.bound.is_some() {
            sum.add(self.function.denominator, self.formula.costs[&cost]);
        }
        let changed = &self.formula.sets[set];
        for (index, feature) in self.function.features.iter().enumerate() {
            let weight = feature.weight;
            match feature.facts[..] {
                [(variable, value)] if !changed.contains(&variable) => {
                    let frame = self.formula.frames[variable][value as usize];
                    let id = if weight > 0 { frame.forward } else { frame.backward };
                    sum.add(weight.abs(), id);
                }
                [(first, _), (second, _)]
                    if !changed.contains(&first) && !changed.contains(&second) =>
                {
                    sum.add(weight.abs(), self.carried[&index]);
                }
                _ => {}
            }
        }
        let id = self.proof.sum(&sum)?;
        self.remaining.insert((set, cost), id);
        Ok(id)
    }

    /// How features about two variables change, as a sum over the one that keeps its value.
    fn context(&mut self, change: Changed, other: usize) -> io::Result<Id> {
        if let Some(&id) = self.contexts.get(&(change, other)) {
            return Ok(id);
        }
        let (variable, before, after) = change;
        let mut sum = Sum::default();
        for &feature in self.function.about(variable, other) {
            bound_above(&mut sum, self.ids, self.function, feature, &[(variable, before)]);
            let known = [(variable, after)];
            let rest = bound_below(&mut sum, self.ids, self.function, feature, &known);
            if let Some((_, value)) = rest {
                // The fact after the step is one before it.
                let (weight, frame) = (
                    self.function.features[feature].weight,
                    self.formula.frames[other][value as usize],
                );
                sum.add(weight.abs(), if weight > 0 { frame.forward } else { frame.backward });
            }
        }
        let id = self.proof.sum(&sum)?;
        self.contexts.insert((change, other), id);
        Ok(id)
    }

    /// The features about two variables with known values: at most their weight before, or at least
    /// their weight after.
    fn known(&mut self, side: Side, first: Known, second: Known) -> io::Result<Id> {
        if let Some(&id) = self.known.get(&(side, first, second)) {
            return Ok(id);
        }
        let mut sum = Sum::default();
        for &feature in self.function.about(first.0, second.0) {
            let known = [first, second];
            match side {
                Side::Before => bound_above(&mut sum, self.ids, self.function, feature, &known),
                Side::After => bound_below(&mut sum, self.ids, self.function, feature, &known),
            };
        }
        let id = self.proof.sum(&sum)?;
        self.known.insert((side, first, second), id);
        Ok(id)
    }
}

/// Adds Σ (z − Cₓ)·x ≥ 0 and Σ x = 1, multiplied by z, for the facts x of a variable before the step and the largest
/// coefficient z: a sum Σ Cₓ·x becomes z.
pub(crate) fn maximize(sum: &mut Sum, formula: &Formula, variable: usize, coefficients: &[i128]) {
    if coefficients.iter().all(|&coefficient| coefficient == 0) {
        return;
    }
    let largest = coefficients.iter().copied().max().expect("variables have values");
    for (value, coefficient) in coefficients.iter().enumerate() {
        let fact = Variable::Fact(Side::Before, variable, value as u32);
        sum.add_literal(largest - coefficient, fact);
    }
    let values = formula.values[Side::Before as usize][variable];
    let id = if largest > 0 { values.at_most } else { values.at_least };
    sum.add(largest.abs(), id);
}

/// Adds that the weight of a feature before the step, if it is true, is at most that of the fact that remains
/// if some variables have known values. Returns this fact, unless the feature is false.
pub(crate) fn bound_above(
    sum: &mut Sum,
    ids: &FunctionIds,
    function: &Function,
    feature: usize,
    known: &[Known],
) -> Option<Known> {
    let weight = -function.features[feature].weight;
    add_remaining(sum, ids, function, (Side::Before, feature, weight), known)
}

/// The same after the step, where the weight is at least that of the fact that remains.
pub(crate) fn bound_below(
    sum: &mut Sum,
    ids: &FunctionIds,
    function: &Function,
    feature: usize,
    known: &[Known],
) -> Option<Known> {
    let weight = function.features[feature].weight;
    add_remaining(sum, ids, function, (Side::After, feature, weight), known)
}

/// Adds weight · feature ≥ weight · remaining fact, but for literals that are false where variables have the known
/// values.
fn add_remaining(
    sum: &mut Sum,
    ids: &FunctionIds,
    function: &Function,
    (side, feature, weight): (Side, usize, i128),
    known: &[Known],
) -> Option<Known> {
    let facts = &function.features[feature].facts;
    let definition = &ids.features[side as usize][&feature];
    let value = |variable| known.iter().find(|it| it.0 == variable).map(|it| it.1);
    let is_false = |&(variable, own): &Known| value(variable).is_some_and(|it| it != own);
    let remaining = facts.iter().position(|&(variable, _)| value(variable).is_none());
    let literal = Variable::Feature(side, function.number, function.features[feature].number);
    let contradicting = facts.iter().position(is_false);
    match (contradicting.or(remaining), weight > 0) {
        (_, true) if contradicting.is_some() => sum.add_literal(weight, literal),
        (_, true) => sum.add(weight, definition.implied),
        (Some(fact), false) => sum.add(-weight, definition.implies[fact]),
        (None, false) => sum.add_literal(-weight, !literal),
    }
    if contradicting.is_some() { None } else { remaining.map(|fact| facts[fact]) }
}
