//! Definitions, as slow as they are plain.

use std::collections::{BTreeMap, BTreeSet};

use hipot_analysis::symmetry::{PairOrbits, Permutation, Symmetries};
use hipot_task::{Fact, FactId, Limits, Task};

use crate::distinct;

/// Preconditions, effects that are not preconditions, cost.
type Content = (BTreeSet<u32>, BTreeSet<u32>, u32);

pub(crate) struct Checker<'t> {
    task: &'t Task,
    facts: Vec<Fact>,
    preserved: Vec<BTreeSet<u32>>,
    contents: Vec<Content>,
    multiset: BTreeMap<Content, usize>,
}

impl<'t> Checker<'t> {
    pub(crate) fn new(task: &'t Task, preserved: &[&[Fact]]) -> Self {
        let mut facts = Vec::new();
        for id in task.variable_ids() {
            facts.extend((0..task.variable(id).domain_size()).map(|value| Fact::new(id, value)));
        }
        let mut checker = Self {
            task,
            facts,
            preserved: Vec::new(),
            contents: Vec::new(),
            multiset: BTreeMap::new(),
        };
        let numbers = |set: &&[Fact]| set.iter().map(|&fact| checker.number(fact)).collect();
        checker.preserved = preserved.iter().map(numbers).collect();
        for operator in task.operators() {
            let pre: BTreeSet<u32> =
                operator.preconditions.iter().map(|&fact| checker.number(fact)).collect();
            let mut eff: BTreeSet<u32> =
                operator.effects.iter().map(|effect| checker.number(effect.fact)).collect();
            eff.retain(|fact| !pre.contains(fact));
            checker.contents.push((pre, eff, operator.cost));
        }
        for content in &checker.contents {
            *checker.multiset.entry(content.clone()).or_default() += 1;
        }
        checker
    }

    fn number(&self, fact: Fact) -> u32 {
        self.facts.iter().position(|&other| other == fact).unwrap() as u32
    }

    fn count(&self) -> u32 {
        self.facts.len() as u32
    }

    fn same_variable(&self, one: u32, other: u32) -> bool {
        self.facts[one as usize].variable == self.facts[other as usize].variable
    }

    fn image((pre, eff, cost): &Content, map: &dyn Fn(u32) -> u32) -> Content {
        let image = |set: &BTreeSet<u32>| set.iter().map(|&fact| map(fact)).collect();
        (image(pre), image(eff), *cost)
    }

    /// The definition of a symmetry.
    pub(crate) fn is_symmetry(&self, map: &dyn Fn(u32) -> u32) -> bool {
        let images: BTreeSet<u32> = (0..self.count()).map(map).collect();
        let variables_stay_together = (0..self.count()).all(|one| {
            (0..one).all(|other| {
                self.same_variable(one, other) == self.same_variable(map(one), map(other))
            })
        });
        let mut multiset = BTreeMap::new();
        for content in &self.contents {
            *multiset.entry(Self::image(content, map)).or_default() += 1;
        }
        images == (0..self.count()).collect()
            && variables_stay_together
            && self
                .preserved
                .iter()
                .all(|set| set.iter().map(|&f| map(f)).collect::<BTreeSet<_>>() == *set)
            && multiset == self.multiset
    }

    pub(crate) fn check_numbering(&self, symmetries: &Symmetries) {
        let numbering = symmetries.facts();
        assert_eq!(numbering.len(), self.facts.len());
        assert_eq!(numbering.variable_count(), self.task.variables().len());
        for (number, &fact) in (0..).zip(&self.facts) {
            assert_eq!(numbering.id(fact).number(), number);
            assert_eq!(numbering.fact(FactId::new(number)), fact);
            assert!(numbering.numbers(fact.variable).contains(&number));
        }
    }

    /// Orbits of facts and of operators.
    pub(crate) fn check_orbits(&self, symmetries: &Symmetries) {
        let facts: Vec<u32> = (0..self.count()).collect();
        let generators = symmetries.generators();
        let expected = closure(&facts, |&fact| generators.iter().map(|g| g.apply(fact)).collect());
        assert_eq!(symmetries.orbits_of_facts(), expected);

        let image = |content: &Content| {
            generators.iter().map(|g| Self::image(content, &|fact| g.apply(fact))).collect()
        };
        let expected = closure(&self.contents, image);
        let found = symmetries.orbits_of_operators(self.task);
        for (operator, first) in found.iter().enumerate() {
            assert_eq!(expected[operator], expected[first.index()]);
            assert_eq!(expected.iter().position(|&c| c == expected[operator]), Some(first.index()));
        }
    }

    pub(crate) fn check_pairs(&self, symmetries: &Symmetries) {
        let orbits = PairOrbits::new(symmetries, &Limits::none()).unwrap();
        for (first, second) in (0..self.count()).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let class = orbits.class(first, second);
            assert_eq!(orbits.class(second, first), class);
            assert_eq!(class.is_none(), self.same_variable(first, second));
        }
        let pairs = self.pairs();
        let expected = closure(&pairs, |&(first, second)| {
            let image = |g: &Permutation| ordered(g.apply(first), g.apply(second));
            symmetries.generators().iter().map(image).collect()
        });
        let class = |&(first, second): &(u32, u32)| orbits.class(first, second).unwrap();
        assert_eq!(pairs.iter().map(class).collect::<Vec<_>>(), expected);
        assert_eq!(orbits.len(), distinct(&expected));
        let representatives = (0..).zip(orbits.representatives());
        assert!(representatives.into_iter().all(|(number, pair)| class(pair) == number));
    }

    /// The chosen facts are preserved, none could be added, and none replaced
    /// by one of a higher score.
    pub(crate) fn check_invariant_values(
        &self,
        symmetries: &Symmetries,
        score: impl Fn(Fact) -> u64,
    ) {
        let orbits = symmetries.orbits_of_facts();
        let members = |fact: u32| {
            let orbit = orbits[fact as usize];
            (0..self.count()).filter(|&f| orbits[f as usize] == orbit).collect::<Vec<u32>>()
        };
        let possible = |fact: u32| {
            let orbit = members(fact);
            orbit.iter().all(|&a| orbit.iter().all(|&b| a == b || !self.same_variable(a, b)))
        };
        let total = |fact: u32| -> u64 {
            members(fact).iter().map(|&fact| score(self.facts[fact as usize])).sum()
        };
        let values = symmetries.invariant_values(&score);
        let mut chosen = BTreeSet::new();
        for id in self.task.variable_ids() {
            let domain = (0..self.count()).filter(|&f| self.facts[f as usize].variable == id);
            let best = domain.filter(|&fact| possible(fact)).map(total).max();
            let value = values[id.index()].map(|value| self.number(Fact::new(id, value)));
            assert_eq!(value.map(total), best);
            chosen.extend(value);
        }
        for generator in symmetries.generators() {
            let image: BTreeSet<u32> = chosen.iter().map(|&fact| generator.apply(fact)).collect();
            assert_eq!(image, chosen);
        }
    }

    /// The numbers of orbits of facts and of pairs under all symmetries,
    /// by trying all permutations of variables and values.
    pub(crate) fn true_orbits(&self) -> [usize; 2] {
        let mut images = vec![u32::MAX; self.facts.len()];
        let mut symmetries = Vec::new();
        self.enumerate(0, &mut images, &mut symmetries);
        let facts: Vec<u32> = (0..self.count()).collect();
        let of_facts =
            closure(&facts, |&fact| symmetries.iter().map(|s| s[fact as usize]).collect());
        let pairs = self.pairs();
        let of_pairs = closure(&pairs, |&(first, second)| {
            let image = |s: &Vec<u32>| ordered(s[first as usize], s[second as usize]);
            symmetries.iter().map(image).collect()
        });
        [distinct(&of_facts), distinct(&of_pairs)]
    }

    /// Single facts and pairs of facts of different variables.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let all =
            (0..self.count()).flat_map(|second| (0..=second).map(move |first| (first, second)));
        all.filter(|&(first, second)| first == second || !self.same_variable(first, second))
            .collect()
    }

    fn enumerate(&self, fact: u32, images: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        if fact == self.count() {
            if self.is_symmetry(&|fact| images[fact as usize]) {
                found.push(images.clone());
            }
            return;
        }
        for image in 0..self.count() {
            let fits = (0..fact).all(|other| {
                images[other as usize] != image
                    && self.same_variable(fact, other)
                        == self.same_variable(image, images[other as usize])
            });
            if fits && self.preserved.iter().all(|set| set.contains(&fact) == set.contains(&image))
            {
                images[fact as usize] = image;
                self.enumerate(fact + 1, images, found);
            }
        }
    }
}

fn ordered(one: u32, other: u32) -> (u32, u32) {
    (one.min(other), one.max(other))
}

/// The classes of `items` when each is equivalent to its images, numbered by
/// first occurrence; images that are no items are an error.
fn closure<T: Ord>(items: &[T], images: impl Fn(&T) -> Vec<T>) -> Vec<u32> {
    let mut places: BTreeMap<&T, Vec<usize>> = BTreeMap::new();
    for (place, item) in items.iter().enumerate() {
        places.entry(item).or_default().push(place);
    }
    let mut neighbors = vec![Vec::new(); items.len()];
    for (place, item) in items.iter().enumerate() {
        for image in images(item) {
            for &other in &places[&image] {
                neighbors[place].push(other);
                neighbors[other].push(place);
            }
        }
        let equal = places[item][0];
        neighbors[place].push(equal);
        neighbors[equal].push(place);
    }
    let (mut classes, mut next) = (vec![u32::MAX; items.len()], 0);
    for start in 0..items.len() {
        if classes[start] != u32::MAX {
            continue;
        }
        let mut open = vec![start];
        while let Some(place) = open.pop() {
            if classes[place] == u32::MAX {
                classes[place] = next;
                open.extend(&neighbors[place]);
            }
        }
        next += 1;
    }
    classes
}
