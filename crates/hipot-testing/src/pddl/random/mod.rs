//! Random tiny tasks, as PDDL text.
//!
//! A draft has a vocabulary of a few predicates and objects, actions with random
//! conditions and effects, and perhaps rules. Its goal is taken from the end of a random
//! walk. Most drafts are of little use: solved at the start, without applicable steps, or
//! too large. So each draft is explored, and the first one whose plans have the wanted
//! length, or that has no plan if this is wanted, is the task.

mod actions;
mod feature;
mod formula;
mod problem;
mod text;
mod vocabulary;

pub use feature::Feature;
pub use text::PddlText;

use super::explore::explore;
use actions::Domain;
use hipot_check::pddl::Semantics;
use hipot_task::Rng;

/// Parameters of random tasks.
#[derive(Clone, Debug)]
pub struct RandomPddl {
    /// The parts of PDDL that they may use.
    pub features: Vec<Feature>,
    /// The maximum number of states reached until the first goal state.
    pub states: usize,
    /// The approximate percentage of tasks without a plan.
    pub percent_unsolvable: u32,
}

impl Default for RandomPddl {
    fn default() -> Self {
        Self { features: Feature::ALL.to_vec(), states: 4000, percent_unsolvable: 15 }
    }
}

/// The maximum number of drafts for a task.
const MAX_DRAFTS: u32 = 60;

impl RandomPddl {
    /// The task with number `seed`.
    pub fn generate(&self, seed: u64) -> PddlText {
        let mut rng = Rng::new(seed);
        let wanted = (!rng.chance(self.percent_unsolvable)).then(|| 2 + rng.below(4) as usize);
        let mut best = None;
        for _ in 0..MAX_DRAFTS {
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

    /// How well the task fits: its plans have the wanted length or more, or it has none.
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

/// The interest of a task that is exactly what is wanted.
const HIGH: usize = usize::MAX;
