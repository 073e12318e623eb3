//! An abstraction under refinement: its states, and all transitions between different ones.
//!
//! When a state is split, the transitions from and to it are tested for both parts. Transitions
//! between the parts come from loops. Loops are not stored: those that lead from one part to the
//! other change the split variable, so the operators that change it are all candidates.

use hipot_task::{Fact, FactId, OperatorId, Value, VariableId};

use super::closure::close;
use super::subtask::Subtask;
use super::tree::SplitTree;
use crate::frame::Frame;
use crate::value_sets::insert;

/// A transition: the operator and the other state.
pub(super) type Arc = (OperatorId, u32);

/// A state of the abstraction.
#[derive(Clone, Debug)]
pub(super) struct AbstractState {
    /// The values that its states may have.
    pub(super) values: Vec<u64>,
    /// Its leaf of the tree.
    leaf: u32,
    pub(super) is_goal: bool,
    /// Whether mutexes exclude all its states.
    pub(super) is_left_out: bool,
    pub(super) outgoing: Vec<Arc>,
    pub(super) incoming: Vec<Arc>,
}

/// An abstraction under refinement.
#[derive(Clone, Debug)]
pub(super) struct Refined<'f, 'a> {
    pub(super) frame: &'f Frame<'a>,
    /// Whether goal states are those that may satisfy the goal of the task.
    is_whole: bool,
    pub(super) tree: SplitTree,
    pub(super) states: Vec<AbstractState>,
    pub(super) transitions: usize,
}

impl<'f, 'a> Refined<'f, 'a> {
    /// The coarsest abstraction in which goal states and others of `subtask` are apart.
    pub(super) fn new(frame: &'f Frame<'a>, subtask: &Subtask) -> Self {
        let only = AbstractState {
            values: frame.alive().to_vec(),
            leaf: 0,
            is_goal: *subtask == Subtask::Goal,
            is_left_out: false,
            outgoing: Vec::new(),
            incoming: Vec::new(),
        };
        let is_whole = *subtask == Subtask::Goal;
        let (tree, states) = (SplitTree::new(), vec![only]);
        let mut refined = Self { frame, is_whole, tree, states, transitions: 0 };
        refined.close_all();
        if let Subtask::Reach(targets) = subtask {
            refined.separate(targets);
        }
        refined
    }

    /// Whether the subtask is the goal of the task.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Applies what is known about variables with one value.
    fn close_all(&mut self) {
        for variable in self.frame.task().variable_ids() {
            let closed = close(self.frame, &mut self.states[0].values, variable);
            self.states[0].is_left_out |= closed.is_none();
        }
    }

    /// Splits the states with a target fact off. They are goal states.
    fn separate(&mut self, targets: &[Fact]) {
        for variable in self.frame.task().variable_ids() {
            let own = targets.iter().filter(|fact| fact.variable == variable);
            let own: Vec<FactId> = own
                .map(|&fact| self.frame.layout().facts().id(fact))
                .filter(|&it| self.has(0, it))
                .collect();
            let count = self.frame.layout().count(variable, &self.states[0].values);
            if own.len() == count as usize {
                self.states[0].is_goal = true;
                return;
            }
            if !own.is_empty() {
                let new = self.split(0, variable, &own);
                self.states[new as usize].is_goal = true;
            }
        }
        self.states[0].is_goal = self.may_satisfy_goal(0);
    }

    fn may_satisfy_goal(&self, state: u32) -> bool {
        let facts = self.frame.layout().facts();
        self.frame.task().goal().iter().all(|&fact| self.has(state, facts.id(fact)))
    }

    /// Whether a state may have a fact.
    pub(super) fn has(&self, state: u32, fact: FactId) -> bool {
        self.frame.layout().contains(&self.states[state as usize].values, fact)
    }

    /// The values of a state.
    pub(super) fn values(&self, state: u32) -> &[u64] {
        &self.states[state as usize].values
    }

    /// Splits `state`: those of its states with one of the facts `wanted` of a variable become
    /// a new one, whose number is returned.
    pub(super) fn split(&mut self, state: u32, variable: VariableId, wanted: &[FactId]) -> u32 {
        let (frame, new) = (self.frame, self.states.len() as u32);
        let layout = frame.layout();
        let values: Vec<Value> = wanted.iter().map(|&fact| layout.value(fact)).collect();
        let old = &mut self.states[state as usize];
        let (inside, outside) = self.tree.split(old.leaf, variable, &values, new);
        let mut kept = vec![0; layout.words()];
        for &fact in wanted {
            insert(&mut kept, fact);
        }
        let others: Vec<u64> = kept.iter().map(|word| !word).collect();

        let mut part = old.clone();
        (old.leaf, part.leaf) = (outside, inside);
        layout.restrict(variable, &mut part.values, &kept);
        layout.restrict(variable, &mut old.values, &others);
        let (outgoing, incoming) =
            (std::mem::take(&mut old.outgoing), std::mem::take(&mut old.incoming));
        (part.outgoing, part.incoming) = (Vec::new(), Vec::new());
        let changed = [&mut old.values, &mut part.values].map(|set| close(frame, set, variable));
        old.is_left_out |= changed[0].is_none();
        part.is_left_out |= changed[1].is_none();
        self.states.push(part);
        if self.is_whole {
            for part in [state, new] {
                self.states[part as usize].is_goal = self.may_satisfy_goal(part);
            }
        }
        self.detach(state, &outgoing, &incoming);
        for (part, changed) in [state, new].into_iter().zip(changed) {
            let Some(mut changed) = changed else { continue };
            changed.push(variable);
            self.attach(part, &changed, &outgoing, &incoming);
        }
        self.connect_parts(state, new, variable);
        new
    }

    /// Removes the transitions from and to `state` at their other ends.
    fn detach(&mut self, state: u32, outgoing: &[Arc], incoming: &[Arc]) {
        self.transitions -= outgoing.len() + incoming.len();
        let ends = |arcs: &[Arc]| {
            let mut ends: Vec<u32> = arcs.iter().map(|&(_, other)| other).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        };
        for other in ends(outgoing) {
            self.states[other as usize].incoming.retain(|&(_, source)| source != state);
        }
        for other in ends(incoming) {
            self.states[other as usize].outgoing.retain(|&(_, target)| target != state);
        }
    }

    /// Adds the transitions that `part`, which lost values of `changed`, still has.
    fn attach(&mut self, part: u32, changed: &[VariableId], outgoing: &[Arc], incoming: &[Arc]) {
        for &(operator, target) in outgoing {
            if changed.iter().all(|&it| self.allows(operator, it, part, target)) {
                self.add(part, operator, target);
            }
        }
        for &(operator, source) in incoming {
            if changed.iter().all(|&it| self.allows(operator, it, source, part)) {
                self.add(source, operator, part);
            }
        }
    }

    fn connect_parts(&mut self, one: u32, other: u32, variable: VariableId) {
        if [one, other].iter().any(|&part| self.states[part as usize].is_left_out) {
            return;
        }
        for &operator in self.frame.changing(variable) {
            for (source, target) in [(one, other), (other, one)] {
                if self.allows(operator, variable, source, target)
                    && self.has_transition(operator, source, target)
                {
                    self.add(source, operator, target);
                }
            }
        }
    }

    fn add(&mut self, source: u32, operator: OperatorId, target: u32) {
        self.states[source as usize].outgoing.push((operator, target));
        self.states[target as usize].incoming.push((operator, source));
        self.transitions += 1;
    }

    /// Whether an operator leads from some state of `source` to one of `target`.
    pub(super) fn has_transition(&self, operator: OperatorId, source: u32, target: u32) -> bool {
        let task = self.frame.task();
        let mut mentioned = task.operator(operator).preconditions.iter();
        let changes = self.frame.changes(operator);
        mentioned.all(|fact| self.allows(operator, fact.variable, source, target))
            && changes.iter().all(|it| self.allows(operator, it.variable, source, target))
            && task.variable_ids().all(|it| self.allows(operator, it, source, target))
    }

    /// Whether the values of one variable allow a transition.
    fn allows(&self, operator: OperatorId, variable: VariableId, source: u32, target: u32) -> bool {
        let (frame, layout) = (self.frame, self.frame.layout());
        let [from, to] = [source, target].map(|state| self.values(state));
        let contains = |set: &[u64], value| {
            layout.contains(set, layout.facts().id(Fact::new(variable, value)))
        };
        let change = frame.changes(operator).iter().find(|change| change.variable == variable);
        let required = frame.task().operator(operator).precondition_on(variable);
        let context = frame.context(operator);
        match (required, change) {
            (Some(before), Some(change)) => contains(from, before) && contains(to, change.after),
            (Some(value), None) => contains(from, value) && contains(to, value),
            (None, Some(change)) => {
                contains(to, change.after)
                    && context.is_none_or(|context| layout.meet(variable, [from, context]))
            }
            (None, None) => match context {
                Some(context) => layout.meet(variable, [from, to, context]),
                None => layout.meet(variable, [from, to]),
            },
        }
    }
}
