//! Transition normal form (Pommerening & Helmert, ICAPS 2015).
//!
//! In TNF every operator has a precondition on just the variables it has an
//! effect on, vars(pre(o)) = vars(eff(o)), and the goal is a state. Any task
//! without axioms and conditional effects has an equivalent TNF task that is
//! at most linearly larger:
//!
//! - A variable V *needs* the value `unknown` where the goal leaves it open,
//!   or where an operator sets it without asking for its value. An operator
//!   `forget` of cost 0 leads from each other value of V to `unknown`.
//! - An operator that sets V without asking for its value now asks for
//!   `unknown`; an open goal on V becomes `unknown`.
//! - A precondition on a variable that the operator does not set becomes an
//!   effect as well.
//!
//! The optimal plan cost stays the same, from every state of the original
//! task: forgetting is free and possible at any time, and forgetting a value
//! never enables more than the value itself did.
//!
//! Mutexes can tell a value that an operator or the goal leaves open: where all
//! other values of the variable are mutex with what is asked for, the one that
//! is left is asked for as well, and nothing needs to be forgotten. (Once, not
//! until nothing changes: a checker must come to the same form.)

use crate::builder::TaskBuilder;
use crate::ids::{Fact, OperatorId, Value, VariableId};
use crate::limits::{Limits, Stop};
use crate::mutex::Mutexes;
use crate::task::{Effect, Operator, Task, Unsupported};

/// A task in transition normal form, and where its parts come from.
#[derive(Clone, Debug)]
pub struct TnfTask {
    task: Task,
    origins: Vec<Option<OperatorId>>,
    unknown: Vec<Option<Value>>,
}

impl TnfTask {
    /// The transition normal form of `task`.
    pub fn new(task: &Task) -> Result<Self, Unsupported> {
        const BY: &str = "transition normal form";
        task.require_no_axioms(BY)?;
        task.require_no_conditional_effects(BY)?;
        Ok(normalize(task))
    }

    /// The transition normal form of `task` in states that have no two facts
    /// that are `mutexes`.
    pub fn with_mutexes(task: &Task, mutexes: &Mutexes) -> Result<Self, Unsupported> {
        Self::new(&disambiguated(task, mutexes))
    }

    /// Mutexes of the original task as mutexes of this one.
    pub fn mutexes(&self, original: &Mutexes, limits: &Limits) -> Result<Mutexes, Stop> {
        let mut mutexes = Mutexes::new(&self.task, limits)?;
        for (one, other) in original.pairs() {
            mutexes.insert(one, other);
        }
        Ok(mutexes)
    }

    /// The task itself.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The operator of the original task; `None` for one that forgets.
    pub fn origin(&self, operator: OperatorId) -> Option<OperatorId> {
        self.origins[operator.index()]
    }

    /// The value `unknown` of a variable that has one.
    pub fn unknown(&self, variable: VariableId) -> Option<Value> {
        self.unknown[variable.index()]
    }
}

const VALID: &str = "parts of a valid task stay valid";

/// The task with what mutexes imply in preconditions on variables that are set,
/// and in the goal.
fn disambiguated(task: &Task, mutexes: &Mutexes) -> Task {
    let only_value = |variable: VariableId, known: &[Fact]| {
        let facts = (0..task.variable(variable).domain_size()).map(|it| Fact::new(variable, it));
        let is_possible = |fact: &Fact| {
            !mutexes.is_dead(*fact) && !known.iter().any(|&other| mutexes.are_mutex(*fact, other))
        };
        let mut possible = facts.filter(is_possible);
        possible.next().filter(|_| possible.next().is_none())
    };
    let mut result = task.clone();
    for operator in &mut result.operators {
        let set = operator.effects.iter().map(|effect| effect.fact.variable);
        let open = set.filter(|&variable| operator.precondition_on(variable).is_none());
        let implied: Vec<Fact> =
            open.filter_map(|variable| only_value(variable, &operator.preconditions)).collect();
        operator.preconditions.extend(implied);
        operator.preconditions.sort_unstable();
    }
    let is_open = |variable: &VariableId| task.goal().iter().all(|it| it.variable != *variable);
    let open = task.variable_ids().filter(is_open);
    result.goal.extend(open.filter_map(|variable| only_value(variable, task.goal())));
    result.goal.sort_unstable();
    result
}

fn normalize(task: &Task) -> TnfTask {
    let needs_unknown = variables_that_need_unknown(task);
    let unknown_of =
        |id: VariableId| needs_unknown[id.index()].then(|| task.variable(id).domain_size());
    let unknown: Vec<Option<Value>> = task.variable_ids().map(unknown_of).collect();

    // Forgetting is free, so the new task has costs even if the old had none.
    let mut builder = TaskBuilder::new(true);
    for (variable, unknown) in task.variables().iter().zip(&unknown) {
        let mut variable = variable.clone();
        variable.values.extend(unknown.map(|_| "unknown".to_owned()));
        builder.add_variable(variable).expect(VALID);
    }
    for group in task.mutex_groups() {
        builder.add_mutex_group(group.clone()).expect(VALID);
    }
    builder.set_initial(task.initial().to_vec()).expect(VALID);
    builder.set_goal(total_goal(task, &unknown)).expect(VALID);

    let mut origins = Vec::new();
    for id in task.operator_ids() {
        builder.add_operator(normalize_operator(task.operator(id), &unknown)).expect(VALID);
        origins.push(Some(id));
    }
    for (variable, unknown) in task.variable_ids().zip(&unknown) {
        let Some(unknown) = *unknown else { continue };
        for value in 0..unknown {
            let known = Fact::new(variable, value);
            builder.add_operator(forget(task, known, unknown)).expect(VALID);
            origins.push(None);
        }
    }
    TnfTask { task: builder.build(), origins, unknown }
}

fn variables_that_need_unknown(task: &Task) -> Vec<bool> {
    let mut needed = vec![true; task.variables().len()];
    for fact in task.goal() {
        needed[fact.variable.index()] = false;
    }
    for operator in task.operators() {
        for Effect { fact, .. } in &operator.effects {
            needed[fact.variable.index()] |= operator.precondition_on(fact.variable).is_none();
        }
    }
    needed
}

fn total_goal(task: &Task, unknown: &[Option<Value>]) -> Vec<Fact> {
    let mut goal = task.goal().to_vec();
    for (variable, unknown) in task.variable_ids().zip(unknown) {
        if goal.binary_search_by_key(&variable, |fact| fact.variable).is_err() {
            let unknown = unknown.expect("an open goal needs the value unknown");
            let position = goal.partition_point(|fact| fact.variable < variable);
            goal.insert(position, Fact::new(variable, unknown));
        }
    }
    goal
}

fn normalize_operator(operator: &Operator, unknown: &[Option<Value>]) -> Operator {
    let mut normal = operator.clone();
    for Effect { fact, .. } in &operator.effects {
        if operator.precondition_on(fact.variable).is_none() {
            let unknown = unknown[fact.variable.index()].expect("set without asking");
            normal.preconditions.push(Fact::new(fact.variable, unknown));
        }
    }
    for &fact in &operator.preconditions {
        if !operator.effects.iter().any(|effect| effect.fact.variable == fact.variable) {
            normal.effects.push(Effect::new(fact));
        }
    }
    normal
}

fn forget(task: &Task, known: Fact, unknown: Value) -> Operator {
    Operator {
        name: format!("forget {}", task.fact_name(known)),
        preconditions: vec![known],
        effects: vec![Effect::new(Fact::new(known.variable, unknown))],
        cost: 0,
    }
}
