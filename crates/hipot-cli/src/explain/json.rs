//! The explanation for programs: it is serialized as it is, on one line.

use serde::Serialize;

/// The explanation as one JSON object and the end of the line.
pub(crate) fn json(explanation: &impl Serialize) -> String {
    serde_json::to_string(explanation).expect("explanations can be serialized") + "\n"
}
