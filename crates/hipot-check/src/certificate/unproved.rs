//! Why mutexes are not proved, in words of the task.

use hipot_task::{Fact, Task};

use super::normal_form::fact_name;
use super::verify::why_unknown;
use super::{FeatureFact, Rejection};
use crate::mutexes::{self, Direction, Layer};

/// The rejection of a certificate with these layers.
pub(super) fn unproved(task: &Task, layers: &[Layer], rejection: mutexes::Rejection) -> Rejection {
    use mutexes::Rejection as R;
    let place = |layer: usize| format!("layer {}", layer + 1);
    let reason = match &rejection {
        R::Unsupported(unsupported) => unsupported.to_string(),
        R::UnknownFact(fact) => {
            let fact = FeatureFact::new(fact.variable, Some(fact.value));
            format!("they mention {fact}, but {}", why_unknown(task, fact, ""))
        }
        R::Initial { layer, pair } => {
            format!("{}: the initial state has {}", place(*layer), names(task, *pair))
        }
        R::Goal { layer, pair } => {
            format!("{}: a goal state may have {}", place(*layer), names(task, *pair))
        }
        R::Operator { layer, operator, pair } => {
            let (place, names) = (place(*layer), names(task, *pair));
            let leads = format!("{place}: operator '{}' may lead", task.operator(*operator).name);
            match layers[*layer].direction() {
                Direction::Forward => format!("{leads} to {names} from a state without"),
                Direction::Backward => format!("{leads} from {names} to a state without"),
            }
        }
    };
    Rejection::Mutexes { rejection, reason }
}

/// What people call the facts, or a dead fact.
fn names(task: &Task, (first, second): (Fact, Fact)) -> String {
    let name = |fact: Fact| fact_name(task, fact.variable.index(), fact.value);
    if first == second { name(first) } else { format!("{}, {}", name(first), name(second)) }
}
