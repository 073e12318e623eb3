//! Reading any bytes never panics. A task that was read can be written and reads
//! back as the same task.

#![no_main]

use hipot_task::sas;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let Ok(task) = sas::read(text) else { return };
    let mut written = Vec::new();
    sas::write(&task, &mut written).expect("a task that was read can be written");
    assert_eq!(sas::read(&written), Ok(task), "another task comes back");
});
