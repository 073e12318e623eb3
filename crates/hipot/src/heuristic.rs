//! Heuristic specs.

use std::fmt;
use std::str::FromStr;

/// A heuristic as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    /// 0 in goal states, the cheapest operator's cost elsewhere.
    Blind,
    /// What suits the task best.
    Auto,
}

/// A spec that names no heuristic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no heuristic '{0}'; known are: blind, auto")]
pub struct UnknownHeuristic(String);

impl FromStr for Spec {
    type Err = UnknownHeuristic;

    fn from_str(text: &str) -> Result<Self, UnknownHeuristic> {
        match text.trim() {
            "blind" | "blind()" => Ok(Self::Blind),
            "auto" | "auto()" => Ok(Self::Auto),
            _ => Err(UnknownHeuristic(text.to_owned())),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blind => "blind",
            Self::Auto => "auto",
        })
    }
}

impl Spec {
    /// The heuristic that will be used: never `auto`.
    #[must_use]
    pub fn resolve(self) -> Self {
        match self {
            Self::Auto | Self::Blind => Self::Blind,
        }
    }
}
