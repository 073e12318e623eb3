//! Lists of states from which one can take at both ends, at little more than four bytes a state.
//!
//! A bucket is a chain of blocks of sixteen words, which are used again. A chain needs no second
//! link to be followed from both ends: a block keeps the XOR of its neighbors, and whoever comes
//! from one of them gets the other.

use hipot_task::Stop;

use crate::registry::StateId;

/// States in a block: with its link, 64 bytes.
const BLOCK: usize = 15;

const NO_BLOCK: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Block {
    states: [StateId; BLOCK],
    /// The next newer block XOR the next older one, with `NO_BLOCK` for one that is missing; in
    /// an unused block, the next unused one.
    link: u32,
}

/// A list of states. Only its first and its last block may have room.
pub(crate) struct Bucket {
    newest: u32,
    oldest: u32,
    /// Where the states end in the newest block, and where they begin in the oldest one.
    end: u32,
    begin: u32,
}

/// An end of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Newest,
    Oldest,
}

/// The blocks of all buckets.
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    unused: u32,
}

impl Default for Blocks {
    fn default() -> Self {
        Self { blocks: Vec::new(), unused: NO_BLOCK }
    }
}

impl Blocks {
    /// Makes room for `count` more states, if there is memory.
    pub(crate) fn make_room(&mut self, count: usize) -> Result<(), Stop> {
        // At worst, each state starts a block.
        self.blocks.try_reserve(count).map_err(|_| Stop::MemoryLimit)
    }

    /// The number of blocks, used or not.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// A bucket with one state.
    pub(crate) fn bucket(&mut self, state: StateId) -> Bucket {
        let block = self.add(state, 0);
        Bucket { newest: block, oldest: block, end: 1, begin: 0 }
    }

    fn add(&mut self, state: StateId, link: u32) -> u32 {
        let mut states = [StateId::FIRST; BLOCK];
        states[0] = state;
        let block = Block { states, link };
        if self.unused == NO_BLOCK {
            self.blocks.push(block);
            return self.blocks.len() as u32 - 1;
        }
        let index = self.unused;
        self.unused = std::mem::replace(&mut self.blocks[index as usize], block).link;
        index
    }

    /// Adds a state, the newest.
    #[inline]
    pub(crate) fn push(&mut self, bucket: &mut Bucket, state: StateId) {
        if bucket.end as usize == BLOCK {
            let block = self.add(state, NO_BLOCK ^ bucket.newest);
            self.blocks[bucket.newest as usize].link ^= NO_BLOCK ^ block;
            (bucket.newest, bucket.end) = (block, 1);
        } else {
            self.blocks[bucket.newest as usize].states[bucket.end as usize] = state;
            bucket.end += 1;
        }
    }

    /// Takes the state at one end. The second result is whether the bucket is empty now; then it
    /// must not be used again.
    #[inline]
    pub(crate) fn pop(&mut self, bucket: &mut Bucket, end: End) -> (StateId, bool) {
        match end {
            End::Newest => self.pop_newest(bucket),
            End::Oldest => self.pop_oldest(bucket),
        }
    }

    #[inline]
    fn pop_newest(&mut self, bucket: &mut Bucket) -> (StateId, bool) {
        bucket.end -= 1;
        let block = bucket.newest;
        let state = self.blocks[block as usize].states[bucket.end as usize];
        if block == bucket.oldest {
            let is_empty = bucket.begin == bucket.end;
            if is_empty {
                self.release(block);
            }
            return (state, is_empty);
        }
        if bucket.end == 0 {
            (bucket.newest, bucket.end) = (self.unlink(block), BLOCK as u32);
        }
        (state, false)
    }

    fn pop_oldest(&mut self, bucket: &mut Bucket) -> (StateId, bool) {
        let block = bucket.oldest;
        let state = self.blocks[block as usize].states[bucket.begin as usize];
        bucket.begin += 1;
        if block == bucket.newest {
            let is_empty = bucket.begin == bucket.end;
            if is_empty {
                self.release(block);
            }
            return (state, is_empty);
        }
        if bucket.begin as usize == BLOCK {
            (bucket.oldest, bucket.begin) = (self.unlink(block), 0);
        }
        (state, false)
    }

    /// Removes the block at an end of a chain; returns the one that is at that end then.
    fn unlink(&mut self, block: u32) -> u32 {
        let next = self.blocks[block as usize].link ^ NO_BLOCK;
        self.blocks[next as usize].link ^= block ^ NO_BLOCK;
        self.release(block);
        next
    }

    fn release(&mut self, block: u32) {
        self.blocks[block as usize].link = self.unused;
        self.unused = block;
    }

    /// All states of a bucket, the newest last.
    pub(crate) fn states(&self, bucket: &Bucket) -> Vec<StateId> {
        let (mut states, mut older, mut block) = (Vec::new(), NO_BLOCK, bucket.oldest);
        loop {
            let begin = if block == bucket.oldest { bucket.begin as usize } else { 0 };
            let end = if block == bucket.newest { bucket.end as usize } else { BLOCK };
            let Block { states: in_block, link } = &self.blocks[block as usize];
            states.extend_from_slice(&in_block[begin..end]);
            if block == bucket.newest {
                return states;
            }
            (older, block) = (block, link ^ older);
        }
    }

    /// The newest states of a bucket, the newest last.
    #[inline]
    pub(crate) fn newest(&self, bucket: &Bucket) -> &[StateId] {
        let begin = if bucket.newest == bucket.oldest { bucket.begin } else { 0 };
        &self.blocks[bucket.newest as usize].states[begin as usize..bucket.end as usize]
    }
}
