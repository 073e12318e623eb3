//! Subtasks: what each of several Cartesian abstractions is about.

use hipot_analysis::Landmarks;
use hipot_task::{Fact, Limits, Stop};

use crate::frame::Frame;

/// What an abstraction is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subtask {
    /// The goal as a whole.
    Goal,
    /// To reach a state with one of these facts. All goal states have one.
    Reach(Vec<Fact>),
}

/// The subtasks of a task: a part of them for landmarks, one for each fact of the goal that does
/// not hold initially, and the goal itself. Those with the most expensive looking targets (the
/// landmarks with the most facts reached before them) come first, as their abstractions are worth
/// the most.
pub fn subtasks(frame: &Frame<'_>, limits: &Limits) -> Result<Vec<Subtask>, Stop> {
    let task = frame.task();
    let holds = |fact: &Fact| task.initial()[fact.variable.index()] == fact.value;
    let facts = frame.layout().facts();
    let landmarks = Landmarks::new(task, |operator| frame.is_useless(operator), limits)?;
    let mut found = Vec::new();
    for &landmark in landmarks.facts().iter().filter(|fact| !holds(fact)) {
        limits.check()?;
        let before = landmarks.reachable_without(landmark, limits)?;
        let targets = facts.ids().filter(|&fact| !before.contains(fact));
        let targets: Vec<Fact> = targets.map(|fact| facts.fact(fact)).collect();
        found.push((targets.len(), Subtask::Reach(targets)));
    }
    found.sort_by_key(|&(targets, _)| targets);
    let mut subtasks: Vec<Subtask> = found.into_iter().map(|(_, subtask)| subtask).collect();
    subtasks.dedup();
    let goals = task.goal().iter().filter(|fact| !holds(fact));
    subtasks.extend(goals.map(|&fact| Subtask::Reach(vec![fact])));
    if task.goal().len() > 1 {
        subtasks.push(Subtask::Goal);
    }
    Ok(subtasks)
}
