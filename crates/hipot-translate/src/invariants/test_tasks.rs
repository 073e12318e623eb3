//! Small tasks for tests, written tersely.
//!
//! A literal is a line of words: `!` if it is negated, the predicate, and the
//! terms, where a number is a variable and a letter an object: `! at 0 b`.

use hipot_pddl::ast::{GroundAtom, ObjectId, PredicateId, Term, VariableId};

use crate::normal::{Literal, NormalTask, Predicate, Range, Schema, SchemaEffect};

/// A task with these predicates and this many objects, and nothing else.
pub(crate) fn task(predicates: &[(&str, usize)], objects: usize) -> NormalTask {
    let predicate = |&(name, arity): &(&str, usize)| Predicate {
        name: name.to_owned(),
        arity,
        is_derived: false,
    };
    NormalTask {
        first_auxiliary: usize::MAX,
        functions: Vec::new(),
        values: Vec::new(),
        uses_costs: false,
        predicates: [("=", 2)].iter().chain(predicates).map(predicate).collect(),
        objects,
        schemas: Vec::new(),
        axioms: Vec::new(),
        initial: Vec::new(),
        goal: Some(Vec::new()),
    }
}

impl NormalTask {
    /// Adds a schema; its parameters and, with [`forall`](Self::forall), those
    /// of effects range over all objects.
    pub(crate) fn schema(
        mut self,
        parameters: usize,
        precondition: &[&str],
        effects: &[&str],
    ) -> Self {
        let simple = |effect: &&str| SchemaEffect {
            parameters: Vec::new(),
            condition: Vec::new(),
            literal: self.literal(effect),
        };
        let schema = Schema {
            name: "schema".to_owned(),
            parameters: vec![self.range(self.objects); parameters],
            shown: parameters,
            precondition: precondition.iter().map(|text| self.literal(text)).collect(),
            effects: effects.iter().map(simple).collect(),
            cost: Vec::new(),
        };
        self.schemas.push(schema);
        self
    }

    /// Adds an effect to the last schema, with own parameters that range over
    /// the first `objects` objects.
    pub(crate) fn forall(
        mut self,
        own: usize,
        objects: usize,
        condition: &[&str],
        effect: &str,
    ) -> Self {
        let effect = SchemaEffect {
            parameters: vec![self.range(objects); own],
            condition: condition.iter().map(|text| self.literal(text)).collect(),
            literal: self.literal(effect),
        };
        self.schemas.last_mut().expect("a schema").effects.push(effect);
        self
    }

    /// Sets the initial state.
    pub(crate) fn initially(mut self, atoms: &[&str]) -> Self {
        let ground = |text: &&str| {
            let literal = self.literal(text);
            let object = |&term: &Term| match term {
                Term::Object(object) => object,
                Term::Variable(_) => panic!("a variable in the initial state"),
            };
            GroundAtom {
                predicate: literal.predicate,
                objects: literal.terms.iter().map(object).collect(),
            }
        };
        self.initial = atoms.iter().map(ground).collect();
        self
    }

    /// Reads a literal.
    pub(crate) fn literal(&self, text: &str) -> Literal {
        let negated = text.starts_with('!');
        let mut words = text.trim_start_matches('!').split_whitespace();
        let name = words.next().expect("a predicate");
        let index = self.predicates.iter().position(|predicate| predicate.name == name);
        let term = |word: &str| match word.parse() {
            Ok(variable) => Term::Variable(VariableId::new(variable)),
            Err(_) => Term::Object(ObjectId::new(usize::from(word.as_bytes()[0] - b'a'))),
        };
        Literal {
            negated,
            predicate: PredicateId::new(index.expect("a known predicate")),
            terms: words.map(term).collect(),
        }
    }

    fn range(&self, objects: usize) -> Range {
        assert!(objects <= self.objects);
        Range((0..objects).map(ObjectId::new).collect())
    }
}

/// Gripper: balls in rooms, a robot with grippers; objects are two balls, two
/// rooms and a gripper.
pub(crate) fn gripper() -> NormalTask {
    task(&[("at-robby", 1), ("at", 2), ("free", 1), ("carry", 2)], 5)
        .schema(2, &["at-robby 0"], &["at-robby 1", "! at-robby 0"])
        .schema(3, &["at 0 1", "at-robby 1", "free 2"], &["carry 0 2", "! at 0 1", "! free 2"])
        .schema(3, &["carry 0 2", "at-robby 1"], &["at 0 1", "free 2", "! carry 0 2"])
        .initially(&["at-robby c", "at a c", "at b c", "free e"])
}

/// Blocks world with two blocks and four operators.
pub(crate) fn blocks() -> NormalTask {
    task(&[("on", 2), ("ontable", 1), ("clear", 1), ("handempty", 0), ("holding", 1)], 2)
        .schema(
            1,
            &["clear 0", "ontable 0", "handempty"],
            &["! ontable 0", "! clear 0", "! handempty", "holding 0"],
        )
        .schema(1, &["holding 0"], &["! holding 0", "clear 0", "handempty", "ontable 0"])
        .schema(
            2,
            &["holding 0", "clear 1"],
            &["! holding 0", "! clear 1", "clear 0", "handempty", "on 0 1"],
        )
        .schema(
            2,
            &["on 0 1", "clear 0", "handempty"],
            &["holding 0", "clear 1", "! clear 0", "! handempty", "! on 0 1"],
        )
        .initially(&["ontable a", "on b a", "clear b", "handempty"])
}
