//! Costs and bounds in JSON: numbers in the unit of the problem.

use hipot_task::Amount;
use serde::{Serialize, Serializer};

/// Writes a cost as an integer, or as a decimal number if it is not one.
pub fn serialize<S: Serializer>(amount: &Option<Amount>, serializer: S) -> Result<S::Ok, S::Error> {
    let number = amount.map(|amount| (amount.whole(), amount.to_string()));
    match number {
        None => serializer.serialize_none(),
        Some((Some(whole), _)) => whole.serialize(serializer),
        // The nearest floating-point number is written with the same digits.
        Some((None, text)) => text.parse::<f64>().unwrap_or(f64::NAN).serialize(serializer),
    }
}
