//! States at the ends of random walks.
//!
//! These are samples of the states that a search may encounter, as in Seipp, Pommerening
//! and Helmert, ICAPS 2015 (after Haslum et al., AAAI 2007). A walk from the initial state
//! has a binomially distributed number of steps, on average twice as many as a plan seems
//! to need. Each step applies an operator chosen uniformly among the applicable ones. A
//! walk that gets stuck, or ends in a state that is not accepted, is restarted.

use hipot_task::{Limits, OperatorId, Packing, Rng, StateView, Stop, Task, Value};

use crate::successors::SuccessorGenerator;
use crate::transitions::Transitions;

/// Random walks from the initial state of a task.
pub struct Walks<'a> {
    task: &'a Task,
    packing: Packing,
    transitions: Transitions,
    generator: SuccessorGenerator,
    /// The number of coin tosses that determine the number of steps.
    coins: u64,
    applicable: Vec<OperatorId>,
}

/// The number of coin tosses if nothing is known about plans.
const DEFAULT_COINS: u64 = 10;

/// The maximum number of coin tosses.
const MAX_COINS: u64 = 20_000;

/// The maximum number of walks for one sample.
const MAX_STARTS: usize = 20;

impl<'a> Walks<'a> {
    /// Walks for plans that cost about `cost`.
    pub fn new(task: &'a Task, cost: u64) -> Self {
        let packing = Packing::new(task);
        let costs: u64 = task.operators().iter().map(|it| u64::from(it.cost)).sum();
        let average = costs as f64 / task.operators().len().max(1) as f64;
        let steps = if average > 0.0 { (cost as f64 / average).round() } else { cost as f64 };
        #[expect(clippy::cast_sign_loss, reason = "costs are not negative")]
        let coins =
            if cost == 0 { DEFAULT_COINS } else { 4 * (steps as u64).clamp(1, MAX_COINS / 4) };
        Self {
            task,
            transitions: Transitions::new(task, &packing),
            generator: SuccessorGenerator::new(task, &packing),
            packing,
            coins,
            applicable: Vec::new(),
        }
    }

    /// The ends of `count` walks that `accepts` accepts; fewer if it hardly ever does.
    pub fn sample(
        &mut self,
        count: usize,
        rng: &mut Rng,
        accepts: impl Fn(&[Value]) -> bool,
        limits: &Limits,
    ) -> Result<Vec<Vec<Value>>, Stop> {
        let mut samples = Vec::new();
        for _ in 0..count {
            limits.check()?;
            let walks = (0..MAX_STARTS).map(|_| self.walk(rng));
            samples.extend(walks.flatten().find(|state| accepts(state)));
        }
        Ok(samples)
    }

    /// The end of one walk; `None` if it gets stuck.
    fn walk(&mut self, rng: &mut Rng) -> Option<Vec<Value>> {
        let mut words = self.packing.pack(self.task.initial());
        self.transitions.derive(&mut words);
        let mut successor = words.clone();
        let steps = (0..self.coins).filter(|_| rng.chance(50)).count();
        for _ in 0..steps {
            self.applicable.clear();
            self.generator.collect(&words, &mut self.applicable);
            if self.applicable.is_empty() {
                return None;
            }
            let operator = self.applicable[rng.below(self.applicable.len() as u32) as usize];
            successor.copy_from_slice(&words);
            self.transitions.apply(operator, &words, &mut successor);
            words.copy_from_slice(&successor);
        }
        Some(StateView::new(&self.packing, &words).unpack())
    }
}
