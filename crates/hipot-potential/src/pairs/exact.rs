//! The exact check, for all operators, over the table of pairs.
//!
//! What a group's changes take from φ through features with each fact of the context is a
//! sum of rows of the table. For each variable of the context, take the maximum of these over
//! its possible values; the sum of the maxima, plus what does not depend on the context, is
//! the largest decrease of φ by the operator: Theorem 1 in integers.

use hipot_task::{FactId, OperatorId, Value, VariableId};

use super::classes::{Classes, NO_FEATURE};
use super::groups::{Group, Member};
use crate::certify::{Violation, Weights};
use crate::exclusions::Excluded;
use crate::feature::Features;
use crate::helpers::Helpers;
use crate::normal_form::NormalForm;

/// A weight for each class of features.
pub(super) struct ClassWeights<'a> {
    normal: &'a NormalForm,
    classes: &'a Classes,
    groups: &'a [Group],
    /// The weight of class c is `numerators[c]`.
    numerators: Vec<i64>,
}

impl<'a> ClassWeights<'a> {
    /// `numerators` are the weights of the classes from 1 on; class 0 gets the weight 0.
    pub(super) fn new(
        normal: &'a NormalForm,
        classes: &'a Classes,
        groups: &'a [Group],
        mut numerators: Vec<i64>,
    ) -> Self {
        numerators.insert(NO_FEATURE as usize, 0);
        Self { normal, classes, groups, numerators }
    }

    /// The task in normal form.
    pub(super) fn normal(&self) -> &'a NormalForm {
        self.normal
    }

    /// The operators.
    pub(super) fn groups(&self) -> &'a [Group] {
        self.groups
    }

    /// The classes.
    pub(super) fn classes(&self) -> &'a Classes {
        self.classes
    }

    /// Adds to the weight of a class.
    pub(super) fn add(&mut self, class: usize, added: i64) {
        self.numerators[class] = self.numerators[class].saturating_add(added);
    }

    fn weight(&self, a: FactId, b: FactId) -> i64 {
        self.numerators[self.classes.class(a, b) as usize]
    }

    /// Adds to `taken`, for each fact of a variable, what the group takes from φ through
    /// features with it.
    fn add_up(&self, group: &Group, variable: VariableId, taken: &mut [i64]) {
        for &(before, after) in &group.changes {
            let before = self.classes.with_facts_of(before, variable);
            let rows = before.iter().zip(self.classes.with_facts_of(after, variable));
            for (sum, (&before, &after)) in taken.iter_mut().zip(rows) {
                *sum += self.numerators[before as usize] - self.numerators[after as usize];
            }
        }
    }

    /// Calls `found` with each wanted operator of some groups and the most that it takes from φ in
    /// any possible context.
    pub(super) fn for_each_decrease(
        &self,
        groups: &[Group],
        is_wanted: impl Fn(OperatorId) -> bool,
        mut found: impl FnMut(OperatorId, i128),
    ) {
        let (normal, facts) = (self.normal, self.classes.facts());
        let mut taken = vec![0; facts.len()];
        let mut maxima = vec![0; facts.variable_count()];
        for group in groups {
            let mut wanted = group.members.iter().filter(|it| is_wanted(it.operator)).peekable();
            if wanted.peek().is_none() {
                continue;
            }
            let context = self.classes.pairs().context(&group.changed(facts));
            for &variable in &context {
                let of_variable = &mut taken[facts.range(variable)];
                self.add_up(group, variable, of_variable);
                maxima[variable.index()] =
                    *of_variable.iter().max().expect("variables have values");
            }
            let independent = self.independent(group);
            let contexts = Contexts { normal, context: &context, taken: &taken, maxima: &maxima };
            for member in wanted {
                if let Some(largest) = contexts.largest(member) {
                    found(member.operator, (independent + largest).into());
                }
            }
            for &variable in &context {
                taken[facts.range(variable)].fill(0);
                maxima[variable.index()] = 0;
            }
        }
    }

    /// What the group takes from φ through features on changed variables only.
    fn independent(&self, group: &Group) -> i64 {
        let mut sum = 0;
        for (position, &(before, after)) in group.changes.iter().enumerate() {
            for &(other_before, other_after) in &group.changes[..=position] {
                sum += self.weight(before, other_before) - self.weight(after, other_after);
            }
        }
        sum
    }
}

impl Weights for ClassWeights<'_> {
    fn absolute_sum(&self) -> i128 {
        let sizes = (0..).map(|class| i128::from(self.classes.size(class)));
        self.numerators.iter().zip(sizes).map(|(&it, size)| i128::from(it).abs() * size).sum()
    }

    fn largest_decreases(
        &self,
        helpers: &Helpers,
        found: &mut dyn FnMut(OperatorId, i128) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        let parts = helpers.share(self.groups.len(), |range| {
            let mut decreases = Vec::new();
            let groups = &self.groups[range];
            self.for_each_decrease(groups, |_| true, |operator, it| decreases.push((operator, it)));
            decreases
        });
        parts.into_iter().flatten().try_for_each(|(operator, decrease)| found(operator, decrease))
    }

    fn value(&self, state: &[Value]) -> i64 {
        let mut sum = 0;
        self.classes.for_each_true(state, |class| sum += self.numerators[class as usize]);
        sum
    }

    /// The features, in the order of [`Features::complete`], and their weights.
    fn expand(self) -> (Features, Vec<i64>) {
        let (classes, facts) = (self.classes, self.classes.facts());
        let others = |a: FactId| {
            let own = facts.variable(a);
            let paired = classes.pairs().paired_with(own).iter();
            let later = paired.filter(move |&&other| other > own);
            later.flat_map(|&other| facts.of_variable(other)).map(move |b| (a, b))
        };
        let atoms = facts.ids().map(|fact| (fact, fact));
        let is_feature = |&(a, b): &(FactId, FactId)| classes.class(a, b) != NO_FEATURE;
        let features: Vec<_> =
            atoms.chain(facts.ids().flat_map(others)).filter(is_feature).collect();
        let weights = features.iter().map(|&(a, b)| self.weight(a, b)).collect();
        (Features::of_pairs(facts.clone(), features), weights)
    }
}

/// What a group takes from φ, by context.
struct Contexts<'a> {
    normal: &'a NormalForm,
    context: &'a [VariableId],
    /// For each fact, what the group takes through features with it.
    taken: &'a [i64],
    /// For each variable, the maximum of `taken` over its facts.
    maxima: &'a [i64],
}

impl Contexts<'_> {
    /// The most that an operator takes from φ in any possible context; `None` if it
    /// has none.
    fn largest(&self, member: &Member) -> Option<i64> {
        let facts = self.normal.facts();
        let excluded = Excluded::new(self.normal, member.operator)?;
        let all: i64 = self.context.iter().map(|variable| self.maxima[variable.index()]).sum();
        let of_prevail = member
            .prevail
            .iter()
            .map(|&fact| self.taken[fact.index()] - self.maxima[facts.variable(fact).index()]);
        let mut largest = all + of_prevail.sum::<i64>();
        if self.normal.mutexes().is_none() {
            return Some(largest);
        }
        let free = self.context.iter().filter(|&&variable| !member.requires(variable, facts));
        for &variable in free {
            let allowed = facts.of_variable(variable).filter(|&fact| !excluded.contains(fact));
            let maximum = allowed.map(|fact| self.taken[fact.index()]).max()?;
            largest += maximum - self.maxima[variable.index()];
        }
        Some(largest)
    }
}
