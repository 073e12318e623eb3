//! The exact check, for all operators, over the table of pairs.

use hipot_task::{OperatorId, Task, Value, VariableId};

use super::classes::{Classes, NO_FEATURE};
use super::formulate::PairModel;
use super::parts::{Part, Requirement, parts};
use crate::certify::{Costs, LARGEST_SUM, Least, Violation};
use crate::feature::Features;
use crate::function::PotentialFunction;

/// Calls `found` with each operator that changes something and the most that
/// it takes from φ in any state, where class c has the weight `weights[c]`.
///
/// Sums of absolute weights over all features must be below 2⁶².
pub(crate) fn largest_decreases(
    task: &Task,
    classes: &Classes,
    weights: &[i64],
    mut found: impl FnMut(OperatorId, i64),
) {
    let facts = classes.facts();
    let mut taken = vec![0; facts.len()];
    let mut maxima = vec![0; facts.variable_count()];
    for part in parts(task, facts) {
        let context = classes.scope().context(&part.changed(facts));
        for &variable in &context {
            let of_variable = &mut taken[classes.of_variable(variable)];
            add_up(&part, classes, weights, variable, of_variable);
            maxima[variable.index()] = *of_variable.iter().max().expect("variables have values");
        }
        let independent = independent(&part, classes, weights);
        for requirement in &part.requirements {
            let contexts = Contexts { classes, context: &context, taken: &taken, maxima: &maxima };
            if let Some(most) = contexts.most(&part, requirement) {
                found(requirement.operator, independent + most);
            }
        }
        for &variable in &context {
            taken[classes.of_variable(variable)].fill(0);
            maxima[variable.index()] = 0;
        }
    }
}

/// What a part takes from φ through features with each fact, and the most for
/// each variable.
struct Contexts<'a> {
    classes: &'a Classes,
    context: &'a [VariableId],
    taken: &'a [i64],
    maxima: &'a [i64],
}

impl Contexts<'_> {
    /// The most that an operator takes in any context that it can have; `None`
    /// if it can have none.
    fn most(&self, part: &Part, requirement: &Requirement) -> Option<i64> {
        let facts = self.classes.facts();
        let excluded = self.classes.exclusions().of(part, requirement)?;
        let all: i64 = self.context.iter().map(|variable| self.maxima[variable.index()]).sum();
        let of_prevail = requirement
            .prevail
            .iter()
            .map(|&fact| self.taken[fact as usize] - self.maxima[facts.variable_of(fact).index()]);
        let mut most = all + of_prevail.sum::<i64>();
        if self.classes.exclusions().mutexes().is_none() {
            return Some(most);
        }
        let requires = |variable: VariableId| {
            requirement.prevail.iter().any(|&fact| facts.variable_of(fact) == variable)
        };
        for &variable in self.context.iter().filter(|&&variable| !requires(variable)) {
            let allowed = facts.range_of(variable).filter(|&fact| !excluded.contains(fact as u32));
            let greatest = allowed.map(|fact| self.taken[fact]).max()?;
            most += greatest - self.maxima[variable.index()];
        }
        Some(most)
    }
}

/// What the part takes from φ through features with each fact of a variable.
fn add_up(
    part: &Part,
    classes: &Classes,
    weights: &[i64],
    variable: VariableId,
    taken: &mut [i64],
) {
    for &(before, after) in &part.changes {
        let before = classes.with_facts_of(before, variable);
        let rows = before.iter().zip(classes.with_facts_of(after, variable));
        for (sum, (&before, &after)) in taken.iter_mut().zip(rows) {
            *sum += weights[before as usize] - weights[after as usize];
        }
    }
}

/// What the part takes through features on changed variables only.
fn independent(part: &Part, classes: &Classes, weights: &[i64]) -> i64 {
    let weight = |a: u32, b: u32| weights[classes.class(a, b) as usize];
    let mut sum = 0;
    for (position, &(before, after)) in part.changes.iter().enumerate() {
        for &(other_before, other_after) in &part.changes[..=position] {
            sum += weight(before, other_before) - weight(after, other_after);
        }
    }
    sum
}

impl PairModel {
    /// The function whose classes have the weights `numerators` /
    /// `denominator`, checked for every operator of `task`, with the least
    /// denominator and φ(s_⋆) = 0.
    pub(super) fn certify_for(
        &self,
        task: &Task,
        mut numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
    ) -> Result<PotentialFunction, Violation> {
        let classes = &self.classes;
        // Class 0 is no feature.
        numerators.insert(0, 0);
        let sizes = (0..).map(|class| i128::from(classes.size(class)));
        let sum: i128 =
            numerators.iter().zip(sizes).map(|(&it, size)| i128::from(it).abs() * size).sum();
        if sum >= LARGEST_SUM {
            return Err(Violation::TooLarge);
        }
        let mut least = Least::new(task, costs);
        let mut result = Ok(());
        largest_decreases(task, classes, &numerators, |operator, decrease| {
            if result.is_ok() {
                result = least.add(operator, decrease.into());
            }
        });
        result?;
        let denominator = least.denominator(denominator)?;
        let goal: Vec<Value> = task.goal().iter().map(|fact| fact.value).collect();
        let constant = -classes.value(&goal, &numerators);
        let (features, weights) = expand(classes, &numerators);
        Ok(PotentialFunction { features, weights, constant, denominator })
    }
}

/// The features, in the order of [`Features::complete`], and their weights.
fn expand(classes: &Classes, weights: &[i64]) -> (Features, Vec<i64>) {
    let facts = classes.facts();
    let count = facts.len() as u32;
    let atoms = (0..count).map(|fact| (fact, fact));
    let others = |a: u32| {
        let own = facts.variable_of(a);
        let paired = classes.scope().paired_with(own).iter().filter(move |&&other| other > own);
        paired.flat_map(|&other| facts.range_of(other)).map(move |b| (a, b as u32))
    };
    let pairs = (0..count).flat_map(others);
    let is_feature = |&(a, b): &(u32, u32)| classes.class(a, b) != NO_FEATURE;
    let features: Vec<_> = atoms.chain(pairs).filter(is_feature).collect();
    let of_features = features.iter().map(|&(a, b)| weights[classes.class(a, b) as usize]);
    let of_features = of_features.collect();
    (Features::of_pairs(facts.clone(), features), of_features)
}
