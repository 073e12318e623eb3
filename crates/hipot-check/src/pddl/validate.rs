//! Executes PDDL plans and says what is wrong with them.

use hipot_pddl::Task;
use hipot_pddl::ast::{self, ObjectId};
use hipot_task::PlanStep;

use super::explain::{Explainer, types};
use super::failure::{Failure, Reason};
use super::semantics::{GroundAction, NoCost, Semantics};
use super::state::State;

/// Executes a plan and returns its cost.
pub fn validate(semantics: &Semantics<'_>, steps: &[PlanStep]) -> Result<u64, Failure> {
    let mut state = semantics.initial_state();
    let mut cost = 0_u64;
    for (index, step) in steps.iter().enumerate() {
        let fail = |reason| failure(Some((index + 1, step.line)), reason);
        let action = ground_action(semantics.task(), &step.name).map_err(fail)?;
        let cost_of_step = try_step(semantics, &action, &state).map_err(fail)?;
        semantics.apply(&action, &mut state);
        let overflow = || fail(Reason::NoCost { name: step.name.clone(), why: NoCost::Overflow });
        cost = cost.checked_add(cost_of_step).ok_or_else(overflow)?;
    }
    if semantics.is_goal(&state) {
        return Ok(cost);
    }
    let task = semantics.task();
    let (scope, mut binding) = semantics.goal_scope(&state);
    let explainer = Explainer { task, scope, variables: &task.goal.variables };
    let unsatisfied = explainer.false_parts(&task.goal.condition, true, &mut binding);
    Err(failure(None, Reason::GoalNotReached { unsatisfied }))
}

/// The failure of a step, given by number and line, or of the goal.
fn failure(step: Option<(usize, usize)>, reason: Reason) -> Failure {
    let (step, line) = step.unzip();
    Failure { step, line, reason: Box::new(reason) }
}

/// The step in a line of a plan.
fn ground_action(task: &Task, line: &str) -> Result<GroundAction, Reason> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let words: Vec<&str> = words.collect();
    let names = || task.actions.iter().map(|action| &*action.name);
    let Some(index) = names().position(|other| other.eq_ignore_ascii_case(name)) else {
        let nearest = nearest(name, names());
        return Err(Reason::UnknownAction { name: name.to_owned(), nearest });
    };
    let action = &task.actions[index];
    if words.len() != action.parameters {
        return Err(Reason::WrongNumber {
            name: line.to_owned(),
            expected: action.parameters,
            found: words.len(),
        });
    }
    let parameters = action.variables.iter().zip(words);
    let arguments = parameters.map(|(parameter, word)| argument(task, line, parameter, word));
    Ok(GroundAction { action: index, arguments: arguments.collect::<Result<_, _>>()? })
}

fn argument(
    task: &Task,
    line: &str,
    parameter: &ast::Variable,
    word: &str,
) -> Result<ObjectId, Reason> {
    let names = || task.objects.iter().map(|object| &*object.name);
    let Some(index) = names().position(|other| other.eq_ignore_ascii_case(word)) else {
        let nearest = nearest(word, names());
        return Err(Reason::UnknownObject {
            name: line.to_owned(),
            object: word.to_owned(),
            nearest,
        });
    };
    let object = &task.objects[index];
    let all_types = task.with_ancestors(&object.types);
    if parameter.types.iter().any(|of_type| all_types.contains(of_type)) {
        return Ok(ObjectId::new(index));
    }
    Err(Reason::WrongType {
        name: line.to_owned(),
        object: word.to_owned(),
        parameter: parameter.name.clone(),
        expected: types(task, &parameter.types),
        found: types(task, &object.types),
    })
}

/// The cost of a step, if it can be applied.
fn try_step(semantics: &Semantics<'_>, step: &GroundAction, state: &State) -> Result<u64, Reason> {
    let task = semantics.task();
    let action = &task.actions[step.action];
    let name = semantics.name(step);
    if !semantics.is_applicable(step, state) {
        let (scope, mut binding) = semantics.step_scope(step, state);
        let explainer = Explainer { task, scope, variables: &action.variables };
        let unsatisfied = explainer.false_parts(&action.precondition, true, &mut binding);
        return Err(Reason::NotApplicable { name, unsatisfied });
    }
    semantics.cost(step).map_err(|why| Reason::NoCost { name, why })
}

/// The candidate most similar to `name`, if one is similar enough.
fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<String> {
    let name = name.to_lowercase();
    let max_distance = 1 + name.chars().count() / 4;
    let distances = candidates.map(|other| (strsim::osa_distance(&name, other), other));
    let (least, nearest) = distances.min_by_key(|(distance, _)| *distance)?;
    (least <= max_distance).then(|| nearest.to_owned())
}
