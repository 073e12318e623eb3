//! A search that functions enter while it runs.

use std::time::{Duration, Instant};

use hipot_potential::NormalForm;
use hipot_search::{Blind, Change, OrbitSearch, SearchResult, StateBudget};
use hipot_task::{Limits, Packing, Task, Value};

use crate::events::Event;
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::samples::{Sampled, Samples};
use crate::search::{Max, Searched, finish};
use crate::search_task::SearchTask;
use crate::settings::Settings;
use crate::symmetric::orbits;

/// A search and the functions whose maximum is its heuristic.
pub(super) struct Running<'a> {
    search_task: SearchTask<'a>,
    packing: Packing,
    search: OrbitSearch,
    /// Whether it began blindly: then the blind heuristic is one of the maximum.
    is_blind: bool,
    functions: Vec<Potential>,
    /// States expanded since the functions last changed.
    samples: Samples,
    capacity: usize,
    seed: u64,
    result: SearchResult,
    time: Duration,
}

impl<'a> Running<'a> {
    /// A blind search in `task`, which samples as many states.
    pub(super) fn blind(
        task: &'a Task,
        samples: usize,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        Self::begin(SearchTask::Whole(task), true, Vec::new(), samples, settings)
    }

    /// A search with a function about `normal`, which samples as many states.
    pub(super) fn new(
        task: &'a Task,
        normal: &'a NormalForm,
        function: Potential,
        samples: usize,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let search_task = SearchTask::in_normal_form(task, normal);
        Self::begin(search_task, false, vec![function], samples, settings)
    }

    fn begin(
        search_task: SearchTask<'a>,
        is_blind: bool,
        functions: Vec<Potential>,
        capacity: usize,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let packing = Packing::new(search_task.task());
        let params = settings.search_params(StateBudget::default());
        let search = OrbitSearch::new(search_task.task(), &packing, params)?;
        let (seed, result) = (settings.seed, search.result_so_far());
        let samples = Samples::new(capacity, seed);
        let time = Duration::ZERO;
        Ok(Self {
            search_task,
            packing,
            search,
            is_blind,
            functions,
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
        let begin = Instant::now();
        let Self { search_task, packing, search, samples, functions, is_blind, .. } = self;
        let (search_task, budget) =
            (&*search_task, StateBudget { evaluated, ..StateBudget::default() });
        let tell =
            &mut |progress: hipot_search::Progress<'_>| settings.events.tell_search(progress);
        let (task, packing) = (search_task.task(), &*packing);
        let find = &|| orbits(task, packing, limits);
        let mut blind = Blind::new(task, packing);
        let heuristic = |one: &Potential| search_task.heuristic(&one.function);
        self.result = match &functions[..] {
            [] => search.advance((task, packing), &mut blind, budget, find, limits, tell),
            [one] if !*is_blind => {
                let sampled = &mut Sampled { heuristic: heuristic(one), samples, search_task };
                search.advance((task, packing), sampled, budget, find, limits, tell)
            }
            several => {
                let functions: Vec<_> = several.iter().map(|one| &one.function).collect();
                let mut parts = search_task.heuristics(&functions);
                if *is_blind {
                    parts.push(Box::new(blind));
                }
                let sampled = &mut Sampled { heuristic: Max(parts), samples, search_task };
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

    /// Whether the functions are 0 in all states that were expanded since they last changed.
    pub(super) fn says_nothing(&self) -> bool {
        let is_zero = |one: &Potential| {
            one.bound() == Some(0) && self.samples().iter().all(|it| one.function.bound(it) == 0)
        };
        self.functions.iter().all(is_zero)
    }

    /// Goes on without functions, which is faster.
    pub(super) fn go_blind(&mut self) {
        self.functions.clear();
        self.is_blind = true;
        self.change(Change::Other);
    }

    fn change(&mut self, change: Change) {
        self.search.change_heuristic(change);
        self.samples = Samples::new(self.capacity, self.seed);
    }

    /// Tells the heuristic.
    pub(super) fn tell(&self, settings: &Settings) {
        settings.events.tell(Event::Heuristic(&self.heuristic()));
    }

    /// The functions, the first one with the highest bound.
    pub(super) fn functions(&self) -> &[Potential] {
        &self.functions
    }

    /// Some of the states expanded since the functions last changed, as states of the given task.
    pub(super) fn samples(&self) -> &[Vec<Value>] {
        &self.samples.states
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
        let bound = self.functions.iter().filter_map(Potential::bound).max();
        bound >= Some(self.result.lower_bound)
    }

    /// The heuristic.
    pub(super) fn heuristic(&self) -> Computed {
        match self.functions.len() {
            0 => Computed::Blind(Vec::new()),
            _ => Computed::maximum(self.functions.clone()),
        }
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
