//! The maximum of a sum of terms over variables that the terms link.
//!
//! A term has an amount and a few facts, and counts where the state has them
//! all. Variables that occur in one term are linked; the maximum of the sum
//! is the sum of the maxima over the connected components, and in a component
//! every joint value is tried. All values of a variable that no term mentions
//! are alike, so one of them is enough. Values that mutexes rule out are not
//! tried.
//!
//! Deciding whether a potential function with features of three facts is
//! consistent is coNP-complete (Theorem 2), so some certificates will always
//! be too hard. Bucket elimination (Theorem 3) would go further than trying
//! everything; it is left to the planner, and what is so simple that nobody
//! doubts it is kept here.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::Value;

use super::integer::Integer;
use super::possible::Possible;
use super::potential::IndexedFact;

/// The most joint values of linked variables that the verifier tries for one
/// operator.
pub const MAX_ASSIGNMENTS: usize = 1_000_000;

/// An amount that counts where a state has all facts.
#[derive(Debug)]
pub(super) struct Term<N> {
    pub(super) amount: N,
    /// In the order of variables, at least one.
    pub(super) facts: Vec<IndexedFact>,
}

/// A maximum, and facts that attain it.
#[derive(Debug)]
pub(super) struct Maximum<N> {
    pub(super) amount: N,
    pub(super) facts: Vec<IndexedFact>,
}

impl<N: Integer> Maximum<N> {
    /// Adds the maximum over other variables.
    pub(super) fn add(&mut self, other: Self) {
        self.amount.add(&other.amount);
        self.facts.extend(other.facts);
    }
}

/// These variables have more than [`MAX_ASSIGNMENTS`] joint values.
#[derive(Debug)]
pub(super) struct TooManyAssignments {
    pub(super) variables: Vec<usize>,
}

/// The terms, split so that different parts share no variable.
pub(super) fn components<N>(terms: Vec<Term<N>>) -> Vec<Vec<Term<N>>> {
    let mut parent: BTreeMap<usize, usize> = BTreeMap::new();
    for term in &terms {
        let first = find(&mut parent, term.facts[0].0);
        for &(variable, _) in &term.facts {
            let root = find(&mut parent, variable);
            parent.insert(root, first);
        }
    }
    let mut parts: BTreeMap<usize, Vec<Term<N>>> = BTreeMap::new();
    for term in terms {
        parts.entry(find(&mut parent, term.facts[0].0)).or_default().push(term);
    }
    parts.into_values().collect()
}

/// The representative of a variable's component, by path halving.
fn find(parent: &mut BTreeMap<usize, usize>, variable: usize) -> usize {
    let mut variable = variable;
    loop {
        let above = *parent.entry(variable).or_insert(variable);
        if above == variable {
            return variable;
        }
        let next = parent[&above];
        parent.insert(variable, next);
        variable = next;
    }
}

/// The maximum of the sum of `terms` over all possible values of their
/// variables, each of which has at least two. What the terms mention is
/// possible.
pub(super) fn maximize<N: Integer>(
    terms: &[Term<N>],
    possible: &Possible<'_>,
) -> Result<Maximum<N>, TooManyAssignments> {
    let mut enumeration = Enumeration::new(terms, possible)?;
    enumeration.try_values(N::ZERO);
    let best = enumeration.best.expect("each variable has a value");
    let facts = enumeration.variables.into_iter().zip(best.1).collect();
    Ok(Maximum { amount: best.0, facts })
}

struct Enumeration<'t, N> {
    variables: Vec<usize>,
    /// For each variable, the values to try.
    candidates: Vec<Vec<Value>>,
    /// For each variable, the terms of which it is the last.
    terms: Vec<Vec<PlacedTerm<'t, N>>>,
    /// Values for the first few variables.
    assignment: Vec<Value>,
    best: Option<(N, Vec<Value>)>,
}

/// A term, with its variables as positions in the enumeration.
struct PlacedTerm<'t, N> {
    amount: &'t N,
    facts: Vec<(usize, Value)>,
}

impl<'t, N: Integer> Enumeration<'t, N> {
    fn new(terms: &'t [Term<N>], possible: &Possible<'_>) -> Result<Self, TooManyAssignments> {
        let mentioned: BTreeSet<IndexedFact> =
            terms.iter().flat_map(|term| term.facts.iter().copied()).collect();
        let mut candidates: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for (variable, value) in mentioned {
            candidates.entry(variable).or_default().push(value);
        }
        for (&variable, values) in &mut candidates {
            let mut all = possible.values(variable);
            values.extend(all.find(|value| values.binary_search(value).is_err()));
        }
        let (variables, candidates): (Vec<usize>, Vec<Vec<Value>>) = candidates.into_iter().unzip();
        let assignments = candidates
            .iter()
            .try_fold(1_usize, |product, values| product.checked_mul(values.len()));
        if assignments.is_none_or(|count| count > MAX_ASSIGNMENTS) {
            return Err(TooManyAssignments { variables });
        }
        let terms = place(terms, &variables);
        Ok(Self { variables, candidates, terms, assignment: Vec::new(), best: None })
    }

    /// Tries all values of the variables that have none yet. As each variable
    /// has two values or more, the recursion is not deep.
    fn try_values(&mut self, amount: N) {
        let depth = self.assignment.len();
        if depth == self.variables.len() {
            if self.best.as_ref().is_none_or(|best| amount > best.0) {
                self.best = Some((amount, self.assignment.clone()));
            }
            return;
        }
        for index in 0..self.candidates[depth].len() {
            self.assignment.push(self.candidates[depth][index]);
            let mut extended = amount.clone();
            for term in &self.terms[depth] {
                if term.facts.iter().all(|&(place, value)| self.assignment[place] == value) {
                    extended.add(term.amount);
                }
            }
            self.try_values(extended);
            self.assignment.pop();
        }
    }
}

/// The terms by the position of their last variable.
fn place<'t, N>(terms: &'t [Term<N>], variables: &[usize]) -> Vec<Vec<PlacedTerm<'t, N>>> {
    let mut placed: Vec<Vec<PlacedTerm<'t, N>>> = variables.iter().map(|_| Vec::new()).collect();
    let position = |variable: usize| variables.binary_search(&variable).expect("it is mentioned");
    for term in terms {
        let facts: Vec<(usize, Value)> =
            term.facts.iter().map(|&(variable, value)| (position(variable), value)).collect();
        let last = facts[facts.len() - 1].0;
        placed[last].push(PlacedTerm { amount: &term.amount, facts });
    }
    placed
}
