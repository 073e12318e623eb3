//! What every part of the schedule needs: its log, and shares of the time.

use hipot_task::Limits;

use crate::settings::{Completeness, Precision, Settings};

/// Logs a decision of the schedule, and the time that is left.
pub(super) fn log(decision: &str, limits: &Limits) {
    match limits.time_left() {
        Some(left) => tracing::info!("auto: {decision}; {:.0} s left", left.as_secs_f64()),
        None => tracing::info!("auto: {decision}; no time limit"),
    }
}

/// Settings in which an LP gets at most this share of the remaining time.
pub(super) fn with_share(settings: &Settings, share: f64, limits: &Limits) -> Settings {
    let share = limits.time_left().map(|left| left.mul_f64(share));
    let lp_time_limit = match (settings.lp_time_limit, share) {
        (Some(given), Some(share)) => Some(given.min(share)),
        (given, share) => given.or(share),
    };
    let (completeness, precision) = (Completeness::Optional, Precision::Bound);
    Settings { lp_time_limit, completeness, precision, ..settings.clone() }
}
