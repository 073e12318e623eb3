//! The reduced LP.

use std::collections::HashMap;

use hipot_lp::{Bounds, Column, Problem, Row};
use hipot_task::{OperatorId, Task, Value, VariableId};

use super::classes::{Classes, NO_FEATURE};
use super::parts::{Part, Requirement, drop_dominated, parts};
use crate::formulation::Constraint;
use crate::model::Size;

/// The reduced LP of Theorem 1. The first columns are the weights of the
/// classes, in order.
#[derive(Debug)]
pub(crate) struct PairModel {
    pub(crate) classes: Classes,
    pub(crate) problem: Problem,
    /// The operators of a part share the rows of Eq. 9.
    pub(crate) constraints: Vec<Constraint>,
}

impl PairModel {
    /// The LP for the TNF task `task` that maximizes φ(`state`) − φ(s_⋆), which
    /// has the given size.
    /// `is_representative` tells which operators to write constraints for.
    pub(crate) fn new(
        task: &Task,
        classes: Classes,
        size: Size,
        state: &[Value],
        is_representative: impl Fn(OperatorId) -> bool,
    ) -> Self {
        let mut problem = Problem::maximize();
        let [rows, columns, nonzeros] =
            [size.rows, size.columns, size.nonzeros].map(|it| usize::try_from(it).unwrap_or(0));
        problem.reserve(rows, columns, nonzeros);
        let _ = problem.add_columns(classes.len(), 0.0, ..);
        let mut writer = Writer::new(problem, &classes);
        writer.write(task, is_representative);
        let Writer { sink: mut problem, constraints, .. } = writer;
        let goal: Vec<Value> = task.goal().iter().map(|fact| fact.value).collect();
        for (state, sign) in [(state, 1.0), (&goal, -1.0)] {
            add_to_objective(&mut problem, &classes, state, sign);
        }
        Self { classes, problem, constraints }
    }
}

/// The size of the LP that [`PairModel::new`] makes, without making it; `None`
/// if it has more than `most` nonzeros.
pub(crate) fn predict(
    task: &Task,
    classes: &Classes,
    is_representative: impl Fn(OperatorId) -> bool,
    most: u64,
) -> Option<Size> {
    let size = Size { columns: classes.len() as u64, ..Size::default() };
    let mut writer = Writer::new(Counter { size, most }, classes);
    writer.write(task, is_representative);
    let size = writer.sink.size;
    (size.nonzeros <= most).then_some(size)
}

fn add_to_objective(problem: &mut Problem, classes: &Classes, state: &[Value], sign: f64) {
    classes.for_each_true(state, |class| {
        let column = Column(class - 1);
        let before = problem.objective(column);
        problem.set_objective(column, before + sign);
    });
}

/// What rows and columns are written to.
trait Sink {
    fn column(&mut self, bounds: Bounds) -> Column;
    fn row(&mut self, bounds: Bounds, terms: &[(Column, f64)]) -> Row;

    /// Whether more would be for nothing.
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

/// Counts, up to `most` nonzeros.
struct Counter {
    size: Size,
    most: u64,
}

impl Sink for Counter {
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
        self.size.nonzeros > self.most
    }
}

/// Classes with factors, in order: a linear expression over the weights.
type Sum = Vec<(u32, i32)>;

/// The different sums of which a variable's maximum is taken, in order.
type Sums = Vec<Sum>;

struct Writer<'a, S> {
    sink: S,
    classes: &'a Classes,
    constraints: Vec<Constraint>,
}

impl<'a, S: Sink> Writer<'a, S> {
    fn new(sink: S, classes: &'a Classes) -> Self {
        Self { sink, classes, constraints: Vec::new() }
    }

    fn write(&mut self, task: &Task, is_representative: impl Fn(OperatorId) -> bool) {
        for mut part in parts(task, self.classes.facts()) {
            if self.sink.is_full() {
                return;
            }
            drop_dominated(&mut part);
            part.requirements.retain(|requirement| is_representative(requirement.operator));
            if !part.requirements.is_empty() {
                self.part(&part);
            }
        }
    }

    fn part(&mut self, part: &Part) {
        let classes = self.classes;
        let mut maxima = Maxima::new(classes.scope().context(&part.changed(classes.facts())));
        let requirements = part.requirements.iter();
        let contexts: Vec<_> =
            requirements.map(|it| self.contexts(part, it, &mut maxima)).collect();
        for (requirement, contexts) in part.requirements.iter().zip(contexts) {
            // Without a context, the operator is never applied.
            let Some(contexts) = contexts else { continue };
            let cost_row = self.cost(part, requirement, &contexts);
            let (operator, max_rows) = (requirement.operator, maxima.rows.clone());
            self.constraints.push(Constraint { operator, cost_row, max_rows });
        }
    }

    /// The maxima of an operator, over the contexts that it can have.
    fn contexts(
        &mut self,
        part: &Part,
        requirement: &Requirement,
        maxima: &mut Maxima,
    ) -> Option<Vec<Maximum>> {
        let facts = self.classes.facts();
        let excluded = self.classes.exclusions().of(part, requirement)?;
        let requires = |variable: VariableId| {
            requirement.prevail.iter().any(|&fact| facts.variable_of(fact) == variable)
        };
        let mut contexts = Vec::new();
        for place in 0..maxima.context.len() {
            let variable = maxima.context[place];
            if !requires(variable) {
                let excluded = excluded.among(facts.range_of(variable));
                match self.maximum_of(part, place, excluded, maxima) {
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
    /// over the facts a that the part makes false and b that it makes true.
    /// z_V is the most that the changes can take from φ through features with V.
    ///
    /// Values that are excluded have no row. Values for which the sum is empty
    /// give z_V ≥ 0; without any, z_V has no bound of its own. If only one sum
    /// is left, it is the maximum. What has the same sums shares z.
    fn maximum_of(
        &mut self,
        part: &Part,
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
        let sums = self.sums(part, maxima.context[place]).into_iter().enumerate();
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

    /// What the changes take from φ through features with each fact of a
    /// variable.
    fn sums(&self, part: &Part, variable: VariableId) -> Sums {
        let classes = self.classes;
        let blocks = part.changes.iter().map(|&(before, after)| {
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

    /// The same for one fact: classes with their factors, in order.
    fn sum(&self, part: &Part, fact: u32) -> Sum {
        let mut terms = Vec::with_capacity(2 * part.changes.len());
        for &(before, after) in &part.changes {
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
    /// However the context is chosen, o takes no more from φ than it costs.
    ///
    /// The sum is over the variables that o does not mention; for a fact that
    /// it requires and keeps, the features with this fact are in Δ_o^ind.
    fn cost(&mut self, part: &Part, requirement: &Requirement, contexts: &[Maximum]) -> Row {
        let mut terms = Vec::new();
        for (position, &(before, after)) in part.changes.iter().enumerate() {
            for &(other_before, other_after) in &part.changes[..=position] {
                terms.push((self.classes.class(before, other_before), 1));
                terms.push((self.classes.class(after, other_after), -1));
            }
        }
        for &fact in &requirement.prevail {
            terms.extend(self.sum(part, fact));
        }
        let mut free: Vec<Column> = Vec::new();
        for maximum in contexts {
            match maximum {
                Maximum::Sum(sum) => terms.extend(sum),
                Maximum::Column(column) => free.push(*column),
                Maximum::None => unreachable!("the operator is never applied"),
            }
        }
        let weights = collect(terms).into_iter();
        let mut row: Vec<(Column, f64)> =
            weights.map(|(class, factor)| (Column(class - 1), f64::from(factor))).collect();
        free.sort_unstable();
        let same = free.chunk_by(|one, other| one == other);
        row.extend(same.map(|columns| (columns[0], columns.len() as f64)));
        self.sink.row(Bounds::from(..=f64::from(requirement.cost)), &row)
    }
}

/// The most that a part takes from φ through features with one variable.
#[derive(Clone)]
enum Maximum {
    /// The variable can have no value.
    None,
    /// It is this, whatever the value.
    Sum(Sum),
    /// The column z.
    Column(Column),
}

/// The maxima of a part, as far as they are needed, and their rows.
struct Maxima {
    /// The variables on which what the part takes depends.
    context: Vec<VariableId>,
    /// By the variable's place in the context and the values that are excluded.
    by_values: HashMap<(usize, Vec<u64>), Maximum>,
    by_sums: HashMap<Sums, Column>,
    rows: std::ops::Range<u32>,
}

impl Maxima {
    fn new(context: Vec<VariableId>) -> Self {
        Self { context, by_values: HashMap::new(), by_sums: HashMap::new(), rows: 0..0 }
    }
}

/// Adds up factors of the same class; what is no feature, or cancels, goes.
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
