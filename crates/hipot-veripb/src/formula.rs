//! The formula: a task, an invariant, and the claim that the invariant is broken somewhere.
//!
//! Its parts are described at the head of the crate. What it says about the task does not depend on
//! the certificate, but for the bound.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use hipot_check::Claim;
use hipot_task::{Operator, Task, Value};

use crate::constraint::Constraint;
use crate::function::Function;
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
    /// What was spent before is less than the bound.
    pub(crate) spent: Option<Id>,
    /// For each cost, that at least so much is spent.
    pub(crate) costs: BTreeMap<u32, Id>,
    /// For features of several facts, before and after; by the index of the feature.
    pub(crate) features: [BTreeMap<usize, Definition>; 2],
    /// If the invariant holds before, so does its inequality.
    pub(crate) holds: Id,
    /// If the invariant does not hold, the inequality does not either; before and after.
    pub(crate) fails: [Id; 2],
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
    /// The formula that a certificate's function and claim make of a task.
    pub(crate) fn new(task: &Task, function: &Function, claim: Claim) -> Self {
        let mut formula = Self::default();
        formula.add_states(task);
        formula.add_spent(task, claim);
        formula.add_frames(task);
        formula.add_operators(task, claim);
        formula.add_features(task, function);
        formula.add_invariant(function, claim);
        formula.add_cases(task, claim);
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
            let id = self.add(&Constraint { terms, degree: 1 - i128::from(bound) });
            self.spent.get_or_insert(id);
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

    fn add_features(&mut self, task: &Task, function: &Function) {
        self.comment(
            "INVARIANT: features of several facts, then the inequality, before and after.",
        );
        for (index, feature) in function.features.iter().enumerate() {
            if feature.facts.len() == 1 {
                continue;
            }
            let name = |&(variable, value): &(usize, Value)| format!("x{variable}_{value}");
            let names: Vec<String> = feature.facts.iter().map(name).collect();
            self.comment(&format!("xf{}: {}", feature.number, names.join(" and ")));
            debug_assert!(feature.facts.iter().all(|&(it, _)| it < task.variables().len()));
            for side in Side::BOTH {
                let whole = Variable::Feature(side, feature.number);
                let facts: Vec<Variable> = feature
                    .facts
                    .iter()
                    .map(|&(variable, value)| Variable::Fact(side, variable, value))
                    .collect();
                let mut implies =
                    |&fact: &Variable| self.add(&Constraint::clause([!whole, fact.into()]));
                let implies = facts.iter().map(&mut implies).collect();
                let negated = facts.iter().map(|&fact| !fact);
                let implied = self.add(&Constraint::clause(negated.chain([whole.into()])));
                self.features[side as usize].insert(index, Definition { implies, implied });
            }
        }
    }

    fn add_invariant(&mut self, function: &Function, claim: Claim) {
        for side in Side::BOTH {
            let inequality = inequality(function, claim, side);
            let invariant = Variable::Invariant(side);
            let holds = self.add(&inequality.clone().if_true(invariant.into()));
            self.fails[side as usize] = self.add(&inequality.negated().if_true(!invariant));
            if side == Side::Before {
                self.holds = holds;
            }
        }
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

/// The inequality of the invariant: what has been spent and φ make at least the bound, rounded up;
/// or φ is positive, if there is no plan.
fn inequality(function: &Function, claim: Claim, side: Side) -> Constraint {
    let term = |feature: &crate::function::Feature| {
        let variable = match feature.facts[..] {
            [(variable, value)] => Variable::Fact(side, variable, value),
            _ => Variable::Feature(side, feature.number),
        };
        (feature.weight, variable.into())
    };
    let mut terms: Vec<(i128, Literal)> = function.features.iter().map(term).collect();
    let mut degree = 1 - function.constant;
    if let Claim::Bound(bound) = claim {
        terms.extend(spent(side, bound, function.denominator));
        degree += function.denominator * (i128::from(bound) - 1);
    }
    Constraint { terms, degree }
}
