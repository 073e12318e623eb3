//! Why a condition does not hold.
//!
//! The reason is the smallest part that has to be true for the condition to hold: of a
//! conjunction the parts that are false, of a universal condition the first values for
//! which it fails, and so on, down to an atom, a disjunction, an implication or an
//! existential condition, of which no smaller part alone is to blame.

use std::fmt;
use std::ops::ControlFlow::Break;

use hipot_pddl::Task;
use hipot_pddl::ast::{Atom, Condition, ObjectId, Term, TypeId, Variable, VariableId};

use super::scope::{Binding, Scope};

/// A part of a condition that does not hold but should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalsePart {
    /// The part as PDDL, with objects for the variables that have values.
    pub condition: String,
    /// The values of quantified variables for which it is false.
    pub witness: Vec<(String, String)>,
}

impl fmt::Display for FalsePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.condition)?;
        for (index, (variable, object)) in self.witness.iter().enumerate() {
            let separator = if index > 0 { " and" } else { " for" };
            write!(f, "{separator} {variable} = {object}")?;
        }
        Ok(())
    }
}

/// Finds the parts that are false.
pub(super) struct Explainer<'a> {
    pub(super) task: &'a Task,
    pub(super) scope: Scope<'a>,
    pub(super) variables: &'a [Variable],
}

impl Explainer<'_> {
    /// The parts because of which a condition does not have the value `wanted`.
    pub(super) fn false_parts(
        &self,
        condition: &Condition,
        wanted: bool,
        binding: &mut Binding,
    ) -> Vec<FalsePart> {
        let mut found = Vec::new();
        self.collect(condition, wanted, binding, &mut Vec::new(), &mut found);
        found
    }

    fn collect(
        &self,
        condition: &Condition,
        wanted: bool,
        binding: &mut Binding,
        witness: &mut Vec<VariableId>,
        found: &mut Vec<FalsePart>,
    ) {
        match condition {
            Condition::Not(part) => self.collect(part, !wanted, binding, witness, found),
            Condition::And(parts) | Condition::Or(parts)
                if wanted == matches!(condition, Condition::And(_)) || parts.len() == 1 =>
            {
                for part in parts {
                    if self.scope.holds(part, binding) != wanted {
                        self.collect(part, wanted, binding, witness, found);
                    }
                }
            }
            Condition::Imply(premise, conclusion) if !wanted => {
                if !self.scope.holds(premise, binding) {
                    self.collect(premise, true, binding, witness, found);
                }
                if self.scope.holds(conclusion, binding) {
                    self.collect(conclusion, false, binding, witness, found);
                }
            }
            Condition::Exists(variables, part) | Condition::Forall(variables, part)
                if wanted == matches!(condition, Condition::Forall(..)) =>
            {
                let mut values = self.first(variables, part, !wanted, binding);
                witness.extend(variables);
                self.collect(part, wanted, &mut values, witness, found);
                witness.truncate(witness.len() - variables.len());
            }
            _ => found.push(self.part(condition, wanted, binding, witness)),
        }
    }

    /// The first values for which the condition has the value `value`.
    fn first(
        &self,
        variables: &[VariableId],
        condition: &Condition,
        value: bool,
        binding: &mut Binding,
    ) -> Binding {
        let mut first = None;
        let _ = self.scope.solve(variables, condition, value, binding, &mut |found| {
            first = Some(found.clone());
            Break(())
        });
        first.expect("the condition has that value for some values")
    }

    fn part(
        &self,
        condition: &Condition,
        wanted: bool,
        binding: &Binding,
        witness: &[VariableId],
    ) -> FalsePart {
        let text = self.condition(condition, binding);
        let value = |id: &VariableId| {
            let object = binding[id.index()].expect("a witness is a value");
            let name = &self.variables[id.index()].name;
            (name.clone(), self.task.objects[object.index()].name.clone())
        };
        FalsePart {
            condition: if wanted { text } else { format!("(not {text})") },
            witness: witness.iter().map(value).collect(),
        }
    }

    /// The condition as PDDL.
    fn condition(&self, condition: &Condition, binding: &Binding) -> String {
        let nested = |word: &str, parts: &[&Condition]| {
            let parts = parts.iter().map(|part| format!(" {}", self.condition(part, binding)));
            format!("({word}{})", parts.collect::<String>())
        };
        let quantified = |word: &str, variables: &[VariableId], part: &Condition| {
            let declared: Vec<_> = variables.iter().map(|id| self.declaration(*id)).collect();
            format!("({word} ({}) {})", declared.join(" "), self.condition(part, binding))
        };
        match condition {
            Condition::Atom(atom) => self.atom(atom, binding),
            Condition::Not(part) => nested("not", &[part]),
            Condition::And(parts) => nested("and", &parts.iter().collect::<Vec<_>>()),
            Condition::Or(parts) => nested("or", &parts.iter().collect::<Vec<_>>()),
            Condition::Imply(premise, conclusion) => nested("imply", &[premise, conclusion]),
            Condition::Exists(variables, part) => quantified("exists", variables, part),
            Condition::Forall(variables, part) => quantified("forall", variables, part),
        }
    }

    fn atom(&self, atom: &Atom, binding: &Binding) -> String {
        let mut text = format!("({}", self.task.predicates[atom.predicate.index()].name);
        for term in &atom.terms {
            let object = |id: ObjectId| &self.task.objects[id.index()].name;
            let name = match *term {
                Term::Object(id) => object(id),
                Term::Variable(id) => match binding[id.index()] {
                    Some(value) => object(value),
                    None => &self.variables[id.index()].name,
                },
            };
            text.push(' ');
            text.push_str(name);
        }
        text + ")"
    }

    fn declaration(&self, id: VariableId) -> String {
        let variable = &self.variables[id.index()];
        if variable.types == [TypeId::OBJECT] {
            return variable.name.clone();
        }
        format!("{} - {}", variable.name, types(self.task, &variable.types))
    }
}

/// Types as PDDL writes them.
pub(super) fn types(task: &Task, types: &[TypeId]) -> String {
    let names: Vec<&str> = types.iter().map(|id| &*task.types[id.index()].name).collect();
    match names[..] {
        [name] => name.to_owned(),
        _ => format!("(either {})", names.join(" ")),
    }
}
