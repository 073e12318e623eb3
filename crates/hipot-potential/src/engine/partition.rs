//! Which thread has which units, and which entries of the table these need.
//!
//! A unit reads and writes the rows of the facts that it changes, and nothing else. So a thread
//! needs the rows of its units only, and what is done for entries of the table costs less if
//! units with the same rows are together. Units come one by one, each to the part that has most of
//! its rows, less so the fuller the part is (linear deterministic greedy; Stanton and Kliot 2012).
//!
//! Most units sleep, and nobody knows beforehand which. So the units are distributed again if one
//! part turns out to have much more to do than another.

use std::ops::Range;

use super::layout::Layout;
use super::real::Real;
use super::structure::{Structure, View};

/// What a unit takes for each of its alternatives, where an entry of the table takes 1: awake,
/// asleep, and as long as nobody knows.
pub(super) const AWAKE: f64 = 3.0;
pub(super) const ASLEEP: f64 = 0.15;
pub(super) const UNKNOWN: f64 = 0.5;

/// Rows with less than one feature in so many entries are cleared entry by entry.
const SPARSE: usize = 8;

/// The part of each unit, of so many parts. `load` says what a unit takes for each of its
/// alternatives.
pub(super) fn parts_of_units(
    structure: &Structure,
    parts: usize,
    load: impl Fn(usize) -> f64,
) -> Vec<usize> {
    let units = structure.units.len();
    if parts == 1 {
        return vec![0; units];
    }
    let sizes = row_sizes(&structure.layout);
    let load = |unit: usize| structure.view(unit).alternatives as f64 * load(unit);
    let rows_of: Vec<Vec<usize>> =
        (0..units).map(|unit| rows(&structure.layout, &structure.view(unit))).collect();
    let mut is_used = vec![false; sizes.len()];
    for &row in rows_of.iter().flatten() {
        is_used[row] = true;
    }
    let used = sizes.iter().zip(is_used).filter(|it| it.1).map(|it| f64::from(*it.0));
    let total: f64 = (0..units).map(load).sum::<f64>() + used.sum::<f64>();
    let capacity = 1.0 + total / parts as f64;
    let mut is_in = vec![vec![false; sizes.len()]; parts];
    let mut loads = vec![0.0; parts];
    let mut part_of = Vec::with_capacity(units);
    for (unit, rows) in rows_of.into_iter().enumerate() {
        let score = |part: usize| {
            let known = rows.iter().filter(|&&row| is_in[part][row]);
            let known: f64 = known.map(|&row| f64::from(sizes[row])).sum();
            (1.0 + known) * (1.0 - loads[part] / capacity)
        };
        let best = |a: &usize, b: &usize| score(*a).total_cmp(&score(*b)).then(b.cmp(a));
        let part = (0..parts).max_by(best).unwrap_or(0);
        for row in rows {
            if !std::mem::replace(&mut is_in[part][row], true) {
                loads[part] += f64::from(sizes[row]);
            }
        }
        loads[part] += load(unit);
        part_of.push(part);
    }
    part_of
}

/// The rows of a unit, each once.
fn rows(layout: &Layout, view: &View<'_>) -> Vec<usize> {
    let changed = view.rows.iter().flat_map(|&(before, after)| [before, after]);
    let singles = view.singles.iter().map(|&(entry, _)| entry);
    let mut rows: Vec<usize> = changed.chain(singles).map(|it| layout.row_of(it)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The number of entries of each row.
fn row_sizes(layout: &Layout) -> Vec<u32> {
    let mut sizes = vec![0; layout.rows()];
    layout.for_each_weight(|_, entries| {
        for &entry in entries {
            sizes[layout.row_of(entry)] += 1;
        }
    });
    sizes
}

/// The entries in the rows of some units, by weight.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    weights: Vec<u32>,
    /// Where the entries of each of these weights end.
    ends: Vec<u32>,
    all: Vec<u32>,
    /// The rows, those beside each other as one.
    rows: Vec<Range<usize>>,
}

impl Entries {
    pub(super) fn new(structure: &Structure, units: impl Iterator<Item = usize>) -> Self {
        let layout = &structure.layout;
        let mut is_in = vec![false; layout.rows()];
        for unit in units {
            for row in rows(layout, &structure.view(unit)) {
                is_in[row] = true;
            }
        }
        let mut own = Self {
            weights: Vec::new(),
            ends: Vec::new(),
            all: Vec::new(),
            rows: ranges((0..is_in.len()).filter(|&it| is_in[it]).map(|it| layout.range_of(it))),
        };
        layout.for_each_weight(|weight, entries| {
            let len = own.all.len();
            own.all.extend(entries.iter().filter(|&&entry| is_in[layout.row_of(entry)]));
            if own.all.len() > len {
                own.weights.push(weight as u32);
                own.ends.push(own.all.len() as u32);
            }
        });
        own
    }

    /// Writes weights into the table; they come in pieces, one after another.
    pub(super) fn write<'a, R: Real>(
        &self,
        pieces: impl Iterator<Item = &'a [f64]>,
        table: &mut [R],
    ) {
        let (mut first, mut place, mut begin) = (0, 0, 0);
        for piece in pieces {
            let after = first + piece.len();
            let own = self.weights[place..].partition_point(|&it| (it as usize) < after);
            for (&weight, &end) in self.weights[place..].iter().zip(&self.ends[place..]).take(own) {
                let weight = R::of(piece[weight as usize - first]);
                for &entry in &self.all[begin..end as usize] {
                    table[entry as usize] = weight;
                }
                begin = end as usize;
            }
            place += own;
            first = after;
        }
    }

    /// Adds up the entries of each weight; `sums` has a number for each weight, and those of
    /// others stay as they are.
    pub(super) fn collect<R: Real>(&self, table: &[R], sums: &mut [R]) {
        let mut begin = 0;
        for (&weight, &end) in self.weights.iter().zip(&self.ends) {
            let mut sum = R::ZERO;
            for &entry in &self.all[begin..end as usize] {
                sum += table[entry as usize];
            }
            sums[weight as usize] = sum;
            begin = end as usize;
        }
    }

    /// Sets all entries to 0.
    pub(super) fn clear<R: Real>(&self, table: &mut [R]) {
        let in_rows: usize = self.rows.iter().map(Range::len).sum();
        if self.all.len() * SPARSE > in_rows {
            self.rows.iter().for_each(|row| table[row.clone()].fill(R::ZERO));
        } else {
            self.all.iter().for_each(|&entry| table[entry as usize] = R::ZERO);
        }
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

/// Ranges in order, with those that touch joined.
fn ranges(all: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in all {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hipot_testing::RandomTask;

    use super::super::run::tests::structure;
    use super::*;

    /// Each unit has all of its rows in its part, and each entry that a unit needs is there.
    #[test]
    fn parts_have_the_entries_of_their_units() {
        for seed in 0..20 {
            let shape = RandomTask { variables: 8, operators: 40, ..RandomTask::default() };
            let structure = structure(&shape.generate(seed));
            assert_eq!(structure.threads(usize::MAX), 1, "the LP is small");
            let layout = &structure.layout;
            for parts in 1..=3 {
                let part_of = parts_of_units(&structure, parts, |_| UNKNOWN);
                let used = (0..parts).filter(|part| part_of.contains(part)).count();
                assert_eq!(used, parts.min(part_of.len()), "of {part_of:?}");
                for part in 0..parts {
                    let units: Vec<usize> =
                        (0..part_of.len()).filter(|&unit| part_of[unit] == part).collect();
                    let own = Entries::new(&structure, units.iter().copied());
                    let needed: BTreeSet<usize> =
                        units.iter().flat_map(|&it| rows(layout, &structure.view(it))).collect();
                    let weights: Vec<f64> = (1..=layout.weights()).map(|it| it as f64).collect();
                    let mut expected = vec![0.0; layout.len()];
                    let mut sums = vec![0.0; layout.weights()];
                    layout.for_each_weight(|weight, all| {
                        let is_needed = |entry: &&u32| needed.contains(&layout.row_of(**entry));
                        for &entry in all.iter().filter(is_needed) {
                            expected[entry as usize] = weights[weight];
                            sums[weight] += weights[weight];
                        }
                    });
                    let mut table = vec![0.0; layout.len()];
                    let (first, second) = weights.split_at(weights.len() / 3);
                    own.write([first, second].into_iter(), &mut table);
                    assert_eq!(table, expected);
                    let mut collected = vec![0.0; layout.weights()];
                    own.collect(&table, &mut collected);
                    assert_eq!(collected, sums);
                    own.clear(&mut table);
                    assert_eq!(table, vec![0.0; layout.len()]);
                }
            }
        }
    }

    #[test]
    fn ranges_that_touch_are_joined() {
        let joined = ranges([0..2, 2..5, 7..8, 8..9].into_iter());
        assert_eq!(joined, [0..5, 7..9]);
    }
}
