//! The certificate of a run: of the heuristic first, then of the search.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hipot::Failure;
use hipot::certificate::write_certificate;
use hipot::events::{Event, Events};
use hipot::heuristic::Computed;
use hipot::proof::{shortcoming, write_proof};
use hipot::report::CertificateReport;
use hipot::solution::Solution;
use hipot_check::Claim;
use hipot_search::Outcome;
use hipot_task::{Limits, Stop, Task};

/// Writes a certificate for each heuristic before it is used, and one for the search after it.
pub(super) struct CertificateWriter {
    task: Arc<Task>,
    file: PathBuf,
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What the last certificate claims.
    claim: Option<Claim>,
    /// The warning that was given.
    warned: Option<&'static str>,
    /// Why a certificate could not be written.
    failure: Option<Failure>,
}

impl CertificateWriter {
    pub(super) fn new(task: Arc<Task>, file: PathBuf, limits: Limits) -> Self {
        Self { task, file, limits, state: Mutex::default() }
    }

    /// The events that are told to `events` and write certificates.
    pub(super) fn follow(self: &Arc<Self>, events: &Events) -> Events {
        let own = Arc::clone(self);
        events.then(move |event| {
            if let Event::Heuristic(heuristic) = event {
                own.certify(heuristic);
            }
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the certificate of a heuristic, and says what that of the search will lack.
    fn certify(&self, heuristic: &Computed) {
        let mut state = self.state();
        let shortcoming = shortcoming(heuristic);
        if let Some(reason) = shortcoming.filter(|_| state.warned != shortcoming) {
            state.warned = shortcoming;
            tracing::warn!(
                "{reason}: that of the search does without and may list many more states than the \
                 search expands"
            );
        }
        match write_certificate(&self.task, heuristic, &self.file) {
            Ok(claim) => state.claim = Some(claim),
            Err(failure) => {
                // Events cannot fail: the run is asked to stop, and the failure kept.
                state.failure = Some(failure);
                self.limits.request(Stop::Interrupted);
            }
        }
    }

    /// Why a certificate could not be written.
    pub(super) fn take_failure(&self) -> Option<Failure> {
        self.state().failure.take()
    }

    /// Writes the certificate of a search, unless that of the heuristic says as much; returns the
    /// report on the last one. A limit leaves that of the heuristic.
    pub(super) fn finish(&self, solution: &Solution) -> Result<Option<CertificateReport>, Failure> {
        let found = match &solution.result.outcome {
            Outcome::Solved(plan) => Some(Claim::Bound(plan.cost)),
            Outcome::Unsolvable => Some(Claim::Unsolvable),
            Outcome::Stopped(_) | Outcome::BudgetSpent => None,
        };
        let earlier = self.state().claim;
        let of_heuristic =
            earlier.map(|claim| CertificateReport::of_function(&self.task, claim, found));
        let Some(claim) = found.filter(|_| found != earlier) else { return Ok(of_heuristic) };
        match write_proof(&self.task, &solution.heuristic, claim, &self.file, &self.limits) {
            Ok(written) => Ok(Some(CertificateReport::of_search(&self.task, &written))),
            Err(Failure::Stopped(stop)) => {
                tracing::warn!(
                    "{stop} before the certificate of the search is written; that of the heuristic \
                     is there"
                );
                Ok(of_heuristic)
            }
            Err(failure) => Err(failure),
        }
    }
}
