//! A point of the iteration, in parts for threads.

use std::ops::{Index, IndexMut};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::chunk::{Chunk, Iteration, Rule};
use super::crew::Crew;
use super::model::Model;
use super::partition::{ASLEEP, AWAKE, UNKNOWN, parts_of_units};
use super::real::Real;
use super::weights::Share;

/// How many times its fair share of the work a thread may have.
const UNBALANCED: f64 = 1.1;

/// The weights, and the units with their dual numbers, in parts for threads. No lock is ever
/// waited for: while a thread writes, no other needs the same thing.
#[derive(Debug)]
pub(super) struct Point<R> {
    pub(super) shares: Vec<RwLock<Share>>,
    pub(super) chunks: Vec<RwLock<Chunk<R>>>,
}

/// A part of an iteration, which all threads do side by side.
#[derive(Clone, Copy)]
pub(super) enum Job {
    /// Collect the flow of some weights, and move them if no equations stand between.
    Weights { weight: f64, rule: Rule },
    /// Move some weights whose flow is known.
    Step { weight: f64, rule: Rule },
    /// Iterate over some units.
    Units {
        weight: f64,
        rule: Rule,
        /// The number of iterations before.
        number: usize,
    },
}

impl<R: Real> Point<R> {
    /// All numbers are 0.
    pub(super) fn new(model: &Model, objective: &[f64]) -> Self {
        let threads = model.helpers.threads();
        let share = |part| RwLock::new(Share::new(part, threads, objective));
        let part_of = parts_of_units(&model.structure, threads, |_| UNKNOWN);
        let chunk = |part| Chunk::new(&model.structure, &model.sigma, part, &part_of);
        Self {
            shares: (0..threads).map(share).collect(),
            chunks: (0..threads).map(chunk).map(RwLock::new).collect(),
        }
    }

    /// The image of the weights without dual numbers, for the objective 0.
    pub(super) fn without_duals(&self, model: &Model) -> Self {
        let objective = vec![0.0; model.structure.weights()];
        let share = |part| RwLock::new(Share::new(part, self.shares.len(), &objective));
        let point = Self {
            shares: (0..self.shares.len()).map(share).collect(),
            chunks: self.chunks.iter().map(|it| RwLock::new(read(it).at_zero())).collect(),
        };
        point.begin_at(&self.gather(|share| &share.image));
        point
    }

    /// The same in double precision.
    pub(super) fn in_double(&self) -> Point<f64> {
        Point {
            shares: self.shares.iter().map(|it| RwLock::new(read(it).clone())).collect(),
            chunks: self.chunks.iter().map(|it| RwLock::new(read(it).in_double())).collect(),
        }
    }

    /// Calls `main` with a crew that can do jobs with this point.
    pub(super) fn with_crew(&self, model: &Model, main: impl FnOnce(&Crew<'_, Job>)) {
        let work = |thread: usize, job: Job| match job {
            Job::Weights { weight, rule } => {
                let chunks: Vec<_> = self.chunks.iter().map(read).collect();
                let flows: Vec<&[R]> =
                    chunks.iter().map(|chunk| &chunk.flow_of_weights[..]).collect();
                let mut share = write(&self.shares[thread]);
                if model.determined.is_empty() {
                    share.collect_and_step(model, &flows, weight, rule);
                } else {
                    share.collect(&flows);
                }
            }
            Job::Step { weight, rule } => write(&self.shares[thread]).step(model, weight, rule),
            Job::Units { weight, rule, number } => {
                let shares: Vec<_> = self.shares.iter().map(read).collect();
                let weights = shares.iter().map(|share| &share.reflected[..]);
                let structure = &model.structure;
                let iteration = Iteration { structure, weight: R::of(weight), rule, number };
                write(&self.chunks[thread]).iterate(weights, iteration);
            }
        };
        Crew::with(&model.helpers, &work, main);
    }

    /// Distributes the units again if one thread has much more to do than another.
    pub(super) fn balance(&mut self, model: &Model) {
        let structure = &model.structure;
        let chunks: Vec<_> = self.chunks.iter().map(read).collect();
        let loads: Vec<f64> = chunks.iter().map(|chunk| chunk.load(structure)).collect();
        let fair = loads.iter().sum::<f64>() / loads.len() as f64;
        let largest = loads.iter().copied().fold(0.0, f64::max);
        if largest <= UNBALANCED * fair {
            return;
        }
        let mut is_awake = vec![false; structure.units.len()];
        for chunk in &chunks {
            chunk.for_each_awake(|unit| is_awake[unit] = true);
        }
        let load = |unit: usize| if is_awake[unit] { AWAKE } else { ASLEEP };
        let part_of = parts_of_units(structure, chunks.len(), load);
        drop(chunks);
        self.distribute(model, &part_of);
    }

    /// Gives each unit, with its dual numbers, to the thread of this part.
    pub(super) fn distribute(&mut self, model: &Model, part_of: &[usize]) {
        let chunks: Vec<_> = self.chunks.iter().map(read).collect();
        let old: Vec<&Chunk<R>> = chunks.iter().map(|chunk| &**chunk).collect();
        let parts = Chunk::distributed(&model.structure, &model.sigma, &old, part_of);
        drop(chunks);
        self.chunks = parts.into_iter().map(RwLock::new).collect();
    }

    /// Begins at these weights.
    pub(super) fn begin_at(&self, weights: &[f64]) {
        self.shares.iter().for_each(|share| write(share).begin_at(weights));
    }

    /// A number for each weight, from all shares.
    pub(super) fn gather(&self, of: impl Fn(&Share) -> &Vec<f64>) -> Vec<f64> {
        self.shares.iter().flat_map(|share| of(&read(share)).clone()).collect()
    }

    /// Gives each share its part of the numbers.
    pub(super) fn spread(&self, numbers: &[f64], to: impl Fn(&mut Share) -> &mut Vec<f64>) {
        let mut rest = numbers;
        for share in &self.shares {
            let mut share = write(share);
            let own = to(&mut share);
            let (first, after) = rest.split_at(own.len());
            own.copy_from_slice(first);
            rest = after;
        }
    }

    /// Changes a number for each weight, of all shares at once.
    pub(super) fn change(
        &self,
        of: impl Fn(&mut Share) -> &mut Vec<f64>,
        change: impl FnOnce(&mut Pieces<'_>),
    ) {
        let mut shares: Vec<_> = self.shares.iter().map(write).collect();
        change(&mut Pieces(shares.iter_mut().map(|share| &mut of(share)[..]).collect()));
    }
}

/// Numbers that lie in several places, one after another.
pub(super) struct Pieces<'a>(Vec<&'a mut [f64]>);

impl Pieces<'_> {
    /// The piece with a number, and its place there.
    fn place(&self, mut index: usize) -> (usize, usize) {
        let mut piece = 0;
        while index >= self.0[piece].len() {
            index -= self.0[piece].len();
            piece += 1;
        }
        (piece, index)
    }
}

impl Index<usize> for Pieces<'_> {
    type Output = f64;

    fn index(&self, index: usize) -> &f64 {
        let (piece, place) = self.place(index);
        &self.0[piece][place]
    }
}

impl IndexMut<usize> for Pieces<'_> {
    fn index_mut(&mut self, index: usize) -> &mut f64 {
        let (piece, place) = self.place(index);
        &mut self.0[piece][place]
    }
}

pub(super) fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
