//! Executes SAS+ plans and says what is wrong with them.

use std::collections::BTreeMap;
use std::fmt;

use hipot_task::{Fact, Operator, PlanStep, Task};

use crate::semantics::{State, applicable, apply, initial_state, is_goal};

/// If the names of a plan lead to more states than this, the plan is not followed further.
const MAX_STATES: usize = 10_000;

/// Why a plan is not a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct Invalid {
    /// The line of the step that fails; `None` if all steps can be applied.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The task has no such action.
    UnknownAction {
        /// The step's name.
        name: String,
    },
    /// The step's precondition does not hold.
    NotApplicable {
        /// The number of the step, from 1.
        step: usize,
        /// The step's name.
        name: String,
        /// The facts that it needs and the state lacks.
        unsatisfied: Vec<Unsatisfied>,
    },
    /// The plan's names stand for too many sequences of operators.
    Ambiguous {
        /// The name of the step where there are too many.
        name: String,
    },
    /// The last state is not a goal state.
    GoalNotReached {
        /// The goal facts that the state lacks.
        unsatisfied: Vec<Unsatisfied>,
    },
}

/// A fact that is needed, and the one that the state has instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsatisfied {
    /// The name of the fact that is needed.
    pub needed: String,
    /// The name of the state's fact.
    pub found: String,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsatisfied = match self {
            Self::UnknownAction { name } => return write!(f, "the task has no action ({name})"),
            Self::Ambiguous { name } => {
                return write!(
                    f,
                    "several actions are called ({name}), and the plan does not say which is \
                     meant: there are more than {MAX_STATES} possibilities"
                );
            }
            Self::NotApplicable { step, name, unsatisfied } => {
                write!(f, "step {step}, ({name}), cannot be applied: it needs ")?;
                unsatisfied
            }
            Self::GoalNotReached { unsatisfied } => {
                f.write_str("the plan does not reach the goal: it needs ")?;
                unsatisfied
            }
        };
        for (index, Unsatisfied { needed, found }) in unsatisfied.iter().enumerate() {
            let separator = if index > 0 { ", and " } else { "" };
            write!(f, "{separator}'{needed}' but finds '{found}'")?;
        }
        Ok(())
    }
}

/// Executes a plan and returns its cost.
///
/// Several operators may have one name: translators split actions with
/// disjunctive conditions. The plan is valid if some choice among them makes
/// it so, and its cost is the cheapest such choice's.
pub fn validate(task: &Task, steps: &[PlanStep]) -> Result<u64, Invalid> {
    let mut operators: BTreeMap<String, Vec<&Operator>> = BTreeMap::new();
    for operator in task.operators() {
        operators.entry(normalize(&operator.name)).or_default().push(operator);
    }
    let mut states = BTreeMap::from([(initial_state(task), 0_u64)]);
    for (index, step) in steps.iter().enumerate() {
        let fail = |reason| Invalid { line: Some(step.line), reason };
        let Some(choices) = operators.get(&normalize(&step.name)) else {
            return Err(fail(Reason::UnknownAction { name: step.name.clone() }));
        };
        let successors = successors(task, &states, choices);
        if successors.is_empty() {
            let (state, _) = states.first_key_value().expect("there is always a state");
            let unsatisfied = unsatisfied(task, state, &choices[0].preconditions);
            let name = step.name.clone();
            return Err(fail(Reason::NotApplicable { step: index + 1, name, unsatisfied }));
        }
        if successors.len() > MAX_STATES {
            return Err(fail(Reason::Ambiguous { name: step.name.clone() }));
        }
        states = successors;
    }
    let goals = states.iter().filter(|(state, _)| is_goal(task, state));
    goals.map(|(_, &cost)| cost).min().ok_or_else(|| {
        let (state, _) = states.first_key_value().expect("there is always a state");
        let unsatisfied = unsatisfied(task, state, task.goal());
        Invalid { line: None, reason: Reason::GoalNotReached { unsatisfied } }
    })
}

/// Executes these operators and returns their cost.
pub fn execute<'a>(
    task: &Task,
    operators: impl IntoIterator<Item = &'a Operator>,
) -> Result<u64, Invalid> {
    let (mut state, mut cost) = (initial_state(task), 0);
    for (index, operator) in operators.into_iter().enumerate() {
        if !applicable(operator, &state) {
            let unsatisfied = unsatisfied(task, &state, &operator.preconditions);
            let name = operator.name.clone();
            let reason = Reason::NotApplicable { step: index + 1, name, unsatisfied };
            return Err(Invalid { line: None, reason });
        }
        state = apply(task, operator, &state);
        cost += u64::from(operator.cost);
    }
    if is_goal(task, &state) {
        return Ok(cost);
    }
    let unsatisfied = unsatisfied(task, &state, task.goal());
    Err(Invalid { line: None, reason: Reason::GoalNotReached { unsatisfied } })
}

/// The states that one of `choices` leads to, each with its least cost.
fn successors(
    task: &Task,
    states: &BTreeMap<State, u64>,
    choices: &[&Operator],
) -> BTreeMap<State, u64> {
    let mut successors = BTreeMap::new();
    for (state, cost) in states {
        for operator in choices {
            if applicable(operator, state) {
                let cost = cost + u64::from(operator.cost);
                let least = successors.entry(apply(task, operator, state)).or_insert(cost);
                *least = cost.min(*least);
            }
        }
    }
    successors
}

fn unsatisfied(task: &Task, state: &State, facts: &[Fact]) -> Vec<Unsatisfied> {
    let lacking = facts.iter().filter(|fact| state[fact.variable.index()] != fact.value);
    let describe = |fact: &Fact| {
        let found = Fact::new(fact.variable, state[fact.variable.index()]);
        let name = |fact| task.fact_name(fact).to_owned();
        Unsatisfied { needed: name(*fact), found: name(found) }
    };
    lacking.map(describe).collect()
}

/// A name in the form in which names are compared.
fn normalize(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase()
}
