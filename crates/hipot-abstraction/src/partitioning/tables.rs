//! The values of many partitionings: a table for each share, each table once.
//!
//! The first abstractions of two orders often have the same values, and then the table is
//! shared. Numbers have 32 bits if all of them fit.

use std::collections::HashMap;

use super::saturated::{Part, Partitioning};

/// The values of an abstraction in one or several partitionings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// All values fit into 32 bits.
    Narrow(Vec<i32>),
    /// Some do not.
    Wide(Vec<i64>),
}

impl Table {
    fn new(values: &[i64]) -> Self {
        let narrow: Option<Vec<i32>> = values.iter().map(|&it| i32::try_from(it).ok()).collect();
        narrow.map_or_else(|| Self::Wide(values.to_vec()), Self::Narrow)
    }

    /// The value of an abstract state.
    pub fn value(&self, state: u32) -> i64 {
        match self {
            Self::Narrow(values) => values[state as usize].into(),
            Self::Wide(values) => values[state as usize],
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Narrow(values) => 4 * values.len() as u64,
            Self::Wide(values) => 8 * values.len() as u64,
        }
    }
}

/// Partitionings of one collection of abstractions.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// For each abstraction, its different tables.
    by_abstraction: Vec<Vec<Table>>,
    index_of: HashMap<(usize, Table), u32>,
    /// For each partitioning, its abstractions and their tables.
    partitionings: Vec<Vec<(u32, u32)>>,
    bytes: u64,
}

impl Tables {
    /// No partitioning of so many abstractions.
    pub fn new(abstractions: usize) -> Self {
        Self { by_abstraction: vec![Vec::new(); abstractions], ..Self::default() }
    }

    /// Adds a partitioning.
    pub fn push(&mut self, partitioning: &Partitioning) {
        let own = partitioning.parts.iter().map(|part| self.add(part)).collect();
        self.partitionings.push(own);
    }

    fn add(&mut self, part: &Part) -> (u32, u32) {
        let key = (part.abstraction, Table::new(&part.values));
        let own = &mut self.by_abstraction[part.abstraction];
        let table = *self.index_of.entry(key).or_insert_with_key(|(_, table)| {
            self.bytes += 2 * table.bytes();
            own.push(table.clone());
            own.len() as u32 - 1
        });
        (part.abstraction as u32, table)
    }

    /// Forgets what only [`push`](Self::push) needs.
    pub fn shrink(&mut self) {
        self.index_of = HashMap::new();
        self.bytes = self.by_abstraction.iter().flatten().map(Table::bytes).sum();
    }

    /// The number of partitionings.
    pub fn len(&self) -> usize {
        self.partitionings.len()
    }

    /// Whether there are no partitionings.
    pub fn is_empty(&self) -> bool {
        self.partitionings.is_empty()
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The different tables of an abstraction.
    pub fn of(&self, abstraction: usize) -> &[Table] {
        &self.by_abstraction[abstraction]
    }

    /// For each partitioning, its abstractions and which of their tables it uses.
    pub fn partitionings(&self) -> &[Vec<(u32, u32)>] {
        &self.partitionings
    }

    /// The values of an abstraction in a partitioning: pairs of abstraction and table.
    pub fn parts(&self, partitioning: usize) -> impl Iterator<Item = (usize, &Table)> {
        let parts = self.partitionings[partitioning].iter();
        parts
            .map(|&(own, table)| (own as usize, &self.by_abstraction[own as usize][table as usize]))
    }

    /// The value of a partitioning in a state that is given by its abstract states.
    pub fn value(&self, partitioning: usize, states: &[u32]) -> i64 {
        self.parts(partitioning).map(|(own, table)| table.value(states[own])).sum()
    }
}
