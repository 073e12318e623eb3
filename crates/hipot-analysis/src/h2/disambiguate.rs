//! Disambiguation: what a partial state implies, given mutexes (Alcázar,
//! Borrajo, Fernández & Fuentetaja, IJCAI 2013).
//!
//! A state that satisfies a partial state p and all mutexes gives each variable
//! a value that is not mutex with any fact of p. If only one value is left, it is
//! implied and joins p, and so on until nothing changes. If no value is left,
//! there is no such state.

use std::ops::Range;

use crate::bit_matrix::{set, test};
use crate::mutexes::Mutexes;
use hipot_task::{Fact, FactId};

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

    /// Which of the variable's facts are in `row`.
    fn facts_in(self, row: &[u64]) -> Candidates {
        let mut left =
            Candidates::of_word(self.first_word, row[self.first_word as usize] & self.first_mask);
        for index in self.first_word + 1..=self.last_word {
            let mask = if index == self.last_word { self.last_mask } else { u64::MAX };
            left = match (left, Candidates::of_word(index, row[index as usize] & mask)) {
                (Candidates::None, other) => other,
                (left, Candidates::None) => left,
                _ => return Candidates::Several,
            };
        }
        left
    }
}

/// The values that a variable can still have.
enum Candidates {
    None,
    One(u32),
    Several,
}

impl Candidates {
    fn of_word(index: u32, word: u64) -> Self {
        match word {
            0 => Self::None,
            word if word.is_power_of_two() => Self::One(64 * index + word.trailing_zeros()),
            _ => Self::Several,
        }
    }
}

/// Finds what partial states imply.
#[derive(Clone, Debug)]
pub(crate) struct Disambiguator<'a> {
    known: &'a Mutexes,
    /// The variables about which a partial state may imply something: not those
    /// whose only mutexes are between their own values, nor those that have the
    /// same value in all states.
    spans: Vec<Span>,
    /// The facts that a state may have; `None` if the mutexes leave no state.
    possible: Option<Vec<u64>>,
    /// The facts that are compatible with the last partial state: not mutex with any
    /// of its facts.
    compatible: Vec<u64>,
    /// The facts of the last partial state.
    given: Vec<u64>,
}

impl<'a> Disambiguator<'a> {
    /// Finds what partial states imply in states that satisfy `known`.
    pub(crate) fn new(known: &'a Mutexes) -> Self {
        let numbering = known.facts();
        let variables = (0..numbering.variable_count()).map(hipot_task::VariableId::new);
        let facts = variables.map(|variable| numbering.numbers(variable));
        let spans =
            facts.filter(|facts| has_mutexes(known, facts)).map(|f| Span::new(&f)).collect();
        let nothing = vec![0; known.row_words()];
        let possible = Some(alive(known));
        let mut new = Self { known, spans, possible, compatible: nothing.clone(), given: nothing };
        new.use_what_all_states_have();
        new
    }

    /// `facts` and what they imply, in the order of variables, without facts
    /// that all states have. `None` if no state that satisfies the mutexes has
    /// them all.
    pub(crate) fn disambiguate(&mut self, facts: &[Fact]) -> Option<Vec<Fact>> {
        let numbering = self.known.facts();
        let mut numbers: Vec<u32> = facts.iter().map(|&fact| numbering.id(fact).number()).collect();
        let possible = self.close(&mut numbers);
        possible
            .then(|| numbers.iter().map(|&number| numbering.fact(FactId::new(number))).collect())
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
                    Candidates::None => return false,
                    Candidates::One(fact) if !test(&self.given, fact) => {
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

    /// Finds the facts that are compatible with `facts`. False if two of `facts`
    /// are mutex.
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

    /// Whether `fact` is compatible with the facts given last.
    pub(super) fn is_compatible(&self, fact: u32) -> bool {
        test(&self.compatible, fact)
    }

    /// The facts that are compatible with those given last.
    pub(super) fn compatible(&self) -> &[u64] {
        &self.compatible
    }

    fn exclude(&mut self, fact: u32) {
        for (word, row) in self.compatible.iter_mut().zip(self.known.row(fact)) {
            *word &= !row;
        }
    }

    /// Excludes, once and for all, what is mutex with facts that all states have.
    fn use_what_all_states_have(&mut self) {
        if self.close(&mut Vec::new()) {
            self.spans
                .retain(|span| matches!(span.facts_in(&self.compatible), Candidates::Several));
            self.possible = Some(self.compatible.clone());
        } else {
            self.possible = None;
        }
    }
}

/// Whether one of a variable's facts is dead or mutex with a fact of another variable.
fn has_mutexes(known: &Mutexes, facts: &Range<u32>) -> bool {
    facts.clone().any(|fact| {
        let ones: u32 = known.row(fact).iter().map(|word| word.count_ones()).sum();
        ones as usize >= facts.len()
    })
}

/// The facts that are not dead, as a row.
fn alive(known: &Mutexes) -> Vec<u64> {
    let mut alive = vec![0; known.row_words()];
    let facts = 0..known.facts().len() as u32;
    facts.filter(|&fact| !test(known.row(fact), fact)).for_each(|fact| set(&mut alive, fact));
    alive
}

#[cfg(test)]
mod tests {
    use super::*;
    use hipot_task::{Limits, TaskBuilder, Variable};

    #[test]
    fn a_single_possible_value_is_implied() {
        let mut builder = TaskBuilder::new(false);
        let values = ["left", "right", "floor"];
        let ball = builder.add_variable(Variable::new("ball", values)).unwrap();
        let hand = builder.add_variable(Variable::new("hand", ["free", "in use"])).unwrap();
        builder.set_initial(vec![2, 0]).unwrap();
        let [held, free] = [Fact::new(ball, 0), Fact::new(hand, 0)];
        let mut mutexes = Mutexes::new(&builder.build(), &Limits::none()).unwrap();
        mutexes.insert(held, free);
        let mut disambiguator = Disambiguator::new(&mutexes);
        assert_eq!(disambiguator.disambiguate(&[held]), Some(vec![held, Fact::new(hand, 1)]));
        assert_eq!(disambiguator.disambiguate(&[held, free]), None);
    }
}
