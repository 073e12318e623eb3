//! Obstacles as warnings at their places.

use hipot_pddl::lint::Linter;
use hipot_pddl::symbols::SymbolKind;
use hipot_task::{Limits, Stop};

use super::explain::obstacles;

/// Adds warnings about actions that are never applied and goals that are never true.
pub fn warn(linter: &mut Linter<'_>, task: &hipot_pddl::Task, limits: &Limits) -> Result<(), Stop> {
    let found = obstacles(task, limits)?;
    for action in found.actions {
        let symbol = linter.symbols().declared(SymbolKind::Action, &action.what);
        let place = symbol.and_then(|symbol| symbol.declared.first().copied());
        if let Some(place) = place {
            let message = format!("the action '{}' is never applied", action.what);
            linter.warn("never-applied", place, &message, &action.reasons);
        }
    }
    for goal in found.goals {
        let goals = &linter.symbols().goals;
        // A goal with quantifiers is not in the list.
        let place = goals.iter().find(|(text, _)| *text == goal.what).or(goals.first());
        if let Some(place) = place.map(|(_, place)| *place) {
            let message = format!("the goal {} is never true", goal.what);
            linter.warn("unreachable-goal", place, &message, &goal.reasons);
        }
    }
    Ok(())
}
