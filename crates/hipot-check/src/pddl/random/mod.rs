//! Random tiny tasks, as PDDL text.
//!
//! A draft has a vocabulary of a few predicates and objects, actions with
//! random conditions and effects, and perhaps rules. Its goal is taken from
//! the end of a random walk. Most drafts are dull: solved at the start, without
//! applicable steps, or too large. So each is explored, and the first one that
//! needs a few steps, or has no plan where that is wanted, is the task.

mod actions;
mod formula;
mod problem;
mod vocabulary;

use hipot_pddl::{Source, Task, read};

use super::{Semantics, explore};
use crate::Rng;
use actions::Domain;

/// A part of PDDL that random tasks may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// A hierarchy of types.
    Types,
    /// Variables and objects of one type or another; needs types.
    Either,
    /// Constants in conditions and effects.
    Constants,
    /// Negations.
    Negations,
    /// Disjunctions.
    Disjunctions,
    /// Implications.
    Implications,
    /// `exists` and `forall`, nested, with variables that hide others.
    Quantifiers,
    /// Equality.
    Equality,
    /// Conditional effects.
    ConditionalEffects,
    /// Universal effects.
    UniversalEffects,
    /// Derived predicates, recursive and in several strata.
    DerivedPredicates,
    /// Action costs by functions.
    Costs,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Types,
        Self::Either,
        Self::Constants,
        Self::Negations,
        Self::Disjunctions,
        Self::Implications,
        Self::Quantifiers,
        Self::Equality,
        Self::ConditionalEffects,
        Self::UniversalEffects,
        Self::DerivedPredicates,
        Self::Costs,
    ];
}

/// What random tasks look like.
#[derive(Clone, Debug)]
pub struct RandomPddl {
    /// What they may use.
    pub features: Vec<Feature>,
    /// The most states that are reached until the first goal state.
    pub states: usize,
    /// How many of 100 tasks have no plan, about.
    pub percent_unsolvable: u32,
}

impl Default for RandomPddl {
    fn default() -> Self {
        Self { features: Feature::ALL.to_vec(), states: 4000, percent_unsolvable: 15 }
    }
}

/// A task as PDDL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PddlText {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
}

impl PddlText {
    /// Reads it.
    pub fn read(&self) -> Result<Task, hipot_pddl::Errors> {
        let domain = Source::new("domain.pddl", self.domain.as_str());
        read(&domain, &Source::new("problem.pddl", self.problem.as_str()))
    }
}

/// How many drafts are made for a task.
const DRAFTS: u32 = 60;

impl RandomPddl {
    /// The task with number `seed`.
    pub fn generate(&self, seed: u64) -> PddlText {
        let mut rng = Rng::new(seed);
        let wanted = (!rng.chance(self.percent_unsolvable)).then(|| 2 + rng.below(4) as usize);
        let mut best = None;
        for _ in 0..DRAFTS {
            let domain = Domain::random(&self.features, &mut rng);
            let (text, changes) = problem::draft(&domain, wanted.is_some(), &mut rng);
            let interest = if changes { self.interest(&text, wanted) } else { 0 };
            if best.as_ref().is_none_or(|(_, most)| interest > *most) {
                best = Some((text, interest));
            }
            if interest == HIGH {
                break;
            }
        }
        best.expect("there is a draft").0
    }

    /// How well the task has a plan of the wanted length or more, or none.
    fn interest(&self, text: &PddlText, wanted: Option<usize>) -> usize {
        let task = text.read().unwrap_or_else(|errors| panic!("{errors}\n{}", text.domain));
        let semantics = Semantics::new(&task).expect("random rules are stratified");
        let Ok(exploration) = explore(&semantics, self.states) else { return 0 };
        let length = exploration.plan.map(|plan| plan.steps.len());
        match (length, wanted) {
            (Some(length), Some(wanted)) if length >= wanted => HIGH,
            (Some(length), Some(_)) => 1 + length,
            (None, None) if exploration.states > 3 => HIGH,
            _ => 1,
        }
    }
}

/// The interest of a task that is just as wanted.
const HIGH: usize = usize::MAX;
