//! The vocabulary of a random domain: types, predicates, functions and objects.

use std::fmt::Write;

use super::feature::Feature;
use hipot_task::Rng;

/// The types: a hierarchy of two levels, and one beside it. Each name with the
/// position of its parent.
const TYPES: [(&str, Option<usize>); 4] =
    [("t0", None), ("t1", Some(0)), ("t2", Some(0)), ("t3", None)];

/// Alternative types; the empty list means `object`.
pub(super) type Types = Vec<usize>;

/// A predicate or a function.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) parameters: Vec<Types>,
}

/// A variable or an object.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) types: Types,
}

/// The names of a domain, and the objects of its problem.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    features: Vec<Feature>,
    pub(super) constants: Vec<Named>,
    pub(super) objects: Vec<Named>,
    /// Predicates that actions change.
    pub(super) fluents: Vec<Symbol>,
    /// Predicates that actions do not change.
    pub(super) statics: Vec<Symbol>,
    /// Derived predicates, those of lower strata first.
    pub(super) derived: Vec<Symbol>,
    pub(super) functions: Vec<Symbol>,
}

impl Vocabulary {
    pub(super) fn random(features: &[Feature], rng: &mut Rng) -> Self {
        let mut vocabulary = Self {
            features: features.to_vec(),
            constants: Vec::new(),
            objects: Vec::new(),
            fluents: vec![Symbol { name: "f0".to_owned(), parameters: Vec::new() }],
            statics: Vec::new(),
            derived: Vec::new(),
            functions: Vec::new(),
        };
        for number in 0..2 + rng.below(2) {
            let types = vocabulary.object_types(rng);
            vocabulary.objects.push(Named { name: format!("o{number}"), types });
        }
        if vocabulary.has(Feature::Constants) {
            let types = vocabulary.object_types(rng);
            vocabulary.constants.push(Named { name: "c0".to_owned(), types });
        }
        vocabulary.add_predicates(rng);
        vocabulary
    }

    fn add_predicates(&mut self, rng: &mut Rng) {
        let unary = self.symbol("f1", 1, rng);
        let other = self.symbol("f2", 1 + rng.below(2), rng);
        self.fluents.extend([unary, other]);
        let binary = self.symbol("s0", 2, rng);
        self.statics.push(binary);
        if self.has(Feature::DerivedPredicates) {
            for number in 0..2 + rng.below(2) {
                let symbol = self.symbol(&format!("d{number}"), rng.below(3), rng);
                self.derived.push(symbol);
            }
        }
        if self.has(Feature::Costs) {
            let flat = Symbol { name: "price".to_owned(), parameters: Vec::new() };
            let fee = Symbol { name: "fee".to_owned(), parameters: vec![Vec::new()] };
            self.functions.extend([flat, fee]);
        }
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    fn symbol(&self, name: &str, arity: u32, rng: &mut Rng) -> Symbol {
        let parameters = (0..arity).map(|_| self.parameter_types(rng)).collect();
        Symbol { name: name.to_owned(), parameters }
    }

    /// The types of a parameter: mostly wide ones, so that several objects fit.
    fn parameter_types(&self, rng: &mut Rng) -> Types {
        match rng.below(4) {
            0 if self.has(Feature::Types) => vec![0],
            1 if self.has(Feature::Either) && self.has(Feature::Types) => vec![1, 3],
            _ => Vec::new(),
        }
    }

    fn object_types(&self, rng: &mut Rng) -> Types {
        if !self.has(Feature::Types) {
            return Vec::new();
        }
        let first = rng.below(4) as usize;
        if self.has(Feature::Either) && first != 3 && rng.chance(15) {
            return vec![first, 3];
        }
        vec![first]
    }

    /// The types of a variable.
    pub(super) fn variable_types(&self, rng: &mut Rng) -> Types {
        if !self.has(Feature::Types) || rng.chance(25) {
            return Vec::new();
        }
        if self.has(Feature::Either) && rng.chance(25) {
            return vec![1 + rng.below(2) as usize, 3];
        }
        vec![rng.below(4) as usize]
    }

    /// All objects and constants that fit the types.
    pub(super) fn members(&self, types: &Types) -> Vec<String> {
        let all = self.constants.iter().chain(&self.objects);
        let fits = all.filter(|object| {
            types.is_empty() || object.types.iter().any(|of| fits_one(*of, types))
        });
        fits.map(|object| object.name.clone()).collect()
    }

    pub(super) fn declarations(&self) -> String {
        let mut text = String::new();
        if self.has(Feature::Types) {
            let of_type = |(name, parent): &(&str, Option<usize>)| {
                format!(" {name} - {}", parent.map_or("object", |parent| TYPES[parent].0))
            };
            let types: Vec<String> = TYPES.iter().map(of_type).collect();
            let _ = writeln!(text, "  (:types{})", types.concat());
        }
        if !self.constants.is_empty() {
            let _ = writeln!(text, "  (:constants{})", declared(&self.constants));
        }
        let predicates = self.fluents.iter().chain(&self.statics).chain(&self.derived);
        let predicates: Vec<String> = predicates.map(Symbol::declaration).collect();
        let _ = writeln!(text, "  (:predicates{})", predicates.concat());
        if !self.functions.is_empty() {
            let functions: Vec<String> = self.functions.iter().map(Symbol::declaration).collect();
            let _ = writeln!(text, "  (:functions (total-cost){} - number)", functions.concat());
        }
        text
    }
}

impl Symbol {
    pub(super) fn variables(&self) -> Vec<Named> {
        let variable = |(number, types): (usize, &Types)| Named {
            name: format!("?x{number}"),
            types: types.clone(),
        };
        self.parameters.iter().enumerate().map(variable).collect()
    }

    fn declaration(&self) -> String {
        format!(" ({}{})", self.name, declared(&self.variables()))
    }
}

/// A typed list, with a space before each name.
pub(super) fn declared(names: &[Named]) -> String {
    let declare = |named: &Named| {
        let types: Vec<&str> = named.types.iter().map(|of| TYPES[*of].0).collect();
        match types[..] {
            [] => format!(" {} - object", named.name),
            [of_type] => format!(" {} - {of_type}", named.name),
            _ => format!(" {} - (either {})", named.name, types.join(" ")),
        }
    };
    names.iter().map(declare).collect::<Vec<_>>().concat()
}

/// Whether everything of types `found` is of one of the types `wanted`.
pub(super) fn fits(found: &Types, wanted: &Types) -> bool {
    wanted.is_empty() || (!found.is_empty() && found.iter().all(|of| fits_one(*of, wanted)))
}

fn fits_one(found: usize, wanted: &Types) -> bool {
    wanted.contains(&found) || TYPES[found].1.is_some_and(|parent| fits_one(parent, wanted))
}
