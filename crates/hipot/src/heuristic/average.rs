//! Potential functions with a high average over other states than the initial one.

use std::time::Instant;

use hipot_potential::function::PotentialFunction;
use hipot_potential::{
    Average, Constraints, Error, Extent, KnownValues, Over, Params, Raise, Reoptimizer, Report,
    diverse,
};
use hipot_search::Walks;
use hipot_task::{Fact, Limits, Mutexes, Rng, Stop, Task, Value, VariableId};

use super::mutexes::NormalForm;
use super::spec::{FeatureChoice, Objective, PotentialSpec};
use crate::failure::Failure;

/// How many random states stand for all states without mutexes.
const RANDOM_STATES: usize = 1000;

/// How often a random state is begun again before there is none.
const MOST_STARTS: usize = 20;

/// Functions that are found.
pub(super) struct Raised {
    pub(super) function: PotentialFunction,
    /// Others, of all of which the maximum is taken.
    pub(super) others: Vec<PotentialFunction>,
    pub(super) report: Report,
}

/// A function that is best in the initial state is to be good elsewhere.
pub(super) struct Raising<'a> {
    pub(super) task: &'a Task,
    pub(super) spec: &'a PotentialSpec,
    pub(super) normal: &'a NormalForm,
    pub(super) params: &'a Params,
    pub(super) seed: u64,
    /// How many nonzeros more the LP may have, for further pairs of variables.
    pub(super) room: Option<u64>,
}

impl Raising<'_> {
    /// What the spec's objective asks for, over the features of a function that is
    /// best in the initial state; that one itself where the objective is no
    /// other, or nothing better can be certified in time.
    pub(super) fn raise(&self, first: Raised, limits: &Limits) -> Result<Raised, Failure> {
        let found = match self.spec.objective {
            Objective::Initial | Objective::EveryState => return Ok(first),
            Objective::All | Objective::Samples(_) => self
                .average(&first.function, limits)
                .map_err(Error::from)
                .and_then(|average| self.maximize(average, &first, limits)),
            Objective::Diverse(count) => self.diverse(count, &first, limits),
        };
        match found {
            Ok(Some(raised)) => Ok(raised),
            Ok(None) => Ok(first),
            Err(Error::Stopped(stop @ Stop::Interrupted)) => Err(stop.into()),
            Err(error) => {
                tracing::warn!("{} is best in the initial state only: {error}", self.spec);
                Ok(first)
            }
        }
    }

    /// The function with the highest average over those of some states that have
    /// no mutexes.
    pub(super) fn over(
        &self,
        mut states: Vec<Vec<Value>>,
        function: PotentialFunction,
        report: Report,
        limits: &Limits,
    ) -> Result<Option<Raised>, Failure> {
        states.retain(|state| !self.is_excluded(state));
        let first = Raised { function, others: Vec::new(), report };
        match self.maximize(Average::States(states), &first, limits) {
            Ok(found) => Ok(found),
            Err(Error::Stopped(stop @ Stop::Interrupted)) => Err(stop.into()),
            Err(error) => {
                tracing::info!("no better function: {error}");
                Ok(None)
            }
        }
    }

    /// The function with the highest average.
    fn maximize(
        &self,
        average: Average,
        first: &Raised,
        limits: &Limits,
    ) -> Result<Option<Raised>, Error> {
        let tnf = &self.normal.tnf;
        let (from, state) = (&first.function, tnf.task().initial());
        let raise = Raise { tnf, from, state, keeps_bound: self.spec.keeps_initial };
        let largest = raise.largest_weight();
        let constraints = self.constraints(from, limits)?.with_largest_weight(largest, self.params);
        let found = raise.maximize(&constraints, average, self.params, limits)?;
        // Pairs without features count as well.
        let is_same = first.report.extent == Extent::Complete || self.room.is_none();
        let extent = if is_same { first.report.extent } else { constraints.extent() };
        Ok(found.map(|(function, second)| {
            let seconds = first.report.seconds + second.seconds;
            Raised { function, others: Vec::new(), report: Report { seconds, extent, ..second } }
        }))
    }

    fn diverse(
        &self,
        count: usize,
        first: &Raised,
        limits: &Limits,
    ) -> Result<Option<Raised>, Error> {
        let states = self.walks(count, &first.function, limits)?;
        let constraints = self.constraints(&first.function, limits)?;
        let params = constraints.suited(self.params);
        let mut reoptimizer = Reoptimizer::new(&constraints, &params, limits)?;
        let begin = Instant::now();
        let mut functions =
            diverse(&mut reoptimizer, first.function.clone(), states, count, limits)?;
        let others = functions.split_off(1);
        tracing::info!("{} functions for {count} states", others.len() + 1);
        let seconds = first.report.seconds + begin.elapsed().as_secs_f64();
        let report = Report { seconds, ..first.report };
        Ok(Some(Raised { function: first.function.clone(), others, report }))
    }

    /// The functions over the features of one.
    fn constraints<'b>(
        &'b self,
        function: &'b PotentialFunction,
        limits: &Limits,
    ) -> Result<Constraints<'b>, Error> {
        let NormalForm { tnf, mutexes, .. } = self.normal;
        let features = function.features();
        let initial = tnf.task().initial();
        let over = match (&self.spec.features, self.room) {
            (FeatureChoice::Dimension(2), Some(room)) => Over::MorePairs(features, initial, room),
            (FeatureChoice::Dimension(1 | 2), _) => Over::Pairs(features, Some(initial)),
            _ => Over::Features(features),
        };
        Constraints::new(tnf, over, mutexes.clone(), limits)
    }

    fn average(&self, function: &PotentialFunction, limits: &Limits) -> Result<Average, Stop> {
        let states = match self.spec.objective {
            Objective::Samples(count) => self.walks(count, function, limits)?,
            Objective::All if self.normal.mutexes.is_some() => {
                self.random_states(RANDOM_STATES, limits)?
            }
            _ => Vec::new(),
        };
        if states.is_empty() {
            return Ok(Average::AllStates(KnownValues::new(&self.normal.tnf)));
        }
        Ok(Average::States(states))
    }

    /// The ends of random walks, without mutexes.
    fn walks(
        &self,
        count: usize,
        function: &PotentialFunction,
        limits: &Limits,
    ) -> Result<Vec<Vec<Value>>, Stop> {
        let bound = function.bound(self.normal.tnf.task().initial());
        let accepts = |state: &[Value]| !self.is_excluded(state);
        Walks::new(self.task, bound).sample(count, &mut Rng::new(self.seed), accepts, limits)
    }

    /// Whether a state has two facts that are mutex.
    fn is_excluded(&self, state: &[Value]) -> bool {
        let Some(mutexes) = &self.normal.mutexes else { return false };
        let mut partial = Partial::new(mutexes);
        let facts = self.task.variable_ids().zip(state);
        !facts.map(|(id, &value)| Fact::new(id, value)).all(|fact| partial.add(fact))
    }

    /// Random states without mutexes, or fewer where these are hard to find.
    fn random_states(&self, count: usize, limits: &Limits) -> Result<Vec<Vec<Value>>, Stop> {
        let mut rng = Rng::new(self.seed);
        let mut states = Vec::new();
        for _ in 0..count {
            limits.check()?;
            states.extend((0..MOST_STARTS).find_map(|_| self.random_state(&mut rng)));
        }
        Ok(states)
    }

    /// Variable after variable, in random order, gets a value that fits those
    /// before.
    fn random_state(&self, rng: &mut Rng) -> Option<Vec<Value>> {
        let mut partial = Partial::new(self.normal.mutexes.as_ref()?);
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

/// Facts of a state, and what is mutex with them: a bit for each fact.
struct Partial<'a> {
    mutexes: &'a Mutexes,
    excluded: Vec<u64>,
}

impl<'a> Partial<'a> {
    fn new(mutexes: &'a Mutexes) -> Self {
        let facts = mutexes.numbering().len();
        Self { mutexes, excluded: vec![0; facts.div_ceil(64)] }
    }

    /// Whether a fact is possible together with those that are there.
    fn fits(&self, fact: Fact) -> bool {
        let number = self.mutexes.numbering().index(fact);
        let is_excluded = self.excluded[number as usize / 64] >> (number % 64) & 1 == 1;
        !is_excluded && !self.mutexes.is_dead(fact)
    }

    /// Adds a fact; whether it fits.
    fn add(&mut self, fact: Fact) -> bool {
        let fits = self.fits(fact);
        let row = self.mutexes.row(self.mutexes.numbering().index(fact));
        for (word, other) in self.excluded.iter_mut().zip(row) {
            *word |= other;
        }
        fits
    }
}
