//! Bucket elimination (Theorem 4 of the paper): the maximum of a sum of terms
//! with small scopes.
//!
//! Let f be the sum, and V a variable. Only some terms mention V; let g be the
//! sum of these, which depends on V and the variables W₁, …, Wₖ that V is linked
//! with, its *bucket*, and h that of all others. For every joint value of the
//! variables but V,
//!
//! > max over V of f = (max over V of g) + h,
//!
//! because h does not depend on V. The maximum of g over V is a table over W₁,
//! …, Wₖ, the *message* of V. It replaces the terms that mention V, and one variable
//! less remains. When none remains, the sum of what is left is
//! the maximum of f. This holds for every order of the variables; which one is
//! taken decides how large the buckets are (module `elimination_order`).
//!
//! In each bucket, g is written out as a table: first 0, then each term is
//! added where its facts hold, and each message that came to this bucket
//! everywhere. A term or message belongs to the bucket of the first of its
//! variables to be eliminated, so each is added once. A bucket takes as many
//! numbers as it has joint values, and as much time as that for each of its
//! terms and messages, less for a term with many facts. Enumerating everything, as
//! an earlier version did, takes the product of all domains; this takes the sum over
//! the buckets: a chain of 40 variables is as cheap as 40 links.
//!
//! All numbers are exact. Every entry of every table is the sum of the terms
//! that hold for one joint value of some variables, each of them counted once,
//! so what [`integer`](super::integer) says about overflow holds for tables too.
//!
//! To find values that attain the maximum, variables get theirs in the opposite
//! order: each the first value for which g, given what its bucket has already,
//! is greatest. This is why messages are kept. Together they have at most half the
//! entries of all buckets, since each variable has at least two values.
//!
//! The planner eliminates as well, to build and to certify its LPs. This is an
//! independent implementation, written from the theorem.

use super::elimination_order::Bucket;
use super::integer::Integer;
use super::table::Table;

/// An amount that counts where all facts hold.
#[derive(Debug)]
pub(super) struct Term<'t, N> {
    pub(super) amount: &'t N,
    /// Numbers of variables and of values, at least one.
    pub(super) facts: Vec<(usize, usize)>,
}

/// The maximum of the sum of terms, and values of all variables that attain it.
/// `sizes` has the number of values of each variable.
pub(super) fn maximize<N: Integer>(
    sizes: &[usize],
    terms: &[Term<'_, N>],
    buckets: Vec<Bucket>,
) -> (N, Vec<usize>) {
    let mut elimination = Elimination::new(sizes, terms, buckets);
    let amount = elimination.eliminate_all();
    (amount, elimination.values())
}

struct Elimination<'t, N> {
    sizes: &'t [usize],
    /// When each variable is eliminated.
    turns: Vec<usize>,
    /// In the order of elimination.
    buckets: Vec<Contents<'t, N>>,
}

/// A variable with all terms and messages that mention it when it is eliminated.
struct Contents<'t, N> {
    /// The variables of the bucket, the last to be eliminated first; so the
    /// variable that it is about comes last.
    scope: Vec<usize>,
    terms: Vec<&'t Term<'t, N>>,
    messages: Vec<Table<N>>,
}

impl<'t, N: Integer> Elimination<'t, N> {
    fn new(sizes: &'t [usize], terms: &'t [Term<'t, N>], buckets: Vec<Bucket>) -> Self {
        let mut turns = vec![0; sizes.len()];
        for (turn, bucket) in buckets.iter().enumerate() {
            turns[bucket.variable] = turn;
        }
        let contents = |bucket: Bucket| {
            let mut scope = bucket.linked;
            scope.push(bucket.variable);
            scope.sort_unstable_by_key(|&variable| std::cmp::Reverse(turns[variable]));
            Contents { scope, terms: Vec::new(), messages: Vec::new() }
        };
        let mut buckets: Vec<Contents<'t, N>> = buckets.into_iter().map(contents).collect();
        for term in terms {
            let turns = term.facts.iter().map(|fact| turns[fact.0]);
            buckets[turns.min().expect("a term has a fact")].terms.push(term);
        }
        Self { sizes, turns, buckets }
    }

    /// Eliminates all variables; returns the maximum.
    fn eliminate_all(&mut self) -> N {
        let mut maximum = N::ZERO;
        for turn in 0..self.buckets.len() {
            let message = self.buckets[turn].sum(self.sizes).maximize_last(self.sizes);
            match message.last_variable() {
                Some(next) => self.buckets[self.turns[next]].messages.push(message),
                None => maximum.add(message.at(&[], self.sizes)),
            }
        }
        maximum
    }

    /// Values that attain the maximum, when all variables are eliminated.
    fn values(&self) -> Vec<usize> {
        let mut values = vec![0; self.sizes.len()];
        for bucket in self.buckets.iter().rev() {
            let variable = bucket.scope[bucket.scope.len() - 1];
            let mut best: Option<(N, usize)> = None;
            for value in 0..self.sizes[variable] {
                values[variable] = value;
                let amount = bucket.sum_at(&values, self.sizes);
                if best.as_ref().is_none_or(|best| amount > best.0) {
                    best = Some((amount, value));
                }
            }
            values[variable] = best.expect("each variable has a value").1;
        }
        values
    }
}

impl<N: Integer> Contents<'_, N> {
    /// The sum of all contents, for each joint value of the bucket.
    fn sum(&self, sizes: &[usize]) -> Table<N> {
        let mut sum = Table::zero(self.scope.clone(), sizes);
        for term in &self.terms {
            sum.add_where(&term.facts, term.amount, sizes);
        }
        for message in &self.messages {
            sum.add_table(message, sizes);
        }
        sum
    }

    /// The sum for one joint value; the values of variables outside the bucket do not
    /// matter.
    fn sum_at(&self, values: &[usize], sizes: &[usize]) -> N {
        let mut sum = N::ZERO;
        for term in &self.terms {
            if term.facts.iter().all(|&(variable, value)| values[variable] == value) {
                sum.add(term.amount);
            }
        }
        for message in &self.messages {
            sum.add(message.at(values, sizes));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use num_bigint::BigInt;

    use super::super::elimination_order;
    use super::*;
    use hipot_task::Rng;

    type Terms = Vec<(i128, Vec<(usize, usize)>)>;

    /// Up to 15 terms of up to four facts each on up to seven variables.
    fn random_terms(rng: &mut Rng) -> (Vec<usize>, Terms) {
        let sizes: Vec<usize> = (0..=rng.below(7)).map(|_| 2 + rng.below(2) as usize).collect();
        let fact = |rng: &mut Rng| {
            let variable = rng.below(sizes.len() as u32) as usize;
            (variable, rng.below(sizes[variable] as u32) as usize)
        };
        let term = |rng: &mut Rng| {
            let mut facts: Vec<_> = (0..=rng.below(4)).map(|_| fact(rng)).collect();
            facts.sort_unstable();
            facts.dedup_by_key(|fact| fact.0);
            (i128::from(rng.below(41)) - 20, facts)
        };
        let terms = (0..=rng.below(15)).map(|_| term(rng)).collect();
        (sizes, terms)
    }

    /// The buckets for some order, the definition taken literally.
    fn random_buckets(sizes: &[usize], terms: &Terms, rng: &mut Rng) -> Vec<Bucket> {
        let scope = |facts: &[(usize, usize)]| facts.iter().map(|fact| fact.0).collect();
        let mut scopes: Vec<BTreeSet<usize>> = terms.iter().map(|it| scope(&it.1)).collect();
        let mut left: Vec<usize> = (0..sizes.len()).collect();
        let mut buckets = Vec::new();
        while !left.is_empty() {
            let variable = left.remove(rng.below(left.len() as u32) as usize);
            let (with, without) = scopes.into_iter().partition(|it| it.contains(&variable));
            scopes = without;
            let mut linked: BTreeSet<usize> = Vec::into_iter(with).flatten().collect();
            linked.remove(&variable);
            buckets.push(Bucket { variable, linked: linked.iter().copied().collect() });
            scopes.push(linked);
        }
        buckets
    }

    /// The sum of the terms for one joint value.
    fn sum(terms: &Terms, values: &[usize]) -> i128 {
        let holds = |facts: &[(usize, usize)]| facts.iter().all(|&(v, value)| values[v] == value);
        terms.iter().filter(|(_, facts)| holds(facts)).map(|(amount, _)| amount).sum()
    }

    /// The maximum, by trying everything.
    fn enumerate(sizes: &[usize], terms: &Terms) -> i128 {
        let mut joint_values = vec![Vec::new()];
        for &size in sizes {
            let extend = |values: &Vec<usize>| {
                let values = values.clone();
                (0..size).map(move |value| [&values[..], &[value]].concat())
            };
            joint_values = joint_values.iter().flat_map(extend).collect();
        }
        joint_values.iter().map(|values| sum(terms, values)).max().unwrap()
    }

    /// The maximum for all amounts times `factor`.
    fn maximize_scaled<N: Integer>(
        sizes: &[usize],
        terms: &Terms,
        factor: &BigInt,
        buckets: Vec<Bucket>,
    ) -> (BigInt, Vec<usize>) {
        let scaled = |term: &(i128, _)| N::from_big(&(factor * term.0));
        let amounts: Vec<N> = terms.iter().map(scaled).collect();
        let facts = terms.iter().map(|(_, facts)| facts.clone());
        let terms: Vec<Term<'_, N>> =
            amounts.iter().zip(facts).map(|(amount, facts)| Term { amount, facts }).collect();
        let (amount, values) = maximize(sizes, &terms, buckets);
        (amount.to_big(), values)
    }

    #[test]
    fn elimination_finds_what_enumeration_finds_in_every_order() {
        let (one, large) = (BigInt::from(1), BigInt::from(1) << 130);
        for seed in 0..3000 {
            let mut rng = Rng::new(seed);
            let (sizes, terms) = random_terms(&mut rng);
            let expected = enumerate(&sizes, &terms);
            let scope = |(_, facts): &(i128, Vec<(usize, usize)>)| -> Vec<usize> {
                facts.iter().map(|fact| fact.0).collect()
            };
            let scopes = terms.iter().map(scope).collect();
            let greedy = elimination_order::buckets(&sizes, &scopes, 1_000_000).unwrap();
            let any = random_buckets(&sizes, &terms, &mut rng);
            for buckets in [greedy, any] {
                let again = buckets.clone();
                let (amount, values) = maximize_scaled::<i128>(&sizes, &terms, &one, buckets);
                assert_eq!(amount, expected.into(), "seed {seed}");
                assert_eq!(sum(&terms, &values), expected, "seed {seed}");
                let scaled = maximize_scaled::<BigInt>(&sizes, &terms, &large, again);
                assert_eq!(scaled, (amount * &large, values), "seed {seed}");
            }
        }
    }
}
