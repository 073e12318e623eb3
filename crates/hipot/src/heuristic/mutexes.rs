//! The mutexes that a potential heuristic rests on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_task::h2::{self, Direction, H2Error, Layer, h2};
use hipot_task::{Limits, Mutexes, OpenValues, OperatorId, Task, TnfTask};

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
        let (mutexes, proof, useless) = (None, Vec::new(), Vec::new());
        Ok(Self { tnf, open, mutexes, proof, useless, is_unsolvable: false })
    }

    fn with_h2(task: &Task, open: OpenValues, limits: &Limits) -> Result<Self, Failure> {
        let left = limits.deadline().map(|it| it.saturating_duration_since(Instant::now()) / 4);
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
        tracing::info!(
            "h²: {} pairs are mutex, {} operators useless, {:?}",
            found.mutexes().count(),
            found.useless().len(),
            found.end()
        );
        let (useless, is_unsolvable) = (found.useless().to_vec(), found.is_unsolvable());
        let normal = Self::with(task, found.mutexes(), found.layers().to_vec(), open, limits)?;
        Ok(Self { useless, is_unsolvable, ..normal })
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
        Ok(Self { tnf, open, mutexes, proof, useless: Vec::new(), is_unsolvable: false })
    }

    /// Whether the mutexes hold in all reachable states, and not only in those
    /// of plans.
    pub fn holds_everywhere(&self) -> bool {
        self.proof.iter().all(|layer| layer.direction == Direction::Forward)
    }
}
