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
//!
//! # By cases
//!
//! Potentials of dimension 2 and more pay for `unknown`. Forgetting is possible
//! at any time, so φ(s) ≤ φ(s[V = `unknown`]) is asked for in *every* state s, and
//! what is known about V together with other variables is worth nothing where V
//! may be forgotten. [`OpenValues::Cases`] is another normal form of the same
//! task, with fewer constraints:
//!
//! - An operator that sets variables without asking for their values becomes one
//!   operator for each combination of their values that mutexes allow (module
//!   `cases`). If there are too many, it asks for `unknown` as above.
//! - A variable that the goal leaves open, and that no operator needs unknown,
//!   is forgotten at the goal only: forgetting it also asks for all facts of the
//!   goal, those that mutexes imply included.
//!
//! *The optimal cost stays*, again from every state of the original task. Take a
//! plan. In each of its states, the operator's case for this state is applicable
//! and leads to the next state (where nothing changes, it is not needed), or the
//! variables can be forgotten as before. In the last state the goal holds, so the
//! open variables can be forgotten, one after the other; the order does not
//! matter, because none of them is in the goal. Conversely, let a sequence of
//! operators of the normal form be applicable in s. Step by step, the original
//! operators are applicable as well, and lead to a state that has all facts but
//! `unknown` of the other one. So a plan of the normal form is, without what
//! forgets, a plan.
//!
//! *It never gives less*: a function φ that satisfies all constraints of the form
//! with `unknown` satisfies those by cases. For those that forget at the goal,
//! there is nothing to show: they are the same in fewer states. Now let o set V₁,
//! …, Vₖ unasked, and let s be a state in which its case is applicable. In the
//! other form, V₁, …, Vₖ can be forgotten in s, and then o leads to s⟦o⟧. Hence
//! φ(s) ≤ φ(s[V₁, …, Vₖ = `unknown`]) ≤ cost(o) + φ(s⟦o⟧). With mutexes, each
//! constraint holds where each fact of the context, alone, is possible together
//! with what the operator mentions. The case of o mentions more than each of the
//! steps does, and the facts that it asks for are possible with V₁, …, Vₖ, or
//! there is no such case. So wherever it has a constraint, the steps have theirs.
//! In dimension 1 and without mutexes both forms give the same, since the best
//! weight of `unknown` is the highest of the other values' weights.
//!
//! Tried in thought and dropped: to forget the variables at the goal in a fixed
//! order, each with those before it unknown. That leaves fewer constraints still,
//! but an order breaks the symmetries by which the LP gets small.

mod cases;

use std::borrow::Cow;

use self::cases::{is_possible, open_variables};
use crate::builder::TaskBuilder;
use crate::ids::{Fact, OperatorId, Value, VariableId};
use crate::limits::{Limits, Stop};
use crate::mutex::Mutexes;
use crate::task::{Effect, Operator, Task, Unsupported};

/// What stands for a value that an operator or the goal leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenValues {
    /// The additional value `unknown`, to which every value can be forgotten at
    /// any time: the form of the paper.
    #[default]
    Unknown,
    /// For operators each of the values in turn, as far as these are few; for the
    /// goal `unknown`, which then only the goal allows to forget to.
    Cases,
}

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
        Self::with_open_values(task, OpenValues::Unknown, None)
    }

    /// The transition normal form of `task` in states that have no two facts
    /// that are `mutexes`.
    pub fn with_mutexes(task: &Task, mutexes: &Mutexes) -> Result<Self, Unsupported> {
        Self::with_open_values(task, OpenValues::Unknown, Some(mutexes))
    }

    /// The same, with a choice for values that operators and the goal leave
    /// open, and in all states if there are no mutexes.
    pub fn with_open_values(
        task: &Task,
        open: OpenValues,
        mutexes: Option<&Mutexes>,
    ) -> Result<Self, Unsupported> {
        const BY: &str = "transition normal form";
        task.require_no_axioms(BY)?;
        task.require_no_conditional_effects(BY)?;
        let known =
            mutexes.map_or(Cow::Borrowed(task), |mutexes| Cow::Owned(disambiguated(task, mutexes)));
        Ok(match open {
            OpenValues::Unknown => normalize(&known, task.operator_ids().collect(), Forget::Always),
            OpenValues::Cases => {
                let (by_cases, origins) = cases::by_cases(&known, mutexes);
                normalize(&by_cases, origins, Forget::AtTheGoal)
            }
        })
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

/// When variables that only the goal needs unknown are forgotten.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forget {
    Always,
    AtTheGoal,
}

/// The task with what mutexes imply in preconditions on variables that are set,
/// and in the goal.
fn disambiguated(task: &Task, mutexes: &Mutexes) -> Task {
    let only_value = |variable: VariableId, known: &[Fact]| {
        let facts = (0..task.variable(variable).domain_size()).map(|it| Fact::new(variable, it));
        let mut possible = facts.filter(|&fact| is_possible(mutexes, fact, known));
        possible.next().filter(|_| possible.next().is_none())
    };
    let mut result = task.clone();
    for operator in &mut result.operators {
        let open = open_variables(operator).into_iter();
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

/// The normal form of a task whose operators come from `origins`.
fn normalize(task: &Task, origins: Vec<OperatorId>, forget: Forget) -> TnfTask {
    let set_unasked = variables_set_unasked(task);
    let unknown = unknown_values(task, &set_unasked);

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

    let mut origins: Vec<Option<OperatorId>> = origins.into_iter().map(Some).collect();
    for operator in task.operators() {
        builder.add_operator(normalize_operator(operator, &unknown)).expect(VALID);
    }
    for (variable, unknown) in task.variable_ids().zip(&unknown) {
        let Some(unknown) = *unknown else { continue };
        let always = forget == Forget::Always || set_unasked[variable.index()];
        let conditions = if always { &[] } else { task.goal() };
        for value in 0..unknown {
            let operator = forgetting(task, Fact::new(variable, value), unknown, conditions);
            builder.add_operator(operator).expect(VALID);
            origins.push(None);
        }
    }
    TnfTask { task: builder.build(), origins, unknown }
}

/// Which variables some operator sets without asking for their values.
fn variables_set_unasked(task: &Task) -> Vec<bool> {
    let mut set_unasked = vec![false; task.variables().len()];
    for variable in task.operators().iter().flat_map(open_variables) {
        set_unasked[variable.index()] = true;
    }
    set_unasked
}

/// The value `unknown` of each variable that needs it.
fn unknown_values(task: &Task, set_unasked: &[bool]) -> Vec<Option<Value>> {
    let mut needed = vec![true; task.variables().len()];
    for fact in task.goal() {
        needed[fact.variable.index()] = set_unasked[fact.variable.index()];
    }
    let unknown_of = |id: VariableId| needed[id.index()].then(|| task.variable(id).domain_size());
    task.variable_ids().map(unknown_of).collect()
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
    for variable in open_variables(operator) {
        let unknown = unknown[variable.index()].expect("set without asking");
        normal.preconditions.push(Fact::new(variable, unknown));
    }
    for &fact in &operator.preconditions {
        if !operator.effects.iter().any(|effect| effect.fact.variable == fact.variable) {
            normal.effects.push(Effect::new(fact));
        }
    }
    normal
}

/// The operator that forgets a fact where `conditions`, on other variables, hold.
fn forgetting(task: &Task, known: Fact, unknown: Value, conditions: &[Fact]) -> Operator {
    let forgotten = Effect::new(Fact::new(known.variable, unknown));
    let kept = conditions.iter().copied().map(Effect::new);
    Operator {
        name: format!("forget {}", task.fact_name(known)),
        preconditions: [known].into_iter().chain(conditions.iter().copied()).collect(),
        effects: [forgotten].into_iter().chain(kept).collect(),
        cost: 0,
    }
}
