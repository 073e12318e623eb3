//! Reading any bytes as a domain and, after the first NUL byte, a problem never
//! panics. Refused input has messages that can be shown, and a task is
//! translated within its limits.

#![no_main]

use std::time::{Duration, Instant};

use hipot_pddl::{Source, read};
use hipot_task::Limits;
use hipot_translate::translate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let (domain, problem) = (&text[..end], text.get(end + 1..).unwrap_or_default());
    let result = read(&Source::new("domain.pddl", domain), &Source::new("problem.pddl", problem));
    match result {
        Ok(task) => {
            assert_eq!(task.objects_by_type()[0].len(), task.objects.len());
            let deadline = Instant::now() + Duration::from_millis(200);
            let _ = translate(&task, &Limits::new(Some(deadline), Some(1 << 30)), &mut |_| ());
            assert!(deadline.elapsed() < Duration::from_secs(2), "the time limit is kept");
        }
        Err(errors) => {
            assert!(!errors.diagnostics.is_empty(), "refused without a reason");
            assert!(!errors.to_string().is_empty());
        }
    }
});
