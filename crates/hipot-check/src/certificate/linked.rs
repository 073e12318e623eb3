//! The maximum of a sum of terms over variables that the terms link.
//!
//! A term has an amount and a few facts, and counts in states that have all of them.
//! Variables that occur in one term are linked. The maximum of the sum is the sum of
//! the maxima over the connected components; [`elimination`] finds the maximum for a
//! component. All values of a variable that no term mentions are alike, so one of
//! them is enough. Values that mutexes rule out are omitted.
//!
//! Deciding whether a potential function with features of three facts is
//! consistent is coNP-complete (Theorem 2), so some certificates will always
//! be too hard. How hard a component is, is known before any sum is computed: from
//! the number of joint values of its buckets ([`elimination_order`]).
//!
//! Mutexes between two context values are not used, because the definition of
//! consistency that certificates are about does not use them either: a joint value
//! counts, even if no state of a plan has it, if each of its values alone is
//! possible.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::Value;

use super::elimination;
use super::elimination_order::{self, Bucket};
use super::integer::Integer;
use super::possible::Possible;
use super::potential::IndexedFact;

/// The maximum number of joint values that the verifier enumerates for one connected
/// component of linked variables, over all its buckets.
///
/// A component that has at most half as many joint values itself always stays below
/// this: the k-th bucket lacks k − 1 variables with at least two values each, so the
/// buckets together have less than twice as many joint values, in any order.
pub const MAX_JOINT_VALUES: usize = 4_000_000;

/// An amount that counts in states that have all facts.
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

/// Eliminating these variables would enumerate more than [`MAX_JOINT_VALUES`].
#[derive(Debug)]
pub(super) struct TooHard {
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
) -> Result<Maximum<N>, TooHard> {
    let candidates = Candidates::new(terms, possible);
    let placed: Vec<elimination::Term<'_, N>> =
        terms.iter().map(|term| candidates.place(term)).collect();
    let sizes: Vec<usize> = candidates.values.iter().map(Vec::len).collect();
    let Some(buckets) = buckets(&sizes, &placed) else {
        return Err(TooHard { variables: candidates.variables });
    };
    let (amount, best) = elimination::maximize(&sizes, &placed, buckets);
    let Candidates { variables, values } = candidates;
    let best = best.into_iter().zip(values).map(|(number, values)| values[number]);
    Ok(Maximum { amount, facts: variables.into_iter().zip(best).collect() })
}

/// The buckets in the order of elimination, unless that is too hard.
fn buckets<N>(sizes: &[usize], terms: &[elimination::Term<'_, N>]) -> Option<Vec<Bucket>> {
    let scope = |term: &elimination::Term<'_, N>| term.facts.iter().map(|fact| fact.0).collect();
    let scopes: BTreeSet<Vec<usize>> = terms.iter().map(scope).collect();
    elimination_order::buckets(sizes, &scopes, MAX_JOINT_VALUES)
}

/// The variables of some terms, and for each the values to look at.
struct Candidates {
    /// In order.
    variables: Vec<usize>,
    /// The values that terms mention, in order, and one that none mentions.
    values: Vec<Vec<Value>>,
}

impl Candidates {
    fn new<N>(terms: &[Term<N>], possible: &Possible<'_>) -> Self {
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
        let (variables, values) = candidates.into_iter().unzip();
        Self { variables, values }
    }

    /// A term with numbers of candidates for variables and values.
    fn place<'t, N>(&self, term: &'t Term<N>) -> elimination::Term<'t, N> {
        const LISTED: &str = "the fact is mentioned";
        let number = |&(variable, value): &IndexedFact| {
            let place = self.variables.binary_search(&variable).expect(LISTED);
            let mut values = self.values[place].iter();
            (place, values.position(|&it| it == value).expect(LISTED))
        };
        elimination::Term { amount: &term.amount, facts: term.facts.iter().map(number).collect() }
    }
}
