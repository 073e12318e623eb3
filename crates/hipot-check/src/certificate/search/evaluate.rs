//! The values of a function in states and in their successors.
//!
//! A function is φ = (constant + Σ weights of true features) / denominator, here for states of the
//! task, in which no value is `unknown`. The value of a successor is that of its parent, plus
//! what each changed variable changes, one after the other. Features of two facts are in a
//! table for each pair of variables, if it is not almost empty; all others that are larger than
//! one fact are found by their facts. Sums are of 64 bits if these suffice, else of any size.

use std::collections::BTreeMap;

use hipot_task::{Task, Value};
use num_bigint::{BigInt, BigUint};

use super::operators::Changed;
use crate::certificate::Certificate;
use crate::certificate::integer::{Integer, ceiling};

/// What a function says about states.
pub(super) trait Values {
    /// Moves to a state.
    fn enter(&mut self, state: &[Value]);

    /// Whether ⌈φ⌉ is at least this in the state entered last, after these changes.
    fn is_at_least(&mut self, changed: &[Changed], bound: u64) -> bool;

    /// ⌈φ⌉ after these changes, for messages.
    fn rounded(&mut self, changed: &[Changed]) -> BigInt;
}

/// The function of a certificate about `task`, whose features are proved to be about its facts.
pub(super) fn values(task: &Task, certificate: &Certificate) -> Box<dyn Values> {
    if fits_in_64_bits(certificate) {
        Box::new(Function::<i64>::new(task, certificate))
    } else {
        Box::new(Function::<BigInt>::new(task, certificate))
    }
}

/// Whether sums of up to twice all weights, and the denominator, need at most 63 bits.
fn fits_in_64_bits(certificate: &Certificate) -> bool {
    const BITS: u64 = 60;
    let mut sum: BigUint = certificate.denominator().magnitude().clone();
    sum += certificate.constant().magnitude();
    sum += certificate.features().map(|(weight, _)| weight.magnitude()).sum::<BigUint>();
    sum.bits() <= BITS
}

/// The integers that functions are evaluated with.
trait Number: Integer + 'static {
    /// Whether ⌈`self` / `denominator`⌉ is at least `bound`, which is positive.
    fn rounds_to(&self, denominator: &Self, bound: u64) -> bool;
}

impl Number for i64 {
    fn rounds_to(&self, denominator: &Self, bound: u64) -> bool {
        i128::from(*self) > (i128::from(bound) - 1) * i128::from(*denominator)
    }
}

impl Number for BigInt {
    fn rounds_to(&self, denominator: &Self, bound: u64) -> bool {
        *self > (Self::from(bound) - 1) * denominator
    }
}

/// The weights of the features about two variables, as one of them sees them.
struct Pair {
    /// The index of the other variable.
    other: usize,
    /// The weight for values d of this variable and e of the other one is at
    /// `begin + d * own_step + e * other_step`.
    begin: usize,
    own_step: usize,
    other_step: usize,
}

/// A feature that is in no table.
struct Larger<N> {
    facts: Vec<(usize, Value)>,
    weight: N,
}

struct Function<N> {
    denominator: N,
    constant: N,
    /// The place of each variable's first fact in tables over facts.
    first: Vec<usize>,
    /// The weight of each fact.
    weights: Vec<N>,
    /// The pairs that each variable is in, and their tables.
    pairs: Vec<Vec<Pair>>,
    tables: Vec<N>,
    larger: Vec<Larger<N>>,
    /// For each fact, the features among `larger` that mention it.
    mentions: Vec<Vec<u32>>,
    /// The current state and the numerator of φ in it.
    state: Vec<Value>,
    current: N,
}

/// A table has at most so many entries for each feature in it.
const ENTRIES_PER_FEATURE: usize = 16;

impl<N: Number> Function<N> {
    fn new(task: &Task, certificate: &Certificate) -> Self {
        let mut first = vec![0];
        for variable in task.variables() {
            first.push(first[first.len() - 1] + variable.values.len());
        }
        let facts = first[first.len() - 1];
        let mut function = Self {
            denominator: N::from_big(certificate.denominator()),
            constant: N::from_big(certificate.constant()),
            first,
            weights: vec![N::ZERO; facts],
            pairs: task.variables().iter().map(|_| Vec::new()).collect(),
            tables: Vec::new(),
            larger: Vec::new(),
            mentions: vec![Vec::new(); facts],
            state: task.initial().to_vec(),
            current: N::ZERO,
        };
        let begins = function.add_tables(certificate);
        for (weight, facts) in certificate.features() {
            let known = facts.iter().map(|fact| Some((fact.variable.index(), fact.value?)));
            // What mentions `unknown` is false in states of the task.
            if let Some(facts) = known.collect::<Option<Vec<_>>>() {
                function.add(facts, N::from_big(weight), &begins);
            }
        }
        function
    }

    /// Makes room for a table for each pair of variables that deserves one; returns where they
    /// begin.
    fn add_tables(&mut self, certificate: &Certificate) -> BTreeMap<(usize, usize), usize> {
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (_, facts) in certificate.features() {
            if let [one, other] = facts {
                *counts.entry((one.variable.index(), other.variable.index())).or_default() += 1;
            }
        }
        let mut begins = BTreeMap::new();
        for ((one, other), count) in counts {
            let [own, others] = [one, other].map(|it| self.first[it + 1] - self.first[it]);
            if own.saturating_mul(others) <= ENTRIES_PER_FEATURE * count {
                let begin = self.tables.len();
                begins.insert((one, other), begin);
                self.tables.resize(begin + own * others, N::ZERO);
                self.pairs[one].push(Pair { other, begin, own_step: others, other_step: 1 });
                let mirrored = Pair { other: one, begin, own_step: 1, other_step: others };
                self.pairs[other].push(mirrored);
            }
        }
        begins
    }

    fn add(
        &mut self,
        facts: Vec<(usize, Value)>,
        weight: N,
        begins: &BTreeMap<(usize, usize), usize>,
    ) {
        match facts[..] {
            [fact] => {
                let place = self.place(fact);
                self.weights[place].add(&weight);
            }
            [one, other] if begins.contains_key(&(one.0, other.0)) => {
                let others = self.first[other.0 + 1] - self.first[other.0];
                let place = one.1 as usize * others + other.1 as usize;
                self.tables[begins[&(one.0, other.0)] + place].add(&weight);
            }
            _ => {
                for &fact in &facts {
                    let place = self.place(fact);
                    self.mentions[place].push(self.larger.len() as u32);
                }
                self.larger.push(Larger { facts, weight });
            }
        }
    }

    fn place(&self, (variable, value): (usize, Value)) -> usize {
        self.first[variable] + value as usize
    }

    /// The numerator of φ after these changes.
    fn after(&mut self, changed: &[Changed]) -> N {
        let mut sum = self.current.clone();
        for &(variable, before, after) in changed {
            self.each_weight((variable, before), |weight| sum.subtract(weight));
            self.state[variable] = after;
            self.each_weight((variable, after), |weight| sum.add(weight));
        }
        for &(variable, before, _) in changed {
            self.state[variable] = before;
        }
        sum
    }

    /// Calls `found` with the weights of the true features that mention a fact, which is true.
    fn each_weight(&self, fact: (usize, Value), mut found: impl FnMut(&N)) {
        let (variable, own) = (fact.0, fact.1 as usize);
        found(&self.weights[self.place(fact)]);
        for pair in &self.pairs[variable] {
            let other = self.state[pair.other] as usize;
            found(&self.tables[pair.begin + own * pair.own_step + other * pair.other_step]);
        }
        for &number in &self.mentions[self.place(fact)] {
            let Larger { facts, weight } = &self.larger[number as usize];
            if facts.iter().all(|&(variable, value)| self.state[variable] == value) {
                found(weight);
            }
        }
    }
}

impl<N: Number> Values for Function<N> {
    fn enter(&mut self, state: &[Value]) {
        self.state.copy_from_slice(state);
        let mut sum = self.constant.clone();
        for (variable, &value) in state.iter().enumerate() {
            sum.add(&self.weights[self.place((variable, value))]);
            // Each pair is counted with its first variable.
            for pair in self.pairs[variable].iter().filter(|pair| pair.other > variable) {
                let other = state[pair.other] as usize;
                let place = pair.begin + value as usize * pair.own_step + other * pair.other_step;
                sum.add(&self.tables[place]);
            }
        }
        for Larger { facts, weight } in &self.larger {
            if facts.iter().all(|&(variable, value)| state[variable] == value) {
                sum.add(weight);
            }
        }
        self.current = sum;
    }

    fn is_at_least(&mut self, changed: &[Changed], bound: u64) -> bool {
        bound == 0 || self.after(changed).rounds_to(&self.denominator, bound)
    }

    fn rounded(&mut self, changed: &[Changed]) -> BigInt {
        ceiling(&self.after(changed).to_big(), &self.denominator.to_big())
    }
}

#[cfg(test)]
mod tests {
    use hipot_task::Rng;
    use hipot_testing::RandomTask;

    use super::*;
    use crate::certificate::{Claim, FeatureFact, fingerprint};

    /// Features of up to three facts, with some duplicates left out.
    fn random(task: &Task, rng: &mut Rng, factor: i128) -> Certificate {
        let mut features: BTreeMap<Vec<FeatureFact>, i128> = BTreeMap::new();
        for _ in 0..rng.below(60) {
            let mut facts = Vec::new();
            for id in task.variable_ids() {
                if facts.len() < 3 && rng.chance(40) {
                    let value = rng.below(task.variable(id).domain_size());
                    facts.push(FeatureFact::new(id, Some(value)));
                }
            }
            if !facts.is_empty() {
                features.insert(facts, (i128::from(rng.below(41)) - 20) * factor);
            }
        }
        let features = features.into_iter().map(|(facts, weight)| (weight, facts));
        Certificate::new(fingerprint(task), Claim::Bound(0), 3, -factor, features).unwrap()
    }

    fn from_scratch(certificate: &Certificate, state: &[Value]) -> BigInt {
        let holds = |fact: &FeatureFact| Some(state[fact.variable.index()]) == fact.value;
        let features = certificate.features().filter(|(_, facts)| facts.iter().all(holds));
        let sum = features.fold(certificate.constant().clone(), |sum, (weight, _)| sum + weight);
        ceiling(&sum, certificate.denominator())
    }

    #[test]
    fn values_after_changes_are_those_of_the_successors() {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let task = RandomTask { variables: 6, ..RandomTask::default() }.generate(seed);
            let factor = if rng.chance(50) { 1 } else { 1 << 90 };
            let certificate = random(&task, &mut rng, factor);
            let mut values = values(&task, &certificate);
            let mut random_state = || -> Vec<Value> {
                let sizes = task.variables().iter().map(hipot_task::Variable::domain_size);
                sizes.map(|size| rng.below(size)).collect()
            };
            let (state, successor) = (random_state(), random_state());
            let differ = |&variable: &usize| state[variable] != successor[variable];
            let changed: Vec<Changed> = (0..state.len())
                .filter(differ)
                .map(|variable| (variable, state[variable], successor[variable]))
                .collect();
            values.enter(&state);
            let expected = from_scratch(&certificate, &successor);
            assert_eq!(values.rounded(&changed), expected, "seed {seed}");
            assert_eq!(values.rounded(&[]), from_scratch(&certificate, &state), "seed {seed}");
            for bound in [1, 2, 5, u64::MAX] {
                let is_at_least = expected >= BigInt::from(bound);
                assert_eq!(values.is_at_least(&changed, bound), is_at_least, "seed {seed}");
            }
        }
    }
}
