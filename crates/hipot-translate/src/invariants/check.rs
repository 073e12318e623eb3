//! Checks of a candidate against the schemas that threaten it.
//!
//! Only schemas that add an atom of a covered predicate can break a candidate.
//! They are checked one by one, in random order, until one is too heavy or
//! unbalanced. Everything that does not depend on the candidate is computed once
//! for each schema.

use hipot_pddl::ast::PredicateId;
use hipot_task::{Limits, Rng, Stop};

use super::add_effects::AddEffects;
use super::candidates::Cover;
use super::prepared::{Atom, PreparedSchema};
use super::{balance, heaviness, restoration};
use crate::normal::NormalTask;

/// The seed of the order in which schemas are tested.
const SEED: u64 = 314_159;

/// The result of checking a candidate.
pub(super) enum Verdict {
    Balanced,
    TooHeavy,
    /// Nothing balances the add effect of the schema with these numbers.
    Unbalanced {
        schema: usize,
        add: usize,
    },
}

/// A schema, with everything that the checks need.
struct CheckedSchema {
    add_effects: AddEffects,
    /// For each add effect, the atoms that are surely deleted when it happens.
    consumed: Vec<Vec<Atom>>,
    /// The atoms of the delete effects.
    deleted: Vec<Atom>,
}

impl CheckedSchema {
    fn new(schema: &PreparedSchema) -> Self {
        let (deletes, adds): (Vec<_>, Vec<_>) =
            schema.effects.iter().partition(|effect| effect.literal.negated);
        Self {
            add_effects: AddEffects::new(schema),
            consumed: adds.into_iter().map(|add| balance::consumed(schema, add)).collect(),
            deleted: deletes.into_iter().map(|delete| delete.literal.atom.clone()).collect(),
        }
    }

    /// How often effects are compared to check the candidate, at most.
    fn comparisons(&self, cover: &Cover<'_>) -> u64 {
        let added = self.add_effects.all.iter().filter(|it| cover.has(it.atom.predicate)).count();
        (1 + added * (added + self.deleted.len())) as u64
    }

    /// The number of the first add effect that unbalances the candidate, if
    /// any.
    fn unbalanced(&mut self, cover: &Cover<'_>) -> Option<usize> {
        let is_covered = |index: &usize| cover.has(self.add_effects.all[*index].atom.predicate);
        let covered: Vec<_> = (0..self.consumed.len()).filter(is_covered).collect();
        covered.into_iter().find(|&index| !self.is_balanced(index, cover))
    }

    /// Whether an atom of the same instance surely becomes false when the add
    /// effect with this number makes its atom true.
    fn is_balanced(&mut self, index: usize, cover: &Cover<'_>) -> bool {
        let Self { add_effects, consumed, .. } = self;
        let mut covered = consumed[index].iter().filter(|atom| cover.has(atom.predicate));
        covered.any(|deleted| {
            let added = &add_effects.all[index].atom;
            cover.parameters(added).eq(cover.parameters(deleted))
                && !restoration::is_restored(add_effects, index, deleted, cover)
        })
    }
}

/// Checks candidates against the schemas.
pub(super) struct Checker {
    operators: Vec<CheckedSchema>,
    /// For each predicate, the schemas that add its atoms.
    threats: Vec<Vec<u32>>,
    random: Rng,
    /// The schemas that the current candidate has not been checked against.
    remaining: Vec<u32>,
    /// The number of the current candidate.
    round: u32,
    /// The number of the last candidate that each schema threatened.
    last_threatened: Vec<u32>,
    /// How often two effects of a schema were compared, roughly.
    comparisons: u64,
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
            operators.push(CheckedSchema::new(&PreparedSchema::new(schema, unequal)));
        }
        Ok(Self {
            last_threatened: vec![0; operators.len()],
            operators,
            threats,
            random: Rng::new(SEED),
            remaining: Vec::new(),
            round: 0,
            comparisons: 0,
        })
    }

    /// How often two effects of a schema were compared so far, roughly.
    pub(super) fn comparisons(&self) -> u64 {
        self.comparisons
    }

    /// The atom of an add effect of a schema, and all atoms that the schema
    /// deletes.
    pub(super) fn effects(&self, schema: usize, add: usize) -> (&Atom, &[Atom]) {
        let operator = &self.operators[schema];
        (&operator.add_effects.all[add].atom, &operator.deleted)
    }

    /// Checks the candidate that `cover` describes, whose parts have these
    /// predicates. Schemas are drawn one by one, since the first one often
    /// decides.
    pub(super) fn check(
        &mut self,
        predicates: &[PredicateId],
        cover: &Cover<'_>,
        limits: &Limits,
    ) -> Result<Verdict, Stop> {
        self.find_threats(predicates);
        while !self.remaining.is_empty() {
            limits.check()?;
            let drawn = self.random.below(self.remaining.len() as u32);
            let schema = self.remaining.swap_remove(drawn as usize) as usize;
            let operator = &mut self.operators[schema];
            self.comparisons += operator.comparisons(cover);
            if heaviness::is_too_heavy(&mut operator.add_effects, cover) {
                return Ok(Verdict::TooHeavy);
            }
            if let Some(add) = operator.unbalanced(cover) {
                return Ok(Verdict::Unbalanced { schema, add });
            }
        }
        Ok(Verdict::Balanced)
    }

    /// Sets `remaining` to the schemas that add atoms of these predicates, each
    /// once.
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
