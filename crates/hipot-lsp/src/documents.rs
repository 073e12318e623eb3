//! Open documents, and which of them belong together.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use hipot_pddl::symbols::Symbols;
use hipot_pddl::{File, Source, domain_beside};
use lsp_types::Uri;

/// The open documents by their addresses.
#[derive(Debug, Default)]
pub(crate) struct Documents(BTreeMap<String, String>);

/// A domain and a problem; one of them may be missing.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) domain: Option<Text>,
    pub(crate) problem: Option<Text>,
}

/// The text of a document, or of a file that is not open.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) uri: String,
    pub(crate) text: String,
}

impl Text {
    pub(crate) fn source(&self) -> Source {
        Source::new(self.uri.clone(), self.text.clone())
    }

    pub(crate) fn uri(&self) -> Option<Uri> {
        Uri::from_str(&self.uri).ok()
    }
}

impl Pair {
    /// The names of both.
    pub(crate) fn symbols(&self) -> Symbols {
        let nothing = || Source::new("", "");
        let domain = self.domain.as_ref().map_or_else(nothing, Text::source);
        Symbols::of(&domain, self.problem.as_ref().map(Text::source).as_ref())
    }

    pub(crate) fn of(&self, file: File) -> Option<&Text> {
        match file {
            File::Domain => self.domain.as_ref(),
            File::Problem => self.problem.as_ref(),
        }
    }

    /// Which of the two a document is.
    pub(crate) fn file(&self, uri: &str) -> File {
        let is_problem = self.problem.as_ref().is_some_and(|problem| problem.uri == uri);
        if is_problem { File::Problem } else { File::Domain }
    }
}

impl Documents {
    pub(crate) fn set(&mut self, uri: String, text: String) {
        self.0.insert(uri, text);
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.0.remove(uri);
    }

    pub(crate) fn text(&self, uri: &str) -> Option<&str> {
        self.0.get(uri).map(String::as_str)
    }

    /// The open documents in the folder of this one, and itself.
    pub(crate) fn beside(&self, uri: &str) -> Vec<String> {
        let beside = self.0.keys().filter(|other| folder(other) == folder(uri));
        beside.cloned().collect()
    }

    /// The document and the one that belongs to it. A domain may belong to several problems; the
    /// first open one is taken.
    pub(crate) fn pair(&self, uri: &str) -> Pair {
        let Some(own) = self.get(uri) else { return Pair { domain: None, problem: None } };
        if is_problem(&own.text) {
            return Pair { domain: self.domain_of(&own), problem: Some(own) };
        }
        let others = self.beside(uri).into_iter().filter_map(|other| self.get(&other));
        let problem = others
            .filter(|other| is_problem(&other.text))
            .find(|other| self.domain_of(other).is_some_and(|domain| domain.uri == uri));
        Pair { domain: Some(own), problem }
    }

    fn get(&self, uri: &str) -> Option<Text> {
        self.text(uri).map(|text| Text { uri: uri.to_owned(), text: text.to_owned() })
    }

    /// The domain of a problem: an open document in its folder with the domain's name, else the file
    /// that commands would take.
    fn domain_of(&self, problem: &Text) -> Option<Text> {
        let wanted = name_after(&problem.text, "(:domain");
        let open = self.beside(&problem.uri).into_iter().filter_map(|other| self.get(&other));
        let found = open
            .filter(|other| !is_problem(&other.text))
            .find(|other| wanted.is_some() && name_after(&other.text, "(domain") == wanted);
        found.or_else(|| {
            let file = domain_beside(&path(&problem.uri)?)?;
            let uri = uri_in_folder(&problem.uri, &file)?;
            let text = std::fs::read(&file).ok()?;
            let on_disk = || String::from_utf8_lossy(&text).into_owned();
            Some(Text { text: self.text(&uri).map_or_else(on_disk, str::to_owned), uri })
        })
    }
}

/// Whether a text defines a problem. Text that defines nothing yet counts as a domain.
fn is_problem(text: &str) -> bool {
    name_after(text, "(problem").is_some()
}

/// The word after a text, whatever its case.
fn name_after(text: &str, before: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let rest = lower[lower.find(before)? + before.len()..].trim_start();
    let end = rest.find(|it: char| it.is_whitespace() || "()".contains(it)).unwrap_or(rest.len());
    Some(rest[..end].to_owned()).filter(|name| !name.is_empty())
}

fn folder(uri: &str) -> &str {
    uri.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The path of a `file:` address.
fn path(uri: &str) -> Option<PathBuf> {
    let encoded = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The address of a file in the folder of another one.
fn uri_in_folder(uri: &str, file: &Path) -> Option<String> {
    let mut encoded = String::new();
    for byte in file.file_name()?.to_str()?.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            // Strings can always be written.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    Some(format!("{}/{encoded}", folder(uri)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths() {
        assert_eq!(path("file:///a%20b/c.pddl"), Some(PathBuf::from("/a b/c.pddl")));
        for bad in ["untitled:1", "file:///%", "file:///%zz", "file:///%ff"] {
            assert_eq!(path(bad), None, "{bad}");
        }
        let uri = uri_in_folder("file:///a%20b/c.pddl", Path::new("/a b/do main.pddl"));
        assert_eq!(uri.as_deref(), Some("file:///a%20b/do%20main.pddl"));
    }

    #[test]
    fn a_problem_finds_the_open_domain_with_its_name() {
        let mut documents = Documents::default();
        documents.set("x:/a/one".into(), "(define (domain d))".into());
        documents.set("x:/a/two".into(), "(define (DOMAIN e) )".into());
        documents.set("x:/a/p".into(), "(define (problem p) (:domain E))".into());
        documents.set("x:/b/q".into(), "(define (problem q) (:domain e))".into());
        assert_eq!(documents.pair("x:/a/p").domain.unwrap().uri, "x:/a/two");
        assert_eq!(documents.pair("x:/a/two").problem.unwrap().uri, "x:/a/p");
        assert!(documents.pair("x:/a/one").problem.is_none());
        assert!(documents.pair("x:/b/q").domain.is_none());
    }
}
