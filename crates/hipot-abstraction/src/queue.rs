//! A priority queue for Dijkstra's algorithm: a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan,
//! JACM 1990).
//!
//! Keys that are popped never decrease. So a key goes into a bucket by the highest bit in which
//! it differs from the key popped last, and each entry moves to a lower bucket at most 63 times;
//! with small costs, hardly ever. Nothing is compared, and the speed does not depend on the scale
//! of the costs.

/// States by distance.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    buckets: Vec<Vec<(u64, u32)>>,
    last: u64,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Self { buckets: vec![Vec::new(); 65], last: 0 }
    }

    /// Adds a state. Its distance is at least the one popped last.
    pub(crate) fn push(&mut self, distance: i64, state: u32) {
        let key = distance.unsigned_abs();
        debug_assert!(distance >= 0 && key >= self.last, "distances do not decrease");
        let bucket = self.bucket(key);
        self.buckets[bucket].push((key, state));
    }

    fn bucket(&self, key: u64) -> usize {
        (u64::BITS - (key ^ self.last).leading_zeros()) as usize
    }

    /// Removes a state with the least distance.
    pub(crate) fn pop(&mut self) -> Option<(i64, u32)> {
        if self.buckets[0].is_empty() {
            let next = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
            let entries = std::mem::take(&mut self.buckets[next]);
            self.last = entries.iter().map(|&(key, _)| key).min().expect("it is not empty");
            for &(key, state) in &entries {
                let bucket = self.bucket(key);
                self.buckets[bucket].push((key, state));
            }
        }
        self.buckets[0].pop().map(|(key, state)| (key.cast_signed(), state))
    }
}

#[cfg(test)]
mod tests {
    use hipot_task::Rng;

    use super::*;

    #[test]
    fn states_come_by_distance() {
        let (mut queue, mut rng) = (Queue::new(), Rng::new(7));
        let (mut expected, mut open): (i64, Vec<i64>) = (0, Vec::new());
        for step in 0..5000 {
            if rng.chance(60) || open.is_empty() {
                let distance = expected + i64::from(rng.below(1 << (step % 30)));
                queue.push(distance, step);
                open.push(distance);
            } else {
                let (place, _) = open.iter().enumerate().min_by_key(|(_, key)| **key).unwrap();
                expected = open.swap_remove(place);
                assert_eq!(queue.pop().unwrap().0, expected);
            }
        }
    }
}
