//! Cases of an operator: what has to be known to say which effects fire.
//!
//! The first effect that is not decided asks for the first of its conditions that is not known. For
//! each value of that variable, the same goes on with the value known, until all effects are
//! decided. So the cases cover all states.

use std::collections::BTreeMap;

use hipot_task::{Fact, Operator, Task, Value, VariableId};

/// Values of some variables.
pub(super) type Case = BTreeMap<VariableId, Value>;

/// An effect, with the conditions that preconditions do not decide.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) conditions: Vec<Fact>,
    pub(super) set: Fact,
}

/// The effects of an operator that can fire, in order. A condition on a variable with one value
/// is true.
pub(super) fn rules(task: &Task, operator: &Operator) -> Vec<Rule> {
    let mut rules = Vec::new();
    'effects: for effect in &operator.effects {
        let mut conditions = Vec::new();
        for &fact in &effect.conditions {
            match operator.precondition_on(fact.variable) {
                Some(value) if value != fact.value => continue 'effects,
                Some(_) => {}
                None if task.variable(fact.variable).domain_size() == 1 => {}
                None => conditions.push(fact),
            }
        }
        rules.push(Rule { conditions, set: effect.fact });
    }
    rules
}

/// The cases of some effects; `None` if there are more than `limit`.
pub(super) fn cases(task: &Task, rules: &[&Rule], limit: usize) -> Option<Vec<Case>> {
    let (mut found, mut open) = (Vec::new(), vec![Case::new()]);
    while let Some(case) = open.pop() {
        match rules.iter().find_map(|rule| question(rule, &case)) {
            None => found.push(case),
            Some(variable) => {
                let values = task.variable(variable).domain_size();
                if values as usize + open.len() + found.len() > limit {
                    return None;
                }
                for value in (0..values).rev() {
                    let mut case = case.clone();
                    case.insert(variable, value);
                    open.push(case);
                }
            }
        }
    }
    (found.len() <= limit).then_some(found)
}

/// The variable that has to be known to decide an effect.
fn question(rule: &Rule, case: &Case) -> Option<VariableId> {
    for condition in &rule.conditions {
        match case.get(&condition.variable) {
            None => return Some(condition.variable),
            Some(&value) if value != condition.value => return None,
            Some(_) => {}
        }
    }
    None
}

/// What is set in a case: of several effects that fire, the last one counts.
pub(super) fn fired(rules: &[&Rule], case: &Case) -> Case {
    let fires = |rule: &&&Rule| {
        rule.conditions.iter().all(|fact| case.get(&fact.variable) == Some(&fact.value))
    };
    rules.iter().filter(fires).map(|rule| (rule.set.variable, rule.set.value)).collect()
}
