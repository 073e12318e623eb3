//! The explanation for programs: [`Explanation`] as it is, on one line.

use super::Explanation;

/// The explanation as one JSON object and the end of the line.
pub(crate) fn json(explanation: &Explanation) -> String {
    serde_json::to_string(explanation).expect("explanations can be serialized") + "\n"
}
