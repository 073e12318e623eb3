//! How large the LP becomes before its features are made.
//!
//! Eliminating the contexts of an operator takes a row of Eq. 13 for each table
//! entry, at most. How many entries there are depends on the sets of variables
//! and on the values that are possible, not on single features: so it is found
//! on the context-dependency graph alone, and for operators that mention and
//! change the same variables on the same graph. A pair of variables adds a
//! vertex without edges, and just its values; a larger set adds edges, and then
//! elimination is gone through again, in numbers.

use std::collections::BTreeMap;

use hipot_task::{Limits, Stop, Task, VariableId};

use super::sets::VariableSet;
use crate::context_graph::ContextGraph;
use crate::contexts::{Domains, MOST_ENTRIES};
use crate::feature::Facts;
use crate::pairs::Exclusions;

/// The table entries of all operators.
pub(super) struct Widths {
    shapes: Vec<Shape>,
    /// The shapes whose operators change each variable.
    changing: Vec<Vec<usize>>,
    entries: u64,
}

/// Operators that mention and change the same variables.
struct Shape {
    mentioned: VariableSet,
    graph: ContextGraph,
    /// How many values variables can have, and for how many operators.
    domains: BTreeMap<Vec<usize>, u64>,
    entries: u64,
}

impl Widths {
    /// No contexts yet.
    pub(super) fn new(
        task: &Task,
        facts: &Facts,
        exclusions: &Exclusions,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let mut numbers: BTreeMap<(VariableSet, VariableSet), usize> = BTreeMap::new();
        let mut widths = Self {
            shapes: Vec::new(),
            changing: vec![Vec::new(); facts.variable_count()],
            entries: 0,
        };
        for id in task.operator_ids() {
            limits.check()?;
            let Some(domains) = Domains::of_operator(task, facts, id, exclusions) else { continue };
            let operator = task.operator(id);
            let mentioned: VariableSet =
                operator.preconditions.iter().map(|fact| fact.variable).collect();
            let changes = operator.effects.iter().map(|effect| effect.fact);
            let changes =
                changes.filter(|fact| operator.precondition_on(fact.variable) != Some(fact.value));
            let changed: VariableSet = changes.map(|fact| fact.variable).collect();
            let key = (mentioned, changed);
            let number = match numbers.get(&key) {
                Some(&number) => number,
                None => {
                    let number = widths.add_shape(&key.0, &key.1);
                    numbers.insert(key, number);
                    number
                }
            };
            *widths.shapes[number].domains.entry(domains.sizes().to_vec()).or_default() += 1;
        }
        Ok(widths)
    }

    fn add_shape(&mut self, mentioned: &[VariableId], changed: &[VariableId]) -> usize {
        let number = self.shapes.len();
        for variable in changed {
            self.changing[variable.index()].push(number);
        }
        self.shapes.push(Shape {
            mentioned: mentioned.to_vec(),
            graph: ContextGraph::default(),
            domains: BTreeMap::new(),
            entries: 0,
        });
        number
    }

    /// How many entries there are for all sets so far.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// How many entries there are at least, if all sets of three variables or
    /// more have features: then the contexts of an operator are all joined.
    pub(super) fn entries_for_all(&self) -> u64 {
        let of_shape = |shape: &Shape| {
            let product = |sizes: &Vec<usize>| {
                let is_context = |it: &(usize, &usize)| !shape.mentions(VariableId::new(it.0));
                let sizes = sizes.iter().enumerate().filter(is_context);
                sizes.fold(1_u64, |product, (_, &size)| product.saturating_mul(size as u64))
            };
            let each =
                shape.domains.iter().map(|(sizes, &count)| product(sizes).saturating_mul(count));
            each.fold(0, u64::saturating_add)
        };
        self.shapes.iter().map(of_shape).fold(0, u64::saturating_add)
    }

    /// Adds sets of variables if that adds at most `most` entries, and not too
    /// many for any operator. Returns how many it adds.
    pub(super) fn add(&mut self, sets: &[VariableSet], most: u64) -> Option<u64> {
        let mut touched: Vec<usize> =
            sets.iter().flatten().flat_map(|it| self.changing[it.index()].clone()).collect();
        touched.sort_unstable();
        touched.dedup();
        let mut added = 0_u64;
        let mut changed: Vec<(usize, ContextGraph, u64)> = Vec::new();
        for number in touched {
            let (graph, entries) = self.shapes[number].with(sets, |variable| {
                self.changing[variable.index()].binary_search(&number).is_ok()
            })?;
            added = added.saturating_add(entries.saturating_sub(self.shapes[number].entries));
            if added > most {
                return None;
            }
            changed.push((number, graph, entries));
        }
        for (number, graph, entries) in changed {
            let shape = &mut self.shapes[number];
            self.entries = self.entries - shape.entries + entries;
            (shape.graph, shape.entries) = (graph, entries);
        }
        Some(added)
    }
}

impl Shape {
    fn mentions(&self, variable: VariableId) -> bool {
        self.mentioned.binary_search(&variable).is_ok()
    }

    /// The graph with these sets, as far as they have a variable that is
    /// changed, and its entries. `None` if they are too many for an operator.
    fn with(
        &self,
        sets: &[VariableSet],
        is_changed: impl Fn(VariableId) -> bool,
    ) -> Option<(ContextGraph, u64)> {
        let (mut graph, mut entries) = (self.graph.clone(), self.entries);
        let mut has_edges = false;
        for set in sets.iter().filter(|set| set.iter().any(|&variable| is_changed(variable))) {
            let context = set.iter().filter(|&&variable| !self.mentions(variable));
            let context: Vec<usize> = context.map(|variable| variable.index()).collect();
            if let ([only], false) = (&context[..], has_edges) {
                if !graph.contains(*only) {
                    entries += self.sum(|sizes| Some(sizes[*only] as u64))?;
                }
            } else {
                has_edges |= context.len() > 1;
            }
            graph.add_clique(&context);
        }
        if has_edges {
            let (order, _) = graph.best_order();
            let of_operator = |sizes: &[usize]| Some(graph.elimination_size(&order, sizes));
            entries =
                self.sum(|sizes| of_operator(sizes).filter(|&entries| entries <= MOST_ENTRIES))?;
        }
        Some((graph, entries))
    }

    /// The sum of a number over the operators.
    fn sum(&self, of_operator: impl Fn(&[usize]) -> Option<u64>) -> Option<u64> {
        let each = self.domains.iter();
        let each = each.map(|(sizes, &count)| Some(of_operator(sizes)?.saturating_mul(count)));
        each.sum()
    }
}
