//! The task that is searched in: a given task without what h² proves useless.
//!
//! Where all that a heuristic consists of is potential functions, the search runs
//! in the [`PrunedTask`], which has no operators, values and variables that no
//! plan needs. Its states are shorter, it has fewer of them and fewer operators,
//! and potential functions read them as they are. Other heuristics solve LPs about
//! the states of the given task; for them only the operators that no plan has are
//! left out.
//!
//! The pruned task has the plans of the given one, but for steps that change
//! nothing (see [`prune`](hipot_task::prune())). Its reachable states stand for
//! reachable states, and its transitions for transitions between them. So what is
//! consistent in all reachable states, or among the states of plans, is so here as
//! well. That does not depend on which heuristic the mutexes were computed for: of
//! several pruned tasks the first one is taken.

use hipot_potential::function::{PotentialFunction, PotentialHeuristic};
use hipot_task::{OperatorId, Plan, PrunedTask, Task, Value};

use crate::heuristic::{Computed, Objective, Potential};

/// A task that is searched in, and the way back to the given one.
pub(crate) enum Reduced<'a> {
    /// The given task.
    Whole(&'a Task),
    /// The given task without some operators, and which ones are left.
    Useful(Task, Vec<OperatorId>),
    /// Without facts and variables as well.
    Pruned(&'a PrunedTask),
}

impl<'a> Reduced<'a> {
    /// The smallest task whose states `heuristic` can read.
    pub(crate) fn new(task: &'a Task, heuristic: &'a Computed) -> Self {
        let potentials = heuristic.potentials();
        if consists_of_functions(heuristic) {
            Self::for_functions(task, &potentials)
        } else {
            Self::without_operators(task, &potentials)
        }
    }

    /// The same for the functions of some potentials.
    pub(crate) fn for_functions(task: &'a Task, potentials: &[&'a Potential]) -> Self {
        let pruned = potentials.iter().find_map(|potential| potential.normal.pruned.as_deref());
        pruned.map_or(Self::Whole(task), Self::Pruned)
    }

    fn without_operators(task: &'a Task, potentials: &[&Potential]) -> Self {
        let useless: Vec<OperatorId> =
            potentials.iter().flat_map(|it| it.normal.useless.iter().copied()).collect();
        if useless.is_empty() {
            return Self::Whole(task);
        }
        let (useful, kept) = task.without_operators(&useless);
        Self::Useful(useful, kept)
    }

    /// The task that is searched in.
    pub(crate) fn task(&self) -> &Task {
        match self {
            Self::Whole(task) => task,
            Self::Useful(task, _) => task,
            Self::Pruned(pruned) => pruned.task(),
        }
    }

    /// A function, of a potential of the given task, for the states of this one.
    pub(crate) fn heuristic(
        &self,
        potential: &Potential,
        function: &PotentialFunction,
    ) -> PotentialHeuristic {
        let heuristic = match self {
            Self::Whole(_) | Self::Useful(..) => PotentialHeuristic::new(function, self.task()),
            Self::Pruned(pruned) => PotentialHeuristic::pruned(function, pruned),
        };
        if potential.normal.holds_everywhere() {
            heuristic
        } else {
            heuristic.among_states_of_plans()
        }
    }

    /// A state as one of the given task.
    pub(crate) fn original_state(&self, state: Vec<Value>) -> Vec<Value> {
        match self {
            Self::Whole(_) | Self::Useful(..) => state,
            Self::Pruned(pruned) => pruned.original_state(&state),
        }
    }

    /// Makes a plan one of the given task.
    pub(crate) fn restore(&self, plan: &mut Plan) {
        for operator in &mut plan.operators {
            *operator = match self {
                Self::Whole(_) => *operator,
                Self::Useful(_, kept) => kept[operator.index()],
                Self::Pruned(pruned) => pruned.original_operator(*operator),
            };
        }
    }
}

/// Whether a heuristic is blind, potential functions, or the maximum of such.
fn consists_of_functions(heuristic: &Computed) -> bool {
    match heuristic {
        Computed::Blind => true,
        Computed::Potential(potential) => potential.spec.objective != Objective::EveryState,
        Computed::Partition(_) => false,
        Computed::Max(parts) => parts.iter().all(consists_of_functions),
    }
}
