//! The reduced LP of Theorem 1 for the [engine](crate::engine), which needs no matrix.
//!
//! The constraints are those that [`formulate`](super::formulate) writes, but each operator has
//! its maxima for itself: in the engine they are cheaper than to share them.

use hipot_task::{FactId, Limits, OperatorId, VariableId};

use super::classes::{Classes, NO_FEATURE};
use super::groups::Group;
use crate::engine::{Constraint, Structure};
use crate::exclusions::Excluded;
use crate::normal_form::NormalForm;

/// The constraints of the operators for which `is_representative` holds; `None` if there are too
/// many facts for a table of pairs, or if a limit is reached.
pub(super) fn structure(
    normal: &NormalForm,
    classes: &Classes,
    groups: &[Group],
    is_representative: impl Fn(OperatorId) -> bool,
    limits: &Limits,
) -> Option<Structure> {
    let facts = classes.facts();
    let mut features = Vec::new();
    classes.for_each_feature(|a, b, class| features.push((a, b, class - 1)));
    let mut structure = Structure::new(facts, &features, classes.len())?;
    drop(features);
    for group in groups {
        limits.check().ok()?;
        let mut members =
            group.undominated().filter(|it| is_representative(it.operator)).peekable();
        if members.peek().is_none() {
            continue;
        }
        let context = classes.pairs().context(&group.changed(facts));
        for member in members {
            let Some(excluded) = Excluded::new(normal, member.operator) else { continue };
            let open: Vec<VariableId> =
                context.iter().copied().filter(|&it| !member.requires(it, facts)).collect();
            let Some((fixed, free)) = split(classes, group, &open, &excluded) else { continue };
            structure.add(&Constraint {
                operator: member.operator,
                cost: member.cost,
                changes: &group.changes,
                fixed: &[&member.prevail[..], &fixed].concat(),
                free: &free,
                is_excluded: &|fact| excluded.contains(fact),
            });
        }
    }
    Some(structure)
}

/// Facts of variables with one possible value, and the other variables on which the decrease
/// of φ depends; `None` if a variable has no possible value.
fn split(
    classes: &Classes,
    group: &Group,
    open: &[VariableId],
    excluded: &Excluded,
) -> Option<(Vec<FactId>, Vec<VariableId>)> {
    let (mut fixed, mut free) = (Vec::new(), Vec::new());
    for &variable in open {
        let facts = classes.facts().of_variable(variable);
        let mut possible = facts.filter(|&fact| !excluded.contains(fact));
        let first = possible.next()?;
        if possible.next().is_none() {
            fixed.push(first);
        } else if matters(classes, group, variable, excluded) {
            free.push(variable);
        }
    }
    Some((fixed, free))
}

/// Whether what the group takes from φ depends on the value of a variable.
fn matters(classes: &Classes, group: &Group, variable: VariableId, excluded: &Excluded) -> bool {
    let has_feature = |changed: FactId| {
        let of_variable = classes.facts().of_variable(variable);
        let mut with_class = classes.with_facts_of(changed, variable).iter().zip(of_variable);
        with_class.any(|(&class, fact)| class != NO_FEATURE && !excluded.contains(fact))
    };
    group.changes.iter().any(|&(before, after)| has_feature(before) || has_feature(after))
}
