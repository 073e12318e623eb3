//! Which variable of a condition to set next, and to which values.

use hipot_pddl::ast::{Atom, Condition, ObjectId, PredicateId, Term, VariableId};

use super::scope::{Binding, Scope, pattern};
use super::state::{Tuple, matches};

/// Variables and the values to try for them.
pub(super) struct Choice {
    pub(super) variables: Vec<VariableId>,
    pub(super) values: Vec<Vec<ObjectId>>,
}

/// The variables to set next: those of the atom with the fewest matches, or the one with the
/// smallest range. At least one of `variables` must be open.
pub(super) fn next_choice(
    scope: Scope<'_>,
    variables: &[VariableId],
    condition: &Condition,
    wanted: bool,
    binding: &Binding,
) -> Choice {
    let is_open = |id: &&VariableId| binding[id.index()].is_none();
    let open: Vec<VariableId> = variables.iter().filter(is_open).copied().collect();
    let variable = *open.iter().min_by_key(|id| scope.range(**id).objects.len()).expect("open");
    let objects = &scope.range(variable).objects;
    let mut atoms = Vec::new();
    necessary_atoms(condition, wanted, &mut atoms);
    let has_open = |atom: &&Atom| {
        let is_open = |term: &Term| matches!(term, Term::Variable(id) if open.contains(id));
        atom.terms.iter().any(is_open)
    };
    let size = |atom: &&Atom| match_count(scope, atom, binding);
    match atoms.into_iter().filter(has_open).min_by_key(size) {
        Some(atom) if size(&atom) <= objects.len() => matches_of(scope, atom, &open, binding),
        _ => {
            let values = objects.iter().map(|&object| vec![object]).collect();
            Choice { variables: vec![variable], values }
        }
    }
}

/// An upper bound on the number of an atom's matches.
fn match_count(scope: Scope<'_>, atom: &Atom, binding: &Binding) -> usize {
    let pattern = pattern(atom, binding);
    if atom.predicate == PredicateId::EQUALITY {
        return if pattern == [None, None] { usize::MAX } else { 1 };
    }
    scope.state.relation(atom.predicate).candidates(&pattern).len()
}

/// The values that the atom's matches give to its variables in `open`.
fn matches_of(scope: Scope<'_>, atom: &Atom, open: &[VariableId], binding: &Binding) -> Choice {
    let mut pattern = pattern(atom, binding);
    if atom.predicate == PredicateId::EQUALITY {
        let known = pattern[0].or(pattern[1]).expect("one side is known");
        pattern = vec![Some(known); 2];
        return choice(scope, atom, open, [[known; 2].into()].iter(), &pattern);
    }
    let candidates = scope.state.relation(atom.predicate).candidates(&pattern);
    choice(scope, atom, open, candidates.iter(), &pattern)
}

fn choice<'t>(
    scope: Scope<'_>,
    atom: &Atom,
    open: &[VariableId],
    tuples: impl Iterator<Item = &'t Tuple>,
    pattern: &[Option<ObjectId>],
) -> Choice {
    let positions = |id: &VariableId| {
        let term = Term::Variable(*id);
        let positions = atom.terms.iter().enumerate().filter(move |(_, other)| **other == term);
        positions.map(|(position, _)| position).collect::<Vec<_>>()
    };
    let slots: Vec<(VariableId, Vec<usize>)> =
        open.iter().map(|id| (*id, positions(id))).filter(|(_, at)| !at.is_empty()).collect();
    let project = |tuple: &Tuple| {
        let value = |(variable, at): &(VariableId, Vec<usize>)| {
            let value = tuple[at[0]];
            let fits = at.iter().all(|&other| tuple[other] == value);
            (fits && scope.range(*variable).contains(value)).then_some(value)
        };
        slots.iter().map(value).collect::<Option<Vec<_>>>()
    };
    let mut values: Vec<_> =
        tuples.filter(|tuple| matches(tuple, pattern)).filter_map(project).collect();
    values.sort_unstable();
    values.dedup();
    Choice { variables: slots.into_iter().map(|(variable, _)| variable).collect(), values }
}

/// Atoms that are true wherever the condition has the value `wanted`; their
/// variables may be quantified inside the condition.
fn necessary_atoms<'c>(condition: &'c Condition, wanted: bool, found: &mut Vec<&'c Atom>) {
    match condition {
        Condition::Atom(atom) if wanted => found.push(atom),
        Condition::Not(part) => necessary_atoms(part, !wanted, found),
        Condition::And(parts) if wanted => {
            for part in parts {
                necessary_atoms(part, true, found);
            }
        }
        Condition::Or(parts) if !wanted => {
            for part in parts {
                necessary_atoms(part, false, found);
            }
        }
        Condition::Imply(premise, conclusion) if !wanted => {
            necessary_atoms(premise, true, found);
            necessary_atoms(conclusion, false, found);
        }
        Condition::Exists(_, part) if wanted => necessary_atoms(part, true, found),
        Condition::Forall(_, part) if !wanted => necessary_atoms(part, false, found),
        _ => {}
    }
}
