//! Why there is no plan, in sentences for people.

use std::collections::HashSet;

use hipot_search::SearchResult;
use hipot_task::{Limits, Stop, Task};
use hipot_translate::obstacles::{Obstacle, obstacles};
use serde::Serialize;

/// The number of goals that are explained.
const MAX_GOALS: usize = 3;

/// A reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// What is so.
    pub what: String,
    /// Why, each reason explaining the one before.
    pub because: Vec<String>,
}

impl Reason {
    fn new(what: String) -> Self {
        Self { what, because: Vec::new() }
    }

    /// The reason as lines of text.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let because = self.because.iter().map(|reason| format!("  {reason}"));
        [self.what.clone()].into_iter().chain(because)
    }
}

/// Why a task has no plan, which a search or the heuristic before it has proved.
pub fn reasons(
    source: Option<&hipot_pddl::Task>,
    task: &Task,
    heuristic: &str,
    result: &SearchResult,
    limits: &Limits,
) -> Vec<Reason> {
    let found = source.map_or(Ok(Vec::new()), |source| in_pddl(source, limits));
    let found = found.unwrap_or_default();
    if found.is_empty() {
        vec![Reason::new(proof(source.is_some(), task, heuristic, result))]
    } else {
        found
    }
}

/// What relaxed reachability and invariants say.
fn in_pddl(source: &hipot_pddl::Task, limits: &Limits) -> Result<Vec<Reason>, Stop> {
    let obstacles = obstacles(source, limits)?;
    let mut said = HashSet::new();
    let mut found: Vec<_> =
        obstacles.goals.iter().take(MAX_GOALS).map(|goal| unreached(goal, &mut said)).collect();
    let more = obstacles.goals.len().saturating_sub(MAX_GOALS);
    if more > 0 {
        found.push(Reason::new(format!("{more} more goals are never true.")));
    }
    if obstacles.goals.is_empty() {
        let conflict = |(left, right): &(String, String)| {
            Reason::new(format!("The goals {left} and {right} are never true together."))
        };
        found.extend(obstacles.conflicts.iter().take(MAX_GOALS).map(conflict));
    }
    Ok(found)
}

/// Why a goal is never true. What was said before is not said again.
fn unreached(goal: &Obstacle, said: &mut HashSet<String>) -> Reason {
    let mut because = Vec::new();
    for reason in &goal.reasons {
        if !said.insert(reason.clone()) {
            because.push("as above".to_owned());
            break;
        }
        because.push(reason.clone());
    }
    Reason { what: format!("The goal {} is never true:", goal.what), because }
}

/// What the proof rests on. Of a task in PDDL it is known that each goal alone can be reached, as far as
/// relaxed reachability knows.
fn proof(is_pddl: bool, task: &Task, heuristic: &str, result: &SearchResult) -> String {
    let expanded = result.statistics.expanded;
    if task.operators().is_empty() && expanded <= 1 {
        let reason = if is_pddl {
            "Invariants of the task rule the goal out."
        } else {
            "There are no operators, and the goal is not true initially."
        };
        return reason.to_owned();
    }
    let proof = match (expanded, result.statistics.dead_ends) {
        (0, _) => format!("{heuristic} proves it in the initial state."),
        (_, 0) => format!("None of the {expanded} states that can be reached is a goal."),
        (_, ends) => format!(
            "None of the {expanded} states expanded is a goal, and {heuristic} proves that no plan \
             continues from any of the {ends} dead ends found."
        ),
    };
    if is_pddl {
        format!("{proof} (If nothing ever became false, every goal would become true.)")
    } else {
        proof
    }
}
