//! What follows from a proof and a plan, in words.

use std::fmt;

use hipot_task::Amount;

use crate::certificate::{Claim, Verified, VerifiedSearch};
use crate::counted::grouped;

/// What is proved, and what the proof rests on. Displayed in two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// The claim that was proved.
    pub claim: Claim,
    /// The number of mutexes that were proved.
    pub mutexes: usize,
    /// The number of functions that were proved to be lower bounds.
    pub functions: usize,
    /// The number of listed states.
    pub states: u64,
    /// The cost of a valid plan.
    pub plan_cost: Option<u64>,
    /// The claim and the cost are in units of the last of so many decimals.
    pub decimals: u32,
}

impl From<&Verified> for Conclusion {
    fn from(verified: &Verified) -> Self {
        let Verified { claim, mutexes, .. } = *verified;
        Self { claim, mutexes, functions: 1, states: 0, plan_cost: None, decimals: 0 }
    }
}

impl From<&VerifiedSearch> for Conclusion {
    fn from(verified: &VerifiedSearch) -> Self {
        let VerifiedSearch { claim, mutexes, functions, states } = *verified;
        Self { claim, mutexes, functions, states, plan_cost: None, decimals: 0 }
    }
}

impl Conclusion {
    /// Whether the cost of optimal plans is proved: the plan is optimal, or there is none.
    pub fn is_settled(&self) -> bool {
        match (self.claim, self.plan_cost) {
            (Claim::Bound(bound), cost) => cost == Some(bound),
            (Claim::Unsolvable, cost) => cost.is_none(),
        }
    }

    /// What is wrong if the proof excludes the plan.
    pub fn contradiction(&self) -> Option<String> {
        let cost = self.plan_cost?;
        let proved = match self.claim {
            Claim::Bound(bound) if cost < bound => {
                format!("every plan costs at least {}", self.amount(bound))
            }
            Claim::Bound(_) => return None,
            Claim::Unsolvable => "there is no plan".to_owned(),
        };
        Some(format!(
            "contradiction: the certificate proves that {proved}, but the plan is valid and costs \
             {}. Do both belong to this task? If so, hipot has a defect; please report it",
            self.amount(cost)
        ))
    }

    fn amount(&self, units: u64) -> Amount {
        Amount { units, decimals: self.decimals }
    }

    /// What is proved.
    fn verdict(&self) -> String {
        let Claim::Bound(bound) = self.claim else { return "there is no plan".to_owned() };
        let proved = format!("every plan costs at least {}", self.amount(bound));
        match self.plan_cost.map(|cost| self.amount(cost)) {
            None => proved,
            Some(cost) if self.is_settled() => {
                format!("{proved}, and this plan costs {cost}: it is optimal")
            }
            Some(cost) => {
                format!("{proved}. This plan is valid and costs {cost}; it is not proved optimal")
            }
        }
    }

    /// What the proof rests on, besides the task.
    fn parts(&self) -> String {
        let counts = [
            (self.mutexes as u64, "mutex", "mutexes"),
            (self.functions as u64, "function", "functions"),
            (self.states, "listed state", "listed states"),
        ];
        let counts = counts.into_iter().filter(|&(count, ..)| count > 0);
        let parts: Vec<String> = counts
            .map(|(count, one, several)| {
                format!("{} {}", grouped(count), if count == 1 { one } else { several })
            })
            .collect();
        match &parts[..] {
            [] => String::new(),
            [part] => format!(" and {part}, checked"),
            [first @ .., last] => format!(", {} and {last}, all checked", first.join(", ")),
        }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Proved: {}.", self.verdict())?;
        write!(f, "The proof rests on the task{}.", self.parts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conclusions_in_words() {
        let claim = Claim::Bound(42);
        let bare =
            Conclusion { claim, mutexes: 0, functions: 0, states: 0, plan_cost: None, decimals: 0 };
        let text = |it: Conclusion| it.to_string();
        assert_eq!(
            text(bare),
            "Proved: every plan costs at least 42.\nThe proof rests on the task."
        );
        let with_plan = |cost| Conclusion { functions: 1, plan_cost: Some(cost), ..bare };
        assert_eq!(
            text(with_plan(42)),
            "Proved: every plan costs at least 42, and this plan costs 42: it is optimal.\n\
             The proof rests on the task and 1 function, checked."
        );
        assert!(text(with_plan(43)).contains("costs 43; it is not proved optimal.\n"));
        let decimal = Conclusion { decimals: 1, ..with_plan(42) };
        assert!(text(decimal).contains("at least 4.2, and this plan costs 4.2: it is optimal"));
        let decimal = Conclusion { decimals: 1, ..with_plan(41) };
        let contradiction = decimal.contradiction().unwrap();
        assert!(contradiction.contains("at least 4.2, but the plan is valid and costs 4.1."));
        assert_eq!(with_plan(43).contradiction(), None);
        assert!(with_plan(41).contradiction().is_some());
        let states = 1_234_567;
        let none = Conclusion { claim: Claim::Unsolvable, mutexes: 1, states, ..bare };
        assert_eq!(
            text(none),
            "Proved: there is no plan.\n\
             The proof rests on the task, 1 mutex and 1,234,567 listed states, all checked."
        );
        assert!(none.is_settled() && !bare.is_settled() && with_plan(42).is_settled());
        assert!(Conclusion { plan_cost: Some(1), ..none }.contradiction().is_some());
    }
}
