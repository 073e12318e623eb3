//! The LP as the engine sees it: one unit for each operator that has a constraint.
//!
//! A *unit* is the constraint of one operator, with its maxima in place:
//!
//! ```text
//! Δ_ind + Σ_V max_v s_{V,v} ≤ cost
//! ```
//!
//! Δ_ind is a sum of few entries of the table ([`layout`](super::layout)). The sums s are a
//! difference of rows of the table, on the slabs with variables of the operator's context. The
//! dual solution has a number λ for each unit and a number y for each alternative of its maxima;
//! there is an alternative for each column of these slabs, whether it has a meaning or not:
//! lanes without a variable of the context are marked in `present`, and alternatives that
//! mutexes exclude are *masked*.

use hipot_task::{FactId, Facts, OperatorId, VariableId};

use super::layout::{Feature, Lanes, Layout};
use super::real::LANES;

/// Fewer alternatives are not worth a second thread.
const ALTERNATIVES_PER_THREAD: usize = 10_000;

/// The maximum number of threads.
const MAX_THREADS: usize = 64;

/// The constraint of one operator, as those see it who add it.
pub(crate) struct Constraint<'a> {
    pub(crate) operator: OperatorId,
    pub(crate) cost: u32,
    /// The facts before and after, for each variable that changes.
    pub(crate) changes: &'a [(FactId, FactId)],
    /// The facts of the context that are always there.
    pub(crate) fixed: &'a [FactId],
    /// The other variables of the context.
    pub(crate) free: &'a [VariableId],
    /// Whether a fact of these variables cannot be there.
    pub(crate) is_excluded: &'a dyn Fn(FactId) -> bool,
}

/// A slab as part of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The first column of the slab.
    pub(super) begin: u32,
    /// The number of its columns is this times [`LANES`].
    pub(super) height: u16,
    /// Whether all lanes belong to one variable.
    pub(super) is_along: bool,
    /// The lanes whose variables belong to the context, a bit for each.
    pub(super) present: u8,
    /// The lanes whose maximum has 0 among its alternatives.
    pub(super) has_zero: u8,
}

impl Part {
    /// The number of its columns.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        usize::from(self.height) * LANES
    }

    /// Whether some of its lanes do not belong to the context.
    #[inline(always)]
    pub(super) fn has_absent(self) -> bool {
        !self.is_along && self.present != u8::MAX
    }
}

/// Columns that follow each other and belong to the parts of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) begin: u32,
    pub(super) len: u32,
}

/// The constraint of one operator.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) operator: OperatorId,
    pub(super) cost: f64,
    /// Where the parts of the unit end in the lists of the [`Structure`].
    ends: Ends,
}

/// Positions in the lists of a [`Structure`].
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    rows: u32,
    singles: u32,
    parts: u32,
    spans: u32,
    masked: u32,
    alternatives: usize,
}

/// The LP.
#[derive(Debug)]
pub(crate) struct Structure {
    facts: Facts,
    pub(super) layout: Layout,
    pub(super) units: Vec<Unit>,
    /// The rows of the facts before and after each change.
    rows: Vec<(u32, u32)>,
    /// The entries of Δ_ind, with their signs.
    singles: Vec<(u32, i32)>,
    parts: Vec<Part>,
    spans: Vec<Span>,
    /// Excluded alternatives, as positions in their unit.
    masked: Vec<u32>,
}

/// The part of a [`Structure`] that belongs to one unit.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) cost: f64,
    pub(super) rows: &'a [(u32, u32)],
    pub(super) singles: &'a [(u32, i32)],
    pub(super) parts: &'a [Part],
    /// The columns of all parts.
    pub(super) spans: &'a [Span],
    pub(super) masked: &'a [u32],
    /// The number of its alternatives.
    pub(super) alternatives: usize,
}

impl Structure {
    /// An LP over these features, with this many weights, without constraints; `None` if the
    /// table of weights would be too large.
    pub(crate) fn new(facts: &Facts, features: &[Feature], weights: usize) -> Option<Self> {
        Some(Self {
            facts: facts.clone(),
            layout: Layout::new(facts, features, weights)?,
            units: Vec::new(),
            rows: Vec::new(),
            singles: Vec::new(),
            parts: Vec::new(),
            spans: Vec::new(),
            masked: Vec::new(),
        })
    }

    /// The facts.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The number of weights.
    pub(super) fn weights(&self) -> usize {
        self.layout.weights()
    }

    /// The parts of a unit.
    #[inline]
    pub(super) fn view(&self, unit: usize) -> View<'_> {
        let begin = if unit == 0 { Ends::default() } else { self.units[unit - 1].ends };
        let Unit { cost, ends, .. } = self.units[unit];
        View {
            cost,
            rows: &self.rows[begin.rows as usize..ends.rows as usize],
            singles: &self.singles[begin.singles as usize..ends.singles as usize],
            parts: &self.parts[begin.parts as usize..ends.parts as usize],
            spans: &self.spans[begin.spans as usize..ends.spans as usize],
            masked: &self.masked[begin.masked as usize..ends.masked as usize],
            alternatives: ends.alternatives - begin.alternatives,
        }
    }

    /// The mean of the costs that are not 0; 1 if all are.
    pub(super) fn mean_cost(&self) -> f64 {
        let costs = self.units.iter().map(|unit| unit.cost).filter(|&cost| cost > 0.0);
        let (sum, count) = costs.fold((0.0, 0.0), |(sum, count), cost| (sum + cost, count + 1.0));
        if count > 0.0 { sum / count } else { 1.0 }
    }

    pub(super) fn divide_costs(&mut self, by: f64) {
        self.units.iter_mut().for_each(|unit| unit.cost /= by);
    }

    /// A bound on the bytes that the engine will take, with so many threads: dual numbers and
    /// tables, twice because of polishing, and lists of the tables' entries. Step sizes need less,
    /// and are computed before.
    pub(crate) fn bytes(&self, threads: usize) -> u64 {
        let sizes = [self.layout.len(), self.layout.entry_count(), self.alternatives()];
        let [table, entries, alternatives] = sizes.map(|it| it as u64);
        (16 * table + 16 * entries) * threads.max(1) as u64 + 24 * alternatives
    }

    /// How many of these threads are worth their meetings.
    pub(crate) fn threads(&self, most: usize) -> usize {
        most.min(MAX_THREADS).min(self.alternatives() / ALTERNATIVES_PER_THREAD).max(1)
    }

    /// The number of alternatives of all maxima.
    pub(crate) fn alternatives(&self) -> usize {
        self.units.last().map_or(0, |unit| unit.ends.alternatives)
    }

    /// Adds a constraint.
    pub(crate) fn add(&mut self, constraint: &Constraint<'_>) {
        let Constraint { operator, cost, changes, .. } = *constraint;
        for &(before, after) in changes {
            self.rows.push((self.layout.row(before), self.layout.row(after)));
        }
        self.add_singles(constraint);
        let mut is_free = vec![false; self.facts.variable_count()];
        constraint.free.iter().for_each(|variable| is_free[variable.index()] = true);
        let (begin, first_span) = (self.alternatives(), self.spans.len());
        let mut end = begin;
        for number in 0..self.layout.slabs.len() {
            if self.add_part(number, &is_free, constraint.is_excluded, end - begin) {
                end += self.layout.slabs[number].len();
                self.extend_spans(number, first_span);
            }
        }
        let ends = Ends {
            rows: self.rows.len() as u32,
            singles: self.singles.len() as u32,
            parts: self.parts.len() as u32,
            spans: self.spans.len() as u32,
            masked: self.masked.len() as u32,
            alternatives: end,
        };
        self.units.push(Unit { operator, cost: f64::from(cost), ends });
    }

    /// Adds a slab to the spans of a unit, which begin at `first`.
    fn extend_spans(&mut self, number: usize, first: usize) {
        let slab = &self.layout.slabs[number];
        let (begin, len) = (slab.begin as u32, slab.len() as u32);
        match self.spans[first..].last_mut() {
            Some(last) if last.begin + last.len == begin => last.len += len,
            _ => self.spans.push(Span { begin, len }),
        }
    }

    fn add_singles(&mut self, constraint: &Constraint<'_>) {
        // An entry that is no feature is always 0.
        let (layout, singles) = (&self.layout, &mut self.singles);
        let mut add = |a: FactId, b: FactId, sign: i32| {
            singles.extend(layout.entry(a, b).map(|entry| (entry, sign)));
        };
        for (position, &(before, after)) in constraint.changes.iter().enumerate() {
            for &(other_before, other_after) in &constraint.changes[..=position] {
                add(before, other_before, 1);
                add(after, other_after, -1);
            }
            for &fact in constraint.fixed {
                add(before, fact, 1);
                add(after, fact, -1);
            }
        }
    }

    /// Adds a slab to a unit that has `offset` alternatives so far, if some of its variables
    /// are present; returns whether it does.
    fn add_part(
        &mut self,
        number: usize,
        is_free: &[bool],
        is_excluded: &dyn Fn(FactId) -> bool,
        offset: usize,
    ) -> bool {
        let slab = &self.layout.slabs[number];
        let mut part = Part {
            begin: slab.begin as u32,
            height: slab.height as u16,
            is_along: matches!(slab.lanes, Lanes::Along(_)),
            present: 0,
            has_zero: 0,
        };
        for (lane, variable) in slab.variables().iter().enumerate() {
            if !is_free[variable.index()] {
                continue;
            }
            part.present |= 1 << lane;
            let mut columns = 0;
            for fact in self.facts.of_variable(*variable) {
                match self.layout.column(fact) {
                    None if !is_excluded(fact) => part.has_zero |= 1 << lane,
                    None => {}
                    Some(column) => {
                        columns += 1;
                        if is_excluded(fact) {
                            let place = offset + column as usize - slab.begin;
                            self.masked.push(place as u32);
                        }
                    }
                }
            }
            // An empty place is an alternative with the sum 0.
            let (places, step) = match slab.lanes {
                Lanes::Across(_) => (slab.height, LANES),
                Lanes::Along(_) => (slab.len(), 1),
            };
            if part.has_zero >> lane & 1 == 0 {
                let empty = columns..places;
                self.masked.extend(empty.map(|it| (offset + it * step + lane) as u32));
            }
        }
        if part.present != 0 {
            self.parts.push(part);
        }
        part.present != 0
    }
}
