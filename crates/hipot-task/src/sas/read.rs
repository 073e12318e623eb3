//! The reader. Its memory grows with what the file holds, never with a count
//! that the file merely claims.

use super::error::SasError;
use super::lines::{Lines, Position, quote};
use crate::builder::TaskBuilder;
use crate::defect::Defect;
use crate::ids::Fact;
use crate::plan::unwritable;
use crate::task::{Axiom, Effect, MAX_COST, MutexGroup, Operator, Task, Variable};

const VERSION: u32 = 3;

/// Reads a task from the bytes of a `.sas` file.
pub fn read(text: &[u8]) -> Result<Task, SasError> {
    let mut lines = Lines::new(text);
    read_version(&mut lines)?;
    let mut reader = Reader { builder: TaskBuilder::new(read_metric(&mut lines)?), lines };
    reader.repeat("the number of variables", Reader::variable)?;
    reader.repeat("the number of mutex groups", Reader::mutex_group)?;
    reader.initial()?;
    reader.goal()?;
    reader.repeat("the number of operators", Reader::operator)?;
    reader.repeat("the number of axioms", Reader::axiom)?;
    reader.lines.end()?;
    Ok(reader.builder.build())
}

fn read_version(lines: &mut Lines<'_>) -> Result<(), SasError> {
    lines.keyword("begin_version")?;
    let version = lines.count("the format's version")?;
    if version != VERSION {
        let found = format!("version {version}");
        return Err(lines.position().expected(format!("version {VERSION}"), found));
    }
    lines.keyword("end_version")
}

fn read_metric(lines: &mut Lines<'_>) -> Result<bool, SasError> {
    lines.keyword("begin_metric")?;
    let uses_costs = match lines.text("the metric, 0 or 1")? {
        "0" => false,
        "1" => true,
        other => return Err(lines.position().expected("the metric, 0 or 1", quote(other))),
    };
    lines.keyword("end_metric")?;
    Ok(uses_costs)
}

struct Reader<'a> {
    lines: Lines<'a>,
    builder: TaskBuilder,
}

impl Reader<'_> {
    /// Reads a count, then as many parts.
    fn repeat(
        &mut self,
        count: &str,
        part: impl Fn(&mut Self) -> Result<(), SasError>,
    ) -> Result<(), SasError> {
        for _ in 0..self.lines.count(count)? {
            part(self)?;
        }
        Ok(())
    }

    fn variable(&mut self) -> Result<(), SasError> {
        self.lines.keyword("begin_variable")?;
        let name = self.lines.text("the variable's name")?.to_owned();
        let position = self.lines.position();
        let mut layer = self.lines.numbers("an axiom layer, or -1")?;
        let axiom_layer = layer.optional("an axiom layer, or -1")?.1;
        layer.end()?;
        let mut values = Vec::new();
        for _ in 0..self.lines.count("the number of values")? {
            let value = self.lines.text("the name of a value")?;
            if value == "end_variable" {
                return Err(self.lines.position().expected("the name of a value", quote(value)));
            }
            values.push(value.to_owned());
        }
        self.lines.keyword("end_variable")?;
        let added = self.builder.add_variable(Variable { name, axiom_layer, values });
        added.map(drop).map_err(|defect| position.defect(defect))
    }

    fn mutex_group(&mut self) -> Result<(), SasError> {
        self.lines.keyword("begin_mutex_group")?;
        let position = self.lines.position();
        let facts = self.facts("the number of facts")?;
        self.lines.keyword("end_mutex_group")?;
        let added = self.builder.add_mutex_group(MutexGroup { facts });
        added.map_err(|defect| position.defect(defect))
    }

    fn initial(&mut self) -> Result<(), SasError> {
        self.lines.keyword("begin_state")?;
        let position = self.lines.position();
        let mut values = Vec::new();
        for variable in 0..self.builder.variables().len() {
            let expected =
                format!("a value of variable '{}'", self.builder.variables()[variable].name);
            let value = self.lines.count(&expected)?;
            let fact = self.builder.fact(variable as u32, value);
            values.push(fact.map_err(|defect| self.lines.position().defect(defect))?.value);
        }
        self.lines.keyword("end_state")?;
        self.builder.set_initial(values).map_err(|defect| position.defect(defect))
    }

    fn goal(&mut self) -> Result<(), SasError> {
        self.lines.keyword("begin_goal")?;
        let position = self.lines.position();
        let goal = self.facts("the number of goals")?;
        self.lines.keyword("end_goal")?;
        self.builder.set_goal(goal).map_err(|defect| position.defect(defect))
    }

    fn operator(&mut self) -> Result<(), SasError> {
        self.lines.keyword("begin_operator")?;
        let name = self.lines.text("the operator's name")?.to_owned();
        let position = self.lines.position();
        if let Some(character) = unwritable(&name) {
            return Err(position.defect(Defect::UnwritableName { name, character }));
        }
        let mut preconditions = self.facts("the number of prevail conditions")?;
        // Several conditional effects on one variable repeat its old value.
        let mut old_values: Vec<Fact> = Vec::new();
        let mut effects = Vec::new();
        for _ in 0..self.lines.count("the number of effects")? {
            let (effect, old) = self.effect()?;
            effects.push(effect);
            old_values.extend(old);
        }
        old_values.sort_unstable();
        old_values.dedup();
        preconditions.append(&mut old_values);
        let cost = self.cost()?;
        self.lines.keyword("end_operator")?;
        let operator = Operator { name, preconditions, effects, cost };
        self.builder.add_operator(operator).map(drop).map_err(|defect| position.defect(defect))
    }

    /// An effect, and the fact it requires of its own variable, if any.
    fn effect(&mut self) -> Result<(Effect, Option<Fact>), SasError> {
        let mut numbers = self.lines.numbers("an effect")?;
        let mut conditions = Vec::new();
        for _ in 0..numbers.index("the number of the effect's conditions")? {
            let variable = numbers.index_at("a variable")?;
            let value = numbers.index_at("a value")?;
            conditions.push(self.fact(variable, value)?);
        }
        let variable = numbers.index_at("a variable")?;
        let (old_position, old_value) = numbers.optional("a value, or -1")?;
        let new = numbers.index_at("a value")?;
        numbers.end()?;
        let fact = self.fact(variable, new)?;
        let effect = self.builder.check_effect(Effect { conditions, fact });
        let effect = effect.map_err(|defect| self.lines.position().defect(defect))?;
        let old = old_value.map(|value| self.fact(variable, (old_position, value))).transpose()?;
        Ok((effect, old))
    }

    fn cost(&mut self) -> Result<u32, SasError> {
        let mut numbers = self.lines.numbers("a nonnegative cost")?;
        let (position, cost) = numbers.index_at("a nonnegative cost")?;
        numbers.end()?;
        if cost > MAX_COST {
            return Err(position.defect(Defect::CostTooLarge(cost.into())));
        }
        Ok(cost)
    }

    fn axiom(&mut self) -> Result<(), SasError> {
        self.lines.keyword("begin_rule")?;
        let position = self.lines.position();
        let body = self.facts("the number of conditions")?;
        let mut numbers = self.lines.numbers("a rule's head")?;
        let variable = numbers.index_at("a variable")?;
        let (old_position, old) = numbers.index_at("the old value")?;
        let new = numbers.index_at("the new value")?;
        numbers.end()?;
        let head = self.fact(variable, new)?;
        let old = self.fact(variable, (old_position, old))?;
        self.lines.keyword("end_rule")?;
        let added = self.builder.add_axiom(Axiom { body, head });
        added.map_err(|defect| position.defect(defect))?;
        if old == head {
            let found = quote(&old.value.to_string());
            return Err(old_position.expected("the variable's default value", found));
        }
        Ok(())
    }

    /// Reads a count, then as many lines with one fact each.
    fn facts(&mut self, count: &str) -> Result<Vec<Fact>, SasError> {
        let mut facts = Vec::new();
        for _ in 0..self.lines.count(count)? {
            let mut numbers = self.lines.numbers("a variable and a value")?;
            let variable = numbers.index_at("a variable")?;
            let value = numbers.index_at("a value")?;
            numbers.end()?;
            facts.push(self.fact(variable, value)?);
        }
        Ok(facts)
    }

    fn fact(
        &self,
        (variable_position, variable): (Position, u32),
        (value_position, value): (Position, u32),
    ) -> Result<Fact, SasError> {
        let known = self.builder.variable_id(variable);
        known.map_err(|defect| variable_position.defect(defect))?;
        self.builder.fact(variable, value).map_err(|defect| value_position.defect(defect))
    }
}
