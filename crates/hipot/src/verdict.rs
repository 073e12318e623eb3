//! Whether a plan is valid and whether a certificate holds, as reports.
//!
//! The checks are made by [`hipot_check`], which trusts nobody; here its answers become what
//! `hipot validate` and `hipot verify` print.

use std::io::BufRead;
use std::path::Path;

use hipot_check::{
    Certificate, Claim, Conclusion, Proof, Reason, Rejection, SearchCertificate, SearchRejection,
    States, pddl, validate, verify, verify_search,
};
use hipot_task::{Amount, PlanStep, Task};
use serde::Serialize;

use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::report::amounts;

/// The result of `hipot validate`, schema `hipot.validate/1`.
#[derive(Debug, Serialize)]
pub struct ValidateReport {
    /// `hipot.validate/1`.
    pub schema: &'static str,
    /// `valid`, or `invalid`.
    pub status: Status,
    /// The plan's cost.
    #[serde(serialize_with = "amounts::serialize")]
    pub cost: Option<Amount>,
    /// The plan's number of steps.
    pub length: usize,
    /// Why the plan is not valid.
    pub reason: Option<String>,
    /// The line of the step that fails.
    pub line: Option<usize>,
    /// The reason as people read it.
    #[serde(skip)]
    invalid: Option<Invalid>,
}

/// Why a plan is not valid.
#[derive(Debug)]
struct Invalid {
    /// What VAL prints in such a case.
    verdict: &'static str,
    /// The reason with its place.
    message: String,
    reason: String,
    line: Option<usize>,
}

impl ValidateReport {
    /// The schema's name and version.
    pub const SCHEMA: &'static str = "hipot.validate/1";

    /// Executes a plan by the semantics of PDDL.
    pub fn of_pddl(task: &hipot_pddl::Task, steps: &[PlanStep]) -> Result<Self, Failure> {
        let semantics = pddl::Semantics::new(task);
        let semantics = semantics.map_err(|error| Failure::Unsupported(error.to_string()))?;
        let result = pddl::validate(&semantics, steps).map_err(|failure| Invalid {
            verdict: verdict(matches!(*failure.reason, pddl::Reason::GoalNotReached { .. })),
            message: failure.to_string(),
            reason: pddl::Failure { line: None, ..failure.clone() }.to_string(),
            line: failure.line,
        });
        Ok(Self::new(steps.len(), result, task.decimals))
    }

    /// Executes a plan in a finite-domain task.
    pub fn of_task(task: &Task, steps: &[PlanStep]) -> Self {
        let result = validate(task, steps).map_err(|invalid| Invalid {
            verdict: verdict(matches!(invalid.reason, Reason::GoalNotReached { .. })),
            message: invalid.to_string(),
            reason: invalid.reason.to_string(),
            line: invalid.line,
        });
        Self::new(steps.len(), result, task.decimals())
    }

    /// Executes a plan in the task as it was written.
    pub fn of_input(input: &Input, steps: &[PlanStep]) -> Result<Self, Failure> {
        match &input.source {
            Some(source) => Self::of_pddl(source, steps),
            None => Ok(Self::of_task(&input.task, steps)),
        }
    }

    /// The report; the cost is in units of the last of so many decimals.
    fn new(length: usize, result: Result<u64, Invalid>, decimals: u32) -> Self {
        let (cost, invalid) = match result {
            Ok(units) => (Some(Amount { units, decimals }), None),
            Err(invalid) => (None, Some(invalid)),
        };
        Self {
            schema: Self::SCHEMA,
            status: if cost.is_some() { Status::Valid } else { Status::Invalid },
            cost,
            length,
            reason: invalid.as_ref().map(|invalid| invalid.reason.clone()),
            line: invalid.as_ref().and_then(|invalid| invalid.line),
            invalid,
        }
    }

    /// The text for people; `plan` is the name of the plan's file.
    pub fn text(&self, plan: &Path) -> String {
        match &self.invalid {
            None => {
                let cost = self.cost.map_or("0".to_owned(), |cost| cost.to_string());
                format!("Plan valid\nFinal value: {cost}\n")
            }
            Some(invalid) => {
                format!("{}\n{}: {}\n", invalid.verdict, plan.display(), invalid.message)
            }
        }
    }
}

fn verdict(is_executable: bool) -> &'static str {
    if is_executable { "Goal not satisfied" } else { "Plan failed to execute" }
}

/// The result of `hipot verify`, schema `hipot.verify/1`.
#[derive(Debug, Serialize)]
pub struct VerifyReport {
    /// `hipot.verify/1`.
    pub schema: &'static str,
    /// `verified`, or `invalid`.
    pub status: Status,
    /// Whether certificate and plan hold, as far as they are given.
    pub valid: bool,
    /// The bound that is proved; `None` if `unsolvable`.
    #[serde(serialize_with = "amounts::serialize")]
    pub bound: Option<Amount>,
    /// The same under the name that other reports have.
    #[serde(serialize_with = "amounts::serialize")]
    pub lower_bound: Option<Amount>,
    /// Whether the certificate proves that there is no plan.
    pub unsolvable: bool,
    /// The value of the potential function in the initial state.
    pub initial_exact: Option<String>,
    /// The number of mutexes that the certificate rests on and proves.
    pub mutexes: Option<usize>,
    /// The number of functions that the certificate rests on and proves.
    pub functions: Option<usize>,
    /// The number of states that the certificate lists; `None` if it needs none.
    pub states: Option<u64>,
    /// Whether the task was translated from PDDL, so that the proof rests on the translation.
    pub translated: bool,
    /// The plan's cost.
    #[serde(serialize_with = "amounts::serialize")]
    pub cost: Option<Amount>,
    /// Whether the plan is proved optimal.
    pub optimal: Option<bool>,
    /// Why the certificate or the plan does not hold.
    pub reason: Option<String>,
    /// The number of decimals of costs.
    #[serde(skip)]
    decimals: u32,
}

impl VerifyReport {
    /// The schema's name and version.
    pub const SCHEMA: &'static str = "hipot.verify/1";

    /// Checks a certificate about the task of `input`. Fails if the checker cannot decide.
    pub fn new<R: BufRead>(input: &Input, proof: Proof<R>) -> Result<Self, Failure> {
        let mut report = Self {
            schema: Self::SCHEMA,
            status: Status::Verified,
            valid: true,
            bound: None,
            lower_bound: None,
            unsolvable: false,
            initial_exact: None,
            mutexes: None,
            functions: None,
            states: None,
            translated: input.source.is_some(),
            cost: None,
            optimal: None,
            reason: None,
            decimals: input.task.decimals(),
        };
        match proof {
            Proof::Function(certificate) => report.verify(&input.task, &certificate)?,
            Proof::Search(certificate, states) => {
                report.verify_search(&input.task, &certificate, states)?;
            }
        }
        Ok(report)
    }

    fn verify(&mut self, task: &Task, certificate: &Certificate) -> Result<(), Failure> {
        match verify(task, certificate) {
            Ok(verified) => {
                self.initial_exact = Some(verified.initial);
                self.mutexes = Some(verified.mutexes);
                self.functions = Some(1);
                self.prove(verified.claim);
                Ok(())
            }
            Err(rejection) => self.reject_function(&rejection, rejection.to_string()),
        }
    }

    fn verify_search<R: BufRead>(
        &mut self,
        task: &Task,
        certificate: &SearchCertificate,
        states: States<R>,
    ) -> Result<(), Failure> {
        match verify_search(task, certificate, states) {
            Ok(verified) => {
                self.mutexes = Some(verified.mutexes);
                self.functions = Some(verified.functions);
                self.states = Some(verified.states);
                self.prove(verified.claim);
                Ok(())
            }
            Err(rejection) => {
                let reason = rejection.to_string();
                match rejection {
                    SearchRejection::Function { rejection, .. } => {
                        self.reject_function(&rejection, reason)
                    }
                    _ => {
                        self.reject(reason);
                        Ok(())
                    }
                }
            }
        }
    }

    fn prove(&mut self, claim: Claim) {
        match claim {
            Claim::Bound(units) => {
                let bound = Some(Amount { units, decimals: self.decimals });
                (self.bound, self.lower_bound) = (bound, bound);
            }
            Claim::Unsolvable => self.unsolvable = true,
        }
    }

    /// Notes that a function is rejected, or fails if the checker cannot decide about it.
    fn reject_function(&mut self, rejection: &Rejection, reason: String) -> Result<(), Failure> {
        match rejection {
            Rejection::TooLarge { .. } => Err(Failure::Unsupported(reason)),
            _ => {
                self.reject(reason);
                Ok(())
            }
        }
    }

    /// Adds the verdict on a plan; `plan` is the name of its file.
    pub fn add_plan(&mut self, validated: &ValidateReport, plan: &Path) {
        match (&validated.invalid, validated.cost) {
            (Some(invalid), _) => self.reject(format!("{}: {}", plan.display(), invalid.message)),
            (None, cost) => {
                self.cost = cost;
                self.optimal = self.bound.map(|bound| cost == Some(bound));
                if let Some(contradiction) = self.conclusion().and_then(|it| it.contradiction()) {
                    self.reject(contradiction);
                }
            }
        }
    }

    /// Whether the cost of optimal plans is proved: the plan is optimal, or there is none.
    pub fn is_settled(&self) -> bool {
        self.valid && self.conclusion().is_some_and(|conclusion| conclusion.is_settled())
    }

    /// What follows; `None` if nothing is proved.
    fn conclusion(&self) -> Option<Conclusion> {
        let unsolvable = self.unsolvable.then_some(Claim::Unsolvable);
        Some(Conclusion {
            claim: self.bound.map(|bound| Claim::Bound(bound.units)).or(unsolvable)?,
            mutexes: self.mutexes.unwrap_or(0),
            functions: self.functions.unwrap_or(0),
            states: self.states.unwrap_or(0),
            plan_cost: self.cost.map(|cost| cost.units),
            decimals: self.decimals,
        })
    }

    fn reject(&mut self, reason: String) {
        self.status = Status::Invalid;
        self.valid = false;
        self.reason = Some(reason);
    }

    /// The text for people: what is proved in one line, then what the proof rests on.
    pub fn text(&self) -> String {
        let proved = self.conclusion().map(|conclusion| conclusion.to_string());
        match (&self.reason, proved) {
            (None, Some(proved)) => {
                let trusted = " The translation from PDDL is trusted.";
                format!("{proved}{}\n", if self.translated { trusted } else { "" })
            }
            (reason, _) => format!("Not verified: {}\n", reason.as_deref().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(bound: Option<u64>) -> VerifyReport {
        let bound = bound.map(|units| Amount { units, decimals: 1 });
        VerifyReport {
            schema: VerifyReport::SCHEMA,
            status: Status::Verified,
            valid: true,
            bound,
            lower_bound: bound,
            unsolvable: bound.is_none(),
            initial_exact: None,
            mutexes: None,
            functions: None,
            states: None,
            translated: false,
            cost: None,
            optimal: None,
            reason: None,
            decimals: 1,
        }
    }

    #[test]
    fn a_plan_that_a_certificate_excludes_is_a_contradiction() {
        let plan = ValidateReport::new(3, Ok(5), 1);
        for (bound, is_contradiction, is_settled) in [
            (Some(4), false, false),
            (Some(5), false, true),
            (Some(6), true, false),
            (None, true, false),
        ] {
            let mut report = report(bound);
            report.add_plan(&plan, Path::new("plan"));
            assert_eq!(report.text().contains("contradiction"), is_contradiction, "{bound:?}");
            assert_eq!((report.valid, report.is_settled()), (!is_contradiction, is_settled));
            assert_eq!(report.status == Status::Invalid, is_contradiction);
        }
        assert!(report(None).is_settled());
    }
}
