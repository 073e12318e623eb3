//! What could stand at a place.
//!
//! While one types, parentheses rarely match, so this does not need a tree: it looks at the words
//! before the place, and takes the names from when the document could be read last.

use hipot_pddl::REQUIREMENTS;
use hipot_pddl::symbols::{SymbolKind, Symbols};
use lsp_types::{CompletionItem, CompletionItemKind};

const SECTIONS_OF_DOMAIN: [&str; 7] =
    [":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action"];
const SECTIONS_OF_PROBLEM: [&str; 5] = [":domain", ":objects", ":init", ":goal", ":metric"];
const FIELDS: [&str; 3] = [":parameters", ":precondition", ":effect"];
const CONNECTIVES: [&str; 8] =
    ["and", "or", "not", "imply", "exists", "forall", "when", "increase"];

/// What could stand at a byte of a text.
pub(crate) fn completion(text: &str, offset: usize, symbols: &Symbols) -> Vec<CompletionItem> {
    let before = &text[..offset];
    let ends = |it: char| it.is_whitespace() || "()".contains(it);
    let start = before.rfind(ends).map_or(0, |at| at + 1);
    let (word, before) = (&before[start..], &before[..start]);
    let previous = before.trim_end().rsplit(ends).next().unwrap_or_default();
    let is_head = before.ends_with('(');
    let section = section(before);
    let names = |kind: SymbolKind, shape: CompletionItemKind| {
        let of_kind = symbols.list.iter().filter(move |it| it.kind == kind);
        let declared = of_kind.filter(|it| !it.declared.is_empty());
        declared.map(move |it| item(&it.name, shape)).collect::<Vec<_>>()
    };
    let keywords = |words: &[&str]| {
        words.iter().map(|word| item(word, CompletionItemKind::KEYWORD)).collect::<Vec<_>>()
    };
    if word.starts_with(':') || (is_head && section.is_empty()) {
        return match section {
            ":requirements" => keywords(&REQUIREMENTS),
            ":action" if !is_head => keywords(&FIELDS),
            _ if text.to_ascii_lowercase().contains("(problem") => keywords(&SECTIONS_OF_PROBLEM),
            _ => keywords(&SECTIONS_OF_DOMAIN),
        };
    }
    if word.starts_with('?') {
        return variables(text, offset, word);
    }
    if previous == "-" {
        let mut types = names(SymbolKind::Type, CompletionItemKind::CLASS);
        types.push(item("object", CompletionItemKind::CLASS));
        return types;
    }
    if is_head {
        let mut found = names(SymbolKind::Predicate, CompletionItemKind::PROPERTY);
        found.extend(names(SymbolKind::Function, CompletionItemKind::VALUE));
        found.extend(keywords(&CONNECTIVES));
        return found;
    }
    let mut found = variables(text, offset, word);
    found.extend(names(SymbolKind::Object, CompletionItemKind::CONSTANT));
    found
}

fn item(label: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label: label.to_owned(), kind: Some(kind), ..CompletionItem::default() }
}

/// The section that a place is in: its keyword, or nothing between sections.
fn section(before: &str) -> &str {
    let Some(start) = before.rfind("(:") else { return "" };
    let rest = &before[start + 1..];
    let mut depth = 1_usize;
    for parenthesis in rest.chars().filter(|it| "()".contains(*it)) {
        depth = if parenthesis == '(' { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return "";
        }
    }
    let end = rest.find(|it: char| it.is_whitespace() || "()".contains(it)).unwrap_or(rest.len());
    &rest[..end]
}

/// The variables in the section around a place.
fn variables(text: &str, offset: usize, typed: &str) -> Vec<CompletionItem> {
    let start = text[..offset].rfind("(:").unwrap_or(0);
    let end = text[offset..].find("(:").map_or(text.len(), |at| offset + at);
    let mut found: Vec<&str> = Vec::new();
    let ends = |it: char| it.is_whitespace() || "()".contains(it);
    for word in text[start..end].split(ends).filter(|word| word.len() > 1) {
        if word.starts_with('?') && word != typed && !found.contains(&word) {
            found.push(word);
        }
    }
    found.into_iter().map(|name| item(name, CompletionItemKind::VARIABLE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hipot_pddl::Source;

    const TEXT: &str = "(define (domain d) (:types place) (:constants home - place)
      (:predicates (at ?p - place))
      (:action go :parameters (?from ?to - place)
        :precondition (at ?from) :effect (at ?to)))";

    /// The labels at the mark `|` of a text, with the names of the text above.
    fn labels(text: &str) -> Vec<String> {
        let symbols = Symbols::of(&Source::new("d", TEXT), None);
        let found = completion(&text.replace('|', ""), text.find('|').unwrap(), &symbols);
        found.into_iter().map(|it| it.label).collect()
    }

    #[test]
    fn names_fit_their_place() {
        assert_eq!(labels("(:action go :parameters (?x - |"), ["place", "object"]);
        assert_eq!(labels("(:action go :parameters (?x ?y) :effect (at ?|"), ["?x", "?y"]);
        assert_eq!(labels("(:action go :parameters (?x) :effect (at |"), ["?x", "home"]);
        let heads = labels("(:action go :parameters (?x) :effect (|");
        assert!(heads.contains(&"at".to_owned()) && heads.contains(&"and".to_owned()));
        assert!(!heads.contains(&"home".to_owned()));
        assert_eq!(labels("(:action go :|"), FIELDS);
        assert_eq!(labels("(define (domain d) (:requirements :|"), REQUIREMENTS);
        assert_eq!(labels("(define (domain d) (:types a) (:|"), SECTIONS_OF_DOMAIN);
        assert_eq!(labels("(define (problem p) (:domain d) (|"), SECTIONS_OF_PROBLEM);
    }
}
