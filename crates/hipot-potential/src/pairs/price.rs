//! Which pairs of variables can raise the bound.
//!
//! The dual values of an LP over some features count how often each operator
//! is used: y_o times, in a relaxed plan that leaves every fact (and every pair
//! of facts that is a feature) as often as it enters it, but for the initial
//! state and the goal. The column of a pair f = {a, w} that is no feature yet
//! has the reduced cost
//!
//! ```text
//! [f in s_I] + (times f is entered) − [f in s_⋆] − (times f is left).
//! ```
//!
//! How often operators enter and leave f is known for those that mention the
//! variables of both facts. One that changes the variable of a and does not
//! mention that of w may count for any value of the latter: its y_o is split
//! among the rows of Eq. 9 for the values, as it suits best. So there is an
//! interval for each of the two numbers, and if no choice balances them, no
//! dual solution extends to the LP with f: its weight will raise the bound. By
//! how much they miss each other is the pair's *excess*. Where it is 0 for all
//! facts of two variables, they may still help (what suits one pair of facts
//! need not suit another), the more the more often the relaxed plan uses
//! operators that mention both, and the next relaxed plan will be another one.
//!
//! An excess needs an operator that mentions both variables, so everything
//! here is sparse: the work is quadratic in what single operators mention.

use std::collections::{BTreeMap, HashMap};

use hipot_task::{OperatorId, Task, Value, VariableId};

use super::scope::Scope;
use crate::feature::Facts;

/// A pair of variables, the smaller first.
pub(crate) type VariablePair = (VariableId, VariableId);

/// What speaks for a pair of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(crate) struct Price {
    /// The sum of the excesses of its pairs of facts.
    pub(crate) excess: f64,
    /// How often the relaxed plan uses operators that mention both and change
    /// one.
    pub(crate) uses: f64,
    /// How many such operators there are.
    pub(crate) operators: f64,
}

/// Counts below this are taken for the solver's noise.
const LEAST_COUNT: f64 = 1e-6;

/// What speaks for each pair of variables that is not in `scope` and that some
/// operator mentions, given how often each operator is used in a solution of
/// the dual for `state`.
pub(crate) fn price(
    task: &Task,
    facts: &Facts,
    counts: &[f64],
    state: &[Value],
    scope: &Scope,
) -> BTreeMap<VariablePair, Price> {
    let mut prices: BTreeMap<VariablePair, Price> = BTreeMap::new();
    let mut flow = Flow::new(facts);
    for operator in task.operator_ids() {
        let count = counts[operator.index()];
        let is_used = count > LEAST_COUNT;
        let mentions = mentions(task, facts, operator);
        if is_used {
            flow.add_single(&mentions, count, facts);
        }
        for_each_pair(&mentions, |one, other| {
            let pair = (facts.variable_of(one.before), facts.variable_of(other.before));
            if scope.contains(pair.0, pair.1) {
                return;
            }
            let price = prices.entry(pair).or_default();
            price.operators += 1.0;
            if is_used {
                price.uses += count;
                flow.left.add((one.before, other.before), count);
                flow.entered.add((one.after, other.after), count);
            }
        });
    }
    let goal: Vec<Value> = task.goal().iter().map(|fact| fact.value).collect();
    for ((a, w), (is_initial, is_goal)) in flow.candidates(&prices, state, &goal) {
        let pair = (facts.variable_of(a), facts.variable_of(w));
        let price = prices.get_mut(&pair).expect("some operator mentions both");
        price.excess += flow.excess(a, w, is_initial, is_goal);
    }
    prices
}

/// A fact that an operator requires and what it becomes.
#[derive(Clone, Copy)]
pub(crate) struct Mention {
    pub(crate) before: u32,
    pub(crate) after: u32,
}

impl Mention {
    /// Whether the operator changes it.
    pub(crate) fn changes(self) -> bool {
        self.before != self.after
    }
}

/// What an operator of a TNF task mentions, in the order of the variables.
pub(crate) fn mentions(task: &Task, facts: &Facts, operator: OperatorId) -> Vec<Mention> {
    let operator = task.operator(operator);
    let mention = |effect: &hipot_task::Effect| {
        let variable = effect.fact.variable;
        let value = operator.precondition_on(variable).expect("the task is in TNF");
        let before = facts.id(hipot_task::Fact::new(variable, value)).index() as u32;
        Mention { before, after: facts.id(effect.fact).index() as u32 }
    };
    let mut mentions: Vec<Mention> = operator.effects.iter().map(mention).collect();
    mentions.sort_unstable_by_key(|mention| mention.before);
    mentions
}

/// The pairs of mentions at least one of which is a change.
fn for_each_pair(mentions: &[Mention], mut found: impl FnMut(Mention, Mention)) {
    for (position, &other) in mentions.iter().enumerate() {
        for &one in &mentions[..position] {
            if one.changes() || other.changes() {
                found(one, other);
            }
        }
    }
}

/// Sums by pairs of numbers.
#[derive(Default)]
struct Sums(HashMap<(u32, u32), f64>);

impl Sums {
    fn add(&mut self, key: (u32, u32), value: f64) {
        *self.0.entry(key).or_default() += value;
    }

    fn get(&self, key: (u32, u32)) -> f64 {
        self.0.get(&key).copied().unwrap_or(0.0)
    }
}

/// How often the relaxed plan enters and leaves facts and pairs of facts.
struct Flow<'a> {
    facts: &'a Facts,
    /// Single facts: how often they are entered and left in all.
    single_entered: Vec<f64>,
    single_left: Vec<f64>,
    /// A fact and a variable: how often by operators that mention the variable.
    mentioning_entered: Sums,
    mentioning_left: Sums,
    /// Pairs of facts: how often by operators that mention both variables.
    entered: Sums,
    left: Sums,
}

impl<'a> Flow<'a> {
    fn new(facts: &'a Facts) -> Self {
        Self {
            facts,
            single_entered: vec![0.0; facts.len()],
            single_left: vec![0.0; facts.len()],
            mentioning_entered: Sums::default(),
            mentioning_left: Sums::default(),
            entered: Sums::default(),
            left: Sums::default(),
        }
    }

    fn add_single(&mut self, mentions: &[Mention], count: f64, facts: &Facts) {
        for changed in mentions.iter().filter(|mention| mention.changes()) {
            self.single_left[changed.before as usize] += count;
            self.single_entered[changed.after as usize] += count;
            for other in mentions {
                let variable = facts.variable_of(other.before).index() as u32;
                self.mentioning_left.add((changed.before, variable), count);
                self.mentioning_entered.add((changed.after, variable), count);
            }
        }
    }

    /// The pairs of facts, in order, that may have an excess, and whether they
    /// are true in the initial state and at the goal.
    fn candidates(
        &self,
        prices: &BTreeMap<VariablePair, Price>,
        state: &[Value],
        goal: &[Value],
    ) -> BTreeMap<(u32, u32), (bool, bool)> {
        let keys = self.entered.0.keys().chain(self.left.0.keys());
        let mut candidates: BTreeMap<_, _> = keys.map(|&key| (key, (false, false))).collect();
        let fact = |values: &[Value], variable: VariableId| {
            self.facts.range_of(variable).start as u32 + values[variable.index()]
        };
        for (&(one, other), _) in prices.iter().filter(|(_, price)| price.uses > 0.0) {
            candidates.entry((fact(state, one), fact(state, other))).or_default().0 = true;
            candidates.entry((fact(goal, one), fact(goal, other))).or_default().1 = true;
        }
        candidates
    }

    /// By how much the numbers of times that {a, w} is entered and left miss
    /// each other, at least.
    fn excess(&self, a: u32, w: u32, is_initial: bool, is_goal: bool) -> f64 {
        let variable = |fact| self.facts.variable_of(fact).index() as u32;
        let open = |single: &[f64], mentioning: &Sums| {
            let open = |fact: u32, other: u32| {
                single[fact as usize] - mentioning.get((fact, variable(other)))
            };
            open(a, w) + open(w, a)
        };
        let entered = self.entered.get((a, w)) + f64::from(u8::from(is_initial));
        let left = self.left.get((a, w)) + f64::from(u8::from(is_goal));
        let most_entered = entered + open(&self.single_entered, &self.mentioning_entered);
        let most_left = left + open(&self.single_left, &self.mentioning_left);
        let excess = (entered - most_left).max(left - most_entered);
        if excess > LEAST_COUNT { excess } else { 0.0 }
    }
}
