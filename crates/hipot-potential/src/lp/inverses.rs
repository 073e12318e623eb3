//! Free operators that another free operator undoes.
//!
//! Let o′ reverse all changes of o and require nothing that o does not require. In each context
//! of o, neither o nor o′ may lower φ if both are free. So o changes φ in none of its contexts:
//! its constraint is an equality, and so is each alternative of its maxima. No LP is needed to
//! see that. In many domains (elevators, sokoban) this is true of most free operators on cycles.

use std::collections::HashMap;

use hipot_task::{FactId, OperatorId};

use crate::normal_form::NormalForm;

type Changes = Vec<(FactId, FactId)>;

/// Operators by what they change.
pub(super) struct Inverses<'a> {
    normal: &'a NormalForm,
    by_changes: HashMap<Changes, Vec<OperatorId>>,
}

impl<'a> Inverses<'a> {
    /// Inverses among these operators.
    pub(super) fn new(normal: &'a NormalForm, operators: &[OperatorId]) -> Self {
        let mut by_changes: HashMap<Changes, Vec<OperatorId>> = HashMap::new();
        for &operator in operators {
            by_changes.entry(changes(normal, operator)).or_default().push(operator);
        }
        Self { normal, by_changes }
    }

    /// Whether some operator undoes this one in all of its contexts.
    pub(super) fn has_inverse(&self, operator: OperatorId) -> bool {
        let changes = changes(self.normal, operator);
        let reversed: Changes =
            changes.into_iter().map(|(before, after)| (after, before)).collect();
        let Some(candidates) = self.by_changes.get(&reversed) else { return false };
        let prevail = |id| {
            let kept = self.normal.mentions(id).iter().filter(|mention| !mention.is_change());
            kept.map(|mention| mention.before).collect::<Vec<FactId>>()
        };
        let own = prevail(operator);
        // What mutexes exclude from a context of the other, they exclude from one of this one.
        candidates.iter().any(|&other| prevail(other).iter().all(|fact| own.contains(fact)))
    }
}

fn changes(normal: &NormalForm, operator: OperatorId) -> Changes {
    let changes = normal.mentions(operator).iter().filter(|mention| mention.is_change());
    changes.map(|mention| (mention.before, mention.after)).collect()
}
