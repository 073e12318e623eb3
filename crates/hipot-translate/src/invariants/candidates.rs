//! Candidates for invariants: what they cover, and how they are refined.
//!
//! Suppose a schema unbalances a candidate: it adds an atom and surely deletes
//! nothing of the same instance. Then the candidate is refined by one part, for
//! a predicate that the schema deletes from and the candidate does not cover
//! yet. The deleted atom has to be able to balance the added one, so it must
//! have each parameter of the invariant at a position with the same term as in
//! the added atom. One position may be left over, and is counted. If terms
//! repeat, there are several such parts.
//!
//! Many candidates share parts, so parts are stored once and have numbers. A
//! candidate is a list of these numbers, sorted by the names of the predicates.
//! So a candidate that is found in two ways is recognized and checked once.

use std::collections::VecDeque;
use std::rc::Rc;

use hipot_pddl::ast::PredicateId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::invariant::{Argument, InvariantPart};
use super::prepared::{Atom, Symbol};

/// The number of a part in [`Parts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PartId(u32);

/// A candidate: its parts, in the order of their predicates' names.
pub(super) type Candidate = Rc<[PartId]>;

/// All parts that occur in candidates.
#[derive(Debug, Default)]
pub(super) struct Parts {
    all: Vec<InvariantPart>,
    /// For each part and each parameter of the invariant, its position.
    positions: Vec<Box<[usize]>>,
    ids: FxHashMap<InvariantPart, PartId>,
}

impl Parts {
    pub(super) fn get(&self, id: PartId) -> &InvariantPart {
        &self.all[id.0 as usize]
    }

    fn add(&mut self, part: InvariantPart) -> PartId {
        if let Some(&id) = self.ids.get(&part) {
            return id;
        }
        let id = PartId(self.all.len() as u32);
        let mut positions: Vec<_> = (0..part.arguments.len())
            .filter(|&at| part.arguments[at] != Argument::Counted)
            .collect();
        positions.sort_by_key(|&at| part.arguments[at]);
        self.positions.push(positions.into());
        self.all.push(part.clone());
        self.ids.insert(part, id);
        id
    }
}

/// The atoms that one candidate covers.
pub(super) struct Cover<'a> {
    parts: &'a Parts,
    /// The part of each predicate.
    by_predicate: &'a [Option<PartId>],
}

impl Cover<'_> {
    /// Whether a part has this predicate.
    pub(super) fn has(&self, predicate: PredicateId) -> bool {
        self.by_predicate[predicate.index()].is_some()
    }

    /// The terms that an atom of a covered predicate gives the invariant's
    /// parameters.
    pub(super) fn parameters(&self, atom: &Atom) -> impl Iterator<Item = Symbol> {
        let part = self.by_predicate[atom.predicate.index()].expect("a covered predicate");
        self.parts.positions[part.0 as usize].iter().map(|&position| atom.terms[position])
    }
}

/// The candidates that wait for their check, and all seen so far.
#[derive(Debug)]
pub(super) struct Candidates {
    parts: Parts,
    queue: VecDeque<Candidate>,
    seen: FxHashSet<Candidate>,
    limit: usize,
    /// The rank of each predicate among all names.
    ranks: Vec<usize>,
    /// The part of each predicate in the candidate of the last
    /// [`cover`](Self::cover).
    by_predicate: Vec<Option<PartId>>,
    /// The predicates of that candidate.
    covered: Vec<PredicateId>,
}

impl Candidates {
    /// No candidates yet, and never more than `limit`; `ranks` orders the
    /// predicates.
    pub(super) fn new(ranks: Vec<usize>, limit: usize) -> Self {
        Self {
            parts: Parts::default(),
            queue: VecDeque::new(),
            seen: FxHashSet::default(),
            limit,
            by_predicate: vec![None; ranks.len()],
            ranks,
            covered: Vec::new(),
        }
    }

    /// Adds the candidates with one part for this predicate: without a counted
    /// position, and with each position counted.
    pub(super) fn start(&mut self, predicate: PredicateId, arity: usize) {
        for counted in std::iter::once(None).chain((0..arity).map(Some)) {
            let argument = |position| match counted {
                Some(at) if at == position => Argument::Counted,
                Some(at) if at < position => Argument::Parameter(position as u32 - 1),
                _ => Argument::Parameter(position as u32),
            };
            let part = self
                .parts
                .add(InvariantPart { predicate, arguments: (0..arity).map(argument).collect() });
            self.enqueue(Rc::new([part]));
        }
    }

    /// The next candidate to check.
    pub(super) fn pop(&mut self) -> Option<Candidate> {
        self.queue.pop_front()
    }

    /// The atoms that this candidate covers.
    pub(super) fn cover(&mut self, candidate: &[PartId]) -> Cover<'_> {
        for predicate in self.covered.drain(..) {
            self.by_predicate[predicate.index()] = None;
        }
        for &part in candidate {
            let predicate = self.parts.get(part).predicate;
            self.by_predicate[predicate.index()] = Some(part);
            self.covered.push(predicate);
        }
        Cover { parts: &self.parts, by_predicate: &self.by_predicate }
    }

    /// The predicates of a candidate's parts.
    pub(super) fn predicates(&self, candidate: &[PartId]) -> Vec<PredicateId> {
        candidate.iter().map(|&part| self.parts.get(part).predicate).collect()
    }

    /// The parts of a candidate.
    pub(super) fn parts(&self, candidate: &[PartId]) -> Vec<InvariantPart> {
        candidate.iter().map(|&part| self.parts.get(part).clone()).collect()
    }

    /// Adds the candidates that extend `candidate` by one part such that one of
    /// the `deleted` atoms could balance `added`. The last
    /// [`cover`](Self::cover) must have been of `candidate`.
    pub(super) fn refine(&mut self, candidate: &[PartId], added: &Atom, deleted: &[Atom]) {
        let own = self.by_predicate[added.predicate.index()].expect("a covered predicate");
        for atom in deleted {
            if self.by_predicate[atom.predicate.index()].is_some() {
                continue;
            }
            for part in matching_parts(self.parts.get(own), added, atom) {
                let part = self.parts.add(part);
                let rank = self.ranks[atom.predicate.index()];
                let at = candidate
                    .partition_point(|&id| self.ranks[self.parts.get(id).predicate.index()] < rank);
                let (before, after) = candidate.split_at(at);
                self.enqueue([before, &[part], after].concat().into());
            }
        }
    }

    fn enqueue(&mut self, candidate: Candidate) {
        if self.seen.len() < self.limit && self.seen.insert(Rc::clone(&candidate)) {
            self.queue.push_back(candidate);
        }
    }
}

/// The parts for the predicate of `deleted` that give the invariant's
/// parameters the terms that `part` gives them in `added`.
fn matching_parts(part: &InvariantPart, added: &Atom, deleted: &Atom) -> Vec<InvariantPart> {
    let Some(choices) = choices(part, added, deleted) else { return Vec::new() };
    let mut arguments = vec![Argument::Counted; deleted.terms.len()];
    let mut found = Vec::new();
    assign(&choices, &mut Vec::new(), &mut |chosen| {
        for (&(position, _), &argument) in choices.iter().zip(chosen) {
            arguments[position] = argument;
        }
        found.push(InvariantPart {
            predicate: deleted.predicate,
            arguments: arguments.clone().into(),
        });
    });
    found
}

/// For each position of `deleted`, the arguments that are possible there: the
/// parameters that have the same term in `added`, and `Counted` if there is one
/// parameter too few, which may happen for one term. Positions with equal terms
/// are adjacent. `None` if numbers do not match.
fn choices(
    part: &InvariantPart,
    added: &Atom,
    deleted: &Atom,
) -> Option<Vec<(usize, Vec<Argument>)>> {
    let is_parameter = |argument: &&Argument| **argument != Argument::Counted;
    let arity = part.arguments.iter().filter(is_parameter).count();
    let mut omissible = deleted.terms.len().checked_sub(arity).filter(|&count| count <= 1)?;
    let mut choices = Vec::with_capacity(deleted.terms.len());
    for (first, &term) in deleted.terms.iter().enumerate() {
        if deleted.terms[..first].contains(&term) {
            continue;
        }
        let same = |terms: &[Symbol], at: &usize| terms[*at] == term;
        let positions: Vec<_> =
            (first..deleted.terms.len()).filter(|at| same(&deleted.terms, at)).collect();
        let own = (0..added.terms.len()).filter(|at| same(&added.terms, at));
        let own = own.map(|at| part.arguments[at]).filter(|argument| is_parameter(&argument));
        let mut arguments: Vec<_> = own.collect();
        if arguments.len() < positions.len() && omissible > 0 {
            omissible -= 1;
            arguments.push(Argument::Counted);
        }
        if arguments.len() != positions.len() {
            return None;
        }
        choices.extend(positions.into_iter().map(|position| (position, arguments.clone())));
    }
    Some(choices)
}

/// Calls `report` with every choice of distinct arguments, in lexicographic
/// order.
fn assign(
    choices: &[(usize, Vec<Argument>)],
    chosen: &mut Vec<Argument>,
    report: &mut impl FnMut(&[Argument]),
) {
    let Some((_, arguments)) = choices.get(chosen.len()) else { return report(chosen) };
    for &argument in arguments {
        if !chosen.contains(&argument) {
            chosen.push(argument);
            assign(choices, chosen, report);
            chosen.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: PredicateId = PredicateId::new(1);
    const OTHER: PredicateId = PredicateId::new(2);

    fn atom(predicate: PredicateId, terms: &[usize]) -> Atom {
        Atom { predicate, terms: terms.iter().map(|&index| Symbol::new(index)).collect() }
    }

    fn part(predicate: PredicateId, arguments: &[i32]) -> InvariantPart {
        let argument =
            |&number: &i32| u32::try_from(number).map_or(Argument::Counted, Argument::Parameter);
        InvariantPart { predicate, arguments: arguments.iter().map(argument).collect() }
    }

    /// The matching parts for `deleted`; -1 is a counted position.
    fn matching(arguments: &[i32], added: &[usize], deleted: &[usize]) -> Vec<InvariantPart> {
        matching_parts(&part(PART, arguments), &atom(PART, added), &atom(OTHER, deleted))
    }

    #[test]
    fn terms_decide_where_parameters_go() {
        let found = matching(&[0, 1, 2], &[10, 11, 12], &[11, 12, 13, 10]);
        assert_eq!(found, [part(OTHER, &[1, 2, -1, 0])]);
        let found = matching(&[-1, 0], &[10, 11], &[11]);
        assert_eq!(found, [part(OTHER, &[0])]);
        assert_eq!(matching(&[], &[], &[10]), [part(OTHER, &[-1])]);
    }

    #[test]
    fn parts_that_cannot_match() {
        assert!(matching(&[0, 1], &[10, 11], &[10]).is_empty(), "a parameter has no argument");
        assert!(matching(&[0], &[10], &[10, 11, 12]).is_empty(), "two would be counted");
        assert!(matching(&[0, 1], &[10, 11], &[10, 12]).is_empty(), "another term");
    }

    #[test]
    fn equal_terms_allow_all_permutations_in_order() {
        let found = matching(&[1, 0], &[10, 10], &[10, 10]);
        assert_eq!(found, [part(OTHER, &[1, 0]), part(OTHER, &[0, 1])]);
        let found = matching(&[0], &[10], &[10, 10]);
        assert_eq!(found, [part(OTHER, &[0, -1]), part(OTHER, &[-1, 0])]);
        assert_eq!(matching(&[0, 1], &[10, 10], &[10, 10, 10]).len(), 6);
    }

    #[test]
    fn candidates_come_once_and_up_to_the_limit() {
        let mut candidates = Candidates::new(vec![0, 2, 1], 4);
        candidates.start(PART, 2);
        candidates.start(PART, 2);
        candidates.start(OTHER, 2);
        let all: Vec<_> = std::iter::from_fn(|| candidates.pop()).collect();
        let all: Vec<_> = all.iter().flat_map(|candidate| candidates.parts(candidate)).collect();
        let of_part = [[0, 1], [-1, 0], [0, -1]].map(|arguments| part(PART, &arguments));
        assert_eq!(all[..3], of_part);
        assert_eq!(all[3..], [part(OTHER, &[0, 1])]);
    }

    #[test]
    fn refined_candidates_are_ordered_by_name() {
        let mut candidates = Candidates::new(vec![0, 2, 1], 10);
        candidates.start(PART, 1);
        let candidate = candidates.pop().unwrap();
        assert!(candidates.cover(&candidate).has(PART));
        candidates.refine(&candidate, &atom(PART, &[10]), &[atom(OTHER, &[11, 10])]);
        let refined = std::iter::from_fn(|| candidates.pop()).last().unwrap();
        let parts = candidates.parts(&refined);
        assert_eq!(parts, [part(OTHER, &[-1, 0]), part(PART, &[0])]);
        assert!(candidates.cover(&refined).has(OTHER) && !candidates.cover(&[]).has(PART));
    }
}
