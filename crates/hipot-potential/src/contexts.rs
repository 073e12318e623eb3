//! An operator's features as scoped functions.
//!
//! [PHB17, before Eq. 11.] The functions ψ_o^f of the paper, one for each
//! context-dependent feature f, are nonzero for a single assignment. Those
//! with one scope are added up into one table, which is what elimination
//! works on.

use std::collections::BTreeMap;
use std::sync::Arc;

use hipot_task::{Mutexes, OperatorId, Task, VariableId};

use crate::context_graph::ContextGraph;
use crate::delta::{Delta, Term};
use crate::elimination::{Integers, ScopedFunction, ValueSet, eliminate, position};
use crate::feature::{FactId, Facts, FeatureId};
use crate::pairs::Exclusions;

/// The most table entries that one operator's elimination may compute.
pub const MOST_ENTRIES: u64 = 20_000_000;

/// Elimination for some operator would take too much space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("eliminating the contexts takes {entries} table entries, more than {MOST_ENTRIES}")]
pub struct TooWide {
    /// How many it would take.
    pub entries: u64,
}

/// The values that variables can have in the contexts of an operator.
#[derive(Clone, Debug)]
pub struct Domains {
    sizes: Vec<usize>,
    /// Where each fact stands among the possible ones of its variable; nothing
    /// where all are possible.
    places: Option<Vec<Option<usize>>>,
}

impl Domains {
    /// All values.
    pub fn all(facts: &Facts) -> Self {
        let size = |index| facts.domain_size(VariableId::new(index));
        Self { sizes: (0..facts.variable_count()).map(size).collect(), places: None }
    }

    /// Those that `operator` of the TNF task `task` can have in states that have
    /// no two facts which are `mutexes`; `None` if it is never applied.
    pub fn without_mutexes(
        task: &Task,
        facts: &Facts,
        operator: OperatorId,
        mutexes: Option<&Arc<Mutexes>>,
    ) -> Option<Self> {
        Self::of_operator(task, facts, operator, &Exclusions::new(mutexes.cloned()))
    }

    /// The same.
    pub(crate) fn of_operator(
        task: &Task,
        facts: &Facts,
        operator: OperatorId,
        exclusions: &Exclusions,
    ) -> Option<Self> {
        let mut domains = Self::all(facts);
        if exclusions.mutexes().is_none() {
            return Some(domains);
        }
        let operator = task.operator(operator);
        let number = |fact| facts.id(fact).index() as u32;
        let before: Vec<u32> = operator.preconditions.iter().map(|&it| number(it)).collect();
        let after: Vec<u32> = operator.effects.iter().map(|it| number(it.fact)).collect();
        let excluded = exclusions.with(&before, &after)?;
        let mut places = vec![None; facts.len()];
        for variable in (0..facts.variable_count()).map(VariableId::new) {
            if operator.precondition_on(variable).is_none() {
                let possible = facts.range_of(variable).filter(|&it| !excluded.contains(it as u32));
                let possible: Vec<usize> = possible.collect();
                for (place, &fact) in possible.iter().enumerate() {
                    places[fact] = Some(place);
                }
                domains.sizes[variable.index()] = possible.len();
            }
        }
        let is_possible = domains.sizes.iter().all(|&size| size > 0);
        is_possible.then_some(Self { places: Some(places), ..domains })
    }

    /// How many values each variable has.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Where a fact stands among the possible values of its variable.
    pub fn place(&self, facts: &Facts, id: FactId) -> Option<usize> {
        match &self.places {
            None => Some(facts.fact(id).value as usize),
            Some(places) => places[id.index()],
        }
    }
}

/// Max(Ψ_o) over `values`, where `value` gives w(f) · sign for each term.
pub fn maximize<S: ValueSet>(
    delta: &Delta,
    facts: &Facts,
    domains: &Domains,
    values: &mut S,
    mut value: impl FnMut(&mut S, Term) -> S::Value,
) -> Result<S::Value, TooWide> {
    let graph = ContextGraph::new(delta, facts);
    let (order, width) = graph.best_order();
    if width > 0 {
        let entries = graph.elimination_size(&order, domains.sizes());
        if entries > MOST_ENTRIES {
            return Err(TooWide { entries });
        }
    }
    let mut tables: BTreeMap<Vec<usize>, Vec<S::Value>> = BTreeMap::new();
    let sizes = domains.sizes();
    let mut assignment = vec![0; sizes.len()];
    for (term, context) in delta.dependent() {
        let mut scope = Vec::with_capacity(context.len());
        for &id in context {
            // A feature that is never true in this context takes nothing.
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
    Ok(eliminate(sizes, functions.collect(), &order, values))
}

/// Δ_o^ind + Max(Ψ_o) in integers: the most that an operator takes from φ in
/// any state. The inner `None`: it does not fit into 128 bits.
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
