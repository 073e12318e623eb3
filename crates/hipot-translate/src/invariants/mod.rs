//! Invariant synthesis: groups of atoms of which at most one is ever true,
//! found without grounding.
//!
//! Helmert, "Concise finite-domain representations for PDDL planning tasks",
//! Artificial Intelligence 173 (2009), Section 5. An [`Invariant`] becomes an
//! instance when objects are put for its parameters; the *weight* of the
//! instance in a state is the number of its true atoms. What the invariant
//! says is that a weight of at most 1 stays at most 1. Instances that have
//! weight 1 initially are then mutex groups
//! (see [`mutex_groups`](crate::mutex_groups)).
//!
//! [`synthesize`] searches breadth-first from the candidates with one part. A
//! candidate is an invariant if no schema
//!
//! * is *too heavy*, i.e. adds two atoms of one instance at once
//!   (`heaviness`), or
//! * is *unbalanced*, i.e. adds an atom without surely deleting another of
//!   the same instance that was true (`balance`), and not adding it back
//!   (`restoration`).
//!
//! This is sufficient: if the weight of an instance grows beyond 1, an atom
//! becomes true, only this one because nothing is too heavy, and the one that
//! was true stays true; but this is the only one that could be deleted to
//! balance the other.
//!
//! Every extension of a heavy candidate is heavy, so it is dropped. An
//! unbalanced one is replaced by its extensions by one part that could
//! balance the add effect in question (`candidates`). A balanced one is an
//! invariant, and not extended further.
//!
//! Which schema is tested first decides which extensions are tried. To find
//! what Fast Downward's translator finds, this module tests schemas in the
//! same (pseudo-)random order (`mersenne`), and takes predicates, effects and
//! positions in the same order. It departs in two places, where the original
//! accepts what is no invariant: deleted atoms that are added back
//! (`restoration`) and delete effects for objects outside their range
//! (`balance`). The checks themselves are arranged differently: what the
//! original solves as constraint systems for each candidate is, but for the
//! comparison of a few terms, the same for all candidates, and computed once
//! for each schema.

mod balance;
mod candidates;
mod check;
mod congruence;
mod heaviness;
mod invariant;
mod mersenne;
mod pattern;
mod requirement;
mod restoration;
#[cfg(test)]
pub(crate) mod test_tasks;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use hipot_pddl::ast::PredicateId;
use hipot_task::{Limits, Stop};

pub use self::invariant::{Invariant, Part, Place};

use self::candidates::Candidates;
use self::check::{Checker, Verdict};
use crate::normal::{NormalTask, Predicate};

/// How long to search.
#[derive(Clone, Debug)]
pub struct Params {
    /// How many candidates to consider.
    pub max_candidates: usize,
    /// After this many seconds, the invariants found so far are all.
    pub max_seconds: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { max_candidates: 100_000, max_seconds: 300 }
    }
}

/// Invariants of the task, in the order in which they are found.
///
/// `unequal[i]` lists the pairs of parameters (positions p < q) of schema `i`
/// that no reachable instance gives the same object.
pub fn synthesize(
    task: &NormalTask,
    unequal: &[Vec<(usize, usize)>],
    params: &Params,
    limits: &Limits,
) -> Result<Vec<Invariant>, Stop> {
    assert_eq!(unequal.len(), task.schemas.len(), "pairs for each schema");
    let start = Instant::now();
    let mut candidates = initial_candidates(task, params.max_candidates);
    let mut checker = Checker::new(task, unequal, limits)?;
    let mut invariants = Vec::new();
    while let Some(candidate) = candidates.pop() {
        if start.elapsed() >= Duration::from_secs(params.max_seconds) {
            break;
        }
        let predicates = candidates.predicates(&candidate);
        match checker.check(&predicates, &candidates.cover(&candidate), limits)? {
            Verdict::Balanced => {
                invariants.push(Invariant { parts: candidates.parts(&candidate) });
            }
            Verdict::TooHeavy => {}
            Verdict::Unbalanced { schema, add } => {
                let (added, deleted) = checker.effects(schema, add);
                candidates.refine(&candidate, added, deleted);
            }
        }
    }
    Ok(invariants)
}

/// The candidates with one part, for each predicate that schemas change.
fn initial_candidates(task: &NormalTask, limit: usize) -> Candidates {
    let mut is_fluent = vec![false; task.predicates.len()];
    for effect in task.schemas.iter().flat_map(|schema| &schema.effects) {
        is_fluent[effect.literal.predicate.index()] = true;
    }
    let mut candidates = Candidates::new(ranks(&task.predicates), limit);
    for (index, predicate) in task.predicates.iter().enumerate().filter(|&(i, _)| is_fluent[i]) {
        candidates.start(PredicateId::new(index), predicate.arity);
    }
    candidates
}

/// The rank of each predicate in the order of the names.
fn ranks(predicates: &[Predicate]) -> Vec<usize> {
    let mut order: Vec<_> = (0..predicates.len()).collect();
    order.sort_by_key(|&index| &predicates[index].name);
    let mut ranks = vec![0; predicates.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank;
    }
    ranks
}
