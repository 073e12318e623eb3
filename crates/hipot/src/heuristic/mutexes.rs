//! The mutexes that a potential heuristic rests on, and what they make useless.
//!
//! Dead facts and useless operators stay in the normal form: mutexes leave them
//! no columns and rows in the LP, and certificates are about the task as it was
//! given. The search runs in the pruned task, which is made here once and shared
//! by all searches.

use std::sync::Arc;
use std::time::Duration;

use hipot_task::h2::{self, Direction, H2, H2Error, Layer, h2};
use hipot_task::{
    Limits, Mutexes, OpenValues, OperatorId, PruneError, PrunedTask, Task, TnfTask, prune,
};

use super::spec::MutexChoice;
use crate::failure::Failure;

/// The longest time that h² gets.
const H2_TIME: Duration = Duration::from_secs(30);

/// A task in transition normal form, and which of its states count.
#[derive(Clone, Debug)]
pub struct NormalForm {
    /// The task.
    pub tnf: TnfTask,
    /// What stands in it for open values.
    pub open: OpenValues,
    /// The pairs of its facts that no state has that counts, if there are any.
    pub mutexes: Option<Arc<Mutexes>>,
    /// Why these hold, layer by layer, in terms of the original task.
    pub proof: Vec<Layer>,
    /// The operators of the original task that no plan has.
    pub useless: Vec<OperatorId>,
    /// The original task without them and without dead facts, if that is less.
    pub pruned: Option<Arc<PrunedTask>>,
    /// Whether it follows that there is no plan.
    pub is_unsolvable: bool,
}

impl NormalForm {
    /// The normal form of `task` with the mutexes chosen.
    pub(super) fn new(
        task: &Task,
        choice: MutexChoice,
        open: OpenValues,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        match choice {
            MutexChoice::None => Self::plain(task, open),
            MutexChoice::Groups => {
                let mutexes = Mutexes::from_proved_groups(task, limits)?;
                let layer = Layer { direction: Direction::Forward, mutexes: mutexes.clone() };
                Self::with(task, &mutexes, vec![layer], open, limits)
            }
            MutexChoice::H2 => Self::with_h2(task, open, limits),
        }
    }

    fn plain(task: &Task, open: OpenValues) -> Result<Self, Failure> {
        let tnf = TnfTask::with_open_values(task, open, None)?;
        Ok(Self::without_pruning(tnf, open, None, Vec::new()))
    }

    fn with_h2(task: &Task, open: OpenValues, limits: &Limits) -> Result<Self, Failure> {
        let left = limits.time_left().map(|left| left / 4);
        let time_limit = left.map_or(H2_TIME, |left| left.min(H2_TIME));
        let found = match h2(task, &h2::Params { time_limit, ..h2::Params::default() }, limits) {
            Ok(found) => found,
            Err(H2Error::Unsupported(error)) => return Err(error.into()),
            Err(H2Error::Stop(_)) => {
                limits.check()?;
                tracing::warn!("h² takes too much memory: the task's mutex groups are used");
                return Self::new(task, MutexChoice::Groups, open, limits);
            }
        };
        let pruned = match prune(task, &found, limits) {
            Ok(pruned) => Some(pruned),
            Err(PruneError::Unsolvable) => None,
            Err(PruneError::Stop(stop)) => return Err(stop.into()),
        };
        log(task, &found, pruned.as_ref());
        let is_unsolvable = pruned.is_none();
        let pruned = pruned.filter(|pruned| is_less(pruned.task(), task)).map(Arc::new);
        let useless = found.useless().to_vec();
        let normal = Self::with(task, found.mutexes(), found.layers().to_vec(), open, limits)?;
        Ok(Self { useless, pruned, is_unsolvable, ..normal })
    }

    fn with(
        task: &Task,
        mutexes: &Mutexes,
        proof: Vec<Layer>,
        open: OpenValues,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        if mutexes.count() == 0 {
            return Self::plain(task, open);
        }
        let tnf = TnfTask::with_open_values(task, open, Some(mutexes))?;
        let mutexes = Some(Arc::new(tnf.mutexes(mutexes, limits)?));
        Ok(Self::without_pruning(tnf, open, mutexes, proof))
    }

    fn without_pruning(
        tnf: TnfTask,
        open: OpenValues,
        mutexes: Option<Arc<Mutexes>>,
        proof: Vec<Layer>,
    ) -> Self {
        let (useless, pruned, is_unsolvable) = (Vec::new(), None, false);
        Self { tnf, open, mutexes, proof, useless, pruned, is_unsolvable }
    }

    /// Whether the mutexes hold in all reachable states, and not only in those
    /// of plans.
    pub fn holds_everywhere(&self) -> bool {
        self.proof.iter().all(|layer| layer.direction == Direction::Forward)
    }
}

/// Whether anything was pruned.
fn is_less(pruned: &Task, task: &Task) -> bool {
    pruned.operators().len() < task.operators().len() || pruned.fact_count() < task.fact_count()
}

/// What h² has found, and what the search can do without.
fn log(task: &Task, found: &H2, pruned: Option<&PrunedTask>) {
    let (pairs, useless) = (found.mutexes().count(), found.useless().len());
    let cut = match found.end() {
        h2::End::Fixpoint | h2::End::Unsolvable => "",
        h2::End::Passes | h2::End::Stopped(_) => ", cut short",
    };
    tracing::info!("h²: {pairs} pairs are mutex, {useless} operators useless{cut}");
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
