//! Invariant synthesis: groups of atoms of which at most one is ever true,
//! found without grounding.
//!
//! Helmert, "Concise finite-domain representations for PDDL planning tasks",
//! Artificial Intelligence 173 (2009), Section 5. An instance of an
//! [`Invariant`] has objects in place of the parameters. The *weight* of an
//! instance in a state is the number of its true atoms. The invariant says that
//! a weight of at most 1 stays at most 1. So the instances that have weight 1
//! initially are mutex groups (see [`mutex_groups`](crate::mutex_groups)).
//!
//! [`synthesize`] searches breadth-first from the candidates with one part. A
//! candidate is an invariant if no schema
//!
//! * is *too heavy*, i.e. adds two atoms of one instance at once
//!   (`heaviness`), or
//! * is *unbalanced*, i.e. adds an atom without surely deleting one of the same
//!   instance that was true (`balance`) and not adding it back (`restoration`).
//!
//! This is sufficient. Suppose the weight of an instance grows beyond 1. Then an
//! atom becomes true, and only one, because nothing is too heavy; so another
//! atom was true and stays true. It was the only true atom of the instance. But
//! the added atom is balanced: an atom of the instance that was true is deleted
//! and not added back, a contradiction.
//!
//! Every extension of a too heavy candidate is too heavy, so the candidate is
//! dropped. An unbalanced candidate is replaced by its extensions by one part
//! that could balance the add effect in question (`candidates`). A balanced one
//! is an invariant, and is not extended further.
//!
//! Which schema is tested first decides which extensions are tried, hence which
//! of several nested invariants is found, and how long the search takes. Schemas
//! are tested in a random order with a fixed seed, as in Fast Downward. The order
//! of the domain file was tried, forward and backward: both take several times as
//! long if a domain has thousands of schemas, and forward gives citycar more
//! facts. The generator does not matter: Python's, which Fast Downward uses and
//! which was here first, gives the same translations (`docs/translation.md` has
//! the measurements).
//!
//! This module departs from Fast Downward in two points, where the original
//! accepts candidates that are not invariants: deleted atoms that are added back
//! (`restoration`), and delete effects for objects outside their range
//! (`balance`). The checks themselves are arranged differently. The original
//! solves systems of constraints for each candidate; except for the comparison
//! of a few terms, these are the same for all candidates, so here they are
//! solved once for each schema.

mod add_effects;
mod balance;
mod candidates;
mod check;
mod congruence;
mod heaviness;
mod invariant;
mod prepared;
mod restoration;
#[cfg(test)]
pub(crate) mod test_tasks;
#[cfg(test)]
mod tests;

use hipot_pddl::ast::PredicateId;
use hipot_task::{Limits, Stop};

pub use self::invariant::{Argument, Invariant, InvariantPart};

use self::candidates::Candidates;
use self::check::{Checker, Verdict};
use crate::normal::{NormalTask, Predicate};

/// Limits of the search.
#[derive(Clone, Debug)]
pub struct Params {
    /// The number of candidates to consider.
    pub max_candidates: usize,
    /// After so many comparisons of effects the search ends with the invariants found so far.
    /// They are counted, because results must not depend on the speed of the machine.
    pub max_comparisons: u64,
}

/// About five minutes; the largest IPC tasks take a million.
const MAX_COMPARISONS: u64 = 3_000_000_000;

impl Default for Params {
    fn default() -> Self {
        Self { max_candidates: 100_000, max_comparisons: MAX_COMPARISONS }
    }
}

/// Finds invariants of the task, in the order of the search.
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
    let mut candidates = initial_candidates(task, params.max_candidates);
    let mut checker = Checker::new(task, unequal, limits)?;
    let mut invariants = Vec::new();
    while let Some(candidate) = candidates.pop() {
        if checker.comparisons() >= params.max_comparisons {
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
