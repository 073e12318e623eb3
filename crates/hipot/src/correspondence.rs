//! Cost partitionings as potential functions: Theorem 7 from shares to weights.
//!
//! The proof of a cost partitioning's bound is a function h of abstract states, and an
//! abstract state of a projection is a conjunction of facts. With w = h it is a potential
//! function with the same value in every state. It can be split into shares again
//! ([`Shares`]), certified as such, and written to a file.

use std::sync::Arc;

use hipot_analysis::PlainTask;
use hipot_potential::feature::Features;
use hipot_potential::shares::Shares;
use hipot_potential::textbook::certify_function;
use hipot_potential::{Certified, Costs, NormalForm, Violation};
use hipot_task::{FactId, Task};

use crate::failure::Failure;
use crate::heuristic::{Computed, ProvedPart};
use crate::partitioning::Partitioning;

/// The function that proves what a cost partitioning says about the initial state.
#[derive(Clone, Debug)]
pub struct DistanceFunction {
    /// The paper's normal form, without mutexes.
    pub normal: Arc<NormalForm>,
    /// The abstract states in which the function is not 0.
    pub features: Features,
    /// The numerators of their values.
    pub weights: Vec<i64>,
    /// The denominator; positive.
    pub denominator: i64,
    /// The costs that are distributed: 0 in a proof that there is no plan.
    pub costs: Costs,
}

impl DistanceFunction {
    /// The function of `partitioning`, a cost partitioning for `task`, if it has a proof that
    /// holds in all states.
    pub fn new(task: &Task, partitioning: &Partitioning) -> Result<Self, Failure> {
        let proof = partitioning.proof.as_ref().ok_or_else(|| {
            let spec = &partitioning.spec;
            Failure::Unsupported(format!(
                "{spec} has no function that holds in all states; ocp(…, states=all) has one"
            ))
        })?;
        let normal = Arc::new(NormalForm::plain(PlainTask::new(task).task())?);
        let ids = |facts: &Vec<_>| facts.iter().map(|&fact| normal.facts().id(fact)).collect();
        let (weights, lists): (Vec<i64>, Vec<Vec<FactId>>) =
            proof.weights.iter().map(|(weight, facts)| (*weight, ids(facts))).unzip();
        let features = Features::new(normal.facts().clone(), lists);
        let features = features.expect("conjunctions are not empty and occur once");
        let costs = if partitioning.bound().is_some() { Costs::Given } else { Costs::Zero };
        Ok(Self { normal, features, weights, denominator: proof.denominator, costs })
    }

    /// What each projection gets of every cost.
    pub fn shares(&self) -> Shares<'_> {
        Shares::new(&self.normal, &self.features, &self.weights)
    }

    /// The potential function, checked again: in all contexts of all operators.
    pub fn certify(&self) -> Result<Certified, Violation> {
        let Self { normal, features, weights, denominator, costs } = self;
        certify_function(normal, features, weights.clone(), *denominator, *costs)
    }
}

/// The potential function with the best bound in `heuristic`, a heuristic for `task`: one of
/// its own, or the one that a cost partitioning corresponds to. `None` if it has neither.
pub fn best_function(task: &Task, heuristic: &Computed) -> Result<Option<Certified>, Failure> {
    let partitioning = match heuristic.best() {
        None => return Ok(None),
        Some(ProvedPart::Potential(potential)) => return Ok(Some(potential.function.clone())),
        Some(ProvedPart::Partition(partitioning)) => partitioning,
        Some(ProvedPart::Saturated(saturated)) => {
            return Err(Failure::Unsupported(format!(
                "{} is not written as a potential function: it would have a feature for each \
                 abstract state",
                saturated.spec
            )));
        }
    };
    let function = DistanceFunction::new(task, partitioning)?;
    let spec = &partitioning.spec;
    function.certify().map(Some).map_err(|violation| match violation {
        Violation::TooLarge => Failure::Unsupported(format!(
            "{spec} cannot be written as a potential function: its operators have too many \
             contexts to check; choose a lower dimension"
        )),
        violation => Failure::Solver(format!("{spec}: {violation}")),
    })
}
