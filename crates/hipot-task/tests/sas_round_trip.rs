//! Reading what was written gives the same task; damaged texts are refused
//! or read as what they say, never with a panic.

mod mutation;

use std::time::{Duration, Instant};

use hipot_task::{Task, sas};
use hipot_testing::RandomTask;
use proptest::collection::vec;
use proptest::prelude::*;

use mutation::{mutate, mutation};

/// Small tasks with everything that the format can express.
fn task() -> impl Strategy<Value = Task> {
    let shape = RandomTask {
        derived: 4,
        cost: hipot_task::MAX_COST - 1,
        percent_free: 20,
        percent_conditional: 40,
        ..RandomTask::default()
    };
    any::<u64>().prop_map(move |seed| shape.generate(seed))
}

/// A task whose every number is a version, a metric, a count, a variable, a
/// value or a cost: none of them can be 4294967295.
const LAMP: &str = "\
begin_version
3
end_version
begin_metric
1
end_metric
2
begin_variable
lamp
-1
2
lamp off
lamp on
end_variable
begin_variable
door
-1
3
door closed
door ajar
door open
end_variable
1
begin_mutex_group
2
0 0
1 2
end_mutex_group
begin_state
0
0
end_state
begin_goal
1
1 2
end_goal
2
begin_operator
push door
1
0 1
1
1 0 1 1 -1 2
5
end_operator
begin_operator
turn lamp
0
1
0 0 0 1
0
end_operator
0
";

fn written(task: &Task) -> Vec<u8> {
    let mut text = Vec::new();
    sas::write(task, &mut text).expect("names fit on one line");
    text
}

fn read_lamp(text: &str) -> Task {
    sas::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn read_undoes_write(task in task()) {
        prop_assert_eq!(sas::read(&written(&task)), Ok(task));
    }

    #[test]
    fn damaged_texts_are_refused_or_read_as_they_are(
        task in task(),
        mutations in vec(mutation(), 1..3),
    ) {
        let text = mutations.iter().fold(written(&task), mutate);
        if let Ok(task) = sas::read(&text) {
            prop_assert_eq!(sas::read(&written(&task)), Ok(task));
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(text in vec(any::<u8>(), 0..200)) {
        let _ = sas::read(&text);
    }

    #[test]
    fn a_text_cut_short_is_refused(task in task(), cut in any::<prop::sample::Index>()) {
        let text = written(&task);
        // Without its last line break the text is still whole.
        let text = &text[..cut.index(text.len() - 1)];
        prop_assert!(sas::read(text).is_err());
    }
}

#[test]
fn the_text_comes_back() {
    assert_eq!(written(&read_lamp(LAMP)), LAMP.as_bytes());
}

#[test]
fn windows_line_ends_are_accepted() {
    assert_eq!(read_lamp(&LAMP.replace('\n', "\r\n")), read_lamp(LAMP));
}

#[test]
fn space_at_line_ends_is_accepted() {
    assert_eq!(read_lamp(&LAMP.replace('\n', " \t\n")), read_lamp(LAMP));
}

#[test]
fn blank_lines_at_the_end_are_accepted() {
    for end in ["\n", "\n\n\n", "\r\n\r\n", "  \n\t\n", "   "] {
        assert_eq!(read_lamp(&format!("{LAMP}{end}")), read_lamp(LAMP), "{end:?}");
    }
}

#[test]
fn the_last_line_break_may_be_missing() {
    assert_eq!(read_lamp(LAMP.trim_end()), read_lamp(LAMP));
}

#[test]
fn a_count_far_beyond_the_file_is_refused_quickly() {
    let is_number = |word: &&str| word.parse::<i64>().is_ok();
    let numbers = LAMP.split_ascii_whitespace().filter(is_number).count();
    let begin = Instant::now();
    for index in 0..numbers {
        let text = with_number(index, "4294967295");
        assert!(sas::read(text.as_bytes()).is_err(), "accepted:\n{text}");
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

/// [`LAMP`] with its number `index` replaced.
fn with_number(index: usize, new: &str) -> String {
    let mut seen = 0;
    let mut text = String::new();
    for word in LAMP.split_inclusive([' ', '\n']) {
        let (old, space) = word.split_at(word.len() - 1);
        let is_number = old.parse::<i64>().is_ok();
        text.push_str(if is_number && seen == index { new } else { old });
        text.push_str(space);
        seen += usize::from(is_number);
    }
    text
}
