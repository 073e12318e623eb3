//! Warnings: what a task says that was probably not meant.
//!
//! | code | what |
//! |---|---|
//! | `unused-parameter` | an action does not use one of its parameters |
//! | `unused-variable` | a quantifier's variable is not used |
//! | `hidden-variable` | a quantifier's variable has the name of another one that is visible |
//! | `unused-type`, `unused-predicate`, `unused-function`, `unused-constant` | it is declared only |
//! | `never-true` | a condition needs a predicate that nothing makes true |
//! | `never-asked` | no condition and no goal depends on a predicate |
//! | `missing-requirement` | the domain uses something that `:requirements` does not declare |
//! | `ignored-costs` | actions increase `total-cost`, but the problem has no metric |
//! | `never-applied` | an action is never applicable |
//! | `unreachable-goal` | a goal is never true |
//!
//! The last two come from relaxed reachability, which is not part of this crate: see [`Linter::warn`].

use crate::diagnostics::{Diagnostic, Finding, Findings, Places, quote};
use crate::source::{File, Source, Span};
use crate::symbols::{Declaration, Role, Symbol, SymbolKind, Symbols};

/// Requirements that contain others.
const CONTAINED: [(&str, &[&str]); 4] = [
    (
        ":adl",
        &[
            ":strips",
            ":typing",
            ":negative-preconditions",
            ":disjunctive-preconditions",
            ":equality",
            ":existential-preconditions",
            ":universal-preconditions",
            ":conditional-effects",
        ],
    ),
    (":quantified-preconditions", &[":existential-preconditions", ":universal-preconditions"]),
    (":fluents", &[":action-costs"]),
    (":numeric-fluents", &[":action-costs"]),
];

/// A task to look at. The problem may be missing; then nothing is said that depends on it.
#[derive(Debug)]
pub struct Linter<'a> {
    domain: &'a Source,
    problem: Option<&'a Source>,
    symbols: Symbols,
    findings: Findings,
}

impl<'a> Linter<'a> {
    /// Looks at a task that can be read.
    pub fn new(domain: &'a Source, problem: Option<&'a Source>) -> Self {
        let symbols = Symbols::of(domain, problem);
        let mut linter = Self { domain, problem, symbols, findings: Findings::default() };
        for finding in linter.find() {
            linter.findings.add(finding);
        }
        linter
    }

    /// The names of the task.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Adds a warning from elsewhere.
    pub fn warn(&mut self, code: &'static str, span: Span, message: &str, reasons: &[String]) {
        let finding = Finding::warning(code, span, message);
        let finding = match reasons {
            [] => finding,
            reasons => finding.with_help(reasons.join("; ")),
        };
        self.findings.add(finding);
    }

    /// The warnings, in the order of their places.
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        let nothing = Source::new("", "");
        let places = Places::new(self.domain, self.problem.unwrap_or(&nothing));
        self.findings.in_order().map(|finding| finding.diagnostic(&places)).collect()
    }

    fn find(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        let symbols = self.symbols.list.iter();
        found.extend(symbols.filter_map(|symbol| self.unused(symbol)));
        found.extend(self.symbols.list.iter().filter_map(hiding));
        if self.problem.is_some() {
            found.extend(self.symbols.list.iter().filter_map(one_sided));
            found.extend(self.ignored_costs());
        }
        found.extend(self.requirements());
        found
    }

    fn unused(&self, symbol: &Symbol) -> Option<Finding> {
        let declared = *symbol.declared.first()?;
        if !symbol.uses.is_empty() {
            return None;
        }
        let (code, what, needs_problem) = match (symbol.kind, symbol.variable) {
            (_, Some(Declaration::Parameter)) => ("unused-parameter", "parameter", false),
            (_, Some(Declaration::Quantifier)) => ("unused-variable", "variable", false),
            (SymbolKind::Predicate, _) => ("unused-predicate", "predicate", false),
            (SymbolKind::Type, _) => ("unused-type", "type", true),
            (SymbolKind::Function, _) if symbol.name != "total-cost" => {
                ("unused-function", "function", true)
            }
            (SymbolKind::Object, _) if declared.file == File::Domain => {
                ("unused-constant", "constant", true)
            }
            _ => return None,
        };
        let message = format!("the {what} {} is not used", quote(&symbol.name));
        let is_sure = self.problem.is_some() || !needs_problem;
        is_sure.then(|| Finding::warning(code, declared, message))
    }

    fn ignored_costs(&self) -> Option<Finding> {
        let is_cost = |(name, _): &&(&str, Span)| *name == ":action-costs";
        let (_, span) = self.symbols.requirements.iter().find(is_cost)?;
        let message =
            "this cost is ignored, because the problem has no metric: every action costs 1";
        let help = "add '(:metric minimize (total-cost))' to the problem";
        let finding = Finding::warning("ignored-costs", *span, message).with_help(help);
        self.symbols.metric.is_none().then_some(finding)
    }

    fn requirements(&self) -> Vec<Finding> {
        let Some((declared, section)) = &self.symbols.declared else { return Vec::new() };
        let contains = |declared: &String, wanted: &str| {
            declared == wanted
                || CONTAINED.iter().any(|(name, all)| declared == name && all.contains(&wanted))
        };
        let missing = self.symbols.requirements.iter().filter(|(wanted, span)| {
            span.file == File::Domain && !declared.iter().any(|it| contains(it, wanted))
        });
        missing
            .map(|(wanted, span)| {
                let message = format!("this needs the requirement {}", quote(wanted));
                Finding::warning("missing-requirement", *span, message)
                    .with_note(*section, "it is not declared here")
            })
            .collect()
    }
}

/// A variable that hides another one.
fn hiding(symbol: &Symbol) -> Option<Finding> {
    let message = format!("the variable {} hides another one", quote(&symbol.name));
    let declared = *symbol.declared.first()?;
    symbol.hides.then(|| Finding::warning("hidden-variable", declared, message))
}

/// Predicates that are only asked for, or never.
fn one_sided(symbol: &Symbol) -> Option<Finding> {
    let declared = *symbol.declared.first()?;
    if symbol.kind != SymbolKind::Predicate || symbol.uses.is_empty() {
        return None;
    }
    let has = |roles: &[Role]| symbol.uses.iter().find(|it| roles.contains(&it.role));
    let asked = has(&[Role::Condition, Role::NegatedCondition]);
    let Some(asked) = asked else {
        let message = format!("no condition and no goal depends on {}", quote(&symbol.name));
        return Some(Finding::warning("never-asked", declared, message));
    };
    if has(&[Role::Added, Role::Initial]).is_some() {
        return None;
    }
    let message = format!(
        "{} is never true: it is not in ':init', and no action adds it",
        quote(&symbol.name)
    );
    let finding = Finding::warning("never-true", asked.span, message);
    Some(finding.with_note(declared, "declared here"))
}
