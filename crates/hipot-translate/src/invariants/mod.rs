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
//! (`balance`).
//! The checks themselves are arranged differently: what the original solves
//! as constraint systems for each candidate is, but for the comparison of a
//! few terms, the same for all candidates, and computed once for each schema.

mod balance;
mod candidates;
mod congruence;
mod heaviness;
mod mersenne;
mod pattern;
mod requirement;
mod restoration;

use std::time::{Duration, Instant};

use hipot_pddl::ast::PredicateId;
use hipot_task::{Limits, Stop};

use self::candidates::{Candidates, Cover};
use self::mersenne::MersenneTwister;
use self::pattern::{Atom, Pattern};
use self::requirement::Additions;
use crate::normal::{NormalTask, Predicate};

/// The seed with which Fast Downward draws the schemas to test.
const SEED: u32 = 314_159;

/// For all values of its parameters, if at most one of the atoms that the
/// parts cover is true, then this remains so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// The parts, of different predicates, in the order of the predicates'
    /// names. Each has all parameters of the invariant.
    pub parts: Vec<Part>,
}

/// The atoms of one predicate that an [`Invariant`] covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The predicate.
    pub predicate: PredicateId,
    /// What stands at each position; [`Place::Counted`] at most once.
    pub places: Box<[Place]>,
}

/// What stands at a position of a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Any object: all atoms are counted that differ only here.
    Counted,
    /// The parameter of the invariant with this number.
    Parameter(u32),
}

impl Invariant {
    /// How many parameters it has.
    pub fn arity(&self) -> usize {
        let places = self.parts.first().map_or(&[][..], |part| &part.places);
        places.iter().filter(|&&place| place != Place::Counted).count()
    }
}

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
    let deadline = Instant::now() + Duration::from_secs(params.max_seconds);
    let mut candidates = initial_candidates(task, params.max_candidates);
    let mut checker = Checker::new(task, unequal, limits)?;
    let mut invariants = Vec::new();
    while let Some(candidate) = candidates.pop() {
        if Instant::now() > deadline {
            break;
        }
        let predicates = candidates.predicates(&candidate);
        match checker.check(&predicates, &candidates.cover(&candidate), limits)? {
            Verdict::Balanced => {
                invariants.push(Invariant { parts: candidates.parts(&candidate) });
            }
            Verdict::TooHeavy => {}
            Verdict::Unbalanced { schema, add } => {
                let operator = &checker.operators[schema];
                let added = &operator.additions.all[add].atom;
                candidates.refine(&candidate, added, &operator.deleted);
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

/// What came out of checking a candidate.
enum Verdict {
    Balanced,
    TooHeavy,
    /// The schema has an add effect, the one with this number, that nothing
    /// balances.
    Unbalanced {
        schema: usize,
        add: usize,
    },
}

/// A schema with what the checks need to know.
struct Operator {
    additions: Additions,
    /// For each add effect, the atoms that are surely deleted with it.
    consumed: Vec<Vec<Atom>>,
    /// The atoms of the delete effects.
    deleted: Vec<Atom>,
}

impl Operator {
    fn new(pattern: &Pattern) -> Self {
        let (deletes, adds): (Vec<_>, Vec<_>) =
            pattern.effects.iter().partition(|effect| effect.literal.negated);
        Self {
            additions: Additions::new(pattern),
            consumed: adds.into_iter().map(|add| balance::consumed(pattern, add)).collect(),
            deleted: deletes.into_iter().map(|delete| delete.literal.atom.clone()).collect(),
        }
    }

    /// The number of the first add effect that leaves the candidate
    /// unbalanced.
    fn unbalanced(&mut self, cover: &Cover<'_>) -> Option<usize> {
        let is_covered = |index: &usize| cover.has(self.additions.all[*index].atom.predicate);
        let covered: Vec<_> = (0..self.consumed.len()).filter(is_covered).collect();
        covered.into_iter().find(|&index| !self.is_balanced(index, cover))
    }

    /// Whether an atom of the same instance is surely made false when the add
    /// effect with this number makes its atom true.
    fn is_balanced(&mut self, index: usize, cover: &Cover<'_>) -> bool {
        let Self { additions, consumed, .. } = self;
        let mut covered = consumed[index].iter().filter(|atom| cover.has(atom.predicate));
        covered.any(|deleted| {
            let added = &additions.all[index].atom;
            cover.parameters(added).eq(cover.parameters(deleted))
                && !restoration::is_restored(additions, index, deleted, cover)
        })
    }
}

/// Checks candidates against the schemas.
struct Checker {
    operators: Vec<Operator>,
    /// For each predicate, the schemas that add its atoms.
    threats: Vec<Vec<usize>>,
    random: MersenneTwister,
}

impl Checker {
    fn new(
        task: &NormalTask,
        unequal: &[Vec<(usize, usize)>],
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let mut operators = Vec::with_capacity(task.schemas.len());
        let mut threats = vec![Vec::new(); task.predicates.len()];
        for (index, (schema, unequal)) in task.schemas.iter().zip(unequal).enumerate() {
            limits.check()?;
            for effect in schema.effects.iter().filter(|effect| !effect.literal.negated) {
                let threats = &mut threats[effect.literal.predicate.index()];
                if threats.last() != Some(&index) {
                    threats.push(index);
                }
            }
            operators.push(Operator::new(&Pattern::new(schema, unequal)));
        }
        Ok(Self { operators, threats, random: MersenneTwister::new(SEED) })
    }

    /// Checks the candidate that `cover` describes, whose parts have these
    /// predicates. Schemas are drawn one by one, as the first often settles
    /// it.
    fn check(
        &mut self,
        predicates: &[PredicateId],
        cover: &Cover<'_>,
        limits: &Limits,
    ) -> Result<Verdict, Stop> {
        let mut remaining = self.threats_to(predicates);
        while !remaining.is_empty() {
            limits.check()?;
            let schema = remaining.swap_remove(self.random.below(remaining.len()));
            let operator = &mut self.operators[schema];
            if heaviness::is_too_heavy(&mut operator.additions, cover) {
                return Ok(Verdict::TooHeavy);
            }
            if let Some(add) = operator.unbalanced(cover) {
                return Ok(Verdict::Unbalanced { schema, add });
            }
        }
        Ok(Verdict::Balanced)
    }

    /// The schemas that add atoms of these predicates, each once.
    fn threats_to(&self, predicates: &[PredicateId]) -> Vec<usize> {
        let mut is_known = vec![false; self.operators.len()];
        let all = predicates.iter().flat_map(|predicate| &self.threats[predicate.index()]);
        let new = all.filter(|&&schema| !std::mem::replace(&mut is_known[schema], true));
        new.copied().collect()
    }
}
