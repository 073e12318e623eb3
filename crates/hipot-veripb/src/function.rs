//! The function of a certificate, by the facts of its features.

use std::collections::{BTreeMap, BTreeSet};

use hipot_check::{BigInt, Certificate};
use hipot_task::{Task, Value};

use crate::error::ExportError;

/// A fact of a variable, by its index; `None` stands for `unknown`.
pub(crate) type Known = (usize, Option<Value>);

/// A feature of one or more facts of the task.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    /// Its number in the certificate, from 1.
    pub(crate) number: usize,
    /// Its facts, in the order of variables.
    pub(crate) facts: Vec<(usize, Value)>,
    pub(crate) weight: i128,
}

/// φ = (constant + Σ weights of true features) / denominator.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The bound that it has to reach together with what has been spent; `None` if no operator
    /// lowers it, so that it only has to be positive.
    pub(crate) bound: Option<u64>,
    pub(crate) denominator: i128,
    pub(crate) constant: i128,
    /// The features that can be true in states of the task, with weights that are not 0.
    pub(crate) features: Vec<Feature>,
    /// All weights, `unknown` included.
    weights: BTreeMap<Vec<Known>, i128>,
    /// The pairs of variables that features are about, and their features by index.
    pub(crate) pairs: BTreeMap<(usize, usize), Vec<usize>>,
    /// For each variable, the index of the feature of each value, if there is one.
    pub(crate) singles: Vec<Vec<Option<usize>>>,
    /// The sets of variables that some feature is about, `unknown` or not.
    subjects: BTreeSet<Vec<usize>>,
}

/// The most bits of a sum of weights and the bound together. It leaves room for multiples of them.
const BITS: u64 = 110;

impl Function {
    /// The function of a certificate about this task.
    pub(crate) fn new(
        task: &Task,
        number: usize,
        bound: Option<u64>,
        certificate: &Certificate,
    ) -> Result<Self, ExportError> {
        let integer = |it: &BigInt| i128::try_from(it).map_err(|_| ExportError::Weights);
        let singles = task.variables().iter().map(|it| vec![None; it.values.len()]).collect();
        let mut function = Self {
            number,
            bound,
            denominator: integer(certificate.denominator())?,
            constant: integer(certificate.constant())?,
            features: Vec::new(),
            weights: BTreeMap::new(),
            pairs: BTreeMap::new(),
            singles,
            subjects: BTreeSet::new(),
        };
        let magnitudes = certificate.features().map(|(weight, _)| weight.magnitude().clone());
        let sum =
            magnitudes.fold(certificate.denominator().magnitude().clone(), |sum, it| sum + it);
        let bits = (sum + certificate.constant().magnitude()).bits();
        if bits + u64::from(u64::BITS - bound.unwrap_or(0).leading_zeros()) > BITS {
            return Err(ExportError::Weights);
        }
        for (index, (weight, facts)) in certificate.features().enumerate() {
            if facts.len() > 2 {
                return Err(ExportError::Dimension { feature: index + 1, facts: facts.len() });
            }
            let facts: Vec<Known> =
                facts.iter().map(|fact| (fact.variable.index(), fact.value)).collect();
            let is_known = |&(variable, value): &Known| {
                let variable = task.variables().get(variable);
                variable.is_some_and(|it| value.is_none_or(|value| value < it.domain_size()))
            };
            if !facts.iter().all(is_known) {
                return Err(ExportError::UnknownFact { feature: index + 1 });
            }
            function.add(index + 1, facts, integer(weight)?);
        }
        Ok(function)
    }

    fn add(&mut self, number: usize, facts: Vec<Known>, weight: i128) {
        let values = facts.iter().map(|&(variable, value)| Some((variable, value?)));
        if let Some(values) = values.collect::<Option<Vec<_>>>()
            && weight != 0
        {
            let index = self.features.len();
            match values[..] {
                [(variable, value)] => self.singles[variable][value as usize] = Some(index),
                [first, second] => self.pairs.entry((first.0, second.0)).or_default().push(index),
                _ => unreachable!("features have one or two facts"),
            }
            self.features.push(Feature { number, facts: values, weight });
        }
        for &(variable, _) in &facts {
            self.subjects.insert(vec![variable]);
        }
        self.subjects.insert(facts.iter().map(|&(variable, _)| variable).collect());
        self.weights.insert(facts, weight);
    }

    /// The weight of a feature of one fact.
    pub(crate) fn single(&self, fact: Known) -> i128 {
        self.weights.get(&vec![fact]).copied().unwrap_or(0)
    }

    /// The weight of a feature of two facts of different variables, in any order.
    pub(crate) fn pair(&self, first: Known, second: Known) -> i128 {
        let (first, second) = if first.0 < second.0 { (first, second) } else { (second, first) };
        self.weights.get(&vec![first, second]).copied().unwrap_or(0)
    }

    /// The features about two variables, in any order.
    pub(crate) fn about(&self, first: usize, second: usize) -> &[usize] {
        let pair = (first.min(second), first.max(second));
        self.pairs.get(&pair).map_or(&[], Vec::as_slice)
    }

    /// Whether a feature is about this variable.
    pub(crate) fn mentions(&self, variable: usize) -> bool {
        self.subjects.contains(&vec![variable])
    }

    /// Whether a feature is about these two variables, `unknown` or not.
    pub(crate) fn is_pair(&self, first: usize, second: usize) -> bool {
        self.subjects.contains(&vec![first.min(second), first.max(second)])
    }

    /// φ times the denominator.
    pub(crate) fn value(&self, state: &[Value]) -> i128 {
        let holds = |feature: &&Feature| {
            feature.facts.iter().all(|&(variable, value)| state[variable] == value)
        };
        self.constant + self.features.iter().filter(holds).map(|it| it.weight).sum::<i128>()
    }

    /// The least value of φ times the denominator that is enough if so much has been spent.
    pub(crate) fn enough(&self, spent: u64) -> i128 {
        let missing = self.bound.map_or(1, |bound| i128::from(bound) - i128::from(spent));
        self.denominator * (missing - 1) + 1
    }

    /// A number that no value of φ times the denominator exceeds, in either direction.
    pub(crate) fn magnitude(&self) -> i128 {
        self.constant.abs() + self.weights.values().map(|weight| weight.abs()).sum::<i128>()
    }
}
