//! Features on demand: which pairs of variables, or of facts, to add next.
//!
//! The pairs with the best [prices](super::price) are added, as many as the next LP has room
//! for. A pair of variables is added as a whole, unless it would take a large part of the room:
//! then its pairs of facts compete one by one. If there is room left, *blocks* follow: all pairs
//! of a fact that the relaxed plan uses with the facts of a variable. Then the relaxed plan can no
//! longer split its uses of the fact freely among the values of that variable. Last come the
//! pairs of variables that were too large.
//!
//! Pairs that symmetries map to each other are added together, so that the features stay
//! symmetric and the LP stays small.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hipot_task::{FactId, Facts, Growth, Limits, OperatorId, Stop, Value, VariableId};

use super::changes::Changes;
use super::pair_set::{FactPair, PairSet, VariablePair};
use super::price::{Price, Prices, price};
use super::reduction::{Moves, Reduction};

/// A pair of variables, with those symmetric to it, is added as a whole if it takes at most this
/// part of the room.
const WHOLE: f64 = 0.25;

/// About what the pairs of a candidate take: the set, and each of them, here and elsewhere.
const BYTES_OF_SET: u64 = 128;
const BYTES_OF_PAIR: u64 = 48;

/// Larger orbits of pairs of facts, or of blocks, are not added.
const MAX_ORBIT: usize = 10_000;

/// Chooses pairs for a task, round by round.
pub(crate) struct PairChooser<'a> {
    reduction: &'a Reduction<'a>,
    symmetries: Vec<Images>,
    changes: Changes,
    /// For each operator that represents its orbit, the size of the orbit.
    orbit_sizes: Vec<u32>,
}

/// The images of the facts and variables that a symmetry does not keep.
struct Images {
    facts: Moves,
    variables: HashMap<VariableId, VariableId>,
}

/// A fact and a variable: the pairs of the fact with all facts of the variable.
type Block = (FactId, VariableId);

/// What can be added together, and about how many nonzeros that takes.
struct Candidate {
    tier: Tier,
    price: Price,
    pairs: Pairs,
    nonzeros: u64,
}

/// Everything of a tier comes before the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    Priced,
    Blocks,
    TooLarge,
}

/// Pairs that symmetries map to each other.
enum Pairs {
    OfVariables(BTreeSet<VariablePair>),
    OfFacts(BTreeSet<FactPair>),
    Blocks(BTreeSet<Block>),
}

impl<'a> PairChooser<'a> {
    pub(crate) fn new(reduction: &'a Reduction<'a>) -> Self {
        let normal = reduction.normal();
        let facts = normal.facts();
        let mut orbit_sizes = vec![0; normal.task().operators().len()];
        for operator in normal.operator_ids() {
            orbit_sizes[reduction.representative(operator).index()] += 1;
        }
        let images = |moves: Moves| {
            let variables =
                moves.iter().map(|(&from, &to)| (facts.variable(from), facts.variable(to)));
            Images { variables: variables.filter(|(from, to)| from != to).collect(), facts: moves }
        };
        let symmetries = reduction.moved_facts().into_iter().map(images).collect();
        Self { reduction, symmetries, changes: Changes::new(reduction), orbit_sizes }
    }

    /// Adds the most promising pairs to `chosen`, so that the LP grows by at most about
    /// `nonzeros`. `counts` says how often a dual solution for `state` uses each operator that
    /// has a constraint. Returns whether any pair was added.
    pub(crate) fn extend(
        &self,
        chosen: &mut PairSet,
        counts: &[(OperatorId, f64)],
        state: &[Value],
        nonzeros: u64,
        limits: &Limits,
    ) -> Result<bool, Stop> {
        let normal = self.reduction.normal();
        let prices = price(normal, &self.spread(counts), state, chosen, limits)?;
        let mut candidates = self.candidates(&prices, nonzeros, limits)?;
        limits.reserve(size_of_val(&candidates[..]) as u64)?;
        candidates.sort_by(|one, other| {
            let by_price = other.price.partial_cmp(&one.price).expect("prices are numbers");
            one.tier.cmp(&other.tier).then(by_price)
        });
        let (mut room, mut is_larger) = (nonzeros, false);
        for candidate in candidates {
            if let Some(rest) = room.checked_sub(candidate.nonzeros) {
                candidate.pairs.add_to(chosen, normal.facts());
                (room, is_larger) = (rest, true);
            }
        }
        Ok(is_larger)
    }

    /// What can be added if there is room for this many nonzeros.
    fn candidates(
        &self,
        prices: &Prices,
        room: u64,
        limits: &Limits,
    ) -> Result<Vec<Candidate>, Stop> {
        let facts = self.reduction.normal().facts();
        let (mut candidates, mut growth) = (Vec::new(), Growth::default());
        let mut is_whole: BTreeMap<VariablePair, bool> = BTreeMap::new();
        for (&pair, &price) in &prices.of_variables {
            if is_whole.contains_key(&pair) {
                continue;
            }
            limits.check()?;
            let pairs = self.orbit(pair, usize::MAX, |it, (one, other)| {
                in_order(it.variable(one), it.variable(other))
            });
            growth.add(bytes_of(&pairs), limits)?;
            let nonzeros = pairs.iter().map(|&it| self.changes.nonzeros_of_variables(it)).sum();
            let fits = nonzeros as f64 <= WHOLE * room as f64;
            is_whole.extend(pairs.iter().map(|&pair| (pair, fits)));
            let tier = if fits { Tier::Priced } else { Tier::TooLarge };
            make_room(&candidates, limits)?;
            candidates.push(Candidate { tier, price, pairs: Pairs::OfVariables(pairs), nonzeros });
        }
        let mut seen: BTreeSet<FactPair> = BTreeSet::new();
        for (&pair, &price) in &prices.of_facts {
            let variables = (facts.variable(pair.0), facts.variable(pair.1));
            if is_whole[&variables] || seen.contains(&pair) {
                continue;
            }
            limits.check()?;
            let pairs = self.orbit(pair, MAX_ORBIT, |it, (a, b)| in_order(it.fact(a), it.fact(b)));
            growth.add(bytes_of(&pairs), limits)?;
            seen.extend(&pairs);
            if pairs.len() <= MAX_ORBIT {
                let nonzeros = pairs.iter().map(|&it| self.changes.nonzeros_of_facts(it)).sum();
                let pairs = Pairs::OfFacts(pairs);
                make_room(&candidates, limits)?;
                candidates.push(Candidate { tier: Tier::Priced, price, pairs, nonzeros });
            }
        }
        let in_part = is_whole.into_iter().filter(|&(_, is_whole)| !is_whole);
        self.add_blocks(prices, in_part.map(|(pair, _)| pair), &mut candidates, limits)?;
        Ok(candidates)
    }

    /// The blocks on some pairs of variables.
    fn add_blocks(
        &self,
        prices: &Prices,
        pairs: impl Iterator<Item = VariablePair>,
        candidates: &mut Vec<Candidate>,
        limits: &Limits,
    ) -> Result<(), Stop> {
        let facts = self.reduction.normal().facts();
        let (mut seen, mut growth) = (BTreeSet::<Block>::new(), Growth::default());
        for (own, other) in pairs.flat_map(|(one, other)| [(one, other), (other, one)]) {
            limits.check()?;
            for fact in facts.of_variable(own) {
                let uses = prices.uses_of_facts[fact.index()];
                if uses == 0.0 || seen.contains(&(fact, other)) {
                    continue;
                }
                let blocks = self.orbit((fact, other), MAX_ORBIT, |it, (fact, variable)| {
                    (it.fact(fact), it.variable(variable))
                });
                growth.add(bytes_of(&blocks), limits)?;
                seen.extend(&blocks);
                if blocks.len() <= MAX_ORBIT {
                    let nonzeros = blocks.iter().map(|&it| self.changes.nonzeros_of_block(it));
                    make_room(candidates, limits)?;
                    candidates.push(Candidate {
                        tier: Tier::Blocks,
                        price: Price { uses, ..Price::default() },
                        nonzeros: nonzeros.sum(),
                        pairs: Pairs::Blocks(blocks),
                    });
                }
            }
        }
        Ok(())
    }

    /// How often each operator is used if all operators of an orbit are used equally often.
    fn spread(&self, counts: &[(OperatorId, f64)]) -> Vec<f64> {
        let mut of_orbit = vec![0.0; self.orbit_sizes.len()];
        for &(operator, count) in counts {
            of_orbit[operator.index()] = count / f64::from(self.orbit_sizes[operator.index()]);
        }
        let of_operator = |id| of_orbit[self.reduction.representative(id).index()];
        self.reduction.normal().operator_ids().map(of_operator).collect()
    }

    /// All images of a pair; if there are more than `max`, some of them.
    fn orbit<T: Copy + Ord>(
        &self,
        pair: T,
        max: usize,
        image: impl Fn(&Images, T) -> T,
    ) -> BTreeSet<T> {
        let mut orbit = BTreeSet::from([pair]);
        let mut open = vec![pair];
        while let Some(pair) = open.pop() {
            if orbit.len() > max {
                break;
            }
            for images in &self.symmetries {
                let image = image(images, pair);
                if orbit.insert(image) {
                    open.push(image);
                }
            }
        }
        orbit
    }
}

/// About what a set of pairs takes.
fn bytes_of<T>(pairs: &BTreeSet<T>) -> u64 {
    BYTES_OF_SET + pairs.len() as u64 * BYTES_OF_PAIR
}

/// Asks for memory for a list of double size, if one more candidate needs it.
fn make_room(candidates: &Vec<Candidate>, limits: &Limits) -> Result<(), Stop> {
    if candidates.len() < candidates.capacity() {
        return Ok(());
    }
    limits.reserve(2 * size_of_val(&candidates[..]) as u64)
}

impl Images {
    fn fact(&self, fact: FactId) -> FactId {
        self.facts.get(&fact).copied().unwrap_or(fact)
    }

    fn variable(&self, variable: VariableId) -> VariableId {
        self.variables.get(&variable).copied().unwrap_or(variable)
    }
}

impl Pairs {
    fn add_to(self, chosen: &mut PairSet, facts: &Facts) {
        match self {
            Self::OfVariables(pairs) => {
                for (one, other) in pairs {
                    chosen.insert(one, other);
                }
            }
            Self::OfFacts(pairs) => {
                for pair in pairs {
                    chosen.insert_facts(facts, pair);
                }
            }
            Self::Blocks(blocks) => {
                for (fact, variable) in blocks {
                    for other in facts.of_variable(variable) {
                        chosen.insert_facts(facts, in_order(fact, other));
                    }
                }
            }
        }
    }
}

fn in_order<T: Ord>(one: T, other: T) -> (T, T) {
    if one < other { (one, other) } else { (other, one) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hipot_testing::RandomTask;

    use super::*;
    use crate::feature_set::{FeatureLp, FeatureSet};
    use crate::normal_form::NormalForm;
    use crate::optimizer::{Demand, Optimizer};
    use crate::params::Params;
    use crate::report::{Extent, Optimum};

    /// The bound and the LP's optimum over some features.
    fn solve(normal: &Arc<NormalForm>, lp: FeatureLp<'_>) -> (u64, f64) {
        let (params, limits) = (Params::default(), Limits::none());
        let state = normal.initial();
        let optimizer = Optimizer::for_state(normal, lp, state, Demand::Best, &params, &limits);
        match optimizer.unwrap().best().unwrap() {
            Optimum::Function(function, report) => (function.bound(state), report.objective),
            Optimum::Unsolvable(..) => (u64::MAX, f64::INFINITY),
        }
    }

    /// The reduced LP over chosen pairs of facts has the same optimum as the textbook LP over the
    /// same features, and a room for everything gives the LP over all pairs.
    #[test]
    fn chosen_pairs_of_facts_give_the_optimum_over_these_features() {
        let shape = RandomTask { variables: 5, domain: 4, operators: 40, ..RandomTask::default() };
        let (limits, mut in_part, mut raised) = (Limits::none(), 0, 0);
        for seed in 0..60 {
            let normal = Arc::new(NormalForm::plain(&shape.generate(seed)).unwrap());
            let state = normal.initial();
            let reduction = Reduction::new(&normal, 2, state, &limits).unwrap();
            let chooser = PairChooser::new(&reduction);
            let mut chosen = reduction.complete(1);
            let counts: Vec<_> = normal.operator_ids().map(|it| (it, 1.0)).collect();
            let mut last = 0.0;
            for room in [150, 300, 100_000] {
                if !chooser.extend(&mut chosen, &counts, state, room, &limits).unwrap() {
                    continue;
                }
                in_part += usize::from(chosen.has_parts());
                let classes = reduction.classes(chosen.clone());
                let size = reduction.size(&classes, u64::MAX, &limits).unwrap().unwrap();
                let mut lists = Vec::new();
                let mut atoms = Vec::new();
                classes.for_each_feature(|a, b, _| {
                    if a == b { atoms.push(vec![a]) } else { lists.push(vec![a, b]) }
                });
                atoms.append(&mut lists);
                let features =
                    crate::feature::Features::new(normal.facts().clone(), atoms).unwrap();
                let reduced =
                    FeatureLp::reduced(&normal, &reduction, classes, size, Extent::Complete);
                let given = FeatureSet::Given(&features);
                let textbook = FeatureLp::new(&normal, given, &Params::default(), &limits).unwrap();
                let [one, other] = [reduced, textbook].map(|lp| solve(&normal, lp));
                assert_eq!(one.0, other.0, "seed {seed}, room {room}");
                let is_infinite = one.1.is_infinite() && other.1.is_infinite();
                let is_same = is_infinite || (one.1 - other.1).abs() < 1e-3 * (1.0 + one.1);
                assert!(is_same, "seed {seed}, room {room}: {} and {}", one.1, other.1);
                raised += usize::from(one.1 > last + 1e-3);
                last = one.1;
            }
            assert!(!chosen.has_parts(), "seed {seed}: there was room for all pairs");
        }
        assert!(in_part > 30 && raised > 10, "{in_part} sets in part, {raised} optima raised");
    }
}
