//! Which sets of variables come next, as far as they fit.

use std::collections::BTreeMap;

use hipot_task::{Limits, Stop, Task, Value, VariableId};

use super::price::{Partners, Priced, Prices};
use super::relaxed_plan::Use;
use super::sets::{Sets, VariableSet};
use super::width::Widths;
use crate::feature::{Facts, Features, frequent_values};
use crate::function::PotentialFunction;
use crate::model::{Size, predict_with};
use crate::optimize::Extent;
use crate::pairs::Exclusions;

/// About how many nonzeros there are for a table entry, before an LP tells.
const NONZEROS_PER_ENTRY: f64 = 3.0;

/// What is aimed at of the size that is allowed: predictions may fall short.
const AIM: f64 = 0.8;

/// How many sets may be refused for their size before no more are tried.
const MOST_REFUSED: usize = 100;

/// Chooses sets of variables for a task, round by round.
pub(super) struct Chooser<'a> {
    task: &'a Task,
    facts: Facts,
    references: Vec<Value>,
    exclusions: Exclusions,
    dimension: usize,
    partners: Partners,
    widths: Widths,
    sets: Sets,
}

impl<'a> Chooser<'a> {
    pub(super) fn new(
        task: &'a Task,
        dimension: usize,
        exclusions: Exclusions,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let facts = Facts::new(task);
        // The values that are possible for each operator.
        limits.reserve(8 * (task.operators().len() * facts.variable_count()) as u64)?;
        let widths = Widths::new(task, &facts, &exclusions, limits)?;
        let partners = Partners::new(task, &facts, limits)?;
        let references = frequent_values(task);
        let sets = Sets::default();
        Ok(Self { task, facts, references, exclusions, dimension, partners, widths, sets })
    }

    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(super) fn exclusions(&self) -> &Exclusions {
        &self.exclusions
    }

    /// How many sets of variables have features.
    pub(super) fn extent(&self) -> Extent {
        Extent::Larger { pairs: self.sets.pairs(), sets: self.sets.larger().count() }
    }

    /// All features, if the LP over them has at most so many nonzeros.
    pub(super) fn all(&self, most: u64) -> Option<Features> {
        let count = Features::complete_count(&self.facts, self.dimension);
        if count > most || self.widths.entries_for_all() > most {
            return None;
        }
        let features = Features::complete(self.facts.clone(), self.dimension, &self.references);
        let size = predict_with(self.task, &features, &self.exclusions).ok()?;
        (size.nonzeros <= most).then_some(features)
    }

    /// The features to begin with: on all pairs of variables, or on those on
    /// which `function` has the largest weights, if the LP has at most so many
    /// nonzeros.
    pub(super) fn begin(
        &mut self,
        function: &PotentialFunction,
        most: u64,
        limits: &Limits,
    ) -> Result<Option<(Features, Size)>, Stop> {
        let weights = pair_weights(function);
        let mut ranked: Vec<(&VariableSet, f64)> =
            weights.iter().map(|(it, &sum)| (it, sum)).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        let ranked = ranked.into_iter().map(|(pair, _)| pair.clone());
        let room = Room { nonzeros: AIM * most as f64, per_entry: NONZEROS_PER_ENTRY };
        let added = self.add(ranked, room, limits)?;
        Ok(self.fitting(added, most))
    }

    /// Adds the most promising sets of variables, so that the LP grows by about
    /// `added` nonzeros and has at most `most`. `uses` is the relaxed plan of an LP
    /// of this `size` over the features so far. `None` if none fits.
    pub(super) fn extend(
        &mut self,
        uses: Vec<Use>,
        state: &[Value],
        size: Size,
        (added, most): (u64, u64),
        limits: &Limits,
    ) -> Result<Option<(Features, Size)>, Stop> {
        let prices = Prices::new(self.task, &self.facts, uses, state);
        let priced = prices.price(&self.sets, &self.partners, self.dimension, limits)?;
        log(&priced);
        let per_entry = size.nonzeros as f64 / self.widths.entries().max(1) as f64;
        let room = Room { nonzeros: AIM * added as f64, per_entry: per_entry.max(1.0) };
        let added = self.add(priced.into_iter().map(|it| it.set), room, limits)?;
        Ok(self.fitting(added, most))
    }

    /// Adds sets of variables as long as there is room; those that were added.
    fn add(
        &mut self,
        ranked: impl Iterator<Item = VariableSet>,
        mut room: Room,
        limits: &Limits,
    ) -> Result<Vec<VariableSet>, Stop> {
        let (mut added, mut refused) = (Vec::new(), 0);
        for set in ranked {
            limits.check()?;
            let missing = self.sets.missing(&set);
            let features = missing.iter().map(|set| self.most_features(set)).sum::<f64>();
            let grown = self.widths.add(&missing, room.entries(features));
            if let Some(entries) = grown {
                room.nonzeros -= features + entries as f64 * room.per_entry;
                self.sets.extend(missing.iter().cloned());
                added.extend(missing);
            } else {
                refused += 1;
                if refused > MOST_REFUSED {
                    break;
                }
            }
        }
        Ok(added)
    }

    /// How many features a set of variables has at most.
    fn most_features(&self, set: &[VariableId]) -> f64 {
        set.iter().map(|&variable| (self.facts.domain_size(variable) - 1) as f64).product()
    }

    /// The features so far and the size of their LP. Of the sets that were
    /// `added` last, some go again if it has more than `most` nonzeros.
    fn fitting(&mut self, mut added: Vec<VariableSet>, most: u64) -> Option<(Features, Size)> {
        while !added.is_empty() {
            let features = self.sets.features(&self.facts, &self.references);
            match predict_with(self.task, &features, &self.exclusions) {
                Ok(size) if size.nonzeros <= most => return Some((features, size)),
                _ => self.sets.remove(added.split_off(added.len() / 2)),
            }
        }
        None
    }
}

/// How much the LP may still grow.
struct Room {
    nonzeros: f64,
    /// How many nonzeros a table entry stands for.
    per_entry: f64,
}

impl Room {
    /// How many table entries there may be besides so many features.
    fn entries(&self, features: f64) -> u64 {
        #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
        let entries = ((self.nonzeros - features) / self.per_entry).max(0.0) as u64;
        entries
    }
}

/// The sum of the absolute weights on each pair of variables.
fn pair_weights(function: &PotentialFunction) -> BTreeMap<VariableSet, f64> {
    let (features, weights) = (function.features(), function.weights());
    let mut sums: BTreeMap<VariableSet, f64> = BTreeMap::new();
    for feature in features.ids() {
        let conjuncts = features.conjuncts(feature);
        if conjuncts.len() == 2 {
            let pair = conjuncts.iter().map(|&fact| features.facts().variable(fact)).collect();
            *sums.entry(pair).or_default() += weights[feature.index()].unsigned_abs() as f64;
        }
    }
    sums
}

fn log(priced: &[Priced]) {
    let with_excess = priced.iter().filter(|it| it.excess > 0.0).count();
    tracing::debug!("{} sets of variables priced, {with_excess} with an excess", priced.len());
    for Priced { set, excess, uses } in priced.iter().take(5) {
        let set: Vec<usize> = set.iter().map(|variable| variable.index()).collect();
        tracing::trace!("variables {set:?}: excess {excess:.3}, uses {uses:.3}");
    }
}
