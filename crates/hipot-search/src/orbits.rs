//! Orbit search: of symmetric states, only one is searched.
//!
//! A symmetry of a task permutes its facts so that operators go to operators of the same cost
//! and the goal goes to itself. So it maps transitions to transitions and goal states to goal
//! states, and h* is the same in all states of an *orbit*: those that a group of symmetries maps
//! to each other. If one of them is expanded, the others need not be (Pochter, Zohar &
//! Rosenschein, AAAI 2011; Domshlak, Katz & Shleyfman, ICAPS 2012).
//!
//! The registry is therefore one of orbits. A state is looked up by the *representative* of its
//! orbit, which a sequence of symmetries leads to. But what is stored, evaluated and expanded is
//! the state itself: the first of its orbit that was reached, or a later one if that is cheaper
//! (as in Domshlak, Katz & Shleyfman, ICAPS 2015).
//!
//! # Why the plan is optimal
//!
//! *Orbits instead of states.* Let s₀, s₁, … be the states of an optimal plan. If some state σ(sᵢ)
//! of the orbit of sᵢ was expanded at the cost g*(sᵢ), it has a successor σ(sᵢ₊₁) at the cost
//! g*(sᵢ₊₁). So the proofs at the head of `astar` hold for orbits. As long as no goal state was
//! expanded at cost h*(s_I), the open list has a state of the orbit of some sᵢ at the cost
//! g*(sᵢ), and its estimate is at most h*(sᵢ). No orbit of an sᵢ can be reached at a lower cost:
//! with the image of the rest of the plan, that would be a cheaper plan.
//!
//! *All states are reachable.* A stored state is the successor of a state that was stored. So
//! heuristics that hold only in reachable states, or in states of plans, may be used with all
//! symmetries that preserve the goal; they need not preserve the initial state or mutexes. For
//! example, packages with the same destination are interchangeable wherever they start.
//!
//! *The plan is read from the records as it is.* A record has a real state, its parent, and the
//! operator between them is found as without symmetries. If a cheaper path to an orbit is found,
//! the state of its record is replaced, and its children no longer belong to it until they are
//! replaced as well. But no such record is on the path to the goal state that ends the search:
//! the cheaper path would make a plan cheaper than the optimal one.
//!
//! *Reopening.* If h is *invariant*, which means h(σ(s)) = h(s), and consistent, then it is
//! consistent as a function of orbits, and nothing is reopened. The search asserts that if the
//! heuristic [says](hipot_task::Heuristic::is_invariant_under) that it is invariant under each
//! generator. Otherwise the estimate of an orbit depends on which of its states was reached. It is
//! admissible, so the plan is still optimal, but states may be reopened.
//!
//! *No more states than without symmetries.* If h is consistent, then every state that is expanded
//! before the last layer, with f = g + h(s) < h*(s_I), would be expanded without symmetries, too.
//! Different orbits have different states, and so do different representatives of one
//! orbit. Only reopening can add to that.
//!
//! # Representatives
//!
//! To find the least state of an orbit is hard in general (it decides graph isomorphism). So
//! we climb: apply the first generator that makes the state smaller, in a lexicographic order
//! of variables, until none does. Symmetric states may end in different places; that costs
//! states, not correctness. Where objects are interchangeable, the generators exchange
//! neighbors, and the climb is a sort: it always ends at the least state. For that, values
//! that symmetries map to each other must be at the same place in the orders of their
//! variables, whatever their numbers: the order is that of their ranks.
//!
//! *It is cheap.* The image is compared with the state variable by variable, and only in the
//! variables that the generator moves; the first difference decides. The generators that make the
//! parent smaller are found once for all of its successors. For a successor, only these are tried
//! and those that move a variable that the operator changes; the others do not make it smaller
//! either. After a generator has been applied, those that share a variable with it are tried
//! again. Leaving out generators that cannot make a state smaller does not change which one
//! is the first that can, so the representative is a function of the state.
//!
//! # Tried and dropped
//!
//! Storing representatives instead of real states (orbit space search). Records are smaller, and a
//! successor of a representative is close to its own representative, so the climb is shorter. But
//! an image of a reachable state need not be reachable. The symmetries have to preserve all
//! mutexes that a heuristic depends on, and plans have to be mapped back. Worse, a potential
//! function that is best in the initial state says less about its images. With `pot(dim=1)`, the
//! search expanded ten times the states of a search without symmetries in mprime prob04, and three
//! times in tetris-opt14 p03-8 and pegsol-opt11 p17. To evaluate the representative, or to
//! take the maximum of both estimates, did not help there. Symmetries that also preserve the
//! initial state avoid this, but save far less in other domains (sokoban, transport, depot,
//! pipesworld, storage).

use hipot_task::{Fact, Facts, OperatorId, Packing, Slot, Task, VariableId};

/// The facts that a symmetry moves, in order, and their images.
pub type MovedFacts = Vec<(Fact, Fact)>;

/// A group of symmetries of a task, ready to find representatives of packed states.
#[derive(Clone)]
pub struct Orbits {
    facts: Facts,
    packing: Packing,
    generators: Vec<Generator>,
    moves: Vec<Move>,
    /// The images of values, for all moves.
    values: Vec<u32>,
    /// The rank of each fact among those of its variable: the order in which states are compared.
    ranks: Vec<u32>,
    /// All generators, as a set of bits.
    all: Vec<u64>,
    /// For each generator, those that share a moved variable with it: one set after another.
    touched: Vec<u64>,
    /// For each operator, the generators that move a variable that it changes.
    of_operators: Vec<u64>,
    /// The generators that make the state entered last smaller.
    of_parent: Vec<u64>,
    /// The number of generators that were given, without the inverses that were added.
    given: usize,
    /// The generators still to try, and the values to be set.
    pending: Vec<u64>,
    images: Vec<u32>,
    /// The number of generators tried and of values set so far.
    work: u64,
}

#[derive(Clone)]
struct Generator {
    moved: MovedFacts,
    /// Its part of `moves`, in lexicographic order.
    begin: u32,
    end: u32,
}

/// What one variable becomes: the image of the value of another one, or of its own.
#[derive(Clone, Copy)]
struct Move {
    target: Slot,
    source: Slot,
    /// The image of value d is `values[begin + d]`.
    begin: u32,
    /// The rank of value d of the target is `ranks[ranks + d]`.
    ranks: u32,
}

impl Orbits {
    /// The orbits of the group that `generators` generate: symmetries of `task` that preserve its
    /// goal. `packing` packs the states.
    ///
    /// # Panics
    /// If a generator is not a permutation that maps the facts of each variable to facts of one
    /// variable.
    pub fn new(task: &Task, packing: &Packing, generators: &[MovedFacts]) -> Self {
        let mut orbits = Self {
            facts: Facts::new(task),
            packing: packing.clone(),
            generators: Vec::new(),
            moves: Vec::new(),
            values: Vec::new(),
            ranks: Vec::new(),
            all: Vec::new(),
            touched: Vec::new(),
            of_operators: Vec::new(),
            of_parent: Vec::new(),
            given: generators.len(),
            pending: Vec::new(),
            images: Vec::new(),
            work: 0,
        };
        let mut all: Vec<MovedFacts> = generators.to_vec();
        for moved in &mut all {
            moved.sort_unstable();
        }
        let inverses: Vec<MovedFacts> = all.iter().filter_map(other_inverse).collect();
        all.extend(inverses);
        let exchanged = exchanged_variables(&all, &orbits.facts);
        orbits.ranks = ranks(&all, &orbits.facts);
        for moved in all {
            orbits.add(moved, &exchanged);
        }
        orbits.connect(task);
        orbits
    }

    /// The number of generators that were given.
    pub fn len(&self) -> usize {
        self.given
    }

    /// The number of generators tried and of values set since the last call.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.given == 0
    }

    /// What each of the generators that were given moves.
    pub(crate) fn moved(&self) -> impl Iterator<Item = &[(Fact, Fact)]> {
        self.generators[..self.given].iter().map(|generator| &generator.moved[..])
    }

    fn add(&mut self, moved: MovedFacts, exchanged: &[bool]) {
        let begin = self.moves.len() as u32;
        let mut sources: Vec<(VariableId, VariableId)> = Vec::new();
        for &(from, to) in &moved {
            let pair = (to.variable, from.variable);
            if sources.last() != Some(&pair) {
                sources.push(pair);
            }
        }
        // Variables that change places first: they tell interchangeable objects apart.
        sources.sort_by_key(|&(target, _)| (!exchanged[target.index()], target));
        for &(target, source) in &sources {
            let begin = self.values.len() as u32;
            for value in 0..self.facts.domain_size(source) as u32 {
                let fact = Fact::new(source, value);
                let place = moved.binary_search_by_key(&fact, |&(from, _)| from);
                let image = place.map_or(fact, |place| moved[place].1);
                assert_eq!(image.variable, target, "facts of a variable stay together");
                self.values.push(image.value);
            }
            let ranks = self.facts.numbers(target).start;
            let [target, source] = [target, source].map(|it| self.packing.slot(it));
            self.moves.push(Move { target, source, begin, ranks });
        }
        self.generators.push(Generator { moved, begin, end: self.moves.len() as u32 });
    }

    /// Fills the sets of generators.
    fn connect(&mut self, task: &Task) {
        let words = self.generators.len().div_ceil(64);
        self.all = vec![0; words];
        let mut of_variables = vec![0_u64; words * self.facts.variable_count()];
        for (index, generator) in self.generators.iter().enumerate() {
            let bit = 1 << (index % 64);
            self.all[index / 64] |= bit;
            for (from, _) in &generator.moved {
                of_variables[from.variable.index() * words + index / 64] |= bit;
            }
        }
        let union = |variables: &mut dyn Iterator<Item = VariableId>| {
            let mut union = vec![0; words];
            for variable in variables {
                unite(&mut union, &of_variables[variable.index() * words..]);
            }
            union
        };
        for generator in &self.generators {
            let moved = &mut generator.moved.iter().map(|(from, _)| from.variable);
            self.touched.extend(union(moved));
        }
        for operator in task.operators() {
            let changed = &mut operator.effects.iter().map(|effect| effect.fact.variable);
            self.of_operators.extend(union(changed));
        }
        (self.pending, self.of_parent) = (self.all.clone(), self.all.clone());
    }

    /// Announces that the search is in `parent` and will ask for representatives of successors.
    pub(crate) fn enter(&mut self, parent: &[u32]) {
        for index in 0..self.generators.len() {
            let (word, bit) = (index / 64, 1 << (index % 64));
            self.of_parent[word] &= !bit;
            if self.makes_smaller(index, parent) {
                self.of_parent[word] |= bit;
            }
        }
    }

    /// Replaces the successor, by `operator`, of the state entered last by its representative.
    #[inline]
    pub(crate) fn represent_successor(&mut self, operator: OperatorId, words: &mut [u32]) {
        self.pending.copy_from_slice(&self.of_parent);
        unite(&mut self.pending, &self.of_operators[operator.index() * self.all.len()..]);
        self.climb(words);
    }

    /// Replaces a state by its representative.
    pub(crate) fn represent(&mut self, words: &mut [u32]) {
        self.pending.copy_from_slice(&self.all);
        self.climb(words);
    }

    /// Applies the first generator that makes a state smaller, until none does. All that do are
    /// pending.
    #[inline]
    fn climb(&mut self, words: &mut [u32]) {
        let mut word = 0;
        while word < self.pending.len() {
            let bits = self.pending[word];
            if bits == 0 {
                word += 1;
                continue;
            }
            self.pending[word] = bits & (bits - 1);
            self.work += 1;
            let index = 64 * word + bits.trailing_zeros() as usize;
            if self.makes_smaller(index, words) {
                self.apply(index, words);
                unite(&mut self.pending, &self.touched[index * self.all.len()..]);
                word = 0;
            }
        }
    }

    fn moves(&self, index: usize) -> &[Move] {
        let Generator { begin, end, .. } = self.generators[index];
        &self.moves[begin as usize..end as usize]
    }

    /// Whether the image of a state under a generator is smaller than the state.
    #[inline]
    fn makes_smaller(&self, index: usize, words: &[u32]) -> bool {
        for step in self.moves(index) {
            let image = self.values[(step.begin + value(step.source, words)) as usize];
            let old = value(step.target, words);
            if image != old {
                let rank = |value| self.ranks[(step.ranks + value) as usize];
                return rank(image) < rank(old);
            }
        }
        false
    }

    fn apply(&mut self, index: usize, words: &mut [u32]) {
        let Generator { begin, end, .. } = self.generators[index];
        let moves = &self.moves[begin as usize..end as usize];
        let image = |step: &Move| self.values[(step.begin + value(step.source, words)) as usize];
        self.images.clear();
        self.images.extend(moves.iter().map(image));
        self.work += moves.len() as u64;
        for (Move { target, .. }, image) in moves.iter().zip(&self.images) {
            let word = &mut words[target.word as usize];
            *word = *word & !(target.mask << target.shift) | image << target.shift;
        }
    }
}

/// Adds the elements of a set of bits to another one.
#[inline]
fn unite(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

#[inline]
fn value(slot: Slot, words: &[u32]) -> u32 {
    (words[slot.word as usize] >> slot.shift) & slot.mask
}

/// The inverse of a permutation, unless it is its own.
fn other_inverse(moved: &MovedFacts) -> Option<MovedFacts> {
    let mut inverse: MovedFacts = moved.iter().map(|&(from, to)| (to, from)).collect();
    inverse.sort_unstable();
    (inverse != *moved).then_some(inverse)
}

/// The variables whose facts some generator maps to another variable.
fn exchanged_variables(generators: &[MovedFacts], facts: &Facts) -> Vec<bool> {
    let mut exchanged = vec![false; facts.variable_count()];
    for &(from, to) in generators.iter().flatten() {
        if from.variable != to.variable {
            exchanged[to.variable.index()] = true;
        }
    }
    exchanged
}

/// The rank of each fact among those of its variable: such that the generators keep ranks when they
/// map one variable to another, as far as they agree.
fn ranks(generators: &[MovedFacts], facts: &Facts) -> Vec<u32> {
    let mut maps: Vec<Vec<&[(Fact, Fact)]>> = vec![Vec::new(); facts.variable_count()];
    for moved in generators {
        for of_variable in moved.chunk_by(|(one, _), (other, _)| one.variable == other.variable) {
            maps[of_variable[0].0.variable.index()].push(of_variable);
        }
    }
    let mut ranks = vec![u32::MAX; facts.len()];
    for first in facts.variable_ids() {
        if ranks[facts.range(first)].contains(&u32::MAX) {
            for (rank, fact) in (0..).zip(facts.range(first)) {
                ranks[fact] = rank;
            }
        }
        let mut open = vec![first];
        while let Some(variable) = open.pop() {
            for map in &maps[variable.index()] {
                let target = map[0].1.variable;
                if ranks[facts.range(target).start] == u32::MAX {
                    for &(from, to) in *map {
                        ranks[facts.id(to).index()] = ranks[facts.id(from).index()];
                    }
                    open.push(target);
                }
            }
        }
    }
    ranks
}
