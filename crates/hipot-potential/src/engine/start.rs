//! A point by which another LP over the same task can start.
//!
//! Weights belong to features, and dual numbers to operators and facts of their contexts. In a
//! larger LP, new features begin with the weight 0 and new alternatives with the number 0: until
//! then, they were the alternative without a feature.

use std::collections::HashMap;

use hipot_task::{FactId, OperatorId};

use super::layout::Layout;
use super::structure::{Structure, View};

/// Weights, dual numbers, and the primal weight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Start {
    /// The weight of each feature of one fact, given twice, or of two, the smaller first.
    pub(super) weights: HashMap<(FactId, FactId), f64>,
    pub(super) uses: HashMap<OperatorId, Use>,
    pub(super) primal_weight: f64,
}

/// How often the dual solution uses an operator, and in which contexts.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) count: f64,
    pub(super) contexts: Vec<(FactId, f64)>,
}

/// The facts of a layout's columns and entries.
pub(super) struct Columns<'a> {
    layout: &'a Layout,
    facts: Vec<Option<FactId>>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(structure: &'a Structure) -> Self {
        let layout = &structure.layout;
        let mut facts = vec![None; layout.width];
        for fact in structure.facts().ids() {
            if let Some(column) = layout.column(fact) {
                facts[column as usize] = Some(fact);
            }
        }
        Self { layout, facts }
    }

    /// A feature with this weight.
    pub(super) fn feature(&self, weight: usize) -> Option<(FactId, FactId)> {
        let &entry = self.layout.entries(weight).first()?;
        let (a, b) = match self.layout.atom(entry) {
            Some(fact) => (fact, fact),
            None => {
                let [row, column] =
                    [entry as usize / self.layout.width, entry as usize % self.layout.width];
                (self.facts[row]?, self.facts[column]?)
            }
        };
        Some((a.min(b), a.max(b)))
    }

    /// The place of each alternative of a unit that stands for a fact, and the fact.
    pub(super) fn alternatives(&self, view: &View<'_>) -> Vec<(usize, FactId)> {
        let (mut alternatives, mut begin) = (Vec::new(), 0);
        for span in view.spans {
            let facts = &self.facts[span.begin as usize..][..span.len as usize];
            let with_place = facts.iter().enumerate();
            alternatives.extend(with_place.filter_map(|(it, &fact)| Some((begin + it, fact?))));
            begin += facts.len();
        }
        alternatives
    }
}
