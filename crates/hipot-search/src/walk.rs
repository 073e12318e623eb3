//! States at the ends of random walks.
//!
//! Samples of the states that a search may meet, as in Seipp, Pommerening and
//! Helmert, ICAPS 2015 (after Haslum et al., AAAI 2007): a walk from the initial
//! state has a binomially distributed number of steps, on average twice as many as
//! a plan seems to need, each by an operator chosen uniformly among the
//! applicable ones. A walk that ends early, or in a state that is not wanted,
//! starts again.

use hipot_task::{Limits, OperatorId, Packing, Rng, StateView, Stop, Task, Value};

use crate::successors::SuccessorGenerator;
use crate::transitions::Transitions;

/// Random walks from the initial state of a task.
pub struct Walks<'a> {
    task: &'a Task,
    packing: Packing,
    transitions: Transitions,
    generator: SuccessorGenerator,
    /// How many coins are thrown for the number of steps.
    coins: u64,
    applicable: Vec<OperatorId>,
}

/// Coins where nothing is known about plans.
const FEW_COINS: u64 = 10;

/// The longest walks need so many.
const MOST_COINS: u64 = 20_000;

/// How often a walk starts again before there is no sample.
const MOST_STARTS: usize = 20;

impl<'a> Walks<'a> {
    /// Walks for plans that cost about `cost`.
    pub fn new(task: &'a Task, cost: u64) -> Self {
        let packing = Packing::new(task);
        let costs: u64 = task.operators().iter().map(|it| u64::from(it.cost)).sum();
        let average = costs as f64 / task.operators().len().max(1) as f64;
        let steps = if average > 0.0 { (cost as f64 / average).round() } else { cost as f64 };
        #[expect(clippy::cast_sign_loss, reason = "costs are not negative")]
        let coins = if cost == 0 { FEW_COINS } else { 4 * (steps as u64).clamp(1, MOST_COINS / 4) };
        Self {
            task,
            transitions: Transitions::new(task, &packing),
            generator: SuccessorGenerator::new(task, &packing),
            packing,
            coins,
            applicable: Vec::new(),
        }
    }

    /// The ends of `count` walks that `accepts` agrees with, or of fewer where it
    /// hardly ever does.
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
            let walks = (0..MOST_STARTS).map(|_| self.walk(rng));
            samples.extend(walks.flatten().find(|state| accepts(state)));
        }
        Ok(samples)
    }

    /// The end of one walk; `None` if it ends early.
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
