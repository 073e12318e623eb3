//! The order among states with the least f.
//!
//! A* is free to choose among them. Below the last layer the choice makes no difference,
//! because all of them are expanded. In the last layer, f = h*, it can make all of it: if
//! estimates are too low in some region, the search may enter the region and not come out
//! before it has seen all of it. In visitall-opt14 p-1-10 the bound is perfect (99), and
//! states with f = 99 are paths that visit no cell twice. Nearly all of them enclose cells
//! that were not visited yet, which the function does not see. "Least h first, then the
//! newest" follows one path into such a corner and then permutes its last steps, for 12
//! million states and on.
//!
//! *Dives.* Least h first, then the newest, is best as long as it makes progress, and it
//! expands what is still in the cache. So it is the rule. But if 1000 states have been taken
//! from the layer without a new lowest h, half of the expansions go to dives. A dive begins
//! at an h that is chosen uniformly between the lowest and the highest of the layer, with
//! the oldest or the newest state there. It goes on with the best successor of the state
//! just expanded, until that has none in the layer. Among equally good successors a dive
//! takes that of the first operator, the next dive that of the last one, the third one at
//! random. States that a dive leaves aside stay in their places, so no dive repeats another,
//! and nothing is stored for it. In a layer that goes on for a long time, dives get an eighth
//! instead of half, because most such layers are not the last one, and a dive expands one
//! state at a time, which is slower than a batch.
//!
//! *A\* stays right* with any order among states with the least f, and a consistent heuristic
//! reopens nothing: the argument (at the head of `astar`) needs only that f is the least.
//!
//! *Measured* on last layers of seven domains (`experiments/ties`). Tried and dropped: the
//! oldest state, or either end of the bucket at random, both with least h first; they get
//! lost as often as the newest. One state at a random h in turn with the least h, without
//! following it (type-based buckets; Xie, Müller, Holte and Imai, AAAI 2014): the successors
//! have to wait, so the search broadens but hardly gets deeper. Other distributions of the
//! beginnings of dives (more high h, more low h), only the newest or only the oldest state
//! there: no clear difference.

use hipot_task::{OperatorId, Rng};

use crate::bucket::End;

/// The order among states with the least f.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Least h, then the newest.
    Newest,
    /// Least h, then the oldest.
    Oldest,
    /// Least h, then the newest or the oldest by chance.
    EitherEnd {
        /// The seed of all random choices.
        seed: u64,
    },
    /// As `Newest`, but without progress every second state has a random h.
    AnyH {
        /// The seed of all random choices.
        seed: u64,
        /// The number of states without progress.
        patience: u64,
    },
    /// As `AnyH`, and the best successors of the state with a random h come next.
    Dives {
        /// The seed of all random choices.
        seed: u64,
        /// The number of states without progress.
        patience: u64,
    },
}

impl Ties {
    /// The best order known.
    pub fn dives(seed: u64) -> Self {
        Self::Dives { seed, patience: 1000 }
    }

    /// The same order with other random choices, for one of several threads.
    #[must_use]
    pub(crate) fn in_thread(self, thread: usize) -> Self {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let other = |seed: u64| seed ^ (thread as u64).wrapping_mul(FACTOR).rotate_left(32);
        match self {
            Self::Newest | Self::Oldest => self,
            Self::EitherEnd { seed } => Self::EitherEnd { seed: other(seed) },
            Self::AnyH { seed, patience } => Self::AnyH { seed: other(seed), patience },
            Self::Dives { seed, patience } => Self::Dives { seed: other(seed), patience },
        }
    }

    fn seed_and_patience(self) -> (u64, u64) {
        match self {
            Self::Newest | Self::Oldest => (0, u64::MAX),
            Self::EitherEnd { seed } => (seed, u64::MAX),
            Self::AnyH { seed, patience } | Self::Dives { seed, patience } => (seed, patience),
        }
    }
}

impl Default for Ties {
    fn default() -> Self {
        Self::dives(0)
    }
}

/// Where the next state comes from; f is the least in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// One with the least h.
    Least(End),
    /// A new dive begins, if h is not the same in the whole layer.
    NewDive,
    /// The newest state with this h.
    Next(u64),
}

/// Without progress, dives get half of the expansions for this many states; from then on one
/// of `LONG_SHARE`.
const SHORT: u64 = 1 << 19;
const LONG_SHARE: i64 = 8;

/// If all states of a layer have the same h, this many are taken before it is checked again.
const RECHECK: i64 = 1 << 12;

/// Decides the order.
pub(crate) struct TieBreaker {
    ties: Ties,
    rng: Rng,
    patience: u64,
    /// The end from which a batch is filled.
    end: End,
    /// The layer, the lowest h in it, and how many states were taken since that was reached.
    layer: u64,
    lowest: u64,
    taken: u64,
    /// What dives may take: each state costs `LONG_SHARE`.
    credit: i64,
    is_diving: bool,
    /// The lowest h in the layer among the successors of the state that a dive expands.
    successor: Option<u64>,
    dives: u64,
}

impl TieBreaker {
    pub(crate) fn new(ties: Ties) -> Self {
        let (seed, patience) = ties.seed_and_patience();
        Self {
            ties,
            rng: Rng::new(seed),
            patience,
            end: if ties == Ties::Oldest { End::Oldest } else { End::Newest },
            layer: u64::MAX,
            lowest: 0,
            taken: 0,
            credit: 0,
            is_diving: false,
            successor: None,
            dives: 0,
        }
    }

    /// A state was added to the open list.
    #[inline]
    pub(crate) fn see(&mut self, f: u64, h: u64) {
        if self.is_diving && f == self.layer {
            self.successor = Some(self.successor.map_or(h, |lowest| lowest.min(h)));
        }
    }

    /// Where the next state comes from, if the least f and the least h there are these.
    #[inline]
    pub(crate) fn choose(&mut self, f: u64, h: u64) -> Source {
        if self.is_diving {
            match self.successor.take() {
                Some(next) if f == self.layer && matches!(self.ties, Ties::Dives { .. }) => {
                    self.credit -= LONG_SHARE;
                    return Source::Next(next);
                }
                _ => self.is_diving = false,
            }
        }
        if f != self.layer || h < self.lowest {
            (self.layer, self.lowest, self.taken, self.credit) = (f, h, 0, 0);
        }
        if self.credit > 0 {
            return Source::NewDive;
        }
        if let Ties::EitherEnd { .. } = self.ties {
            self.end = self.either_end();
        }
        Source::Least(self.end)
    }

    /// The end from which the states come that are expanded together with the last one; `None`
    /// in a dive.
    #[inline]
    pub(crate) fn end_of_batch(&self) -> Option<End> {
        (!self.is_diving).then_some(self.end)
    }

    /// A batch of `count` states is complete. In a dive, where it is a single state, the operators
    /// applicable in it are put into the order of this dive.
    #[inline]
    pub(crate) fn end_batch(&mut self, count: u32, operators: &mut [OperatorId]) {
        if self.is_diving {
            self.arrange(operators);
            return;
        }
        self.taken += u64::from(count);
        if self.taken > self.patience {
            let earned = if self.taken < SHORT { LONG_SHARE } else { 1 };
            self.credit += earned * i64::from(count);
        }
    }

    /// Begins a dive in a layer with these lowest and highest h: at the first h from the one
    /// returned, and at that end. `None` if there is only one h.
    pub(crate) fn begin_dive(&mut self, lowest: u64, highest: u64) -> Option<(u64, End)> {
        if lowest == highest {
            self.credit = -RECHECK * LONG_SHARE;
            return None;
        }
        self.credit -= LONG_SHARE;
        self.is_diving = true;
        self.successor = None;
        self.dives += 1;
        let span = u32::try_from(highest - lowest + 1).unwrap_or(u32::MAX);
        Some((lowest + u64::from(self.rng.below(span)), self.either_end()))
    }

    /// Ends a dive if a successor with this h is better than all others.
    pub(crate) fn hand_over_dive(&mut self, h: u64) -> bool {
        let is_better = self.is_diving && self.successor.is_none_or(|own| h < own);
        if is_better {
            (self.is_diving, self.successor) = (false, None);
        }
        is_better
    }

    /// Goes on with a dive of another list.
    pub(crate) fn take_over_dive(&mut self) {
        self.credit -= LONG_SHARE;
        self.is_diving = true;
        self.successor = None;
        self.dives += 1;
    }

    fn either_end(&mut self) -> End {
        if self.rng.chance(50) { End::Newest } else { End::Oldest }
    }

    fn arrange(&mut self, operators: &mut [OperatorId]) {
        match self.dives % 3 {
            0 => {}
            1 => operators.reverse(),
            _ => self.shuffle(operators),
        }
    }

    fn shuffle(&mut self, operators: &mut [OperatorId]) {
        for last in (1..operators.len()).rev() {
            operators.swap(last, self.rng.below(last as u32 + 1) as usize);
        }
    }
}
