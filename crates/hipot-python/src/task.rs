//! Tasks and their states.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hipot::Failure;
use hipot::events::Events;
use hipot::input::{Input, parse_sas, read_task, translate_task};
use hipot_check::{applicable, apply, initial_state, is_goal};
use hipot_pddl::Source;
use hipot_task::{Fact, Limits, Value, sas};
use pyo3::prelude::*;

use crate::errors::{exception, usage};
use crate::supervise::supervise;

/// A fact as Python gets it: the variable's index and the value's.
type Pair = (usize, Value);

/// A planning task.
#[pyclass(frozen, module = "hipot._hipot")]
pub(crate) struct Task {
    pub(crate) input: Arc<Input>,
}

/// Reads a task in a thread of its own.
fn read(
    py: Python<'_>,
    work: impl FnOnce(&Limits) -> Result<Input, Failure> + Send + 'static,
) -> PyResult<Task> {
    let limits = Limits::none();
    let own = limits.clone();
    let read = supervise(py, &limits, &mut |_| Ok(()), move || work(&own))?;
    let input = read.map_err(|failure| exception(py, &failure))?;
    Ok(Task { input: Arc::new(input) })
}

/// Translates PDDL's text.
pub(crate) fn parse_pddl(
    domain: String,
    problem: String,
    limits: &Limits,
) -> Result<Input, Failure> {
    let (domain, problem) = (Source::new("<domain>", domain), Source::new("<problem>", problem));
    let source = hipot_pddl::read(&domain, &problem).map_err(Failure::Pddl)?;
    let task = translate_task(&source, Path::new("<problem>"), limits, &Events::none())?;
    Ok(Input { task, source: Some(source) })
}

#[pymethods]
impl Task {
    /// From a domain and a problem, a problem alone, or a `.sas` file.
    #[staticmethod]
    fn read(py: Python<'_>, files: Vec<PathBuf>) -> PyResult<Self> {
        read(py, move |limits| read_task(&files, limits, &Events::none()))
    }

    /// From PDDL's text.
    #[staticmethod]
    fn from_pddl(py: Python<'_>, domain: String, problem: String) -> PyResult<Self> {
        read(py, move |limits| parse_pddl(domain, problem, limits))
    }

    /// From the text of a `.sas` file.
    #[staticmethod]
    fn from_sas(py: Python<'_>, text: String) -> PyResult<Self> {
        read(py, move |_| {
            let task = parse_sas(Path::new("<sas>"), text.as_bytes())?;
            Ok(Input { task, source: None })
        })
    }

    /// The task as a `.sas` file's text.
    fn to_sas(&self) -> String {
        let mut text = Vec::new();
        sas::write(&self.input.task, &mut text).expect("memory can be written");
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Whether the task minimizes action costs.
    fn uses_costs(&self) -> bool {
        self.input.task.uses_costs()
    }

    /// Name, names of the values, axiom layer.
    fn variables(&self) -> Vec<(&str, &[String], Option<u32>)> {
        let variables = self.input.task.variables().iter();
        variables.map(|it| (it.name.as_str(), it.values.as_slice(), it.axiom_layer)).collect()
    }

    /// Name, preconditions, effects (conditions, variable, value), cost.
    #[allow(clippy::type_complexity, reason = "a tuple for Python")]
    fn operators(&self) -> Vec<(&str, Vec<Pair>, Vec<(Vec<Pair>, usize, Value)>, u32)> {
        let operators = self.input.task.operators().iter();
        let parts = operators.map(|operator| {
            let effects = operator.effects.iter().map(|effect| {
                let (variable, value) = pair(effect.fact);
                (pairs(&effect.conditions), variable, value)
            });
            let preconditions = pairs(&operator.preconditions);
            (operator.name.as_str(), preconditions, effects.collect(), operator.cost)
        });
        parts.collect()
    }

    fn goal(&self) -> Vec<Pair> {
        pairs(self.input.task.goal())
    }

    /// The initial state, axioms applied.
    fn initial_state(&self) -> Vec<Value> {
        initial_state(&self.input.task)
    }

    fn is_goal(&self, py: Python<'_>, state: Vec<Value>) -> PyResult<bool> {
        self.require_state(py, &state)?;
        Ok(is_goal(&self.input.task, &state))
    }

    /// The successor by an operator; `None` if it is not applicable.
    fn apply(
        &self,
        py: Python<'_>,
        operator: usize,
        state: Vec<Value>,
    ) -> PyResult<Option<Vec<Value>>> {
        self.require_state(py, &state)?;
        let task = &self.input.task;
        let Some(operator) = task.operators().get(operator) else {
            return Err(usage(py, format!("the task has no operator {operator}")));
        };
        Ok(applicable(operator, &state).then(|| apply(task, operator, &state)))
    }

    /// The applicable operators and their successors, in the order of operators.
    fn successors(&self, py: Python<'_>, state: Vec<Value>) -> PyResult<Vec<(usize, Vec<Value>)>> {
        self.require_state(py, &state)?;
        let task = &self.input.task;
        let operators = task.operators().iter().enumerate();
        let found = operators.filter(|(_, operator)| applicable(operator, &state));
        Ok(found.map(|(index, operator)| (index, apply(task, operator, &state))).collect())
    }
}

impl Task {
    /// Fails if `state` is not a state of the task.
    pub(crate) fn require_state(&self, py: Python<'_>, state: &[Value]) -> PyResult<()> {
        require_state(&self.input.task, state).map_err(|message| usage(py, message))
    }
}

/// Fails with the reason if `state` is not a state of `task`.
pub(crate) fn require_state(task: &hipot_task::Task, state: &[Value]) -> Result<(), String> {
    let variables = task.variables();
    if state.len() != variables.len() {
        let (values, expected) = (state.len(), variables.len());
        return Err(format!("a state of this task has {expected} values, this one {values}"));
    }
    match state.iter().zip(variables).position(|(&value, it)| value >= it.domain_size()) {
        None => Ok(()),
        Some(index) => Err(format!("variable {index} has no value {}", state[index])),
    }
}

fn pair(fact: Fact) -> Pair {
    (fact.variable.index(), fact.value)
}

fn pairs(facts: &[Fact]) -> Vec<Pair> {
    facts.iter().copied().map(pair).collect()
}
