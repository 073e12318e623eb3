//! No bytes taken as a plan are accepted that are cheaper than an optimal one, and reading them
//! never panics. The first line names the task.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| hipot_fuzz::plan(bytes));
