//! Orbits of facts, operators and pairs of facts; and values that can be chosen
//! for all variables without breaking a symmetry.

use super::Symmetries;
use super::graph::Graph;
use super::union_find::UnionFind;
use super::verify::OperatorTable;
use hipot_task::{Fact, FactId, Limits, OperatorId, Stop, Task, Value};

impl Symmetries {
    /// The orbit of each fact; orbits are numbered by their first facts.
    pub fn orbits_of_facts(&self) -> Vec<u32> {
        let mut orbits = UnionFind::new(self.facts().len());
        for generator in self.generators() {
            for &(from, to) in generator.moved() {
                orbits.unite(from, to);
            }
        }
        orbits.into_classes()
    }

    /// For each operator the first one of its orbit. Operators that differ in
    /// nothing but their names count as one.
    ///
    /// `task` must be the task that the symmetries are of.
    pub fn orbits_of_operators(&self, task: &Task) -> Vec<OperatorId> {
        let graph = Graph::new(task, &[]);
        let table = OperatorTable::new(&graph);
        let first = graph.first_operator() as u32;
        let mut orbits = UnionFind::new(task.operators().len());
        for operator in first..graph.vertices() as u32 {
            orbits.unite(operator - first, table.first_equal(&graph, operator) - first);
        }
        for generator in self.generators() {
            let images = generator.images(self.facts().len());
            for operator in generator.support().flat_map(|fact| graph.operators_of(fact)) {
                let image = table.image(&graph, operator, &images);
                let image = image.expect("a symmetry of the task maps operators to operators");
                orbits.unite(operator - first, image - first);
            }
        }
        let operators = 0..task.operators().len() as u32;
        operators.map(|operator| OperatorId::new(orbits.find(operator) as usize)).collect()
    }

    /// For each variable V a value r(V) such that each symmetry maps the set
    /// of all these facts ⟨V, r(V)⟩ onto itself; `None` if V has no such value.
    ///
    /// Such a set is a union of orbits of facts that have exactly one fact of each
    /// variable in an orbit of variables. Among these orbits, the one with the
    /// highest sum of scores is taken; the first one wins a tie.
    pub fn invariant_values(&self, score: impl Fn(Fact) -> u64) -> Vec<Option<Value>> {
        let numbering = self.facts();
        let orbit_of = self.orbits_of_facts();
        let orbits = orbit_of.iter().max().map_or(0, |&last| last as usize + 1);
        // Of each orbit: its score, and whether a variable has two facts in it.
        let (mut scores, mut doubled) = (vec![0_u64; orbits], vec![false; orbits]);
        let mut last_variable = vec![None; orbits];
        for (fact, &orbit) in (0..).zip(&orbit_of) {
            let (orbit, variable) = (orbit as usize, numbering.variable(FactId::new(fact)));
            scores[orbit] = scores[orbit].saturating_add(score(numbering.fact(FactId::new(fact))));
            doubled[orbit] |= last_variable[orbit].replace(variable) == Some(variable);
        }
        // All variables of an orbit have facts in the same orbits, and the
        // lowest number wins a tie: they choose alike.
        let best = |variable| {
            let orbit = |&fact: &u32| orbit_of[fact as usize] as usize;
            let single = numbering.numbers(variable).filter(|fact| !doubled[orbit(fact)]);
            single.max_by_key(|fact| (scores[orbit(fact)], std::cmp::Reverse(orbit(fact))))
        };
        let variables = (0..numbering.variable_count()).map(hipot_task::VariableId::new);
        variables
            .map(|variable| best(variable).map(|fact| numbering.fact(FactId::new(fact)).value))
            .collect()
    }
}

/// The orbits of single facts and of pairs of facts of different variables.
///
/// Pairs are unordered. They are kept in a triangle of 4 bytes per pair, which
/// takes half the memory of a square. The table first holds the parents of the
/// union–find structure and then, renumbered in place, the result.
/// A generator that moves m of n facts takes m · n steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairOrbits {
    facts: usize,
    classes: Vec<u32>,
    representatives: Vec<(u32, u32)>,
}

impl PairOrbits {
    /// The orbits under the generated group, if time and memory suffice.
    pub fn new(symmetries: &Symmetries, limits: &Limits) -> Result<Self, Stop> {
        let facts = symmetries.facts().len();
        let pairs = facts * (facts + 1) / 2;
        if u32::try_from(pairs).is_err() {
            return Err(Stop::MemoryLimit);
        }
        limits.reserve(4 * pairs as u64)?;
        let mut orbits = UnionFind::new(pairs);
        for generator in symmetries.generators() {
            let images = generator.images(facts);
            for &(fact, image) in generator.moved() {
                limits.check()?;
                for other in 0..facts as u32 {
                    // A pair of two facts that move comes twice.
                    let other_image = images[other as usize];
                    if other_image == other || other <= fact {
                        orbits.unite(pair(fact, other), pair(image, other_image));
                    }
                }
            }
        }
        Ok(Self::number(symmetries, orbits.into_classes()))
    }

    /// Gives the classes of meaningful pairs numbers without gaps.
    fn number(symmetries: &Symmetries, mut classes: Vec<u32>) -> Self {
        let numbering = symmetries.facts();
        let mut representatives = Vec::new();
        // Classes are numbered by first occurrence, so the pairs of one
        // variable can be left out while the numbers are moved down.
        let (mut renumbered, mut place) = (Vec::new(), 0);
        for second in 0..numbering.len() as u32 {
            let own = numbering.numbers(numbering.variable(FactId::new(second))).start;
            for first in 0..=second {
                let class = classes[place] as usize;
                let counts = first < own || first == second;
                if class == renumbered.len() {
                    renumbered.push(if counts { representatives.len() as u32 } else { u32::MAX });
                    representatives.extend(counts.then_some((first, second)));
                }
                classes[place] = renumbered[class];
                place += 1;
            }
        }
        Self { facts: numbering.len(), classes, representatives }
    }

    /// The class of a pair of facts, in any order, or of a single fact, given
    /// twice; `None` for two facts of one variable.
    pub fn class(&self, first: u32, second: u32) -> Option<u32> {
        let class = self.classes[pair(first, second) as usize];
        (class != u32::MAX).then_some(class)
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there are no classes, because there are no facts.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// The number of facts.
    pub fn facts(&self) -> usize {
        self.facts
    }

    /// The first pair of each class, the smaller fact first; a single fact is
    /// given twice.
    pub fn representatives(&self) -> &[(u32, u32)] {
        &self.representatives
    }
}

/// The place of an unordered pair in the triangle.
fn pair(one: u32, other: u32) -> u32 {
    let (low, high) = (one.min(other), one.max(other));
    // Half of a product of neighbors below 2³³, see `PairOrbits::new`.
    (u64::from(high) * (u64::from(high) + 1) / 2) as u32 + low
}
