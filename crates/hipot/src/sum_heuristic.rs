//! Sums of potential functions and abstractions as heuristics for searches.
//!
//! Abstractions read states of the given task. The search may be about a smaller one
//! (`SearchTask`), so its states are translated, value by value. Of a successor only the
//! values that its operator changes are.

use std::sync::Arc;

use hipot_abstraction::partitioning::Lookup;
use hipot_abstraction::partitioning::lookup::{Evaluated, Scratch};
use hipot_potential::{Changes, PotentialHeuristic};
use hipot_task::{Estimate, Fact, Heuristic, OperatorId, StateView, Task, Value, VariableId};

use crate::search_task::SearchTask;
use crate::sums::Saturated;

/// The heuristic for states of `task`, which has the variables of the task that it was built for.
pub fn saturated_heuristic(saturated: &Saturated, task: &Task) -> Box<dyn Heuristic + Send> {
    let lookups = SumHeuristic::lookups(saturated);
    Box::new(SumHeuristic::new(saturated, &lookups, &SearchTask::Whole(task)))
}

/// The tables of each sum.
pub(crate) type Lookups = Vec<Arc<Lookup>>;

/// The maximum of sums, rounded up.
#[derive(Clone)]
pub(crate) struct SumHeuristic {
    sums: Vec<Evaluator>,
    translation: Arc<Translation>,
    /// The state that is evaluated, or the one that was entered last, as one of the given task.
    values: Vec<Value>,
    /// The facts before an operator that it may have changed.
    before: Vec<Fact>,
    /// Whether the state that was entered last may be on a plan.
    is_entered: bool,
    is_consistent: bool,
}

/// From states of the searched task to those of the given one.
struct Translation {
    /// For each variable of the searched task, that of the given one, and what its values are there.
    variables: Vec<(VariableId, Vec<Value>)>,
    /// What the operators of the searched task may change.
    changes: Changes,
}

/// One sum.
#[derive(Clone)]
struct Evaluator {
    function: Option<PotentialHeuristic>,
    denominator: i64,
    unit: i64,
    lookup: Arc<Lookup>,
    /// The state that was entered last, or that is evaluated.
    own: Evaluated,
    scratch: Scratch,
}

impl Translation {
    fn new(search_task: &SearchTask<'_>) -> Self {
        let task = search_task.task();
        let variables = task.variable_ids().map(|id| {
            let values = 0..task.variable(id).domain_size();
            let facts = values.map(|value| search_task.original_fact(Fact::new(id, value)));
            let facts: Vec<Fact> = facts.collect();
            (facts[0].variable, facts.iter().map(|fact| fact.value).collect())
        });
        Self { variables: variables.collect(), changes: Changes::new(task) }
    }

    /// The facts of the given task that `operator` may have made true, with the result in the
    /// searched task.
    fn changes<'a>(
        &'a self,
        operator: OperatorId,
        successor: StateView<'a>,
    ) -> impl Iterator<Item = Fact> + 'a {
        self.changes.values(operator, successor).map(|(searched, value)| {
            let (variable, values) = &self.variables[searched.index()];
            Fact::new(*variable, values[value as usize])
        })
    }
}

impl SumHeuristic {
    /// The heuristic for states of a task that is searched.
    pub(crate) fn new(
        saturated: &Saturated,
        lookups: &[Arc<Lookup>],
        search_task: &SearchTask<'_>,
    ) -> Self {
        let evaluators = saturated.sums.iter().zip(lookups).map(|(sum, lookup)| {
            let function = sum.function.as_ref();
            Evaluator {
                function: function.map(|(function, _)| search_task.heuristic(function)),
                denominator: sum.denominator,
                unit: sum.unit,
                lookup: Arc::clone(lookup),
                own: Evaluated::default(),
                scratch: Scratch::default(),
            }
        });
        Self {
            sums: evaluators.collect(),
            translation: Arc::new(Translation::new(search_task)),
            values: search_task.original_state(vec![0; search_task.task().variables().len()]),
            before: Vec::new(),
            is_entered: false,
            is_consistent: saturated.is_consistent(),
        }
    }

    /// The tables of all sums, to be shared by heuristics of several threads.
    pub(crate) fn lookups(saturated: &Saturated) -> Lookups {
        let lookup = |tables: &_| Arc::new(Lookup::new(&saturated.collection, tables));
        saturated.sums.iter().map(|sum| lookup(&*sum.tables)).collect()
    }

    fn unpack(&mut self, state: StateView<'_>) {
        for (index, (variable, values)) in self.translation.variables.iter().enumerate() {
            let value = state.value(VariableId::new(index));
            self.values[variable.index()] = values[value as usize];
        }
    }
}

impl Evaluator {
    /// ⌈(φ + unit · values) / denominator⌉, at least 0.
    fn round(&self, function: i64, values: i64) -> u64 {
        let numerator = i128::from(function) + i128::from(self.unit) * i128::from(values);
        if numerator <= 0 {
            return 0;
        }
        let ceiling = (numerator - 1) / i128::from(self.denominator) + 1;
        u64::try_from(ceiling).unwrap_or(u64::MAX - 1)
    }
}

impl Heuristic for SumHeuristic {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.is_entered = false;
        self.unpack(state);
        let mut highest = 0;
        for sum in &mut self.sums {
            if !sum.lookup.evaluate(&self.values, &mut sum.own) {
                return Estimate::DEAD_END;
            }
            let function = sum.function.as_mut().map_or(0, |it| it.numerator(state));
            highest = highest.max(sum.round(function, sum.own.highest()));
        }
        Estimate::at_least(highest)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.unpack(parent);
        self.is_entered = true;
        for sum in &mut self.sums {
            self.is_entered &= sum.lookup.evaluate(&self.values, &mut sum.own);
            if let Some(function) = &mut sum.function {
                function.enter(parent);
            }
        }
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        if !self.is_entered {
            return self.estimate(successor);
        }
        let Self { sums, translation, values, before, .. } = self;
        before.clear();
        for fact in translation.changes(operator, successor) {
            let value = std::mem::replace(&mut values[fact.variable.index()], fact.value);
            before.push(Fact::new(fact.variable, value));
        }
        let mut highest = Some(0);
        for sum in sums {
            let changed = before.iter().map(|it| it.variable);
            let found = sum.lookup.successor(&sum.own, values, changed, &mut sum.scratch);
            let Some(found) = found else {
                highest = None;
                break;
            };
            let function = sum.function.as_mut();
            let function = function.map_or(0, |it| it.successor_numerator(operator, successor));
            highest = highest.max(Some(sum.round(function, found)));
        }
        for fact in before {
            values[fact.variable.index()] = fact.value;
        }
        highest.map_or(Estimate::DEAD_END, Estimate::at_least)
    }

    fn is_incremental(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        self.is_consistent
    }
}
