//! Values of states, fast.
//!
//! For each abstraction, the values of one abstract state in all tables are neighbors in memory:
//! a state costs one cache miss or two for each abstraction, not for each abstraction in each
//! order. A successor differs from its parent in a few variables. Only abstractions that look at one
//! of these are asked for their abstract state, and where that is another one, the sums of the
//! parent are corrected.

use std::collections::BTreeSet;

use hipot_task::{Value, VariableId};

use super::tables::Tables;
use crate::abstraction::Abstraction;
use crate::collection::Collection;

/// The values of partitionings, arranged for evaluation.
#[derive(Clone, Debug)]
pub struct Lookup {
    entries: Vec<Entry>,
    /// For each variable, the entries whose abstractions look at it.
    by_variable: Vec<Vec<u32>>,
    partitionings: usize,
}

/// An abstraction with its tables.
#[derive(Clone, Debug)]
struct Entry {
    abstraction: Abstraction,
    is_dead: Vec<bool>,
    rows: Rows,
    /// The number of tables.
    width: usize,
    /// The partitionings that use a table, and which.
    uses: Vec<(u32, u32)>,
    /// What is read for a state: variables or splits, and tables.
    reads: usize,
}

/// For each abstract state, its value in each table.
#[derive(Clone, Debug)]
enum Rows {
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
}

/// A state as a [`Lookup`] sees it: its abstract states, and its value in each partitioning.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    states: Vec<u32>,
    sums: Vec<i64>,
}

impl Evaluated {
    /// The highest value of any partitioning; 0 if there are none.
    pub fn highest(&self) -> i64 {
        highest(&self.sums)
    }
}

fn highest(sums: &[i64]) -> i64 {
    sums.iter().copied().max().unwrap_or(0)
}

/// What evaluating a successor needs, to be used again for the next one.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    sums: Vec<i64>,
    /// For each entry, the number of the successor that it was looked up for last.
    seen: Vec<u64>,
    successor: u64,
}

impl Lookup {
    /// Arranges the values in `tables` of the abstractions of `collection`.
    pub fn new(collection: &Collection, tables: &Tables) -> Self {
        let mut entries = Vec::new();
        for (index, abstraction) in collection.abstractions().iter().enumerate() {
            let own = tables.of(index);
            if own.is_empty() && !collection.has_dead_states(index) {
                continue;
            }
            let uses = tables.partitionings().iter().enumerate().flat_map(|(number, parts)| {
                let own = parts.iter().filter(move |part| part.0 as usize == index);
                own.map(move |&(_, table)| (number as u32, table))
            });
            let states = 0..abstraction.size() as u32;
            let mut is_dead = Vec::new();
            if collection.has_dead_states(index) {
                is_dead.extend(states.clone().map(|state| collection.is_dead(index, state)));
            }
            let wide: Vec<i64> =
                states.flat_map(|state| own.iter().map(move |table| table.value(state))).collect();
            let narrow: Option<Vec<i32>> = wide.iter().map(|&it| i32::try_from(it).ok()).collect();
            let rows = narrow.map_or_else(|| Rows::Wide(wide), Rows::Narrow);
            let abstraction = abstraction.without_transitions_stored();
            let (width, uses) = (own.len(), uses.collect::<Vec<_>>());
            let reads = abstraction.mean_depth() + uses.len();
            entries.push(Entry { abstraction, is_dead, rows, width, uses, reads });
        }
        let mut by_variable = Vec::new();
        for (entry, number) in entries.iter().zip(0..) {
            for variable in entry.abstraction.variables() {
                if by_variable.len() <= variable.index() {
                    by_variable.resize(variable.index() + 1, Vec::new());
                }
                by_variable[variable.index()].push(number);
            }
        }
        Self { entries, by_variable, partitionings: tables.len() }
    }

    /// The number of tables, variables and splits that [`successor`](Self::successor) reads if these
    /// variables have changed.
    pub fn reads(&self, changed: impl Iterator<Item = VariableId>) -> usize {
        let entries = changed.flat_map(|it| self.by_variable.get(it.index()).into_iter().flatten());
        let entries: BTreeSet<u32> = entries.copied().collect();
        entries.iter().map(|&number| self.entries[number as usize].reads).sum()
    }

    /// The number of tables, variables and splits that [`evaluate`](Self::evaluate) reads.
    pub fn reads_of_state(&self) -> usize {
        self.entries.iter().map(|entry| entry.reads).sum()
    }

    /// Evaluates a state. Returns false if it is on no plan.
    pub fn evaluate(&self, state: &[Value], found: &mut Evaluated) -> bool {
        found.states.clear();
        found.sums.clear();
        found.sums.resize(self.partitionings, 0);
        for entry in &self.entries {
            let Some(own) = entry.state(state) else { return false };
            found.states.push(own);
            entry.add(own, &mut found.sums);
        }
        true
    }

    /// The highest value of any partitioning in `state`, which differs from a `parent` that was
    /// evaluated in the variables `changed` at most; 0 if there are no partitionings, `None` if
    /// the state is on no plan.
    pub fn successor(
        &self,
        parent: &Evaluated,
        state: &[Value],
        changed: impl Iterator<Item = VariableId>,
        scratch: &mut Scratch,
    ) -> Option<i64> {
        scratch.sums.clone_from(&parent.sums);
        scratch.seen.resize(self.entries.len(), 0);
        scratch.successor += 1;
        for variable in changed {
            for &number in self.by_variable.get(variable.index()).into_iter().flatten() {
                let number = number as usize;
                if scratch.seen[number] == scratch.successor {
                    continue;
                }
                scratch.seen[number] = scratch.successor;
                let (entry, old) = (&self.entries[number], parent.states[number]);
                let new = entry.state(state)?;
                if new != old {
                    entry.replace(old, new, &mut scratch.sums);
                }
            }
        }
        Some(highest(&scratch.sums))
    }
}

impl Entry {
    fn state(&self, state: &[Value]) -> Option<u32> {
        let own = self.abstraction.state(state)?;
        (!self.is_dead.get(own as usize).copied().unwrap_or(false)).then_some(own)
    }

    fn add(&self, state: u32, sums: &mut [i64]) {
        let begin = state as usize * self.width;
        for &(partitioning, table) in &self.uses {
            sums[partitioning as usize] += self.rows.value(begin + table as usize);
        }
    }

    fn replace(&self, old: u32, new: u32, sums: &mut [i64]) {
        let [old, new] = [old, new].map(|state| state as usize * self.width);
        for &(partitioning, table) in &self.uses {
            let table = table as usize;
            sums[partitioning as usize] +=
                self.rows.value(new + table) - self.rows.value(old + table);
        }
    }
}

impl Rows {
    fn value(&self, place: usize) -> i64 {
        match self {
            Self::Narrow(values) => values[place].into(),
            Self::Wide(values) => values[place],
        }
    }
}
