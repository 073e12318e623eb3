//! Reading any bytes as a domain and, behind the first NUL byte, a problem
//! never panics; what is refused has messages that can be shown.

#![no_main]

use hipot_pddl::{Source, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let (domain, problem) = (&text[..end], text.get(end + 1..).unwrap_or_default());
    let result = read(&Source::new("domain.pddl", domain), &Source::new("problem.pddl", problem));
    match result {
        Ok(task) => assert_eq!(task.objects_by_type()[0].len(), task.objects.len()),
        Err(errors) => {
            assert!(!errors.diagnostics.is_empty(), "refused without a reason");
            assert!(!errors.to_string().is_empty());
        }
    }
});
