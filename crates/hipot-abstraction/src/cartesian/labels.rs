//! Labels: sets of operators with transitions between the same two states.

use std::collections::HashMap;

use hipot_task::OperatorId;

use crate::cost::{Costs, INFINITE};

/// Different sets of operators.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    operators: Vec<OperatorId>,
    begins: Vec<u32>,
}

impl Labels {
    /// The number of labels.
    pub(super) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// The operators of a label.
    pub(super) fn operators(&self, label: usize) -> &[OperatorId] {
        &self.operators[self.begins[label] as usize..self.begins[label + 1] as usize]
    }

    /// The least cost in each label.
    pub(super) fn costs(&self, costs: &Costs) -> Vec<i64> {
        let cost = |label| {
            let operators = self.operators(label).iter();
            operators.map(|&operator| costs.of(operator)).min().unwrap_or(INFINITE)
        };
        (0..self.len()).map(cost).collect()
    }
}

/// Groups transitions ⟨target, source, operator⟩: for each target, sources and labels.
pub(super) fn group(
    mut transitions: Vec<(u32, u32, OperatorId)>,
    states: usize,
) -> (Labels, Vec<u32>, Vec<(u32, u32)>) {
    transitions.sort_unstable();
    let mut labels = Labels { operators: Vec::new(), begins: vec![0] };
    let mut index_of: HashMap<Vec<OperatorId>, u32> = HashMap::new();
    let (mut begins, mut incoming) = (vec![0], Vec::new());
    let mut rest = transitions.as_slice();
    for target in 0..states as u32 {
        while let Some(&(_, source, _)) = rest.first().filter(|first| first.0 == target) {
            let count = rest.iter().take_while(|it| (it.0, it.1) == (target, source)).count();
            let own: Vec<OperatorId> = rest[..count].iter().map(|it| it.2).collect();
            let label = *index_of.entry(own).or_insert_with_key(|own| {
                labels.operators.extend(own);
                labels.begins.push(labels.operators.len() as u32);
                labels.begins.len() as u32 - 2
            });
            incoming.push((source, label));
            rest = &rest[count..];
        }
        begins.push(incoming.len() as u32);
    }
    (labels, begins, incoming)
}
