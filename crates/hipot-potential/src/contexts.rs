//! An operator's features as scoped functions.
//!
//! [PHB17, before Eq. 11.] The functions ψ_o^f of the paper, one for each
//! context-dependent feature f, are nonzero for a single assignment. Those
//! with one scope are added up into one table, which is what elimination
//! works on.

use std::collections::BTreeMap;

use crate::context_graph::ContextGraph;
use crate::delta::{Delta, Term};
use crate::elimination::{Integers, ScopedFunction, ValueSet, eliminate, position};
use crate::feature::{Facts, FeatureId};

/// The most table entries that one operator's elimination may compute.
pub const MOST_ENTRIES: u64 = 20_000_000;

/// Elimination for some operator would take too much space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("eliminating the contexts takes {entries} table entries, more than {MOST_ENTRIES}")]
pub struct TooWide {
    /// How many it would take.
    pub entries: u64,
}

/// |dom(V)| for each variable.
pub fn domains(facts: &Facts) -> Vec<usize> {
    let size = |index| facts.domain_size(hipot_task::VariableId::new(index));
    (0..facts.variable_count()).map(size).collect()
}

/// Max(Ψ_o) over `values`, where `value` gives w(f) · sign for each term.
pub fn maximize<S: ValueSet>(
    delta: &Delta,
    facts: &Facts,
    domains: &[usize],
    values: &mut S,
    mut value: impl FnMut(&mut S, Term) -> S::Value,
) -> Result<S::Value, TooWide> {
    let graph = ContextGraph::new(delta, facts);
    let (order, width) = graph.best_order();
    if width > 0 {
        let entries = graph.elimination_size(&order, domains);
        if entries > MOST_ENTRIES {
            return Err(TooWide { entries });
        }
    }
    let mut tables: BTreeMap<Vec<usize>, Vec<S::Value>> = BTreeMap::new();
    let mut assignment = vec![0; domains.len()];
    for (term, context) in delta.dependent() {
        let mut scope = Vec::with_capacity(context.len());
        for &id in context {
            let fact = facts.fact(id);
            scope.push(fact.variable.index());
            assignment[fact.variable.index()] = fact.value as usize;
        }
        let place = position(domains, &scope, &assignment);
        let entries = scope.iter().map(|&variable| domains[variable]).product();
        let table = tables.entry(scope).or_insert_with(|| vec![values.zero(); entries]);
        let added = value(values, term);
        values.add(&mut table[place], &added);
    }
    let functions = tables.into_iter().map(|(scope, table)| ScopedFunction { scope, table });
    Ok(eliminate(domains, functions.collect(), &order, values))
}

/// Δ_o^ind + Max(Ψ_o) in integers: the most that an operator takes from φ in
/// any state. The inner `None`: it does not fit into 128 bits.
pub fn largest_decrease(
    delta: &Delta,
    facts: &Facts,
    domains: &[usize],
    weight: impl Fn(FeatureId) -> i128,
) -> Result<Option<i128>, TooWide> {
    let mut integers = Integers::default();
    let signed = |term: Term| weight(term.feature) * i128::from(term.sign);
    let mut sum = maximize(delta, facts, domains, &mut integers, |_, term| signed(term))?;
    for &term in &delta.independent {
        integers.add(&mut sum, &signed(term));
    }
    Ok((!integers.overflowed).then_some(sum))
}
