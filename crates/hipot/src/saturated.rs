//! Saturated cost partitioning over a potential function and abstractions: from a spec to sums.
//!
//! The components share the costs in the order of the spec. Abstractions that stand before the
//! potential function take what they need for the initial state, then the LP of the function gets
//! the costs that are left. Whatever its place was, in the end the function keeps what it takes,
//! exactly, and all abstractions share the rest anew, in orders for the initial state and for
//! samples of other states. Nothing is lost by that: the order before is still possible.
//!
//! *Rounds.* The sum over the best order gives the LP other costs to optimize under: those that
//! the abstractions leave. The old function satisfies the new LP, so the initial state's value
//! cannot drop, apart from what rounding costs; it is kept if it does not rise.
//!
//! *Costs for the LP* are integers below 2³¹. Costs over a denominator D are multiplied by as much
//! of D as fits, and rounded down. So the function is a bit lower than it could be, and
//! certified all the same. Where abstractions leave more than the cost of an operator, the LP gets
//! the cost: all abstractions share the rest anew, and that must not be negative.
//!
//! *Costs for the abstractions* are what the function leaves over its denominator. Denominators of
//! rounded solutions are large, up to 10⁶ and more, and nobody needs distances as precise as that:
//! they are counted in larger units then, so that tables hold numbers of 32 bits.
//!
//! The abstractions alone are a second sum: where the function is of little use, they have all
//! costs.
//!
//! *Time.* Without a time in the spec, building takes a third of the time that is left, or a minute
//! at most. Projections and Cartesian abstractions may use a quarter each, the LPs a quarter of
//! the rest for each, and orders have what remains; those for the initial state half of it.
//!
//! One potential function is enough: two of them are features of one, which the LP optimizes
//! together.
//!
//! *What is known already* ([`Basis`]) is not computed again: a search that has a function and its
//! mutexes begins the first round with them, and the orders are for states that it has expanded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_abstraction::partitioning::{
    self, Partitioning, Saturator, diverse, saturated_cost_partitioning,
};
use hipot_abstraction::{
    Abstraction, Collection, Costs, Error, Frame, INFINITE, cartesian, grow::grow,
    systematic::systematic,
};
use hipot_analysis::{Mutexes, OpenValues};
use hipot_potential::textbook::largest_decreases;
use hipot_potential::{Certified, NormalForm, Report};
use hipot_search::Walks;
use hipot_task::{Fact, Limits, MAX_COST, Operator, Rng, Stop, Task, Value};

use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::potential::compute_in;
use crate::settings::{Completeness, Settings};
use crate::spec::{PotentialSpec, SaturatedComponent, SaturatedSpec};
use crate::sums::{Saturated, Sum};

/// The time for building without a time in the spec.
const DEFAULT_TIME: Duration = Duration::from_secs(60);
const TIME_SHARE: f64 = 0.33;

/// The number of sample states for each order.
const SAMPLES_PER_ORDER: usize = 4;

/// The largest scale of LP costs relative to the operators' costs.
const MAX_SCALE: i64 = 1000;

/// The costs of abstractions are below this, in their units.
const MAX_UNITS: i64 = 1 << 21;

/// Computes the heuristic of `spec`.
pub(crate) fn compute_saturated(
    task: &Task,
    spec: &SaturatedSpec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    let begin = Instant::now();
    let normal = NormalForm::new(task, spec.mutexes, OpenValues::Unknown, limits)
        .map_err(|error| unsupported(spec, error.into()))?;
    let basis = Basis { normal: Arc::new(normal), function: None, samples: None };
    let built = compute_saturated_from(task, &basis, spec, settings, limits)?;
    let saturated = Saturated { seconds: begin.elapsed().as_secs_f64(), ..built };
    settings.events.tell_bound(saturated.bound());
    Ok(Computed::Saturated(Box::new(saturated)))
}

/// What is known before building begins.
pub(crate) struct Basis<'a> {
    /// The mutexes of the abstractions.
    pub(crate) normal: Arc<NormalForm>,
    /// A potential function about the same normal form, for the first round.
    pub(crate) function: Option<&'a Potential>,
    /// States that the orders are for; the end states of random walks if there are none.
    pub(crate) samples: Option<&'a [Vec<Value>]>,
}

/// Computes the heuristic of `spec` from what is known.
pub(crate) fn compute_saturated_from(
    task: &Task,
    basis: &Basis<'_>,
    spec: &SaturatedSpec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Saturated, Failure> {
    let begin = Instant::now();
    let mutexes = given_mutexes(task, &basis.normal, limits)?;
    let frame = Frame::new(task, mutexes.as_ref(), limits).map_err(|it| failure(spec, it))?;
    let time = match spec.time {
        Some(time) => limits.within(time),
        None => limits.with_share(TIME_SHARE).within(DEFAULT_TIME),
    };
    let build = Build { task, basis, spec, settings, limits, time: &time, frame: &frame };
    let built = build.run().map_err(|error| failure(spec, error))??;
    Ok(Saturated { seconds: begin.elapsed().as_secs_f64(), ..built })
}

fn unsupported(spec: &SaturatedSpec, failure: Failure) -> Failure {
    match failure {
        Failure::Unsupported(reason) => Failure::Unsupported(format!("{spec}: {reason}")),
        failure => failure,
    }
}

fn failure(spec: &SaturatedSpec, error: Error) -> Failure {
    match error {
        Error::Stopped(stop) => stop.into(),
        Error::Unsupported(reason) => unsupported(spec, reason.into()),
        error @ Error::TooLarge { .. } => Failure::Unsupported(format!("{spec}: {error}")),
    }
}

/// The mutexes of the normal form as mutexes of the given task.
fn given_mutexes(
    task: &Task,
    normal: &NormalForm,
    limits: &Limits,
) -> Result<Option<Mutexes>, Stop> {
    let Some(own) = normal.mutexes() else { return Ok(None) };
    let mut mutexes = Mutexes::new(task, limits)?;
    let is_given = |fact: &Fact| fact.value < task.variable(fact.variable).domain_size();
    for (one, other) in own.pairs().filter(|(one, other)| is_given(one) && is_given(other)) {
        mutexes.insert(one, other);
    }
    Ok(Some(mutexes))
}

/// What building needs.
#[derive(Clone, Copy)]
struct Build<'a> {
    task: &'a Task,
    basis: &'a Basis<'a>,
    spec: &'a SaturatedSpec,
    settings: &'a Settings,
    limits: &'a Limits,
    time: &'a Limits,
    frame: &'a Frame<'a>,
}

/// A function in units of the LP's costs, and how many of those make one unit of cost.
struct Scaled {
    potential: Potential,
    scale: i64,
}

impl Build<'_> {
    fn run(self) -> Result<Result<Saturated, Failure>, Error> {
        let normal = Arc::clone(&self.basis.normal);
        let whole = Costs::new(self.task.operators().iter().map(|it| it.cost.into()).collect());
        let (abstractions, before) = self.abstractions(&whole)?;
        let collection = Arc::new(Collection::new(self.frame, abstractions, self.limits)?);
        let initial = collection.states(self.task.initial());
        let initial = initial.filter(|_| !normal.is_unsolvable());
        let mut sums = Vec::new();
        if let Some(states) = &initial {
            let samples = self.samples(&collection, states)?;
            let share = |costs: &Costs| self.partition(&collection, costs, states, &samples);
            if let Some(pot) = self.spec.potential() {
                match self.with_function(pot, &collection, &whole, states, before, share)? {
                    Ok(found) => sums.extend(found),
                    Err(failure) => return Ok(Err(failure)),
                }
                if sums.is_empty() {
                    tracing::warn!("{}: no function was found for {pot} in time", self.spec);
                }
            }
            let (tables, first) = share(&whole)?;
            let taken = vec![0; self.task.operators().len()];
            let (denominator, unit, tables) = (1, 1, Arc::new(tables));
            let left = whole;
            sums.push(Sum { function: None, denominator, taken, unit, left, first, tables });
        }
        let (spec, seconds) = (self.spec.clone(), 0.0);
        Ok(Ok(Saturated { spec, normal, collection, sums, initial, seconds }))
    }

    /// The abstractions of all components, and how many come before the potential function.
    fn abstractions(self, costs: &Costs) -> Result<(Vec<Abstraction>, usize), Error> {
        let quarter = || self.time.with_share(0.25);
        let mut all: Vec<Abstraction> = Vec::new();
        let mut before = 0;
        for component in &self.spec.components {
            match component {
                SaturatedComponent::Potential(_) => before = all.len(),
                SaturatedComponent::Projections(params) => {
                    let (time, limits) = (quarter(), self.limits);
                    let (frame, half) = (self.frame, time.with_share(0.6));
                    let found = systematic(frame, costs, params, &half, limits)?;
                    let samples = [self.task.initial().to_vec()];
                    let grown = grow(frame, &found, costs, &samples, params, &time, limits)?;
                    all.extend(found.into_iter().chain(grown).map(Abstraction::from));
                }
                SaturatedComponent::Cartesian(params) => {
                    let subtasks = cartesian::subtasks(self.frame, self.limits)?;
                    let found = cartesian::abstractions(
                        self.frame,
                        &subtasks,
                        params,
                        &quarter(),
                        self.limits,
                    )?;
                    all.extend(found.into_iter().map(Abstraction::from));
                }
            }
        }
        Ok((all, before))
    }

    /// The states that orders are for, by their abstract states.
    fn samples(self, collection: &Collection, initial: &[u32]) -> Result<Vec<Vec<u32>>, Error> {
        match self.basis.samples {
            Some(states) => Ok(states.iter().filter_map(|it| collection.states(it)).collect()),
            None => self.walks(collection, initial),
        }
    }

    /// End states of random walks, by their abstract states.
    fn walks(self, collection: &Collection, initial: &[u32]) -> Result<Vec<Vec<u32>>, Error> {
        let costs = Costs::new(self.task.operators().iter().map(|it| it.cost.into()).collect());
        let order: Vec<usize> = (0..collection.len()).collect();
        let first = saturated_cost_partitioning(
            collection,
            &order,
            &costs,
            Saturator::All,
            initial,
            self.limits,
        )?;
        let bound = u64::try_from(first.value(initial)).unwrap_or(0);
        let count = self.spec.orders.saturating_mul(SAMPLES_PER_ORDER);
        let accepts = |state: &[Value]| collection.states(state).is_some();
        let rng = &mut Rng::new(self.settings.seed);
        let states = Walks::new(self.task, bound).sample(count, rng, accepts, self.limits)?;
        Ok(states.iter().filter_map(|state| collection.states(state)).collect())
    }

    fn partition(
        self,
        collection: &Collection,
        costs: &Costs,
        initial: &[u32],
        samples: &[Vec<u32>],
    ) -> Result<(partitioning::Tables, Partitioning), Error> {
        let (saturator, max_orders) = (self.spec.saturator, self.spec.orders);
        let max_bytes = self.limits.memory().map_or(1 << 30, |memory| memory / 8);
        let params =
            partitioning::Params { saturator, max_orders, max_bytes, ..Default::default() };
        // There may be two sums.
        let time = self.time.with_share(0.5);
        diverse(collection, costs, initial, samples, &params, &time, self.limits)
    }

    /// The sum of the function of `pot` and abstractions.
    fn with_function(
        self,
        pot: &PotentialSpec,
        collection: &Collection,
        whole: &Costs,
        states: &[u32],
        before: usize,
        share: impl Fn(&Costs) -> Result<(partitioning::Tables, Partitioning), Error>,
    ) -> Result<Result<Option<Sum>, Failure>, Error> {
        let normal = match self.normal_form(pot) {
            Ok(normal) => normal,
            Err(failure) => return Ok(Err(failure)),
        };
        let first_ones: Vec<usize> = (0..before).collect();
        let left = saturated_cost_partitioning(
            collection,
            &first_ones,
            whole,
            self.spec.saturator,
            states,
            self.limits,
        )?
        .left;
        let (mut costs, mut denominator) = (left, 1);
        let mut best: Option<Sum> = None;
        // It is about all costs.
        let mut known = self.basis.function.filter(|_| before == 0);
        for _ in 0..self.spec.rounds {
            let function = match known.take() {
                Some(known) => Ok(Some(Scaled { potential: known.clone(), scale: 1 })),
                None => self.optimize(pot, &normal, &costs, denominator),
            };
            let function = match function {
                Ok(Some(function)) => function,
                Ok(None) => break,
                Err(Failure::Stopped(stop)) if self.limits.check().is_ok() => {
                    tracing::debug!("no further function: {stop}");
                    break;
                }
                Err(failure) => return Ok(Err(failure)),
            };
            let Some((function, report, taken, own)) = self.take(function) else { break };
            let unit = unit(whole, &taken, own);
            let rest = rest(whole, &taken, own, unit);
            let (tables, first) = share(&rest)?;
            let sum = Sum {
                function: Some((function, report)),
                denominator: own,
                taken,
                unit,
                left: rest,
                first,
                tables: Arc::new(tables),
            };
            let value = |sum: &Sum| {
                let function =
                    sum.function.as_ref().map_or(0, |(it, _)| it.numerator(normal.initial()));
                function + i128::from(sum.unit) * i128::from(sum.first.value(states))
            };
            let is_better = best.as_ref().is_none_or(|best| {
                value(&sum) * i128::from(best.denominator)
                    > value(best) * i128::from(sum.denominator)
            });
            if !is_better {
                break;
            }
            // What the abstractions leave is what the function has taken, and more.
            costs = given_back(&sum);
            denominator = sum.denominator;
            best = Some(sum);
            if self.time.check().is_err() {
                break;
            }
        }
        Ok(Ok(best))
    }

    /// The normal form that the function of `pot` is about.
    fn normal_form(self, pot: &PotentialSpec) -> Result<Arc<NormalForm>, Failure> {
        match self.basis.function {
            Some(known) => Ok(Arc::clone(known.normal_form())),
            None => Ok(Arc::new(NormalForm::new(self.task, pot.mutexes, pot.open, self.limits)?)),
        }
    }

    /// The best function under costs over a denominator; `None` if none was found.
    fn optimize(
        self,
        pot: &PotentialSpec,
        normal: &NormalForm,
        costs: &Costs,
        denominator: i64,
    ) -> Result<Option<Scaled>, Failure> {
        let (costs, scale) = scaled(self.task, costs, denominator);
        let normal = Arc::new(normal.with_costs(&costs));
        let completeness = Completeness::Optional;
        let settings = Settings { completeness, ..self.settings.clone() };
        let limits = self.time.with_share(0.25);
        // It is about other costs: its bounds are nobody's business.
        let settings = Settings { events: crate::events::Events::none(), ..settings };
        let computed = compute_in(self.task, &normal, pot, &settings, &limits)?;
        Ok(match computed {
            Computed::Potential(potential) if !potential.proves_unsolvable => {
                Some(Scaled { potential: *potential, scale })
            }
            _ => None,
        })
    }

    /// The function with what it takes of each cost, and the denominator of both.
    fn take(self, scaled: Scaled) -> Option<(Certified, Report, Vec<i64>, i64)> {
        let Potential { function, report, .. } = scaled.potential;
        let decreases = largest_decreases(&function).ok()?;
        let taken = function.decreases_of_given(self.task, &decreases).into_iter();
        let taken: Option<Vec<i64>> =
            taken.map(|taken| i64::try_from(taken.unwrap_or(0)).ok()).collect();
        let denominator = function.denominator().checked_mul(scaled.scale)?;
        // More may be said to be taken than is: that keeps costs far from the limits of 64 bits.
        let least = -i64::from(self.task.max_cost()).checked_mul(denominator)?;
        let taken = taken?.into_iter().map(|taken| taken.max(least)).collect();
        (least > -(1 << 55)).then_some((function, report, taken, denominator))
    }
}

/// The unit in which what a function leaves is small.
fn unit(whole: &Costs, taken: &[i64], denominator: i64) -> i64 {
    let costs = whole.as_slice().iter().zip(taken);
    let largest = costs.map(|(cost, taken)| cost * denominator - taken).max().unwrap_or(0);
    largest / MAX_UNITS + 1
}

/// cost(o) minus what a function takes, over its denominator, in these units.
fn rest(whole: &Costs, taken: &[i64], denominator: i64, unit: i64) -> Costs {
    let costs = whole.as_slice().iter().zip(taken);
    Costs::new(costs.map(|(cost, taken)| (cost * denominator - taken) / unit).collect())
}

/// What a function may take if the abstractions keep their shares.
fn given_back(sum: &Sum) -> Costs {
    let costs = sum.first.left.as_slice().iter().zip(&sum.taken);
    let cost = |(&left, &taken): (&i64, &i64)| match left {
        INFINITE => INFINITE,
        left => left.saturating_mul(sum.unit).saturating_add(taken).max(0),
    };
    Costs::new(costs.map(cost).collect())
}

/// Costs over a denominator as integers for an LP, none above the operator's cost, and the number
/// of their units in one unit of cost.
fn scaled(task: &Task, costs: &Costs, denominator: i64) -> (Vec<u32>, i64) {
    let largest = i64::from(task.max_cost().max(1));
    let scale = denominator.min(MAX_SCALE).min(i64::from(MAX_COST) / largest);
    let cost = |(&cost, operator): (&i64, &Operator)| {
        let exact = i128::from(cost) * i128::from(scale) / i128::from(denominator);
        let most = i128::from(operator.cost) * i128::from(scale);
        u32::try_from(exact.min(most)).expect("costs are at least 0 and at most 2³¹ − 1")
    };
    (costs.as_slice().iter().zip(task.operators()).map(cost).collect(), scale)
}
