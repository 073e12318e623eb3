//! One optimizer: the best consistent function over a set of features, for any objective.
//!
//! The constraints of consistent functions do not depend on the objective: one LP serves all
//! objectives. [`Optimizer::maximize`] solves it in stages (`lp::stages`) until the best
//! function that can be [certified](crate::certify) is good enough. Everything that computes
//! functions uses this:
//!
//! | what | LP | objectives |
//! |---|---|---|
//! | [`optimize`](crate::optimize()) | for one state: reduced by its symmetries and by color refinement | φ in this state, once |
//! | features on demand ([`rounds`](crate::rounds)) | a larger one in each round | φ in this state |
//! | [`raise_average`](crate::raise_average) | with bounds on the weights | an average, and φ in a state |
//! | [`diverse`](crate::diverse()), [`EveryState`](crate::EveryState) | one for all | φ in one state after another |
//!
//! There are three ways from floating point to an exact function. They are tried in turn
//! until the bound is as good as the LP's optimum promises:
//!
//! 1. *Small denominators.* Vertices of these LPs often have weights such as
//!    1, ½, ⅓. Round to them and check: this is the exact optimum.
//! 2. *Scaling.* Round to a fine grid; [`certify`](crate::certify) repairs what it can by a
//!    larger denominator.
//! 3. *Margin.* Scaling does not help operators that cost nothing, and hurts
//!    if an operator costs far less than others. So solve with a small margin
//!    on every constraint that has room for one; rounding may use it up.
//!
//! A free operator (one that costs nothing) on a cycle of free operators has no room for a
//! margin: φ must stay exactly the same along the cycle. `lp::equalities` finds the equations
//! that such cycles force. `hipot_lp::Substitution` solves them in integers and replaces the weights
//! that they determine before the LP is solved. So rounded weights satisfy them by
//! construction, in all three ways. (If the equations are left to the LP, the solver's small
//! errors grow along chains of them: sokoban has thousands.)
//!
//! When the objective changes, the simplex method continues from the last solution;
//! first-order methods start anew.

mod anytime;
mod attempts;
mod keep;
mod optimality;
mod rounding;

use std::sync::Arc;
use std::time::Instant;

use hipot_lp::{Accepts, Attempt, Method, Problem, Quotient, Size, Substituted, Substitution};
use hipot_task::{Limits, OperatorId, Value};

use crate::certify::{Certified, Costs};
use crate::engine::{Engine, Start};
use crate::family::ConstraintFamily;
use crate::feature_set::{FeatureLp, FeatureSet};
use crate::helpers::Helpers;
use crate::lp::{Equalities, Stage, ends_in_a_vertex, equalities};
use crate::normal_form::NormalForm;
use crate::objective::{Average, Objective};
use crate::params::Params;
use crate::report::{Error, Extent, Optimality, Report, Rung};

/// The largest cost in the LP, for methods with absolute tolerances: larger costs are scaled
/// down to this.
const MAX_LP_COST: f64 = 100.0;

/// The size up to which the simplex method, started from the last solution, is fast enough.
const MAX_WARM_NONZEROS: u64 = 60_000;

/// What makes a function better than another.
#[derive(Clone, Debug)]
enum Aim {
    /// Its value in a state, which is the only objective.
    State(Vec<Value>),
    /// The LP's objective, whatever it is.
    Objective,
}

/// When a function is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// When more digits of the optimum would not raise the bound.
    Best,
    /// When it is near the optimum: another LP will follow.
    NearBest,
}

/// For how many objectives an LP will be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// For a few: each is solved by the method that suits the LP best.
    Few,
    /// For many: small LPs are solved by the simplex method, because it continues from the
    /// solution for the last objective.
    Many,
}

/// A certified function, its value, and how it became exact.
#[derive(Clone)]
struct Candidate {
    function: Certified,
    value: f64,
    rung: Rung,
}

/// The consistent functions over a set of features, and an LP to maximize over them.
pub struct Optimizer<'a> {
    normal: &'a NormalForm,
    family: Box<dyn ConstraintFamily + 'a>,
    size: Size,
    extent: Extent,
    aim: Aim,
    demand: Demand,
    params: Params,
    method: Method,
    limits: &'a Limits,
    /// A bound that is already certified, for progress reports.
    certified: Option<u64>,
    /// A weight of the LP times this is the weight of the task.
    scale: f64,
    /// For each weight, how many of its features are true in s_⋆.
    at_goal: Vec<f64>,
    /// The objective: a coefficient for each weight.
    objective: Vec<f64>,
    /// A bound on all absolute weights of the LP.
    max_weight: Option<f64>,
    /// The equations that cycles of free operators force, solved.
    substitution: Substitution,
    backend: Backend,
    /// Threads beside this one, if the engine solves the LP.
    helpers: Arc<Helpers>,
    begin: Instant,
    /// φ = 0.
    zero: Candidate,
    /// The best function so far.
    best: Candidate,
    report: Report,
    /// The dual values of the last solution.
    duals: Vec<f64>,
    /// The last stage in which a method produced values.
    done: Option<usize>,
    /// If the best function has this value, only one more attempt is made.
    acceptable: f64,
}

/// What solves the LP.
enum Backend {
    /// Nothing yet.
    None,
    Highs(Box<Highs>),
    Engine(Box<Engine>),
}

/// What is to solve an LP.
enum Started {
    Engine,
    /// HiGHS is to solve it.
    Nothing,
    /// The same, and the equations of free operators are known.
    Equations(Equalities, Substitution),
}

/// How a run of the engine ended.
enum Ran {
    /// The best function is good enough, or time has run out.
    Enough,
    /// The engine does not get any further.
    Stalled,
    /// Color refinement has made the LP small; it has so many nonzeros left.
    Refined(u64),
}

/// HiGHS, and the LP that it solves.
struct Highs {
    forced: Equalities,
    substituted: Substituted,
    solver: Quotient,
}

/// The best function for an objective.
#[derive(Clone, Debug)]
pub enum Found {
    /// The best function, or one near it.
    Function(Box<Certified>, Report),
    /// There is no best function: some state of the objective is a dead end.
    Unbounded,
    /// Nothing could be certified.
    Nothing,
}

impl<'a> Optimizer<'a> {
    /// An optimizer over these features for any objectives, with a bound on all absolute
    /// weights if one is given.
    pub fn new(
        normal: &'a Arc<NormalForm>,
        features: FeatureSet<'a>,
        repeats: Repeats,
        max_weight: Option<f64>,
        params: &Params,
        limits: &'a Limits,
    ) -> Result<Self, Error> {
        let lp = FeatureLp::new(normal, features, params, limits)?;
        let is_open = params.method == Method::Auto && lp.size.nonzeros <= MAX_WARM_NONZEROS;
        let is_warm = repeats == Repeats::Many && is_open;
        let method = if is_warm { Method::PrimalSimplex } else { params.method };
        let scale = scale(normal, method, lp.size);
        let lp = match max_weight {
            Some(weight) => lp.with_max_weight(weight / scale),
            None => lp,
        };
        Self::with_lp(normal, lp, Aim::Objective, Demand::NearBest, method, params, limits)
    }

    /// An optimizer for one state.
    pub(crate) fn for_state(
        normal: &'a NormalForm,
        lp: FeatureLp<'a>,
        state: &[Value],
        demand: Demand,
        params: &Params,
        limits: &'a Limits,
    ) -> Result<Self, Error> {
        let aim = Aim::State(state.to_vec());
        Self::with_lp(normal, lp, aim, demand, params.method, params, limits)
    }

    fn with_lp(
        normal: &'a NormalForm,
        lp: FeatureLp<'a>,
        aim: Aim,
        demand: Demand,
        method: Method,
        params: &Params,
        limits: &'a Limits,
    ) -> Result<Self, Error> {
        let begin = Instant::now();
        let FeatureLp { family, size, extent, max_weight } = lp;
        let at_goal = family.shares(&Average::States(vec![normal.goal().to_vec()]));
        let mut objective = vec![0.0; at_goal.len()];
        if let Aim::State(state) = &aim {
            objective = coefficients(&*family, &at_goal, &Objective::state(state));
        }
        let scale = scale(normal, method, size);
        let report = Report {
            size,
            method,
            seconds: 0.0,
            objective: f64::NEG_INFINITY,
            optimality: Optimality::Within(f64::INFINITY),
            rung: Rung::Zero,
            substituted: 0,
            extent,
            shortfall: None,
            lp: None,
        };
        let zero = zero(&*family, &aim);
        let mut optimizer = Self {
            normal,
            family,
            size,
            extent,
            aim,
            demand,
            params: params.clone(),
            method,
            limits,
            certified: None,
            scale,
            at_goal,
            objective,
            max_weight,
            substitution: Substitution::none(),
            backend: Backend::None,
            helpers: Arc::default(),
            begin,
            best: zero.clone(),
            zero,
            report,
            duals: Vec::new(),
            done: None,
            acceptable: f64::INFINITY,
        };
        match optimizer.start_engine()? {
            Started::Engine => {}
            Started::Nothing => optimizer.start_highs(None)?,
            Started::Equations(forced, solved) => optimizer.start_highs(Some((forced, solved)))?,
        }
        Ok(optimizer)
    }

    /// Writes the LP for HiGHS. The equations of free operators may be known.
    fn start_highs(&mut self, known: Option<(Equalities, Substitution)>) -> Result<(), Error> {
        if self.method == Method::Engine {
            self.method = Method::Auto;
        }
        let (objective, max_weight) = (&self.objective, self.max_weight);
        let weights = self.family.weights();
        let problem = self.family.problem_mut();
        set_objective(problem, objective);
        if let Some(max) = max_weight {
            for column in problem.columns().take(weights) {
                problem.set_column_bounds(column, -max..=max);
            }
        }
        let (forced, substitution) = match known {
            Some(known) => known,
            None => substitution(self.normal, &*self.family, Costs::Given, self.limits)?,
        };
        self.set_substitution(substitution, forced.rows.len());
        let substituted = self.substitution.substitute(self.family.problem());
        let solved = substituted.problem.as_ref().unwrap_or(self.family.problem());
        // Color refinement may merge an alternative that gets a margin with one that does
        // not, and columns that are equal for this objective but not for another.
        let may_reduce = forced.strict.is_empty() && matches!(self.aim, Aim::State(_));
        let solver = Quotient::new(solved, may_reduce, self.method, self.params.library)?;
        self.backend = Backend::Highs(Box::new(Highs { forced, substituted, solver }));
        Ok(())
    }

    fn set_substitution(&mut self, substitution: Substitution, equalities: usize) {
        tracing::debug!(
            "implicit equalities: {equalities}, weights determined by them: {} ({:.3}s)",
            substitution.determined_count(),
            self.begin.elapsed().as_secs_f64()
        );
        self.report.substituted = substitution.determined_count();
        self.substitution = substitution;
    }

    /// Sets a bound that is already certified, for progress reports.
    #[must_use]
    pub(crate) fn with_certified(self, certified: Option<u64>) -> Self {
        Self { certified, ..self }
    }

    /// Begins at a point of another LP, if the engine solves this one.
    pub(crate) fn begin_at(&mut self, start: Option<&Start>) {
        if let (Backend::Engine(engine), Some(start)) = (&mut self.backend, start) {
            engine.begin_at(start);
        }
    }

    /// The last point, as a start for another LP, if the engine has solved this one.
    pub(crate) fn start(&self) -> Option<Start> {
        match &self.backend {
            Backend::Engine(engine) => Some(engine.start()),
            Backend::Highs(_) | Backend::None => None,
        }
    }

    /// Which of the requested features the functions may use.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Finds the function that maximizes the objective.
    pub fn maximize(&mut self, objective: &Objective) -> Result<Found, Error> {
        debug_assert!(matches!(self.aim, Aim::Objective), "the LP is made for one state");
        self.objective = coefficients(&*self.family, &self.at_goal, objective);
        match &mut self.backend {
            Backend::Highs(highs) => {
                let columns = self.family.problem().num_columns();
                let expanded = self.substitution.expand_objective(&self.objective, columns);
                highs.solver.set_objective(&expanded)?;
            }
            Backend::Engine(engine) => engine.set_objective(&self.objective),
            Backend::None => {}
        }
        self.begin = Instant::now();
        self.best = self.zero.clone();
        self.duals.clear();
        (self.done, self.acceptable) = (None, f64::INFINITY);
        if self.attempt_all()? == Ended::Unbounded {
            return Ok(Found::Unbounded);
        }
        let report = self.final_report();
        Ok(match self.best.rung {
            Rung::Zero => Found::Nothing,
            _ => Found::Function(Box::new(self.best.function.clone()), report),
        })
    }

    /// The dual solution: how often it uses each operator that has a constraint.
    pub(crate) fn counts(&self) -> Vec<(OperatorId, f64)> {
        if let Backend::Engine(engine) = &self.backend {
            return engine.counts();
        }
        let constraints = self.family.constraints().iter();
        let count = constraints
            .filter_map(|it| Some((it.operator, self.duals.get(it.cost_row.index())?.abs())));
        count.collect()
    }

    /// The dual values of all rows of the family; empty if there is no solution.
    pub(crate) fn duals(&self) -> &[f64] {
        &self.duals
    }

    /// The family of constraints.
    pub(crate) fn family(&self) -> &dyn ConstraintFamily {
        &*self.family
    }
}

/// How a series of attempts ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// With a best function.
    Done,
    /// The LP has no optimum.
    Unbounded,
}

fn lp_params(limits: &Limits, stage: &Stage, attempt: Attempt) -> hipot_lp::Params {
    hipot_lp::Params {
        time_limit: limits.time_left(),
        iteration_limit: attempt.iterations,
        interrupt: Some(limits.requested()),
        tolerance: stage.tolerance,
        known_feasible: true,
        accepts: Accepts::Imprecise,
        ..hipot_lp::Params::with(attempt.method)
    }
}

fn precise_params(limits: &Limits, method: Method) -> hipot_lp::Params {
    let stage = Stage::precise(method, 0.0);
    lp_params(limits, &stage, stage.attempts[0])
}

/// The equations that cycles of free operators force, solved for some of the weights.
fn substitution(
    normal: &NormalForm,
    family: &dyn ConstraintFamily,
    costs: Costs,
    limits: &Limits,
) -> Result<(Equalities, Substitution), Error> {
    let params =
        hipot_lp::Params { accepts: Accepts::Optimal, ..precise_params(limits, Method::Auto) };
    let found = equalities(normal, family, costs, &params);
    limits.check()?;
    let found = found.ok_or_else(|| Error::Solver("free operators".to_owned()))?;
    let solved = Substitution::solve(&found.rows, family.weights());
    Ok((found, solved.unwrap_or_else(Substitution::none)))
}

/// φ = 0, which is always consistent.
fn zero(family: &dyn ConstraintFamily, aim: &Aim) -> Candidate {
    let function = family.certify(vec![0; family.weights()], 1, Costs::Given, &Helpers::default());
    let function = function.expect("all weights 0 are consistent");
    let value = match aim {
        Aim::State(_) => 0.0,
        Aim::Objective => f64::NEG_INFINITY,
    };
    Candidate { function, value, rung: Rung::Zero }
}

/// The objective as a coefficient for each weight: averages of its features, less their values
/// in s_⋆.
fn coefficients(family: &dyn ConstraintFamily, at_goal: &[f64], objective: &Objective) -> Vec<f64> {
    let mut coefficients = vec![0.0; at_goal.len()];
    for (average, factor) in objective.terms() {
        let shares = family.shares(average);
        for (sum, (share, at_goal)) in coefficients.iter_mut().zip(shares.iter().zip(at_goal)) {
            *sum += factor * (share - at_goal);
        }
    }
    coefficients
}

fn set_objective(problem: &mut Problem, objective: &[f64]) {
    for (column, &value) in problem.columns().zip(objective) {
        problem.set_objective(column, value);
    }
}

/// The factor by which costs in an LP of this size are scaled down.
fn scale(normal: &NormalForm, method: Method, size: Size) -> f64 {
    let largest = f64::from(normal.task().max_cost());
    let to_vertex = ends_in_a_vertex(method, size);
    if to_vertex { 1.0 } else { (largest / MAX_LP_COST).max(1.0) }
}
