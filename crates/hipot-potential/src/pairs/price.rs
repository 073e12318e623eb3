//! Which pairs of variables, and which pairs of facts, can raise the bound.
//!
//! The dual values of an LP over some features count how often each operator
//! is used: y_o times, in a relaxed plan that leaves every fact (and every pair
//! of facts that is a feature) as often as it enters it, except for the initial
//! state and the goal. The column of a pair f = {a, w} that is not a feature yet
//! has the reduced cost
//!
//! ```text
//! [f in s_I] + (times f is entered) − [f in s_⋆] − (times f is left).
//! ```
//!
//! How often operators enter and leave f is known for those that mention the
//! variables of both facts. One that changes the variable of a and does not
//! mention that of w may count for any value of the latter: the LP can split its
//! y_o freely among the rows of Eq. 9 for the values. So there is an interval for
//! each of the two numbers. If no choice balances them, this dual solution does
//! not extend to the LP with f, so f can raise the bound. The smallest possible
//! difference is the *excess*
//! of f. If it is 0 for all facts of two variables, the pair may still help: the
//! choice that balances one pair of facts need not balance another, and the next
//! relaxed plan will be a different one. Such pairs are ranked by how often the
//! relaxed plan uses operators that mention both variables.
//!
//! An excess needs an operator that mentions both variables, so everything here
//! is sparse: the work is quadratic in the number of variables that an operator
//! mentions.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use hipot_analysis::Mention;
use hipot_task::{Fact, FactId, Facts, Growth, Limits, Stop, Value, VariableId};

use super::pair_set::{FactPair, PairSet, VariablePair};
use crate::normal_form::NormalForm;

/// How promising a pair of variables or facts is; compared field by field, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(crate) struct Price {
    /// The excess of a pair of facts, or the sum of those of a pair of variables.
    pub(crate) excess: f64,
    /// How often the relaxed plan uses operators that mention both variables and
    /// change at least one, or how often such operators enter and leave a pair of facts.
    pub(crate) uses: f64,
    /// The number of such operators; 0 for pairs of facts.
    pub(crate) operators: f64,
}

/// The prices of pairs.
#[derive(Debug, Default)]
pub(crate) struct Prices {
    /// Of pairs of variables that some operator mentions.
    pub(crate) of_variables: BTreeMap<VariablePair, Price>,
    /// Of pairs of facts that the relaxed plan touches, or that are true in the state or s_⋆.
    pub(crate) of_facts: BTreeMap<FactPair, Price>,
    /// How often the relaxed plan enters and leaves each fact.
    pub(crate) uses_of_facts: Vec<f64>,
}

/// About what is noted about a pair of variables or facts, in maps that are not full.
const BYTES_OF_PAIR: u64 = 128;

/// Smaller counts are considered the solver's noise.
const MIN_COUNT: f64 = 1e-6;

/// The prices of pairs that are not in `known`, given how often a dual solution for `state` uses
/// each operator.
pub(crate) fn price(
    normal: &NormalForm,
    counts: &[f64],
    state: &[Value],
    known: &PairSet,
    limits: &Limits,
) -> Result<Prices, Stop> {
    let mut prices = Prices::default();
    let facts = normal.facts();
    let mut flow = Flow::new(facts);
    let mut growth = Growth::default();
    for operator in normal.operator_ids() {
        limits.check()?;
        let count = counts[operator.index()];
        let is_used = count > MIN_COUNT;
        let mentions = normal.mentions(operator);
        let pairs = mentions.len() * mentions.len() / 2;
        growth.add(pairs as u64 * BYTES_OF_PAIR, limits)?;
        if is_used {
            flow.make_room(pairs, limits)?;
            flow.add_single(mentions, count);
        }
        for_each_pair(mentions, |one, other| {
            let pair = (facts.variable(one.before), facts.variable(other.before));
            if known.has_all(pair.0, pair.1) {
                return;
            }
            let price = prices.of_variables.entry(pair).or_default();
            price.operators += 1.0;
            if is_used {
                price.uses += count;
                flow.left.add((one.before, other.before), count);
                flow.entered.add((one.after, other.after), count);
            }
        });
    }
    growth.add((flow.entered.0.len() + flow.left.0.len()) as u64 * BYTES_OF_PAIR, limits)?;
    let candidates = flow.candidates(&prices.of_variables, state, normal.goal());
    for ((a, w), (is_initial, is_goal)) in candidates {
        let pair = (facts.variable(a), facts.variable(w));
        if known.part(pair.0, pair.1).is_some_and(|part| part.contains(&(a, w))) {
            continue;
        }
        let excess = flow.excess(a, w, is_initial, is_goal);
        let price = prices.of_variables.get_mut(&pair).expect("some operator mentions both");
        price.excess += excess;
        let uses = flow.entered.get((a, w)) + flow.left.get((a, w));
        growth.add(BYTES_OF_PAIR, limits)?;
        prices.of_facts.insert((a, w), Price { excess, uses, operators: 0.0 });
    }
    let uses = flow.single_entered.iter().zip(&flow.single_left);
    prices.uses_of_facts = uses.map(|(entered, left)| entered + left).collect();
    Ok(prices)
}

/// Calls `found` with each pair of mentions of which at least one is a change.
fn for_each_pair(mentions: &[Mention], mut found: impl FnMut(Mention, Mention)) {
    for (position, &other) in mentions.iter().enumerate() {
        for &one in &mentions[..position] {
            if one.is_change() || other.is_change() {
                found(one, other);
            }
        }
    }
}

/// Sums by key.
struct Sums<K>(HashMap<K, f64>);

impl<K: Copy + Hash + Eq> Sums<K> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    /// Asks for memory for a map of double size, if so many more entries may need one.
    fn make_room(&self, entries: usize, limits: &Limits) -> Result<(), Stop> {
        if self.0.capacity() - self.0.len() >= entries {
            return Ok(());
        }
        let capacity = 2 * self.0.capacity() + entries;
        limits.reserve(2 * (capacity * size_of::<(K, f64)>()) as u64)
    }

    fn add(&mut self, key: K, value: f64) {
        *self.0.entry(key).or_default() += value;
    }

    fn get(&self, key: K) -> f64 {
        self.0.get(&key).copied().unwrap_or(0.0)
    }
}

/// How often the relaxed plan enters and leaves facts and pairs of facts.
struct Flow<'a> {
    facts: &'a Facts,
    /// For each fact, by all operators.
    single_entered: Vec<f64>,
    single_left: Vec<f64>,
    /// For a fact and a variable, by operators that mention the variable.
    mentioning_entered: Sums<(FactId, VariableId)>,
    mentioning_left: Sums<(FactId, VariableId)>,
    /// For a pair of facts, by operators that mention both variables.
    entered: Sums<(FactId, FactId)>,
    left: Sums<(FactId, FactId)>,
}

impl<'a> Flow<'a> {
    fn new(facts: &'a Facts) -> Self {
        Self {
            facts,
            single_entered: vec![0.0; facts.len()],
            single_left: vec![0.0; facts.len()],
            mentioning_entered: Sums::new(),
            mentioning_left: Sums::new(),
            entered: Sums::new(),
            left: Sums::new(),
        }
    }

    /// Asks for memory for so many pairs more in each map.
    fn make_room(&self, pairs: usize, limits: &Limits) -> Result<(), Stop> {
        for of_pairs in [&self.entered, &self.left] {
            of_pairs.make_room(pairs, limits)?;
        }
        for of_variables in [&self.mentioning_entered, &self.mentioning_left] {
            of_variables.make_room(2 * pairs, limits)?;
        }
        Ok(())
    }

    fn add_single(&mut self, mentions: &[Mention], count: f64) {
        for changed in mentions.iter().filter(|mention| mention.is_change()) {
            self.single_left[changed.before.index()] += count;
            self.single_entered[changed.after.index()] += count;
            for other in mentions {
                let variable = self.facts.variable(other.before);
                self.mentioning_left.add((changed.before, variable), count);
                self.mentioning_entered.add((changed.after, variable), count);
            }
        }
    }

    /// The pairs of facts that may have an excess, in order, and whether they are
    /// true in the initial state and at the goal.
    fn candidates(
        &self,
        prices: &BTreeMap<VariablePair, Price>,
        state: &[Value],
        goal: &[Value],
    ) -> BTreeMap<(FactId, FactId), (bool, bool)> {
        let keys = self.entered.0.keys().chain(self.left.0.keys());
        let mut candidates: BTreeMap<_, _> = keys.map(|&key| (key, (false, false))).collect();
        let fact = |values: &[Value], variable: VariableId| {
            self.facts.id(Fact::new(variable, values[variable.index()]))
        };
        for (&(one, other), _) in prices.iter().filter(|(_, price)| price.uses > 0.0) {
            candidates.entry((fact(state, one), fact(state, other))).or_default().0 = true;
            candidates.entry((fact(goal, one), fact(goal, other))).or_default().1 = true;
        }
        candidates
    }

    /// The smallest possible difference between how often {a, w} is entered and left.
    fn excess(&self, a: FactId, w: FactId, is_initial: bool, is_goal: bool) -> f64 {
        let open = |single: &[f64], mentioning: &Sums<(FactId, VariableId)>| {
            let open = |fact: FactId, other: FactId| {
                single[fact.index()] - mentioning.get((fact, self.facts.variable(other)))
            };
            open(a, w) + open(w, a)
        };
        let entered = self.entered.get((a, w)) + f64::from(u8::from(is_initial));
        let left = self.left.get((a, w)) + f64::from(u8::from(is_goal));
        let max_entered = entered + open(&self.single_entered, &self.mentioning_entered);
        let max_left = left + open(&self.single_left, &self.mentioning_left);
        let excess = (entered - max_left).max(left - max_entered);
        if excess > MIN_COUNT { excess } else { 0.0 }
    }
}
