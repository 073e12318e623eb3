//! The size of the LP, predicted before its features exist.
//!
//! Eliminating the contexts of an operator takes at most one row of Eq. 13 for
//! each table entry. The number of entries depends on the sets of variables and
//! on the possible values, not on single features. So it is computed on the
//! context-dependency graph alone, and operators that mention and change the same
//! variables share a graph: together they are a *shape*. A pair of variables adds
//! a vertex without edges, and one entry for each of its values. A larger set adds
//! edges; then the greedy elimination order and its table sizes are computed
//! again.
//!
//! The number of entries is only a measure of the LP's size, because entries
//! without features have no row. The exact size is computed later, by
//! [`textbook::predict`](crate::textbook::predict).

use std::collections::BTreeMap;

use hipot_task::{Limits, Stop, VariableId};

use super::sets::VariableSet;
use crate::context_graph::ContextGraph;
use crate::contexts::{Domains, MAX_ENTRIES};
use crate::normal_form::NormalForm;

/// The table entries of all operators.
pub(super) struct Widths {
    shapes: Vec<Shape>,
    /// For each variable, the shapes whose operators change it.
    changing: Vec<Vec<usize>>,
    entries: u64,
}

/// Operators that mention and change the same variables.
struct Shape {
    mentioned: VariableSet,
    graph: ContextGraph,
    /// The numbers of operators with the same sizes of all domains.
    domains: BTreeMap<Vec<usize>, u64>,
    entries: u64,
}

impl Widths {
    /// No sets of variables yet.
    pub(super) fn new(normal: &NormalForm, limits: &Limits) -> Result<Self, Stop> {
        let facts = normal.facts();
        let mut numbers: BTreeMap<(VariableSet, VariableSet), usize> = BTreeMap::new();
        let mut widths = Self {
            shapes: Vec::new(),
            changing: vec![Vec::new(); facts.variable_count()],
            entries: 0,
        };
        for id in normal.operator_ids() {
            limits.check()?;
            let Some(domains) = Domains::of_operator(normal, id) else { continue };
            let mentions = normal.mentions(id).iter();
            let mentioned: VariableSet =
                mentions.clone().map(|mention| facts.variable(mention.before)).collect();
            let changes = mentions.filter(|mention| mention.is_change());
            let changed: VariableSet =
                changes.map(|mention| facts.variable(mention.before)).collect();
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

    /// The number of table entries of all sets so far.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// A lower bound on the number of entries if all sets of three or more variables
    /// have features: then the contexts of an operator are all joined.
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

    /// Adds sets of variables if that adds at most `max_added` entries, and not too many
    /// for any operator. Returns the number of entries added.
    pub(super) fn add(&mut self, sets: &[VariableSet], max_added: u64) -> Option<u64> {
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
            if added > max_added {
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

    /// The graph with those of the sets that have a changed variable, and its number of
    /// entries; `None` if there are too many for an operator.
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
                self.sum(|sizes| of_operator(sizes).filter(|&entries| entries <= MAX_ENTRIES))?;
        }
        Some((graph, entries))
    }

    /// The sum of `of_operator` over all operators of the shape.
    fn sum(&self, of_operator: impl Fn(&[usize]) -> Option<u64>) -> Option<u64> {
        let each = self.domains.iter();
        let each = each.map(|(sizes, &count)| Some(of_operator(sizes)?.saturating_mul(count)));
        each.sum()
    }
}
