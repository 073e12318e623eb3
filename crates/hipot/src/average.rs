//! Potential functions that are good in other states than the initial one.
//!
//! The function that is best in the initial state may say little about the states that a
//! search meets. So a spec can ask for another objective: the highest average over all
//! states or over samples, or several functions whose maximum is high (Seipp, Pommerening
//! and Helmert, ICAPS 2015). All of them start from the function that is best in the
//! initial state and use its features. If nothing better is certified in time, that
//! function is kept.
//!
//! *All states* means the uniform average over the syntactic state space. With mutexes
//! most of these states are impossible and would dominate the average. In dimension 1 the facts
//! of possible states are counted ([`Marginals`]); for larger features, random states that
//! violate no mutex stand for all.

use std::time::Instant;

use hipot_analysis::{FactSet, Mutexes};
use hipot_potential::{
    Average, Certified, Error, Extent, FeatureSet, Marginals, NormalForm, Optimizer, Params,
    Precision, Repeats, Report, diverse, fact_ensemble, raise_average,
};
use hipot_search::Walks;
use hipot_task::{Fact, Limits, Rng, Stop, Task, Value, VariableId};

use crate::failure::Failure;
use crate::heuristic::Potential;
use crate::settings::Settings;
use crate::spec::{FeatureChoice, Objective, PotentialSpec};

/// The number of random states that stand for all states if there are mutexes.
const RANDOM_STATES: usize = 1000;

/// The number of random walks at whose ends facts are looked for.
const WALKS_FOR_FACTS: usize = 1000;

/// The number of attempts at a random state that violates no mutex.
const MAX_ATTEMPTS: usize = 20;

/// Functions over the same features, and how they were found.
pub(crate) struct Functions {
    /// The best function in the initial state.
    pub(crate) function: Certified,
    /// Further functions: the heuristic is the maximum of all.
    pub(crate) others: Vec<Certified>,
    pub(crate) report: Report,
    /// Why they are best in the initial state only, if more was asked for.
    pub(crate) only_initial: Option<String>,
}

/// The states whose average value is maximized, and what may change for it.
pub(crate) struct SampleObjective {
    pub(crate) states: Vec<Vec<Value>>,
    /// Whether the initial state's bound must not drop.
    pub(crate) keeps_initial: bool,
    /// The number of nonzeros by which the LP may grow, for features on further pairs of
    /// variables.
    pub(crate) extra_nonzeros: u64,
}

/// The two-dimensional potential with the highest average over some states, with the
/// features of `potential` and some more. `None` if none could be certified.
pub(crate) fn maximize_average(
    task: &Task,
    potential: &Potential,
    objective: SampleObjective,
    settings: &Settings,
    limits: &Limits,
) -> Result<Option<Potential>, Failure> {
    let SampleObjective { states, keeps_initial, extra_nonzeros } = objective;
    let spec = PotentialSpec {
        features: FeatureChoice::Dimension(2),
        objective: Objective::Samples(states.len()),
        keeps_initial,
        ..potential.spec.clone()
    };
    let found = settings.events.follow_lps(|listener| {
        let (method, library) = (spec.method, settings.library);
        let precision = Precision::Bound;
        let threads = settings.threads;
        let params = Params { method, library, precision, threads, listener, ..Params::default() };
        let problem = AverageProblem {
            task,
            spec: &spec,
            normal: potential.normal_form(),
            params: &params,
            seed: settings.seed,
            extra_nonzeros: Some(extra_nonzeros),
        };
        problem.optimize_over(states, potential.function.clone(), potential.report.clone(), limits)
    })?;
    Ok(found.map(|Functions { function, report, .. }| {
        let found = Potential { spec, function, report, ..potential.clone() };
        settings.events.tell_bound(found.bound());
        found
    }))
}

/// For facts of `states`, the two-dimensional potentials with the highest average over the states
/// that contain them, with the features of `potential`: at most `count`.
pub(crate) fn functions_for_facts(
    task: &Task,
    potential: &Potential,
    states: &[Vec<Value>],
    count: usize,
    settings: &Settings,
    limits: &Limits,
) -> Result<Vec<Potential>, Failure> {
    let spec = PotentialSpec { objective: Objective::Facts(count), ..potential.spec.clone() };
    let found = settings.events.follow_lps(|listener| {
        let (method, library) = (spec.method, settings.library);
        let (precision, threads) = (Precision::Bound, settings.threads);
        let params = Params { method, library, precision, threads, listener, ..Params::default() };
        let problem = AverageProblem {
            task,
            spec: &spec,
            normal: potential.normal_form(),
            params: &params,
            seed: settings.seed,
            extra_nonzeros: None,
        };
        let mut states = states.to_vec();
        states.retain(|state| !problem.is_excluded(state));
        let features = problem.features(&potential.function);
        fact_ensemble(&potential.function, features, &states, count, &params, limits)
    });
    let found = match found {
        Err(Error::Stopped(stop @ Stop::Interrupted)) => return Err(stop.into()),
        Err(error) => {
            tracing::info!("no functions for facts: {error}");
            Vec::new()
        }
        Ok(found) => found,
    };
    let one = |function| Potential { spec: spec.clone(), function, ..potential.clone() };
    Ok(found.into_iter().map(one).collect())
}

/// Finds functions that are good elsewhere, from one that is best in the initial state.
pub(crate) struct AverageProblem<'a> {
    pub(crate) task: &'a Task,
    pub(crate) spec: &'a PotentialSpec,
    pub(crate) normal: &'a NormalForm,
    pub(crate) params: &'a Params,
    pub(crate) seed: u64,
    /// The number of nonzeros by which the LP may grow, for features on further pairs of
    /// variables.
    pub(crate) extra_nonzeros: Option<u64>,
}

impl AverageProblem<'_> {
    /// The functions that the spec's objective asks for, over the features of `first`; or
    /// `first` itself if nothing else is asked for or can be certified in time.
    pub(crate) fn optimize(&self, first: Functions, limits: &Limits) -> Functions {
        let found = match self.spec.objective {
            Objective::Initial | Objective::EveryState => return first,
            Objective::All | Objective::Samples(_) => self
                .average(&first.function, limits)
                .map_err(Error::from)
                .and_then(|average| self.maximize(average, &first, limits)),
            Objective::Diverse(_) | Objective::Facts(_) => self.several(&first, limits),
        };
        match found {
            Ok(Some(better)) => better,
            Ok(None) => {
                let reason = "no function with a higher average was certified".to_owned();
                Functions { only_initial: Some(reason), ..first }
            }
            Err(error) => {
                tracing::warn!("{} is best in the initial state only: {error}", self.spec);
                Functions { only_initial: Some(error.to_string()), ..first }
            }
        }
    }

    /// The function with the highest average over those of `states` that violate no mutex.
    fn optimize_over(
        &self,
        mut states: Vec<Vec<Value>>,
        function: Certified,
        report: Report,
        limits: &Limits,
    ) -> Result<Option<Functions>, Failure> {
        states.retain(|state| !self.is_excluded(state));
        let first = Functions { function, others: Vec::new(), report, only_initial: None };
        match self.maximize(Average::States(states), &first, limits) {
            Ok(found) => Ok(found),
            Err(Error::Stopped(stop @ Stop::Interrupted)) => Err(stop.into()),
            Err(error) => {
                tracing::info!("no better function found: {error}");
                Ok(None)
            }
        }
    }

    /// The function with the highest average.
    fn maximize(
        &self,
        average: Average,
        first: &Functions,
        limits: &Limits,
    ) -> Result<Option<Functions>, Error> {
        let known = &first.function;
        let kept = self.spec.keeps_initial.then(|| known.normal_form().initial());
        let features = self.features(known);
        let found = raise_average(known, features, average, kept, self.params, limits)?;
        // A complete function stays complete, even if it has no features on some pairs.
        let is_same = first.report.extent == Extent::Complete || self.extra_nonzeros.is_none();
        Ok(found.map(|(function, second)| {
            let seconds = first.report.seconds + second.seconds;
            let extent = if is_same { first.report.extent } else { second.extent };
            let shortfall = first.report.shortfall;
            let report = Report { seconds, extent, shortfall, ..second };
            Functions { function, others: Vec::new(), report, only_initial: None }
        }))
    }

    /// Several functions, that of `first` among them.
    fn several(&self, first: &Functions, limits: &Limits) -> Result<Option<Functions>, Error> {
        let begin = Instant::now();
        let function = first.function.clone();
        let others = match self.spec.objective {
            Objective::Facts(count) => self.for_facts(count, &function, limits)?,
            Objective::Diverse(count) => self.diverse(count, &function, limits)?,
            _ => Vec::new(),
        };
        tracing::info!("{} functions for {}", others.len() + 1, self.spec.objective);
        let seconds = first.report.seconds + begin.elapsed().as_secs_f64();
        let report = Report { seconds, ..first.report.clone() };
        Ok(Some(Functions { function, others, report, only_initial: None }))
    }

    fn for_facts(
        &self,
        count: usize,
        first: &Certified,
        limits: &Limits,
    ) -> Result<Vec<Certified>, Error> {
        let states = self.walks(WALKS_FOR_FACTS, first, limits)?;
        fact_ensemble(first, self.features(first), &states, count, self.params, limits)
    }

    fn diverse(
        &self,
        count: usize,
        first: &Certified,
        limits: &Limits,
    ) -> Result<Vec<Certified>, Error> {
        let states = self.walks(count, first, limits)?;
        let (normal, features) = (first.normal_form(), self.features(first));
        let mut optimizer =
            Optimizer::new(normal, features, Repeats::Many, None, self.params, limits)?;
        let mut functions = diverse(&mut optimizer, first.clone(), states, count, limits)?;
        functions.remove(0);
        Ok(functions)
    }

    /// The features of `known`, or more.
    fn features<'b>(&self, known: &'b Certified) -> FeatureSet<'b> {
        let features = known.features();
        let symmetric_about = Some(known.normal_form().initial());
        match (&self.spec.features, self.extra_nonzeros) {
            (FeatureChoice::Dimension(2), Some(extra_nonzeros)) => {
                FeatureSet::PairsOf { features, symmetric_about, extra_nonzeros }
            }
            (FeatureChoice::Dimension(1 | 2), _) => {
                FeatureSet::PairsOf { features, symmetric_about, extra_nonzeros: 0 }
            }
            _ => FeatureSet::Given(features),
        }
    }

    fn average(&self, function: &Certified, limits: &Limits) -> Result<Average, Stop> {
        let is_atomic = self.spec.features == FeatureChoice::Dimension(1);
        let states = match (self.spec.objective, self.normal.mutexes()) {
            (Objective::Samples(count), _) => self.walks(count, function, limits)?,
            (Objective::All, Some(mutexes)) if is_atomic => {
                let marginals = Marginals::without_mutexes(self.normal, mutexes, limits)?;
                return Ok(Average::AllStates(marginals));
            }
            (Objective::All, Some(_)) => self.random_states(RANDOM_STATES, limits)?,
            _ => Vec::new(),
        };
        if states.is_empty() {
            return Ok(Average::AllStates(Marginals::uniform(self.normal)));
        }
        Ok(Average::States(states))
    }

    /// End states of random walks that violate no mutex.
    fn walks(
        &self,
        count: usize,
        function: &Certified,
        limits: &Limits,
    ) -> Result<Vec<Vec<Value>>, Stop> {
        let bound = function.bound(self.normal.initial());
        let accepts = |state: &[Value]| !self.is_excluded(state);
        Walks::new(self.task, bound).sample(count, &mut Rng::new(self.seed), accepts, limits)
    }

    /// Whether a state violates a mutex.
    fn is_excluded(&self, state: &[Value]) -> bool {
        let Some(mutexes) = self.normal.mutexes() else { return false };
        let mut partial = Partial::new(mutexes);
        let facts = self.task.variable_ids().zip(state);
        !facts.map(|(id, &value)| Fact::new(id, value)).all(|fact| partial.add(fact))
    }

    /// Random states that violate no mutex; fewer than `count` if they are hard to find.
    fn random_states(&self, count: usize, limits: &Limits) -> Result<Vec<Vec<Value>>, Stop> {
        let mut rng = Rng::new(self.seed);
        let mut states = Vec::new();
        for _ in 0..count {
            limits.check()?;
            states.extend((0..MAX_ATTEMPTS).find_map(|_| self.random_state(&mut rng)));
        }
        Ok(states)
    }

    /// Assigns the variables in random order, each a random value that is mutex with none
    /// before; `None` if a variable has no such value.
    fn random_state(&self, rng: &mut Rng) -> Option<Vec<Value>> {
        let mut partial = Partial::new(self.normal.mutexes()?);
        let mut open: Vec<VariableId> = self.task.variable_ids().collect();
        let mut state = vec![0; open.len()];
        while !open.is_empty() {
            let variable = open.swap_remove(rng.below(open.len() as u32) as usize);
            let values = 0..self.task.variable(variable).domain_size();
            let fits = |value: &Value| partial.fits(Fact::new(variable, *value));
            let fitting: Vec<Value> = values.filter(fits).collect();
            if fitting.is_empty() {
                return None;
            }
            let value = fitting[rng.below(fitting.len() as u32) as usize];
            state[variable.index()] = value;
            partial.add(Fact::new(variable, value));
        }
        Some(state)
    }
}

/// Some facts of a state, and the facts that are mutex with one of them.
struct Partial<'a> {
    mutexes: &'a Mutexes,
    excluded: FactSet,
}

impl<'a> Partial<'a> {
    fn new(mutexes: &'a Mutexes) -> Self {
        Self { mutexes, excluded: FactSet::new(mutexes.facts()) }
    }

    /// Whether a fact is mutex with none of the facts.
    fn fits(&self, fact: Fact) -> bool {
        !self.excluded.contains(self.mutexes.facts().id(fact)) && !self.mutexes.is_dead(fact)
    }

    /// Adds a fact and returns whether it fits.
    fn add(&mut self, fact: Fact) -> bool {
        let fits = self.fits(fact);
        self.excluded.union_with(self.mutexes.partners(self.mutexes.facts().id(fact)));
        fits
    }
}
