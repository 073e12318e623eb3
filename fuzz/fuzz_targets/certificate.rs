//! Nothing false is proved by any bytes taken as a certificate, and reading them never panics.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| hipot_fuzz::certificate(bytes));
