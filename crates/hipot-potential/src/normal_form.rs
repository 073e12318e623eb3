//! The normal form of a task, on which all potential functions are defined.
//!
//! Potentials are computed on a task in transition normal form, in which every operator is
//! a set of facts before and after and the goal is a state. A [`NormalForm`] is that task
//! with everything else that a function depends on: the pairs of facts that are mutex, and
//! so need no constraints; the proof of these mutexes, for a certificate; the facts and
//! operators that they make useless; and the way back to the given task.
//!
//! *Dead facts and useless operators stay in the normal form*: because of the mutexes they
//! have no columns and rows in the LP, and certificates refer to the given task. A search runs
//! in the [pruned task](NormalForm::pruned), which is computed here once and shared by all
//! searches.
//!
//! *Where a function holds* depends on the mutexes alone ([`Validity`]). A function is
//! consistent for transitions between states without mutexes. Forward layers of mutexes are
//! proved for every reachable state; backward layers only for states on a plan.

use std::time::Duration;

use hipot_analysis::h2::{self, Direction, H2, H2Error, Layer, h2};
use hipot_analysis::{Mention, Mutexes, OpenValues, PruneError, PrunedTask, TnfTask, prune};
use hipot_task::{Facts, Limits, OperatorId, Stop, Task, Unsupported, Value, VariableId};

/// The maximum time for h².
const MAX_H2_TIME: Duration = Duration::from_secs(30);

/// Which mutexes to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexChoice {
    /// None: the paper's heuristic.
    None,
    /// Those of the task's mutex groups that are easily proved.
    Groups,
    /// The mutexes of h², forward and backward.
    H2,
}

/// The transitions for which a function of a normal form is consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// All transitions of the task in normal form.
    Everywhere,
    /// Those between states without mutexes. All reachable states are without mutexes.
    WithoutMutexes,
    /// Those between states without mutexes. All states of plans are without mutexes; other
    /// reachable states may have some.
    StatesOfPlans,
}

/// Why a task has no normal form, or why it was not computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NormalFormError {
    /// The task has axioms or conditional effects.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A limit was reached, or the user interrupted.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// A task in transition normal form, its mutexes, and the way back to the given task.
#[derive(Clone, Debug)]
pub struct NormalForm {
    tnf: TnfTask,
    open: OpenValues,
    mutexes: Option<Mutexes>,
    proof: Vec<Layer>,
    useless: Vec<OperatorId>,
    pruned: Option<PrunedTask>,
    is_unsolvable: bool,
    lacks_h2: bool,
}

impl NormalForm {
    /// The paper's normal form: with the value `unknown` for open values, without mutexes.
    pub fn plain(task: &Task) -> Result<Self, Unsupported> {
        Self::without_mutexes(task, OpenValues::Unknown)
    }

    /// The normal form of `task` with the chosen mutexes. If h² takes too much memory, the
    /// task's mutex groups are used instead.
    pub fn new(
        task: &Task,
        choice: MutexChoice,
        open: OpenValues,
        limits: &Limits,
    ) -> Result<Self, NormalFormError> {
        match choice {
            MutexChoice::None => Ok(Self::without_mutexes(task, open)?),
            MutexChoice::Groups => {
                let mutexes = Mutexes::from_proved_groups(task, limits)?;
                let layer = Layer { direction: Direction::Forward, mutexes: mutexes.clone() };
                Self::with_mutexes(task, &mutexes, vec![layer], open, limits)
            }
            MutexChoice::H2 => Self::with_h2(task, open, limits),
        }
    }

    fn without_mutexes(task: &Task, open: OpenValues) -> Result<Self, Unsupported> {
        let tnf = TnfTask::with_open_values(task, open, None)?;
        Ok(Self {
            tnf,
            open,
            mutexes: None,
            proof: Vec::new(),
            useless: Vec::new(),
            pruned: None,
            is_unsolvable: false,
            lacks_h2: false,
        })
    }

    /// The normal form with these mutexes of `task`, which the layers of `proof` prove.
    pub fn with_mutexes(
        task: &Task,
        mutexes: &Mutexes,
        proof: Vec<Layer>,
        open: OpenValues,
        limits: &Limits,
    ) -> Result<Self, NormalFormError> {
        if mutexes.count() == 0 {
            return Ok(Self::without_mutexes(task, open)?);
        }
        let tnf = TnfTask::with_open_values(task, open, Some(mutexes))?;
        let mutexes = Some(tnf.mutexes(mutexes, limits)?);
        Ok(Self {
            tnf,
            open,
            mutexes,
            proof,
            useless: Vec::new(),
            pruned: None,
            is_unsolvable: false,
            lacks_h2: false,
        })
    }

    fn with_h2(task: &Task, open: OpenValues, limits: &Limits) -> Result<Self, NormalFormError> {
        let left = limits.time_left().map(|left| left / 4);
        let time_limit = left.map_or(MAX_H2_TIME, |left| left.min(MAX_H2_TIME));
        let found = match h2(task, &h2::Params { time_limit, ..h2::Params::default() }, limits) {
            Ok(found) => found,
            Err(H2Error::Unsupported(error)) => return Err(error.into()),
            Err(H2Error::Stop(_)) => {
                limits.check()?;
                tracing::warn!("h² takes too much memory; using the task's mutex groups instead");
                let normal = Self::new(task, MutexChoice::Groups, open, limits)?;
                return Ok(Self { lacks_h2: true, ..normal });
            }
        };
        let pruned = match prune(task, &found, limits) {
            Ok(pruned) => Some(pruned),
            Err(PruneError::Unsolvable) => None,
            Err(PruneError::Stop(stop)) => return Err(stop.into()),
        };
        log(task, &found, pruned.as_ref());
        let is_unsolvable = pruned.is_none();
        let pruned = pruned.filter(|pruned| is_smaller(pruned.task(), task));
        let useless = found.useless().to_vec();
        let layers = found.layers().to_vec();
        let normal = Self::with_mutexes(task, found.mutexes(), layers, open, limits)?;
        Ok(Self { useless, pruned, is_unsolvable, ..normal })
    }

    /// The normal form of the same task with other costs, one for each operator of the given task.
    #[must_use]
    pub fn with_costs(&self, costs: &[u32]) -> Self {
        Self { tnf: self.tnf.with_costs(costs), ..self.clone() }
    }

    /// Whether the mutexes of h² were asked for and took too much memory, so that it has those of
    /// the task's mutex groups.
    pub fn lacks_h2(&self) -> bool {
        self.lacks_h2
    }

    /// The task in normal form, for names, costs and domains.
    pub fn task(&self) -> &Task {
        self.tnf.task()
    }

    /// Its facts, numbered.
    pub fn facts(&self) -> &Facts {
        self.tnf.facts()
    }

    /// The initial state s_I.
    pub fn initial(&self) -> &[Value] {
        self.task().initial()
    }

    /// The goal state s_⋆.
    pub fn goal(&self) -> &[Value] {
        self.tnf.goal()
    }

    /// The operators, in order.
    pub fn operator_ids(&self) -> impl Iterator<Item = OperatorId> + use<> {
        self.task().operator_ids()
    }

    /// cost(o).
    pub fn cost(&self, operator: OperatorId) -> u32 {
        self.task().operator(operator).cost
    }

    /// pre(o) and eff(o): a fact before and after for each variable of o, in the order of
    /// the variables.
    pub fn mentions(&self, operator: OperatorId) -> &[Mention] {
        self.tnf.mentions(operator)
    }

    /// The operator of the given task that this one comes from; `None` if it forgets a value.
    pub fn origin(&self, operator: OperatorId) -> Option<OperatorId> {
        self.tnf.origin(operator)
    }

    /// The value `unknown` of a variable, if it has one.
    pub fn unknown(&self, variable: VariableId) -> Option<Value> {
        self.tnf.unknown(variable)
    }

    /// How values that operators and the goal leave open are represented.
    pub fn open(&self) -> OpenValues {
        self.open
    }

    /// The pairs of facts that never hold together in a state that matters (see
    /// [`Validity`]); `None` if there are none.
    pub fn mutexes(&self) -> Option<&Mutexes> {
        self.mutexes.as_ref()
    }

    /// The proof of the mutexes, layer by layer, in terms of the given task.
    pub fn proof(&self) -> &[Layer] {
        &self.proof
    }

    /// The operators of the given task that are on no plan.
    pub fn useless(&self) -> &[OperatorId] {
        &self.useless
    }

    /// The given task without facts and operators that no plan needs, if that is smaller.
    pub fn pruned(&self) -> Option<&PrunedTask> {
        self.pruned.as_ref()
    }

    /// Whether the mutexes show that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        self.is_unsolvable
    }

    /// The transitions for which functions of this normal form are consistent.
    pub fn validity(&self) -> Validity {
        let is_backward = |layer: &Layer| layer.direction == Direction::Backward;
        match &self.mutexes {
            None => Validity::Everywhere,
            Some(_) if self.proof.iter().any(is_backward) => Validity::StatesOfPlans,
            Some(_) => Validity::WithoutMutexes,
        }
    }
}

/// Whether anything was pruned.
fn is_smaller(pruned: &Task, task: &Task) -> bool {
    pruned.operators().len() < task.operators().len() || pruned.fact_count() < task.fact_count()
}

/// Logs what h² has found and what was pruned.
fn log(task: &Task, found: &H2, pruned: Option<&PrunedTask>) {
    let (pairs, useless) = (found.mutexes().count(), found.useless().len());
    let cut = match found.end() {
        h2::End::Fixpoint | h2::End::Unsolvable => "",
        h2::End::Passes | h2::End::Stopped(_) => ", cut short",
    };
    tracing::info!("h²: mutex pairs: {pairs}, useless operators: {useless}{cut}");
    if let Some(pruned) = pruned.map(PrunedTask::task) {
        let (operators, facts) = (task.operators().len(), task.fact_count());
        let variables = task.variables().len();
        tracing::info!(
            "pruned: {} of {operators} operators, {} of {facts} facts, {} of {variables} variables",
            operators - pruned.operators().len(),
            facts - pruned.fact_count(),
            variables - pruned.variables().len()
        );
    }
}
