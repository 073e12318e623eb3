//! A matrix of bits, row by row in 64-bit words.
//!
//! Not `fixedbitset`, because h² works on single words of rows and spends its time here: with a
//! `FixedBitSet` for each row, it takes 3 to 5% more instructions (callgrind, three IPC tasks).

use hipot_task::{Limits, Stop};

/// The number of bits of a word.
const BITS: usize = u64::BITS as usize;

/// Rows of bits, all of the same width. Bits beyond the width are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitMatrix {
    words: Vec<u64>,
    stride: usize,
    width: usize,
}

impl BitMatrix {
    /// A matrix of zeros, if it fits into memory.
    pub(crate) fn new(rows: usize, width: usize, limits: &Limits) -> Result<Self, Stop> {
        let stride = width.div_ceil(BITS);
        limits.reserve(8 * rows as u64 * stride as u64)?;
        Ok(Self { words: vec![0; rows * stride], stride, width })
    }

    /// The words of one row.
    pub(crate) fn row(&self, row: u32) -> &[u64] {
        let begin = row as usize * self.stride;
        &self.words[begin..begin + self.stride]
    }

    /// The words of one row, mutable.
    pub(crate) fn row_mut(&mut self, row: u32) -> &mut [u64] {
        let begin = row as usize * self.stride;
        &mut self.words[begin..begin + self.stride]
    }

    /// All words, row after row.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// All words, row after row, mutable.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The number of words of a row.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// One bit.
    pub(crate) fn get(&self, row: u32, column: u32) -> bool {
        test(self.row(row), column)
    }

    /// Sets one bit.
    pub(crate) fn set(&mut self, row: u32, column: u32) {
        set(self.row_mut(row), column);
    }

    /// A row in which all bits are set.
    pub(crate) fn full_row(&self) -> Vec<u64> {
        let mut row = vec![u64::MAX; self.stride];
        if let (Some(last), rest @ 1..) = (row.last_mut(), self.width % BITS) {
            *last = (1 << rest) - 1;
        }
        row
    }
}

/// Whether a bit of a row is set.
pub(crate) fn test(row: &[u64], bit: u32) -> bool {
    row[bit as usize / BITS] >> (bit as usize % BITS) & 1 == 1
}

/// Sets a bit of a row.
pub(crate) fn set(row: &mut [u64], bit: u32) {
    row[bit as usize / BITS] |= 1 << (bit as usize % BITS);
}

/// The positions of the ones in `word`, which is word `index` of its row.
pub(crate) fn ones_of_word(index: usize, mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            (index * BITS) as u32 + bit
        })
    })
}

/// The positions of a row's ones, in order.
pub(crate) fn ones(row: &[u64]) -> impl Iterator<Item = u32> {
    row.iter().enumerate().flat_map(|(index, &word)| ones_of_word(index, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_where_they_were_set() {
        let mut matrix = BitMatrix::new(3, 130, &Limits::none()).unwrap();
        let bits = [0, 63, 64, 129];
        for bit in bits {
            matrix.set(1, bit);
        }
        assert_eq!(ones(matrix.row(1)).collect::<Vec<_>>(), bits);
        assert!(ones(matrix.row(0)).chain(ones(matrix.row(2))).next().is_none());
        assert!(matrix.get(1, 129) && !matrix.get(1, 128));
        assert_eq!(ones(&matrix.full_row()).count(), 130);
    }

    #[test]
    fn a_width_of_whole_words_has_no_rest() {
        let matrix = BitMatrix::new(1, 128, &Limits::none()).unwrap();
        assert_eq!(ones(&matrix.full_row()).count(), 128);
        let empty = BitMatrix::new(1, 0, &Limits::none()).unwrap();
        assert!(empty.full_row().is_empty());
    }
}
