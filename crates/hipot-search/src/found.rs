//! What a search for any plan finds.

use hipot_task::{Limits, Plan, Stop};

use crate::registry::{AnyWidth, Registry, StateId};
use crate::rules::Rules;

/// What a search has found so far.
pub(crate) enum Found {
    Plan(Plan),
    /// There may be a plan: the turn is over.
    NothingYet,
    /// There is no plan, or none that is cheaper.
    Nothing,
}

/// A registry of states that has the initial state.
pub(crate) fn registry_of(rules: &Rules, limits: &Limits) -> Result<Registry<AnyWidth<2>>, Stop> {
    let mut registry = Registry::new(AnyWidth(rules.packing.width()), false)?;
    registry.make_room(1, limits)?;
    let (state, _) = registry.insert(&rules.initial, registry.hash(&rules.initial));
    registry.set_parent(state, state);
    registry.set_cost(state, 0, false);
    Ok(registry)
}

/// The path to `goal` that the registry has.
pub(crate) fn extract_plan(
    registry: &Registry<AnyWidth<2>>,
    goal: StateId,
    rules: &mut Rules,
) -> Plan {
    let mut operators = Vec::new();
    let mut child = goal;
    while child != StateId::FIRST {
        let parent = registry.parent(child);
        operators.push(rules.cheapest_operator(registry.words(parent), registry.words(child)));
        child = parent;
    }
    operators.reverse();
    let cost = operators.iter().map(|id| u64::from(rules.costs[id.index()])).sum();
    Plan { operators, cost }
}
