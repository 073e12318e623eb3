//! Sums of potential functions and abstractions as heuristics for searches.

use std::sync::Arc;

use hipot_abstraction::partitioning::Lookup;
use hipot_abstraction::partitioning::lookup::Evaluated;
use hipot_potential::PotentialHeuristic;
use hipot_task::{Estimate, Heuristic, OperatorId, StateView, Task, Value, VariableId};

use crate::sums::Saturated;

/// The heuristic for states of `task`, which has the variables of the task that it was built for.
pub fn saturated_heuristic(saturated: &Saturated, task: &Task) -> Box<dyn Heuristic + Send> {
    Box::new(SumHeuristic::new(saturated, &SumHeuristic::lookups(saturated), task))
}

/// The tables of each sum.
pub(crate) type Lookups = Vec<Arc<Lookup>>;

/// The maximum of sums, rounded up.
#[derive(Clone)]
pub(crate) struct SumHeuristic {
    sums: Vec<Evaluator>,
    /// The state that is evaluated.
    values: Vec<Value>,
    /// Whether the state that was entered last may be on a plan.
    is_entered: bool,
    is_consistent: bool,
}

/// One sum.
#[derive(Clone)]
struct Evaluator {
    function: Option<PotentialHeuristic>,
    denominator: i64,
    unit: i64,
    lookup: Arc<Lookup>,
    parent: Evaluated,
    own: Evaluated,
}

impl SumHeuristic {
    /// The heuristic for states of `task`, which has the variables of the given task.
    pub(crate) fn new(saturated: &Saturated, lookups: &[Arc<Lookup>], task: &Task) -> Self {
        let evaluators = saturated.sums.iter().zip(lookups).map(|(sum, lookup)| {
            let function = sum.function.as_ref();
            Evaluator {
                function: function.map(|(function, _)| PotentialHeuristic::new(function, task)),
                denominator: sum.denominator,
                unit: sum.unit,
                lookup: Arc::clone(lookup),
                parent: Evaluated::default(),
                own: Evaluated::default(),
            }
        });
        Self {
            sums: evaluators.collect(),
            values: vec![0; task.variables().len()],
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
        for (index, value) in self.values.iter_mut().enumerate() {
            *value = state.value(VariableId::new(index));
        }
    }
}

impl Evaluator {
    /// ⌈(φ + unit · values) / denominator⌉, at least 0.
    fn round(&self, function: i64, found: &Evaluated) -> u64 {
        let values = i128::from(self.unit) * i128::from(found.highest());
        let numerator = i128::from(function) + values;
        if numerator <= 0 {
            return 0;
        }
        let ceiling = (numerator - 1) / i128::from(self.denominator) + 1;
        u64::try_from(ceiling).unwrap_or(u64::MAX - 1)
    }
}

impl Heuristic for SumHeuristic {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.unpack(state);
        let mut highest = 0;
        for sum in &mut self.sums {
            if !sum.lookup.evaluate(&self.values, &mut sum.own) {
                return Estimate::DEAD_END;
            }
            let function = sum.function.as_mut().map_or(0, |it| it.numerator(state));
            highest = highest.max(sum.round(function, &sum.own));
        }
        Estimate::at_least(highest)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.unpack(parent);
        self.is_entered = true;
        for sum in &mut self.sums {
            self.is_entered &= sum.lookup.evaluate(&self.values, &mut sum.parent);
            if let Some(function) = &mut sum.function {
                function.enter(parent);
            }
        }
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        self.unpack(successor);
        let mut highest = 0;
        for sum in &mut self.sums {
            let is_alive = if self.is_entered {
                sum.lookup.evaluate_from(&sum.parent, &self.values, &mut sum.own)
            } else {
                sum.lookup.evaluate(&self.values, &mut sum.own)
            };
            if !is_alive {
                return Estimate::DEAD_END;
            }
            let function = sum.function.as_mut();
            let function = function.map_or(0, |it| it.successor_numerator(operator, successor));
            highest = highest.max(sum.round(function, &sum.own));
        }
        Estimate::at_least(highest)
    }

    fn is_incremental(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        self.is_consistent
    }
}
