//! The two definitions, domain and problem, and their sections.

use crate::diagnostics::{Finding, Findings, nearest, quote};
use crate::source::{File, Span};
use crate::tree::{Node, Tree};

const DOMAIN_SECTIONS: [&str; 7] =
    [":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action"];

const PROBLEM_SECTIONS: [&str; 7] =
    [":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length"];

/// Sections that may appear more than once.
const REPEATABLE: [&str; 2] = [":derived", ":action"];

/// Unsupported sections of PDDL and of related languages.
const UNSUPPORTED: [(&str, &str); 9] = [
    (":durative-action", "durative actions are"),
    (":constraints", "trajectory constraints are"),
    (":process", "processes are"),
    (":event", "events are"),
    (":axiom", "':axiom' sections of early PDDL are"),
    (":safety", "safety constraints are"),
    (":method", "hierarchical tasks (HTN) are"),
    (":task", "hierarchical tasks (HTN) are"),
    (":htn", "hierarchical tasks (HTN) are"),
];

/// A domain or a problem.
pub(super) struct Definition<'a> {
    pub(super) name: &'a str,
    name_span: Span,
    /// The sections that appear at most once, by keyword.
    single: Vec<(&'a str, Node<'a>)>,
    /// The sections that may appear more than once, with their keywords.
    repeated: Vec<(&'a str, Node<'a>)>,
    /// The closing parenthesis.
    close: Span,
}

impl<'a> Definition<'a> {
    /// The section with this keyword, if any.
    pub(super) fn section(&self, keyword: &str) -> Option<Node<'a>> {
        let found = self.single.iter().find(|(head, _)| *head == keyword);
        found.map(|&(_, node)| node)
    }

    /// All sections with this keyword, which may appear more than once.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = Node<'a>> {
        self.repeated.iter().filter(move |(head, _)| *head == keyword).map(|&(_, node)| node)
    }

    /// The section with this keyword; it is reported if it is missing.
    pub(super) fn required(&self, keyword: &str, findings: &mut Findings) -> Option<Node<'a>> {
        let section = self.section(keyword);
        if section.is_none() {
            let message = format!("the section '({keyword} …)' is missing");
            findings.add(Finding::wrong(self.close, message));
        }
        section
    }

    /// The only part of a required section; `what` names it in messages.
    pub(super) fn only_part(
        &self,
        keyword: &str,
        what: &str,
        findings: &mut Findings,
    ) -> Option<Node<'a>> {
        let section = self.required(keyword, findings)?;
        let mut parts = section.parts().skip(1);
        let Some(part) = parts.next() else {
            let message = format!("expected {what} after '{keyword}'");
            findings.add(Finding::wrong(section.head_span(), message));
            return None;
        };
        if let Some(more) = parts.next() {
            let message = format!("expected ')' after {what}, found {}", more.found());
            let finding = Finding::wrong(more.mark_span(), message);
            let help = "use '(and …)' to join conditions";
            findings.add(if part.is_list() { finding.with_help(help) } else { finding });
        }
        Some(part)
    }
}

/// Both definitions, unless one is missing.
pub(super) fn definitions<'a>(
    domain: &'a Tree,
    problem: &'a Tree,
    findings: &mut Findings,
) -> Option<(Definition<'a>, Definition<'a>)> {
    let (domain, problem) = (domain.root(), problem.root());
    let kinds = [domain, problem].map(|root| root.parts().nth(1).and_then(Node::head));
    if kinds == [Some("problem"), Some("domain")] {
        let message = "the two files are swapped: this is the problem";
        findings.add(
            Finding::wrong(domain.head_span(), message)
                .with_note(problem.head_span(), "and this is the domain")
                .with_help("give the domain first, then the problem"),
        );
        return None;
    }
    let domain = definition(domain, File::Domain, findings);
    let problem = definition(problem, File::Problem, findings);
    let (domain, problem) = (domain?, problem?);
    check_domain_name(&domain, &problem, findings);
    Some((domain, problem))
}

fn definition<'a>(root: Node<'a>, file: File, findings: &mut Findings) -> Option<Definition<'a>> {
    if root.head() != Some("define") {
        let message = match root.head() {
            Some(head) => format!("expected 'define', found {}", quote(head)),
            None => "expected 'define'".to_owned(),
        };
        findings.add(Finding::wrong(root.head_span(), message));
        return None;
    }
    let (name, name_span) = name(root, file, findings)?;
    let (mut single, mut repeated) = (Vec::new(), Vec::new());
    for node in root.parts().skip(2) {
        match keyword(node, file, &single, findings) {
            Some(keyword) if REPEATABLE.contains(&keyword) => repeated.push((keyword, node)),
            Some(keyword) => single.push((keyword, node)),
            None => {}
        }
    }
    Some(Definition { name, name_span, single, repeated, close: root.close_span() })
}

/// The name in `(domain NAME)` or `(problem NAME)`.
fn name<'a>(root: Node<'a>, file: File, findings: &mut Findings) -> Option<(&'a str, Span)> {
    let (kind, other) = match file {
        File::Domain => ("domain", "problem"),
        File::Problem => ("problem", "domain"),
    };
    let header = root.parts().nth(1);
    let head = header.and_then(Node::head);
    if head == Some(other) {
        let span = header.map_or(root.head_span(), Node::head_span);
        let message = format!("expected a {kind}, but this file defines a {other}");
        findings.add(Finding::wrong(span, message));
        return None;
    }
    let mut parts = header.into_iter().flat_map(Node::parts).skip(1);
    match (head == Some(kind), parts.next(), parts.next()) {
        (true, Some(name), None) if name.word().is_some() => Some((name.word()?, name.span())),
        _ => {
            let span = header.map_or(root.head_span(), Node::head_span);
            let message = format!("expected '({kind} NAME)' after 'define'");
            findings.add(Finding::wrong(span, message));
            None
        }
    }
}

/// The keyword of a section, unless the section is to be ignored.
fn keyword<'a>(
    node: Node<'a>,
    file: File,
    before: &[(&'a str, Node<'a>)],
    findings: &mut Findings,
) -> Option<&'a str> {
    let Some(head) = node.head().filter(|_| node.is_list()) else {
        let message = format!("expected a section such as '(:action …)', found {}", node.found());
        findings.add(Finding::wrong(node.mark_span(), message));
        return None;
    };
    if !of_file(file).contains(&head) {
        let meant = meant_section(head, file);
        findings.add(foreign_section(head, node.head_span(), meant, file));
        let is_free = |&meant: &&str| before.iter().all(|(keyword, _)| *keyword != meant);
        return meant.filter(is_free);
    }
    let before = before.iter().find(|(keyword, _)| *keyword == head);
    let Some((_, before)) = before else { return Some(head) };
    let finding = Finding::wrong(node.head_span(), format!("a second {} section", quote(head)));
    findings.add(finding.with_note(before.head_span(), "the first one is here"));
    None
}

fn of_file(file: File) -> [&'static str; 7] {
    match file {
        File::Domain => DOMAIN_SECTIONS,
        File::Problem => PROBLEM_SECTIONS,
    }
}

fn of_other_file(file: File) -> [&'static str; 7] {
    match file {
        File::Domain => PROBLEM_SECTIONS,
        File::Problem => DOMAIN_SECTIONS,
    }
}

fn unsupported(head: &str) -> Option<&'static str> {
    UNSUPPORTED.iter().find(|(keyword, _)| *keyword == head).map(|(_, what)| *what)
}

/// The section that was probably meant by a misspelled word.
fn meant_section(head: &str, file: File) -> Option<&'static str> {
    match (head, file) {
        (":objects", File::Domain) => return Some(":constants"),
        (":constants", File::Problem) => return Some(":objects"),
        _ if unsupported(head).is_some() || of_other_file(file).contains(&head) => return None,
        _ => {}
    }
    nearest(head, of_file(file)).or_else(|| nearest(&format!(":{head}"), of_file(file)))
}

/// Reports a section that does not belong in this file.
fn foreign_section(head: &str, span: Span, meant: Option<&str>, file: File) -> Finding {
    if let Some(what) = unsupported(head) {
        return Finding::unsupported(span, what);
    }
    let (own, other) = match file {
        File::Domain => ("domain", "problem"),
        File::Problem => ("problem", "domain"),
    };
    if of_other_file(file).contains(&head) {
        let message = format!("a {own} has no {} section", quote(head));
        let help = format!("this section belongs in the {other}");
        return Finding::wrong(span, message).with_suggestion_or(meant, &help);
    }
    let help = format!("the sections of a {own} are {}", of_file(file).join(", "));
    Finding::wrong(span, format!("unknown section {}", quote(head)))
        .with_suggestion_or(meant, &help)
}

fn check_domain_name(domain: &Definition<'_>, problem: &Definition<'_>, findings: &mut Findings) {
    let Some(node) = problem.only_part(":domain", "the name of the domain", findings) else {
        return;
    };
    let Some(name) = node.word() else {
        let message = format!("expected the name of the domain, found {}", node.found());
        findings.add(Finding::wrong(node.mark_span(), message));
        return;
    };
    if name != domain.name {
        let message = format!(
            "the problem is for domain {}, but the domain is called {}",
            quote(name),
            quote(domain.name)
        );
        let note = "the domain's name is here";
        findings.add(Finding::wrong(node.span(), message).with_note(domain.name_span, note));
    }
}
