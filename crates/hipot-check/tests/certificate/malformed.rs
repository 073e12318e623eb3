//! Texts that are no certificates, each with the message that it gets.

use hipot_check::{Certificate, read_certificate};
use hipot_testing::{RandomTask, Rng};

use super::{door, text};

const RIGHT: &str = "\
hipot certificate 1
task sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
claim bound 23
denominator 10
constant -51
features 3
-35 0=1
12 0=1 3=u
0 7=0
end
";

pub(super) fn message(text: &str) -> String {
    match read_certificate(text) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The message for `RIGHT` with one part replaced.
fn replaced(old: &str, new: &str) -> String {
    assert_eq!(RIGHT.matches(old).count(), 1, "{old}");
    message(&RIGHT.replace(old, new))
}

#[test]
fn the_right_text_is_read() {
    let certificate = read_certificate(RIGHT).unwrap();
    assert_eq!(text(&certificate), RIGHT);
    assert_eq!(certificate.dimension(), 2);
    let unsolvable = RIGHT.replace("bound 23", "unsolvable");
    assert_eq!(text(&read_certificate(&unsolvable).unwrap()), unsolvable);
    let windows = RIGHT.replace('\n', "\r\n") + "\r\n \n";
    assert_eq!(read_certificate(&windows).unwrap(), certificate);
}

#[test]
fn numbers_may_be_long() {
    let long = "9".repeat(10_000);
    let certificate = read_certificate(&RIGHT.replace("-35", &format!("-{long}"))).unwrap();
    assert!(text(&certificate).contains(&format!("\n-{long} 0=1\n")));
    let longer = format!("-{long}9");
    assert_eq!(replaced("-35", &longer), "line 7, column 1: the number has more than 10000 digits");
}

#[test]
fn wrong_headers_have_their_messages() {
    let header =
        "expected 'hipot certificate 1', 'hipot certificate 2' or 'hipot certificate 3', found";
    assert_eq!(message(""), format!("line 1, column 1: {header} the end of the file"));
    assert_eq!(message("\n"), format!("line 1, column 1: {header} an empty line"));
    assert_eq!(
        replaced("certificate 1", "certificate 4"),
        format!("line 1, column 1: {header} 'hipot certificate 4'")
    );
    assert_eq!(replaced("task ", "tusk "), "line 2, column 1: expected 'task', found 'tusk'");
    let digits = "line 2, column 6: expected 'sha256:' and 64 hexadecimal digits in lower case, \
                  found";
    assert_eq!(
        replaced("sha256:0", "sha256:A"),
        format!("{digits} 'sha256:A123456789abcdef0123456789abcdef0…'")
    );
    assert_eq!(
        replaced("sha256:0", "md5:0"),
        format!("{digits} 'md5:0123456789abcdef0123456789abcdef0123…'")
    );
    assert_eq!(
        message("hipot certificate 1\ntask"),
        format!("{} the end of the line", digits.replace("column 6", "column 5"))
    );
    assert_eq!(
        replaced("bound 23", "cost 23"),
        "line 3, column 7: expected 'bound' or 'unsolvable', found 'cost'"
    );
    assert_eq!(replaced("bound 23", "bound -1"), "line 3, column 13: expected a bound, found '-1'");
    assert_eq!(
        replaced("bound 23", "bound 18446744073709551616"),
        "line 3, column 13: the number '18446744073709551616' is too large"
    );
    assert_eq!(
        replaced("bound 23", "bound"),
        "line 3, column 12: expected a bound, found the end of the line"
    );
    assert_eq!(
        replaced("bound 23", "unsolvable 23"),
        "line 3, column 18: expected the end of the line, found '23'"
    );
}

#[test]
fn wrong_numbers_have_their_messages() {
    let positive = "line 4, column 13: the denominator must be positive";
    assert_eq!(replaced("denominator 10", "denominator 0"), positive);
    assert_eq!(replaced("denominator 10", "denominator -10"), positive);
    assert_eq!(
        replaced("denominator 10", "denominator 1e7"),
        "line 4, column 13: expected a positive integer, found '1e7'"
    );
    assert_eq!(
        replaced("denominator 10", "denominator 10 10"),
        "line 4, column 16: expected the end of the line, found '10'"
    );
    assert_eq!(
        replaced("denominator 10", "denominator  10"),
        "line 4, column 13: expected a positive integer, found an extra space"
    );
    let integer = "line 5, column 10: expected an integer, found";
    assert_eq!(replaced("constant -51", "constant -051"), format!("{integer} '-051'"));
    assert_eq!(replaced("constant -51", "constant -0"), format!("{integer} '-0'"));
    assert_eq!(replaced("constant -51", "constant +51"), format!("{integer} '+51'"));
    assert_eq!(replaced("constant -51", "constant -"), format!("{integer} '-'"));
    assert_eq!(replaced("constant -51", "constant 1.5"), format!("{integer} '1.5'"));
    assert_eq!(replaced("constant -51", "constant ٣"), format!("{integer} '٣'"));
}

#[test]
fn wrong_counts_have_their_messages() {
    assert_eq!(
        replaced("features 3", "features 4"),
        "line 10, column 1: expected feature 4 of 4: a weight, found 'end'"
    );
    assert_eq!(
        replaced("features 3", "features 2"),
        "line 9, column 1: expected 'end' after 2 features, found '0 7=0'"
    );
    assert_eq!(
        replaced("features 3", "features 4000000000"),
        "line 10, column 1: expected feature 4 of 4000000000: a weight, found 'end'"
    );
    assert_eq!(
        replaced("features 3", "features 5000000000"),
        "line 6, column 10: 5000000000 features are too many"
    );
    assert_eq!(
        replaced("features 3", "features -3"),
        "line 6, column 10: expected the number of features, found '-3'"
    );
    assert_eq!(
        replaced("end\n", ""),
        "line 10, column 1: expected 'end' after 3 features, found the end of the file"
    );
    assert_eq!(
        replaced("0 7=0\nend\n", ""),
        "line 9, column 1: expected feature 3 of 3, found the end of the file"
    );
    assert_eq!(
        replaced("end\n", "end\n\nmore\n"),
        "line 12, column 1: expected the end of the file, found 'more'"
    );
}

#[test]
fn wrong_features_have_their_messages() {
    let fact = "expected a fact VARIABLE=VALUE, found";
    assert_eq!(replaced("-35 0=1", "-35"), format!("line 7, column 4: {fact} the end of the line"));
    assert_eq!(replaced("-35 0=1", "-35 0"), format!("line 7, column 5: {fact} '0'"));
    assert_eq!(replaced("-35 0=1", "-35  0=1"), format!("line 7, column 5: {fact} an extra space"));
    assert_eq!(replaced("-35 0=1", "-35 0=x"), format!("line 7, column 5: {fact} '0=x'"));
    assert_eq!(replaced("-35 0=1", "-35 00=1"), format!("line 7, column 5: {fact} '00=1'"));
    assert_eq!(replaced("-35 0=1", "-35 u=1"), format!("line 7, column 5: {fact} 'u=1'"));
    assert_eq!(replaced("-35 0=1", "-35 0=1=1"), format!("line 7, column 5: {fact} '0=1=1'"));
    assert_eq!(
        replaced("-35 0=1", "-35 4294967296=1"),
        format!("line 7, column 5: {fact} '4294967296=1'")
    );
    assert_eq!(
        replaced("-35 0=1", "0=1"),
        "line 7, column 1: expected feature 1 of 3: a weight, found '0=1'"
    );
    assert_eq!(
        replaced("-35 0=1", ""),
        "line 7, column 1: expected feature 1 of 3: a weight, found an empty line"
    );
    assert_eq!(replaced("3=u", "0=2"), "line 8, column 8: the feature mentions variable 0 twice");
    assert_eq!(replaced("0=1 3=u", "3=u 0=1"), "line 8, column 8: variable 0 must come before 3");
    assert_eq!(
        replaced("0 7=0", "0 0=1"),
        "line 9, column 1: the feature is the same as in line 7"
    );
}

#[test]
fn garbage_never_makes_the_reader_panic() {
    garble(RIGHT);
}

/// Changes a text at random; what is read still can be written and read again.
pub(super) fn garble(right: &str) {
    let alphabet: Vec<char> = "0123456789-= u\n\r\téx".chars().collect();
    let mut rng = Rng::new(7);
    for _ in 0..20_000 {
        let mut characters: Vec<char> = right.chars().collect();
        for _ in 0..=rng.below(3) {
            let place = rng.below(characters.len() as u32) as usize;
            let new = alphabet[rng.below(alphabet.len() as u32) as usize];
            match rng.below(3) {
                0 => characters[place] = new,
                1 => characters.insert(place, new),
                _ => drop(characters.drain(place..(place + 5).min(characters.len()))),
            }
        }
        let garbled: String = characters.into_iter().collect();
        if let Ok(certificate) = read_certificate(&garbled) {
            assert_eq!(read_certificate(&text(&certificate)).unwrap(), certificate);
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let certificate: Certificate = door::parts().certificate();
    assert_eq!(read_certificate(&text(&certificate)).unwrap(), certificate);
    let task = RandomTask::default().generate(3);
    assert_eq!(hipot_check::fingerprint(&task), hipot_check::fingerprint(&task.clone()));
}
