//! What mutexes say about an abstract state.

use hipot_task::VariableId;

use crate::frame::Frame;

/// Removes the values from `set` that are mutex with a fact that all its states share, until
/// nothing changes. Returns the variables that have lost values, or `None` if one has none left:
/// then no state of a plan is in the set.
///
/// The result does not depend on the order of removals, since each removal stays possible if
/// others are made first.
pub(super) fn close(
    frame: &Frame<'_>,
    set: &mut [u64],
    variable: VariableId,
) -> Option<Vec<VariableId>> {
    let layout = frame.layout();
    let mut changed = Vec::new();
    if layout.count(variable, set) == 0 {
        return None;
    }
    let Some(mutexes) = frame.mutexes() else { return Some(changed) };
    let mut open = vec![variable];
    while let Some(variable) = open.pop() {
        if layout.count(variable, set) != 1 {
            continue;
        }
        let fact = layout.facts_of(variable, set).next().expect("there is one value");
        let excluded = mutexes.partners(fact).words();
        let kept: Vec<u64> = excluded.iter().map(|word| !word).collect();
        for other in frame.task().variable_ids().filter(|&other| other != variable) {
            if layout.restrict(other, set, &kept) {
                if layout.count(other, set) == 0 {
                    return None;
                }
                open.push(other);
                changed.push(other);
            }
        }
    }
    changed.sort_unstable();
    changed.dedup();
    Some(changed)
}
