//! The same as `certificate`, with a list of states that is not compressed yet.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| hipot_fuzz::listed_states(bytes));
