//! The variables that operators may change.

use hipot_task::{Operator, OperatorId, StateView, Task, Value, VariableId};

/// The variables that each operator of a task may change, and to which values.
#[derive(Clone, Debug)]
pub struct Changes {
    /// `None`: an effect has conditions, so the successor has to be asked.
    effects: Vec<Vec<(VariableId, Option<Value>)>>,
    /// The derived variables, which any operator may change.
    derived: Vec<VariableId>,
}

impl Changes {
    /// Those of the operators of `task`.
    pub fn new(task: &Task) -> Self {
        let is_derived = |id: &VariableId| task.variable(*id).is_derived();
        Self {
            effects: task.operators().iter().map(effects).collect(),
            derived: task.variable_ids().filter(is_derived).collect(),
        }
    }

    /// The variables that `operator` may have changed, with their values in `successor`, the result.
    #[inline]
    pub fn values<'a>(
        &'a self,
        operator: OperatorId,
        successor: StateView<'a>,
    ) -> impl Iterator<Item = (VariableId, Value)> + 'a {
        let set = self.effects[operator.index()].iter();
        let set = set.map(move |&(id, value)| (id, value.unwrap_or_else(|| successor.value(id))));
        set.chain(self.derived.iter().map(move |&id| (id, successor.value(id))))
    }
}

fn effects(operator: &Operator) -> Vec<(VariableId, Option<Value>)> {
    let is_conditional = operator.effects.iter().any(|effect| !effect.conditions.is_empty());
    let effects = operator.effects.iter().map(|effect| effect.fact);
    let mut all: Vec<_> =
        effects.map(|fact| (fact.variable, (!is_conditional).then_some(fact.value))).collect();
    if is_conditional {
        all.sort_unstable();
        all.dedup();
    }
    all
}
