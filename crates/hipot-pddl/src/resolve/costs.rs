//! The costs of actions: `(increase (total-cost) …)`, or another function that is the metric.

use crate::ast::{Cost, MAX_COST};
use crate::diagnostics::{Finding, Findings, quote};
use crate::tree::Node;

use super::numbers::{scaled, too_large};
use super::signatures::TOTAL_COST;
use super::terms::Formulas;

impl<'a> Formulas<'_, 'a> {
    /// Reads an increase of the total cost; `inside` is the `when` or `forall`
    /// around it, if any.
    pub(super) fn increase(&mut self, node: Node<'a>, inside: Option<&str>) {
        let Some([target, amount]) = self.operands(node) else { return };
        if let Some(inside) = inside {
            let what = format!("a cost inside {} is", quote(inside));
            self.findings.add(Finding::unsupported(node.head_span(), what));
            return;
        }
        let accumulator = self.vocabulary.functions.accumulator;
        let name = target.head().or(target.word());
        if name == Some(TOTAL_COST) && accumulator != TOTAL_COST {
            // Another function is the metric.
            return;
        }
        if name != Some(accumulator) {
            let finding = self.not_total_cost(target);
            self.findings.add(finding);
            return;
        }
        if self.vocabulary.functions.total_cost.is_none() {
            undeclared_total_cost(target, self.findings);
        }
        self.amount(amount);
        let numbers = self.cost.iter().map(|cost| match cost {
            Cost::Number(number) => *number,
            Cost::Value(..) => 0,
        });
        if numbers.fold(0, u64::saturating_add) > MAX_COST {
            self.findings.add(too_large(amount.span(), self.vocabulary.functions.decimals));
        }
    }

    fn not_total_cost(&self, target: Node<'a>) -> Finding {
        let functions = &self.vocabulary.functions;
        match target.head() {
            Some(name) if functions.names.get(name).is_some() => Finding::unsupported(
                target.head_span(),
                "numeric effects other than 'increase' of 'total-cost' are",
            ),
            Some(name) => Finding::wrong(
                target.head_span(),
                format!("expected '(total-cost)', found {}", quote(name)),
            ),
            None => {
                let message = format!("expected '(total-cost)', found {}", target.found());
                Finding::wrong(target.span(), message)
            }
        }
    }

    /// Reads a number, the value of a function, or a sum of these.
    fn amount(&mut self, node: Node<'a>) {
        let vocabulary = self.vocabulary;
        if let Some(word) = node.word() {
            match scaled(word, vocabulary.functions.decimals, node.span()) {
                Ok(number) => self.cost.push(Cost::Number(number)),
                Err(finding) => self.findings.add(*finding),
            }
            return;
        }
        let functions = &vocabulary.functions;
        match node.head() {
            Some("+") => node.parts().skip(1).for_each(|part| self.amount(part)),
            Some("-" | "*" | "/") => {
                let what = "arithmetic in costs other than '+' is";
                self.findings.add(Finding::unsupported(node.head_span(), what));
            }
            Some(name) if name == functions.accumulator => {
                let what = format!("a cost that depends on {} is", quote(name));
                self.findings.add(Finding::unsupported(node.head_span(), what));
            }
            Some(name) => match functions.names.get(name) {
                Some((id, _)) => {
                    let terms = self.terms(node, functions.signature(id), Self::term);
                    self.cost.extend(terms.map(|terms| Cost::Value(id, terms)));
                }
                None => self.unknown_function(name, node),
            },
            None => {
                let message = format!("expected a cost, found {}", node.found());
                self.findings.add(Finding::wrong(node.mark_span(), message));
            }
        }
    }

    /// Reports an unknown function, once for each name.
    pub(super) fn unknown_function(&mut self, name: &str, node: Node<'a>) {
        if self.findings.is_new("function", name) {
            let finding = self.unknown_function_finding(name, node);
            self.findings.add(finding);
        }
    }

    fn unknown_function_finding(&self, name: &str, node: Node<'a>) -> Finding {
        let message = format!("unknown function {}", quote(name));
        let finding = Finding::wrong(node.head_span(), message);
        if let Some((_, declared)) = self.vocabulary.predicates.names.get(name) {
            return finding.with_declaration(declared, "there is a predicate with this name");
        }
        let suggestion = self.vocabulary.functions.names.nearest(name, self.findings);
        finding.with_suggestion_or(suggestion, "it is not declared in ':functions'")
    }
}

/// Reports, once, that `total-cost` must be declared.
pub(super) fn undeclared_total_cost(node: Node<'_>, findings: &mut Findings) {
    if findings.is_new("function", TOTAL_COST) {
        let finding = Finding::wrong(node.span(), "the function 'total-cost' is not declared");
        let help = "write '(:functions (total-cost) - number)' in the domain";
        findings.add(finding.with_help(help));
    }
}
