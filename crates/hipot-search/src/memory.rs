//! Zeroed memory straight from the system.
//!
//! The two large structures of a search, states and hash table, are accessed at random:
//! with pages of 4 kB, most accesses also miss the TLB. So they request large pages, with
//! the alignment that these need. New pages are zeroed, and become resident only when they
//! are first touched.

// The only unsafe code of this crate: system calls and prefetch instructions.
#![allow(unsafe_code)]

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

const LARGE_PAGE: usize = 2 << 20;

/// A slice of words, all zero at first.
pub(crate) struct Words {
    start: NonNull<u32>,
    len: usize,
}

// SAFETY: `Words` owns its memory as a `Box<[u32]>` would.
unsafe impl Send for Words {}

impl Words {
    /// `len` zeros, or `None` if the system has no more memory.
    #[cfg(unix)]
    pub(crate) fn zeroed(len: usize) -> Option<Self> {
        let bytes = Self::bytes(len);
        let padded = bytes.checked_add(LARGE_PAGE)?;
        // SAFETY: a fresh anonymous mapping; the trims below give back whole
        // pages at its ends that nobody uses.
        unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let mapped = libc::mmap(std::ptr::null_mut(), padded, protection, flags, -1, 0);
            if mapped == libc::MAP_FAILED {
                return None;
            }
            let before = mapped.cast::<u8>().align_offset(LARGE_PAGE);
            let start = mapped.cast::<u8>().add(before);
            if before > 0 {
                libc::munmap(mapped, before);
            }
            if before < LARGE_PAGE {
                libc::munmap(start.add(bytes).cast(), LARGE_PAGE - before);
            }
            #[cfg(target_os = "linux")]
            libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE);
            Some(Self { start: NonNull::new(start.cast())?, len })
        }
    }

    /// `len` zeros, or `None` if the system has no more memory.
    #[cfg(not(unix))]
    pub(crate) fn zeroed(len: usize) -> Option<Self> {
        let mut words = Vec::new();
        words.try_reserve_exact(len).ok()?;
        words.resize(len, 0_u32);
        let start = NonNull::new(Box::into_raw(words.into_boxed_slice()).cast())?;
        Some(Self { start, len })
    }

    /// The size of the mapping: whole pages, at least one.
    fn bytes(len: usize) -> usize {
        const PAGE: usize = 4096;
        (len * size_of::<u32>()).next_multiple_of(PAGE).max(PAGE)
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        // SAFETY: the memory that `zeroed` acquired, given back once.
        unsafe {
            #[cfg(unix)]
            libc::munmap(self.start.as_ptr().cast(), Self::bytes(self.len));
            #[cfg(not(unix))]
            drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.start.as_ptr(), self.len)));
        }
    }
}

impl Deref for Words {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        // SAFETY: `len` words, initialized to zero, owned by `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u32] {
        // SAFETY: as in `deref`, borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

/// Tells the processor that the memory at `place` will soon be needed.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing that a program can see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_and_can_be_written_to_its_ends() {
        for len in [1, 1000, 1 << 19, (1 << 20) + 17] {
            let mut words = Words::zeroed(len).unwrap();
            assert!(words.iter().all(|&word| word == 0));
            words[0] = 1;
            words[len - 1] = 2;
            assert_eq!(words.len(), len);
        }
    }

    #[test]
    fn too_much_is_refused() {
        assert!(Words::zeroed(usize::MAX >> 4).is_none());
    }
}
