//! A search that functions enter while it runs.
//!
//! One thread begins. If there are more, they join it when the search is long
//! ([`ThreadedSearch`]), but not while they compute a candidate. Each thread has a reservoir of the
//! states that it has expanded.

use std::time::{Duration, Instant};

use hipot_analysis::PlainTask;
use hipot_potential::NormalForm;
use hipot_search::{
    Blind, Change, MAX_THREADS, ParallelParams, SearchResult, StateBudget, ThreadedSearch,
};
use hipot_task::{Estimate, Limits, Packing, Task, Value};

use super::abstractions::{Abstractions, Pace};
use super::average::{cheap_step, says_little};
use super::params::Params;
use crate::events::Event;
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::samples::{Sampled, Samples, merged};
use crate::search::{Max, Searched, finish};
use crate::search_task::SearchTask;
use crate::settings::Settings;
use crate::sum_heuristic::SumHeuristic;
use crate::symmetric::orbits;

/// A search and the functions whose maximum is its heuristic.
pub(super) struct Running<'a> {
    search_task: SearchTask<'a>,
    packing: Packing,
    search: ThreadedSearch,
    /// Whether it began blindly: then the blind heuristic is one of the maximum.
    is_blind: bool,
    functions: Vec<Potential>,
    abstractions: Option<Box<Abstractions>>,
    /// For each thread, states that it has expanded since the functions last changed.
    samples: Vec<Samples>,
    capacity: usize,
    seed: u64,
    result: SearchResult,
    time: Duration,
}

impl<'a> Running<'a> {
    /// A blind search in `task`.
    pub(super) fn blind(
        task: &'a Task,
        plain: &PlainTask<'_>,
        params: Params,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        Self::begin(SearchTask::whole(task, plain), true, Vec::new(), params, settings)
    }

    /// A search with a function about `normal`.
    pub(super) fn new(
        task: &'a Task,
        plain: &PlainTask<'_>,
        normal: &'a NormalForm,
        function: Potential,
        params: Params,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let search_task = SearchTask::in_normal_form(task, plain, normal);
        Self::begin(search_task, false, vec![function], params, settings)
    }

    fn begin(
        search_task: SearchTask<'a>,
        is_blind: bool,
        functions: Vec<Potential>,
        params: Params,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let packing = Packing::new(search_task.task());
        let of_search = settings.search_params(StateBudget::default());
        let of_search = ParallelParams { alone: params.alone_evaluated, ..of_search.into() };
        let search = ThreadedSearch::new(search_task.task(), &packing, of_search)?;
        let (seed, capacity, result) = (settings.seed, params.samples, search.result_so_far());
        let threads = settings.threads.clamp(1, MAX_THREADS);
        let samples = reservoirs(threads, capacity, seed);
        let time = Duration::ZERO;
        Ok(Self {
            search_task,
            packing,
            search,
            is_blind,
            functions,
            abstractions: None,
            samples,
            capacity,
            seed,
            result,
            time,
        })
    }

    /// Searches on until as many states have been evaluated in all.
    pub(super) fn advance(
        &mut self,
        evaluated: u64,
        settings: &Settings,
        limits: &Limits,
    ) -> SearchResult {
        let was_parallel = self.is_parallel();
        let result = self.advance_with(self.samples.len(), evaluated, settings, limits);
        settings.events.tell(Event::SearchPaused);
        if self.is_parallel() && !was_parallel {
            tracing::info!("auto: the search uses {} threads from now on", self.samples.len());
        }
        result
    }

    /// The same with one thread, while others do something else; not for a search that is
    /// [parallel](Self::is_parallel).
    pub(super) fn advance_alone(
        &mut self,
        evaluated: u64,
        settings: &Settings,
        limits: &Limits,
    ) -> SearchResult {
        self.advance_with(1, evaluated, settings, limits)
    }

    /// Whether several threads search: then they cannot do anything else at the same time.
    pub(super) fn is_parallel(&self) -> bool {
        self.search.is_parallel()
    }

    fn advance_with(
        &mut self,
        threads: usize,
        evaluated: u64,
        settings: &Settings,
        limits: &Limits,
    ) -> SearchResult {
        let begin = Instant::now();
        let Self {
            search_task, packing, search, samples, functions, abstractions, is_blind, ..
        } = self;
        let (search_task, budget) =
            (&*search_task, StateBudget { evaluated, ..StateBudget::default() });
        let tell =
            &mut |progress: hipot_search::Progress<'_>| settings.events.tell_search(progress);
        let (task, packing) = (search_task.task(), &*packing);
        let find = &|| orbits(task, packing, limits);
        let blind = Blind::new(task, packing);
        let heuristic = |one: &Potential| search_task.heuristic(&one.function);
        let samples = samples.iter_mut().take(threads);
        self.result = match (&functions[..], &abstractions) {
            ([], None) => {
                let blind = &mut vec![blind; threads];
                search.advance((task, packing), blind, budget, find, limits, tell)
            }
            ([one], None) if !*is_blind => {
                let heuristic = heuristic(one);
                let sampled =
                    |samples| Sampled { heuristic: heuristic.clone(), samples, search_task };
                let sampled = &mut samples.map(sampled).collect::<Vec<_>>();
                search.advance((task, packing), sampled, budget, find, limits, tell)
            }
            (several, abstractions) => {
                let functions: Vec<_> = several.iter().map(|one| &one.function).collect();
                let sums = abstractions
                    .as_ref()
                    .map(|it| SumHeuristic::new(&it.saturated, &it.lookups, search_task));
                let parts = || {
                    let mut parts = search_task.heuristics(&functions);
                    if let Some(sums) = &sums {
                        parts.push(Box::new(sums.clone()));
                    }
                    if *is_blind {
                        parts.push(Box::new(blind.clone()));
                    }
                    Max(parts)
                };
                let sampled = |samples| Sampled { heuristic: parts(), samples, search_task };
                let sampled = &mut samples.map(sampled).collect::<Vec<_>>();
                search.advance((task, packing), sampled, budget, find, limits, tell)
            }
        };
        self.time += begin.elapsed();
        self.result.clone()
    }

    /// Adds functions to the maximum.
    pub(super) fn add(&mut self, functions: Vec<Potential>) {
        self.functions.extend(functions);
        self.change(Change::Higher);
    }

    /// Replaces the functions by a better one and some of the others.
    pub(super) fn replace(&mut self, better: Potential, kept: Vec<Potential>) {
        self.functions = vec![better];
        self.functions.extend(kept);
        self.change(Change::Other);
    }

    /// Adds abstractions to the maximum; others that were there are dropped.
    pub(super) fn abstract_with(&mut self, abstractions: Box<Abstractions>) {
        let earlier = self.abstractions.replace(abstractions);
        self.change(if earlier.is_none() { Change::Higher } else { Change::Other });
    }

    /// Takes the abstractions out, for another search.
    pub(super) fn take_abstractions(&mut self) -> Option<Box<Abstractions>> {
        self.abstractions.take()
    }

    /// For each of some states, the value of the abstractions; 0 without any.
    pub(super) fn abstract_values(&self, states: &[Vec<Value>]) -> Vec<u64> {
        let value = |state: &Vec<Value>| {
            self.abstractions.as_ref().and_then(|it| it.value(state)).unwrap_or(0)
        };
        states.iter().map(value).collect()
    }

    /// How the search has gone on so far.
    pub(super) fn pace(&self) -> Pace {
        let first = self.result.initial.and_then(Estimate::cost).unwrap_or(0);
        let layers = self.lower_bound().saturating_sub(first);
        let growth = (self.evaluated().max(2) as f64).ln() / layers as f64;
        let expanded = self.result.statistics.expanded.max(1);
        let evaluated_per_expanded = self.evaluated().max(1) as f64 / expanded as f64;
        Pace { growth, evaluated_per_expanded }
    }

    /// Whether no function says more than the blind heuristic in the states that were expanded since
    /// they last changed.
    pub(super) fn says_little(&self) -> bool {
        let (samples, layer) = (self.samples(), self.lower_bound());
        let step = cheap_step(self.search_task.task());
        self.abstractions.is_none()
            && self.functions.iter().all(|one| says_little(one, &samples, layer, step))
    }

    /// Goes on without functions, which is faster.
    pub(super) fn go_blind(&mut self) {
        self.functions.clear();
        self.abstractions = None;
        self.is_blind = true;
        self.change(Change::Other);
    }

    fn change(&mut self, change: Change) {
        self.search.change_heuristic(change);
        self.samples = reservoirs(self.samples.len(), self.capacity, self.seed);
    }

    /// Tells the heuristic.
    pub(super) fn tell(&self, settings: &Settings) {
        settings.events.tell(Event::Heuristic(&self.heuristic()));
    }

    /// The functions, the first one with the highest bound.
    pub(super) fn functions(&self) -> &[Potential] {
        &self.functions
    }

    /// Some of the states expanded since the functions last changed, as states of the plain task.
    pub(super) fn samples(&self) -> Vec<Vec<Value>> {
        merged(self.samples.iter(), self.seed)
    }

    /// What the search has found so far.
    pub(super) fn result(&self) -> SearchResult {
        self.result.clone()
    }

    /// The layer that is being searched: every plan costs at least this much.
    pub(super) fn lower_bound(&self) -> u64 {
        self.result.lower_bound
    }

    /// The number of states evaluated so far.
    pub(super) fn evaluated(&self) -> u64 {
        self.result.statistics.evaluated
    }

    /// Whether the search has not come beyond the bound of its functions.
    pub(super) fn is_stuck(&self) -> bool {
        let functions = self.functions.iter().filter_map(Potential::bound);
        let abstractions = self.abstractions.as_ref().and_then(|it| it.saturated.bound());
        functions.chain(abstractions).max() >= Some(self.result.lower_bound)
    }

    /// The heuristic.
    pub(super) fn heuristic(&self) -> Computed {
        let functions = self.functions.iter().map(|it| Computed::from(it.clone()));
        let abstractions = self.abstractions.iter();
        let abstractions =
            abstractions.map(|it| Computed::Saturated(Box::new(it.saturated.clone())));
        Computed::maximum(functions.chain(abstractions).collect())
    }

    /// A result, with the time of the search.
    pub(super) fn searched(&self, result: SearchResult) -> Searched {
        Searched { result, time: self.time }
    }

    /// The same, with the plan translated back to `task` and executed there.
    pub(super) fn finished(&self, task: &Task, result: SearchResult) -> Searched {
        finish(task, &self.search_task, result, self.time)
    }
}

/// Reservoirs for so many threads, each with choices of its own.
fn reservoirs(threads: usize, capacity: usize, seed: u64) -> Vec<Samples> {
    let of_thread = |thread: u64| Samples::new(capacity, seed.wrapping_add(thread << 32));
    (0..threads as u64).map(of_thread).collect()
}
