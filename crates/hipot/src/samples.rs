//! A random choice of the states that a search expands.
//!
//! How many states a search will expand is not known beforehand, so the sample is a
//! reservoir: each state expanded so far is in it with the same probability. Each thread of a search
//! has its own. A sample of what all threads have expanded is drawn from these: each next state
//! comes from a reservoir with the probability that it comes from that thread's states, so from
//! those that are not drawn yet, and is any one of them. So again each state has the same probability.

use hipot_task::{Estimate, Fact, Heuristic, OperatorId, Rng, StateView, Value};

use crate::search_task::SearchTask;

/// A reservoir of states, as states of the given task.
pub(crate) struct Samples {
    pub(crate) states: Vec<Vec<Value>>,
    capacity: usize,
    /// The number of states offered so far.
    seen: u64,
    rng: Rng,
}

impl Samples {
    pub(crate) fn new(capacity: usize, seed: u64) -> Self {
        Self { states: Vec::new(), capacity, seen: 0, rng: Rng::new(seed) }
    }

    /// Offers a state; it is built only if it is kept.
    fn offer(&mut self, state: impl FnOnce() -> Vec<Value>) {
        self.seen += 1;
        if self.states.len() < self.capacity {
            self.states.push(state());
        } else if let Ok(place) = usize::try_from(self.rng.next_u64() % self.seen)
            && place < self.capacity
        {
            self.states[place] = state();
        }
    }
}

/// A sample of the states that were offered to any of several reservoirs, as large as one of them
/// may be; of a single one, all of it.
pub(crate) fn merged<'a>(
    reservoirs: impl Iterator<Item = &'a Samples>,
    seed: u64,
) -> Vec<Vec<Value>> {
    let (mut rest, mut capacity) = (Vec::new(), 0);
    for reservoir in reservoirs.filter(|it| it.seen > 0) {
        capacity = reservoir.capacity.max(capacity);
        rest.push((reservoir.seen, reservoir.states.iter().collect::<Vec<_>>()));
    }
    if let [(_, only)] = &rest[..] {
        return only.iter().map(|&state| state.clone()).collect();
    }
    let (mut states, mut rng) = (Vec::new(), Rng::new(seed));
    let mut left: u64 = rest.iter().map(|(seen, _)| seen).sum();
    while left > 0 && states.len() < capacity {
        let mut number = rng.next_u64() % left;
        let source = rest.iter_mut().find(|(seen, _)| {
            let is_here = number < *seen;
            number = number.wrapping_sub(if is_here { 0 } else { *seen });
            is_here
        });
        let Some((seen, drawn_from)) = source else { break };
        let place = rng.below(drawn_from.len() as u32) as usize;
        states.push(drawn_from.swap_remove(place).clone());
        (*seen, left) = (*seen - 1, left - 1);
    }
    states
}

/// A heuristic that samples the states that a search with it expands.
pub(crate) struct Sampled<'a, H> {
    pub(crate) heuristic: H,
    pub(crate) samples: &'a mut Samples,
    pub(crate) search_task: &'a SearchTask<'a>,
}

impl<H: Heuristic> Heuristic for Sampled<'_, H> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.heuristic.estimate(state)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.samples.offer(|| self.search_task.original_state(parent.unpack()));
        self.heuristic.enter(parent);
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        self.heuristic.estimate_successor(operator, successor)
    }

    fn is_incremental(&self) -> bool {
        self.heuristic.is_incremental()
    }

    fn is_consistent(&self) -> bool {
        self.heuristic.is_consistent()
    }

    fn is_invariant_under(&self, moved: &[(Fact, Fact)]) -> bool {
        self.heuristic.is_invariant_under(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reservoir of `capacity` states, of the numbers in `range`.
    fn reservoir(capacity: usize, seed: u64, range: std::ops::Range<u32>) -> Samples {
        let mut samples = Samples::new(capacity, seed);
        for number in range {
            samples.offer(|| vec![number]);
        }
        samples
    }

    /// Threads that have expanded very different numbers of states: each state is in the merged
    /// sample equally often, and never twice.
    #[test]
    fn each_state_is_in_a_merged_sample_with_the_same_probability() {
        const RUNS: u64 = 4000;
        let mut counts = vec![0; 50];
        for seed in 0..RUNS {
            let ranges = [0..35, 35..47, 47..47, 47..50].into_iter().enumerate();
            let reservoirs: Vec<Samples> = ranges
                .map(|(thread, range)| reservoir(10, seed * 4 + thread as u64, range))
                .collect();
            let mut states = merged(reservoirs.iter(), seed);
            assert_eq!(states.len(), 10);
            states.sort();
            states.dedup();
            assert_eq!(states.len(), 10);
            for state in states {
                counts[state[0] as usize] += 1;
            }
        }
        // The mean is a fifth of the runs, 800, and the standard deviation 25.
        assert!(counts.iter().all(|count| (680..920).contains(count)), "{counts:?}");
    }

    #[test]
    fn few_states_are_all_kept_and_one_reservoir_is_its_own_sample() {
        let few = [reservoir(10, 0, 0..3), reservoir(10, 1, 3..7)];
        let mut states = merged(few.iter(), 0);
        states.sort();
        assert_eq!(states, (0..7).map(|number| vec![number]).collect::<Vec<_>>());
        let one = [reservoir(10, 0, 0..50), reservoir(10, 1, 0..0)];
        assert_eq!(merged(one.iter(), 7), one[0].states);
        assert!(merged([].iter(), 0).is_empty());
    }
}
