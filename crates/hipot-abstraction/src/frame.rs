//! What all abstractions of a task share: its operators, and what mutexes say about them.
//!
//! Abstractions are about the task as it is given, not about its transition normal form: an
//! operator may change a variable whose value it does not ask for, and the goal may leave
//! variables open.
//!
//! # What mutexes are good for
//!
//! The caller gives mutexes of which no state of any plan has a pair. Then
//!
//! - an operator is on no plan if its preconditions contain a pair, if what holds afterwards does,
//!   or if some variable has no value left that is compatible with both;
//! - before an operator, a variable has one of the values that are compatible with the
//!   preconditions and, if the operator leaves it alone, with what holds afterwards. This is the
//!   operator's *context*: transitions from other values are left out of every abstraction;
//! - abstract states that contain a pair are left out.
//!
//! Hence a distance in an abstraction is a lower bound for all states of plans, and a state that
//! is mapped to an abstract state that was left out is on no plan. If the mutexes hold in all
//! reachable states, distances are also consistent in all reachable states; if they hold in
//! states of plans only, there may be transitions between other states along which a distance
//! drops too far.

use hipot_analysis::Mutexes;
use hipot_task::{Fact, Facts, Limits, Operator, OperatorId, Task, Value, VariableId};

use crate::error::Error;
use crate::value_sets::{Layout, remove};

/// The number of operators between two checks of the limits.
const OPERATORS_PER_CHECK: usize = 256;

/// A task as its abstractions see it.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    task: &'a Task,
    layout: Layout,
    mutexes: Option<&'a Mutexes>,
    changes: Vec<Vec<Change>>,
    is_useless: Vec<bool>,
    /// For each variable, the useful operators that change it.
    changing: Vec<Vec<OperatorId>>,
    /// The contexts of all operators, one after the other; empty without mutexes.
    contexts: Vec<u64>,
    /// All values but the dead ones.
    alive: Vec<u64>,
}

/// What an operator does to one variable: effects that change nothing are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) variable: VariableId,
    /// The value before, if the operator asks for it.
    pub(crate) before: Option<Value>,
    pub(crate) after: Value,
}

impl<'a> Frame<'a> {
    /// The frame of `task`. No state of a plan has a pair of `mutexes`.
    pub fn new(
        task: &'a Task,
        mutexes: Option<&'a Mutexes>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        const BY: &str = "an abstraction";
        task.require_no_axioms(BY)?;
        task.require_no_conditional_effects(BY)?;
        let (layout, count) = (Layout::new(Facts::new(task)), task.operators().len());
        let mut alive = layout.full();
        if let Some(mutexes) = mutexes {
            let dead = mutexes.dead().map(|fact| layout.facts().id(fact));
            dead.for_each(|fact| remove(&mut alive, fact));
        }
        let mut frame = Self {
            task,
            mutexes,
            changes: task.operators().iter().map(changes).collect(),
            is_useless: vec![false; count],
            changing: vec![Vec::new(); task.variables().len()],
            contexts: Vec::new(),
            alive,
            layout,
        };
        if mutexes.is_some() {
            frame.add_contexts(limits)?;
        }
        for id in task.operator_ids().filter(|id| !frame.is_useless[id.index()]) {
            for change in &frame.changes[id.index()] {
                frame.changing[change.variable.index()].push(id);
            }
        }
        Ok(frame)
    }

    fn add_contexts(&mut self, limits: &Limits) -> Result<(), Error> {
        let words = self.layout.words();
        limits.reserve((8 * words * self.is_useless.len()) as u64)?;
        self.contexts.reserve_exact(words * self.is_useless.len());
        for id in self.task.operator_ids() {
            if id.index() % OPERATORS_PER_CHECK == 0 {
                limits.check()?;
            }
            let context = self.compute_context(id);
            self.is_useless[id.index()] = context.is_none();
            self.contexts.extend(context.unwrap_or_else(|| vec![0; words]));
        }
        Ok(())
    }

    /// The values that may hold before an operator; `None` if it is on no plan.
    fn compute_context(&self, id: OperatorId) -> Option<Vec<u64>> {
        let (mutexes, facts) = (self.mutexes?, self.layout.facts());
        let (operator, changes) = (self.task.operator(id), &self.changes[id.index()]);
        let after = |fact: &Fact| {
            let change = changes.iter().find(|change| change.variable == fact.variable);
            change.map_or(*fact, |change| Fact::new(fact.variable, change.after))
        };
        let open = changes.iter().filter(|change| change.before.is_none());
        let open: Vec<Fact> = open.map(|it| Fact::new(it.variable, it.after)).collect();
        let later: Vec<Fact> = operator.preconditions.iter().map(after).chain(open).collect();
        if mutexes.exclude(&operator.preconditions) || mutexes.exclude(&later) {
            return None;
        }
        let ids = |list: &[Fact]| list.iter().map(|&fact| facts.id(fact)).collect::<Vec<_>>();
        let before = mutexes.excluded_by(ids(&operator.preconditions));
        let behind = mutexes.excluded_by(ids(&later));
        let earlier = without(&self.alive, before.words());
        let mut context = without(&earlier, behind.words());
        for change in changes {
            self.layout.copy(change.variable, &mut context, &earlier);
        }
        let is_possible = self.task.variable_ids().all(|it| self.layout.meet(it, [&context]));
        is_possible.then_some(context)
    }

    /// The task.
    pub fn task(&self) -> &'a Task {
        self.task
    }

    /// The mutexes of which no state of a plan has a pair.
    pub fn mutexes(&self) -> Option<&'a Mutexes> {
        self.mutexes
    }

    /// How sets of values are laid out.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether an operator is on no plan.
    pub fn is_useless(&self, operator: OperatorId) -> bool {
        self.is_useless[operator.index()]
    }

    /// What an operator changes.
    pub(crate) fn changes(&self, operator: OperatorId) -> &[Change] {
        &self.changes[operator.index()]
    }

    /// The useful operators that change a variable, in order.
    pub(crate) fn changing(&self, variable: VariableId) -> &[OperatorId] {
        &self.changing[variable.index()]
    }

    /// The values that may hold before an operator; `None` if there are no mutexes.
    pub(crate) fn context(&self, operator: OperatorId) -> Option<&[u64]> {
        let words = self.layout.words();
        let begin = operator.index() * words;
        self.contexts.get(begin..begin + words)
    }

    /// Whether a variable may have this value before a useful operator that does not ask for it.
    pub(crate) fn may_precede(&self, operator: OperatorId, fact: Fact) -> bool {
        self.context(operator)
            .is_none_or(|context| self.layout.contains(context, self.layout.facts().id(fact)))
    }

    /// The values that are not dead: some state of a plan may have them.
    pub(crate) fn alive(&self) -> &[u64] {
        &self.alive
    }
}

fn without(set: &[u64], other: &[u64]) -> Vec<u64> {
    set.iter().zip(other).map(|(word, other)| word & !other).collect()
}

fn changes(operator: &Operator) -> Vec<Change> {
    let effects = operator.effects.iter().map(|effect| effect.fact);
    let all = effects.map(|Fact { variable, value }| Change {
        variable,
        before: operator.precondition_on(variable),
        after: value,
    });
    all.filter(|change| change.before != Some(change.after)).collect()
}
