//! Ground axioms: superfluous ones are dropped, and most auxiliary ones are
//! inlined.
//!
//! Normalization turns universal quantifiers into axioms. Most of them are not
//! needed once they are ground. If every axiom for p has a single literal as its
//! body, ¬p is the conjunction of the negated literals; and if p has a single
//! axiom, p is the body of that axiom. [`Inliner`] puts these conjunctions in
//! place of p and ¬p, in preconditions, effect conditions, bodies and the goal.
//! As a result most ADL tasks have no axioms at all, and algorithms that do not
//! support axioms apply to them. Fast Downward keeps the axioms.
//!
//! Two kinds of axioms stay: those for derived predicates of the domain itself,
//! and those whose inlining would put the negation of one of several values into
//! a condition. The latter would multiply operators, which axioms do not.

use rustc_hash::FxHashMap;

use crate::atoms::AtomId;
use crate::encode::Encoding;
use crate::ground::GroundLiteral;
use crate::instantiate::{GroundAxiom, GroundOperator};

/// Drops superfluous axioms: those whose body includes the body of another one
/// for the same head, and those whose body includes their own head. Sorts the
/// others by head.
pub(crate) fn simplify(mut axioms: Vec<GroundAxiom>) -> Vec<GroundAxiom> {
    let needs_itself = |axiom: &GroundAxiom| {
        axiom.body.contains(&GroundLiteral { atom: axiom.head, negated: false })
    };
    axioms.retain(|axiom| !needs_itself(axiom));
    axioms.sort_unstable_by(|one, other| {
        (one.head, one.body.len(), &one.body).cmp(&(other.head, other.body.len(), &other.body))
    });
    let mut kept: Vec<GroundAxiom> = Vec::new();
    for of_head in axioms.chunk_by(|one, other| one.head == other.head) {
        // The bodies kept so far, by their first literal. A body that another
        // one includes is found under one of the literals of the other.
        let mut by_literal: FxHashMap<GroundLiteral, Vec<&[GroundLiteral]>> = FxHashMap::default();
        for axiom in of_head {
            let includes = |part: &&[GroundLiteral]| part.iter().all(|it| axiom.body.contains(it));
            let candidates = axiom.body.iter().filter_map(|literal| by_literal.get(literal));
            if candidates.flatten().any(includes) {
                continue;
            }
            kept.push(axiom.clone());
            match axiom.body.first() {
                None => break,
                Some(&first) => by_literal.entry(first).or_default().push(&axiom.body),
            }
        }
    }
    kept
}

/// The conjunctions that literals of auxiliary predicates are replaced by.
pub(crate) struct Inliner {
    replacements: FxHashMap<GroundLiteral, Vec<GroundLiteral>>,
}

impl Inliner {
    /// `axioms` are sorted by head; `is_auxiliary` tells whether an atom has an
    /// auxiliary predicate.
    pub(crate) fn new(
        axioms: &[GroundAxiom],
        is_auxiliary: impl Fn(AtomId) -> bool,
        encoding: &Encoding,
    ) -> Self {
        let mut bodies: FxHashMap<AtomId, &[GroundAxiom]> = FxHashMap::default();
        for of_head in axioms.chunk_by(|one, other| one.head == other.head) {
            if is_auxiliary(of_head[0].head) {
                bodies.insert(of_head[0].head, of_head);
            }
        }
        let mut inliner = Self { replacements: FxHashMap::default() };
        for of_head in axioms.chunk_by(|one, other| one.head == other.head) {
            for negated in [false, true] {
                inliner.replace(
                    GroundLiteral { atom: of_head[0].head, negated },
                    &bodies,
                    encoding,
                );
            }
        }
        inliner
    }

    /// Finds the replacement of a literal, if any. This ends, because auxiliary
    /// predicates stand for formulas that are nested and so cannot be cyclic.
    fn replace(
        &mut self,
        literal: GroundLiteral,
        bodies: &FxHashMap<AtomId, &[GroundAxiom]>,
        encoding: &Encoding,
    ) -> Option<Vec<GroundLiteral>> {
        if let Some(found) = self.replacements.get(&literal) {
            return Some(found.clone());
        }
        let direct: Vec<GroundLiteral> = match (bodies.get(&literal.atom)?, literal.negated) {
            ([axiom], false) => axiom.body.clone(),
            (axioms, true) if axioms.iter().all(|axiom| axiom.body.len() == 1) => {
                axioms.iter().map(|axiom| axiom.body[0].negate()).collect()
            }
            _ => return None,
        };
        let mut all = Vec::new();
        for part in direct {
            match self.replace(part, bodies, encoding) {
                Some(parts) => all.extend(parts),
                None => all.push(part),
            }
        }
        if all.iter().any(|part| part.negated && !encoding.is_binary(part.atom)) {
            return None;
        }
        all.sort_unstable();
        all.dedup();
        self.replacements.insert(literal, all.clone());
        Some(all)
    }

    /// Inlines the literals of a conjunction.
    pub(crate) fn inline(&self, literals: &mut Vec<GroundLiteral>) {
        if !literals.iter().any(|literal| self.replacements.contains_key(literal)) {
            return;
        }
        for literal in std::mem::take(literals) {
            match self.replacements.get(&literal) {
                None => literals.push(literal),
                Some(parts) => literals.extend_from_slice(parts),
            }
        }
        literals.sort_unstable();
        literals.dedup();
    }

    /// Inlines the conditions of an operator.
    pub(crate) fn inline_operator(&self, operator: &mut GroundOperator) {
        if self.replacements.is_empty() {
            return;
        }
        self.inline(&mut operator.precondition);
        operator.effects.iter_mut().for_each(|effect| self.inline(&mut effect.condition));
    }
}
