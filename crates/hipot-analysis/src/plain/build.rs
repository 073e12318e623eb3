//! The operators of a plain task.

use std::collections::BTreeSet;

use hipot_task::{
    Effect, Fact, Operator, OperatorId, Task, TaskBuilder, Value, Variable, VariableId,
};

use super::contexts::{contexts, outcome, reduced_effects, value_in};
use super::derived::affected;
use super::parts::{Parts, parts};

/// What every part is that is made here.
pub(super) const VALID: &str = "parts of a task are valid";

/// How many contexts are not too many.
pub(super) struct Limits {
    /// For an operator, best first: the first limit is used under which the task has at most
    /// [`MAX_GROWTH`] times its operators and [`ALLOWANCE`] more, or the last one.
    pub(super) operator: &'static [usize],
    /// For a part.
    pub(super) part: usize,
}

pub(super) const LIMITS: Limits = Limits { operator: &[64, 16, 4, 1], part: 64 };

const MAX_GROWTH: usize = 4;
const ALLOWANCE: usize = 5000;

/// A plain task, the operators that its operators come from, and its additional variable.
pub(super) struct Built {
    pub(super) task: Task,
    pub(super) origins: Vec<Option<OperatorId>>,
    pub(super) marker: Option<VariableId>,
}

/// What an operator becomes.
enum Form {
    /// An operator for each context: what it requires beyond the preconditions, and what it sets.
    Contexts(Vec<(Vec<Fact>, Vec<Fact>)>),
    /// A start and steps.
    Parts(Parts),
}

impl Form {
    fn operators(&self) -> usize {
        match self {
            Self::Contexts(all) => all.len(),
            Self::Parts(parts) => 1 + parts.parts.iter().map(Vec::len).sum::<usize>(),
        }
    }
}

/// The plain task of a task with axioms or conditional effects.
pub(super) fn build(task: &Task, limits: &Limits) -> Built {
    let forms = forms(task, limits);
    let mut values = vec!["no operator".to_owned()];
    for (form, operator) in forms.iter().zip(task.operators()) {
        if let Form::Parts(parts) = form {
            let parts = 1..=parts.parts.len();
            values.extend(parts.map(|number| format!("part {number} of {}", operator.name)));
        }
    }
    let mut builder = TaskBuilder::new(true);
    builder.set_decimals(task.decimals());
    for Variable { name, values, .. } in task.variables() {
        builder.add_variable(Variable::new(name.clone(), values)).expect(VALID);
    }
    let mut initial = evaluated_initial(task);
    let mut marker = None;
    if values.len() > 1 {
        let variable = Variable::new("operator under way", values);
        marker = Some(builder.add_variable(variable).expect(VALID));
        initial.push(0);
    }
    let idle = marker.map(|marker| Fact::new(marker, 0));
    builder.set_initial(initial).expect(VALID);
    builder.set_goal(task.goal().iter().copied().chain(idle).collect()).expect(VALID);
    for group in task.mutex_groups() {
        builder.add_mutex_group(group.clone()).expect(VALID);
    }
    let mut operators = Operators { task, builder, origins: Vec::new(), marker, last: 0 };
    for ((id, form), affected) in task.operator_ids().zip(forms).zip(affected(task)) {
        match form {
            Form::Contexts(all) => operators.add_contexts(id, all, &affected),
            Form::Parts(parts) => operators.add_parts(id, &parts, &affected),
        }
    }
    operators.add_axioms();
    let Operators { builder, origins, .. } = operators;
    Built { task: builder.build(), origins, marker }
}

/// What each operator becomes, under the first limit that keeps the task small.
fn forms(task: &Task, limits: &Limits) -> Vec<Form> {
    let max = MAX_GROWTH * task.operators().len() + ALLOWANCE;
    let (last, others) = limits.operator.split_last().expect("there are limits");
    let fitting = others.iter().find_map(|&limit| {
        let mut count = 0;
        let mut forms = Vec::new();
        for operator in task.operators() {
            let form = form(task, operator, limit, limits);
            count += form.operators();
            if count > max {
                return None;
            }
            forms.push(form);
        }
        Some(forms)
    });
    let all = || task.operators().iter().map(|it| form(task, it, *last, limits)).collect();
    fitting.unwrap_or_else(all)
}

fn form(task: &Task, operator: &Operator, limit: usize, limits: &Limits) -> Form {
    let effects = reduced_effects(task, operator);
    let all: Vec<&Effect> = effects.iter().collect();
    let Some(contexts) = contexts(task, &all, limit) else {
        return Form::Parts(parts(task, operator, &effects, limits.part));
    };
    let is_one = contexts.len() == 1;
    let case = |context: Vec<Fact>| {
        let mut set = outcome(&all, &context);
        set.retain(|fact| {
            is_one
                || !context.contains(fact)
                    && operator.precondition_on(fact.variable) != Some(fact.value)
        });
        (is_one || !set.is_empty()).then_some((context, set))
    };
    Form::Contexts(contexts.into_iter().filter_map(case).collect())
}

/// s_I, axioms applied.
fn evaluated_initial(task: &Task) -> Vec<Value> {
    let mut state = task.initial().to_vec();
    let layer = |variable: VariableId| task.variable(variable).axiom_layer;
    let mut layers: Vec<u32> = task.variable_ids().filter_map(layer).collect();
    layers.sort_unstable();
    layers.dedup();
    for current in layers {
        let mut axioms: Vec<_> =
            task.axioms().iter().filter(|it| layer(it.head.variable) == Some(current)).collect();
        loop {
            let before = axioms.len();
            axioms.retain(|axiom| {
                let fires = axiom.body.iter().all(|it| state[it.variable.index()] == it.value);
                if fires {
                    state[axiom.head.variable.index()] = axiom.head.value;
                }
                !fires
            });
            if axioms.len() == before {
                break;
            }
        }
    }
    state
}

/// The operators in the making.
struct Operators<'a> {
    task: &'a Task,
    builder: TaskBuilder,
    origins: Vec<Option<OperatorId>>,
    marker: Option<VariableId>,
    /// The last value of the marker that is used.
    last: Value,
}

impl Operators<'_> {
    fn add(
        &mut self,
        name: String,
        required: Vec<Fact>,
        set: Vec<Fact>,
        (cost, origin): (u32, Option<OperatorId>),
    ) {
        let effects = set.into_iter().map(Effect::new).collect();
        let operator = Operator { name, preconditions: required, effects, cost };
        self.builder.add_operator(operator).expect(VALID);
        self.origins.push(origin);
    }

    /// That no operator is under way.
    fn idle(&self) -> Option<Fact> {
        self.marker.map(|marker| Fact::new(marker, 0))
    }

    /// The value that a derived variable has if no axiom says otherwise.
    fn default(&self, variable: VariableId) -> Fact {
        Fact::new(variable, self.task.initial()[variable.index()])
    }

    /// Makes an operator leave derived variables at their defaults, to be derived again. Those that
    /// it does not require to be something else have their defaults before it.
    fn take_back(&self, affected: &[VariableId], required: &mut Vec<Fact>, set: &mut Vec<Fact>) {
        for &variable in affected {
            let default = self.default(variable);
            match value_in(required, variable) {
                None => required.push(default),
                Some(value) if value != default.value => set.push(default),
                Some(_) => {}
            }
        }
    }

    fn add_contexts(
        &mut self,
        id: OperatorId,
        all: Vec<(Vec<Fact>, Vec<Fact>)>,
        affected: &[VariableId],
    ) {
        let operator = self.task.operator(id);
        let is_one = all.iter().all(|(context, _)| context.is_empty());
        for (number, (context, mut set)) in all.into_iter().enumerate() {
            let name = if is_one {
                operator.name.clone()
            } else {
                format!("{} (case {})", operator.name, number + 1)
            };
            let mut required: Vec<Fact> =
                operator.preconditions.iter().copied().chain(context).collect();
            self.take_back(affected, &mut required, &mut set);
            required.extend(self.idle());
            self.add(name, required, set, (operator.cost, Some(id)));
        }
    }

    fn add_parts(&mut self, id: OperatorId, parts: &Parts, affected: &[VariableId]) {
        let operator = self.task.operator(id);
        let marker = self.marker.expect("there are parts");
        let at = |value| Fact::new(marker, value);
        let begin = self.last + 1;
        let mut required = operator.preconditions.clone();
        let set = parts.first.iter().copied();
        let mut set: Vec<Fact> = set.filter(|it| !required.contains(it)).collect();
        let conditions = operator.effects.iter().flat_map(|effect| &effect.conditions);
        let read: BTreeSet<VariableId> = conditions.map(|fact| fact.variable).collect();
        let unread: Vec<VariableId> =
            affected.iter().copied().filter(|it| !read.contains(it)).collect();
        self.take_back(&unread, &mut required, &mut set);
        required.push(at(0));
        set.push(at(begin));
        self.add(operator.name.clone(), required, set, (operator.cost, Some(id)));
        self.last += parts.parts.len() as Value;
        for (part, steps) in (begin..).zip(&parts.parts) {
            let next = if part == self.last { 0 } else { part + 1 };
            for (number, step) in steps.iter().enumerate() {
                let name =
                    format!("{} (part {}, case {})", operator.name, part - begin + 1, number + 1);
                let required = step.required.iter().copied().chain([at(part)]).collect();
                let set = step.set.iter().copied().chain([at(next)]).collect();
                self.add(name, required, set, (0, None));
            }
        }
    }

    /// The operators that apply an axiom or take a derived variable back to its default.
    fn add_axioms(&mut self) {
        let task = self.task;
        let mut is_derived = vec![false; task.variables().len()];
        for axiom in task.axioms() {
            let (variable, name) = (axiom.head.variable, task.fact_name(axiom.head));
            if value_in(&axiom.body, variable).is_some() {
                // It requires what it derives.
                continue;
            }
            is_derived[variable.index()] = true;
            let required = axiom.body.iter().copied().chain([self.default(variable)]);
            let required = required.chain(self.idle()).collect();
            self.add(format!("derive {name}"), required, vec![axiom.head], (0, None));
        }
        for variable in task.variable_ids().filter(|it| is_derived[it.index()]) {
            let default = self.default(variable);
            let required = [Fact::new(variable, 1 - default.value)];
            let required = required.into_iter().chain(self.idle()).collect();
            let name = format!("take back {}", task.variable(variable).name);
            self.add(name, required, vec![default], (0, None));
        }
    }
}
