//! Bucket elimination to be watched: every equation that it generates.
//!
//! [PHB17, Theorems 3 and 4.] The paper describes bucket elimination as a generator of
//! equations. Eliminating X, with the functions ψ_1, …, ψ_k in its bucket, defines
//!
//! > Aux_{X,ν} = max_x Σ_j ψ_j(ν ∪ {X ↦ x})   for each assignment ν to the scope S_X
//!
//! and the last equation is Aux_Ψ = the sum of the functions without scope. P_LP has the
//! constraint Aux_{X,ν} ≥ e for each alternative e. The LP drops what is trivial and
//! certification keeps only numbers, so neither can be read next to the paper. A [`Trace`]
//! has all of it: symbols and exact numbers side by side.
//!
//! There is no second algorithm here. `Recorder` is one more [`ValueSet`]: its values are
//! sums of weights and Aux with their numbers, and it writes down each maximum. So a trace
//! is what [`eliminate`](crate::elimination::eliminate) really does, and
//! `crates/hipot-potential/tests/trace.rs` compares it with certification.
//!
//! *The maximizing context* is read off the equations backward. The variable that was
//! eliminated last has no scope left: its best value is the alternative that attains the
//! maximum. Each earlier X then has ν given by values that are already known.

use hipot_task::Facts;

use crate::context_graph::ContextGraph;
use crate::contexts::{Domains, TooWide, maximize_along};
use crate::delta::{Delta, Term};
use crate::elimination::{ScopedFunction, ValueSet, position};
use crate::feature::FeatureId;

/// An elimination, step by step. Variables are given by index, and their values by position
/// among the possible ones ([`Domains::possible`]).
#[derive(Clone, Debug)]
pub struct Trace {
    /// The eliminated variables, in the order of their elimination. Variables in no scope
    /// need no step.
    pub steps: Vec<Step>,
    /// All auxiliary variables, in the order of their definition: Aux_1, Aux_2, …
    pub auxiliaries: Vec<Auxiliary>,
    /// Aux_Ψ: the sum of the functions without scope.
    pub result: Expression,
    /// A maximizing context: each eliminated variable and its value, by variable.
    pub context: Vec<(usize, usize)>,
}

/// The elimination of a variable X.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// X.
    pub variable: usize,
    /// The functions in the bucket of X.
    pub bucket: Vec<Function>,
    /// S_X, in increasing order.
    pub scope: Vec<usize>,
    /// The indices of Aux_{X,ν} in [`Trace::auxiliaries`], in the order of ν.
    pub auxiliaries: std::ops::Range<usize>,
}

/// A function in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its scope, in increasing order.
    pub scope: Vec<usize>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a function in a bucket comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The sum of the functions ψ_o^f of this many features with the same scope.
    Features(usize),
    /// It is ψ_X, from the elimination of this variable X.
    Eliminated(usize),
}

/// The equation of Aux_{X,ν}.
#[derive(Clone, Debug)]
pub struct Auxiliary {
    /// ν: a value for each variable of S_X.
    pub assignment: Vec<usize>,
    /// One alternative for each value of X.
    pub alternatives: Vec<Expression>,
    /// The first alternative that attains the maximum.
    pub best: usize,
}

impl Auxiliary {
    /// The value of Aux_{X,ν}.
    pub fn value(&self) -> i128 {
        self.alternatives[self.best].value
    }
}

/// A sum of weights and auxiliary variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expression {
    /// Its terms; the empty sum is 0.
    pub terms: Vec<Symbol>,
    /// Its value.
    pub value: i128,
}

/// A term of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// w(f) or −w(f).
    Weight(Term),
    /// An index in [`Trace::auxiliaries`].
    Aux(usize),
}

/// The elimination for an operator's contexts from the end of `order`, which contains every
/// vertex of the [`ContextGraph`]. Refuses to compute more than `max_entries` alternatives.
/// Sums of 64-bit weights, one for each feature, fit into 128 bits.
pub fn trace(
    delta: &Delta,
    facts: &Facts,
    domains: &Domains,
    order: &[usize],
    max_entries: u64,
    weight: impl Fn(FeatureId) -> i64,
) -> Result<Trace, TooWide> {
    let entries = ContextGraph::new(delta, facts).elimination_size(order, domains.sizes());
    if entries > max_entries {
        return Err(TooWide { entries, max_entries });
    }
    let mut recorder = Recorder { domains: domains.sizes(), steps: vec![], auxiliaries: vec![] };
    let value = |_: &mut Recorder<'_>, term: Term| Expression {
        terms: vec![Symbol::Weight(term)],
        value: i128::from(weight(term.feature)) * i128::from(term.sign),
    };
    let result = maximize_along(delta, facts, domains, order, &mut recorder, value);
    let context = recorder.context();
    Ok(Trace { steps: recorder.steps, auxiliaries: recorder.auxiliaries, result, context })
}

/// Expressions with their values, in which every maximum is a new auxiliary variable that
/// is written down.
struct Recorder<'a> {
    domains: &'a [usize],
    steps: Vec<Step>,
    auxiliaries: Vec<Auxiliary>,
}

impl Recorder<'_> {
    /// Where a function in a bucket comes from. The table of ψ_X has one Aux everywhere; other
    /// tables have none.
    fn function(&self, function: &ScopedFunction<Expression>) -> Function {
        let step = match function.table[0].terms[..] {
            [Symbol::Aux(aux)] => self.steps.iter().find(|step| step.auxiliaries.contains(&aux)),
            _ => None,
        };
        let terms = || function.table.iter().map(|entry| entry.terms.len()).sum();
        let origin =
            step.map_or_else(|| Origin::Features(terms()), |it| Origin::Eliminated(it.variable));
        Function { scope: function.scope.clone(), origin }
    }

    /// The assignment number `number` to `scope`.
    fn assignment(&self, scope: &[usize], mut number: usize) -> Vec<usize> {
        let mut assignment = Vec::with_capacity(scope.len());
        for &variable in scope.iter().rev() {
            assignment.push(number % self.domains[variable]);
            number /= self.domains[variable];
        }
        assignment.reverse();
        assignment
    }

    /// The values that attain the maximum.
    fn context(&self) -> Vec<(usize, usize)> {
        let mut values = vec![0; self.domains.len()];
        for step in self.steps.iter().rev() {
            let place = position(self.domains, &step.scope, &values);
            values[step.variable] = self.auxiliaries[step.auxiliaries.start + place].best;
        }
        let mut context: Vec<(usize, usize)> =
            self.steps.iter().map(|step| (step.variable, values[step.variable])).collect();
        context.sort_unstable();
        context
    }
}

impl ValueSet for Recorder<'_> {
    type Value = Expression;

    fn zero(&mut self) -> Expression {
        Expression::default()
    }

    fn add(&mut self, sum: &mut Expression, value: &Expression) {
        sum.terms.extend_from_slice(&value.terms);
        sum.value += value.value;
    }

    fn begin(&mut self, variable: usize, scope: &[usize], bucket: &[ScopedFunction<Expression>]) {
        let bucket = bucket.iter().map(|function| self.function(function)).collect();
        let first = self.auxiliaries.len();
        let scope = scope.to_vec();
        self.steps.push(Step { variable, bucket, scope, auxiliaries: first..first });
    }

    fn max(&mut self, _variable: usize, alternatives: Vec<Expression>) -> Expression {
        let aux = self.auxiliaries.len();
        let step = self.steps.last_mut().expect("an elimination has begun");
        step.auxiliaries.end = aux + 1;
        let (number, scope) = (aux - step.auxiliaries.start, step.scope.clone());
        let assignment = self.assignment(&scope, number);
        let larger = |best: usize, place: usize| {
            let is_larger = alternatives[place].value > alternatives[best].value;
            if is_larger { place } else { best }
        };
        let best = (0..alternatives.len()).fold(0, larger);
        let value = alternatives[best].value;
        self.auxiliaries.push(Auxiliary { assignment, alternatives, best });
        Expression { terms: vec![Symbol::Aux(aux)], value }
    }
}
