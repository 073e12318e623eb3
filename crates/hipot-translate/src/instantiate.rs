//! Instantiation: ground operators and axioms from schemas and objects.
//!
//! [`reach`](crate::reach) found the instances as tuples of objects. Here the
//! objects are put in for the parameters. A literal that is always true is
//! dropped; a condition with a literal that is never true makes its operator or
//! effect impossible; the rest is a conjunction of [`GroundLiteral`]s. An
//! instance can still turn out impossible here, because reachability ignored
//! negated fluents: it may need an atom to be both true and false.
//!
//! Universal effects are expanded over the ranges of their own parameters. To
//! enumerate all combinations would take too long where an effect has several
//! parameters, so the search goes parameter by parameter and gives up as soon as
//! a literal of the condition, whose last variable was just bound, is surely
//! false.
//!
//! An [`Instantiator`] fills in one operator at a time, in memory that is used
//! again. Operators are encoded at once and never kept in this form.

use hipot_pddl::ast::{Cost, Term};

use crate::atoms::AtomId;
use crate::ground::{GroundAtoms, GroundLiteral, Truth, value};
use crate::normal::{Literal, NormalTask, Schema, SchemaEffect};
use crate::reach::{Reached, domain_of};

/// An instance of a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroundOperator {
    pub(crate) precondition: Vec<GroundLiteral>,
    pub(crate) effects: Vec<GroundEffect>,
    pub(crate) cost: u64,
}

/// An effect of a [`GroundOperator`].
#[derive(Clone, Debug)]
pub(crate) struct GroundEffect {
    pub(crate) condition: Vec<GroundLiteral>,
    pub(crate) literal: GroundLiteral,
}

/// An instance of an axiom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroundAxiom {
    pub(crate) head: AtomId,
    pub(crate) body: Vec<GroundLiteral>,
}

/// Makes instances, reusing its memory.
pub(crate) struct Instantiator<'a> {
    task: &'a NormalTask,
    reached: &'a Reached,
    ground: &'a GroundAtoms<'a>,
    /// The value of each function for each tuple of its relation.
    values: Vec<Vec<u64>>,
    scratch: Vec<u32>,
    assignment: Vec<u32>,
}

impl<'a> Instantiator<'a> {
    pub(crate) fn new(
        task: &'a NormalTask,
        reached: &'a Reached,
        ground: &'a GroundAtoms<'a>,
    ) -> Self {
        let mut values = vec![Vec::new(); task.functions.len()];
        for value in &task.values {
            values[value.function.index()].push(value.value);
        }
        let (scratch, assignment) = <_>::default();
        Self { task, reached, ground, values, scratch, assignment }
    }

    /// Fills in the instance of `schema` for these objects; whether it can be
    /// applicable. It cannot if it needs an atom to be both true and false.
    pub(crate) fn operator(
        &mut self,
        schema: &Schema,
        objects: &[u32],
        operator: &mut GroundOperator,
    ) -> bool {
        operator.effects.clear();
        if !self.condition(&schema.precondition, objects, &mut operator.precondition) {
            return false;
        }
        operator.cost = self.cost(schema, objects);
        for effect in &schema.effects {
            let mut values = std::mem::take(&mut self.assignment);
            values.clear();
            values.extend_from_slice(objects);
            self.effect(effect, objects.len(), &mut values, &mut operator.effects);
            self.assignment = values;
        }
        true
    }

    /// The instance of an axiom schema for these objects, if it can apply.
    pub(crate) fn axiom(&mut self, axiom: usize, objects: &[u32]) -> Option<GroundAxiom> {
        let axiom = &self.task.axioms[axiom];
        let mut body = Vec::new();
        if !self.condition(&axiom.condition, objects, &mut body) {
            return None;
        }
        let arity = self.task.predicates[axiom.predicate.index()].arity;
        let head = self.ground.find(axiom.predicate, &objects[..arity]);
        body.sort_unstable();
        body.dedup();
        Some(GroundAxiom { head: head.expect("the axiom was reached"), body })
    }

    /// The goal, if it can be true.
    pub(crate) fn goal(&mut self) -> Option<Vec<GroundLiteral>> {
        let mut goal = Vec::new();
        let possible = self.condition(self.task.goal.as_ref()?, &[], &mut goal);
        possible.then_some(goal)
    }

    /// Fills in the literals of a condition that are sometimes true and
    /// sometimes false; whether the condition can be true.
    fn condition(
        &mut self,
        literals: &[Literal],
        values: &[u32],
        found: &mut Vec<GroundLiteral>,
    ) -> bool {
        found.clear();
        for literal in literals {
            match self.ground.truth(literal, values, &mut self.scratch) {
                Truth::Always => {}
                Truth::Never => return false,
                Truth::Sometimes(literal) => {
                    if found.contains(&literal.negate()) {
                        return false;
                    }
                    if !found.contains(&literal) {
                        found.push(literal);
                    }
                }
            }
        }
        true
    }

    /// Adds the instances of an effect for all values of its own parameters.
    /// `values` holds the values of the schema's parameters, and of those of
    /// the effect that are bound already.
    fn effect(
        &mut self,
        effect: &SchemaEffect,
        parameters: usize,
        values: &mut Vec<u32>,
        found: &mut Vec<GroundEffect>,
    ) {
        if let Some(range) = effect.parameters.get(values.len() - parameters) {
            for object in range.0.iter() {
                values.push(object.index() as u32);
                if self.can_hold(&effect.condition, values) {
                    self.effect(effect, parameters, values, found);
                }
                values.pop();
            }
            return;
        }
        let mut condition = Vec::new();
        if !self.condition(&effect.condition, values, &mut condition) {
            return;
        }
        if let Truth::Sometimes(literal) =
            self.ground.truth(&effect.literal, values, &mut self.scratch)
        {
            found.push(GroundEffect { condition, literal });
        }
    }

    /// Whether no literal whose last variable was just bound is surely false.
    fn can_hold(&mut self, literals: &[Literal], values: &[u32]) -> bool {
        let last = values.len() - 1;
        let is_decided = |literal: &&Literal| {
            let mut variables = literal.terms.iter().filter_map(|&term| match term {
                Term::Variable(variable) => Some(variable.index()),
                Term::Object(_) => None,
            });
            variables.clone().any(|variable| variable == last)
                && variables.all(|variable| variable <= last)
        };
        literals
            .iter()
            .filter(is_decided)
            .all(|literal| self.ground.truth(literal, values, &mut self.scratch) != Truth::Never)
    }

    fn cost(&mut self, schema: &Schema, objects: &[u32]) -> u64 {
        if !self.task.uses_costs {
            return 1;
        }
        let mut cost: u64 = 0;
        for part in &schema.cost {
            cost = cost.saturating_add(match part {
                Cost::Number(number) => *number,
                Cost::Value(function, terms) => {
                    self.scratch.clear();
                    self.scratch.extend(terms.iter().map(|&term| value(term, objects)));
                    let relation = domain_of(*function, self.task).index();
                    let position = self.reached.relations[relation].find(&self.scratch);
                    self.values[function.index()][position.expect("instances have their costs")]
                }
            });
        }
        cost
    }
}
