//! Transition normal form (Pommerening & Helmert, ICAPS 2015).
//!
//! In TNF every operator has preconditions on exactly the variables it has
//! effects on, vars(pre(o)) = vars(eff(o)), and the goal is a state. Any task
//! without axioms and conditional effects has an equivalent TNF task that is
//! at most linearly larger:
//!
//! - A variable V *needs* the value `unknown` if the goal leaves it open, or if
//!   an operator sets it without a precondition on it. An operator `forget` of
//!   cost 0 leads from each other value of V to `unknown`.
//! - An operator that sets V without a precondition on it now requires
//!   `unknown`; an open goal on V becomes `unknown`.
//! - A precondition on a variable that the operator does not set becomes an
//!   effect as well.
//!
//! The optimal plan cost stays the same, from every state of the original
//! task: forgetting is free and always possible, and `unknown` never enables more
//! than the forgotten value did.
//!
//! Mutexes can determine a value that an operator or the goal leaves open: if all
//! other values of the variable are mutex with what is required, the remaining one
//! is required as well, and nothing needs to be forgotten. (This is done once, not
//! to a fixpoint, because a checker must arrive at the same form.)
//!
//! # By cases
//!
//! Potentials of dimension 2 and more pay for `unknown`. Forgetting is always
//! possible, so φ(s) ≤ φ(s[V = `unknown`]) must hold in *every* state s, and features
//! of V together with other variables are worth nothing where V may be forgotten.
//! [`OpenValues::Cases`] is another normal form of the same task, with fewer
//! constraints:
//!
//! - An operator that sets variables without preconditions on them becomes one
//!   operator for each combination of their values that mutexes allow (module
//!   `cases`). If there are too many, it requires `unknown` as above.
//! - A variable that the goal leaves open, and that no operator requires to be
//!   unknown, is forgotten only at the goal: forgetting it also requires all facts
//!   of the goal, including those that mutexes imply.
//!
//! *The optimal cost stays the same*, again from every state of the original task.
//! Take a plan. In each of its states, the operator's case for this state is
//! applicable and leads to the next state (a case that changes nothing is not
//! needed), or the variables can be forgotten as before. In the last state the goal
//! holds, so the open variables can be forgotten one after the other; the order
//! does not matter, because none of them is in the goal. Conversely, let a sequence
//! of operators of the normal form be applicable in s. Step by step, the original
//! operators are applicable as well, and lead to a state that has all facts of the
//! other one except `unknown`. So a plan of the normal form, without its forgetting
//! operators, is a plan of the original task.
//!
//! *The bound never drops*: a function φ that satisfies all constraints of the form
//! with `unknown` satisfies those by cases. This is clear for operators that forget
//! at the goal: their constraints are the same in fewer states. Now let V₁, …, Vₖ be
//! the open variables of o, and let s be a state in which its case is applicable. In the
//! other form, V₁, …, Vₖ can be forgotten in s, and then o leads to s⟦o⟧. Hence
//! φ(s) ≤ φ(s[V₁, …, Vₖ = `unknown`]) ≤ cost(o) + φ(s⟦o⟧). With mutexes, each
//! constraint holds where each fact of the context, alone, is possible together
//! with what the operator mentions. The case of o mentions more than each of the
//! steps does, and the facts that it requires are possible with V₁, …, Vₖ, or
//! there is no such case. So wherever it has a constraint, the steps have theirs.
//! In dimension 1 and without mutexes both forms give the same bound, since the best
//! weight of `unknown` is the highest of the other values' weights.
//!
//! Considered and dropped: forgetting the variables at the goal in a fixed order,
//! each with those before it unknown. That leaves even fewer constraints, but an
//! order breaks the symmetries that make the LP small.

mod cases;

use std::borrow::Cow;

use hipot_task::{
    Effect, Fact, FactId, Facts, Limits, Operator, OperatorId, Stop, Task, TaskBuilder,
    Unsupported, Value, VariableId,
};

use self::cases::{is_possible, open_variables};
use crate::mutexes::Mutexes;

/// What replaces a value that an operator or the goal leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenValues {
    /// The additional value `unknown`, to which every value can be forgotten at
    /// any time: the form of the paper.
    #[default]
    Unknown,
    /// For operators, each of the values in turn, if these are few; for the goal,
    /// `unknown`, to which values can then be forgotten only where the goal holds.
    Cases,
}

/// A task in transition normal form, and where its parts come from.
///
/// The operators are kept twice: as operators of a [`Task`], for names and costs, and as
/// pairs of numbered facts before and after ([`mentions`](Self::mentions)), for computations.
#[derive(Clone, Debug)]
pub struct TnfTask {
    task: Task,
    facts: Facts,
    goal: Vec<Value>,
    /// Operator i mentions `mentions[mention_begins[i]..mention_begins[i + 1]]`.
    mention_begins: Vec<u32>,
    mentions: Vec<Mention>,
    origins: Vec<Option<OperatorId>>,
    unknown: Vec<Option<Value>>,
}

/// A fact that an operator requires and the fact of the same variable that holds afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mention {
    /// The fact in pre(o).
    pub before: FactId,
    /// The fact in eff(o).
    pub after: FactId,
}

impl Mention {
    /// Whether the operator changes the variable.
    pub fn is_change(self) -> bool {
        self.before != self.after
    }
}

impl TnfTask {
    /// The transition normal form of `task`.
    pub fn new(task: &Task) -> Result<Self, Unsupported> {
        Self::with_open_values(task, OpenValues::Unknown, None)
    }

    /// The transition normal form of `task` in states without `mutexes`, if any are given,
    /// with a choice for the values that operators and the goal leave open.
    pub fn with_open_values(
        task: &Task,
        open: OpenValues,
        mutexes: Option<&Mutexes>,
    ) -> Result<Self, Unsupported> {
        const BY: &str = "transition normal form";
        task.require_no_axioms(BY)?;
        task.require_no_conditional_effects(BY)?;
        let known = Completed::new(task, mutexes);
        Ok(match open {
            OpenValues::Unknown => normalize(&known, task.operator_ids().collect(), Forget::Always),
            OpenValues::Cases => {
                let (operators, origins) = cases::by_cases(task, &known.operators, mutexes);
                normalize(
                    &Completed { operators: operators.into(), ..known },
                    origins,
                    Forget::AtTheGoal,
                )
            }
        })
    }

    fn of_task(task: Task, origins: Vec<Option<OperatorId>>, unknown: Vec<Option<Value>>) -> Self {
        let facts = Facts::new(&task);
        let (mut mention_begins, mut mentions) = (vec![0], Vec::new());
        for operator in task.operators() {
            let begin = mentions.len();
            mentions.extend(operator.effects.iter().map(|effect| {
                let variable = effect.fact.variable;
                let value = operator.precondition_on(variable).expect("normalize adds it");
                Mention {
                    before: facts.id(Fact::new(variable, value)),
                    after: facts.id(effect.fact),
                }
            }));
            mentions[begin..].sort_unstable();
            debug_assert_eq!(mentions.len() - begin, operator.preconditions.len());
            mention_begins.push(mentions.len() as u32);
        }
        let goal = task.goal().iter().map(|fact| fact.value).collect();
        Self { task, facts, goal, mention_begins, mentions, origins, unknown }
    }

    /// Mutexes of the original task as mutexes of this one.
    pub fn mutexes(&self, original: &Mutexes, limits: &Limits) -> Result<Mutexes, Stop> {
        let mut mutexes = Mutexes::new(&self.task, limits)?;
        for (one, other) in original.pairs() {
            mutexes.insert(one, other);
        }
        Ok(mutexes)
    }

    /// The same form of the task with other costs, one for each of its original operators.
    #[must_use]
    pub fn with_costs(&self, costs: &[u32]) -> Self {
        let cost = |origin: &Option<OperatorId>| origin.map_or(0, |origin| costs[origin.index()]);
        let costs: Vec<u32> = self.origins.iter().map(cost).collect();
        Self { task: self.task.with_costs(&costs), ..self.clone() }
    }

    /// The normal form as a task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The numbering of its facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// s_⋆: in normal form the goal is a state.
    pub fn goal(&self) -> &[Value] {
        &self.goal
    }

    /// What an operator requires and what holds afterwards, in the order of the variables.
    pub fn mentions(&self, operator: OperatorId) -> &[Mention] {
        let index = operator.index();
        &self.mentions[self.mention_begins[index] as usize..self.mention_begins[index + 1] as usize]
    }

    /// The operator of the original task that an operator comes from; `None` for one that
    /// forgets.
    pub fn origin(&self, operator: OperatorId) -> Option<OperatorId> {
        self.origins[operator.index()]
    }

    /// The operators that forget, and the variables whose value they forget.
    pub fn forgetting(&self) -> impl Iterator<Item = (OperatorId, VariableId)> {
        let forgets = self.task.operator_ids().filter(|&id| self.origin(id).is_none());
        forgets.filter_map(|id| {
            let change = self.mentions(id).iter().find(|mention| mention.is_change())?;
            Some((id, self.facts.variable(change.before)))
        })
    }

    /// The value `unknown` of a variable, if it has one.
    pub fn unknown(&self, variable: VariableId) -> Option<Value> {
        self.unknown[variable.index()]
    }
}

const VALID: &str = "parts of a valid task stay valid";

/// Where variables can be forgotten that only the goal needs unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forget {
    Always,
    AtTheGoal,
}

/// The operators and the goal of a task, completed by what mutexes imply: preconditions on
/// variables that are set, and goal facts.
struct Completed<'a> {
    task: &'a Task,
    operators: Cow<'a, [Operator]>,
    goal: Vec<Fact>,
}

impl<'a> Completed<'a> {
    fn new(task: &'a Task, mutexes: Option<&Mutexes>) -> Self {
        let mut known =
            Self { task, operators: task.operators().into(), goal: task.goal().to_vec() };
        if let Some(mutexes) = mutexes {
            known.disambiguate(mutexes);
        }
        known
    }

    fn disambiguate(&mut self, mutexes: &Mutexes) {
        let task = self.task;
        let only_value = |variable: VariableId, known: &[Fact]| {
            let facts =
                (0..task.variable(variable).domain_size()).map(|it| Fact::new(variable, it));
            let mut possible = facts.filter(|&fact| is_possible(mutexes, fact, known));
            possible.next().filter(|_| possible.next().is_none())
        };
        for operator in self.operators.to_mut() {
            let open = open_variables(operator).into_iter();
            let implied: Vec<Fact> =
                open.filter_map(|variable| only_value(variable, &operator.preconditions)).collect();
            operator.preconditions.extend(implied);
            operator.preconditions.sort_unstable();
        }
        let is_open = |variable: &VariableId| task.goal().iter().all(|it| it.variable != *variable);
        let open = task.variable_ids().filter(is_open);
        self.goal.extend(open.filter_map(|variable| only_value(variable, task.goal())));
        self.goal.sort_unstable();
    }
}

/// The normal form of a task whose operators come from `origins`.
fn normalize(known: &Completed<'_>, origins: Vec<OperatorId>, forget: Forget) -> TnfTask {
    let task = known.task;
    let is_open = open_in_some_operator(known);
    let unknown = unknown_values(known, &is_open);

    // Forgetting is free, so the new task has costs even if the old had none.
    let mut builder = TaskBuilder::new(true);
    builder.set_decimals(task.decimals());
    for (variable, unknown) in task.variables().iter().zip(&unknown) {
        let mut variable = variable.clone();
        variable.values.extend(unknown.map(|_| "unknown".to_owned()));
        builder.add_variable(variable).expect(VALID);
    }
    for group in task.mutex_groups() {
        builder.add_mutex_group(group.clone()).expect(VALID);
    }
    builder.set_initial(task.initial().to_vec()).expect(VALID);
    builder.set_goal(total_goal(known, &unknown)).expect(VALID);

    let mut origins: Vec<Option<OperatorId>> = origins.into_iter().map(Some).collect();
    for operator in &*known.operators {
        builder.add_operator(normalize_operator(operator, &unknown)).expect(VALID);
    }
    for (variable, unknown) in task.variable_ids().zip(&unknown) {
        let Some(unknown) = *unknown else { continue };
        let always = forget == Forget::Always || is_open[variable.index()];
        let conditions = if always { &[][..] } else { &known.goal };
        for value in 0..unknown {
            let operator = forgetting(task, Fact::new(variable, value), unknown, conditions);
            builder.add_operator(operator).expect(VALID);
            origins.push(None);
        }
    }
    TnfTask::of_task(builder.build(), origins, unknown)
}

/// For each variable, whether it is open in some operator.
fn open_in_some_operator(known: &Completed<'_>) -> Vec<bool> {
    let mut is_open = vec![false; known.task.variables().len()];
    for variable in known.operators.iter().flat_map(open_variables) {
        is_open[variable.index()] = true;
    }
    is_open
}

/// The value `unknown` of each variable that needs one.
fn unknown_values(known: &Completed<'_>, is_open: &[bool]) -> Vec<Option<Value>> {
    let task = known.task;
    let mut needed = vec![true; task.variables().len()];
    for fact in &known.goal {
        needed[fact.variable.index()] = is_open[fact.variable.index()];
    }
    let unknown_of = |id: VariableId| needed[id.index()].then(|| task.variable(id).domain_size());
    task.variable_ids().map(unknown_of).collect()
}

fn total_goal(known: &Completed<'_>, unknown: &[Option<Value>]) -> Vec<Fact> {
    let mut goal = known.goal.clone();
    for (variable, unknown) in known.task.variable_ids().zip(unknown) {
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
        let unknown = unknown[variable.index()].expect("an open variable has the value unknown");
        normal.preconditions.push(Fact::new(variable, unknown));
    }
    for &fact in &operator.preconditions {
        if !operator.effects.iter().any(|effect| effect.fact.variable == fact.variable) {
            normal.effects.push(Effect::new(fact));
        }
    }
    normal
}

/// The operator that forgets a fact if `conditions`, on other variables, hold.
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
