//! The writer: [`read`](super::read) of what it writes gives the same task.

use std::io::{self, Write};

use crate::ids::Fact;
use crate::task::{Axiom, Effect, Operator, Task, Variable};

/// Writes `task` as a `.sas` file.
///
/// Names are written as they are; a name with a line break would not come
/// back, so it is refused.
pub fn write(task: &Task, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "begin_version\n3\nend_version")?;
    writeln!(out, "begin_metric\n{}\nend_metric", u8::from(task.uses_costs()))?;
    writeln!(out, "{}", task.variables().len())?;
    for variable in task.variables() {
        write_variable(variable, out)?;
    }
    writeln!(out, "{}", task.mutex_groups().len())?;
    for group in task.mutex_groups() {
        writeln!(out, "begin_mutex_group")?;
        write_facts(group.facts.iter().copied(), group.facts.len(), out)?;
        writeln!(out, "end_mutex_group")?;
    }
    writeln!(out, "begin_state")?;
    for value in task.initial() {
        writeln!(out, "{value}")?;
    }
    writeln!(out, "end_state\nbegin_goal")?;
    write_facts(task.goal().iter().copied(), task.goal().len(), out)?;
    writeln!(out, "end_goal\n{}", task.operators().len())?;
    for operator in task.operators() {
        write_operator(operator, out)?;
    }
    writeln!(out, "{}", task.axioms().len())?;
    for axiom in task.axioms() {
        write_axiom(task, axiom, out)?;
    }
    Ok(())
}

fn write_variable(variable: &Variable, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "begin_variable\n{}", one_line(&variable.name)?)?;
    match variable.axiom_layer {
        Some(layer) => writeln!(out, "{layer}")?,
        None => writeln!(out, "-1")?,
    }
    writeln!(out, "{}", variable.values.len())?;
    for value in &variable.values {
        writeln!(out, "{}", one_line(value)?)?;
    }
    writeln!(out, "end_variable")
}

fn write_operator(operator: &Operator, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "begin_operator\n{}", one_line(&operator.name)?)?;
    let changed =
        |fact: &Fact| operator.effects.iter().any(|effect| effect.fact.variable == fact.variable);
    let prevail = || operator.preconditions.iter().copied().filter(|fact| !changed(fact));
    write_facts(prevail(), prevail().count(), out)?;
    writeln!(out, "{}", operator.effects.len())?;
    for effect in &operator.effects {
        write_effect(operator, effect, out)?;
    }
    writeln!(out, "{}\nend_operator", operator.cost)
}

fn write_effect(operator: &Operator, effect: &Effect, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{} ", effect.conditions.len())?;
    for condition in &effect.conditions {
        write!(out, "{} {} ", condition.variable, condition.value)?;
    }
    let variable = effect.fact.variable;
    let old = operator.precondition_on(variable).map_or(-1, i64::from);
    writeln!(out, "{variable} {old} {}", effect.fact.value)
}

fn write_axiom(task: &Task, axiom: &Axiom, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "begin_rule")?;
    write_facts(axiom.body.iter().copied(), axiom.body.len(), out)?;
    let Fact { variable, value } = axiom.head;
    writeln!(out, "{variable} {} {value}\nend_rule", task.initial()[variable.index()])
}

fn write_facts(
    facts: impl Iterator<Item = Fact>,
    count: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{count}")?;
    for fact in facts {
        writeln!(out, "{} {}", fact.variable, fact.value)?;
    }
    Ok(())
}

fn one_line(name: &str) -> io::Result<&str> {
    if name.contains('\n') || name.trim_ascii_end() != name {
        let message = format!("the name {name:?} cannot be written on one line");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(name)
}
