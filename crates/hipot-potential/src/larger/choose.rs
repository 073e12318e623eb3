//! Which sets of variables to add next, as far as they fit.
//!
//! Sets are added greedily in the order of their rank: by the weights of a known function for
//! the first LP, by [price](super::price) later. A set is added together with its missing
//! subsets if the predicted growth of the LP fits into the room that is left, and skipped
//! otherwise. The growth is predicted from the number of table entries ([`Widths`]), times the
//! number of nonzeros per entry in the last LP.
//!
//! That is an estimate, so only a part of the allowed size is used. Afterwards the exact size
//! is [computed](crate::textbook::predict); while it is too large, the later half of the added
//! sets is removed again.
//!
//! Of sets that do not fit, single conjunctions of facts are added instead: in the first LP those
//! with the largest weights, later those with the largest excesses.

use std::collections::{BTreeMap, BTreeSet};

use hipot_lp::Size;
use hipot_task::{FactId, Limits, Stop, Value, VariableId};

use super::price::{Partners, Priced, Prices};
use super::relaxed_plan::Use;
use super::sets::{Conjunction, Sets, VariableSet};
use super::width::Widths;
use crate::certify::Certified;
use crate::feature::{Features, frequent_values};
use crate::normal_form::NormalForm;
use crate::report::Extent;
use crate::textbook::predict;

/// The approximate number of nonzeros per table entry, before an LP is known.
const NONZEROS_PER_ENTRY: f64 = 3.0;

/// The share of the allowed size that is used: predictions may be too low.
const TARGET_SHARE: f64 = 0.8;

/// The number of sets that may be too large before no more are tried.
const MAX_REJECTED: usize = 100;

/// The maximum number of single conjunctions that are added at once.
const MAX_CONJUNCTIONS: usize = 200;

/// Chooses sets of variables for a task, round by round.
pub(super) struct SetChooser<'a> {
    normal: &'a NormalForm,
    references: Vec<Value>,
    dimension: usize,
    partners: Partners,
    widths: Widths,
    sets: Sets,
}

impl<'a> SetChooser<'a> {
    pub(super) fn new(
        normal: &'a NormalForm,
        dimension: usize,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        // The sizes of the domains, for each operator.
        let entries = normal.task().operators().len() * normal.facts().variable_count();
        limits.reserve(8 * entries as u64)?;
        let widths = Widths::new(normal, limits)?;
        let partners = Partners::new(normal, limits)?;
        let (references, sets) = (frequent_values(normal), Sets::default());
        Ok(Self { normal, references, dimension, partners, widths, sets })
    }

    /// The numbers of sets of variables that have features.
    pub(super) fn extent(&self) -> Extent {
        let (pairs, sets) = self.sets.counts(self.normal.facts());
        Extent::Larger { pairs, sets }
    }

    /// The features of the sets so far.
    pub(super) fn features(&self) -> Features {
        self.sets.features(self.normal.facts(), &self.references)
    }

    /// All features; `None` if the LP over them has more than `max_nonzeros`.
    pub(super) fn all(&self, max_nonzeros: u64) -> Option<Features> {
        let facts = self.normal.facts();
        let count = Features::complete_count(facts, self.dimension);
        if count > max_nonzeros || self.widths.entries_for_all() > max_nonzeros {
            return None;
        }
        let features = Features::complete(facts.clone(), self.dimension, &self.references);
        let size = predict(self.normal, &features).ok()?;
        (size.nonzeros <= max_nonzeros).then_some(features)
    }

    /// The features to begin with, and the size of their LP: on the pairs of variables
    /// on which `function` has the largest weights, as many as fit into `max_nonzeros`.
    /// `None` if none fits.
    pub(super) fn begin(
        &mut self,
        function: &Certified,
        max_nonzeros: u64,
        limits: &Limits,
    ) -> Result<Option<(Features, Size)>, Stop> {
        let weights = pair_weights(function);
        let mut ranked: Vec<(&VariableSet, f64)> =
            weights.iter().map(|(it, &sum)| (it, sum)).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        let ranked = ranked.into_iter().map(|(pair, _)| pair.clone());
        let nonzeros = TARGET_SHARE * max_nonzeros as f64;
        let room = Room { nonzeros, per_entry: NONZEROS_PER_ENTRY };
        let Added { sets, rejected } = self.add(ranked, room, limits)?;
        let fitting = self.fitting(sets, max_nonzeros);
        let single = weights_of_pairs(function, &rejected);
        Ok(self.add_single(single, max_nonzeros).or(fitting))
    }

    /// Adds the most promising sets of variables, so that the LP grows by about
    /// `growth.added` nonzeros and has at most `growth.max`. `uses` is the relaxed plan of the
    /// LP over the features so far, which has this `size`. `None` if no set fits.
    pub(super) fn extend(
        &mut self,
        uses: &[Use],
        state: &[Value],
        size: Size,
        growth: Growth,
        limits: &Limits,
    ) -> Result<Option<(Features, Size)>, Stop> {
        let prices = Prices::new(self.normal, uses, state);
        let priced = prices.price(&self.sets, &self.partners, self.dimension, limits)?;
        log(&priced);
        let per_entry = size.nonzeros as f64 / self.widths.entries().max(1) as f64;
        let nonzeros = TARGET_SHARE * growth.added as f64;
        let room = Room { nonzeros, per_entry: per_entry.max(1.0) };
        let ranked = priced.iter().map(|it| it.set.clone());
        let Added { sets, rejected } = self.add(ranked, room, limits)?;
        let fitting = self.fitting(sets, growth.max);
        let max = growth.max.min(size.nonzeros + growth.added);
        let of_rejected = priced.into_iter().filter(|it| rejected.contains(&it.set));
        let single = of_rejected.flat_map(|it| it.conjunctions).collect();
        Ok(self.add_single(single, max).or(fitting))
    }

    /// Adds the highest of these conjunctions, as many as fit into an LP with `max` nonzeros;
    /// `None` if none fits.
    fn add_single(
        &mut self,
        mut ranked: Vec<(Conjunction, f64)>,
        max: u64,
    ) -> Option<(Features, Size)> {
        ranked.retain(|(conjunction, _)| !self.sets.has_conjunction(conjunction));
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranked.truncate(MAX_CONJUNCTIONS);
        while !ranked.is_empty() {
            let before = self.sets.clone();
            for (conjunction, _) in &ranked {
                self.sets.insert(conjunction);
            }
            let features = self.features();
            match predict(self.normal, &features) {
                Ok(size) if size.nonzeros <= max => return Some((features, size)),
                _ => {
                    self.sets = before;
                    ranked.truncate(ranked.len() / 2);
                }
            }
        }
        None
    }

    /// Adds sets of variables as long as there is room.
    fn add(
        &mut self,
        ranked: impl Iterator<Item = VariableSet>,
        mut room: Room,
        limits: &Limits,
    ) -> Result<Added, Stop> {
        let mut added = Added { sets: Vec::new(), rejected: BTreeSet::new() };
        for set in ranked {
            limits.check()?;
            let missing = self.sets.missing(&set);
            let features = missing.iter().map(|set| self.max_features(set)).sum::<f64>();
            let grown = self.widths.add(&missing, room.entries(features));
            if let Some(entries) = grown {
                room.nonzeros -= features + entries as f64 * room.per_entry;
                self.sets.extend(missing.iter().cloned());
                added.sets.extend(missing);
            } else {
                added.rejected.insert(set);
                if added.rejected.len() > MAX_REJECTED {
                    break;
                }
            }
        }
        Ok(added)
    }

    /// The number of features on a set of variables.
    fn max_features(&self, set: &[VariableId]) -> f64 {
        set.iter().map(|&variable| (self.normal.facts().domain_size(variable) - 1) as f64).product()
    }

    /// The features so far and the size of their LP. Removes some of the sets that were
    /// `added` last if the LP has more than `max` nonzeros; `None` if all are removed.
    fn fitting(&mut self, mut added: Vec<VariableSet>, max: u64) -> Option<(Features, Size)> {
        while !added.is_empty() {
            let features = self.features();
            match predict(self.normal, &features) {
                Ok(size) if size.nonzeros <= max => return Some((features, size)),
                _ => self.sets.remove(added.split_off(added.len() / 2)),
            }
        }
        None
    }
}

/// The sets that were added, with their subsets, and those that were too large.
struct Added {
    sets: Vec<VariableSet>,
    rejected: BTreeSet<VariableSet>,
}

/// The number of nonzeros by which an LP may grow, and the number that it may have.
#[derive(Clone, Copy)]
pub(super) struct Growth {
    pub(super) added: u64,
    pub(super) max: u64,
}

/// By how much the LP may still grow.
struct Room {
    nonzeros: f64,
    /// The number of nonzeros per table entry.
    per_entry: f64,
}

impl Room {
    /// The number of table entries for which there is room besides the features.
    fn entries(&self, features: f64) -> u64 {
        #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
        let entries = ((self.nonzeros - features) / self.per_entry).max(0.0) as u64;
        entries
    }
}

/// The sum of the absolute weights on each pair of variables.
fn pair_weights(function: &Certified) -> BTreeMap<VariableSet, f64> {
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

/// The absolute weights of a function on some pairs of variables.
fn weights_of_pairs(
    function: &Certified,
    pairs: &BTreeSet<VariableSet>,
) -> Vec<(Conjunction, f64)> {
    let (features, weights) = (function.features(), function.weights());
    let variables = |conjuncts: &[FactId]| -> VariableSet {
        conjuncts.iter().map(|&fact| features.facts().variable(fact)).collect()
    };
    let with_weight = features.ids().map(|feature| {
        let weight = weights[feature.index()].unsigned_abs() as f64;
        (features.conjuncts(feature).to_vec(), weight)
    });
    with_weight.filter(|(it, weight)| *weight > 0.0 && pairs.contains(&variables(it))).collect()
}

fn log(priced: &[Priced]) {
    let with_excess = priced.iter().filter(|it| it.excess > 0.0).count();
    tracing::debug!("{} sets of variables priced, {with_excess} with an excess", priced.len());
    for Priced { set, excess, uses, .. } in priced.iter().take(5) {
        let set: Vec<usize> = set.iter().map(|variable| variable.index()).collect();
        tracing::trace!("variables {set:?}: excess {excess:.3}, uses {uses:.3}");
    }
}
