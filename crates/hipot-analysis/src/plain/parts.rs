//! An operator with many contexts in parts, and each part in steps.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::{Effect, Fact, Operator, Task, VariableId};

use super::contexts::{contexts, outcome};

/// One way to go through a part: what it requires and what it sets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    let mut of_variable: BTreeMap<VariableId, Vec<&Effect>> = BTreeMap::new();
    for effect in effects {
        of_variable.entry(effect.fact.variable).or_default().push(effect);
    }
    let (mut all, mut set) = (Vec::new(), BTreeSet::new());
    for variable in in_order(&of_variable) {
        let effects = &of_variable[&variable];
        let mut conditions = effects.iter().flat_map(|effect| &effect.conditions);
        let exactly = if conditions.any(|it| set.contains(&it.variable)) {
            None
        } else {
            contexts(task, effects, limit)
        };
        all.push(match exactly {
            Some(contexts) => exact(operator, effects, &contexts),
            None => loose(operator, effects, &set),
        });
        set.insert(variable);
    }
    all
}

/// An order in which effects set variables, so that few are read later: of the variables that no
/// effect on another one that is left reads, the first one; if there is none, the first one left.
fn in_order(effects: &BTreeMap<VariableId, Vec<&Effect>>) -> Vec<VariableId> {
    let reads = |variable: VariableId| {
        let conditions = effects[&variable].iter().flat_map(|effect| &effect.conditions);
        let read = conditions.map(|fact| fact.variable);
        read.filter(|&it| it != variable && effects.contains_key(&it)).collect::<BTreeSet<_>>()
    };
    let mut readers: BTreeMap<VariableId, usize> = effects.keys().map(|&id| (id, 0)).collect();
    for read in effects.keys().flat_map(|&id| reads(id)) {
        *readers.get_mut(&read).expect("it is one of them") += 1;
    }
    let unread = readers.iter().filter(|&(_, &count)| count == 0);
    let mut unread: BTreeSet<VariableId> = unread.map(|(&id, _)| id).collect();
    let mut order = Vec::new();
    while let Some((&first, _)) = readers.first_key_value() {
        let next = unread.pop_first().unwrap_or(first);
        readers.remove(&next);
        for read in reads(next) {
            if let Some(count) = readers.get_mut(&read) {
                *count -= 1;
                if *count == 0 {
                    unread.insert(read);
                }
            }
        }
        order.push(next);
    }
    order
}

/// One step for each context.
fn exact(operator: &Operator, effects: &[&Effect], contexts: &[Vec<Fact>]) -> Vec<Step> {
    contexts.iter().map(|context| Step::new(operator, context, outcome(effects, context))).collect()
}

/// One step for each effect on a variable, and one for none, if none may fire. Conditions on
/// variables that are `set` already are not required.
fn loose(operator: &Operator, effects: &[&Effect], set: &BTreeSet<VariableId>) -> Vec<Step> {
    let mut steps = BTreeSet::new();
    for effect in effects {
        let conditions = effect.conditions.iter().filter(|it| !set.contains(&it.variable));
        let conditions: Vec<Fact> = conditions.copied().collect();
        steps.insert(Step::new(operator, &conditions, vec![effect.fact]));
    }
    if effects.iter().all(|effect| !effect.conditions.is_empty()) {
        steps.insert(Step::new(operator, &[], Vec::new()));
    }
    steps.into_iter().collect()
}

/// Classes of variables that effects link; each is named by its least variable.
#[derive(Default)]
struct Classes {
    lower: BTreeMap<VariableId, VariableId>,
}

impl Classes {
    /// The class of a variable, if anything is linked to it.
    fn of(&mut self, variable: VariableId) -> Option<VariableId> {
        let (mut at, mut lower) = (variable, *self.lower.get(&variable)?);
        while at != lower {
            // Half of the way is left out next time.
            let skipped = self.lower[&lower];
            self.lower.insert(at, skipped);
            (at, lower) = (skipped, self.lower[&skipped]);
        }
        Some(at)
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
