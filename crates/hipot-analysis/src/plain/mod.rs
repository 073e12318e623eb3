//! The plain task: without conditional effects and axioms, for everything that needs neither.
//!
//! Mutexes, potential functions, cost partitionings and abstractions are defined for tasks whose
//! operators have preconditions and effects and nothing else. The *plain task* of a task Π is
//! such a task Π'. It has the variables of Π, in order, and perhaps one more, so that the states of
//! Π are states of Π'; and it has paths for all transitions of Π:
//!
//! > If s⟦o⟧ = s' in Π, then Π' has a path from s to s' whose cost is at most cost(o).
//!
//! So every lower bound for Π' holds for Π, and a function that is consistent in Π' is consistent
//! in Π. A state without a plan in Π' has none in Π. The plans of Π are found in Π itself.
//!
//! # Axioms
//!
//! A derived variable becomes an ordinary one. An axiom becomes an operator of cost 0 that also
//! requires the head's default value; and a derived variable may fall back to its default at
//! cost 0 at any time. The path for a transition: the operator changes the ordinary variables, all
//! derived ones fall back, if they have not before, then the axioms are applied in the order of Π, layer by layer, until
//! nothing changes. All of their bodies hold in Π' when they do in Π. The initial state has the
//! axioms applied.
//!
//! An operator changes what the axioms of some derived variables rest on (module `derived`). Of these
//! it requires the default value, or, where it requires another value, sets the default. So none of
//! them keeps a value whose reason is gone. The path has that too: it takes back these variables
//! before the operator, and derives them again afterwards. If there are too many of them, operators
//! leave derived variables as they are.
//!
//! What the bounds lose is that a derived variable can have its default value although an axiom
//! holds.
//!
//! # Conditional effects
//!
//! A *context* of an operator is a set of facts that decides which of its effects fire (module
//! `contexts`). Where there are few, the operator becomes one operator for each context. Nothing
//! is lost: each transition of Π is one of Π' and vice versa, except for those that change
//! nothing.
//!
//! Where there are many, the operator is cut into *parts* (module `parts`). Variables belong to
//! the same part if one effect mentions both, in its conditions or as what it sets. Each part is
//! decided on its own, one after the other: the operator starts, has its cost, and sets what no
//! conditional effect is about; then each part has one step of cost 0 for each of its contexts. No
//! part reads what another one sets, so the order does not matter, and all conditions are read
//! as they were before the operator. The additional variable says which part is next, or that
//! no operator is under way, as all other operators and the goal require. Again nothing is lost.
//! The weights of its values are what a potential function needs: the largest decrease along the
//! operator is a sum of maxima over the parts, one for each step, as in Theorem 1. With ten
//! passengers of which an elevator serves each one that is there, there are twenty steps instead
//! of 2¹⁰ contexts.
//!
//! A part with too many contexts is cut again, by the variables that it sets. Where even one of
//! these has too many contexts, or is decided by what an earlier step has set, its steps are
//! *loose*: one for each of its effects, which requires the conditions that can still be read, and
//! one for the case that none fires, which requires nothing. That has all transitions, and some
//! more: an upper bound on the decrease, as by mini-buckets. Only there Π' has transitions that
//! Π does not have.
//!
//! How many contexts are too many depends on the number of operators alone (module `build`), because a
//! checker must arrive at the same task.

mod build;
mod contexts;
mod derived;
mod parts;

use std::borrow::Cow;

use hipot_task::{Axiom, OperatorId, Task, TaskBuilder, Value, VariableId};

use build::{Built, LIMITS, VALID, build};

/// A task without conditional effects and axioms whose bounds hold for a given task.
#[derive(Clone, Debug)]
pub struct PlainTask<'a> {
    task: Cow<'a, Task>,
    origins: Vec<Option<OperatorId>>,
    marker: Option<VariableId>,
}

impl<'a> PlainTask<'a> {
    /// The plain task of `task`; `task` itself if it has no axioms and no conditional effects.
    pub fn new(task: &'a Task) -> Self {
        if is_plain(task) {
            let origins = task.operator_ids().map(Some).collect();
            return Self { task: Cow::Borrowed(task), origins, marker: None };
        }
        let Built { task, origins, marker } = build(task, &LIMITS);
        Self { task: Cow::Owned(task), origins, marker }
    }

    /// The plain task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Whether it is the given task.
    pub fn is_given(&self) -> bool {
        matches!(self.task, Cow::Borrowed(_))
    }

    /// The operator of the given task whose cost an operator has; `None` for further steps,
    /// which cost nothing.
    pub fn origin(&self, operator: OperatorId) -> Option<OperatorId> {
        self.origins[operator.index()]
    }

    /// The additional variable, which says which part of an operator is next; 0 stands for
    /// none.
    pub fn marker(&self) -> Option<VariableId> {
        self.marker
    }

    /// The operators of the given task that are useless if those in `useless` are.
    pub fn useless_given(&self, given: &Task, useless: &[OperatorId]) -> Vec<OperatorId> {
        let mut is_useless = vec![false; self.origins.len()];
        for id in useless {
            is_useless[id.index()] = true;
        }
        let mut is_useful = vec![false; given.operators().len()];
        for (origin, useless) in self.origins.iter().zip(is_useless) {
            if let Some(origin) = origin.filter(|_| !useless) {
                is_useful[origin.index()] = true;
            }
        }
        given.operator_ids().filter(|id| !is_useful[id.index()]).collect()
    }

    /// The given task without some operators, with the additional variable, so that its states
    /// are states of the plain task; and the ids of its operators in the given task.
    pub fn searched(&self, given: &Task, useless: &[OperatorId]) -> (Task, Vec<OperatorId>) {
        let (useful, kept) = given.without_operators(useless);
        let Some(marker) = self.marker else { return (useful, kept) };
        let mut builder = TaskBuilder::new(useful.uses_costs());
        builder.set_decimals(useful.decimals());
        for variable in useful.variables() {
            builder.add_variable(variable.clone()).expect(VALID);
        }
        builder.add_variable(self.task.variable(marker).clone()).expect(VALID);
        let initial = useful.initial().iter().copied().chain([0]);
        builder.set_initial(initial.collect()).expect(VALID);
        builder.set_goal(useful.goal().to_vec()).expect(VALID);
        for operator in useful.operators() {
            builder.add_operator(operator.clone()).expect(VALID);
        }
        for Axiom { body, head } in useful.axioms() {
            builder.add_axiom(Axiom { body: body.clone(), head: *head }).expect(VALID);
        }
        (builder.build(), kept)
    }
}

/// The state of a plain task with so many variables that a state of the given task is.
pub fn image(state: &[Value], variables: usize) -> Vec<Value> {
    let mut image = state.to_vec();
    image.resize(variables, 0);
    image
}

/// Whether a task has neither axioms nor conditional effects.
pub fn is_plain(task: &Task) -> bool {
    task.require_no_axioms("").and(task.require_no_conditional_effects("")).is_ok()
}

#[cfg(test)]
mod tests;
