//! Goals that exclude each other.

use hipot_pddl::Task as PddlTask;
use hipot_task::{Limits, Stop};

use super::words::Words;
use crate::build::object_ranks;
use crate::ground::{GroundAtoms, Truth};
use crate::invariants::{self, Params};
use crate::mutex_groups;
use crate::normal::NormalTask;
use crate::reach::Reached;
use crate::translate::unequal;

/// The pairs of goals of which an invariant allows only one.
pub(super) fn conflicts(
    source: &PddlTask,
    task: &NormalTask,
    reached: &Reached,
    words: &Words<'_>,
    limits: &Limits,
) -> Result<Vec<(String, String)>, Stop> {
    let ground = GroundAtoms::new(task, reached, &object_ranks(source));
    let mut scratch = Vec::new();
    let mut goals = Vec::new();
    for literal in task.goal.iter().flatten().filter(|literal| !literal.negated) {
        if let Truth::Sometimes(it) = ground.truth(literal, &[], &mut scratch) {
            goals.push((it.atom, literal));
        }
    }
    let invariants =
        invariants::synthesize(task, &unequal(task, reached), &Params::default(), limits)?;
    let mut found = Vec::new();
    for group in mutex_groups::instantiate(task, &invariants, &ground.atoms) {
        let inside: Vec<_> = goals.iter().filter(|(atom, _)| group.contains(atom)).collect();
        for pair in inside.windows(2).filter(|pair| pair[0].0 != pair[1].0) {
            let [left, right] = [0, 1].map(|it| words.literal(pair[it].1, &[], None));
            if !found.contains(&(left.clone(), right.clone())) {
                found.push((left, right));
            }
        }
    }
    Ok(found)
}
