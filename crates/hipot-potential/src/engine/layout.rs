//! Where weights lie: a square table over facts.
//!
//! The table has a row and a column for each fact that occurs in features of two facts; the
//! entry of two facts is the weight of their pair. The weights of single facts come after the
//! table. Each pair is there twice, so what an operator's changes take from φ through features with
//! *each* fact of the context is a sum of whole rows: no index is read for a nonzero of the LP.
//!
//! *Slabs.* A maximum ranges over the facts of one variable, and most variables have few. So the
//! columns are cut into slabs of [`LANES`] columns times a height, and loops work on all lanes
//! at once. A slab *across* variables has a variable in each lane and the facts of a variable
//! below each other, so it computes [`LANES`] maxima side by side; its variables have about the
//! same number of facts, and what is missing stays empty. A slab *along* one variable with many
//! facts has these in all lanes.

use std::ops::Range;

use hipot_task::{FactId, Facts, VariableId};

use super::real::LANES;

/// A feature of one fact, given twice, or of two, and the number of its weight.
pub(crate) type Feature = (FactId, FactId, u32);

/// The column of facts without features.
const NO_COLUMN: u32 = u32::MAX;

/// What the lanes of a slab are.
#[derive(Clone, Debug)]
pub(super) enum Lanes {
    /// A variable for each lane, at most [`LANES`].
    Across(Vec<VariableId>),
    /// Facts of this variable.
    Along(VariableId),
}

/// Columns for one variable or for some.
#[derive(Clone, Debug)]
pub(super) struct Slab {
    /// The first column.
    pub(super) begin: usize,
    /// The number of columns is this times [`LANES`].
    pub(super) height: usize,
    pub(super) lanes: Lanes,
}

impl Slab {
    /// The variables, in the order of the lanes.
    pub(super) fn variables(&self) -> &[VariableId] {
        match &self.lanes {
            Lanes::Across(variables) => variables,
            Lanes::Along(variable) => std::slice::from_ref(variable),
        }
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.height * LANES
    }
}

/// The table's columns, and which entries are features.
#[derive(Debug)]
pub(super) struct Layout {
    /// The column of each fact.
    columns: Vec<u32>,
    pub(super) width: usize,
    pub(super) slabs: Vec<Slab>,
    /// The entries of each weight, one weight after another, and where those of each end.
    entries: Vec<u32>,
    ends: Vec<u32>,
}

impl Layout {
    /// The layout for features with this many weights; `None` if the table would have more
    /// entries than can be numbered.
    pub(super) fn new(facts: &Facts, features: &[Feature], weights: usize) -> Option<Self> {
        let mut has_column = vec![false; facts.len()];
        for &(a, b, _) in features.iter().filter(|(a, b, _)| a != b) {
            has_column[a.index()] = true;
            has_column[b.index()] = true;
        }
        let of_variable =
            |it: VariableId| facts.of_variable(it).filter(|fact| has_column[fact.index()]);
        let sizes = facts.variable_ids().map(|it| (of_variable(it).count(), it));
        let slabs = slabs(sizes.filter(|&(size, _)| size > 0).collect());
        let width = slabs.last().map_or(0, |it| it.begin + it.len());
        let mut columns = vec![NO_COLUMN; facts.len()];
        for slab in &slabs {
            let step = if let Lanes::Across(_) = slab.lanes { LANES } else { 1 };
            for (lane, &variable) in slab.variables().iter().enumerate() {
                for (number, fact) in of_variable(variable).enumerate() {
                    columns[fact.index()] = (slab.begin + number * step + lane) as u32;
                }
            }
        }
        let mut layout = Self { columns, width, slabs, entries: Vec::new(), ends: Vec::new() };
        u32::try_from(layout.len()).ok()?;
        layout.add_entries(features, weights);
        Some(layout)
    }

    fn add_entries(&mut self, features: &[Feature], weights: usize) {
        let mut entries = Vec::with_capacity(2 * features.len());
        for &(a, b, weight) in features {
            let entry = |a, b| (weight, self.entry(a, b).expect("features have columns"));
            entries.push(entry(a, b));
            if a != b {
                entries.push(entry(b, a));
            }
        }
        entries.sort_unstable();
        self.ends = vec![0; weights];
        for &(weight, _) in &entries {
            self.ends[weight as usize] += 1;
        }
        let mut end = 0;
        for count in &mut self.ends {
            end += *count;
            *count = end;
        }
        self.entries = entries.into_iter().map(|(_, entry)| entry).collect();
    }

    /// The number of weights.
    pub(super) fn weights(&self) -> usize {
        self.ends.len()
    }

    /// The number of entries that are features.
    pub(super) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The entries of a weight.
    #[inline]
    pub(super) fn entries(&self, weight: usize) -> &[u32] {
        let begin = if weight == 0 { 0 } else { self.ends[weight - 1] };
        &self.entries[begin as usize..self.ends[weight] as usize]
    }

    /// Calls `found` with each weight and its entries, in order.
    #[inline]
    pub(super) fn for_each_weight(&self, mut found: impl FnMut(usize, &[u32])) {
        let mut begin = 0;
        for (weight, &end) in self.ends.iter().enumerate() {
            found(weight, &self.entries[begin as usize..end as usize]);
            begin = end;
        }
    }

    /// The column of a fact, if it has one.
    pub(super) fn column(&self, fact: FactId) -> Option<u32> {
        Some(self.columns[fact.index()]).filter(|&column| column != NO_COLUMN)
    }

    /// Where the row of a fact begins; facts without features share a row of zeros at the end.
    pub(super) fn row(&self, fact: FactId) -> u32 {
        let row = self.column(fact).map_or(self.width, |column| column as usize);
        (row * self.width) as u32
    }

    /// The place of the entry of two facts, if both have columns, or of one fact, given twice.
    pub(super) fn entry(&self, a: FactId, b: FactId) -> Option<u32> {
        if a == b {
            return Some((self.atoms() + a.index()) as u32);
        }
        Some(self.column(a)? * self.width as u32 + self.column(b)?)
    }

    /// The number of the row with an entry; that of a single fact is a row of its own.
    pub(super) fn row_of(&self, entry: u32) -> usize {
        let entry = entry as usize;
        entry.checked_sub(self.atoms()).map_or_else(|| entry / self.width, |it| it + self.width + 1)
    }

    /// The entries of a row.
    pub(super) fn range_of(&self, row: usize) -> Range<usize> {
        match row.checked_sub(self.width + 1) {
            None => row * self.width..(row + 1) * self.width,
            Some(fact) => self.atoms() + fact..self.atoms() + fact + 1,
        }
    }

    /// The number of rows, in this sense.
    pub(super) fn rows(&self) -> usize {
        self.width + 1 + self.columns.len()
    }

    /// The fact of an entry of a single fact.
    pub(super) fn atom(&self, entry: u32) -> Option<FactId> {
        (entry as usize).checked_sub(self.atoms()).map(|fact| FactId::new(fact as u32))
    }

    /// Where the entries of single facts begin.
    fn atoms(&self) -> usize {
        (self.width + 1) * self.width
    }

    /// The number of entries of the table, with its row of zeros, and of single facts.
    pub(super) fn len(&self) -> usize {
        self.atoms() + self.columns.len()
    }
}

/// Slabs for variables with these numbers of facts.
fn slabs(mut sizes: Vec<(usize, VariableId)>) -> Vec<Slab> {
    sizes.sort_by_key(|&(size, variable)| (std::cmp::Reverse(size), variable));
    let (mut slabs, mut begin) = (Vec::new(), 0);
    let mut rest = &sizes[..];
    while let Some(&(height, first)) = rest.first() {
        let next = &rest[..rest.len().min(LANES)];
        // In rows of lanes; one more for each variable along, to combine the lanes.
        let along: usize = next.iter().map(|&(size, _)| size.div_ceil(LANES) + 1).sum();
        let (height, lanes, used) = if height <= along {
            let variables = next.iter().map(|&(_, variable)| variable).collect();
            (height, Lanes::Across(variables), next.len())
        } else {
            (height.div_ceil(LANES), Lanes::Along(first), 1)
        };
        slabs.push(Slab { begin, height, lanes });
        begin += height * LANES;
        rest = &rest[used..];
    }
    slabs
}
