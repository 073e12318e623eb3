//! The verifier: all conditions of a certificate, in exact arithmetic.
//!
//! The fingerprint of the task and the proof of the mutexes come first, since
//! everything else rests on them. Then come the cheap conditions: known facts, goal
//! awareness, the value of the initial state; then consistency, operator by operator.
//! If several operators violate it, the first one is reported.

use hipot_task::{Task, Value, VariableId};
use num_bigint::BigInt;

use super::consistency::Consistency;
use super::integer::{Integer, ceiling, fits_in_128_bits, rational};
use super::linked::{Maximum, TooHard};
use super::normal_form::{NormalForm, NormalOperator, fact_name};
use super::plain::plain;
use super::possible::Possible;
use super::potential::Potential;
use super::rejection::{Rejection, Violation, why_unknown};
use super::unproved::unproved;
use super::{Certificate, Claim, FeatureFact, fingerprint};
use crate::mutexes::{self, Proved};

/// What has been proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The claim, which holds.
    pub claim: Claim,
    /// φ(s\_I) in the problem's unit, as an integer or a fraction in lowest terms.
    pub initial: String,
    /// The number of features.
    pub features: usize,
    /// The size of the largest feature.
    pub dimension: usize,
    /// The number of operators checked, including those that forget; 0 if the
    /// mutexes alone show that there is no plan.
    pub operators: usize,
    /// The number of layers that prove mutexes.
    pub layers: usize,
    /// The number of pairs that they prove, dead facts included.
    pub mutexes: usize,
}

/// Checks whether the certificate proves its claim about `task`.
///
/// # Panics
/// If the task has a name that no `.sas` file can hold; see [`fingerprint()`].
pub fn verify(task: &Task, certificate: &Certificate) -> Result<Verified, Rejection> {
    check_task(task, certificate)?;
    let task = &*plain(task);
    let mutexes = check_mutexes(task, certificate)?;
    let normal = NormalForm::new(task, certificate.open_values(), mutexes.as_ref());
    check_facts(&normal, certificate)?;
    if fits_in_128_bits(task, certificate) {
        check_claim::<i128>(&normal, certificate)
    } else {
        check_claim::<BigInt>(&normal, certificate)
    }
}

/// Checks the function of a certificate about this plain task, which rests on these mutexes instead of
/// layers of its own: that it is at most 0 in the goal state, and that no operator lowers it by more than its claim
/// allows. The value in the initial state does not matter.
pub(super) fn verify_function(
    task: &Task,
    certificate: &Certificate,
    mutexes: Option<&Proved<'_>>,
) -> Result<(), Rejection> {
    if certificate.feature_count() == 0 && *certificate.constant() <= BigInt::ZERO {
        // It is nowhere positive, and nothing lowers it.
        return Ok(());
    }
    let normal = NormalForm::new(task, certificate.open_values(), mutexes);
    check_facts(&normal, certificate)?;
    if fits_in_128_bits(task, certificate) {
        check_function::<i128>(&normal, certificate)
    } else {
        check_function::<BigInt>(&normal, certificate)
    }
}

fn check_function<N: Integer>(
    normal: &NormalForm<'_>,
    certificate: &Certificate,
) -> Result<(), Rejection> {
    let potential = Potential::<N>::new(certificate, normal);
    check_goal(&potential, normal, certificate)?;
    check_consistency(&potential, normal, certificate).map(|_| ())
}

fn check_task(task: &Task, certificate: &Certificate) -> Result<(), Rejection> {
    let (named, found) = (certificate.fingerprint(), fingerprint(task));
    if named != found {
        return Err(Rejection::OtherTask { certificate: named.to_owned(), task: found });
    }
    Ok(())
}

/// The mutexes that the certificate may rest on, proved.
fn check_mutexes<'a>(
    task: &'a Task,
    certificate: &Certificate,
) -> Result<Option<Proved<'a>>, Rejection> {
    let layers = certificate.layers();
    if layers.is_empty() {
        return Ok(None);
    }
    let proved = mutexes::check(task, layers);
    proved.map(Some).map_err(|rejection| unproved(task, layers, rejection))
}

fn check_facts(normal: &NormalForm<'_>, certificate: &Certificate) -> Result<(), Rejection> {
    for (index, (_, facts)) in certificate.features().enumerate() {
        if let Some(&fact) = facts.iter().find(|&&fact| normal.value(fact).is_none()) {
            let reason = why_unknown(normal.task, fact, &normal.other_reasons());
            return Err(Rejection::UnknownFact { feature: index + 1, fact, reason });
        }
    }
    Ok(())
}

fn check_claim<N: Integer>(
    normal: &NormalForm<'_>,
    certificate: &Certificate,
) -> Result<Verified, Rejection> {
    let potential = Potential::<N>::new(certificate, normal);
    let decimals = normal.task.decimals();
    let mut verified = Verified {
        claim: certificate.claim(),
        initial: initial_value(&potential, normal, certificate, decimals),
        features: certificate.feature_count(),
        dimension: certificate.dimension(),
        operators: 0,
        layers: certificate.layers().len(),
        mutexes: normal.mutexes.map_or(0, Proved::pair_count),
    };
    let excluded = normal.mutexes.is_some_and(Proved::is_unsolvable);
    if !(excluded && certificate.claim() == Claim::Unsolvable) {
        check_goal(&potential, normal, certificate)?;
        check_initial(&potential, normal, certificate)?;
        verified.operators = check_consistency(&potential, normal, certificate)?;
    }
    Ok(verified)
}

/// φ(s\_I), for messages; costs are in units of the last of so many decimals.
fn initial_value<N: Integer>(
    potential: &Potential<N>,
    normal: &NormalForm<'_>,
    certificate: &Certificate,
    decimals: u32,
) -> String {
    let numerator = potential.value(normal.task.initial()).to_big();
    rational(&numerator, &(certificate.denominator() * BigInt::from(10).pow(decimals)))
}

/// Condition 1: φ(s⋆) ≤ 0.
fn check_goal<N: Integer>(
    potential: &Potential<N>,
    normal: &NormalForm<'_>,
    certificate: &Certificate,
) -> Result<(), Rejection> {
    let value = potential.value(&normal.goal);
    if value > N::ZERO {
        let value = rational(&value.to_big(), certificate.denominator());
        return Err(Rejection::GoalNotAware { value });
    }
    Ok(())
}

/// Condition 3: φ(s\_I) > B − 1, or φ(s\_I) > 0.
fn check_initial<N: Integer>(
    potential: &Potential<N>,
    normal: &NormalForm<'_>,
    certificate: &Certificate,
) -> Result<(), Rejection> {
    let (claim, denominator) = (certificate.claim(), certificate.denominator());
    let numerator = potential.value(normal.task.initial()).to_big();
    let reached = match claim {
        Claim::Bound(bound) => numerator > (BigInt::from(bound) - 1) * denominator,
        Claim::Unsolvable => numerator > BigInt::ZERO,
    };
    if reached {
        return Ok(());
    }
    let initial = rational(&numerator, denominator);
    let provable = ceiling(&numerator, denominator);
    Err(Rejection::BoundNotReached { claim, initial, provable })
}

/// Condition 2: no operator lets φ fall by more than its cost, or, for unsolvability, at
/// all. Returns the number of operators.
fn check_consistency<N: Integer>(
    potential: &Potential<N>,
    normal: &NormalForm<'_>,
    certificate: &Certificate,
) -> Result<usize, Rejection> {
    let mut consistency = Consistency::new(potential, normal);
    let mut operators = 0;
    for operator in normal.operators() {
        let allowed = match certificate.claim() {
            Claim::Bound(_) => operator.cost,
            Claim::Unsolvable => 0,
        };
        let fall = consistency
            .greatest_fall(&operator.changes)
            .map_err(|too_hard| too_large(normal, &operator, &too_hard))?;
        let limit = N::from_big(&(certificate.denominator() * allowed));
        if let Some(fall) = fall.filter(|fall| fall.amount > limit) {
            let violation = violation(potential, normal, certificate, &operator, allowed, &fall);
            return Err(Rejection::Inconsistent(Box::new(violation)));
        }
        operators += 1;
    }
    Ok(operators)
}

fn too_large(normal: &NormalForm<'_>, operator: &NormalOperator, too_hard: &TooHard) -> Rejection {
    let name = |&variable: &usize| normal.task.variables()[variable].name.clone();
    let variables = too_hard.variables.iter().map(name).collect();
    Rejection::TooLarge { operator: operator.name.clone(), variables }
}

/// The witness that `fall` describes, with potentials computed from scratch.
fn violation<N: Integer>(
    potential: &Potential<N>,
    normal: &NormalForm<'_>,
    certificate: &Certificate,
    operator: &NormalOperator,
    allowed: u32,
    fall: &Maximum<N>,
) -> Violation {
    let mut facts = Vec::new();
    let mut state = possible_state(normal, operator);
    let required = operator.changes.iter().map(|change| (change.variable, change.before));
    for (variable, value) in required.chain(fall.facts.iter().copied()) {
        state[variable] = value;
        facts.push(fact_name(normal.task, variable, value));
    }
    let mut successor = state.clone();
    for change in &operator.changes {
        successor[change.variable] = change.after;
    }
    let [before, after] = [&state, &successor].map(|state| potential.value(state).to_big());
    assert_eq!(&before - &after, fall.amount.to_big(), "the witness attains the maximum");
    let denominator = certificate.denominator();
    let excess = &before - &after - denominator * allowed;
    Violation {
        operator: operator.name.clone(),
        allowed,
        claim: certificate.claim(),
        state: describe(normal, &state),
        facts,
        before: rational(&before, denominator),
        after: rational(&after, denominator),
        excess: rational(&excess, denominator),
    }
}

/// A state in which the variables that the operator does not mention have possible
/// values: those of the initial state if possible.
fn possible_state(normal: &NormalForm<'_>, operator: &NormalOperator) -> Vec<Value> {
    let mut state = normal.task.initial().to_vec();
    let possible = Possible::around(normal, &operator.changes).expect("it has a fall");
    for (variable, value) in state.iter_mut().enumerate() {
        if !possible.has((variable, *value)) {
            // Variables that the operator mentions may have no possible value.
            *value = possible.values(variable).next().unwrap_or(*value);
        }
    }
    state
}

/// A state of the normal form, as certificates write its facts.
fn describe(normal: &NormalForm<'_>, state: &[Value]) -> Vec<FeatureFact> {
    let known = |variable: usize, value: Value| {
        let known = value < normal.task.variables()[variable].domain_size();
        FeatureFact::new(VariableId::new(variable), known.then_some(value))
    };
    state.iter().enumerate().map(|(variable, &value)| known(variable, value)).collect()
}
