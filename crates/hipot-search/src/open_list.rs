//! The states to expand, in order: least f, then least h, then the newest.
//!
//! Entries stay when a cheaper path to their state is found. The search drops them when
//! they come up, because their cost f − h is no longer that of the state.
//!
//! There is a stack for each pair ⟨f, h⟩, made of blocks of sixteen words that
//! are used again, so that the list needs little more than four bytes for each
//! state it holds. The stacks hang in an ordered map: with small costs it has a
//! handful of keys, and most accesses go to the least, which is kept apart.
//!
//! Tried and dropped: a binary heap where costs are large. On tasks such as
//! parcprinter (costs to 10⁵, but many states for each f) it took more than
//! twice the time of the map, and even on tasks in which hardly two states have
//! the same f the map was no slower, if half as large again in memory.

use std::collections::BTreeMap;

use hipot_task::Stop;

use crate::registry::StateId;

/// A state to expand, with the f and h values it was pushed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) f: u64,
    pub(crate) h: u64,
    pub(crate) state: StateId,
}

/// States in a block: with the link to the next block, 64 bytes.
const BLOCK: usize = 15;

#[derive(Clone, Copy)]
struct Block {
    states: [StateId; BLOCK],
    next: u32,
}

/// Blocks linked from the newest to the oldest; only the newest may have room.
#[derive(Clone, Copy)]
struct Stack {
    newest: u32,
    /// The number of states in the newest block; never 0.
    used: u32,
}

const NO_BLOCK: u32 = u32::MAX;

/// One stack for each ⟨f, h⟩.
pub(crate) struct OpenList {
    /// The least bucket, kept apart because most accesses go there.
    least: Option<((u64, u64), Stack)>,
    others: BTreeMap<(u64, u64), Stack>,
    blocks: Vec<Block>,
    unused: u32,
}

impl Default for OpenList {
    fn default() -> Self {
        Self { least: None, others: BTreeMap::new(), blocks: Vec::new(), unused: NO_BLOCK }
    }
}

impl OpenList {
    fn new_block(&mut self, state: StateId, next: u32) -> u32 {
        let mut states = [StateId::FIRST; BLOCK];
        states[0] = state;
        let block = Block { states, next };
        if self.unused == NO_BLOCK {
            self.blocks.push(block);
            return self.blocks.len() as u32 - 1;
        }
        let index = self.unused;
        self.unused = std::mem::replace(&mut self.blocks[index as usize], block).next;
        index
    }

    fn push_on(&mut self, stack: &mut Stack, state: StateId) {
        if stack.used as usize == BLOCK {
            *stack = Stack { newest: self.new_block(state, stack.newest), used: 1 };
        } else {
            self.blocks[stack.newest as usize].states[stack.used as usize] = state;
            stack.used += 1;
        }
    }

    /// Takes the newest state from `stack`; returns it and the rest, unless that is empty.
    fn pop_from(&mut self, stack: Stack) -> (StateId, Option<Stack>) {
        let block = &mut self.blocks[stack.newest as usize];
        let state = block.states[stack.used as usize - 1];
        if stack.used > 1 {
            return (state, Some(Stack { used: stack.used - 1, ..stack }));
        }
        let next = std::mem::replace(&mut block.next, self.unused);
        self.unused = stack.newest;
        let rest = (next != NO_BLOCK).then_some(Stack { newest: next, used: BLOCK as u32 });
        (state, rest)
    }

    /// Makes room for `count` more entries, if there is memory.
    pub(crate) fn make_room(&mut self, count: usize) -> Result<(), Stop> {
        // At worst, each entry starts a block.
        self.blocks.try_reserve(count).map_err(|_| Stop::MemoryLimit)
    }

    /// Adds an entry.
    #[inline]
    pub(crate) fn push(&mut self, Entry { f, h, state }: Entry) {
        let key = (f, h);
        match self.least {
            Some((least, mut stack)) if least == key => {
                self.push_on(&mut stack, state);
                self.least = Some((least, stack));
                return;
            }
            Some((least, _)) if least < key => {}
            Some((least, stack)) => {
                self.others.insert(least, stack);
                self.least =
                    Some((key, Stack { newest: self.new_block(state, NO_BLOCK), used: 1 }));
                return;
            }
            None => {
                self.least =
                    Some((key, Stack { newest: self.new_block(state, NO_BLOCK), used: 1 }));
                return;
            }
        }
        if let Some(&(mut stack)) = self.others.get(&key) {
            self.push_on(&mut stack, state);
            *self.others.get_mut(&key).expect("found above") = stack;
        } else {
            let stack = Stack { newest: self.new_block(state, NO_BLOCK), used: 1 };
            self.others.insert(key, stack);
        }
    }

    /// Takes the entry that comes next.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        let (key, stack) = self.least?;
        let (state, rest) = self.pop_from(stack);
        self.least = rest.map(|rest| (key, rest)).or_else(|| self.others.pop_first());
        Some(Entry { f: key.0, h: key.1, state })
    }

    /// Takes the entry that comes next if it has the same f and h as `entry`.
    #[inline]
    pub(crate) fn pop_like(&mut self, entry: Entry) -> Option<Entry> {
        match self.least {
            Some((key, _)) if key == (entry.f, entry.h) => self.pop(),
            _ => None,
        }
    }

    /// Some of the states that `pop` gives next, the first one last.
    #[inline]
    pub(crate) fn upcoming(&self) -> &[StateId] {
        match self.least {
            Some((_, stack)) => &self.blocks[stack.newest as usize].states[..stack.used as usize],
            None => &[],
        }
    }
}
