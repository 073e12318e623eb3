//! Simplification: removes facts that cannot become true, facts that are always
//! true, and variables that the goal does not depend on.
//!
//! **Reachability again.** Encoding drops instances that contradict mutex
//! groups, about which the first relaxed reachability knew nothing. So a second
//! one, over the encoded operators, finds more facts unreachable. It counts, for
//! each operator, conditional effect and axiom, the conditions not reached yet,
//! which takes time linear in the size of the task. Fast Downward looks at the
//! transitions of each variable in isolation, ignoring the other conditions of
//! an operator, and finds less.
//!
//! A variable with a single reachable value is a constant: its facts disappear
//! from all conditions. A derived variable counts as able to take its default
//! value, unless the body of one of its axioms is always true. What is always
//! true depends on which values are reachable, so this is repeated until nothing
//! changes.
//!
//! **Relevance.** A variable is relevant if the goal mentions it, or if an
//! operator or axiom that changes a relevant variable reads it. Only the
//! operator's precondition and the conditions of the relevant effects are read.
//! The other variables, and the operators that change only them, do not matter:
//! without these operators a plan is still a plan, and costs no more.
//!
//! So both steps keep the cost of optimal plans. A goal that turns out to be
//! unreachable or always true is reported to the caller.

use crate::changes::tidy;
use crate::encode::{Conjunction, FactPair};
use crate::encoded::EncodedTask;

/// The variables and values that remain.
#[derive(Debug)]
pub(crate) struct Renaming {
    /// The old numbers of the variables that remain.
    pub(crate) variables: Vec<u32>,
    /// For each of them, the old numbers of the values that remain.
    pub(crate) values: Vec<Vec<u32>>,
}

/// What is known about the goal after simplification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It may be true or false.
    Open,
    /// It cannot become true.
    Unsolvable,
    /// It is always true.
    Trivial,
}

/// Simplifies the task in place.
pub(crate) fn simplify(task: &mut EncodedTask) -> (Outcome, Renaming) {
    let facts = FactNumbers::new(task);
    let reachable = facts.reachable(task);
    let (values, fates) = facts.values(task, &reachable);
    let outcome = restrict(task, &fates);
    let relevant = relevant_variables(task);
    let variables = (0..task.sizes.len()).filter(|&variable| relevant[variable]);
    let variables: Vec<u32> = variables.map(|variable| variable as u32).collect();
    let values = variables.iter().map(|&variable| values[variable as usize].clone()).collect();
    keep_variables(task, &variables);
    (outcome, Renaming { variables, values })
}

/// What becomes of a fact: it is never true, always true, or the value with
/// this new number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Never,
    Always,
    Value(u32),
}

/// Consecutive numbers for all facts.
struct FactNumbers {
    begins: Vec<u32>,
}

impl FactNumbers {
    fn new(task: &EncodedTask) -> Self {
        let mut begins = vec![0];
        for size in &task.sizes {
            begins.push(begins[begins.len() - 1] + size);
        }
        Self { begins }
    }

    fn number(&self, pair: FactPair) -> usize {
        (self.begins[pair.variable as usize] + pair.value) as usize
    }

    fn len(&self) -> usize {
        self.begins[self.begins.len() - 1] as usize
    }

    /// Whether each fact is reachable.
    fn reachable(&self, task: &EncodedTask) -> Vec<bool> {
        let mut no_default = vec![false; task.sizes.len()];
        loop {
            let reachable = Exploration::new(self, task).run(task, &no_default);
            let is_constant = |pair: &FactPair| {
                let begin = self.begins[pair.variable as usize] as usize;
                let values = &reachable[begin..begin + task.sizes[pair.variable as usize] as usize];
                values.iter().filter(|&&value| value).count() == 1 && reachable[self.number(*pair)]
            };
            let mut grew = false;
            for axiom in &task.axioms {
                let head = axiom.head.variable as usize;
                if !no_default[head] && axiom.body.iter().all(is_constant) {
                    no_default[head] = true;
                    grew = true;
                }
            }
            if !grew {
                return reachable;
            }
        }
    }

    /// The values of each variable that remain, and the fate of each fact.
    fn values(&self, task: &EncodedTask, reachable: &[bool]) -> (Vec<Vec<u32>>, Fates) {
        let mut fates = vec![Fate::Never; self.len()];
        let mut left = Vec::with_capacity(task.sizes.len());
        for (variable, &size) in (0..).zip(&task.sizes) {
            let number = |value: u32| self.number(FactPair { variable, value });
            let values: Vec<u32> = (0..size).filter(|&value| reachable[number(value)]).collect();
            match values[..] {
                [value] => fates[number(value)] = Fate::Always,
                _ => {
                    for (new, &value) in (0..).zip(&values) {
                        fates[number(value)] = Fate::Value(new);
                    }
                }
            }
            left.push(values);
        }
        (left, Fates { begins: self.begins.clone(), fates })
    }
}

/// Relaxed reachability over units: operators, their effects, and axioms, each
/// with the number of its conditions that are not reached yet.
struct Exploration<'a> {
    facts: &'a FactNumbers,
    missing: Vec<u32>,
    /// Where the units that wait for each fact begin in `waiting`.
    begins: Vec<u32>,
    waiting: Vec<u32>,
    /// The units themselves.
    units: Vec<Unit>,
}

impl<'a> Exploration<'a> {
    fn new(facts: &'a FactNumbers, task: &EncodedTask) -> Self {
        let mut missing = Vec::new();
        let mut units = Vec::new();
        let mut begins = vec![0; facts.len() + 1];
        let mut add = |unit: Unit, conditions: &Conjunction| {
            let operator = u32::from(matches!(unit, Unit::Change(_)));
            missing.push(conditions.len() as u32 + operator);
            units.push(unit);
            for &pair in conditions {
                begins[facts.number(pair) + 1] += 1;
            }
        };
        for operator in &task.operators {
            add(Unit::Operator(operator.changes.len() as u32), &operator.condition);
            for change in &operator.changes {
                add(Unit::Change(change.pair), &change.condition);
            }
        }
        for axiom in &task.axioms {
            add(Unit::Axiom(axiom.head), &axiom.body);
        }
        for fact in 0..facts.len() {
            begins[fact + 1] += begins[fact];
        }
        let mut fill = begins.clone();
        let mut waiting = vec![0; begins[facts.len()] as usize];
        for (unit, conditions) in (0..).zip(conditions(task)) {
            for &pair in conditions {
                let slot = &mut fill[facts.number(pair)];
                waiting[*slot as usize] = unit;
                *slot += 1;
            }
        }
        Self { facts, missing, begins, waiting, units }
    }

    fn run(mut self, task: &EncodedTask, no_default: &[bool]) -> Vec<bool> {
        let mut reached = vec![false; self.facts.len()];
        let mut queue = Vec::new();
        let mut reach = |pair: FactPair, queue: &mut Vec<usize>| {
            let fact = self.facts.number(pair);
            if !std::mem::replace(&mut reached[fact], true) {
                queue.push(fact);
            }
        };
        for (variable, &value) in (0..).zip(&task.initial) {
            if !no_default[variable as usize] {
                reach(FactPair { variable, value }, &mut queue);
            }
        }
        let mut ready: Vec<u32> = Vec::new();
        ready.extend(
            (0..self.missing.len() as u32).filter(|&unit| self.missing[unit as usize] == 0),
        );
        loop {
            while let Some(unit) = ready.pop() {
                match self.units[unit as usize] {
                    Unit::Operator(changes) => {
                        for change in unit + 1..=unit + changes {
                            self.missing[change as usize] -= 1;
                            if self.missing[change as usize] == 0 {
                                ready.push(change);
                            }
                        }
                    }
                    Unit::Change(pair) | Unit::Axiom(pair) => reach(pair, &mut queue),
                }
            }
            let Some(fact) = queue.pop() else { break };
            for &unit in &self.waiting[self.begins[fact] as usize..self.begins[fact + 1] as usize] {
                self.missing[unit as usize] -= 1;
                if self.missing[unit as usize] == 0 {
                    ready.push(unit);
                }
            }
        }
        reached
    }
}

#[derive(Clone, Copy)]
enum Unit {
    /// An operator; its changes, this many, are the units that follow.
    Operator(u32),
    /// A change that makes this fact true if its operator is applicable.
    Change(FactPair),
    /// An axiom that makes this fact true.
    Axiom(FactPair),
}

/// The conditions of all units, in order.
fn conditions(task: &EncodedTask) -> impl Iterator<Item = &Conjunction> {
    let operators = task.operators.iter().flat_map(|operator| {
        std::iter::once(&operator.condition)
            .chain(operator.changes.iter().map(|change| &change.condition))
    });
    operators.chain(task.axioms.iter().map(|axiom| &axiom.body))
}

struct Fates {
    begins: Vec<u32>,
    fates: Vec<Fate>,
}

impl Fates {
    fn of(&self, pair: FactPair) -> Fate {
        self.fates[(self.begins[pair.variable as usize] + pair.value) as usize]
    }

    /// Drops facts that are always true, and renumbers the values; whether the
    /// conjunction can be true.
    fn apply(&self, conjunction: &mut Conjunction) -> bool {
        if conjunction.iter().any(|&pair| self.of(pair) == Fate::Never) {
            return false;
        }
        conjunction.retain_mut(|pair| self.keep(pair));
        true
    }

    /// Renumbers the value of a fact; whether it is sometimes true and
    /// sometimes false.
    fn keep(&self, pair: &mut FactPair) -> bool {
        let Fate::Value(value) = self.of(*pair) else { return false };
        pair.value = value;
        true
    }
}

/// Drops facts that are never or always true from everything but the list of
/// variables.
fn restrict(task: &mut EncodedTask, fates: &Fates) -> Outcome {
    let can_be_true = fates.apply(&mut task.goal);
    task.operators.retain_mut(|operator| {
        let is_possible = fates.apply(&mut operator.condition);
        operator.changes.retain_mut(|change| {
            fates.apply(&mut change.condition) && fates.keep(&mut change.pair)
        });
        tidy(&mut operator.changes);
        is_possible && !operator.changes.is_empty()
    });
    task.axioms.retain_mut(|axiom| fates.apply(&mut axiom.body) && fates.keep(&mut axiom.head));
    for group in &mut task.mutex_groups {
        group.retain_mut(|pair| fates.keep(pair));
    }
    for (variable, value) in (0..).zip(&mut task.initial) {
        // A default value that is never true is replaced by the first value.
        let mut pair = FactPair { variable, value: *value };
        *value = if fates.keep(&mut pair) { pair.value } else { 0 };
    }
    match (can_be_true, task.goal.is_empty()) {
        (false, _) => Outcome::Unsolvable,
        (true, true) => Outcome::Trivial,
        (true, false) => Outcome::Open,
    }
}

fn relevant_variables(task: &EncodedTask) -> Vec<bool> {
    let mut changed_by = vec![Vec::new(); task.sizes.len()];
    for (index, operator) in (0..).zip(&task.operators) {
        for (number, change) in (0..).zip(&operator.changes) {
            changed_by[change.pair.variable as usize].push((index, Some(number)));
        }
    }
    for (index, axiom) in (0..).zip(&task.axioms) {
        changed_by[axiom.head.variable as usize].push((index, None::<u32>));
    }
    let mut relevant = vec![false; task.sizes.len()];
    let mut queue = Vec::new();
    let mut mark = |conjunction: &Conjunction, queue: &mut Vec<usize>| {
        for pair in conjunction {
            if !std::mem::replace(&mut relevant[pair.variable as usize], true) {
                queue.push(pair.variable as usize);
            }
        }
    };
    mark(&task.goal, &mut queue);
    let mut is_marked = vec![false; task.operators.len()];
    while let Some(variable) = queue.pop() {
        for (index, change) in std::mem::take(&mut changed_by[variable]) {
            let Some(change) = change else {
                mark(&task.axioms[index].body, &mut queue);
                continue;
            };
            let operator = &task.operators[index];
            mark(&operator.changes[change as usize].condition, &mut queue);
            if !std::mem::replace(&mut is_marked[index], true) {
                mark(&operator.condition, &mut queue);
            }
        }
    }
    relevant
}

/// Drops all variables but these.
fn keep_variables(task: &mut EncodedTask, variables: &[u32]) {
    let mut number = vec![None; task.sizes.len()];
    for (new, &old) in (0..).zip(variables) {
        number[old as usize] = Some(new);
    }
    let keep = |pair: &mut FactPair| match number[pair.variable as usize] {
        None => false,
        Some(new) => {
            pair.variable = new;
            true
        }
    };
    task.operators.retain_mut(|operator| {
        operator.changes.retain_mut(|change| {
            change.condition.retain_mut(keep);
            keep(&mut change.pair)
        });
        operator.condition.retain_mut(keep);
        !operator.changes.is_empty()
    });
    task.axioms.retain_mut(|axiom| {
        axiom.body.retain_mut(keep);
        keep(&mut axiom.head)
    });
    task.mutex_groups.retain_mut(|group| {
        group.retain_mut(keep);
        group.iter().any(|pair| pair.variable != group[0].variable)
    });
    task.goal.retain_mut(keep);
    let of = |values: &[u32]| variables.iter().map(|&old| values[old as usize]).collect();
    task.initial = of(&task.initial);
    task.sizes = of(&task.sizes);
    task.is_derived = variables.iter().map(|&old| task.is_derived[old as usize]).collect();
}
