//! Costs and estimates, in the problem's unit.

use std::fmt;

use hipot::report::amounts;
use hipot_task::{Amount, Task};
use serde::{Serialize, Serializer};

/// A cost, a bound or an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost(Amount);

impl Cost {
    /// A cost in `task`.
    pub(crate) fn of(units: impl Into<u64>, task: &Task) -> Self {
        Self(Amount::of(units.into(), task))
    }

    /// The same task's cost of so many units.
    #[must_use]
    pub(crate) fn with_units(self, units: u64) -> Self {
        Self(Amount { units, ..self.0 })
    }

    /// The number of units, for the lengths of lines.
    pub(crate) fn units(self) -> u64 {
        self.0.units
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        amounts::serialize(&Some(self.0), serializer)
    }
}
