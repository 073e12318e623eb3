//! Pruned tasks: without the operators and values that mutexes rule out.
//!
//! Given mutexes that hold in every state of every plan, and operators that are
//! in no plan (both as [`h2`](crate::h2) finds them), the pruned task omits those
//! operators and the dead facts:
//!
//! - A dead value is removed. Operators that mention it are in no plan and are
//!   removed as well.
//! - A variable with one remaining value is removed from preconditions, effects,
//!   goal and mutex groups. Operators that have no effects left are removed: an
//!   optimal plan exists without them.
//! - Preconditions on variables that an operator changes, and the goal, are
//!   filled in where the mutexes imply them, so that transition normal form
//!   needs the value `unknown` less often.
//!
//! Every plan of the pruned task is a plan of the original: the operators are the
//! same, except that some preconditions are stronger. Every plan of the original
//! without effectless operators is a plan of the pruned task. So h* is the same in
//! all states of plans. All other states are dead ends or unreachable, and may have
//! lost values and operators.

use crate::h2::{Disambiguator, H2};
use crate::mutexes::Mutexes;
use hipot_task::{
    Effect, Fact, Limits, MutexGroup, Operator, OperatorId, Stop, Task, TaskBuilder, Value,
    VariableId,
};

/// Why there is no pruned task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PruneError {
    /// The mutexes prove that the task has no plan.
    #[error("the mutexes rule out the initial state or all goal states: there is no plan")]
    Unsolvable,
    /// A limit is reached.
    #[error(transparent)]
    Stop(#[from] Stop),
}

/// The states of the pruned task in which a fact of the original task holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// None: the value was removed.
    Never,
    /// All: it is the only remaining value of a variable that was removed.
    Always,
    /// The states that have this fact of the pruned task.
    Where(Fact),
}

/// A pruned task, and where its parts come from.
#[derive(Clone, Debug)]
pub struct PrunedTask {
    task: Task,
    operators: Vec<OperatorId>,
    values: Values,
}

impl PrunedTask {
    /// The pruned task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The operator of the original task that an operator comes from.
    pub fn original_operator(&self, operator: OperatorId) -> OperatorId {
        self.operators[operator.index()]
    }

    /// The fact of the original task that a fact comes from.
    pub fn original_fact(&self, fact: Fact) -> Fact {
        let variable = self.values.variables[fact.variable.index()];
        Fact::new(variable, self.values.left[variable.index()][fact.value as usize])
    }

    /// The states in which a fact of the original task holds. Values that exist only
    /// in a normal form, such as `unknown`, count as removed.
    pub fn truth(&self, original: Fact) -> Truth {
        self.values.truth(original)
    }

    /// A state of the original task as one of the pruned one; `None` if it has
    /// a dead fact.
    pub fn state(&self, original: &[Value]) -> Option<Vec<Value>> {
        let mut state = Vec::with_capacity(self.task.variables().len());
        for (index, &value) in original.iter().enumerate() {
            match self.truth(Fact::new(VariableId::new(index), value)) {
                Truth::Never => return None,
                Truth::Always => {}
                Truth::Where(fact) => state.push(fact.value),
            }
        }
        Some(state)
    }

    /// A state of the pruned task as one of the original.
    pub fn original_state(&self, state: &[Value]) -> Vec<Value> {
        let mut original: Vec<Value> = self.values.left.iter().map(|left| left[0]).collect();
        for (index, &value) in state.iter().enumerate() {
            let fact = self.original_fact(Fact::new(VariableId::new(index), value));
            original[fact.variable.index()] = fact.value;
        }
        original
    }
}

const VALID: &str = "parts of a valid task stay valid";

/// The number of operators between two checks of the limits.
const OPERATORS_PER_CHECK: usize = 256;

/// Removes from `task` what `h2`, computed for it, rules out.
///
/// # Panics
/// If `h2` was computed for a task with other variables.
pub fn prune(task: &Task, h2: &H2, limits: &Limits) -> Result<PrunedTask, PruneError> {
    let mutexes = h2.mutexes();
    assert_eq!(task.fact_count(), mutexes.facts().len(), "h² belongs to the task");
    let goal = Disambiguator::new(mutexes).disambiguate(task.goal());
    let goal = goal.ok_or(PruneError::Unsolvable)?;
    let facts = task.variable_ids().zip(task.initial());
    let initial: Vec<Fact> = facts.map(|(id, &value)| Fact::new(id, value)).collect();
    if h2.is_unsolvable() || mutexes.exclude(&initial) {
        return Err(PruneError::Unsolvable);
    }
    let values = Values::new(task, mutexes);
    let mut builder = TaskBuilder::new(task.uses_costs());
    builder.set_decimals(task.decimals());
    values.add_variables(task, &mut builder);
    let initial = initial.iter().filter_map(|&fact| values.fact(fact)).map(|fact| fact.value);
    builder.set_initial(initial.collect()).expect(VALID);
    builder.set_goal(values.partial_state(&goal)).expect(VALID);
    for group in task.mutex_groups() {
        let facts = values.partial_state(&group.facts);
        if facts.len() > 1 {
            builder.add_mutex_group(MutexGroup { facts }).expect(VALID);
        }
    }
    let operators = values.add_operators(task, h2, &mut builder, limits)?;
    Ok(PrunedTask { task: builder.build(), operators, values })
}

/// The values and variables that remain.
#[derive(Clone, Debug)]
struct Values {
    /// The remaining values of each original variable, at least one, in order.
    left: Vec<Vec<Value>>,
    /// The original variable of each remaining one.
    variables: Vec<VariableId>,
    /// The new variable of each original one, if it remains.
    new_variables: Vec<Option<VariableId>>,
}

impl Values {
    fn new(task: &Task, mutexes: &Mutexes) -> Self {
        let mut values =
            Self { left: Vec::new(), variables: Vec::new(), new_variables: Vec::new() };
        for id in task.variable_ids() {
            let all = 0..task.variable(id).domain_size();
            let left: Vec<Value> =
                all.filter(|&value| !mutexes.is_dead(Fact::new(id, value))).collect();
            let new_variable = (left.len() > 1).then(|| VariableId::new(values.variables.len()));
            values.variables.extend(new_variable.map(|_| id));
            values.new_variables.push(new_variable);
            values.left.push(left);
        }
        values
    }

    fn truth(&self, original: Fact) -> Truth {
        let left = &self.left[original.variable.index()];
        let new_variable = self.new_variables[original.variable.index()];
        match (left.binary_search(&original.value), new_variable) {
            (Err(_), _) => Truth::Never,
            (Ok(_), None) => Truth::Always,
            (Ok(value), Some(variable)) => Truth::Where(Fact::new(variable, value as Value)),
        }
    }

    /// The new fact, if its value and its variable remain.
    fn fact(&self, original: Fact) -> Option<Fact> {
        match self.truth(original) {
            Truth::Where(fact) => Some(fact),
            Truth::Never | Truth::Always => None,
        }
    }

    fn partial_state(&self, original: &[Fact]) -> Vec<Fact> {
        original.iter().filter_map(|&fact| self.fact(fact)).collect()
    }

    fn add_variables(&self, task: &Task, builder: &mut TaskBuilder) {
        for &id in &self.variables {
            let mut variable = task.variable(id).clone();
            let names = self.left[id.index()].iter();
            variable.values =
                names.map(|&value| task.fact_name(Fact::new(id, value)).to_owned()).collect();
            builder.add_variable(variable).expect(VALID);
        }
    }

    /// Adds what remains of the operators; returns the original of each.
    fn add_operators(
        &self,
        task: &Task,
        h2: &H2,
        builder: &mut TaskBuilder,
        limits: &Limits,
    ) -> Result<Vec<OperatorId>, Stop> {
        let mut disambiguator = Disambiguator::new(h2.mutexes());
        let mut operators = Vec::new();
        let useful = task.operator_ids().filter(|id| h2.useless().binary_search(id).is_err());
        for (number, id) in useful.enumerate() {
            if number % OPERATORS_PER_CHECK == 0 {
                limits.check()?;
            }
            if let Some(operator) = self.operator(task.operator(id), &mut disambiguator) {
                builder.add_operator(operator).expect(VALID);
                operators.push(id);
            }
        }
        Ok(operators)
    }

    /// What remains of an operator; `None` if it can never be applied, leads
    /// to a dead fact, or changes no remaining variable.
    fn operator(
        &self,
        operator: &Operator,
        disambiguator: &mut Disambiguator<'_>,
    ) -> Option<Operator> {
        let implied = disambiguator.disambiguate(&operator.preconditions)?;
        if operator.effects.iter().any(|effect| self.truth(effect.fact) == Truth::Never) {
            return None;
        }
        let mut effects = operator.effects.clone();
        effects.retain_mut(|Effect { fact, .. }| match self.fact(*fact) {
            Some(new) => {
                *fact = new;
                true
            }
            None => false,
        });
        let wanted = |fact: &&Fact| {
            let set = |effect: &Effect| effect.fact.variable == fact.variable;
            operator.effects.iter().any(set) || operator.precondition_on(fact.variable).is_some()
        };
        let preconditions =
            implied.iter().filter(wanted).filter_map(|&fact| self.fact(fact)).collect();
        let (name, cost) = (operator.name.clone(), operator.cost);
        (!effects.is_empty()).then_some(Operator { name, preconditions, effects, cost })
    }
}
