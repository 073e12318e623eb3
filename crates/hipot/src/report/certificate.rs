//! The certificate that a run has written.

use hipot_check::Claim;
use hipot_task::{Amount, Task};
use serde::Serialize;

use super::amounts;
use crate::proof::Written;

/// A certificate.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CertificateReport {
    /// It proves that every plan costs at least this much; `None` if it proves that there is none.
    #[serde(serialize_with = "amounts::serialize")]
    pub lower_bound: Option<Amount>,
    /// Whether it proves that the plan is optimal, or that there is no plan.
    pub optimal: bool,
    /// The number of states that it lists; 0 if a function alone proves the bound.
    pub states: u64,
    /// The number of its functions.
    pub functions: usize,
    /// The size of the file, if it lists states.
    pub bytes: Option<u64>,
    /// The time for listing and writing the states.
    pub seconds: f64,
}

impl CertificateReport {
    /// The report on a certificate of a function about `task`, where `found` would settle it.
    pub fn of_function(task: &Task, claim: Claim, found: Option<Claim>) -> Self {
        Self {
            lower_bound: lower_bound(task, claim),
            optimal: Some(claim) == found || claim == Claim::Unsolvable,
            states: 0,
            functions: 1,
            bytes: None,
            seconds: 0.0,
        }
    }

    /// The report on a certificate of a search in `task`.
    pub fn of_search(task: &Task, written: &Written) -> Self {
        let Written { claim, states, functions, bytes, time } = *written;
        let (lower_bound, seconds) = (lower_bound(task, claim), time.as_secs_f64());
        Self { lower_bound, optimal: true, states, functions, bytes: Some(bytes), seconds }
    }

    /// The lines of a log.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { lower_bound, optimal, states, .. } = self;
        let proved = match lower_bound {
            None => "there is no plan".to_owned(),
            Some(bound) => format!("every plan costs at least {bound}"),
        };
        let missing = if *optimal { "" } else { ", which is not all that was found" };
        let mut lines = vec![format!("Certificate: {proved}{missing}")];
        if *states > 0 {
            lines.push(format!("Certificate states: {states}"));
        }
        lines
    }
}

fn lower_bound(task: &Task, claim: Claim) -> Option<Amount> {
    match claim {
        Claim::Bound(bound) => Some(Amount::of(bound, task)),
        Claim::Unsolvable => None,
    }
}
