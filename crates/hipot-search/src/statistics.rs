//! Counters of a search.

/// Counters, as Fast Downward defines them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States taken from the open list, including the goal state.
    pub expanded: u64,
    /// States whose estimate was computed.
    pub evaluated: u64,
    /// Times that an open state's estimate was computed again with another heuristic.
    pub reevaluated: u64,
    /// Successors generated, including known states.
    pub generated: u64,
    /// States expanded again because a cheaper path was found.
    pub reopened: u64,
    /// States evaluated as dead ends.
    pub dead_ends: u64,
    /// `expanded` when the last f layer started.
    pub expanded_until_last_jump: u64,
    /// `evaluated` when the last f layer started.
    pub evaluated_until_last_jump: u64,
    /// `generated` when the last f layer started.
    pub generated_until_last_jump: u64,
    /// `reopened` when the last f layer started.
    pub reopened_until_last_jump: u64,
}

impl Statistics {
    pub(crate) fn begin_layer(&mut self) {
        self.expanded_until_last_jump = self.expanded;
        self.evaluated_until_last_jump = self.evaluated;
        self.generated_until_last_jump = self.generated;
        self.reopened_until_last_jump = self.reopened;
    }

    /// The sum of these counters and those of another thread, those about jumps aside.
    pub(crate) fn plus(self, other: &Self) -> Self {
        Self {
            expanded: self.expanded + other.expanded,
            evaluated: self.evaluated + other.evaluated,
            reevaluated: self.reevaluated + other.reevaluated,
            generated: self.generated + other.generated,
            reopened: self.reopened + other.reopened,
            dead_ends: self.dead_ends + other.dead_ends,
            ..self
        }
    }

    /// These counters, with what `jump` says about the last jump.
    pub(crate) fn with_jump(self, jump: &Self) -> Self {
        Self {
            expanded: self.expanded,
            evaluated: self.evaluated,
            reevaluated: self.reevaluated,
            generated: self.generated,
            reopened: self.reopened,
            dead_ends: self.dead_ends,
            ..*jump
        }
    }

    /// The counters of this search plus those of an earlier one, which count as before the
    /// last layer.
    #[must_use]
    pub fn after(self, earlier: &Self) -> Self {
        Self {
            expanded_until_last_jump: self.expanded_until_last_jump + earlier.expanded,
            evaluated_until_last_jump: self.evaluated_until_last_jump + earlier.evaluated,
            generated_until_last_jump: self.generated_until_last_jump + earlier.generated,
            reopened_until_last_jump: self.reopened_until_last_jump + earlier.reopened,
            ..self.plus(earlier)
        }
    }
}
