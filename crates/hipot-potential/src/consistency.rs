//! Whether a given potential function is goal-aware, consistent, admissible.
//!
//! [PHB17, Theorem 2, `thm:intractability`.] A potential function φ over the
//! states of a task in TNF is
//!
//! - *goal-aware* if φ(s_⋆) ≤ 0;
//! - *consistent* if φ(s) − φ(s⟦o⟧) ≤ cost(o) for every operator o and every
//!   state s in which it is applicable, reachable or not;
//! - *admissible* if φ(s) ≤ h*(s) for every state s.
//!
//! The first takes one evaluation. The second requires, for each operator, the
//! maximum over all states of Σ w(f) Δ_o(f, s): a sum of functions of few
//! variables each, which [elimination](crate::elimination) maximizes. For
//! features of size 2 that takes polynomial time (Theorem 1); for larger ones
//! the test is coNP-complete, and elimination takes time exponential in the
//! width of the context-dependency graph (Theorem 6). If that would take too
//! much, the result is [`Undecided`].
//!
//! The third follows from the first two. A function that is not goal-aware is
//! not admissible, since h*(s_⋆) = 0. One that is goal-aware but not
//! consistent may be either, and this test does not decide it.
//!
//! Everything is exact: weights are integers over one denominator. Features of
//! weight 0 are left out first, because they would only widen the graphs.
//!
//! If an operator takes too much from φ, there is a *witness*, a state in which
//! it does. To find it, the elimination for the worst operator is repeated over
//! values that remember the choices that led to them (`Choices`); this takes
//! memory, so the first pass does without. The witness is then evaluated feature
//! by feature, and must have exactly the excess that elimination computed: a
//! mistake in the elimination cannot make us reject a consistent function.

use hipot_task::{Facts, OperatorId, Rational, Value, gcd};

use crate::context_graph::ContextGraph;
use crate::contexts::{Domains, TooWide, largest_decrease, maximize};
use crate::delta::{Delta, Term};
use crate::elimination::ValueSet;
use crate::feature::{FeatureId, Features};
use crate::normal_form::NormalForm;

/// The weights are too large, or have too little in common, for 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the weights are too large for exact arithmetic with 128 bits")]
pub struct TooLarge;

/// The sum of all absolute numerators, and every cost times the denominator, are
/// below this, so that no sum of weights and no excess overflows.
const MAX_SUM: i128 = 1 << 124;
/// Costs are below 2³¹.
const MAX_DENOMINATOR: i128 = MAX_SUM >> 31;

/// A potential function with exact weights, about which nothing is known yet.
#[derive(Clone, Debug)]
pub struct ExactPotential {
    /// The features whose weight is not 0.
    features: Features,
    /// The numerators of their weights.
    numerators: Vec<i128>,
    constant: i128,
    denominator: i128,
}

impl ExactPotential {
    /// φ = `constant` + Σ w(f) \[f\], with a weight for each of `features`.
    pub fn new(
        features: &Features,
        weights: &[Rational],
        constant: Rational,
    ) -> Result<Self, TooLarge> {
        assert_eq!(features.len(), weights.len(), "a weight for each feature");
        let denominator = common_denominator(weights.iter().chain([&constant]))?;
        let scale = |rational: Rational| {
            let Rational { numerator, denominator: own } = rational.reduced();
            numerator.checked_mul(denominator / own).ok_or(TooLarge)
        };
        let constant = scale(constant)?;
        let mut sum = constant.checked_abs().ok_or(TooLarge)?;
        let (mut lists, mut numerators) = (Vec::new(), Vec::new());
        for (feature, &weight) in features.ids().zip(weights) {
            let numerator = scale(weight)?;
            let size = numerator.checked_abs().ok_or(TooLarge)?;
            sum = sum.checked_add(size).ok_or(TooLarge)?;
            if numerator != 0 {
                lists.push(features.conjuncts(feature).to_vec());
                numerators.push(numerator);
            }
        }
        if sum >= MAX_SUM || denominator >= MAX_DENOMINATOR {
            return Err(TooLarge);
        }
        let features = Features::new(features.facts().clone(), lists);
        let features = features.expect("some of the features of a set are a set of features");
        Ok(Self { features, numerators, constant, denominator })
    }

    /// φ(s), feature by feature.
    pub fn value(&self, state: &[Value]) -> Rational {
        self.rational(self.numerator(state))
    }

    fn numerator(&self, state: &[Value]) -> i128 {
        let held = self.features.ids().filter(|&feature| self.features.holds(feature, state));
        self.constant + held.map(|feature| self.numerators[feature.index()]).sum::<i128>()
    }

    fn rational(&self, numerator: i128) -> Rational {
        Rational { numerator, denominator: self.denominator }
    }

    /// w(f) · ±1, as a numerator.
    fn signed_weight(&self, term: Term) -> i128 {
        self.numerators[term.feature.index()] * i128::from(term.sign)
    }

    /// cost(o), as a numerator.
    fn cost(&self, normal: &NormalForm, operator: OperatorId) -> i128 {
        i128::from(normal.cost(operator)) * self.denominator
    }

    /// The maximum of φ(s) − φ(s⟦o⟧) over all states in which o is
    /// applicable, as a numerator.
    fn largest_decrease(&self, delta: &Delta, domains: &Domains) -> Result<i128, TooWide> {
        let weight = |feature: FeatureId| self.numerators[feature.index()];
        let decrease = largest_decrease(delta, self.features.facts(), domains, weight)?;
        Ok(decrease.expect("the sum of the weights was checked"))
    }
}

fn common_denominator<'a>(numbers: impl Iterator<Item = &'a Rational>) -> Result<i128, TooLarge> {
    let mut common = 1_i128;
    for number in numbers {
        let own = number.reduced().denominator;
        let shared = gcd(common.unsigned_abs(), own.unsigned_abs()).cast_signed();
        common = common.checked_mul(own / shared).ok_or(TooLarge)?;
    }
    Ok(common)
}

/// The result of [`check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// φ(s_I).
    pub initial: Rational,
    /// φ(s_⋆).
    pub goal: Rational,
    /// A violation by the operator that exceeds its cost by most, if any does.
    pub witness: Option<Witness>,
    /// The largest width of the orders in which contexts are eliminated.
    pub width: usize,
}

impl Verdict {
    /// φ(s_⋆) ≤ 0.
    pub fn goal_aware(&self) -> bool {
        self.goal.numerator <= 0
    }

    /// φ(s) − φ(s⟦o⟧) ≤ cost(o) for all transitions.
    pub fn consistent(&self) -> bool {
        self.witness.is_none()
    }

    /// φ ≤ h*; `None` if goal-awareness and consistency do not decide it.
    pub fn admissible(&self) -> Option<bool> {
        match (self.goal_aware(), self.consistent()) {
            (false, _) => Some(false),
            (true, true) => Some(true),
            (true, false) => None,
        }
    }
}

/// A transition s → s⟦o⟧ that takes more from φ than it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// o, an operator of the task in TNF.
    pub operator: OperatorId,
    /// s, a value for each variable. Variables that do not matter have their initial
    /// values.
    pub state: Vec<Value>,
    /// φ(s).
    pub before: Rational,
    /// φ(s⟦o⟧).
    pub after: Rational,
    /// φ(s) − φ(s⟦o⟧) − cost(o), which is positive and the largest for o.
    pub excess: Rational,
}

/// No violation was found, but the test for this operator would take too much.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("consistency cannot be decided: for operator '{operator}', {cause}")]
pub struct Undecided {
    /// The operator's name.
    pub operator: String,
    /// Why the test would take too much.
    pub cause: TooWide,
}

/// Checks whether `potential` is goal-aware and consistent for `normal`, in all states.
pub fn check(normal: &NormalForm, potential: &ExactPotential) -> Result<Verdict, Undecided> {
    let facts = potential.features.facts();
    let domains = Domains::all(facts);
    let mut width = 0;
    let mut worst: Option<(OperatorId, i128)> = None;
    let mut undecided = None;
    for operator in normal.operator_ids() {
        let delta = Delta::new(normal, &potential.features, operator);
        width = width.max(context_width(&delta, facts));
        match potential.largest_decrease(&delta, &domains) {
            Ok(decrease) => {
                let excess = decrease - potential.cost(normal, operator);
                if excess > worst.map_or(0, |(_, most)| most) {
                    worst = Some((operator, excess));
                }
            }
            Err(cause) => {
                let operator = normal.task().operator(operator).name.clone();
                undecided.get_or_insert(Undecided { operator, cause });
            }
        }
    }
    let witness = match (worst, undecided) {
        (Some((operator, excess)), _) => Some(witness(normal, potential, operator, excess)),
        (None, Some(undecided)) => return Err(undecided),
        (None, None) => None,
    };
    let initial = potential.value(normal.initial());
    Ok(Verdict { initial, goal: potential.value(normal.goal()), witness, width })
}

fn context_width(delta: &Delta, facts: &Facts) -> usize {
    // A graph without edges has width 0.
    let edgeless = delta.dependent().all(|(_, context)| context.len() == 1);
    if edgeless { 0 } else { ContextGraph::new(delta, facts).best_order().1 }
}

/// A state in which `operator` exceeds its cost by `excess`, evaluated directly.
fn witness(
    normal: &NormalForm,
    potential: &ExactPotential,
    operator: OperatorId,
    excess: i128,
) -> Witness {
    let state = worst_state(normal, potential, operator);
    let mut successor = state.clone();
    for mention in normal.mentions(operator) {
        let fact = normal.facts().fact(mention.after);
        successor[fact.variable.index()] = fact.value;
    }
    let (before, after) = (potential.numerator(&state), potential.numerator(&successor));
    let found = before - after - potential.cost(normal, operator);
    assert_eq!(found, excess, "evaluation agrees with elimination");
    Witness {
        operator,
        state,
        before: potential.rational(before),
        after: potential.rational(after),
        excess: potential.rational(excess),
    }
}

/// A state in which `operator` is applicable and takes the most from φ.
fn worst_state(
    normal: &NormalForm,
    potential: &ExactPotential,
    operator: OperatorId,
) -> Vec<Value> {
    let facts = potential.features.facts();
    let delta = Delta::new(normal, &potential.features, operator);
    let mut choices = Choices { preferred: normal.initial(), nodes: Vec::new() };
    let weight =
        |_: &mut Choices<'_>, term| Chosen { sum: potential.signed_weight(term), trace: None };
    let most = maximize(&delta, facts, &Domains::all(facts), &mut choices, weight);
    let most = most.expect("it was not too wide before");
    let mut state = normal.initial().to_vec();
    choices.follow(most.trace, &mut state);
    for mention in normal.mentions(operator) {
        let fact = normal.facts().fact(mention.before);
        state[fact.variable.index()] = fact.value;
    }
    state
}

/// Integers that remember which choices in maxima led to them.
///
/// All choices are in one list that values point into: values are copied and
/// added far more often than their choices are needed.
struct Choices<'a> {
    /// The value of each variable to prefer among equally good ones.
    preferred: &'a [Value],
    nodes: Vec<Node>,
}

/// A sum, and the node of its choices, if any.
#[derive(Clone, Copy)]
struct Chosen {
    sum: i128,
    trace: Option<u32>,
}

/// The choices that led to a sum.
#[derive(Clone, Copy)]
enum Node {
    /// This value of a variable, and the choices within that alternative.
    Choice { variable: u32, value: Value, rest: Option<u32> },
    /// The choices of both summands.
    Both(u32, u32),
}

impl Choices<'_> {
    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("elimination is limited")
    }

    /// Sets the variables of `state` to the choices at `trace`.
    fn follow(&self, trace: Option<u32>, state: &mut [Value]) {
        let mut open: Vec<u32> = trace.into_iter().collect();
        while let Some(next) = open.pop() {
            match self.nodes[next as usize] {
                Node::Choice { variable, value, rest } => {
                    state[variable as usize] = value;
                    open.extend(rest);
                }
                Node::Both(first, second) => open.extend([first, second]),
            }
        }
    }
}

impl ValueSet for Choices<'_> {
    type Value = Chosen;

    fn zero(&mut self) -> Chosen {
        Chosen { sum: 0, trace: None }
    }

    fn add(&mut self, sum: &mut Chosen, value: &Chosen) {
        sum.sum += value.sum;
        sum.trace = match (sum.trace, value.trace) {
            (Some(first), Some(second)) => Some(self.push(Node::Both(first, second))),
            (first, second) => first.or(second),
        };
    }

    fn max(&mut self, variable: usize, alternatives: Vec<Chosen>) -> Chosen {
        let preferred = self.preferred[variable];
        let quality = |&(value, chosen): &(Value, &Chosen)| (chosen.sum, value == preferred);
        let best = (0..).zip(&alternatives).max_by_key(quality);
        let (value, &Chosen { sum, trace: rest }) = best.expect("a variable has values");
        let trace = self.push(Node::Choice { variable: variable as u32, value, rest });
        Chosen { sum, trace: Some(trace) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hipot_check::{applicable, apply};
    use hipot_task::{FactId, Task, VariableId};
    use hipot_testing::{RandomTask, Rng};

    fn rational(numerator: i128, denominator: i128) -> Rational {
        Rational { numerator, denominator }
    }

    /// Some features of up to four facts, each at most once.
    fn random_features(task: &Task, rng: &mut Rng) -> Features {
        let facts = Facts::new(task);
        let mut lists: Vec<Vec<FactId>> = Vec::new();
        for _ in 0..=rng.below(12) {
            let mut list = Vec::new();
            for variable in task.variable_ids() {
                if list.len() < 4 && rng.chance(50) {
                    let value = rng.below(task.variable(variable).domain_size());
                    list.push(facts.id(hipot_task::Fact::new(variable, value)));
                }
            }
            if !list.is_empty() && !lists.contains(&list) {
                lists.push(list);
            }
        }
        Features::new(facts, lists).unwrap()
    }

    fn random_potential(task: &Task, rng: &mut Rng) -> ExactPotential {
        let features = random_features(task, rng);
        let size = [2, 4, 12][rng.below(3) as usize];
        let mut number = || {
            let numerator = i128::from(rng.below(2 * size + 1)) - i128::from(size);
            rational(numerator, i128::from(1 + rng.below(4)))
        };
        let weights: Vec<Rational> = features.ids().map(|_| number()).collect();
        ExactPotential::new(&features, &weights, number()).unwrap()
    }

    /// All assignments of values to variables.
    fn all_states(task: &Task) -> Vec<Vec<Value>> {
        let mut states = vec![Vec::new()];
        for variable in task.variables() {
            let longer = |state: Vec<Value>| {
                let values = 0..variable.domain_size();
                values.map(move |value| [state.as_slice(), &[value]].concat())
            };
            states = states.into_iter().flat_map(longer).collect();
        }
        states
    }

    /// The largest excess over all transitions between all states.
    fn enumerated_excess(normal: &NormalForm, potential: &ExactPotential) -> Option<i128> {
        let task = normal.task();
        let mut most = None;
        for state in all_states(task) {
            for id in task.operator_ids() {
                let operator = task.operator(id);
                if applicable(operator, &state) {
                    let successor = apply(task, operator, &state);
                    let decrease = potential.numerator(&state) - potential.numerator(&successor);
                    most = most.max(Some(decrease - potential.cost(normal, id)));
                }
            }
        }
        most
    }

    #[test]
    fn elimination_agrees_with_enumeration() {
        let shape = RandomTask { derived: 0, percent_conditional: 0, ..RandomTask::default() };
        let (mut consistent, mut wide) = (0, 0);
        for seed in 0..2000 {
            let normal = NormalForm::plain(&shape.generate(seed)).unwrap();
            let potential = random_potential(normal.task(), &mut Rng::new(seed));
            let verdict = check(&normal, &potential).unwrap();
            let most = enumerated_excess(&normal, &potential).filter(|&excess| excess > 0);
            let found = verdict.witness.as_ref().map(|witness| witness.excess.numerator);
            assert_eq!(found, most, "seed {seed}");
            consistent += u32::from(verdict.consistent());
            wide += u32::from(verdict.width > 0);
            if let Some(witness) = &verdict.witness {
                assert_violation(&normal, &potential, witness);
            }
        }
        assert!((200..1800).contains(&consistent), "{consistent} of 2000 are consistent");
        assert!(wide > 400, "{wide} of 2000 have edges in their graphs");
    }

    fn assert_violation(normal: &NormalForm, potential: &ExactPotential, witness: &Witness) {
        let task = normal.task();
        let operator = task.operator(witness.operator);
        assert!(applicable(operator, &witness.state));
        let successor = apply(task, operator, &witness.state);
        assert_eq!(potential.value(&witness.state), witness.before);
        assert_eq!(potential.value(&successor), witness.after);
        let decrease = witness.before.numerator - witness.after.numerator;
        assert!(decrease > potential.cost(normal, witness.operator));
    }

    #[test]
    fn what_is_admissible_stays_below_the_true_distances() {
        let shape = RandomTask { derived: 0, percent_conditional: 0, ..RandomTask::default() };
        for seed in 0..500 {
            let normal = NormalForm::plain(&shape.generate(seed)).unwrap();
            let potential = random_potential(normal.task(), &mut Rng::new(seed));
            let verdict = check(&normal, &potential).unwrap();
            let space = hipot_testing::StateSpace::explore(normal.task(), 100_000).unwrap();
            let exceeds = |(state, distance): (&Vec<Value>, &Option<u64>)| {
                let cost = distance.map(|cost| i128::from(cost) * potential.denominator);
                cost.is_some_and(|cost| potential.numerator(state) > cost)
            };
            let exceeded = space.states.iter().zip(&space.goal_distances).any(exceeds);
            assert!(!(exceeded && verdict.admissible() == Some(true)), "seed {seed}");
        }
    }

    /// A lamp, off or on, that can be switched on for 1, and something else.
    fn lamp() -> (NormalForm, Features) {
        use hipot_task::{Effect, Fact, Operator, TaskBuilder, Variable};
        let mut builder = TaskBuilder::new(true);
        let lamp = builder.add_variable(Variable::new("lamp", ["off", "on"])).unwrap();
        let other = builder.add_variable(Variable::new("other", ["a", "b"])).unwrap();
        builder.set_initial(vec![0, 1]).unwrap();
        builder.set_goal(vec![Fact::new(lamp, 1), Fact::new(other, 1)]).unwrap();
        let (name, preconditions) = ("switch-on".to_owned(), vec![Fact::new(lamp, 0)]);
        let effects = vec![Effect::new(Fact::new(lamp, 1))];
        builder.add_operator(Operator { name, preconditions, effects, cost: 1 }).unwrap();
        let normal = NormalForm::plain(&builder.build()).unwrap();
        let facts = normal.facts().clone();
        let off = facts.of_variable(VariableId::new(0)).next().unwrap();
        let b = facts.of_variable(VariableId::new(1)).nth(1).unwrap();
        let features = Features::new(facts, vec![vec![off], vec![off, b]]).unwrap();
        (normal, features)
    }

    #[test]
    fn verdicts_are_told_apart() {
        let (normal, features) = lamp();
        let verdict = |off, both, constant| {
            let weights = [rational(off, 2), rational(both, 2)];
            let potential = ExactPotential::new(&features, &weights, rational(constant, 3));
            check(&normal, &potential.unwrap()).unwrap()
        };
        let tight = verdict(2, 0, 0);
        assert_eq!((tight.consistent(), tight.admissible()), (true, Some(true)));
        assert_eq!(tight.initial.to_string(), "1");
        let low = verdict(3, 0, -2);
        assert_eq!((low.goal_aware(), low.admissible()), (true, None));
        let witness = low.witness.unwrap();
        // The other variable does not matter: it stays as it is initially.
        assert_eq!(witness.state, [0, 1]);
        let shown = [witness.before, witness.after, witness.excess].map(|x| x.to_string());
        assert_eq!(shown, ["5/6", "-2/3", "1/2"]);
        assert_eq!(verdict(3, -1, 0).witness.unwrap().state, [0, 0]);
        let high = verdict(2, 0, 1);
        assert_eq!((high.goal_aware(), high.consistent()), (false, true));
        assert_eq!((high.goal.to_string().as_str(), high.admissible()), ("1/3", Some(false)));
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let (_, features) = lamp();
        let zero = rational(0, 1);
        let fits = |first, second| ExactPotential::new(&features, &[first, second], zero).is_ok();
        assert!(fits(rational(1 << 120, 1), rational(-(1 << 120), 1)));
        assert!(!fits(rational(1 << 124, 1), zero));
        assert!(!fits(rational(i128::MIN, 1), zero));
        assert!(!fits(rational(i128::MAX, 1), rational(i128::MAX, 1)));
        assert!(!fits(rational(1, 1 << 100), zero));
        assert!(!fits(rational(1, (1 << 89) - 1), rational(1, (1 << 61) - 1)));
        // In lowest terms it is small.
        assert!(fits(rational(1 << 120, 1 << 119), zero));
    }
}
