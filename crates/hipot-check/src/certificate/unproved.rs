//! Why mutexes are not proved, in terms of the task.

use hipot_task::{Fact, Task};

use super::FeatureFact;
use super::normal_form::fact_name;
use super::rejection::{Rejection, why_unknown};
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
            let what = if pair.0 == pair.1 { "this fact" } else { "this pair" };
            match layers[*layer].direction() {
                Direction::Forward => format!("{leads} to {names} from a state without {what}"),
                Direction::Backward => format!("{leads} from {names} to a state without {what}"),
            }
        }
    };
    Rejection::Mutexes { rejection, reason }
}

/// The names of a pair of facts, or of a dead fact.
fn names(task: &Task, (first, second): (Fact, Fact)) -> String {
    let name = |fact: Fact| fact_name(task, fact.variable.index(), fact.value);
    if first == second { name(first) } else { format!("{}, {}", name(first), name(second)) }
}
