//! The plain task of a task, as the verifier reads it.
//!
//! A certificate for a task Π with axioms or conditional effects is about a task Π' without them,
//! which has the variables of Π as ordinary ones and perhaps one more, the *marker*. Its bounds
//! hold for Π because Π' can follow each plan of Π, from state to state, at no higher cost:
//!
//! - *Operators by contexts.* For each case (module `cases`) of an operator there is an operator
//!   that requires the facts of the case and does what the operator does there. Each state has one
//!   of the cases. A case in which nothing changes is omitted, because a plan can do without.
//! - *Operators in parts* (module `steps`). Where there are too many cases, an operator of the
//!   full cost begins, and steps of cost 0 follow, part by part; the marker says which part comes
//!   next, 0 being none. The beginning does what always happens to variables that no condition
//!   mentions and no conditional effect sets. Each part has, for what its effects do in a state,
//!   a step that does the same and requires facts of that state only: of variables that no
//!   step has set before. So the steps of all parts together lead to the state that the operator
//!   leads to.
//! - *Axioms.* An operator of cost 0 for each axiom makes the head true, and one for each
//!   derived variable takes it back to its default. Operators leave derived variables that rest on what
//!   they set (module `derived`) at their defaults, and require that before if they
//!   require nothing else of them. Π' takes these back before an operator, and afterwards all others;
//!   then it applies axioms in the order in which Π does, with the same bodies true.
//!
//! All operators but steps require the marker to be 0, as the goal does.
//!
//! Π' depends on Π alone, so it has one numbering of facts for certificates and verifier. This
//! is deliberately independent of `hipot_analysis::PlainTask`; tests compare the two.

mod cases;
mod derived;
mod steps;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;

use hipot_task::{
    Effect, Fact, MAX_COST, Operator, Task, TaskBuilder, Value, Variable, VariableId,
};

use self::cases::{Case, Rule, cases, fired, rules};
use self::derived::{reset, wrong_after};
use self::steps::{InParts, Step, in_parts};

/// The limits on the cases of an operator, the best one first.
const CASE_LIMITS: [usize; 4] = [64, 16, 4, 1];

/// The limit on the cases of a part.
const PART_LIMIT: usize = 64;

/// The maximum number of operators for one of the limits but the last, for a task with this many.
fn max_operators(operators: usize) -> usize {
    4 * operators + 5000
}

/// The plain task of `task`: `task` itself if it has no axioms and no conditional effects.
pub(super) fn plain(task: &Task) -> Cow<'_, Task> {
    let has_axioms = task.variables().iter().any(Variable::is_derived);
    let mut effects = task.operators().iter().flat_map(|operator| &operator.effects);
    if has_axioms || effects.any(|effect| !effect.conditions.is_empty()) {
        Cow::Owned(with_limits(task, &CASE_LIMITS, PART_LIMIT))
    } else {
        Cow::Borrowed(task)
    }
}

fn with_limits(task: &Task, case_limits: &[usize], part_limit: usize) -> Task {
    let max = max_operators(task.operators().len());
    let fits = |&&limit: &&usize| {
        let mut left = max;
        task.operators().iter().all(|operator| {
            let size = Form::new(task, operator, limit, part_limit).size();
            left.checked_sub(size).is_some_and(|rest| {
                left = rest;
                true
            })
        })
    };
    let limit = case_limits.iter().find(fits).or(case_limits.last()).expect("there is a limit");
    let form = |operator| Form::new(task, operator, *limit, part_limit);
    let forms: Vec<Form> = task.operators().iter().map(form).collect();
    let phases = forms.iter().map(Form::phases).sum::<usize>();
    let mut plain = Plain::new(task, phases);
    let wrong = wrong_after(task).unwrap_or_default();
    for (index, (operator, form)) in task.operators().iter().zip(forms).enumerate() {
        let mut wrong = wrong.get(index).cloned().unwrap_or_default();
        match form {
            Form::Cases(all) => plain.add_cases(task, operator, all, &wrong),
            Form::Parts(parts) => {
                let conditions = operator.effects.iter().flat_map(|it| &it.conditions);
                for fact in conditions {
                    wrong.remove(&fact.variable);
                }
                plain.add_parts(task, operator, parts, &wrong);
            }
        }
    }
    plain.add_axioms(task);
    plain.builder.build()
}

/// What an operator becomes.
enum Form {
    /// Facts that are required as well, and what is set then.
    Cases(Vec<(Case, Case)>),
    Parts(InParts),
}

impl Form {
    fn new(task: &Task, operator: &Operator, limit: usize, part_limit: usize) -> Self {
        let rules = rules(task, operator);
        let all: Vec<&Rule> = rules.iter().collect();
        match cases(task, &all, limit) {
            None => Self::Parts(in_parts(task, operator, &rules, part_limit)),
            Some(found) if found.len() == 1 => {
                let set = fired(&all, &Case::new());
                Self::Cases(vec![(Case::new(), set)])
            }
            Some(found) => {
                let known = |case: &Case, id: VariableId| {
                    case.get(&id).copied().or(operator.precondition_on(id))
                };
                let with_changes = |case: Case| {
                    let mut set = fired(&all, &case);
                    set.retain(|&id, &mut value| known(&case, id) != Some(value));
                    (!set.is_empty()).then_some((case, set))
                };
                Self::Cases(found.into_iter().filter_map(with_changes).collect())
            }
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Cases(all) => all.len(),
            Self::Parts(parts) => 1 + parts.steps.iter().map(Vec::len).sum::<usize>(),
        }
    }

    fn phases(&self) -> usize {
        match self {
            Self::Cases(_) => 0,
            Self::Parts(parts) => parts.steps.len(),
        }
    }
}

const VALID: &str = "parts of a task are valid";

/// A plain task in the making.
struct Plain {
    builder: TaskBuilder,
    marker: Option<VariableId>,
    /// The last value of the marker that is used.
    phase: Value,
}

impl Plain {
    fn new(task: &Task, phases: usize) -> Self {
        let mut builder = TaskBuilder::new(true);
        builder.set_decimals(task.decimals());
        for Variable { name, values, .. } in task.variables() {
            builder.add_variable(Variable::new(name.clone(), values)).expect(VALID);
        }
        let mut initial = crate::semantics::initial_state(task);
        let marker = (phases > 0).then(|| {
            initial.push(0);
            let values = (0..=phases).map(|phase| format!("phase {phase}"));
            builder.add_variable(Variable::new("operator under way", values)).expect(VALID)
        });
        builder.set_initial(initial).expect(VALID);
        let goal = task.goal().iter().copied().chain(marker.map(|id| Fact::new(id, 0)));
        builder.set_goal(goal.collect()).expect(VALID);
        Self { builder, marker, phase: 0 }
    }

    fn at(&self, phase: Value) -> Option<Fact> {
        self.marker.map(|marker| Fact::new(marker, phase))
    }

    fn add(
        &mut self,
        name: &str,
        cost: u32,
        required: impl IntoIterator<Item = Fact>,
        set: impl IntoIterator<Item = Fact>,
    ) {
        debug_assert!(cost <= MAX_COST);
        let (name, preconditions) = (name.to_owned(), required.into_iter().collect());
        let effects = set.into_iter().map(Effect::new).collect();
        self.builder.add_operator(Operator { name, preconditions, effects, cost }).expect(VALID);
    }

    fn add_cases(
        &mut self,
        task: &Task,
        operator: &Operator,
        cases: Vec<(Case, Case)>,
        wrong: &BTreeSet<VariableId>,
    ) {
        for (case, set) in cases {
            let own = operator.preconditions.iter().map(|fact| (fact.variable, fact.value));
            let mut required: Case = own.chain(case).collect();
            let mut set: Vec<Fact> = facts(set).collect();
            reset(task, wrong.iter().copied(), &mut required, &mut set);
            let required: Vec<Fact> = facts(required).chain(self.at(0)).collect();
            self.add(&operator.name, operator.cost, required, set);
        }
    }

    fn add_parts(
        &mut self,
        task: &Task,
        operator: &Operator,
        parts: InParts,
        wrong: &BTreeSet<VariableId>,
    ) {
        let (first, last) = (self.phase + 1, self.phase + parts.steps.len() as Value);
        self.phase = last;
        let own = operator.preconditions.iter().map(|fact| (fact.variable, fact.value));
        let mut required: Case = own.collect();
        let mut set = parts.beginning;
        set.retain(|fact| required.get(&fact.variable) != Some(&fact.value));
        reset(task, wrong.iter().copied(), &mut required, &mut set);
        let required: Vec<Fact> = facts(required).chain(self.at(0)).collect();
        set.extend(self.at(first));
        self.add(&operator.name, operator.cost, required, set);
        for (phase, steps) in (first..=last).zip(parts.steps) {
            let next = if phase < last { phase + 1 } else { 0 };
            for Step { required, set } in steps {
                let required: Vec<Fact> = required.into_iter().chain(self.at(phase)).collect();
                let set: Vec<Fact> = set.into_iter().chain(self.at(next)).collect();
                self.add(&operator.name, 0, required, set);
            }
        }
    }

    fn add_axioms(&mut self, task: &Task) {
        let default = |id: VariableId| Fact::new(id, task.initial()[id.index()]);
        let mut can_change = vec![false; task.variables().len()];
        for axiom in task.axioms() {
            let id = axiom.head.variable;
            if axiom.body.iter().all(|fact| fact.variable != id) {
                can_change[id.index()] = true;
                let required = axiom.body.iter().copied().chain([default(id)]).chain(self.at(0));
                let required: Vec<Fact> = required.collect();
                self.add("an axiom", 0, required, [axiom.head]);
            }
        }
        for id in task.variable_ids().filter(|id| can_change[id.index()]) {
            let derived = Fact::new(id, 1 - default(id).value);
            let required: Vec<Fact> = [derived].into_iter().chain(self.at(0)).collect();
            self.add("a derived variable's default", 0, required, [default(id)]);
        }
    }
}

fn facts(case: Case) -> impl Iterator<Item = Fact> {
    case.into_iter().map(|(variable, value)| Fact::new(variable, value))
}
