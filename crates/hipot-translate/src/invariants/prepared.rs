//! Schemas prepared for the checks: the effects have distinct variables, and all
//! terms are consecutive numbers.

use std::ops;

use hipot_pddl::ast::{ObjectId, PredicateId, Term};
use rustc_hash::FxHashMap;

use crate::normal::{self, Range, Schema, SchemaEffect};

/// A term of a [`PreparedSchema`]. Variables have the first numbers, followed by
/// the objects that occur in the schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Symbol(u32);

impl Symbol {
    pub(super) const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A predicate and symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Atom {
    pub(super) predicate: PredicateId,
    pub(super) terms: Box<[Symbol]>,
}

/// An atom or its negation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    pub(super) negated: bool,
    pub(super) atom: Atom,
}

/// An effect.
#[derive(Debug)]
pub(super) struct Effect {
    pub(super) condition: Vec<Literal>,
    pub(super) literal: Literal,
    /// The effect's own variables, which occur in no other effect.
    pub(super) own: ops::Range<usize>,
    /// A copy of the effect with other own variables, if it is universal and
    /// adds: two instances of it can happen together.
    pub(super) twin: Option<Box<Effect>>,
}

/// A schema, prepared.
#[derive(Debug)]
pub(super) struct PreparedSchema {
    /// The precondition, sorted by predicates.
    pub(super) precondition: Vec<Literal>,
    pub(super) effects: Vec<Effect>,
    /// The range of each variable.
    ranges: Vec<Range>,
    /// The objects that occur, in the order of their symbols.
    objects: Vec<ObjectId>,
}

impl PreparedSchema {
    /// Prepares a schema. The parameters in each pair of `unequal` are never the
    /// same object.
    pub(super) fn new(schema: &Schema, unequal: &[(usize, usize)]) -> Self {
        let mut builder = Builder::new(schema);
        let mut precondition = builder.literals(&schema.precondition, 0);
        precondition.extend(unequal.iter().map(|&(p, q)| Literal {
            negated: true,
            atom: Atom {
                predicate: PredicateId::EQUALITY,
                terms: Box::new([Symbol::new(p), Symbol::new(q)]),
            },
        }));
        precondition.sort_by_key(|literal| literal.atom.predicate);
        let effects = schema.effects.iter().map(|effect| builder.effect(effect)).collect();
        Self { precondition, effects, ranges: builder.ranges, objects: builder.objects }
    }

    /// The number of variables, which are the first symbols.
    pub(super) fn variables(&self) -> usize {
        self.ranges.len()
    }

    /// The number of symbols.
    pub(super) fn symbols(&self) -> usize {
        self.ranges.len() + self.objects.len()
    }

    /// The literals of the precondition that have this predicate.
    pub(super) fn precondition_on(&self, predicate: PredicateId) -> &[Literal] {
        let literals = &self.precondition;
        let begin = literals.partition_point(|literal| literal.atom.predicate < predicate);
        let count =
            literals[begin..].partition_point(|literal| literal.atom.predicate == predicate);
        &literals[begin..begin + count]
    }

    /// Whether every value of `symbol` is also a value of `variable`.
    pub(super) fn ranges_over(&self, variable: Symbol, symbol: Symbol) -> bool {
        let Range(values) = &self.ranges[variable.index()];
        match self.ranges.get(symbol.index()) {
            Some(Range(other)) => {
                std::sync::Arc::ptr_eq(values, other)
                    || other.iter().all(|object| values.binary_search(object).is_ok())
            }
            None => {
                let object = self.objects[symbol.index() - self.ranges.len()];
                values.binary_search(&object).is_ok()
            }
        }
    }
}

struct Builder {
    /// The number of parameters of the schema, which are the first variables.
    parameters: usize,
    /// The number of variables there will be.
    variables: usize,
    ranges: Vec<Range>,
    objects: Vec<ObjectId>,
    known: FxHashMap<ObjectId, Symbol>,
}

impl Builder {
    fn new(schema: &Schema) -> Self {
        let own = schema.effects.iter().map(|effect| {
            let copies = if effect.literal.negated { 1 } else { 2 };
            copies * effect.parameters.len()
        });
        let parameters = schema.parameters.len();
        Self {
            parameters,
            variables: parameters + own.sum::<usize>(),
            ranges: schema.parameters.clone(),
            objects: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    fn effect(&mut self, effect: &SchemaEffect) -> Effect {
        let mut built = self.copy(effect);
        if !effect.literal.negated && !effect.parameters.is_empty() {
            built.twin = Some(Box::new(self.copy(effect)));
        }
        built
    }

    /// The effect, with fresh own variables.
    fn copy(&mut self, effect: &SchemaEffect) -> Effect {
        let begin = self.ranges.len();
        self.ranges.extend_from_slice(&effect.parameters);
        let shift = begin - self.parameters;
        Effect {
            condition: self.literals(&effect.condition, shift),
            literal: self.literal(&effect.literal, shift),
            own: begin..self.ranges.len(),
            twin: None,
        }
    }

    fn literals(&mut self, literals: &[normal::Literal], shift: usize) -> Vec<Literal> {
        literals.iter().map(|literal| self.literal(literal, shift)).collect()
    }

    fn literal(&mut self, literal: &normal::Literal, shift: usize) -> Literal {
        let terms = literal.terms.iter().map(|&term| self.symbol(term, shift)).collect();
        Literal { negated: literal.negated, atom: Atom { predicate: literal.predicate, terms } }
    }

    fn symbol(&mut self, term: Term, shift: usize) -> Symbol {
        match term {
            Term::Variable(variable) if variable.index() < self.parameters => {
                Symbol::new(variable.index())
            }
            Term::Variable(variable) => Symbol::new(variable.index() + shift),
            Term::Object(object) => *self.known.entry(object).or_insert_with(|| {
                self.objects.push(object);
                Symbol::new(self.variables + self.objects.len() - 1)
            }),
        }
    }
}
