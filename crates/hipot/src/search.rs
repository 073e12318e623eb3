//! A* with a computed heuristic.
//!
//! The heuristic is built for the smallest task whose states it can read
//! (`SearchTask`). A plan is translated back and executed in the given task before it is
//! returned. With one potential function, which is the common case, the search is compiled
//! for its type; everything else goes through `Max`, a maximum of boxed heuristics.

use std::iter::repeat_with;
use std::time::{Duration, Instant};

use hipot_analysis::PlainTask;
use hipot_potential::{Certified, EveryState, Extent, FeatureSet, Optimizer, Params, Repeats};
use hipot_search::{
    Blind, MAX_THREADS, OrbitSearch, Outcome, SearchParams, SearchResult, Statistics,
    ThreadedSearch, UseOfSymmetries,
};
use hipot_task::{Estimate, Fact, Heuristic, Limits, OperatorId, Packing, StateView, Stop, Task};

use crate::events::{Event, Events};
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::plan_check::check;
use crate::search_task::{SearchTask, solves_no_lp};
use crate::spec::{FeatureChoice, Objective};
use crate::sum_heuristic::{Lookups, SumHeuristic};
use crate::symmetric::orbits;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The outcome and the counters. A plan has been executed by independent code.
    pub result: SearchResult,
    /// The time that the search took.
    pub time: Duration,
}

impl Searched {
    /// Adds the counters, the bound and the time of an earlier search.
    #[must_use]
    pub(crate) fn after(mut self, earlier: &Self) -> Self {
        self.result = self.result.after(&earlier.result);
        self.time += earlier.time;
        self
    }

    /// A search that was stopped before it began, with what the heuristic proves about the
    /// initial state (`None`: there is no plan).
    pub(crate) fn not_begun(stop: Stop, bound: Option<u64>) -> Self {
        let Some(bound) = bound else {
            return Self { result: unsolvable(), time: Duration::ZERO };
        };
        let result = SearchResult {
            initial: Some(Estimate::at_least(bound)),
            lower_bound: bound,
            ..SearchResult::stopped(stop)
        };
        Self { result, time: Duration::ZERO }
    }
}

/// Searches for an optimal plan for `task` with a heuristic that was computed for it. Fails
/// if a limit is reached before the search begins.
///
/// # Panics
/// If the search finds a sequence that is not a plan, which would be a defect in hipot.
pub fn search(
    task: &Task,
    heuristic: &Computed,
    params: SearchParams,
    limits: &Limits,
    events: &Events,
) -> Result<Searched, Failure> {
    let begin = Instant::now();
    let plain = PlainTask::new(task);
    let search_task = SearchTask::new(task, &plain, heuristic);
    let packing = Packing::new(search_task.task());
    let params = with_symmetries(heuristic, params);
    // Heuristics that solve LPs read operators as well.
    let read = if plain.is_given() { search_task.task() } else { plain.task() };
    let (search_task, packing) = (&search_task, &packing);
    let run = Run { search_task, read, packing, params, limits, events };
    let result = run.search(heuristic);
    events.tell(Event::SearchPaused);
    let result = result?;
    Ok(finish(task, search_task, result, begin.elapsed()))
}

/// Symmetries always pay if there is an LP to be solved in every state.
fn with_symmetries(heuristic: &Computed, params: SearchParams) -> SearchParams {
    match params.symmetries {
        UseOfSymmetries::IfTheyPay if !solves_no_lp(heuristic) => {
            SearchParams { symmetries: UseOfSymmetries::Always, ..params }
        }
        _ => params,
    }
}

/// Translates a plan back to `task` and executes it there.
pub(crate) fn finish(
    task: &Task,
    search_task: &SearchTask<'_>,
    mut result: SearchResult,
    time: Duration,
) -> Searched {
    if let Outcome::Solved(plan) = &mut result.outcome {
        search_task.restore(plan);
        check(task, plan);
    }
    Searched { result, time }
}

/// A search that is about to begin.
#[derive(Clone, Copy)]
struct Run<'a> {
    search_task: &'a SearchTask<'a>,
    /// The task that heuristics are about that solve an LP in every state.
    read: &'a Task,
    packing: &'a Packing,
    params: SearchParams,
    limits: &'a Limits,
    events: &'a Events,
}

impl<'a> Run<'a> {
    fn search(self, heuristic: &'a Computed) -> Result<SearchResult, Failure> {
        let (task, packing) = (self.search_task.task(), self.packing);
        let is_unsolvable = heuristic.parts().iter().any(|part| part.bound().is_none());
        let result = match heuristic {
            _ if is_unsolvable => unsolvable(),
            Computed::Blind(_) => self.with_threads(|| Blind::new(task, packing)),
            Computed::Potential(potential) if potential.is_one_function() => {
                self.with_threads(|| self.search_task.heuristic(&potential.function))
            }
            Computed::Saturated(saturated) => {
                let lookups = SumHeuristic::lookups(saturated);
                self.with_threads(|| SumHeuristic::new(saturated, &lookups, self.search_task))
            }
            _ if solves_no_lp(heuristic) => {
                let lookups: Vec<Lookups> =
                    heuristic.saturated().into_iter().map(SumHeuristic::lookups).collect();
                self.with_threads(|| Max(self.functions(heuristic, &lookups)))
            }
            Computed::Partition(partitioning) => {
                self.tell_one_thread();
                self.astar(&mut *partitioning.build(self.read, self.limits)?)
            }
            Computed::Potential(_) | Computed::Max(_) => {
                self.tell_one_thread();
                let mut parts = Vec::new();
                self.add(heuristic, &mut parts)?;
                self.astar(&mut Max(parts))
            }
        };
        Ok(result)
    }

    /// Adds the heuristics that `heuristic` is the maximum of.
    fn add(
        self,
        heuristic: &'a Computed,
        parts: &mut Vec<Box<dyn Heuristic + 'a>>,
    ) -> Result<(), Failure> {
        let task = self.search_task.task();
        match heuristic {
            Computed::Blind(_) => parts.push(Box::new(Blind::new(task, self.packing))),
            Computed::Potential(potential) => {
                for part in self.functions(heuristic, &[]) {
                    parts.push(part);
                }
                if potential.spec.objective == Objective::EveryState {
                    parts.push(Box::new(every_state(potential, self.limits)?));
                }
            }
            Computed::Partition(partitioning) => {
                parts.push(partitioning.build(self.read, self.limits)?);
            }
            Computed::Saturated(saturated) => {
                let lookups = SumHeuristic::lookups(saturated);
                parts.push(Box::new(SumHeuristic::new(saturated, &lookups, self.search_task)));
            }
            Computed::Max(all) => {
                for part in all {
                    self.add(part, parts)?;
                }
            }
        }
        Ok(())
    }

    /// The heuristics that `heuristic`, which solves no LPs, is the maximum of; `lookups` are the
    /// tables of its saturated cost partitionings, shared by threads.
    fn functions(
        self,
        heuristic: &Computed,
        lookups: &[Lookups],
    ) -> Vec<Box<dyn Heuristic + Send>> {
        let task = self.search_task.task();
        let functions: Vec<&Certified> =
            heuristic.potentials().into_iter().flat_map(Potential::functions).collect();
        let mut parts = self.search_task.heuristics(&functions);
        for (saturated, own) in heuristic.saturated().into_iter().zip(lookups) {
            parts.push(Box::new(SumHeuristic::new(saturated, own, self.search_task)));
        }
        if heuristic.has_blind() {
            parts.push(Box::new(Blind::new(task, self.packing)));
        }
        parts
    }

    /// Searches with a heuristic of which each thread can have its own.
    fn with_threads<H: Heuristic + Send>(self, heuristic: impl Fn() -> H) -> SearchResult {
        let Self { search_task, packing, params, limits, events, .. } = self;
        let task = search_task.task();
        let mut search = match ThreadedSearch::new(task, packing, params.into()) {
            Ok(search) => search,
            Err(stop) => return SearchResult::stopped(stop),
        };
        let threads = params.threads.clamp(1, MAX_THREADS);
        let all = &mut repeat_with(heuristic).take(threads).collect::<Vec<H>>();
        let tell = &mut |progress: hipot_search::Progress<'_>| events.tell_search(progress);
        let find = &|| orbits(task, packing, limits);
        let result = search.advance((task, packing), all, params.budget, find, limits, tell);
        if threads > 1 && result.symmetries > 0 {
            tracing::info!("the search used one thread, because it used symmetries");
        }
        result
    }

    /// Logs that a search that may use several threads uses one.
    fn tell_one_thread(self) {
        if self.params.threads > 1 {
            tracing::info!("the search uses one thread, because it solves an LP in each state");
        }
    }

    fn astar<H: Heuristic + ?Sized>(self, heuristic: &mut H) -> SearchResult {
        let Self { search_task, packing, params, limits, events, .. } = self;
        let task = search_task.task();
        let tell = &mut |progress: hipot_search::Progress<'_>| events.tell_search(progress);
        let find = &|| orbits(task, packing, limits);
        match OrbitSearch::new(task, packing, params) {
            Ok(mut search) => {
                search.advance((task, packing), heuristic, params.budget, find, limits, tell)
            }
            Err(stop) => SearchResult::stopped(stop),
        }
    }
}

/// The best function in every state, starting from the one for the initial state.
fn every_state<'a>(
    potential: &'a Potential,
    limits: &'a Limits,
) -> Result<EveryState<'a>, Failure> {
    let features = potential.function.features();
    let features = match (&potential.spec.features, potential.report.extent) {
        (&FeatureChoice::Dimension(dimension @ (1 | 2)), Extent::Complete) => {
            FeatureSet::UpTo(dimension)
        }
        (FeatureChoice::Dimension(1 | 2), _) => {
            FeatureSet::PairsOf { features, symmetric_about: None, extra_nonzeros: 0 }
        }
        _ => FeatureSet::Given(features),
    };
    let params = Params { method: potential.spec.method, ..Params::default() };
    let normal = potential.normal_form();
    let optimizer = Optimizer::new(normal, features, Repeats::Many, None, &params, limits)?;
    Ok(EveryState::new(optimizer, potential.function.clone()))
}

/// The result if the heuristic has already proved that there is no plan.
pub(crate) fn unsolvable() -> SearchResult {
    SearchResult {
        outcome: Outcome::Unsolvable,
        initial: Some(Estimate::DEAD_END),
        lower_bound: 0,
        statistics: Statistics::default(),
        symmetries: 0,
    }
}

/// The maximum of several heuristics.
pub(crate) struct Max<H>(pub(crate) Vec<H>);

impl<H: Heuristic> Heuristic for Max<H> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let estimates = self.0.iter_mut().map(|part| part.estimate(state));
        estimates.max().unwrap_or(Estimate::at_least(0))
    }

    fn enter(&mut self, parent: StateView<'_>) {
        for part in &mut self.0 {
            part.enter(parent);
        }
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        let estimates = self.0.iter_mut().map(|part| part.estimate_successor(operator, successor));
        estimates.max().unwrap_or(Estimate::at_least(0))
    }

    fn is_incremental(&self) -> bool {
        self.0.iter().any(H::is_incremental)
    }

    fn is_consistent(&self) -> bool {
        self.0.iter().all(H::is_consistent)
    }

    fn is_invariant_under(&self, moved: &[(Fact, Fact)]) -> bool {
        self.0.iter().all(|part| part.is_invariant_under(moved))
    }
}
