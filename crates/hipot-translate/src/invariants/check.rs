//! Checking candidates against the schemas.

use hipot_pddl::ast::PredicateId;
use hipot_task::{Limits, Stop};

use super::candidates::Cover;
use super::mersenne::MersenneTwister;
use super::pattern::{Atom, Pattern};
use super::requirement::Additions;
use super::{balance, heaviness, restoration};
use crate::normal::NormalTask;

/// The seed with which Fast Downward draws the schemas to test.
const SEED: u32 = 314_159;

/// What came out of checking a candidate.
pub(super) enum Verdict {
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
pub(super) struct Checker {
    operators: Vec<Operator>,
    /// For each predicate, the schemas that add its atoms.
    threats: Vec<Vec<u32>>,
    random: MersenneTwister,
    /// The schemas that the present candidate is still to be checked against.
    remaining: Vec<u32>,
    /// The number of the present candidate.
    round: u32,
    /// The last candidate that each schema threatened.
    last_threatened: Vec<u32>,
}

impl Checker {
    pub(super) fn new(
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
                if threats.last() != Some(&(index as u32)) {
                    threats.push(index as u32);
                }
            }
            operators.push(Operator::new(&Pattern::new(schema, unequal)));
        }
        Ok(Self {
            last_threatened: vec![0; operators.len()],
            operators,
            threats,
            random: MersenneTwister::new(SEED),
            remaining: Vec::new(),
            round: 0,
        })
    }

    /// The atom of an add effect of a schema, and all atoms that the schema
    /// deletes.
    pub(super) fn effects(&self, schema: usize, add: usize) -> (&Atom, &[Atom]) {
        let operator = &self.operators[schema];
        (&operator.additions.all[add].atom, &operator.deleted)
    }

    /// Checks the candidate that `cover` describes, whose parts have these
    /// predicates. Schemas are drawn one by one, as the first often settles
    /// it.
    pub(super) fn check(
        &mut self,
        predicates: &[PredicateId],
        cover: &Cover<'_>,
        limits: &Limits,
    ) -> Result<Verdict, Stop> {
        self.find_threats(predicates);
        while !self.remaining.is_empty() {
            limits.check()?;
            let drawn = self.random.below(self.remaining.len());
            let schema = self.remaining.swap_remove(drawn) as usize;
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

    /// Lets `remaining` be the schemas that add atoms of these predicates,
    /// each once.
    fn find_threats(&mut self, predicates: &[PredicateId]) {
        self.round += 1;
        self.remaining.clear();
        for &schema in predicates.iter().flat_map(|predicate| &self.threats[predicate.index()]) {
            let last = &mut self.last_threatened[schema as usize];
            if *last != self.round {
                *last = self.round;
                self.remaining.push(schema);
            }
        }
    }
}
