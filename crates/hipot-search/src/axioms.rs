//! Derived variables of a packed state.
//!
//! They are computed layer by layer, lowest first. Some facts of a rule's body are
//! settled before its layer starts; these are tested on whole words. The others belong to
//! the rule's own layer and are counted down as they are derived. So each rule is visited
//! once for its settled part and once for each fact it waits for: the time is linear in
//! the size of the rules.

use hipot_task::{Axiom, Fact, Packing, Task, VariableId};

use crate::index_range::IndexRange;
use crate::word_tests::{Patch, Test, conjunction, holds, patch, test};

/// All axioms of a task, ready to be applied.
#[derive(Clone)]
pub(crate) struct Axioms {
    /// Resets every derived variable to its default.
    defaults: Vec<Patch>,
    /// In the order of layers.
    layers: Vec<IndexRange>,
    rules: Vec<Rule>,
    settled: Vec<Test>,
    /// For each variable, the rules that wait for it, in its own layer.
    waiting: Vec<Vec<u32>>,
    /// For each rule of the current layer, the number of facts that it still waits for;
    /// `UNREACHABLE` if its settled part does not hold.
    missing: Vec<u32>,
    queue: Vec<u32>,
}

#[derive(Clone)]
struct Rule {
    settled: IndexRange,
    waits_for: u32,
    head: VariableId,
    head_test: Test,
    head_patch: Patch,
}

const UNREACHABLE: u32 = u32::MAX;

impl Axioms {
    /// `None` if the task has no derived variables.
    pub(crate) fn new(task: &Task, packing: &Packing) -> Option<Self> {
        let derived = |id: &VariableId| task.variable(*id).is_derived();
        let derived: Vec<VariableId> = task.variable_ids().filter(derived).collect();
        if derived.is_empty() {
            return None;
        }
        let default = |&id: &VariableId| Fact::new(id, task.initial()[id.index()]);
        let layer = |id: VariableId| task.variable(id).axiom_layer.expect("a derived variable");

        let mut sorted: Vec<&Axiom> = task.axioms().iter().collect();
        sorted.sort_by_key(|axiom| layer(axiom.head.variable));
        let mut axioms = Self {
            defaults: derived.iter().map(|id| patch(default(id), packing)).collect(),
            layers: Vec::new(),
            rules: Vec::new(),
            settled: Vec::new(),
            waiting: vec![Vec::new(); task.variables().len()],
            missing: vec![0; sorted.len()],
            queue: Vec::new(),
        };
        for same_layer in sorted.chunk_by(|a, b| layer(a.head.variable) == layer(b.head.variable)) {
            let begin = axioms.rules.len() as u32;
            for axiom in same_layer {
                axioms.add_rule(task, axiom, packing);
            }
            axioms.layers.push(IndexRange { begin, end: axioms.rules.len() as u32 });
        }
        Some(axioms)
    }

    fn add_rule(&mut self, task: &Task, axiom: &Axiom, packing: &Packing) {
        let layer = task.variable(axiom.head.variable).axiom_layer;
        let in_layer = |fact: &Fact| task.variable(fact.variable).axiom_layer == layer;
        let (own, settled): (Vec<Fact>, Vec<Fact>) =
            axiom.body.iter().partition(|fact| in_layer(fact));
        let rule = self.rules.len() as u32;
        for fact in &own {
            self.waiting[fact.variable.index()].push(rule);
        }
        let settled = conjunction(&settled, packing);
        self.rules.push(Rule {
            settled: IndexRange::append(&mut self.settled, settled),
            waits_for: own.len() as u32,
            head: axiom.head.variable,
            head_test: test(axiom.head, packing),
            head_patch: patch(axiom.head, packing),
        });
    }

    /// Sets the derived variables by the rules.
    pub(crate) fn derive(&mut self, words: &mut [u32]) {
        for patch in &self.defaults {
            patch.apply(words);
        }
        for index in 0..self.layers.len() {
            self.derive_layer(self.layers[index], words);
        }
    }

    fn derive_layer(&mut self, layer: IndexRange, words: &mut [u32]) {
        for index in layer.begin..layer.end {
            let rule = &self.rules[index as usize];
            let possible = holds(rule.settled.of(&self.settled), words);
            self.missing[index as usize] = if possible { rule.waits_for } else { UNREACHABLE };
            if possible && rule.waits_for == 0 {
                self.queue.push(index);
            }
        }
        while let Some(index) = self.queue.pop() {
            let rule = &self.rules[index as usize];
            if holds(&[rule.head_test], words) {
                continue;
            }
            rule.head_patch.apply(words);
            for &waiting in &self.waiting[rule.head.index()] {
                let missing = &mut self.missing[waiting as usize];
                if *missing != UNREACHABLE {
                    *missing -= 1;
                    if *missing == 0 {
                        self.queue.push(waiting);
                    }
                }
            }
        }
    }
}
