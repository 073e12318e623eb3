//! Disambiguation: what a partial state implies, given mutexes (Alcázar,
//! Borrajo, Fernández & Fuentetaja, IJCAI 2013).
//!
//! A state that satisfies a partial state p and all mutexes has, of each
//! variable, a value that is mutex with no fact of p. Where one value is left
//! it is implied and joins p, and so on; where none is left, there is no such
//! state.

use std::ops::Range;

use crate::bit_matrix::{set, test};
use crate::ids::Fact;
use crate::mutex::Mutexes;

/// The bits of one variable's facts in a row.
#[derive(Clone, Copy, Debug)]
struct Span {
    first_word: u32,
    last_word: u32,
    first_mask: u64,
    last_mask: u64,
}

impl Span {
    fn new(facts: &Range<u32>) -> Self {
        let last = facts.end - 1;
        let (first_mask, last_mask) =
            (u64::MAX << (facts.start % 64), u64::MAX >> (63 - last % 64));
        let (first_word, last_word) = (facts.start / 64, last / 64);
        let first_mask = if first_word == last_word { first_mask & last_mask } else { first_mask };
        Self { first_word, last_word, first_mask, last_mask }
    }

    /// How many of the variable's facts are in `row`: none, this one, or more.
    fn facts_in(self, row: &[u64]) -> Left {
        let mut left =
            Left::of_word(self.first_word, row[self.first_word as usize] & self.first_mask);
        for index in self.first_word + 1..=self.last_word {
            let mask = if index == self.last_word { self.last_mask } else { u64::MAX };
            left = match (left, Left::of_word(index, row[index as usize] & mask)) {
                (Left::None, other) => other,
                (left, Left::None) => left,
                _ => return Left::Several,
            };
        }
        left
    }
}

/// What is left of a variable's values.
enum Left {
    None,
    One(u32),
    Several,
}

impl Left {
    fn of_word(index: u32, word: u64) -> Self {
        match word {
            0 => Self::None,
            word if word.is_power_of_two() => Self::One(64 * index + word.trailing_zeros()),
            _ => Self::Several,
        }
    }
}

/// Finds what partial states imply.
///
/// ```
/// use hipot_task::{Fact, Limits, Mutexes, TaskBuilder, Variable, h2::Disambiguator};
///
/// let mut builder = TaskBuilder::new(false);
/// let ball = builder.add_variable(Variable::new("ball", ["left", "right", "floor"]))?;
/// let hand = builder.add_variable(Variable::new("hand", ["free", "in use"]))?;
/// builder.set_initial(vec![2, 0])?;
/// let [held, free] = [Fact::new(ball, 0), Fact::new(hand, 0)];
/// let mut mutexes = Mutexes::new(&builder.build(), &Limits::none())?;
/// mutexes.insert(held, free);
/// let mut disambiguator = Disambiguator::new(&mutexes);
/// assert_eq!(disambiguator.disambiguate(&[held]), Some(vec![held, Fact::new(hand, 1)]));
/// assert_eq!(disambiguator.disambiguate(&[held, free]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Disambiguator<'a> {
    known: &'a Mutexes,
    /// The variables about which a partial state may imply something: not
    /// those whose facts have no mutexes but by nature, nor those that have
    /// one value in all states.
    spans: Vec<Span>,
    /// The facts that a state may have; `None` if there is no state at all.
    possible: Option<Vec<u64>>,
    /// The facts that are mutex with none of the last partial state's.
    compatible: Vec<u64>,
    /// The facts of the last partial state.
    given: Vec<u64>,
}

impl<'a> Disambiguator<'a> {
    /// Finds what partial states imply in states that satisfy `known`.
    pub fn new(known: &'a Mutexes) -> Self {
        let numbering = known.numbering();
        let variables = (0..numbering.variables()).map(crate::VariableId::new);
        let facts = variables.map(|variable| numbering.facts_of(variable));
        let spans =
            facts.filter(|facts| has_mutexes(known, facts)).map(|f| Span::new(&f)).collect();
        let nothing = vec![0; known.row_words()];
        let possible = Some(alive(known));
        let mut new = Self { known, spans, possible, compatible: nothing.clone(), given: nothing };
        new.use_what_all_states_have();
        new
    }

    /// `facts` and what they imply, in the order of variables, but for facts
    /// that all states have. `None` if no state that satisfies the mutexes has
    /// them all.
    pub fn disambiguate(&mut self, facts: &[Fact]) -> Option<Vec<Fact>> {
        let numbering = self.known.numbering();
        let mut numbers: Vec<u32> = facts.iter().map(|&fact| numbering.index(fact)).collect();
        let possible = self.close(&mut numbers);
        possible.then(|| numbers.iter().map(|&number| numbering.fact(number)).collect())
    }

    /// Adds to `facts`, given by their numbers, what they imply, and puts them
    /// in order. False if no state that satisfies the mutexes has them all.
    pub(super) fn close(&mut self, facts: &mut Vec<u32>) -> bool {
        if !self.restrict(facts) {
            return false;
        }
        self.given.fill(0);
        for &fact in facts.iter() {
            set(&mut self.given, fact);
        }
        loop {
            let before = facts.len();
            for variable in 0..self.spans.len() {
                match self.spans[variable].facts_in(&self.compatible) {
                    Left::None => return false,
                    Left::One(fact) if !test(&self.given, fact) => {
                        set(&mut self.given, fact);
                        facts.push(fact);
                        self.exclude(fact);
                    }
                    _ => {}
                }
            }
            if facts.len() == before {
                facts.sort_unstable();
                return true;
            }
        }
    }

    /// Finds the facts that are mutex with none of `facts`. False if `facts`
    /// have a pair that is mutex.
    pub(super) fn restrict(&mut self, facts: &[u32]) -> bool {
        let Some(possible) = &self.possible else { return false };
        self.compatible.copy_from_slice(possible);
        for &fact in facts {
            if !test(&self.compatible, fact) {
                return false;
            }
            self.exclude(fact);
        }
        true
    }

    /// Whether `fact` was mutex with none of those given last.
    pub(super) fn is_compatible(&self, fact: u32) -> bool {
        test(&self.compatible, fact)
    }

    /// The facts that are mutex with none of those given last.
    pub(super) fn compatible(&self) -> &[u64] {
        &self.compatible
    }

    fn exclude(&mut self, fact: u32) {
        for (word, row) in self.compatible.iter_mut().zip(self.known.row(fact)) {
            *word &= !row;
        }
    }

    /// Excludes once and for all what is mutex with the facts of all states.
    fn use_what_all_states_have(&mut self) {
        if self.close(&mut Vec::new()) {
            self.spans.retain(|span| matches!(span.facts_in(&self.compatible), Left::Several));
            self.possible = Some(self.compatible.clone());
        } else {
            self.possible = None;
        }
    }
}

/// Whether one of a variable's facts has more mutexes than by nature.
fn has_mutexes(known: &Mutexes, facts: &Range<u32>) -> bool {
    facts.clone().any(|fact| {
        let ones: u32 = known.row(fact).iter().map(|word| word.count_ones()).sum();
        ones as usize >= facts.len()
    })
}

/// The facts that are not dead, as a row.
fn alive(known: &Mutexes) -> Vec<u64> {
    let mut alive = vec![0; known.row_words()];
    let facts = 0..known.numbering().len() as u32;
    facts.filter(|&fact| !test(known.row(fact), fact)).for_each(|fact| set(&mut alive, fact));
    alive
}
