//! Which features share a weight, and which operators speak for others.

use std::collections::HashMap;

use hipot_task::symmetry::{PairOrbits, Params, Symmetries};
use hipot_task::{Fact, Limits, OperatorId, Stop, Task, Value};

use super::classes::Classes;
use super::formulate::predict;
use crate::feature::{Facts, fact_uses};
use crate::model::Size;

/// Classes of features and representatives of operators, from the symmetries
/// of the task that keep a state and the goal.
pub(crate) struct Reduction {
    pub(crate) classes: Classes,
    /// Whether an operator is the first of its orbit.
    pub(crate) is_representative: Vec<bool>,
}

impl Reduction {
    /// The reduction for features of size up to `dimension`, 1 or 2, and for
    /// the value in `state`.
    pub(crate) fn new(
        task: &Task,
        dimension: usize,
        state: &[Value],
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let facts = Facts::new(task);
        limits.reserve(6 * (facts.len() as u64).pow(2))?;
        let state: Vec<Fact> =
            task.variable_ids().zip(state).map(|(it, &value)| Fact::new(it, value)).collect();
        let symmetries = Symmetries::find(task, &[&state, task.goal()], &Params::default(), limits);
        let uses = fact_uses(task, &facts);
        let references =
            symmetries.invariant_values(|fact| u64::from(uses[facts.id(fact).index()]));
        if symmetries.is_trivial() {
            let classes = Classes::singletons(facts, dimension, &references);
            return Ok(Self { classes, is_representative: vec![true; task.operators().len()] });
        }
        let mut is_representative = vec![false; task.operators().len()];
        for operator in symmetries.orbits_of_operators(task) {
            is_representative[operator.index()] = true;
        }
        let orbits = PairOrbits::new(&symmetries, limits)?;
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let classes = Classes::new(facts, dimension, &references, |a, b| {
            let orbit = orbits.class(a as u32, b as u32).expect("facts of different variables");
            let next = numbers.len() as u32 + 1;
            *numbers.entry(orbit).or_insert(next)
        });
        Ok(Self { classes, is_representative })
    }

    /// The size of the LP.
    pub(crate) fn size(&self, task: &Task) -> Size {
        predict(task, &self.classes, |operator| self.represents(operator))
    }

    pub(crate) fn represents(&self, operator: OperatorId) -> bool {
        self.is_representative[operator.index()]
    }
}
