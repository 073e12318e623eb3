//! The Mersenne Twister (Matsumoto and Nishimura 1998), 32 bits.
//!
//! Fast Downward draws the schemas that it tests from Python's generator with
//! a fixed seed, and which one it tests first decides how a candidate is
//! refined. The same generator here gives the same invariants. Seeding is
//! the authors' `init_by_array` with one word, as Python does it for a small
//! integer.

const SIZE: usize = 624;
const SHIFT: usize = 397;

/// The generator.
pub(super) struct MersenneTwister {
    state: [u32; SIZE],
    next: usize,
}

impl MersenneTwister {
    /// The generator with this seed.
    pub(super) fn new(seed: u32) -> Self {
        let mut state = [0; SIZE];
        state[0] = 19_650_218;
        for i in 1..SIZE {
            state[i] = mix(state[i - 1]).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        let mut i = 1;
        for _ in 0..SIZE {
            state[i] = (state[i] ^ mix(state[i - 1]).wrapping_mul(1_664_525)).wrapping_add(seed);
            i = following(&mut state, i);
        }
        for _ in 0..SIZE - 1 {
            state[i] =
                (state[i] ^ mix(state[i - 1]).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i = following(&mut state, i);
        }
        state[0] = 1 << 31;
        Self { state, next: SIZE }
    }

    /// A number below `bound`, which is at least 1: as many random bits as
    /// `bound` has, drawn again until they are below.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u32;
        loop {
            let drawn = self.word() >> bound.leading_zeros();
            if drawn < bound {
                return drawn as usize;
            }
        }
    }

    fn word(&mut self) -> u32 {
        if self.next == SIZE {
            self.renew();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn renew(&mut self) {
        for i in 0..SIZE {
            let joined = (self.state[i] & (1 << 31)) | (self.state[(i + 1) % SIZE] & !(1 << 31));
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + SHIFT) % SIZE] ^ (joined >> 1) ^ twist;
        }
        self.next = 0;
    }
}

fn mix(word: u32) -> u32 {
    word ^ (word >> 30)
}

/// The position after `i` when seeding, which goes round without the first.
fn following(state: &mut [u32; SIZE], i: usize) -> usize {
    if i + 1 < SIZE {
        return i + 1;
    }
    state[0] = state[SIZE - 1];
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_authors_generator() {
        let mut generator = MersenneTwister::new(314_159);
        let words: Vec<u32> = (0..4).map(|_| generator.word()).collect();
        assert_eq!(words, [826_196_214, 1_180_060_831, 1_231_978_967, 423_847_419]);
    }

    #[test]
    fn numbers_below_a_bound() {
        let mut generator = MersenneTwister::new(314_159);
        let drawn: Vec<usize> = (1..=12).map(|bound| generator.below(bound)).collect();
        assert_eq!(drawn, [0, 1, 1, 0, 0, 4, 2, 4, 8, 2, 2, 9]);
        assert!((0..2000).all(|_| generator.below(700) < 700));
        assert_eq!(generator.below(1 << 20), 306_067);
    }
}
