//! One LP, many objectives.
//!
//! The constraints of consistent functions do not depend on what is maximized:
//! one LP serves all objectives, and the simplex method goes on from the last
//! solution (first-order methods start anew). Every function is certified like
//! any other.

use std::sync::Arc;

use hipot_lp::{Column, Method, Problem};
use hipot_task::{Limits, Mutexes, TnfTask, Value};

use crate::certify::{Costs, Violation};
use crate::climb::{Climb, Step};
use crate::feature::Features;
use crate::formulation::{Constraint, Formulation, OverFeatures};
use crate::function::PotentialFunction;
use crate::ladder::{Aim, Demand, Ladder, scale};
use crate::model::{Size, predict_with};
use crate::objective::Average;
use crate::optimize::{BYTES_PER_NONZERO, Error, Extent, Optimized, Params, Report, in_memory};
use crate::pairs::{Chooser, Exclusions, OverPairs, Reduction, Scope};

/// The consistent potential functions over some features.
pub struct Constraints<'a> {
    tnf: &'a TnfTask,
    formulation: Box<dyn Formulation + 'a>,
    size: Size,
    extent: Extent,
}

/// Larger LPs take the simplex method too long.
const WARM_NONZEROS: u64 = 60_000;

/// Whose features a function may have.
#[derive(Clone, Copy, Debug)]
pub enum Over<'a> {
    /// All features of size 1, and those of size 2 on the pairs of variables that
    /// some features are about. Features that symmetries of the task, the
    /// goal and this state map to each other have the same weight.
    Pairs(&'a Features, Option<&'a [Value]>),
    /// The same with further pairs of variables, those that most operators
    /// mention, as many as about so many nonzeros more have room for.
    MorePairs(&'a Features, &'a [Value], u64),
    /// All features of size up to 1 or 2.
    Dimension(usize),
    /// These features.
    Features(&'a Features),
}

impl<'a> Constraints<'a> {
    /// Those of a TNF task. Only states that have no two facts which are `mutexes`
    /// of the task count.
    pub fn new(
        tnf: &'a TnfTask,
        over: Over<'a>,
        mutexes: Option<Arc<Mutexes>>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let exclusions = Exclusions::new(mutexes);
        let task = tnf.task();
        let (scope, reduction) = match over {
            Over::Features(features) => {
                let size = predict_with(task, features, &exclusions)?;
                limits.reserve(size.nonzeros.saturating_mul(BYTES_PER_NONZERO))?;
                let formulation = OverFeatures::new(task, features, exclusions, task.initial())?;
                let (formulation, extent) = (Box::new(formulation), Extent::Complete);
                return Ok(Self { tnf, formulation, size, extent });
            }
            Over::Pairs(features, Some(state)) => {
                let scope = Scope::of(features);
                let dimension = if scope.len() > 0 { 2 } else { 1 };
                (scope, Reduction::new(task, dimension, state, exclusions, limits)?)
            }
            Over::MorePairs(features, state, nonzeros) => {
                let mut scope = Scope::of(features);
                let reduction = Reduction::new(task, 2, state, exclusions, limits)?;
                Chooser::new(task, &reduction).extend(&mut scope, &[], state, nonzeros);
                (scope, reduction)
            }
            Over::Pairs(features, None) => {
                (Scope::of(features), Reduction::without_symmetries(task, exclusions))
            }
            Over::Dimension(dimension) => {
                let reduction = Reduction::without_symmetries(task, exclusions);
                if dimension > 1 {
                    limits.reserve(reduction.bytes_for_all())?;
                }
                (reduction.complete(dimension), reduction)
            }
        };
        let extent = reduction.extent(&scope);
        let classes = reduction.classes(scope);
        let size = reduction.size(task, &classes, in_memory(limits));
        let size = size.ok_or(hipot_task::Stop::MemoryLimit)?;
        let formulation = OverPairs::new(task, &reduction, classes, size, task.initial());
        Ok(Self { tnf, formulation: Box::new(formulation), size, extent })
    }

    /// The same with bounds on the absolute weights, in units of cost.
    #[must_use]
    pub fn with_largest_weight(self, largest: f64, params: &Params) -> Self {
        let largest = largest / scale(self.tnf.task(), params, self.size);
        let formulation = Box::new(Bounded::new(self.formulation, largest));
        Self { formulation, ..self }
    }

    /// Whether the features are about all pairs of variables, if they are about
    /// pairs.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// The same parameters, with the simplex method where it goes on from
    /// objective to objective faster than others begin anew.
    pub fn suited(&self, params: &Params) -> Params {
        let is_open = params.method == Method::Auto && self.size.nonzeros <= WARM_NONZEROS;
        let method = if is_open { Method::PrimalSimplex } else { params.method };
        Params { method, ..params.clone() }
    }
}

/// An LP for many objectives.
pub struct Reoptimizer<'a> {
    ladder: Ladder<'a>,
    climb: Climb<'a>,
    at_goal: Vec<f64>,
}

/// What a solve gave.
#[derive(Clone, Debug)]
pub enum Reoptimized {
    /// The best function, or nearly.
    Function(Box<PotentialFunction>, Report),
    /// There is no best one: some state is a dead end.
    Unbounded,
    /// Nothing could be certified.
    Nothing,
}

impl<'a> Reoptimizer<'a> {
    /// An LP over these constraints.
    pub fn new(
        constraints: &'a Constraints<'a>,
        params: &'a Params,
        limits: &'a Limits,
    ) -> Result<Self, Error> {
        let Constraints { tnf, formulation, size, .. } = constraints;
        let formulation = formulation.as_ref();
        let ladder = Ladder::new(tnf.task(), formulation, Aim::Objective, params, limits, *size);
        let ladder = ladder.with_demand(Demand::Most);
        let goal = tnf.task().goal().iter().map(|fact| fact.value).collect();
        let at_goal = formulation.shares(&Average::States(vec![goal]));
        Ok(Self { ladder, climb: Climb::new(ladder)?, at_goal })
    }

    /// The function with the greatest sum of these averages, each with its factor.
    pub fn maximize(&mut self, averages: &[(&Average, f64)]) -> Result<Reoptimized, Error> {
        let objective = self.objective(averages);
        self.climb.aim_at(objective)?;
        Ok(match self.climb.attempt_all()? {
            Step::Unbounded => Reoptimized::Unbounded,
            Step::On | Step::End => match self.climb.best() {
                Some((function, report)) => Reoptimized::Function(Box::new(function), report),
                None => Reoptimized::Nothing,
            },
        })
    }

    /// A function that no operator lowers, and positive in `state`: a proof that
    /// it is a dead end, if there is one.
    pub fn prove_dead_end(&mut self, state: &[Value]) -> Result<Option<PotentialFunction>, Error> {
        let objective = self.objective(&[(&Average::States(vec![state.to_vec()]), 1.0)]);
        match self.ladder.prove_unsolvable(state, &objective, self.climb.report) {
            Ok(Optimized::Unsolvable(function, _)) => Ok(Some(function)),
            Ok(Optimized::Function(..)) | Err(Error::Solver(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn objective(&self, averages: &[(&Average, f64)]) -> Vec<f64> {
        let mut objective = vec![0.0; self.at_goal.len()];
        for (average, factor) in averages {
            let shares = self.ladder.formulation.shares(average);
            for (sum, (share, at_goal)) in
                objective.iter_mut().zip(shares.iter().zip(&self.at_goal))
            {
                *sum += factor * (share - at_goal);
            }
        }
        objective
    }
}

/// A formulation with bounds on the weights.
struct Bounded<'a> {
    inner: Box<dyn Formulation + 'a>,
    problem: Problem,
}

impl<'a> Bounded<'a> {
    fn new(inner: Box<dyn Formulation + 'a>, largest: f64) -> Self {
        let mut problem = inner.problem().clone();
        for column in (0..inner.weights()).map(|index| Column(index as u32)) {
            problem.set_column_bounds(column, -largest..=largest);
        }
        Self { inner, problem }
    }
}

impl Formulation for Bounded<'_> {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn weights(&self) -> usize {
        self.inner.weights()
    }

    fn constraints(&self) -> &[Constraint] {
        self.inner.constraints()
    }

    fn has_atomic_features(&self) -> bool {
        self.inner.has_atomic_features()
    }

    fn shares(&self, average: &Average) -> Vec<f64> {
        self.inner.shares(average)
    }

    fn certify(
        &self,
        numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
    ) -> Result<PotentialFunction, Violation> {
        self.inner.certify(numerators, denominator, costs)
    }
}
