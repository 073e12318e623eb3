//! Layers that are not well formed, each with the message that it gets.

use hipot_check::mutexes::{Direction, Layer};
use hipot_check::read_certificate;

use super::malformed::{garble, message};
use super::text;

const RIGHT: &str = "\
hipot certificate 2
task sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
claim bound 23
denominator 10
constant -51
layers 3
layer forward 2
0=1 2=0 2=3 12=0
3=1 3=1 4=0
layer backward 1
0=0 3=1
layer forward 0
features 2
-35 0=1
12 0=1 3=u
end
";

/// The message for `RIGHT` with one part replaced.
fn replaced(old: &str, new: &str) -> String {
    assert_eq!(RIGHT.matches(old).count(), 1, "{old}");
    message(&RIGHT.replace(old, new))
}

#[test]
fn the_right_text_is_read() {
    let certificate = read_certificate(RIGHT).unwrap();
    assert_eq!(text(&certificate), RIGHT);
    let layers = certificate.layers();
    let counts: Vec<usize> = layers.iter().map(Layer::pair_count).collect();
    assert_eq!(counts, [5, 1, 0]);
    let directions: Vec<Direction> = layers.iter().map(Layer::direction).collect();
    assert_eq!(directions, [Direction::Forward, Direction::Backward, Direction::Forward]);
    let windows = RIGHT.replace('\n', "\r\n");
    assert_eq!(read_certificate(&windows).unwrap(), certificate);
    let without = certificate.clone().with_layers(Vec::new());
    assert_ne!(without, certificate);
    assert!(text(&without).starts_with("hipot certificate 1\n"));
    assert_eq!(read_certificate(&text(&without)).unwrap(), without);
}

#[test]
fn the_version_says_whether_there_are_layers() {
    assert_eq!(
        replaced("certificate 2", "certificate 1"),
        "line 6, column 1: expected 'features', found 'layers'"
    );
    let (head, rest) = RIGHT.split_once("layers").unwrap();
    let (_, features) = rest.split_once("features").unwrap();
    assert_eq!(
        message(&format!("{head}features{features}")),
        "line 6, column 1: expected 'layers', found 'features'"
    );
    assert_eq!(
        message(&format!("{head}layers 0\nfeatures{features}")),
        "line 6, column 8: a certificate without layers has version 1"
    );
}

#[test]
fn wrong_counts_have_their_messages() {
    let number = "line 6, column 8: expected the number of layers, found";
    assert_eq!(replaced("layers 3", "layers x"), format!("{number} 'x'"));
    assert_eq!(
        replaced("layers 3", "layers 5000000000"),
        "line 6, column 8: 5000000000 layers are too many"
    );
    let layer = "line 13, column 1: expected 'layer', found 'features'";
    assert_eq!(replaced("layers 3", "layers 4000000000"), layer);
    assert_eq!(
        replaced("layers 3", "layers 2"),
        "line 12, column 1: expected 'features', found 'layer'"
    );
    let fact = "a fact VARIABLE=VALUE of the task";
    for count in ["3", "4000000000"] {
        assert_eq!(
            replaced("forward 2", &format!("forward {count}")),
            format!(
                "line 10, column 1: expected line 3 of {count} of layer 1: {fact}, found 'layer'"
            )
        );
    }
    assert_eq!(
        replaced("forward 2", "forward 1"),
        "line 9, column 1: expected 'layer', found '3=1'"
    );
    assert_eq!(
        replaced("forward 2", "forward 5000000000"),
        "line 7, column 15: 5000000000 lines are too many"
    );
    assert_eq!(
        replaced("forward 2", "forward"),
        "line 7, column 14: expected the number of lines, found the end of the line"
    );
    assert_eq!(
        replaced("forward 2", "sideways 2"),
        "line 7, column 7: expected 'forward' or 'backward', found 'sideways'"
    );
    assert_eq!(
        replaced("forward 2", "forward 2 2"),
        "line 7, column 17: expected the end of the line, found '2'"
    );
    let (head, _) = RIGHT.split_once("3=1 3=1").unwrap();
    assert_eq!(
        message(head),
        "line 9, column 1: expected line 2 of 2 of layer 1, found the end of the file"
    );
}

#[test]
fn wrong_pairs_have_their_messages() {
    let fact = "expected a fact VARIABLE=VALUE of the task, found";
    for (wrong, column, found) in [
        ("0=0", 4, "the end of the line"),
        ("0=0 3=u", 5, "'3=u'"),
        ("0=0 3", 5, "'3'"),
        ("0=0 03=1", 5, "'03=1'"),
        ("0=0  3=1", 5, "an extra space"),
        ("0=0 3=4294967296", 5, "'3=4294967296'"),
    ] {
        let message = format!("line 11, column {column}: {fact} {found}");
        assert_eq!(replaced("0=0 3=1", wrong), message);
    }
    let first = fact.replace("expected", "expected line 1 of 1 of layer 2:");
    assert_eq!(replaced("0=0 3=1", "0=u 3=1"), format!("line 11, column 1: {first} '0=u'"));
    assert_eq!(replaced("0=0 3=1", ""), format!("line 11, column 1: {first} an empty line"));
    assert_eq!(replaced("2=0 2=3", "2=3 2=0"), "line 8, column 9: 2=0 must come before 2=3");
    assert_eq!(replaced("2=0 2=3", "2=3 2=3"), "line 8, column 9: the line mentions 2=3 twice");
    assert_eq!(
        replaced("3=1 3=1 4=0", "3=1 3=1 3=1"),
        "line 9, column 9: the line mentions 3=1 twice"
    );
    assert_eq!(
        replaced("3=1 3=1 4=0", "3=1 4=0 3=1"),
        "line 9, column 9: 3=1 must come before 4=0"
    );
    assert_eq!(
        replaced("3=1 3=1 4=0", "3=1 3=0 4=0"),
        "line 9, column 5: this pair belongs in the line of 3=0"
    );
    assert_eq!(
        replaced("3=1 3=1 4=0", "0=1 13=0"),
        "line 9, column 1: the previous line is also for 0=1"
    );
    assert_eq!(replaced("3=1 3=1 4=0", "0=0 4=0"), "line 9, column 1: 0=0 must come before 0=1");
    assert_eq!(
        replaced("12 0=1 3=u", "12 0=1"),
        "line 15, column 1: the feature is the same as in line 14"
    );
}

#[test]
fn garbage_never_makes_the_reader_panic() {
    garble(RIGHT);
}
