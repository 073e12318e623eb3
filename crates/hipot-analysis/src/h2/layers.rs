//! What h² finds: layers of mutexes, their union, and the operators that they rule out.

use hipot_task::{OperatorId, Stop};

use crate::mutexes::Mutexes;

/// The direction of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial state.
    Forward,
    /// From the goal.
    Backward,
}

impl Direction {
    /// The opposite direction.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// The mutexes that one pass has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The pass's direction.
    pub direction: Direction,
    /// The pairs, without those of earlier layers.
    pub mutexes: Mutexes,
}

/// Why the search for mutexes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Neither direction finds more.
    Fixpoint,
    /// The maximum number of passes was reached.
    Passes,
    /// The mutexes rule out the initial state or all goal states.
    Unsolvable,
    /// A limit was reached; the unfinished pass is dropped.
    Stopped(Stop),
}

/// The mutexes that h² finds, and the operators that they rule out.
#[derive(Clone, Debug)]
pub struct H2 {
    pub(super) layers: Vec<Layer>,
    pub(super) mutexes: Mutexes,
    pub(super) useless: Vec<OperatorId>,
    pub(super) end: End,
}

impl H2 {
    /// The layers of all passes that found something. The first layer is always
    /// that of the first pass, which is forward.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The first layer: pairs that no reachable state has.
    pub fn forward(&self) -> &Mutexes {
        &self.layers[0].mutexes
    }

    /// The pairs of all layers: no state of a plan has any of them.
    pub fn mutexes(&self) -> &Mutexes {
        &self.mutexes
    }

    /// The operators that are in no plan, in order.
    pub fn useless(&self) -> &[OperatorId] {
        &self.useless
    }

    /// Why the search for mutexes ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// Whether it is proved that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        self.end == End::Unsolvable
    }
}
