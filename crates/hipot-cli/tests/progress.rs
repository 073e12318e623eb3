//! What is shown while an LP is solved: a line on a terminal, log lines
//! elsewhere, and never anything on standard output.

mod sandbox;

use sandbox::{Sandbox, code, json, signal, stderr};

/// A task with an LP that takes minutes.
fn slow() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "toll", "60", "-o", "slow.sas"])), 0);
    sandbox
}

#[test]
fn where_there_is_no_terminal_it_is_logged_rarely() {
    let sandbox = slow();
    // A busy machine may need longer for the first one.
    let logs = [4, 16].map(|seconds| {
        let limit = format!("{seconds}s");
        let output = sandbox.run(&["bound", "--json", "--lp-time-limit", &limit, "slow.sas"]);
        let report = json(&output);
        assert_eq!((code(&output), report["status"].as_str()), (0, Some("solved")));
        let log = stderr(&output);
        assert!(!log.contains('\r'), "{log}");
        let is_about_lp = |line: &&str| line.contains("] LP ") && line.contains(" features");
        let count = log.lines().filter(is_about_lp).count();
        assert!(count <= seconds, "{log}");
        count
    });
    assert!(logs.iter().any(|&count| count > 0), "{logs:?}");
}

#[test]
fn those_who_are_strict_get_what_they_asked_for_or_nothing() {
    let sandbox = slow();
    let bound = |arguments: &[&str]| {
        let output = sandbox.run(&[&["bound", "-q", "--json"], arguments, &["slow.sas"]].concat());
        (code(&output), json(&output)["status"].clone())
    };
    let short = ["--strict", "--lp-time-limit", "300ms"];
    assert_eq!(bound(&short), (23, "time-limit".into()));
    assert_eq!(bound(&[&short[..], &["--heuristic", "pot1"]].concat()), (0, "solved".into()));
    // Chosen features are what was asked for.
    let chosen = ["--strict", "--time-limit", "20s", "--heuristic", "pot(dim=2, budget=2000)"];
    assert_eq!(bound(&chosen), (0, "solved".into()));
    assert_eq!(bound(&short[1..]), (0, "solved".into()));
}

#[test]
fn those_who_ask_for_quiet_get_it() {
    let sandbox = slow();
    let arguments = ["bound", "--quiet", "--json", "--lp-time-limit", "1500ms", "slow.sas"];
    let output = sandbox.run(&arguments);
    assert_eq!(json(&output)["status"], "solved");
    assert_eq!(stderr(&output), "");
}

#[cfg(target_os = "linux")]
mod on_a_terminal {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::{FromRawFd, OwnedFd};
    use std::process::Stdio;
    use std::str::Chars;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    use super::*;

    /// Both ends of a terminal that has so many columns.
    #[allow(unsafe_code)]
    fn terminal(columns: u16) -> (File, OwnedFd) {
        let (mut ours, mut theirs) = (-1, -1);
        let size = libc::winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let (name, settings) = (std::ptr::null_mut(), std::ptr::null());
        // SAFETY: places for two descriptors, which nobody else has, and a
        // size; neither the name nor settings are of interest.
        unsafe {
            let status =
                libc::openpty(&raw mut ours, &raw mut theirs, name, settings, &raw const size);
            assert_eq!(status, 0, "a terminal can be had");
            (File::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
        }
    }

    /// All that is written to the terminal until the other end is closed; tells
    /// when there is an LP.
    fn read(mut terminal: File, shown: &Sender<()>) -> String {
        let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = terminal.read(&mut buffer) {
            bytes.extend(&buffer[..count]);
            if String::from_utf8_lossy(&bytes).contains("LP ") {
                shown.send(()).ok();
            }
        }
        String::from_utf8(bytes).unwrap()
    }

    /// The lines that stand on a terminal in the end.
    fn screen(text: &str, columns: usize) -> Vec<String> {
        let (mut lines, mut column) = (vec![Vec::new()], 0);
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            let line = lines.last_mut().unwrap();
            match character {
                '\n' => lines.push(Vec::new()),
                '\r' => column = 0,
                '\u{1b}' => match control(&mut characters).as_str() {
                    "[2K" => line.clear(),
                    "[3D" => column -= 3,
                    other => panic!("a sequence that is not known: {other:?}"),
                },
                _ if column == columns => {
                    lines.push(vec![character]);
                    column = 1;
                }
                _ => {
                    line.resize(line.len().max(column + 1), ' ');
                    line[column] = character;
                    column += 1;
                }
            }
        }
        lines.into_iter().map(String::from_iter).collect()
    }

    /// A control sequence, its first character aside.
    fn control(characters: &mut Chars<'_>) -> String {
        let mut sequence = String::new();
        while !sequence.ends_with(|last: char| last.is_ascii_alphabetic()) {
            sequence.extend([characters.next().expect("the end of a control sequence")]);
        }
        sequence
    }

    #[test]
    fn a_line_is_drawn_and_cleared_when_the_user_interrupts() {
        let sandbox = slow();
        let (ours, theirs) = terminal(40);
        let child = sandbox
            .command(&["bound", "--json", "slow.sas"])
            .env("TERM", "xterm")
            .stdout(Stdio::piped())
            .stderr(theirs)
            .spawn()
            .unwrap();
        let mut keyboard = ours.try_clone().unwrap();
        let (sender, shown) = channel();
        let reader = std::thread::spawn(move || read(ours, &sender));
        shown.recv_timeout(Duration::from_secs(60)).expect("a line about the LP");
        // The terminal shows the key; the signal is ours.
        keyboard.write_all(b"\x03").unwrap();
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), &json(&output)["status"]), (130, &"interrupted".into()));
        let text = reader.join().unwrap();
        assert!(text.contains("LP ") && text.contains("^C"), "{text:?}");
        let lines = screen(&text, 40);
        assert!(lines[0].contains("] task: "), "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains(" s: bound")), "{lines:?}");
        let ends = ["hipot: interrupted".to_owned(), String::new()];
        assert!(lines.ends_with(&ends), "{lines:?}");
    }
}
