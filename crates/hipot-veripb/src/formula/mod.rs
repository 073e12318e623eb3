//! The formula: a task, an invariant, and the claim that the invariant is broken somewhere.
//!
//! Its parts are described at the head of the crate. What it says about the task does not depend on
//! the certificate, but for the bound. The invariant is in the module `invariant`.

mod invariant;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use hipot_check::Claim;
use hipot_task::{Operator, Task, Value};

use crate::constraint::Constraint;
use crate::invariant::Invariant;
use crate::literal::{Literal, Side, Variable};
use crate::proof::Id;

/// What an operator requires and does, variable by variable.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) variable: usize,
    /// The value before; `None` if it can be any.
    pub(crate) before: Option<Value>,
    /// The value after, if the operator sets it to another one.
    pub(crate) after: Option<Value>,
}

/// What an operator does, in the order of variables. Of several effects on a variable, the last
/// one counts.
fn changes(operator: &Operator) -> Vec<Change> {
    let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
    for fact in &operator.preconditions {
        let (variable, before) = (fact.variable.index(), Some(fact.value));
        changes.insert(variable, Change { variable, before, after: None });
    }
    for effect in &operator.effects {
        let (variable, value) = (effect.fact.variable.index(), effect.fact.value);
        let change =
            changes.entry(variable).or_insert(Change { variable, before: None, after: None });
        change.after = (change.before != Some(value)).then_some(value);
    }
    changes.into_values().collect()
}

/// "Exactly one": the numbers of "at least one" and "at most one".
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactlyOne {
    pub(crate) at_least: Id,
    pub(crate) at_most: Id,
}

/// What a feature of several facts stands for.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// If it is true, so is the first fact, the second, ….
    pub(crate) implies: Vec<Id>,
    /// If the facts are true, so is it.
    pub(crate) implied: Id,
}

/// That a variable keeps its value, for a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// What holds before holds after.
    pub(crate) forward: Id,
    /// What holds after held before.
    pub(crate) backward: Id,
}

/// An operator's constraint, and what it does.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) id: Id,
    pub(crate) changes: Vec<Change>,
    /// The number of the set of variables that it changes.
    pub(crate) set: usize,
    pub(crate) cost: u32,
}

/// An inequality that has a name, and what the name stands for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named {
    /// If the name is true, the inequality holds.
    pub(crate) holds: Id,
    /// If it is not, the inequality does not hold.
    pub(crate) fails: Id,
}

/// A function in the invariant, before and after.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionIds {
    /// Features of several facts, by their index.
    pub(crate) features: [BTreeMap<usize, Definition>; 2],
    /// It is large enough.
    pub(crate) far: [Named; 2],
}

/// The parts of the invariant, before and after.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartIds {
    /// For each part, that it implies the invariant.
    pub(crate) implies: [BTreeMap<Variable, Id>; 2],
    /// The invariant implies some part.
    pub(crate) some: [Id; 2],
    /// All facts of the goal, and their conjunction.
    pub(crate) goal: [Named; 2],
    pub(crate) late: [Named; 2],
    pub(crate) at_least: [BTreeMap<u64, Named>; 2],
    pub(crate) listed: [Vec<Named>; 2],
}

/// The numbers of a formula's constraints.
#[derive(Debug, Default)]
pub(crate) struct Formula {
    /// For each variable of the task, before and after.
    pub(crate) values: [Vec<ExactlyOne>; 2],
    /// For each variable of the task and each of its values.
    pub(crate) frames: Vec<Vec<Frame>>,
    /// For each set of variables that some operator changes: all others keep their values, if
    /// there are others.
    pub(crate) kept: Vec<Option<Id>>,
    /// The variables of these sets.
    pub(crate) sets: Vec<BTreeSet<usize>>,
    pub(crate) steps: Vec<Step>,
    /// What has been spent is less than the bound, before and after; 0 if costs are left out.
    pub(crate) spent: [Id; 2],
    /// For each cost, that at least so much is spent.
    pub(crate) costs: BTreeMap<u32, Id>,
    /// The functions of the invariant.
    pub(crate) functions: Vec<FunctionIds>,
    pub(crate) parts: PartIds,
    pub(crate) first: Id,
    /// A step leads from the invariant to its negation, by some operator.
    pub(crate) step: Id,
    pub(crate) some_operator: Id,
    pub(crate) last: Id,
    pub(crate) cases: Id,
    /// The text.
    text: String,
    count: Id,
    variables: BTreeSet<Variable>,
}

impl Formula {
    /// The formula that an invariant makes of a task.
    pub(crate) fn new(task: &Task, invariant: &Invariant) -> Self {
        let mut formula = Self::default();
        formula.add_states(task);
        formula.add_spent(task, invariant.claim);
        formula.add_frames(task);
        formula.add_operators(task, invariant.claim);
        formula.add_invariant(task, invariant);
        formula.add_cases(task, invariant.claim);
        formula
    }

    /// The number of its constraints.
    pub(crate) fn count(&self) -> Id {
        self.count
    }

    /// Writes it in the OPB format.
    pub(crate) fn write(&self, mut output: impl Write) -> io::Result<()> {
        let (variables, count) = (self.variables.len(), self.count);
        writeln!(output, "* #variable= {variables} #constraint= {count}")?;
        output.write_all(self.text.as_bytes())?;
        output.flush()
    }

    fn comment(&mut self, text: &str) {
        // A comment ends with its line.
        let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
        writeln!(self.text, "* {text}").expect("strings can be written");
    }

    fn add(&mut self, constraint: &Constraint) -> Id {
        self.variables.extend(constraint.terms.iter().map(|(_, literal)| literal.variable));
        writeln!(self.text, "{constraint} ;").expect("strings can be written");
        self.count += 1;
        self.count
    }

    fn add_states(&mut self, task: &Task) {
        self.comment("STATES: x before a step, y after it. Each variable has exactly one value.");
        for (index, variable) in task.variables().iter().enumerate() {
            for (value, name) in variable.values.iter().enumerate() {
                self.comment(&format!("x{index}_{value}: {} = {name}", variable.name));
            }
            for side in Side::BOTH {
                let facts: Vec<Literal> = (0..variable.domain_size())
                    .map(|value| Variable::Fact(side, index, value).into())
                    .collect();
                let at_least = self.add(&Constraint::clause(facts.iter().copied()));
                let terms = facts.iter().map(|&literal| (-1, literal)).collect();
                let at_most = self.add(&Constraint { terms, degree: -1 });
                self.values[side as usize].push(ExactlyOne { at_least, at_most });
            }
        }
    }

    fn add_spent(&mut self, task: &Task, claim: Claim) {
        let Claim::Bound(bound) = claim else { return };
        self.comment(&format!("COSTS: in binary; only less than {bound} in all matters."));
        for side in Side::BOTH {
            let terms = spent(side, bound, -1);
            let less = Constraint { terms, degree: 1 - i128::from(bound) };
            self.spent[side as usize] = self.add(&less);
        }
        let costs: BTreeSet<u32> = task.operators().iter().map(|operator| operator.cost).collect();
        for cost in costs {
            let both = |sign: i128| {
                let mut terms = spent(Side::After, bound, sign);
                terms.extend(spent(Side::Before, bound, -sign));
                let constraint = Constraint { terms, degree: sign * i128::from(cost) };
                constraint.if_true(Variable::Cost(cost).into())
            };
            let id = self.add(&both(1));
            self.add(&both(-1));
            self.costs.insert(cost, id);
        }
    }

    fn add_frames(&mut self, task: &Task) {
        self.comment("VARIABLES THAT KEEP THEIR VALUES");
        for (index, variable) in task.variables().iter().enumerate() {
            let same = !Variable::Same(index);
            let mut frame = |value| {
                let [before, after] = Side::BOTH.map(|side| Variable::Fact(side, index, value));
                let forward = self.add(&Constraint::clause([same, !before, after.into()]));
                let backward = self.add(&Constraint::clause([same, before.into(), !after]));
                Frame { forward, backward }
            };
            let frames = (0..variable.domain_size()).map(&mut frame).collect();
            self.frames.push(frames);
        }
    }

    fn add_operators(&mut self, task: &Task, claim: Claim) {
        self.comment("OPERATORS: what each requires, sets, keeps and costs.");
        let mut numbers: BTreeMap<BTreeSet<usize>, usize> = BTreeMap::new();
        for (index, operator) in task.operators().iter().enumerate() {
            let changes = changes(operator);
            let changed = changes.iter().filter(|change| change.after.is_some());
            let changed: BTreeSet<usize> = changed.map(|change| change.variable).collect();
            let new = numbers.len();
            let set = *numbers.entry(changed.clone()).or_insert(new);
            if set == new {
                self.add_kept(task, changed);
            }
            let fact = |side, variable| move |value| Variable::Fact(side, variable, value);
            let mut literals: Vec<Variable> = Vec::new();
            for &Change { variable, before, after } in &changes {
                literals.extend(before.map(fact(Side::Before, variable)));
                literals.extend(after.map(fact(Side::After, variable)));
            }
            literals.extend(self.kept[set].map(|_| Variable::Kept(set)));
            if let Claim::Bound(_) = claim {
                literals.push(Variable::Cost(operator.cost));
            }
            self.comment(&format!("op{index}: {}", operator.name));
            let literals = literals.into_iter().map(Literal::from);
            let id = self.add(&Constraint::implies_all(Variable::Operator(index), literals));
            self.steps.push(Step { id, changes, set, cost: operator.cost });
        }
    }

    /// That all variables but the next set of changed ones keep their values.
    fn add_kept(&mut self, task: &Task, changed: BTreeSet<usize>) {
        let kept = (0..task.variables().len()).filter(|it| !changed.contains(it));
        let same: Vec<Literal> = kept.map(|variable| Variable::Same(variable).into()).collect();
        let name = Variable::Kept(self.sets.len());
        let id = (!same.is_empty()).then(|| self.add(&Constraint::implies_all(name, same)));
        self.kept.push(id);
        self.sets.push(changed);
    }

    fn add_cases(&mut self, task: &Task, claim: Claim) {
        let [before, after] = Side::BOTH.map(Variable::Invariant);
        let fact = |variable, value| Literal::from(Variable::Fact(Side::Before, variable, value));
        self.comment("THE INVARIANT IS BROKEN: it does not hold in the initial state,");
        let initial =
            task.initial().iter().enumerate().map(|(variable, &value)| fact(variable, value));
        let bits = match claim {
            Claim::Bound(bound) => spent(Side::Before, bound, 1),
            Claim::Unsolvable => Vec::new(),
        };
        let nothing_spent = bits.into_iter().map(|(_, literal)| !literal);
        let all = initial.chain(nothing_spent).chain([!before]);
        self.first = self.add(&Constraint::implies_all(Variable::First, all));
        self.comment("or an operator leads from a state where it holds to one where it does not,");
        self.step = self.add(&Constraint::implies_all(Variable::Step, [before.into(), !after]));
        let operators = (0..task.operators().len()).map(|index| Variable::Operator(index).into());
        self.some_operator = self.add(&Constraint::clause(operators.chain([!Variable::Step])));
        self.comment("or it holds in a goal state.");
        let goal = task.goal().iter().map(|it| fact(it.variable.index(), it.value));
        self.last = self.add(&Constraint::implies_all(Variable::Last, goal.chain([before.into()])));
        let cases = [Variable::First, Variable::Step, Variable::Last].map(Literal::from);
        self.cases = self.add(&Constraint::clause(cases));
    }
}

/// The terms of a multiple of what has been spent, with bits for less than the bound.
fn spent(side: Side, bound: u64, factor: i128) -> Vec<(i128, Literal)> {
    let bits = u64::BITS - bound.saturating_sub(1).leading_zeros();
    (0..bits).map(|bit| (factor << bit, Variable::Spent(side, bit).into())).collect()
}
