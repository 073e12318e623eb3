//! Out of memory means exit code 22.
//!
//! If the system refuses memory (`ulimit -v`, a full machine), Rust aborts by
//! default. Users are promised a message and an exit code.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

struct OrExit;

#[global_allocator]
static ALLOCATOR: OrExit = OrExit;

/// Reports this without allocating, and ends the process.
#[cold]
fn out_of_memory() -> ! {
    if !hipot_cli::end_log(b"search exit code: 22\n") {
        let _ = std::io::stderr().write_all(b"hipot: the system has no more memory\n");
    }
    std::process::exit(22)
}

fn or_exit(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() { out_of_memory() } else { pointer }
}

// SAFETY: all calls go to the system's allocator unchanged; no call returns
// where that one fails.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        or_exit(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_exit(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_exit(unsafe { System.realloc(pointer, layout, size) })
    }
}
