//! An operator with many contexts in parts, and each part in steps.

use std::collections::BTreeMap;

use hipot_task::{Effect, Fact, Operator, Task, VariableId};

use super::contexts::{contexts, outcome};

/// One way to go through a part: what it requires and what it sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) required: Vec<Fact>,
    pub(super) set: Vec<Fact>,
}

impl Step {
    /// The step with these facts, and with the operator's preconditions on what it sets.
    fn new(operator: &Operator, context: &[Fact], mut set: Vec<Fact>) -> Self {
        let mut required = context.to_vec();
        for fact in &set {
            if let Some(value) = operator.precondition_on(fact.variable) {
                required.push(Fact::new(fact.variable, value));
            }
        }
        required.sort_unstable();
        set.retain(|fact| !required.contains(fact));
        Self { required, set }
    }
}

/// An operator in parts.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// What is set at the start: by effects that always fire, on variables of no part.
    pub(super) first: Vec<Fact>,
    /// For each part, its steps.
    pub(super) parts: Vec<Vec<Step>>,
}

/// The parts of an operator with these reduced effects, of which some have conditions; with at
/// most `limit` contexts for a part, unless it is loose.
pub(super) fn parts(task: &Task, operator: &Operator, effects: &[Effect], limit: usize) -> Parts {
    let mut classes = Classes::default();
    for effect in effects.iter().filter(|effect| !effect.conditions.is_empty()) {
        for condition in &effect.conditions {
            classes.join(effect.fact.variable, condition.variable);
        }
    }
    let mut first = Vec::new();
    let mut linked: BTreeMap<VariableId, Vec<&Effect>> = BTreeMap::new();
    for effect in effects {
        match classes.of(effect.fact.variable) {
            Some(class) => linked.entry(class).or_default().push(effect),
            None => first.push(effect),
        }
    }
    let all = linked.values();
    let parts = all.flat_map(|effects| steps(task, operator, effects, limit)).collect();
    Parts { first: outcome(&first, &[]), parts }
}

/// The steps of one part, or of several that it is cut into.
fn steps(task: &Task, operator: &Operator, effects: &[&Effect], limit: usize) -> Vec<Vec<Step>> {
    if let Some(contexts) = contexts(task, effects, limit) {
        return vec![exact(operator, effects, &contexts)];
    }
    let mut left: BTreeMap<VariableId, Vec<&Effect>> = BTreeMap::new();
    for effect in effects {
        left.entry(effect.fact.variable).or_default().push(effect);
    }
    let (mut all, mut set) = (Vec::new(), Vec::new());
    while let Some(variable) = next(&left) {
        let effects = left.remove(&variable).expect("one that is left");
        let is_readable =
            |effect: &&Effect| effect.conditions.iter().all(|it| !set.contains(&it.variable));
        let exactly =
            if effects.iter().all(is_readable) { contexts(task, &effects, limit) } else { None };
        all.push(match exactly {
            Some(contexts) => exact(operator, &effects, &contexts),
            None => loose(operator, &effects, &set),
        });
        set.push(variable);
    }
    all
}

/// The variable to be set next: the first one that no effect on another one reads, if there is
/// one.
fn next(left: &BTreeMap<VariableId, Vec<&Effect>>) -> Option<VariableId> {
    let mut readers: BTreeMap<VariableId, usize> = BTreeMap::new();
    for (&variable, effects) in left {
        let mut read: Vec<VariableId> = effects
            .iter()
            .flat_map(|effect| effect.conditions.iter().map(|fact| fact.variable))
            .filter(|&read| read != variable)
            .collect();
        read.sort_unstable();
        read.dedup();
        for variable in read {
            *readers.entry(variable).or_default() += 1;
        }
    }
    let unread = left.keys().find(|variable| !readers.contains_key(variable));
    unread.or(left.keys().next()).copied()
}

/// One step for each context.
fn exact(operator: &Operator, effects: &[&Effect], contexts: &[Vec<Fact>]) -> Vec<Step> {
    contexts.iter().map(|context| Step::new(operator, context, outcome(effects, context))).collect()
}

/// One step for each effect on a variable, and one for none, if none may fire. Conditions on
/// variables that are `set` already are not required.
fn loose(operator: &Operator, effects: &[&Effect], set: &[VariableId]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut add = |step: Step| {
        if !steps.contains(&step) {
            steps.push(step);
        }
    };
    for effect in effects {
        let conditions = effect.conditions.iter().filter(|it| !set.contains(&it.variable));
        let conditions: Vec<Fact> = conditions.copied().collect();
        add(Step::new(operator, &conditions, vec![effect.fact]));
    }
    if effects.iter().all(|effect| !effect.conditions.is_empty()) {
        add(Step::new(operator, &[], Vec::new()));
    }
    steps
}

/// Classes of variables that effects link; each is named by its least variable.
#[derive(Default)]
struct Classes {
    lower: BTreeMap<VariableId, VariableId>,
}

impl Classes {
    /// The class of a variable, if anything is linked to it.
    fn of(&self, variable: VariableId) -> Option<VariableId> {
        let mut found = *self.lower.get(&variable)?;
        while self.lower[&found] != found {
            found = self.lower[&found];
        }
        Some(found)
    }

    fn join(&mut self, one: VariableId, other: VariableId) {
        for variable in [one, other] {
            self.lower.entry(variable).or_insert(variable);
        }
        let (one, other) = (self.of(one), self.of(other));
        let (one, other) = (one.expect("it was entered"), other.expect("it was entered"));
        self.lower.insert(one.max(other), one.min(other));
    }
}
