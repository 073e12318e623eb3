//! The operators of a function.
//!
//! For each operator, the features that it changes are split as in the paper, the
//! context-dependency graph is built, and the largest decrease of φ is found by the same
//! elimination that builds and certifies the LP, here over the exact weights. The operator's
//! slack is its cost minus this decrease.

use std::collections::BTreeMap;

use hipot::heuristic::Potential;
use hipot_potential::context_graph::ContextGraph;
use hipot_potential::contexts::{Domains, largest_decrease};
use hipot_potential::delta::Delta;
use hipot_potential::feature::FeatureId;
use hipot_task::{Limits, OperatorId, Stop};

use super::{Bin, Cost, Operator, Operators, Ratio};

/// The number of the widest operators that are named.
const MAX_WIDEST: usize = 5;

/// Less slack than this is nearly none: about what the margins of an LP leave.
const NEARLY_TIGHT: f64 = 1e-3;

/// Describes all operators of the task in TNF.
pub(super) fn operators(potential: &Potential, limits: &Limits) -> Result<Operators, Stop> {
    let task = potential.normal_form().task();
    let mut found = Operators {
        count: task.operators().len(),
        forgetting: 0,
        tight: 0,
        tight_forgetting: 0,
        nearly_tight: 0,
        largest_slack: None,
        widths: Vec::new(),
        independent: Vec::new(),
        dependent: Vec::new(),
        widest: Vec::new(),
    };
    let [mut widths, mut independent, mut dependent] = [const { Histogram::new() }; 3];
    for id in task.operator_ids() {
        limits.check()?;
        let operator = operator(potential, id);
        let forgets = potential.normal_form().origin(id).is_none();
        let is_tight = operator.slack.is_some_and(Ratio::is_zero);
        found.forgetting += usize::from(forgets);
        found.tight += usize::from(is_tight);
        found.tight_forgetting += usize::from(is_tight && forgets);
        let is_near = operator.slack.is_some_and(|slack| slack.near() < NEARLY_TIGHT);
        found.nearly_tight += usize::from(is_near && !is_tight);
        found.largest_slack = larger(found.largest_slack, operator.slack);
        widths.add(operator.width, operator.width);
        independent.add_to_power(operator.independent);
        dependent.add_to_power(operator.dependent);
        keep_widest(&mut found.widest, operator);
    }
    found.widths = widths.bins();
    found.independent = independent.bins();
    found.dependent = dependent.bins();
    Ok(found)
}

fn operator(potential: &Potential, id: OperatorId) -> Operator {
    let task = potential.normal_form().task();
    let features = potential.function.features();
    let delta = Delta::new(potential.normal_form(), features, id);
    let cost = if potential.proves_unsolvable { 0 } else { task.operator(id).cost };
    let denominator = i128::from(potential.function.denominator());
    let weights = potential.function.weights();
    let weight = |feature: FeatureId| i128::from(weights[feature.index()]);
    // An operator that is never applied has no slack.
    let slack = Domains::of_operator(potential.normal_form(), id)
        .and_then(|domains| largest_decrease(&delta, features.facts(), &domains, weight).ok()?)
        .map(|decrease| {
            let slack = i128::from(cost) * denominator - decrease;
            Ratio::of_units(slack, denominator, task.decimals())
        });
    Operator {
        name: task.operator(id).name.clone(),
        cost: Cost::of(cost, task),
        independent: delta.independent.len(),
        dependent: delta.dependent().count(),
        width: ContextGraph::new(&delta, features.facts()).best_order().1,
        slack,
    }
}

fn larger(a: Option<Ratio>, b: Option<Ratio>) -> Option<Ratio> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// Inserts the operator before the first that is less wide.
fn keep_widest(widest: &mut Vec<Operator>, operator: Operator) {
    let key = |operator: &Operator| (operator.width, operator.dependent, operator.independent);
    let place = widest.partition_point(|other| key(other) >= key(&operator));
    if place < MAX_WIDEST {
        widest.insert(place, operator);
        widest.truncate(MAX_WIDEST);
    }
}

/// Ranges and the number of numbers in each.
struct Histogram(BTreeMap<(usize, usize), usize>);

impl Histogram {
    const fn new() -> Self {
        Self(BTreeMap::new())
    }

    fn add(&mut self, from: usize, to: usize) {
        *self.0.entry((from, to)).or_insert(0) += 1;
    }

    /// Ranges from one power of two to the next: 0, 1, 2–3, 4–7, …
    fn add_to_power(&mut self, number: usize) {
        match number.checked_ilog2() {
            None => self.add(0, 0),
            Some(power) => self.add(1 << power, (1 << power) * 2 - 1),
        }
    }

    fn bins(self) -> Vec<Bin> {
        let bin = |((from, to), operators)| Bin { from, to, operators };
        self.0.into_iter().map(bin).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_go_by_powers_of_two() {
        let mut histogram = Histogram::new();
        for number in [0, 1, 2, 3, 4, 7, 8] {
            histogram.add_to_power(number);
        }
        let bins: Vec<String> = histogram.bins().iter().map(ToString::to_string).collect();
        assert_eq!(bins, ["0", "1", "2–3", "4–7", "8–15"]);
    }

    #[test]
    fn the_widest_come_first_and_few_are_kept() {
        let operator = |width, dependent| Operator {
            name: String::new(),
            cost: Cost::of(1_u64, &hipot_task::TaskBuilder::new(true).build()),
            independent: 0,
            dependent,
            width,
            slack: None,
        };
        let mut widest = Vec::new();
        for (width, dependent) in [(0, 9), (2, 1), (1, 5), (2, 3), (0, 0), (0, 1)] {
            keep_widest(&mut widest, operator(width, dependent));
        }
        let found: Vec<_> = widest.iter().map(|found| (found.width, found.dependent)).collect();
        assert_eq!(found, [(2, 3), (2, 1), (1, 5), (0, 9), (0, 1)]);
    }
}
