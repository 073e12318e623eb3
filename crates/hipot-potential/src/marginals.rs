//! How often each fact is true in a random state.
//!
//! Without mutexes, a random state has each value of a variable equally often, independently of
//! the other variables. With mutexes, most of these states are impossible. Counting the possible
//! ones is hard, but there is a bound in closed form (Fišer, Horčík and Komenda, ICAPS 2020): a
//! state that contains the facts p has, for each variable, a value that is mutex with none of p.
//! So at most Π_V |F_V \ M_p| states contain p, where F_V are the facts of V and M_p those that
//! are mutex with a fact of p. The share of a fact f among those of its variable is that of
//!
//!   Σ_g Π_V |F_V \ M_{f,g}|,
//!
//! over the facts g of all other variables. Every state is counted once for each other variable,
//! so the share is exact if there are no more than three variables. For tasks with very many facts
//! it is that of Π_V |F_V \ M_f|.
//!
//! *Only facts are counted, not pairs of them.* The same formula gives a number for each pair of
//! facts, but then the pairs of one fact with the values of a variable do not add up to the share of
//! the fact. Weights can be moved from facts to such pairs without a change of φ, so an objective
//! with these numbers has no maximum. A feature of several facts gets the product of their shares.

use hipot_analysis::{FactRow, FactSet, Mutexes};
use hipot_task::{FactId, Facts, Limits, Stop, VariableId};

use crate::normal_form::NormalForm;

/// Pairs of facts are counted if that takes at most so many products.
const MAX_FACTORS: usize = 200_000_000;

/// For each fact, the share of the states in which it is true; `unknown` is true in none.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals(Vec<f64>);

impl Marginals {
    /// All states of the original task, possible or not.
    pub fn uniform(normal: &NormalForm) -> Self {
        let facts = normal.facts();
        Self::normalized(facts, |id| if is_known(normal, id) { 0.0 } else { f64::NEG_INFINITY })
    }

    /// The states of the original task without mutexes, approximately.
    pub fn without_mutexes(
        normal: &NormalForm,
        mutexes: &Mutexes,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let facts = normal.facts();
        let counter = Counter::new(normal, mutexes);
        let factors = facts.len().saturating_pow(2).saturating_mul(facts.variable_count());
        let mut counts = Vec::with_capacity(facts.len());
        for fact in facts.ids() {
            limits.check()?;
            counts.push(match counter.is_impossible(fact) {
                true => f64::NEG_INFINITY,
                false if factors > MAX_FACTORS => counter.states_with(fact),
                false => counter.states_with_pairs_of(fact),
            });
        }
        let is_possible = |id: VariableId| facts.range(id).any(|it| counts[it].is_finite());
        if !facts.variable_ids().all(is_possible) {
            // There is no possible state.
            return Ok(Self::uniform(normal));
        }
        Ok(Self::normalized(facts, |id| counts[id.index()]))
    }

    /// The share of the states in which a fact is true.
    pub fn share(&self, fact: FactId) -> f64 {
        self.0[fact.index()]
    }

    /// The shares within each variable, by the logarithms of counts.
    fn normalized(facts: &Facts, count: impl Fn(FactId) -> f64) -> Self {
        let mut shares: Vec<f64> = facts.ids().map(count).collect();
        for variable in facts.variable_ids() {
            let shares = &mut shares[facts.range(variable)];
            let all = log_of_sum(shares.iter().copied());
            for share in shares {
                *share = (*share - all).exp();
            }
        }
        Self(shares)
    }
}

fn is_known(normal: &NormalForm, id: FactId) -> bool {
    let fact = normal.facts().fact(id);
    normal.unknown(fact.variable) != Some(fact.value)
}

/// Counts states; all numbers are logarithms.
struct Counter<'a> {
    facts: &'a Facts,
    mutexes: &'a Mutexes,
    /// The facts that are true in no state.
    impossible: FactSet,
}

impl<'a> Counter<'a> {
    fn new(normal: &'a NormalForm, mutexes: &'a Mutexes) -> Self {
        let facts = normal.facts();
        let mut impossible = FactSet::new(facts);
        let is_impossible = |&id: &FactId| !is_known(normal, id) || mutexes.is_dead(facts.fact(id));
        facts.ids().filter(is_impossible).for_each(|id| impossible.insert(id));
        Self { facts, mutexes, impossible }
    }

    fn is_impossible(&self, fact: FactId) -> bool {
        self.impossible.contains(fact)
    }

    /// The facts that are in no state together with `fact`, except other values of its variable.
    fn excluded_by(&self, fact: FactId) -> FactSet {
        let mut excluded = self.impossible.clone();
        excluded.union_with(self.mutexes.partners(fact));
        excluded
    }

    /// The states with a fact.
    fn states_with(&self, fact: FactId) -> f64 {
        self.states(&self.excluded_by(fact), &[fact])
    }

    /// The states with a fact, once for each other variable.
    fn states_with_pairs_of(&self, fact: FactId) -> f64 {
        let with_fact = self.excluded_by(fact);
        let is_partner = |&other: &FactId| {
            self.facts.variable(other) != self.facts.variable(fact) && !with_fact.contains(other)
        };
        let others = self.facts.ids().filter(is_partner);
        let counts = others.map(|other| {
            let mut excluded = with_fact.clone();
            excluded.union_with(self.mutexes.partners(other));
            self.states(&excluded, &[fact, other])
        });
        match self.facts.variable_count() {
            1 => 0.0,
            _ => log_of_sum(counts.collect::<Vec<_>>().into_iter()),
        }
    }

    /// The states with the facts `of`, which exclude others.
    fn states(&self, excluded: &FactSet, of: &[FactId]) -> f64 {
        let row = FactRow::from(excluded);
        let mut sum = 0.0;
        for variable in self.facts.variable_ids() {
            if of.iter().all(|&fact| self.facts.variable(fact) != variable) {
                let range = self.facts.range(variable);
                sum += ((range.len() - row.count_within(range)) as f64).ln();
            }
        }
        sum
    }
}

/// The logarithm of a sum, given those of its terms.
fn log_of_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let max = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if max == f64::NEG_INFINITY {
        return max;
    }
    max + logs.map(|log| (log - max).exp()).sum::<f64>().ln()
}
