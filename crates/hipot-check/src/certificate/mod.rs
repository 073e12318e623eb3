//! Certificates: potential functions that prove a lower bound.
//!
//! A certificate names a task by its [`fingerprint()`]. It gives a potential
//! function φ by features, integer weights over one denominator and a constant,
//! and [claims](Claim) that φ proves a lower bound on the cost of every plan, or
//! that there is no plan. [`verify()`] checks the claim in exact arithmetic;
//! `docs/formats.md` has the format and its meaning in full. A certificate may
//! rest on mutexes. Then it includes their proof: the
//! [layers](crate::mutexes::Layer) that [`crate::mutexes`] checks.
//!
//! # Why a certificate proves its claim
//!
//! Let Π' be the task in transition normal form; if the task has axioms or conditional
//! effects, that of its plain task (module `plain`), whose bounds hold for the task. If φ(s⋆) ≤ 0 and no operator
//! lets φ fall by more than its cost, then along a plan φ falls from φ(s\_I)
//! to at most 0, so the plan costs at least φ(s\_I), and, costs being integers,
//! at least ⌈φ(s\_I)⌉. If no operator lets φ fall at all and φ(s\_I) > 0, then
//! no sequence of operators reaches s⋆. Every plan of the task is a plan of
//! Π' of the same cost once free operators that forget values are put in, so
//! the claim holds for the task itself.
//!
//! # Why it does so with mutexes
//!
//! Let M be the pairs of all layers: no state of a plan of the task has a pair
//! of M. They are used in two ways. In Π', a value that M implies is required
//! instead of `unknown` (module `normal_form`). And an operator is checked only in
//! states where the values of other variables are possible (module `possible`); φ
//! may fall further elsewhere.
//!
//! Let o₁, …, oₙ be a plan of the task and s₀, …, sₙ its states. Π' follows it
//! like this. It starts in s₀. For i = 1, …, n, it is in sᵢ₋₁. It forgets those
//! variables that oᵢ in Π' requires to be unknown, and applies oᵢ, which sets all
//! of them, so that Π' is in sᵢ. What oᵢ requires because M implies it holds in
//! sᵢ₋₁, because sᵢ₋₁ has the preconditions and no pair of M. In sₙ, it forgets
//! what is unknown in s⋆. What s⋆ has because M implies it holds in sₙ. So Π' is
//! in s⋆.
//!
//! So all facts that are known before oᵢ, and before and after forgetting for oᵢ,
//! are facts of sᵢ₋₁. Those known after oᵢ are facts of sᵢ, and those known before
//! and after forgetting at the end are facts of sₙ. In each of these steps, let W be
//! a variable that the operator does not mention. If W is known, its value is that of
//! the one state, or for oᵢ that of both states, which have no pair of M. So the
//! value is not dead, and it is mutex neither with what is known before the step nor
//! with what is known after it. Hence it is among the possible values. If W is
//! unknown, it can be unknown, and `unknown` is always possible. For the same reason
//! no step has a pair of M before or after it, nor a variable without possible
//! values. In short: along the plan, φ never falls by more than the maxima that are
//! checked, and no omitted operator is applied. The rest is as above. If M shows
//! that there is no plan, φ has nothing to prove.
//!
//! # Why it does so by cases
//!
//! A certificate may be about another normal form ([`OpenValues::Cases`]). There,
//! an operator requires in turn each combination of the values that it leaves open,
//! and variables are forgotten where the goal holds. Π' follows a plan as above, but
//! in sᵢ₋₁ it applies the case of oᵢ for this state, without forgetting anything.
//! This case exists, because sᵢ₋₁ has no pair of M; or it changes nothing, and
//! sᵢ₋₁ = sᵢ. For operators that are not split, Π' forgets as above. In the end all
//! facts of s⋆ that are not `unknown` hold, as forgetting there requires.
//!
//! # Where to look
//!
//! | module | what |
//! |---|---|
//! | `format`, `layers`, `lines`, `error` | the text format: reader and writer |
//! | `fingerprint` | which task a certificate is for |
//! | `normal_form`, `change` | transition normal form, as this crate reads it |
//! | `plain` | the task without axioms and conditional effects that a certificate is about |
//! | `cases` | operators by cases |
//! | `possible` | the values that variables can have where an operator is applied |
//! | `potential` | φ with an inverted index from facts to features |
//! | `consistency` | how far an operator can let φ fall (Theorem 1 and beyond) |
//! | `linked` | the part of this for context variables that features link |
//! | `elimination`, `elimination_order`, `table` | for these, bucket elimination (Theorem 4) |
//! | `verify` | all conditions, one after the other |
//! | `rejection`, `unproved` | what can be wrong, in words |
//! | `search` | certificates of searches, whose functions leave some states to be searched |
//!
//! This shares nothing with the code that makes certificates: neither the normal
//! form nor the features nor the arithmetic.

mod cases;
mod change;
mod consistency;
mod elimination;
mod elimination_order;
mod error;
mod fingerprint;
mod format;
mod integer;
mod layers;
mod lines;
mod linked;
mod normal_form;
mod plain;
mod possible;
mod potential;
mod rejection;
#[cfg(test)]
mod same_form;
mod search;
mod table;
mod unproved;
mod verify;

use std::fmt;

use hipot_task::{Value, VariableId};

use crate::mutexes::Layer;

pub use error::CertificateError;
pub use fingerprint::fingerprint;
pub use format::read_certificate;
pub use linked::MAX_JOINT_VALUES;
pub use num_bigint::BigInt;
pub use rejection::{Rejection, Violation};
pub use search::{
    ListedStates, Proof, ReadError, SearchCertificate, SearchRejection, StateCode, States,
    StatesError, StatesWriter, Uncovered, VerifiedSearch, read_proof, verify_search,
};
pub use verify::{Verified, verify};

/// What a certificate claims about the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Every plan costs at least this much.
    Bound(u64),
    /// There is no plan.
    Unsolvable,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound(bound) => write!(f, "bound {bound}"),
            Self::Unsolvable => f.write_str("unsolvable"),
        }
    }
}

/// The normal form that a certificate is about: what replaces a value that an
/// operator or the goal leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenValues {
    /// The value `unknown`.
    #[default]
    Unknown,
    /// In operators, each value in turn, if these are few.
    Cases,
}

/// A fact of the task in transition normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureFact {
    /// The variable.
    pub variable: VariableId,
    /// The value; `None` stands for the additional value `unknown`.
    pub value: Option<Value>,
}

impl FeatureFact {
    /// The fact ⟨`variable`, `value`⟩, `None` standing for `unknown`.
    pub const fn new(variable: VariableId, value: Option<Value>) -> Self {
        Self { variable, value }
    }
}

impl fmt::Display for FeatureFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => write!(f, "{}={value}", self.variable),
            None => write!(f, "{}=u", self.variable),
        }
    }
}

/// A claim with a potential function to prove it.
///
/// It is well formed: the denominator is positive, the variables of a feature
/// increase, no feature is empty, none appears twice. [`verify()`] decides whether it
/// fits a task and proves its claim.
///
/// ```
/// use hipot_check::{Certificate, Claim, FeatureFact, fingerprint, read_certificate, verify};
/// use hipot_task::{Effect, Fact, Operator, TaskBuilder, Variable};
///
/// let mut builder = TaskBuilder::new(true);
/// let lamp = builder.add_variable(Variable::new("lamp", ["off", "on"]))?;
/// builder.set_initial(vec![0])?;
/// builder.set_goal(vec![Fact::new(lamp, 1)])?;
/// builder.add_operator(Operator {
///     name: "switch-on".into(),
///     preconditions: vec![Fact::new(lamp, 0)],
///     effects: vec![Effect::new(Fact::new(lamp, 1))],
///     cost: 3,
/// })?;
/// let task = builder.build();
///
/// let off = FeatureFact::new(lamp, Some(0));
/// let features = [(5, [off])];
/// let certificate = Certificate::new(fingerprint(&task), Claim::Bound(3), 2, 0, features)?;
/// assert_eq!(verify(&task, &certificate)?.initial, "5/2");
///
/// let mut text = Vec::new();
/// certificate.write(&mut text)?;
/// assert_eq!(read_certificate(str::from_utf8(&text)?)?, certificate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    fingerprint: String,
    claim: Claim,
    denominator: BigInt,
    constant: BigInt,
    /// The normal form that the potential function is about.
    open: OpenValues,
    /// The proof of the mutexes that the claim rests on; empty for none.
    layers: Vec<Layer>,
    weights: Vec<BigInt>,
    /// The facts of all features, one feature after the other.
    facts: Vec<FeatureFact>,
    /// Where each feature's facts end.
    ends: Vec<usize>,
}

/// Why parts do not make a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The fingerprint is not 64 hexadecimal digits in lower case.
    #[error("'{0}' is not a fingerprint")]
    Fingerprint(String),
    /// The denominator is 0 or negative.
    #[error("the denominator must be positive")]
    Denominator,
    /// A feature without facts; the constant serves that purpose.
    #[error("feature {feature} has no facts")]
    EmptyFeature {
        /// The number of the feature, from 1.
        feature: usize,
    },
    /// The variables of a feature do not increase.
    #[error("feature {feature} mentions variable {variable} twice or after a larger one")]
    VariableOrder {
        /// The number of the feature, from 1.
        feature: usize,
        /// The variable that comes too late.
        variable: VariableId,
    },
    /// Two features are the same.
    #[error("feature {second} is the same as feature {first}")]
    Duplicate {
        /// The number of the first of them, from 1.
        first: usize,
        /// The number of the second.
        second: usize,
    },
}

impl Certificate {
    /// A certificate for the task with this [`fingerprint()`]; the potential
    /// function is (`constant` + Σ weights of true features) / `denominator`.
    pub fn new(
        fingerprint: impl Into<String>,
        claim: Claim,
        denominator: impl Into<BigInt>,
        constant: impl Into<BigInt>,
        features: impl IntoIterator<Item = (impl Into<BigInt>, impl AsRef<[FeatureFact]>)>,
    ) -> Result<Self, Malformed> {
        let (denominator, constant) = (denominator.into(), constant.into());
        let mut certificate = Self::without_features(fingerprint, claim, denominator, constant)?;
        for (weight, facts) in features {
            certificate.push(weight.into(), facts.as_ref())?;
        }
        match certificate.find_duplicate() {
            Some((first, second)) => {
                Err(Malformed::Duplicate { first: first + 1, second: second + 1 })
            }
            None => Ok(certificate),
        }
    }

    fn without_features(
        fingerprint: impl Into<String>,
        claim: Claim,
        denominator: BigInt,
        constant: BigInt,
    ) -> Result<Self, Malformed> {
        let fingerprint = fingerprint.into();
        if !fingerprint::is_well_formed(&fingerprint) {
            return Err(Malformed::Fingerprint(fingerprint));
        }
        if denominator <= BigInt::ZERO {
            return Err(Malformed::Denominator);
        }
        let (layers, weights, facts, ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let open = OpenValues::Unknown;
        Ok(Self { fingerprint, claim, denominator, constant, open, layers, weights, facts, ends })
    }

    /// This certificate, resting on the mutexes that `layers` prove; on none if there
    /// are no layers.
    #[must_use]
    pub fn with_layers(self, layers: Vec<Layer>) -> Self {
        Self { layers, ..self }
    }

    /// This certificate, about the normal form with this choice.
    #[must_use]
    pub fn with_open_values(self, open: OpenValues) -> Self {
        Self { open, ..self }
    }

    fn push(&mut self, weight: BigInt, facts: &[FeatureFact]) -> Result<(), Malformed> {
        let feature = self.weights.len() + 1;
        if facts.is_empty() {
            return Err(Malformed::EmptyFeature { feature });
        }
        if let Some(pair) = facts.windows(2).find(|pair| pair[0].variable >= pair[1].variable) {
            return Err(Malformed::VariableOrder { feature, variable: pair[1].variable });
        }
        self.weights.push(weight);
        self.facts.extend_from_slice(facts);
        self.ends.push(self.facts.len());
        Ok(())
    }

    /// The first feature that repeats an earlier one: the index of the earlier one and its own.
    fn find_duplicate(&self) -> Option<(usize, usize)> {
        let mut order: Vec<usize> = (0..self.feature_count()).collect();
        order.sort_unstable_by_key(|&index| (self.feature(index), index));
        let same = |pair: &&[usize]| self.feature(pair[0]) == self.feature(pair[1]);
        let repeated = order.windows(2).filter(same).min_by_key(|pair| pair[1]);
        repeated.map(|pair| (pair[0], pair[1]))
    }

    /// The fingerprint of the task that the certificate is for.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The claim.
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// The denominator, positive.
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// The numerator of the constant part of φ.
    pub fn constant(&self) -> &BigInt {
        &self.constant
    }

    /// The normal form that the potential function is about.
    pub fn open_values(&self) -> OpenValues {
        self.open
    }

    /// The proof of the mutexes that the claim rests on; empty for none.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The number of features.
    pub fn feature_count(&self) -> usize {
        self.ends.len()
    }

    /// The features with the numerators of their weights.
    pub fn features(&self) -> impl ExactSizeIterator<Item = (&BigInt, &[FeatureFact])> {
        self.weights.iter().enumerate().map(|(index, weight)| (weight, self.feature(index)))
    }

    /// The size of the largest feature.
    pub fn dimension(&self) -> usize {
        self.features().map(|(_, facts)| facts.len()).max().unwrap_or(0)
    }

    fn feature(&self, index: usize) -> &[FeatureFact] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.facts[start..self.ends[index]]
    }
}
