//! An operator's features as scoped functions.
//!
//! [PHB17, before Eq. 11.] The functions ψ_o^f of the paper, one for each
//! context-dependent feature f, are nonzero for a single assignment. Those
//! with the same scope are added up into one table; elimination works on these
//! tables.

use std::collections::BTreeMap;

use hipot_task::{FactId, Facts, OperatorId, VariableId};

use crate::context_graph::ContextGraph;
use crate::delta::{Delta, Term};
use crate::elimination::{Integers, ScopedFunction, ValueSet, eliminate, position};
use crate::exclusions::Excluded;
use crate::feature::FeatureId;
use crate::normal_form::NormalForm;

/// The maximum number of table entries that one operator's elimination may compute.
pub const MAX_ENTRIES: u64 = 20_000_000;

/// Elimination for some operator would take too much space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("eliminating the contexts takes {entries} table entries, more than {max_entries}")]
pub struct TooWide {
    /// The number of table entries.
    pub entries: u64,
    /// The maximum that was allowed.
    pub max_entries: u64,
}

/// The possible values of the variables in the contexts of an operator.
#[derive(Clone, Debug)]
pub struct Domains {
    sizes: Vec<usize>,
    /// The position of each fact among the possible values of its variable; `None`
    /// if all values are possible.
    places: Option<Vec<Option<usize>>>,
}

impl Domains {
    /// All values.
    pub fn all(facts: &Facts) -> Self {
        let sizes = facts.variable_ids().map(|variable| facts.domain_size(variable)).collect();
        Self { sizes, places: None }
    }

    /// The possible values for `operator` in states without mutexes; `None` if it is never
    /// applicable.
    pub fn of_operator(normal: &NormalForm, operator: OperatorId) -> Option<Self> {
        let facts = normal.facts();
        let mut domains = Self::all(facts);
        if normal.mutexes().is_none() {
            return Some(domains);
        }
        let excluded = Excluded::new(normal, operator)?;
        let mentions = normal.mentions(operator);
        let is_mentioned =
            |variable| mentions.iter().any(|it| facts.variable(it.before) == variable);
        let mut places = vec![None; facts.len()];
        for variable in facts.variable_ids().filter(|&variable| !is_mentioned(variable)) {
            let possible = facts.of_variable(variable).filter(|&it| !excluded.contains(it));
            let mut size = 0;
            for (place, fact) in possible.enumerate() {
                places[fact.index()] = Some(place);
                size += 1;
            }
            domains.sizes[variable.index()] = size;
        }
        let is_possible = domains.sizes.iter().all(|&size| size > 0);
        is_possible.then_some(Self { places: Some(places), ..domains })
    }

    /// The number of possible values of each variable.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The position of a fact among the possible values of its variable, if it is possible.
    pub fn place(&self, facts: &Facts, id: FactId) -> Option<usize> {
        match &self.places {
            None => Some(facts.fact(id).value as usize),
            Some(places) => places[id.index()],
        }
    }

    /// The possible values of a variable, in the order of their positions.
    pub fn possible(&self, facts: &Facts, variable: VariableId) -> Vec<FactId> {
        facts.of_variable(variable).filter(|&id| self.place(facts, id).is_some()).collect()
    }
}

/// Max(Ψ_o) over `values`, where `value` gives w(f) · sign for each term.
pub fn maximize<S: ValueSet>(
    delta: &Delta,
    facts: &Facts,
    domains: &Domains,
    values: &mut S,
    value: impl FnMut(&mut S, Term) -> S::Value,
) -> Result<S::Value, TooWide> {
    let graph = ContextGraph::new(delta, facts);
    let (order, width) = graph.best_order();
    if width > 0 {
        let entries = graph.elimination_size(&order, domains.sizes());
        if entries > MAX_ENTRIES {
            return Err(TooWide { entries, max_entries: MAX_ENTRIES });
        }
    }
    Ok(maximize_along(delta, facts, domains, &order, values, value))
}

/// Max(Ψ_o) by elimination from the end of `order`, which contains every vertex of the
/// [`ContextGraph`].
pub fn maximize_along<S: ValueSet>(
    delta: &Delta,
    facts: &Facts,
    domains: &Domains,
    order: &[usize],
    values: &mut S,
    mut value: impl FnMut(&mut S, Term) -> S::Value,
) -> S::Value {
    let mut tables: BTreeMap<Vec<usize>, Vec<S::Value>> = BTreeMap::new();
    let sizes = domains.sizes();
    let mut assignment = vec![0; sizes.len()];
    for (term, context) in delta.dependent() {
        let mut scope = Vec::with_capacity(context.len());
        for &id in context {
            // A feature that is never true in these contexts contributes nothing.
            let Some(place) = domains.place(facts, id) else { break };
            let variable = facts.variable(id).index();
            scope.push(variable);
            assignment[variable] = place;
        }
        if scope.len() < context.len() {
            continue;
        }
        let place = position(sizes, &scope, &assignment);
        let entries = scope.iter().map(|&variable| sizes[variable]).product();
        let table = tables.entry(scope).or_insert_with(|| vec![values.zero(); entries]);
        let added = value(values, term);
        values.add(&mut table[place], &added);
    }
    let functions = tables.into_iter().map(|(scope, table)| ScopedFunction { scope, table });
    eliminate(sizes, functions.collect(), order, values)
}

/// Δ_o^ind + Max(Ψ_o) in integers: the most that an operator takes from φ in any
/// state; `None` if it does not fit into 128 bits.
pub fn largest_decrease(
    delta: &Delta,
    facts: &Facts,
    domains: &Domains,
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
