//! The reduced LP of Theorem 1, written or only counted.
//!
//! The LP is written group by group ([`groups`]). For a group, the writer first adds the
//! maxima that its operators need (Eq. 9) and then one row for each operator that is neither
//! dominated nor represented by a symmetric one (Eq. 8). What departs from Eq. 8 and 9:
//!
//! - *Expressions over classes.* Features of one class share a column, so a sum over features
//!   becomes a sum over classes with integer factors; what cancels disappears.
//! - *Maxima are looked up twice.* First by variable and excluded values: operators of a group
//!   share the maximum if mutexes exclude the same values. Then by the set of different sums
//!   that it ranges over: variables with the same sums, such as those of interchangeable
//!   objects, share the column z, which occurs in Eq. 8 with a factor.
//! - *Trivial maxima have no column.* A maximum over a single sum is that sum. If mutexes leave
//!   a variable no value at all, the operator is never applicable and has no row.
//!
//! The same code writes to a [`Problem`] or only counts rows, columns and nonzeros, so the
//! size is known, exactly, before any memory is allocated for the LP. Counting stops as soon
//! as a limit on the nonzeros is exceeded.

use std::collections::HashMap;

use hipot_lp::{Bounds, Column, Problem, Row, Size};
use hipot_task::{FactId, Limits, OperatorId, Stop, VariableId};

use super::classes::{Classes, NO_FEATURE};
use super::groups::{Group, Member};
use crate::exclusions::Excluded;
use crate::family::Constraint;
use crate::normal_form::NormalForm;

/// The reduced LP of Theorem 1. The first columns are the weights of the
/// classes, in order.
#[derive(Debug)]
pub(crate) struct PairModel {
    pub(crate) problem: Problem,
    /// The operators of a group share the rows of Eq. 9.
    pub(crate) constraints: Vec<Constraint>,
}

impl PairModel {
    /// The LP over `classes`, which has the given size; its objective is 0.
    /// Constraints are written for the operators for which `is_representative` holds.
    pub(crate) fn new(
        normal: &NormalForm,
        classes: &Classes,
        groups: &[Group],
        size: Size,
        is_representative: impl Fn(OperatorId) -> bool,
    ) -> Self {
        let mut problem = Problem::maximize();
        let [rows, columns, nonzeros] =
            [size.rows, size.columns, size.nonzeros].map(|it| usize::try_from(it).unwrap_or(0));
        problem.reserve(rows, columns, nonzeros);
        let _ = problem.add_columns(classes.len(), 0.0, ..);
        let mut writer = Writer::new(problem, normal, classes);
        writer.write(groups, is_representative);
        let Writer { sink: problem, constraints, .. } = writer;
        Self { problem, constraints }
    }
}

/// The size of the LP that [`PairModel::new`] would write; `None` if it has more
/// than `max_nonzeros`. Counting a large LP takes seconds: `limits` may end it.
pub(crate) fn predict(
    normal: &NormalForm,
    classes: &Classes,
    groups: &[Group],
    is_representative: impl Fn(OperatorId) -> bool,
    max_nonzeros: u64,
    limits: &Limits,
) -> Result<Option<Size>, Stop> {
    let size = Size { columns: classes.len() as u64, ..Size::default() };
    let mut writer = Writer::new(Counter { size, max_nonzeros, limits }, normal, classes);
    writer.write(groups, is_representative);
    let size = writer.sink.size;
    limits.check()?;
    Ok((size.nonzeros <= max_nonzeros).then_some(size))
}

/// A destination for rows and columns.
trait Sink {
    fn column(&mut self, bounds: Bounds) -> Column;
    fn row(&mut self, bounds: Bounds, terms: &[(Column, f64)]) -> Row;

    /// Whether a limit is exceeded, so that writing can stop.
    fn is_full(&self) -> bool {
        false
    }
}

impl Sink for Problem {
    fn column(&mut self, bounds: Bounds) -> Column {
        Problem::add_column(self, 0.0, bounds)
    }

    fn row(&mut self, bounds: Bounds, terms: &[(Column, f64)]) -> Row {
        Problem::add_row(self, bounds, terms.iter().copied())
    }
}

/// Counts rows, columns and nonzeros, up to `max_nonzeros`.
struct Counter<'a> {
    size: Size,
    max_nonzeros: u64,
    limits: &'a Limits,
}

impl Sink for Counter<'_> {
    fn column(&mut self, _: Bounds) -> Column {
        self.size.columns += 1;
        Column(self.size.columns as u32 - 1)
    }

    fn row(&mut self, _: Bounds, terms: &[(Column, f64)]) -> Row {
        self.size.rows += 1;
        self.size.nonzeros += terms.len() as u64;
        Row(self.size.rows as u32 - 1)
    }

    fn is_full(&self) -> bool {
        self.size.nonzeros > self.max_nonzeros || self.limits.check().is_err()
    }
}

/// A linear expression over the weights: classes with their factors, in order.
type Sum = Vec<(u32, i32)>;

/// The sums that a variable's maximum ranges over.
type Sums = Vec<Sum>;

struct Writer<'a, S> {
    sink: S,
    normal: &'a NormalForm,
    classes: &'a Classes,
    constraints: Vec<Constraint>,
}

impl<'a, S: Sink> Writer<'a, S> {
    fn new(sink: S, normal: &'a NormalForm, classes: &'a Classes) -> Self {
        Self { sink, normal, classes, constraints: Vec::new() }
    }

    fn write(&mut self, groups: &[Group], is_representative: impl Fn(OperatorId) -> bool) {
        for group in groups {
            if self.sink.is_full() {
                return;
            }
            let members = group.undominated().filter(|it| is_representative(it.operator));
            let members: Vec<&Member> = members.collect();
            if !members.is_empty() {
                self.group(group, &members);
            }
        }
    }

    fn group(&mut self, group: &Group, members: &[&Member]) {
        let classes = self.classes;
        let mut maxima = Maxima::new(classes.pairs().context(&group.changed(classes.facts())));
        let contexts: Vec<_> =
            members.iter().map(|it| self.contexts(group, it, &mut maxima)).collect();
        for (member, contexts) in members.iter().zip(contexts) {
            // Without a context, the operator is never applicable.
            let Some(contexts) = contexts else { continue };
            let cost_row = self.cost(group, member, &contexts);
            let (operator, max_rows) = (member.operator, maxima.rows.clone());
            self.constraints.push(Constraint { operator, cost_row, max_rows });
        }
    }

    /// The maxima of an operator over its possible contexts; `None` if it has none.
    fn contexts(
        &mut self,
        group: &Group,
        member: &Member,
        maxima: &mut Maxima,
    ) -> Option<Vec<Maximum>> {
        let facts = self.classes.facts();
        let excluded = Excluded::new(self.normal, member.operator)?;
        let mut contexts = Vec::new();
        for place in 0..maxima.context.len() {
            let variable = maxima.context[place];
            if !member.requires(variable, facts) {
                let excluded = excluded.among(facts.numbers(variable));
                match self.maximum_of(group, place, excluded, maxima) {
                    Maximum::None => return None,
                    Maximum::Sum(sum) if sum.is_empty() => {}
                    maximum => contexts.push(maximum),
                }
            }
        }
        Some(contexts)
    }

    /// [PHB17, Eq. 9; constraint:bound-ge-max]
    ///
    /// ```text
    /// z_V ≥ Σ w(a ∧ ⟨V, v⟩) − Σ w(b ∧ ⟨V, v⟩)   for each value v of V
    /// ```
    ///
    /// over the facts a that the group makes false and b that it makes true.
    /// z_V is at least what the changes can take from φ through features with V.
    ///
    /// Excluded values have no row. Values for which the sum is empty give the
    /// bound z_V ≥ 0; if there are none, z_V is free. If there is only one sum,
    /// it is the maximum. Variables with the same sums share z.
    fn maximum_of(
        &mut self,
        group: &Group,
        place: usize,
        excluded: Vec<u64>,
        maxima: &mut Maxima,
    ) -> Maximum {
        if let Some(known) = maxima.by_values.get(&(place, excluded.clone())) {
            return known.clone();
        }
        let is_excluded = |value: usize| {
            excluded.get(value / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
        };
        let sums = self.sums(group, maxima.context[place]).into_iter().enumerate();
        let allowed = sums.filter(|&(value, _)| !is_excluded(value));
        let mut sums: Sums = allowed.map(|(_, sum)| sum).collect();
        sums.sort_unstable();
        sums.dedup();
        let maximum = match sums.len() {
            0 => Maximum::None,
            1 => Maximum::Sum(sums.remove(0)),
            _ => Maximum::Column(self.column_of(sums, maxima)),
        };
        maxima.by_values.insert((place, excluded), maximum.clone());
        maximum
    }

    fn column_of(&mut self, sums: Sums, maxima: &mut Maxima) -> Column {
        if let Some(&known) = maxima.by_sums.get(&sums) {
            return known;
        }
        let column = self.maximum(&sums, &mut maxima.rows);
        maxima.by_sums.insert(sums, column);
        column
    }

    fn maximum(&mut self, sums: &Sums, rows: &mut std::ops::Range<u32>) -> Column {
        let has_zero = sums.iter().any(Vec::is_empty);
        let bounds = if has_zero { Bounds::from(0.0..) } else { Bounds::FREE };
        let z = self.sink.column(bounds);
        for sum in sums.iter().filter(|sum| !sum.is_empty()) {
            let mut terms = vec![(z, 1.0)];
            terms
                .extend(sum.iter().map(|&(class, factor)| (Column(class - 1), -f64::from(factor))));
            let row = self.sink.row(Bounds::from(0.0..), &terms).index() as u32;
            if rows.end == 0 {
                rows.start = row;
            }
            rows.end = row + 1;
        }
        z
    }

    /// For each fact of a variable, what the changes take from φ through features with it.
    fn sums(&self, group: &Group, variable: VariableId) -> Sums {
        let classes = self.classes;
        let blocks = group.changes.iter().map(|&(before, after)| {
            (classes.with_facts_of(before, variable), classes.with_facts_of(after, variable))
        });
        let blocks: Vec<_> = blocks.filter(|(before, _)| !before.is_empty()).collect();
        let sum = |value: usize| {
            let terms =
                blocks.iter().flat_map(|(before, after)| [(before[value], 1), (after[value], -1)]);
            collect(terms.collect())
        };
        (0..classes.facts().domain_size(variable)).map(sum).collect()
    }

    /// What the changes take from φ through features with one fact.
    fn sum(&self, group: &Group, fact: FactId) -> Sum {
        let mut terms = Vec::with_capacity(2 * group.changes.len());
        for &(before, after) in &group.changes {
            terms.push((self.classes.class(before, fact), 1));
            terms.push((self.classes.class(after, fact), -1));
        }
        collect(terms)
    }

    /// [PHB17, Eq. 8; constraint:transition-consistency-rewrite]
    ///
    /// ```text
    /// Δ_o^ind + Σ_V z_V ≤ cost(o)
    /// ```
    ///
    /// In no context does o take more from φ than it costs.
    ///
    /// The sum is over the variables that o does not mention. Features with a
    /// fact that o requires and keeps belong to Δ_o^ind.
    fn cost(&mut self, group: &Group, member: &Member, contexts: &[Maximum]) -> Row {
        let mut terms = Vec::new();
        for (position, &(before, after)) in group.changes.iter().enumerate() {
            for &(other_before, other_after) in &group.changes[..=position] {
                terms.push((self.classes.class(before, other_before), 1));
                terms.push((self.classes.class(after, other_after), -1));
            }
        }
        for &fact in &member.prevail {
            terms.extend(self.sum(group, fact));
        }
        let mut free: Vec<Column> = Vec::new();
        for maximum in contexts {
            match maximum {
                Maximum::Sum(sum) => terms.extend(sum),
                Maximum::Column(column) => free.push(*column),
                Maximum::None => unreachable!("the operator is never applicable"),
            }
        }
        let weights = collect(terms).into_iter();
        let mut row: Vec<(Column, f64)> =
            weights.map(|(class, factor)| (Column(class - 1), f64::from(factor))).collect();
        free.sort_unstable();
        let same = free.chunk_by(|one, other| one == other);
        row.extend(same.map(|columns| (columns[0], columns.len() as f64)));
        self.sink.row(Bounds::from(..=f64::from(member.cost)), &row)
    }
}

/// The most that a group takes from φ through features with one variable.
#[derive(Clone)]
enum Maximum {
    /// All values of the variable are excluded.
    None,
    /// The same sum for all values.
    Sum(Sum),
    /// The column z.
    Column(Column),
}

/// The maxima of a group that were needed so far, and their rows.
struct Maxima {
    /// The variables on which the group's decrease of φ depends.
    context: Vec<VariableId>,
    /// By the variable's position in the context and its excluded values.
    by_values: HashMap<(usize, Vec<u64>), Maximum>,
    by_sums: HashMap<Sums, Column>,
    rows: std::ops::Range<u32>,
}

impl Maxima {
    fn new(context: Vec<VariableId>) -> Self {
        Self { context, by_values: HashMap::new(), by_sums: HashMap::new(), rows: 0..0 }
    }
}

/// Adds up the factors of each class, and drops [`NO_FEATURE`] and what cancels.
fn collect(mut terms: Sum) -> Sum {
    terms.sort_unstable();
    let mut sum = Sum::with_capacity(terms.len());
    for (class, factor) in terms {
        match sum.last_mut() {
            Some((last, total)) if *last == class => *total += factor,
            _ => sum.push((class, factor)),
        }
    }
    sum.retain(|&(class, factor)| class != NO_FEATURE && factor != 0);
    sum
}
