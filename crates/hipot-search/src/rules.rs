//! A task as a search sees it: where it begins and ends, and which steps there are.

use hipot_task::{OperatorId, Packing, Task};

use crate::orbits::Orbits;
use crate::successors::SuccessorGenerator;
use crate::transitions::Transitions;
use crate::word_tests::{Test, conjunction};

/// A task, in terms of packed states.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) packing: Packing,
    /// The initial state.
    pub(crate) initial: Vec<u32>,
    pub(crate) goal: Vec<Test>,
    /// The cost of each operator.
    pub(crate) costs: Vec<u32>,
    pub(crate) transitions: Transitions,
    pub(crate) generator: SuccessorGenerator,
    /// If there are some, one state of each orbit is searched.
    pub(crate) orbits: Option<Orbits>,
}

impl Rules {
    pub(crate) fn new(task: &Task, packing: &Packing, orbits: Option<Orbits>) -> Self {
        let mut transitions = Transitions::new(task, packing);
        let mut initial = packing.pack(task.initial());
        transitions.derive(&mut initial);
        Self {
            packing: packing.clone(),
            initial,
            goal: conjunction(task.goal(), packing),
            costs: task.operators().iter().map(|operator| operator.cost).collect(),
            transitions,
            generator: SuccessorGenerator::new(task, packing),
            orbits,
        }
    }

    /// The cheapest operator that leads from one state to another; some operator must.
    pub(crate) fn cheapest_operator(&mut self, parent: &[u32], child: &[u32]) -> OperatorId {
        let mut successor = parent.to_vec();
        let mut applicable = Vec::new();
        self.generator.collect(parent, &mut applicable);
        let mut leads_there = Vec::new();
        for operator in applicable {
            successor.copy_from_slice(parent);
            self.transitions.apply(operator, parent, &mut successor);
            if successor == child {
                leads_there.push(operator);
            }
        }
        let cheapest = leads_there.into_iter().min_by_key(|id| (self.costs[id.index()], *id));
        cheapest.expect("some operator leads from a state's parent to it")
    }
}
