//! Contexts: sets of facts that decide which effects of an operator fire.
//!
//! They are the leaves of a decision tree. Effect by effect, condition by condition, each leaf
//! in which the effect is not decided yet and the variable has no value is replaced by one
//! leaf for each value of the variable. So the contexts exclude each other, every state has
//! one of them, and values that do not matter stay open: one conjunction of k facts has k leaves and
//! a few more, not the product of all domains.

use std::collections::BTreeMap;

use hipot_task::{Effect, Fact, Operator, Task, Value, VariableId};

/// The effects of an operator that its preconditions do not rule out, in order, without the
/// conditions that they imply and those on variables with one value.
pub(super) fn reduced_effects(task: &Task, operator: &Operator) -> Vec<Effect> {
    let required = |fact: &Fact| operator.precondition_on(fact.variable);
    let can_fire = |effect: &&Effect| {
        effect.conditions.iter().all(|fact| required(fact).is_none_or(|value| value == fact.value))
    };
    let reduced = |effect: &Effect| {
        let is_open = |fact: &&Fact| {
            required(fact).is_none() && task.variable(fact.variable).domain_size() > 1
        };
        let conditions = effect.conditions.iter().filter(is_open);
        Effect { conditions: conditions.copied().collect(), fact: effect.fact }
    };
    operator.effects.iter().filter(can_fire).map(reduced).collect()
}

/// The contexts of some effects; `None` if the tree has more than `limit` leaves at some time.
pub(super) fn contexts(task: &Task, effects: &[&Effect], limit: usize) -> Option<Vec<Vec<Fact>>> {
    let mut leaves: Vec<Vec<Fact>> = vec![Vec::new()];
    for effect in effects {
        for (index, condition) in effect.conditions.iter().enumerate() {
            let mut next = Vec::new();
            for leaf in leaves {
                let is_refuted = effect.conditions[..index].iter().any(|it| !leaf.contains(it));
                if is_refuted || value_in(&leaf, condition.variable).is_some() {
                    next.push(leaf);
                } else {
                    for value in 0..task.variable(condition.variable).domain_size() {
                        let fact = Fact::new(condition.variable, value);
                        next.push(leaf.iter().copied().chain([fact]).collect());
                    }
                }
                if next.len() > limit {
                    return None;
                }
            }
            leaves = next;
        }
    }
    Some(leaves)
}

/// What some effects make true in a context, a fact for each variable, in order: of several
/// effects on one variable, the last one that fires counts.
pub(super) fn outcome(effects: &[&Effect], context: &[Fact]) -> Vec<Fact> {
    let fires = |effect: &&&Effect| effect.conditions.iter().all(|it| context.contains(it));
    let set = effects.iter().filter(fires).map(|effect| (effect.fact.variable, effect.fact.value));
    let last: BTreeMap<VariableId, Value> = set.collect();
    last.into_iter().map(|(variable, value)| Fact::new(variable, value)).collect()
}

/// The value of a variable in a set of facts.
pub(super) fn value_in(facts: &[Fact], variable: VariableId) -> Option<Value> {
    facts.iter().find(|fact| fact.variable == variable).map(|fact| fact.value)
}
