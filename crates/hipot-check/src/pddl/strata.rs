//! The order in which derived predicates are computed.
//!
//! A rule may use the negation of a derived predicate only if that predicate is in a
//! lower stratum, and so is complete before. The sign of an occurrence is determined by
//! the number of `not`s and premises of `imply` around it. `forall` and `exists` do not
//! change it, so a predicate may depend on itself inside either. Strata are defined for
//! predicates: a task is rejected if only its ground rules are stratified, for the
//! objects that it happens to have.

use std::collections::BTreeMap;
use std::fmt;

use hipot_pddl::ast::{Condition, PredicateId, Task};

/// A derived predicate depends on its own negation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotStratified {
    /// The names of the predicates: the first depends on the negation of the
    /// second, each of the others on the next, the last on the first.
    pub cycle: Vec<String>,
}

impl fmt::Display for NotStratified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut others = self.cycle.iter().cycle();
        f.write_str("the rules of derived predicates are not stratified: ")?;
        if let (Some(first), Some(second)) = (others.next(), others.next()) {
            write!(f, "'{first}' depends on the negation of '{second}'")?;
        }
        for next in others.take(self.cycle.len() - 1) {
            write!(f, ", which depends on '{next}'")?;
        }
        f.write_str("; rules that are stratified only for the objects at hand are not supported")
    }
}

/// For each derived predicate, the derived predicates that it depends on, and whether it
/// depends on their negation.
type Dependencies = BTreeMap<PredicateId, Vec<(PredicateId, bool)>>;

/// The stratum of each predicate: 0 for those that actions change.
pub(super) fn strata(task: &Task) -> Result<Vec<usize>, NotStratified> {
    let dependencies = dependencies(task);
    if let Some(cycle) = negative_cycle(&dependencies) {
        let name = |id: PredicateId| task.predicates[id.index()].name.clone();
        return Err(NotStratified { cycle: cycle.into_iter().map(name).collect() });
    }
    let is_derived = task.predicates.iter().map(|predicate| usize::from(predicate.is_derived));
    let mut strata: Vec<usize> = is_derived.collect();
    loop {
        let mut changed = false;
        for (head, used) in &dependencies {
            for (predicate, negated) in used {
                let least = strata[predicate.index()] + usize::from(*negated);
                if strata[head.index()] < least {
                    strata[head.index()] = least;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(strata);
        }
    }
}

fn dependencies(task: &Task) -> Dependencies {
    let mut dependencies = Dependencies::new();
    for rule in &task.rules {
        let mut used = Vec::new();
        signed_predicates(&rule.condition, true, &mut used);
        let derived = used.into_iter().filter(|(id, _)| task.predicates[id.index()].is_derived);
        let signed = derived.map(|(id, positive)| (id, !positive));
        dependencies.entry(rule.predicate).or_default().extend(signed);
    }
    for used in dependencies.values_mut() {
        used.sort_unstable();
        used.dedup();
    }
    dependencies
}

/// The predicates of a condition with the signs of their occurrences.
pub(super) fn signed_predicates(
    condition: &Condition,
    positive: bool,
    found: &mut Vec<(PredicateId, bool)>,
) {
    match condition {
        Condition::Atom(atom) => found.push((atom.predicate, positive)),
        Condition::Not(part) => signed_predicates(part, !positive, found),
        Condition::And(parts) | Condition::Or(parts) => {
            for part in parts {
                signed_predicates(part, positive, found);
            }
        }
        Condition::Imply(premise, conclusion) => {
            signed_predicates(premise, !positive, found);
            signed_predicates(conclusion, positive, found);
        }
        Condition::Exists(_, part) | Condition::Forall(_, part) => {
            signed_predicates(part, positive, found);
        }
    }
}

/// A cycle whose first step is a negation.
fn negative_cycle(dependencies: &Dependencies) -> Option<Vec<PredicateId>> {
    for (head, used) in dependencies {
        for (predicate, negated) in used {
            if *negated && let Some(path) = path(dependencies, *predicate, *head) {
                let back = path.into_iter().filter(|id| id != head);
                return Some(std::iter::once(*head).chain(back).collect());
            }
        }
    }
    None
}

/// A shortest path of dependencies, both ends included.
fn path(
    dependencies: &Dependencies,
    from: PredicateId,
    to: PredicateId,
) -> Option<Vec<PredicateId>> {
    let mut reached_from = BTreeMap::from([(from, from)]);
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&predicate) = queue.get(next) {
        next += 1;
        if predicate == to {
            let mut path = vec![to];
            while path[path.len() - 1] != from {
                path.push(reached_from[&path[path.len() - 1]]);
            }
            path.reverse();
            return Some(path);
        }
        for (used, _) in dependencies.get(&predicate).into_iter().flatten() {
            reached_from.entry(*used).or_insert_with(|| {
                queue.push(*used);
                predicate
            });
        }
    }
    None
}
