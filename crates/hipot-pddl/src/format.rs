//! PDDL in a uniform layout.
//!
//! A list stands on one line if it fits; otherwise its parts stand below each other, two columns
//! further in, and its closing parenthesis follows the last of them. A keyword and its value share a
//! line, and so do the names of a typed list up to their type. Words, comments and single empty lines
//! stay as they are.

/// The longest line, unless a word is longer.
const WIDTH: usize = 100;

/// The deepest list that is laid out.
const MAX_DEPTH: usize = 1000;

/// The text in a uniform layout; `None` if its parentheses do not match.
pub fn format(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let items = parse(text)?;
    let mut layout = Layout::default();
    for item in &items {
        layout.next_line(0, item.has_blank_before);
        layout.item(item, 0);
    }
    Some(layout.finish())
}

/// A word, a comment, or a list.
struct Item<'a> {
    kind: Kind<'a>,
    /// Whether an empty line comes before it.
    has_blank_before: bool,
    /// Whether it follows something on its line.
    is_trailing: bool,
    /// Its length on one line; `None` if it needs several because of a comment.
    width: Option<usize>,
}

enum Kind<'a> {
    Word(&'a str),
    Comment(&'a str),
    List(Vec<Item<'a>>),
}

impl<'a> Item<'a> {
    fn word(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::Comment(_))
    }

    fn is_keyword(&self) -> bool {
        self.word().is_some_and(|word| word.starts_with(':'))
    }

    /// Whether it is laid out on several lines even if it is short.
    fn is_spread(&self) -> bool {
        let Kind::List(parts) = &self.kind else { return false };
        let head = parts.first().and_then(Item::word).unwrap_or_default();
        head.eq_ignore_ascii_case("define") || head.eq_ignore_ascii_case(":action")
    }
}

fn parse(text: &str) -> Option<Vec<Item<'_>>> {
    let mut open: Vec<(Vec<Item<'_>>, bool, bool)> = Vec::new();
    let mut items = Vec::new();
    let mut rest = text;
    let (mut newlines, mut is_first) = (0, true);
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            newlines += usize::from(first == '\n');
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (blank, trailing) = (newlines > 1 && !is_first, newlines == 0 && !is_first);
        (newlines, is_first) = (0, false);
        let length = match first {
            '(' => {
                if open.len() >= MAX_DEPTH {
                    return None;
                }
                open.push((std::mem::take(&mut items), blank, trailing));
                1
            }
            ')' => {
                let (before, has_blank_before, is_trailing) = open.pop()?;
                let parts = std::mem::replace(&mut items, before);
                let width = width(&parts);
                items.push(Item { kind: Kind::List(parts), has_blank_before, is_trailing, width });
                1
            }
            ';' => {
                let length = rest.find('\n').unwrap_or(rest.len());
                let kind = Kind::Comment(rest[..length].trim_end());
                items.push(Item {
                    kind,
                    has_blank_before: blank,
                    is_trailing: trailing,
                    width: None,
                });
                length
            }
            _ => {
                let ends = |it: char| it.is_whitespace() || "();".contains(it);
                let length = rest.find(ends).unwrap_or(rest.len());
                let (word, width) = (&rest[..length], rest[..length].chars().count());
                items.push(Item {
                    kind: Kind::Word(word),
                    has_blank_before: blank,
                    is_trailing: trailing,
                    width: Some(width),
                });
                length
            }
        };
        rest = &rest[length..];
    }
    open.is_empty().then_some(items)
}

/// The length of a list with these parts on one line.
fn width(parts: &[Item<'_>]) -> Option<usize> {
    let widths = parts.iter().map(|part| part.width).collect::<Option<Vec<_>>>()?;
    Some(widths.iter().sum::<usize>() + 2 + parts.len().saturating_sub(1))
}

/// The text so far.
#[derive(Default)]
struct Layout {
    text: String,
    /// The length of the last line.
    column: usize,
    /// Whether the last line ends with a comment.
    is_closed: bool,
}

impl Layout {
    fn finish(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }

    fn next_line(&mut self, indent: usize, has_blank_before: bool) {
        if !self.text.is_empty() {
            self.text.push_str(if has_blank_before { "\n\n" } else { "\n" });
        }
        self.text.push_str(&" ".repeat(indent));
        (self.column, self.is_closed) = (indent, false);
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    /// Lays out an item that begins here; lines after the first are indented further than `indent`.
    fn item(&mut self, item: &Item<'_>, indent: usize) {
        match &item.kind {
            Kind::Word(word) => self.push(word),
            Kind::Comment(comment) => {
                self.push(comment);
                self.is_closed = true;
            }
            Kind::List(parts) => {
                let fits = item.width.is_some_and(|width| self.column + width <= WIDTH);
                if fits && !item.is_spread() {
                    self.on_one_line(parts);
                } else {
                    self.list(parts, indent);
                }
            }
        }
    }

    fn on_one_line(&mut self, parts: &[Item<'_>]) {
        self.push("(");
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.push(" ");
            }
            match &part.kind {
                Kind::List(parts) => self.on_one_line(parts),
                Kind::Word(text) | Kind::Comment(text) => self.push(text),
            }
        }
        self.push(")");
    }

    /// Lays out a list on several lines.
    fn list(&mut self, parts: &[Item<'_>], indent: usize) {
        self.push("(");
        let inner = indent + 2;
        let on_first_line = beside_head(parts);
        let mut before: Option<&Item<'_>> = None;
        for (index, part) in parts.iter().enumerate() {
            let fits = part.width.is_some_and(|width| self.column + 1 + width <= WIDTH);
            let joins = match before {
                None => !part.is_comment(),
                Some(_) if self.is_closed => false,
                Some(_) if part.is_comment() => part.is_trailing,
                Some(_) if index < on_first_line => fits,
                Some(before) => {
                    let is_value = before.is_keyword() && index > 1 && !part.is_keyword();
                    is_value || (fits && continues(parts, index))
                }
            };
            match before {
                None if joins => {}
                _ if joins => self.push(" "),
                _ => self.next_line(inner, part.has_blank_before && before.is_some()),
            }
            self.item(part, inner);
            before = Some(part);
        }
        if self.is_closed {
            self.next_line(indent, false);
        }
        self.push(")");
    }
}

/// Whether a word continues the names of a typed list, which end with their type.
fn continues(parts: &[Item<'_>], index: usize) -> bool {
    let is_dash = |index: usize| parts[index].word() == Some("-");
    if is_dash(index) || is_dash(index - 1) {
        return true;
    }
    let is_name = |item: &Item<'_>| item.word().is_some_and(|word| !word.starts_with(':'));
    let ends_a_type = index >= 2 && is_dash(index - 2);
    !ends_a_type && index > 1 && is_name(&parts[index]) && is_name(&parts[index - 1])
}

/// How many parts stand beside the head of a list that takes several lines.
fn beside_head(parts: &[Item<'_>]) -> usize {
    let head = parts.first().and_then(Item::word).unwrap_or_default().to_ascii_lowercase();
    match head.as_str() {
        "define" | ":action" | ":derived" | "forall" | "exists" | "when" => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lists_take_one_line_and_long_ones_several() {
        let text = "(DEFINE (domain d) ; what\n\n\n\n(:types  a b - c\n d)\n(:action go :parameters\n(?x - a)\
                    :precondition (and (p ?x)\n(q ?x)) :effect (not (p ?x)) ) ; end\n)";
        let expected = "(DEFINE (domain d) ; what\n\n  (:types a b - c d)\n  (:action go\n    \
                        :parameters (?x - a)\n    :precondition (and (p ?x) (q ?x))\n    \
                        :effect (not (p ?x))) ; end\n)\n";
        assert_eq!(format(text).unwrap(), expected);
        assert_eq!(format(expected).unwrap(), expected);
    }

    #[test]
    fn typed_lists_break_after_types() {
        let names: Vec<String> = (0..30).map(|it| format!("object{it}")).collect();
        let text = format!("(:objects {} - t a b - u)", names.join(" "));
        let formatted = format(&text).unwrap();
        assert!(formatted.lines().all(|line| line.len() <= WIDTH), "{formatted}");
        assert!(formatted.ends_with(" - t\n  a b - u)\n"), "{formatted}");
    }

    #[test]
    fn what_does_not_match_is_left_alone() {
        for text in ["(", ")", "(()", "(a))"] {
            assert_eq!(format(text), None);
        }
        assert_eq!(format("").unwrap(), "");
        assert_eq!(format(&"(".repeat(100_000)), None);
        assert_eq!(format("; only\n").unwrap(), "; only\n");
    }
}
