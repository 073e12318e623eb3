//! Random conditions and effects.

use super::feature::Feature;
use super::vocabulary::{Named, Symbol, Types, Vocabulary, declared, fits};
use hipot_task::Rng;

/// Writes formulas over the visible variables.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) rng: &'a mut Rng,
    /// The visible variables, the inner ones last.
    pub(super) scope: Vec<Named>,
    /// The predicates to use in conditions.
    pub(super) predicates: Vec<Symbol>,
}

impl Writer<'_> {
    /// A condition of at most this depth.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        let kind = self.rng.below(if depth > 0 { 12 } else { 6 });
        match kind {
            4 if self.has(Feature::Negations) => format!("(not {})", self.literal_atom()),
            5 if self.has(Feature::Equality) => self.equality(),
            6 if self.has(Feature::Negations) => format!("(not {})", self.condition(depth - 1)),
            7 => self.nested("and", depth),
            8 if self.has(Feature::Disjunctions) => self.nested("or", depth),
            9 if self.has(Feature::Implications) => self.nested("imply", depth),
            10 if self.has(Feature::Quantifiers) => self.quantified("exists", depth),
            11 if self.has(Feature::Quantifiers) => self.quantified("forall", depth),
            _ => self.literal_atom(),
        }
    }

    fn has(&self, feature: Feature) -> bool {
        self.vocabulary.has(feature)
    }

    fn nested(&mut self, word: &str, depth: u32) -> String {
        let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
        format!("({word} {one} {other})")
    }

    fn quantified(&mut self, word: &str, depth: u32) -> String {
        let (variables, part) = self.with_variable(|writer| writer.condition(depth - 1));
        format!("({word} ({variables}) {part})")
    }

    /// The declaration of a further variable, which may hide another one, and what `write`
    /// writes with it.
    fn with_variable(&mut self, write: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let types = self.vocabulary.variable_types(self.rng);
        let outer_names: Vec<String> = self.scope.iter().map(|outer| outer.name.clone()).collect();
        let hidden = outer_names.into_iter().find(|name| name.starts_with('?'));
        let fresh = format!("?v{}", self.scope.len());
        let name = hidden.filter(|_| self.rng.chance(15)).unwrap_or(fresh);
        let outer = self.scope.clone();
        self.scope.retain(|variable| variable.name != name);
        self.scope.push(Named { name, types });
        let declaration = declared(&self.scope[self.scope.len() - 1..]).trim_start().to_owned();
        let text = write(self);
        self.scope = outer;
        (declaration, text)
    }

    fn equality(&mut self) -> String {
        let terms = self.terms(&Types::new());
        if terms.is_empty() {
            return self.literal_atom();
        }
        let (one, other) = (self.pick(&terms), self.pick(&terms));
        let negate = self.has(Feature::Negations) && self.rng.chance(60);
        if negate { format!("(not (= {one} {other}))") } else { format!("(= {one} {other})") }
    }

    /// An atom for a condition.
    fn literal_atom(&mut self) -> String {
        let predicates = self.predicates.clone();
        self.atom(&predicates)
    }

    /// An atom that actions change.
    pub(super) fn fluent(&mut self) -> String {
        self.atom(&self.vocabulary.fluents)
    }

    /// An atom of one of the predicates for which there are terms, or `(f0)`.
    fn atom(&mut self, predicates: &[Symbol]) -> String {
        for _ in 0..6 {
            let symbol = &predicates[self.rng.below(predicates.len() as u32) as usize];
            if let Some(text) = self.instance(symbol) {
                return text;
            }
        }
        "(f0)".to_owned()
    }

    /// The predicate or function with terms, if any fit.
    pub(super) fn instance(&mut self, symbol: &Symbol) -> Option<String> {
        let mut text = format!("({}", symbol.name);
        for types in &symbol.parameters {
            let terms = self.terms(types);
            if terms.is_empty() {
                return None;
            }
            text = format!("{text} {}", self.pick(&terms));
        }
        Some(text + ")")
    }

    /// The visible variables that fit the types, and sometimes the constants.
    fn terms(&mut self, types: &Types) -> Vec<String> {
        let names = |all: &[Named]| {
            let fitting = all.iter().filter(|named| fits(&named.types, types));
            fitting.map(|named| named.name.clone()).collect::<Vec<_>>()
        };
        let mut terms = names(&self.scope);
        if terms.is_empty() || self.rng.chance(25) {
            terms.extend(names(&self.vocabulary.constants));
        }
        terms
    }

    fn pick(&mut self, terms: &[String]) -> String {
        terms[self.rng.below(terms.len() as u32) as usize].clone()
    }

    /// An effect of at most this depth.
    pub(super) fn effect(&mut self, depth: u32) -> String {
        let kind = self.rng.below(if depth > 0 { 9 } else { 6 });
        match kind {
            6 if self.has(Feature::ConditionalEffects) => {
                let (condition, part) = (self.condition(1), self.effect(depth - 1));
                format!("(when {condition} {part})")
            }
            7 if self.has(Feature::UniversalEffects) => {
                let (variables, part) = self.with_variable(|writer| writer.effect(depth - 1));
                format!("(forall ({variables}) {part})")
            }
            8 => format!("(and {} {})", self.effect(depth - 1), self.effect(depth - 1)),
            _ => {
                let atom = self.fluent();
                if kind.is_multiple_of(2) { atom } else { format!("(not {atom})") }
            }
        }
    }
}
