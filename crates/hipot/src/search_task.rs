//! The task that is searched: the given task without what h² proves useless.
//!
//! If a heuristic solves no LPs, the search runs in the [`PrunedTask`], which lacks all
//! operators, values and variables that no plan needs. Its states are shorter, it has fewer
//! states and operators, potential functions can read its states directly, and abstractions
//! after a translation. Other heuristics solve LPs about states of the given task; for them
//! only the operators that are on no plan are left out.
//!
//! The pruned task has the same plans as the given one, except for steps that change
//! nothing (see [`prune`](hipot_analysis::prune())). Its reachable states stand for
//! reachable states of the given task, and its transitions for transitions between them. So
//! a heuristic that is consistent in all reachable states, or among the states on plans, is
//! consistent here as well. This does not depend on which heuristic the mutexes were
//! computed for: of several pruned tasks the first is used.
//!
//! A task with axioms or conditional effects has heuristics that are about its
//! [plain task](PlainTask). Such a task is searched as it is, without useless operators, and with the
//! additional variable of the plain task, so that heuristics can read its states.

use std::sync::Arc;

use hipot_analysis::{PlainTask, PrunedTask};
use hipot_potential::{Certified, NormalForm, PotentialHeuristic};
use hipot_task::{Fact, Heuristic, OperatorId, Plan, Task, Value};

use crate::heuristic::Computed;
use crate::spec::Objective;

/// The number of functions that are evaluated together.
const TOGETHER: usize = 8;

/// A task that is searched, and the way back to the given task.
pub(crate) enum SearchTask<'a> {
    /// The given task.
    Whole(&'a Task),
    /// The given task without some operators, perhaps with the additional variable of its plain task,
    /// and the operators that are left.
    Useful(Task, Vec<OperatorId>),
    /// The given task without some operators, facts and variables.
    Pruned(&'a PrunedTask),
}

impl<'a> SearchTask<'a> {
    /// The smallest task whose states `heuristic` can read.
    pub(crate) fn new(task: &'a Task, plain: &PlainTask<'_>, heuristic: &'a Computed) -> Self {
        let functions = heuristic.potentials().into_iter().map(|it| &**it.normal_form());
        let mut forms = functions.chain(heuristic.saturated().into_iter().map(|it| &*it.normal));
        if !plain.is_given() {
            let useless: Vec<OperatorId> =
                forms.flat_map(|it| it.useless().iter().copied()).collect();
            Self::plainly(task, plain, &useless)
        } else if solves_no_lp(heuristic) {
            forms.find_map(NormalForm::pruned).map_or(Self::Whole(task), Self::Pruned)
        } else {
            Self::without_operators(task, forms)
        }
    }

    /// The smallest task whose states functions about `normal` can read.
    pub(crate) fn in_normal_form(
        task: &'a Task,
        plain: &PlainTask<'_>,
        normal: &'a NormalForm,
    ) -> Self {
        if !plain.is_given() {
            return Self::plainly(task, plain, normal.useless());
        }
        normal.pruned().map_or(Self::Whole(task), Self::Pruned)
    }

    /// All of the given task, with states that functions about `plain` can read.
    pub(crate) fn whole(task: &'a Task, plain: &PlainTask<'_>) -> Self {
        if plain.is_given() { Self::Whole(task) } else { Self::plainly(task, plain, &[]) }
    }

    /// The given task without the operators all of whose forms in the plain task are useless.
    pub(crate) fn plainly(task: &Task, plain: &PlainTask<'_>, useless: &[OperatorId]) -> Self {
        let useless = plain.useless_given(task, useless);
        let (searched, kept) = plain.searched(task, &useless);
        Self::Useful(searched, kept)
    }

    fn without_operators<'n>(task: &'a Task, forms: impl Iterator<Item = &'n NormalForm>) -> Self {
        let useless: Vec<OperatorId> = forms.flat_map(|it| it.useless().iter().copied()).collect();
        if useless.is_empty() {
            return Self::Whole(task);
        }
        let (useful, kept) = task.without_operators(&useless);
        Self::Useful(useful, kept)
    }

    /// The task that is searched.
    pub(crate) fn task(&self) -> &Task {
        match self {
            Self::Whole(task) => task,
            Self::Useful(task, _) => task,
            Self::Pruned(pruned) => pruned.task(),
        }
    }

    /// A function as a heuristic for states of the searched task.
    pub(crate) fn heuristic(&self, function: &Certified) -> PotentialHeuristic {
        self.maximum(&[function])
    }

    /// Functions as heuristics for states of the searched task, some in one. The maximum of all
    /// is that of the functions.
    pub(crate) fn heuristics(&self, functions: &[&Certified]) -> Vec<Box<dyn Heuristic + Send>> {
        let is_same = |one: &&Certified, other: &&Certified| {
            Arc::ptr_eq(one.normal_form(), other.normal_form())
        };
        let groups = functions.chunk_by(is_same).flat_map(|group| group.chunks(TOGETHER));
        let boxed = |group: &[&Certified]| -> Box<dyn Heuristic + Send> {
            match group.len() {
                1 => Box::new(self.maximum::<1>(group)),
                2 => Box::new(self.maximum::<2>(group)),
                3 | 4 => Box::new(self.maximum::<4>(group)),
                _ => Box::new(self.maximum::<TOGETHER>(group)),
            }
        };
        groups.map(boxed).collect()
    }

    /// The maximum of at most N functions about one normal form.
    fn maximum<const N: usize>(&self, functions: &[&Certified]) -> PotentialHeuristic<N> {
        match self {
            Self::Whole(_) | Self::Useful(..) => {
                PotentialHeuristic::maximum(functions, self.task())
            }
            Self::Pruned(pruned) => PotentialHeuristic::pruned_maximum(functions, pruned),
        }
    }

    /// The fact of the given task, or of its plain task, that a fact of the searched one stands for.
    pub(crate) fn original_fact(&self, fact: Fact) -> Fact {
        match self {
            Self::Whole(_) | Self::Useful(..) => fact,
            Self::Pruned(pruned) => pruned.original_fact(fact),
        }
    }

    /// Converts a state of the searched task to one of the given task, or of its plain task.
    pub(crate) fn original_state(&self, state: Vec<Value>) -> Vec<Value> {
        match self {
            Self::Whole(_) | Self::Useful(..) => state,
            Self::Pruned(pruned) => pruned.original_state(&state),
        }
    }

    /// Converts a plan of the searched task to one of the given task, in place.
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

/// Whether a heuristic solves no LP during the search.
pub(crate) fn solves_no_lp(heuristic: &Computed) -> bool {
    match heuristic {
        Computed::Blind(_) | Computed::Saturated(_) => true,
        Computed::Potential(potential) => potential.spec.objective != Objective::EveryState,
        Computed::Partition(_) => false,
        Computed::Max(parts) => parts.iter().all(solves_no_lp),
    }
}
