//! One pass: the pairs of facts that rules reach from those at the start.
//!
//! Both directions are one computation. A [`Rule`] needs a set of facts, all
//! of whose pairs are reached; then each fact that it gives is reached
//! together with each other that it gives and with each fact q that
//!
//! - is reached together with every fact that the rule needs, and
//! - is not known to be mutex with any of the facts that it avoids.
//!
//! A pair that is known to be mutex is never reached. The facts avoided are
//! those that the changing variables are known to have in the end. So their other
//! values do not stay, because two values of one variable are known to be mutex.
//! (Backward, a variable may have had several values. Then the value that the
//! rule needs may stay, but it is also one of the values given.)
//!
//! Reached pairs are a symmetric matrix of bits, and a rule is an AND of rows
//! that is ORed into rows, 64 facts at a time. Work is done in rounds. A rule
//! is applied again when the row of a fact that it needs has new bits, and
//! only in the words that have them: the AND has no new bits elsewhere. Rules
//! that do not apply yet remember a pair that they still lack.

use crate::bit_matrix::{BitMatrix, ones, ones_of_word};
use crate::mutexes::Mutexes;
use hipot_task::{FactId, Limits, Stop};

/// How reached pairs lead to further pairs. Facts are given by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule<'a> {
    /// Facts all of whose pairs must be reached.
    pub(super) needs: &'a [u32],
    /// Facts that no fact that stays may be mutex with.
    pub(super) avoids: &'a [u32],
    /// Facts that are reached.
    pub(super) gives: &'a [u32],
}

/// The state of a pass.
pub(super) struct Pass<'a> {
    known: &'a Mutexes,
    /// For each fact, a row with the facts reached together with it; at the end, a
    /// row with all reached facts, for rules that need nothing.
    reached: BitMatrix,
    /// For each row, a bit per word: whether it changed in the last round.
    changed: BitMatrix,
    /// For each row, a bit per word: whether it changes in this round.
    changing: BitMatrix,
    /// The number of the row with all facts.
    any: u32,
    /// The facts that stay true under a rule; reused to avoid allocations.
    stays: Vec<u64>,
}

/// How far a rule is.
#[derive(Clone, Copy, Debug)]
enum Status {
    /// The rule does not apply yet. All pairs of needed facts before position
    /// `first` are reached, and so are the pairs of that at `first` with those before
    /// `second`.
    Waits { first: u32, second: u32 },
    /// The rule applies, and was applied at least once.
    Applies,
}

impl<'a> Pass<'a> {
    /// A pass with nothing reached.
    pub(super) fn new(known: &'a Mutexes, limits: &Limits) -> Result<Self, Stop> {
        let facts = known.facts().len();
        let reached = BitMatrix::new(facts + 1, facts, limits)?;
        let changed = BitMatrix::new(facts + 1, reached.stride(), limits)?;
        let changing = changed.clone();
        Ok(Self { known, reached, changed, changing, any: facts as u32, stays: Vec::new() })
    }

    /// Starts with the pairs of `facts`, a row, that are not known to be mutex.
    pub(super) fn start(&mut self, facts: &[u64], limits: &Limits) -> Result<(), Stop> {
        for first in ones(facts) {
            limits.check()?;
            for (index, (&word, mutex)) in facts.iter().zip(self.known.row(first)).enumerate() {
                self.reach(first, index, word & !mutex);
            }
        }
        Ok(())
    }

    /// Applies `rules` until nothing changes. Returns the pairs that are not reached
    /// and were not known to be mutex.
    pub(super) fn run(mut self, rules: &[Rule<'_>], limits: &Limits) -> Result<Mutexes, Stop> {
        let users = self.users(rules);
        let mut statuses = vec![Status::Waits { first: 0, second: 0 }; rules.len()];
        let mut queued = vec![true; rules.len()];
        loop {
            let mut looked_at = 0;
            for (index, rule) in rules.iter().enumerate() {
                if std::mem::take(&mut queued[index]) {
                    if looked_at % 64 == 0 {
                        limits.check()?;
                    }
                    looked_at += 1;
                    self.apply(rule, &mut statuses[index]);
                }
            }
            if !self.next_round(&users, &mut queued) {
                return self.unreached(limits);
            }
        }
    }

    /// For each row the rules that need it.
    fn users(&self, rules: &[Rule<'_>]) -> Vec<Vec<u32>> {
        let mut users = vec![Vec::new(); self.any as usize + 1];
        for (index, rule) in (0..).zip(rules) {
            rule.needs.iter().for_each(|&fact| users[fact as usize].push(index));
            if rule.needs.is_empty() {
                users[self.any as usize].push(index);
            }
        }
        users
    }

    /// Queues the rules that need a row that changed. False if no row did.
    fn next_round(&mut self, users: &[Vec<u32>], queued: &mut [bool]) -> bool {
        std::mem::swap(&mut self.changed, &mut self.changing);
        self.changing.words_mut().fill(0);
        let mut any = false;
        for (row, users) in (0..).zip(users) {
            if self.changed.row(row).iter().any(|&words| words != 0) {
                any = true;
                for &rule in users {
                    queued[rule as usize] = true;
                }
            }
        }
        any
    }

    fn apply(&mut self, rule: &Rule<'_>, status: &mut Status) {
        match *status {
            Status::Applies => self.apply_to_changes(rule),
            Status::Waits { first, second } => {
                *status = self.wait(rule.needs, first, second);
                if matches!(status, Status::Applies) {
                    self.give_pairs(rule.gives);
                    self.apply_to_row(rule);
                }
            }
        }
    }

    /// Goes on looking for a pair of `needs` that is not reached.
    fn wait(&self, needs: &[u32], mut first: u32, mut second: u32) -> Status {
        while let Some(&fact) = needs.get(first as usize) {
            while second <= first {
                if !self.reached.get(fact, needs[second as usize]) {
                    return Status::Waits { first, second };
                }
                second += 1;
            }
            (first, second) = (first + 1, 0);
        }
        Status::Applies
    }

    /// Reaches the pairs of `gives`.
    fn give_pairs(&mut self, gives: &[u32]) {
        for &first in gives {
            for &second in gives {
                let word = second as usize / 64;
                let mutex = self.known.row(first)[word];
                self.reach(first, word, (1 << (second % 64)) & !mutex);
            }
        }
    }

    fn apply_to_changes(&mut self, rule: &Rule<'_>) {
        for chunk in 0..self.changed.stride() {
            let of_row = |row: u32| self.changed.row(row)[chunk] | self.changing.row(row)[chunk];
            let words = match rule.needs {
                [] => of_row(self.any),
                needs => needs.iter().fold(0, |words, &fact| words | of_row(fact)),
            };
            ones_of_word(chunk, words).for_each(|word| self.apply_to_word(rule, word as usize));
        }
    }

    /// Reaches what the rule gives together with any fact.
    fn apply_to_row(&mut self, rule: &Rule<'_>) {
        let mut stays = std::mem::take(&mut self.stays);
        stays.clear();
        let (&first, rest) = rule.needs.split_first().unwrap_or((&self.any, &[]));
        stays.extend_from_slice(self.reached.row(first));
        for &fact in rest {
            stays.iter_mut().zip(self.reached.row(fact)).for_each(|(word, row)| *word &= row);
        }
        for &fact in rule.avoids {
            stays.iter_mut().zip(self.known.row(fact)).for_each(|(word, row)| *word &= !row);
        }
        for &fact in rule.gives {
            for (index, &word) in stays.iter().enumerate() {
                self.reach(fact, index, word & !self.known.row(fact)[index]);
            }
        }
        self.stays = stays;
    }

    /// Reaches what the rule gives together with the facts of one word.
    fn apply_to_word(&mut self, rule: &Rule<'_>, index: usize) {
        let mut stays = match rule.needs {
            [] => self.reached.row(self.any)[index],
            _ => u64::MAX,
        };
        for &fact in rule.needs {
            stays &= self.reached.row(fact)[index];
            if stays == 0 {
                return;
            }
        }
        for &fact in rule.avoids {
            stays &= !self.known.row(fact)[index];
        }
        if stays != 0 {
            for &fact in rule.gives {
                self.reach(fact, index, stays & !self.known.row(fact)[index]);
            }
        }
    }

    /// Reaches `fact` together with the facts of a word.
    fn reach(&mut self, fact: u32, index: usize, word: u64) {
        let row = &mut self.reached.row_mut(fact)[index];
        let new = word & !*row;
        if new == 0 {
            return;
        }
        *row |= new;
        self.changing.set(fact, index as u32);
        for other in ones_of_word(index, new) {
            let row = if other == fact { self.any } else { other };
            self.reached.set(row, fact);
            self.changing.set(row, fact / 64);
        }
    }

    /// The pairs that are neither reached nor known to be mutex.
    fn unreached(self, limits: &Limits) -> Result<Mutexes, Stop> {
        limits.reserve(8 * self.reached.words().len() as u64)?;
        let mut found = self.known.clone();
        let full = found.full_row();
        for fact in 0..self.any {
            let row = found.bits_mut().row_mut(fact);
            let own = self.known.facts().numbers(self.known.facts().variable(FactId::new(fact)));
            for (index, word) in row.iter_mut().enumerate() {
                *word = full[index] & !self.reached.row(fact)[index] & !*word;
            }
            own.filter(|&other| other != fact).for_each(|other| {
                crate::bit_matrix::set(found.bits_mut().row_mut(fact), other);
            });
        }
        Ok(found)
    }
}
