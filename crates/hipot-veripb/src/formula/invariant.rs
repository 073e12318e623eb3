//! The invariant of the formula: it is the disjunction of its parts.
//!
//! | part | is true if |
//! |---|---|
//! | `xfar1`, `xfar2`, … | what has been spent and the function make at least the bound, rounded up |
//! | `xlate` | the state is no goal state, and what has been spent and the cheapest operator make at least the bound |
//! | `xstate1`, `xstate2`, … | the state is a listed one, and at least its cost has been spent |
//!
//! Each name is defined in both directions, so the invariant is a condition on the state and what
//! has been spent, and for y the same as for x.

use std::collections::BTreeSet;

use hipot_task::Task;

use super::{Definition, Formula, FunctionIds, Named, spent};
use crate::constraint::Constraint;
use crate::function::{Feature, Function};
use crate::invariant::Invariant;
use crate::literal::{Literal, Side, Variable};

impl Formula {
    /// The definitions of all parts, then of the invariant.
    pub(super) fn add_invariant(&mut self, task: &Task, invariant: &Invariant) {
        self.comment("INVARIANT: the disjunction of its parts, the same before and after.");
        for function in &invariant.functions {
            self.add_function(function);
        }
        if let Some(bound) = invariant.bound() {
            self.add_late(task, bound, invariant.step);
        }
        if let Some(bound) = invariant.bound() {
            self.add_thresholds(bound, invariant);
        }
        self.add_listed(invariant);
        for side in Side::BOTH {
            let parts = invariant.parts(side);
            let whole = Variable::Invariant(side);
            let literals = parts.iter().map(|&part| part.into()).chain([!whole]);
            self.parts.some[side as usize] = self.add(&Constraint::clause(literals));
            for part in parts {
                let id = self.add(&Constraint::clause([!part, whole.into()]));
                self.parts.implies[side as usize].insert(part, id);
            }
        }
    }

    /// Defines a name: it is true if and only if the constraint holds.
    fn define(&mut self, name: Variable, constraint: Constraint) -> Named {
        let fails = self.add(&constraint.negated().if_true(!name));
        Named { holds: self.add(&constraint.if_true(name.into())), fails }
    }

    /// Defines a name for a conjunction.
    fn define_all(&mut self, name: Variable, literals: &[Literal]) -> Named {
        let holds = self.add(&Constraint::implies_all(name, literals.iter().copied()));
        let negated = literals.iter().map(|&literal| !literal);
        Named { holds, fails: self.add(&Constraint::clause(negated.chain([name.into()]))) }
    }

    fn add_function(&mut self, function: &Function) {
        let mut ids = FunctionIds::default();
        for (index, feature) in function.features.iter().enumerate() {
            if feature.facts.len() > 1 {
                for side in Side::BOTH {
                    let definition = self.define_feature(function, feature, side);
                    ids.features[side as usize].insert(index, definition);
                }
            }
        }
        for side in Side::BOTH {
            let name = Variable::Far(side, function.number);
            ids.far[side as usize] = self.define(name, inequality(function, side));
        }
        self.functions.push(ids);
    }

    fn define_feature(&mut self, function: &Function, feature: &Feature, side: Side) -> Definition {
        let whole = Variable::Feature(side, function.number, feature.number);
        let fact = |&(variable, value)| Variable::Fact(side, variable, value);
        let facts: Vec<Variable> = feature.facts.iter().map(fact).collect();
        let implies =
            facts.iter().map(|&fact| self.add(&Constraint::clause([!whole, fact.into()])));
        let implies = implies.collect();
        let negated = facts.iter().map(|&fact| !fact);
        let implied = self.add(&Constraint::clause(negated.chain([whole.into()])));
        Definition { implies, implied }
    }

    /// Not in a goal state, spent + step ≥ bound. What has been spent is less than the bound, so this is
    /// spent + step · (not in a goal state) ≥ bound.
    fn add_late(&mut self, task: &Task, bound: u64, step: Option<u32>) {
        let Some(step) = step.map(i128::from) else { return };
        for side in Side::BOTH {
            let fact = |it: &hipot_task::Fact| {
                Literal::from(Variable::Fact(side, it.variable.index(), it.value))
            };
            let goal: Vec<Literal> = task.goal().iter().map(fact).collect();
            self.parts.goal[side as usize] = self.define_all(Variable::Goal(side), &goal);
            let mut terms = spent(side, bound, 1);
            terms.push((-step, Variable::Goal(side).into()));
            let late = Constraint::sum(terms, i128::from(bound) - step);
            self.parts.late[side as usize] = self.define(Variable::Late(side), late);
        }
    }

    /// Names for "at least so much has been spent", for the costs of listed states.
    fn add_thresholds(&mut self, bound: u64, invariant: &Invariant) {
        let costs: BTreeSet<u64> = invariant.listing.states.iter().map(|it| it.0).collect();
        for side in Side::BOTH {
            for &cost in &costs {
                let enough = Constraint::sum(spent(side, bound, 1), i128::from(cost));
                let named = self.define(Variable::AtLeast(side, cost), enough);
                self.parts.at_least[side as usize].insert(cost, named);
            }
        }
    }

    fn add_listed(&mut self, invariant: &Invariant) {
        for side in Side::BOTH {
            for (index, (cost, state)) in invariant.listing.states.iter().enumerate() {
                let facts = state.iter().enumerate();
                let facts = facts.map(|(variable, &value)| Variable::Fact(side, variable, value));
                let mut literals: Vec<Literal> = facts.map(Literal::from).collect();
                if invariant.bound().is_some() {
                    literals.push(Variable::AtLeast(side, *cost).into());
                }
                let named = self.define_all(Variable::Listed(side, index + 1), &literals);
                self.parts.listed[side as usize].push(named);
            }
        }
    }
}

/// What has been spent and φ make at least the bound, rounded up; or φ is positive, if no operator
/// lowers it.
fn inequality(function: &Function, side: Side) -> Constraint {
    let term = |feature: &Feature| {
        let variable = match feature.facts[..] {
            [(variable, value)] => Variable::Fact(side, variable, value),
            _ => Variable::Feature(side, function.number, feature.number),
        };
        (feature.weight, variable.into())
    };
    let mut terms: Vec<(i128, Literal)> = function.features.iter().map(term).collect();
    if let Some(bound) = function.bound {
        terms.extend(spent(side, bound, function.denominator));
    }
    Constraint::sum(terms, function.enough(0) - function.constant)
}
