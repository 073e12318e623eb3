//! The states and steps of a task.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow::Continue;
use std::sync::Arc;

use hipot_pddl::Task;
use hipot_pddl::ast::{
    Cost, FunctionId, GroundAtom, ObjectId, PredicateId, TypeId, Variable, VariableId,
};

use super::derive::{Rule, derive};
use super::effect::Changes;
use super::scope::{Binding, Range, Scope, object_of};
use super::state::State;
use super::strata::{NotStratified, signed_predicates, strata};

/// The semantics of a task.
#[derive(Debug)]
pub struct Semantics<'t> {
    task: &'t Task,
    /// For each action, the ranges of its variables.
    actions: Vec<Vec<Arc<Range>>>,
    goal: Vec<Arc<Range>>,
    rules: Vec<Rule>,
    /// For each predicate, whether rules use it.
    feeds_rules: Vec<bool>,
    values: HashMap<(FunctionId, Vec<ObjectId>), u64>,
}

/// An action with objects for its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundAction {
    /// The position in the task's list of actions.
    pub action: usize,
    /// The objects.
    pub arguments: Vec<ObjectId>,
}

/// Why an action has no cost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCost {
    /// A function that it uses has no value for these objects.
    #[error("{0} has no value")]
    Undefined(
        /// The function and the objects, as PDDL.
        String,
    ),
    /// The cost is too large.
    #[error("its cost exceeds {}", u64::MAX)]
    Overflow,
}

impl<'t> Semantics<'t> {
    /// The semantics of a task.
    pub fn new(task: &'t Task) -> Result<Self, NotStratified> {
        let strata = strata(task)?;
        let mut ranges = Ranges { members: task.objects_by_type(), known: BTreeMap::new() };
        let actions = task.actions.iter().map(|action| ranges.of(&action.variables)).collect();
        let goal = ranges.of(&task.goal.variables);
        let mut rules = Vec::new();
        let mut feeds_rules = vec![false; task.predicates.len()];
        for rule in &task.rules {
            rules.extend(Rule::prepare(task, rule, &ranges.of(&rule.variables), &strata));
            let mut used = Vec::new();
            signed_predicates(&rule.condition, true, &mut used);
            for (predicate, _) in used {
                feeds_rules[predicate.index()] = true;
            }
        }
        let values = task.values.iter();
        let values = values.map(|of| ((of.function, of.objects.clone()), of.value)).collect();
        Ok(Self { task, actions, goal, rules, feeds_rules, values })
    }

    /// The task.
    pub fn task(&self) -> &'t Task {
        self.task
    }

    /// The initial state.
    pub fn initial_state(&self) -> State {
        let mut state = State::empty(self.task.predicates.len());
        for atom in &self.task.initial {
            state.add(atom.predicate, atom.objects.as_slice().into());
        }
        self.derive_anew(&mut state);
        state
    }

    /// Whether the state satisfies the goal.
    pub fn is_goal(&self, state: &State) -> bool {
        let (scope, mut binding) = self.goal_scope(state);
        scope.holds(&self.task.goal.condition, &mut binding)
    }

    /// Whether the precondition holds; the arguments must be of the right
    /// number and types.
    pub fn is_applicable(&self, step: &GroundAction, state: &State) -> bool {
        let (scope, mut binding) = self.step_scope(step, state);
        scope.holds(&self.task.actions[step.action].precondition, &mut binding)
    }

    /// All steps whose preconditions hold, in the order of actions and objects.
    pub fn applicable_steps(&self, state: &State) -> Vec<GroundAction> {
        let mut steps = Vec::new();
        for (index, action) in self.task.actions.iter().enumerate() {
            let scope = Scope { state, ranges: &self.actions[index] };
            let parameters: Vec<_> = (0..action.parameters).map(VariableId::new).collect();
            let mut binding = vec![None; action.variables.len()];
            let mut found = Vec::new();
            let condition = &action.precondition;
            let _ = scope.solve(&parameters, condition, true, &mut binding, &mut |binding| {
                let arguments = binding[..action.parameters].iter().flatten().copied().collect();
                found.push(GroundAction { action: index, arguments });
                Continue(())
            });
            found.sort_unstable_by(|one, other| one.arguments.cmp(&other.arguments));
            steps.append(&mut found);
        }
        steps
    }

    /// Applies an applicable step.
    pub fn apply(&self, step: &GroundAction, state: &mut State) {
        let mut changes = Changes::default();
        let (scope, mut binding) = self.step_scope(step, state);
        changes.collect(&self.task.actions[step.action].effect, scope, &mut binding);
        let changed = changes.make(state);
        if changed.iter().any(|predicate| self.feeds_rules[predicate.index()]) {
            self.derive_anew(state);
        }
    }

    /// The cost of a step: 1 if the task has no metric. Even then, a step that increases
    /// the cost by an undefined value cannot be applied.
    pub fn cost(&self, step: &GroundAction) -> Result<u64, NoCost> {
        let binding: Binding = step.arguments.iter().copied().map(Some).collect();
        let mut sum = 0_u64;
        for part in &self.task.actions[step.action].cost {
            let part = match part {
                Cost::Number(number) => *number,
                Cost::Value(function, terms) => {
                    let objects = terms.iter().map(|term| object_of(*term, &binding)).collect();
                    self.function_value(*function, objects)?
                }
            };
            sum = sum.checked_add(part).ok_or(NoCost::Overflow)?;
        }
        Ok(if self.task.uses_costs { sum } else { 1 })
    }

    /// The step as in a plan file, without parentheses.
    pub fn name(&self, step: &GroundAction) -> String {
        words(&self.task.actions[step.action].name, &step.arguments, self.task)
    }

    /// An atom as PDDL.
    pub fn atom_name(&self, atom: &GroundAtom) -> String {
        let name = &self.task.predicates[atom.predicate.index()].name;
        format!("({})", words(name, &atom.objects, self.task))
    }

    pub(super) fn goal_scope<'a>(&'a self, state: &'a State) -> (Scope<'a>, Binding) {
        (Scope { state, ranges: &self.goal }, vec![None; self.goal.len()])
    }

    pub(super) fn step_scope<'a>(
        &'a self,
        step: &GroundAction,
        state: &'a State,
    ) -> (Scope<'a>, Binding) {
        let ranges = &self.actions[step.action];
        let mut binding: Binding = step.arguments.iter().copied().map(Some).collect();
        binding.resize(ranges.len(), None);
        (Scope { state, ranges }, binding)
    }

    fn function_value(&self, function: FunctionId, objects: Vec<ObjectId>) -> Result<u64, NoCost> {
        let key = (function, objects);
        self.values.get(&key).copied().ok_or_else(|| {
            let name = &self.task.functions[function.index()].name;
            NoCost::Undefined(format!("({})", words(name, &key.1, self.task)))
        })
    }

    fn derive_anew(&self, state: &mut State) {
        for (index, predicate) in self.task.predicates.iter().enumerate() {
            if predicate.is_derived {
                state.clear(PredicateId::new(index));
            }
        }
        derive(&self.rules, state);
    }
}

/// A name and objects, with spaces between.
pub(super) fn words(name: &str, objects: &[ObjectId], task: &Task) -> String {
    let objects = objects.iter().map(|object| &*task.objects[object.index()].name);
    std::iter::once(name).chain(objects).collect::<Vec<_>>().join(" ")
}

/// The ranges of variables, each computed once.
struct Ranges {
    members: Vec<Vec<ObjectId>>,
    known: BTreeMap<Vec<TypeId>, Arc<Range>>,
}

impl Ranges {
    fn of(&mut self, variables: &[Variable]) -> Vec<Arc<Range>> {
        let mut range = |variable: &Variable| {
            let make = || Arc::new(Range { objects: Task::range(&self.members, &variable.types) });
            self.known.entry(variable.types.clone()).or_insert_with(make).clone()
        };
        variables.iter().map(&mut range).collect()
    }
}
