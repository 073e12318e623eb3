//! Certificates of searches: functions, and the states that these leave to be searched.
//!
//! Where no function proves enough in the initial state, a search has to. Its certificate says
//! that every plan costs at least C, or that there is no plan. It has some potential
//! functions, each with its own proof as in other certificates, and a list of states with
//! costs. [`verify_search`] checks
//!
//! 1. that no listed state is a goal state,
//! 2. that the initial state is *covered* at cost 0,
//! 3. that for each listed state s with its cost g and each operator o that is applicable in s,
//!    s⟦o⟧ is covered at cost g + cost(o).
//!
//! A state t is *covered* at cost g if
//!
//! - it is listed with a cost of at most g, or
//! - g + h(t) ≥ C, where h(t) is the largest of 0, ⌈φ(t)⌉ for each function φ, and, unless t is a goal
//!   state, the cost of the cheapest operator, or
//! - no plan has it: it has a pair of facts that layers prove to be mutex, or a function that no
//!   operator lowers is positive in t.
//!
//! In a proof that there is no plan, C is infinite: costs do not matter. Listed states that no plan
//! has, because of a mutex, need not meet condition 3, and operators that mutexes show to be in no
//! plan are left out.
//!
//! # Why a certificate proves its claim
//!
//! Let o₁, …, oₙ be a plan that costs less than C, or in a proof that there is none, any plan; let
//! s₀, …, sₙ be its states and gᵢ the cost of its first i steps. None of these states has a pair
//! that is mutex, no operator of the plan is left out, and all of it is what mutexes and functions
//! speak about (see the essay of the module above). By induction, sᵢ is listed with a
//! cost of at most gᵢ:
//!
//! - Because of conditions 2 and 3, s₀ is covered at cost 0, and sᵢ is covered at a cost of at most
//!   gᵢ if sᵢ₋₁ is listed with a cost of at most gᵢ₋₁.
//! - If sᵢ is covered at a cost g ≤ gᵢ because g + h(sᵢ) ≥ C, then the plan costs at least C: the
//!   rest of the plan, from sᵢ, costs at least h(sᵢ). For a function φ, this is what its proof
//!   says: along the rest of the plan, φ falls by no more than the steps cost, and in the end
//!   it is at most 0. And a plan from a state that is not a goal state has a step.
//! - sᵢ is not covered because no plan has it. A function that no step lowers and that is
//!   positive in sᵢ would be positive in the end.
//! - So sᵢ is listed, with a cost of at most gᵢ.
//!
//! In the end, sₙ is listed, but it is a goal state, contrary to condition 1. So there is no such
//! plan.
//!
//! If the task has axioms or conditional effects, functions and mutexes are about its plain task, which
//! follows each plan of the task from state to state at no higher cost (module `plain`). What they say
//! about a state of a plan of the plain task then holds for the state of the task that it stands for:
//! no plan of the task has a state that no plan of the plain task has, and the rest of a plan of
//! the task costs at least as much as the rest of the plan that follows it. Of such a task no operators
//! are left out.
//!
//! Whether the list is what a search has seen does not matter, nor whether its costs are those of
//! cheapest paths, or of any paths.
//!
//! # Where to look
//!
//! | module | what |
//! |---|---|
//! | `format` | the text part of the format: reader and writer |
//! | `code`, `stream`, `decode` | the list of states: its bytes, its reader and writer |
//! | `listed` | the set of listed states |
//! | `operators` | applicable operators, and what they change |
//! | `evaluate` | the functions in states and their successors |
//! | `check` | the conditions |
//! | `rejection` | what can be wrong, in words |

mod check;
mod code;
mod decode;
mod evaluate;
mod format;
mod listed;
mod operators;
mod rejection;
mod stream;

pub use check::{VerifiedSearch, verify_search};
pub use code::StateCode;
pub use decode::ListedStates;
pub use format::{Proof, ReadError, read_proof};
pub use rejection::{SearchRejection, Uncovered};
pub use stream::{States, StatesError, StatesWriter};

use super::{Certificate, Claim};
use crate::mutexes::Layer;

/// The certificate of a search, without its list of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchCertificate {
    fingerprint: String,
    claim: Claim,
    functions: Vec<Function>,
}

/// A function of a certificate of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    /// The function. Its claim says what may lower it, operators at their cost or none, and
    /// nothing about the initial state. It has no layers of its own.
    certificate: Certificate,
    /// The layers that it rests on; `None` for those of the function before.
    layers: Option<Vec<Layer>>,
}

impl SearchCertificate {
    /// A certificate without functions for the task with this [fingerprint](super::fingerprint()).
    ///
    /// # Panics
    /// If it is not a fingerprint.
    pub fn new(fingerprint: impl Into<String>, claim: Claim) -> Self {
        let fingerprint = fingerprint.into();
        assert!(super::fingerprint::is_well_formed(&fingerprint), "it is a fingerprint");
        Self { fingerprint, claim, functions: Vec::new() }
    }

    /// This certificate with one more function: that of another certificate. Of its claim it
    /// matters only whether it is a bound; if not, no operator may lower the function, and no plan
    /// has a state in which it is positive.
    #[must_use]
    pub fn with_function(mut self, function: &Certificate) -> Self {
        let is_same = self.last_layers() == Some(function.layers());
        let layers = (!is_same).then(|| function.layers().to_vec());
        let certificate = function.clone().with_layers(Vec::new());
        self.functions.push(Function { certificate, layers });
        self
    }

    /// The layers of the last function.
    fn last_layers(&self) -> Option<&[Layer]> {
        self.functions.iter().rev().find_map(|function| function.layers.as_deref())
    }

    /// The claim.
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// The fingerprint of the task that the certificate is for.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The functions, each with the layers that it rests on. Of the claim of a function it matters only
    /// whether it is a bound.
    pub fn functions(&self) -> impl Iterator<Item = (&Certificate, &[Layer])> {
        self.functions.iter().scan(&[][..], |layers, function| {
            *layers = function.layers.as_deref().unwrap_or(*layers);
            Some((&function.certificate, *layers))
        })
    }

    /// The number of functions.
    pub fn function_count(&self) -> usize {
        self.functions.len()
    }
}
