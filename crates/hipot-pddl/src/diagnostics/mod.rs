//! What is wrong with a task, and where.
//!
//! While the files are read, a [`Finding`] is a message whose places are byte
//! offsets. At the end the first findings become [`Diagnostic`]s, which carry
//! the lines they refer to and so outlive the files.
//!
//! Hostile files must not make this slow or large: only the first findings are
//! kept, only some of them search for a name to suggest, and the rest are just
//! counted.

mod diagnostic;
mod errors;
mod finding;
mod nearest;
mod place;
mod quote;
mod render;

pub use diagnostic::{Diagnostic, Note, Severity};
pub use errors::Errors;
pub(crate) use finding::{Finding, Findings};
pub use nearest::nearest;
pub use place::Place;
pub(crate) use place::Places;
pub(crate) use quote::quote;

/// Diagnostics as text, as compilers show them.
pub fn shown(diagnostics: &[Diagnostic]) -> String {
    render::text(diagnostics, 0)
}
