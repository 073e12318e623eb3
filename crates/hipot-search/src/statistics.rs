//! What a search counts.

use hipot_task::Stop;

/// Counters, as Fast Downward defines them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States taken from the open list, the goal state among them.
    pub expanded: u64,
    /// States whose estimate was asked for.
    pub evaluated: u64,
    /// Successors generated, known ones among them.
    pub generated: u64,
    /// States expanded again because a cheaper way was found.
    pub reopened: u64,
    /// States evaluated as dead ends.
    pub dead_ends: u64,
    /// `expanded` when the last f layer was begun.
    pub expanded_until_last_jump: u64,
    /// `evaluated` when the last f layer was begun.
    pub evaluated_until_last_jump: u64,
    /// `generated` when the last f layer was begun.
    pub generated_until_last_jump: u64,
    /// `reopened` when the last f layer was begun.
    pub reopened_until_last_jump: u64,
}

impl Statistics {
    pub(crate) fn begin_layer(&mut self) {
        self.expanded_until_last_jump = self.expanded;
        self.evaluated_until_last_jump = self.evaluated;
        self.generated_until_last_jump = self.generated;
        self.reopened_until_last_jump = self.reopened;
    }

    /// The counters of this search and an earlier one together, all of which was
    /// before the last layer.
    #[must_use]
    pub fn after(self, earlier: &Self) -> Self {
        Self {
            expanded: self.expanded + earlier.expanded,
            evaluated: self.evaluated + earlier.evaluated,
            generated: self.generated + earlier.generated,
            reopened: self.reopened + earlier.reopened,
            dead_ends: self.dead_ends + earlier.dead_ends,
            expanded_until_last_jump: self.expanded_until_last_jump + earlier.expanded,
            evaluated_until_last_jump: self.evaluated_until_last_jump + earlier.evaluated,
            generated_until_last_jump: self.generated_until_last_jump + earlier.generated,
            reopened_until_last_jump: self.reopened_until_last_jump + earlier.reopened,
        }
    }
}

/// Is told how a search gets on.
pub trait Observer {
    /// A new f layer begins: every plan costs at least `f`.
    fn layer(&mut self, f: u64, statistics: &Statistics) {
        let _ = (f, statistics);
    }

    /// Whether the search should end now, as if this limit were reached; asked after
    /// every few thousand successors.
    fn stop(&mut self, statistics: &Statistics) -> Option<Stop> {
        let _ = statistics;
        None
    }

    /// Some milliseconds have passed.
    fn progress(&mut self, f: u64, statistics: &Statistics) {
        let _ = (f, statistics);
    }
}

/// Nobody looks.
impl Observer for () {}
