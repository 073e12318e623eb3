//! What `auto` does, in which order and with how much time.
//!
//! Most tasks need little: potentials from an LP that takes a second, and a short search. So
//! that comes first. If it is not enough, *candidates* for a better heuristic take turns with
//! the search, cheap ones first:
//!
//! - *Another function for a plateau*, if the search has not come beyond the bound
//!   (`Candidate::Plateau`).
//! - *Another objective*, if it has (`Candidate::Average`): a function that is best in the
//!   initial state may say little about others. (Blocks 17-0 is at f = 34 when 2 GB are full with a
//!   first function, and at 42 with a second one.)
//! - *Functions for facts* (`Candidate::Facts`), each for the states that contain one fact.
//! - *Abstractions* (`Candidate::Abstractions`) that share costs with the first function.
//! - *More features* (`Candidate::Features`): the LP over all pairs of facts, or over as many as
//!   there is time for, if the first one had fewer.
//!
//! Each one is judged in the states that the search has expanded (`candidates`). A better function
//! enters the search that is running (`Running`): open states are evaluated again when they come
//! up, and closed ones stay closed. The search begins again in one case only: if a
//! function's bound is above the layer that is being searched. Then all that was searched is below
//! the bound, and nothing of it is needed.
//!
//! *If nothing helps*, and the function says no more about the states that were expanded than the
//! blind heuristic, the search goes on blindly, which is faster.
//!
//! *Large tasks* get a blind search before anything is computed, because mutexes and LPs take
//! many seconds there. What it proves is kept, and functions enter it if they prove less.
//!
//! *With a second thread* the search goes on while a candidate is computed, as long as one thread
//! searches. When all threads do, because the search is long, they take turns with candidates,
//! which use them, too.
//!
//! *With one thread* turns are counted in states, not in seconds, so that the same task gives the
//! same plan again, unless a time limit cuts an LP short.

mod abstractions;
mod average;
mod candidates;
mod improver;
mod log;
mod params;
mod running;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hipot_analysis::PlainTask;
use hipot_search::{Outcome, SearchResult};
use hipot_task::{Limits, Stop, Task};

use crate::compute::compute_plain;
use crate::events::Event;
use crate::failure::Failure;
use crate::heuristic::{Computed, Fallback, Potential};
use crate::search::{Searched, unsolvable};
use crate::settings::Settings;
use crate::solution::Solution;
use crate::spec::{FeatureChoice, PotentialSpec, Spec};

use candidates::{Candidate, Judged, Turns, Verdict};
use improver::Improver;
use log::{log, with_share};
pub use params::Params;
use running::Running;

/// The number of states evaluated between two looks at a candidate that is computed meanwhile.
const MEANWHILE: u64 = 10_000;

/// The share of the remaining time for the first LP, and for all that it needs: for a strong
/// function, and for a weak one if that is not enough. Most of the time is left for a blind search,
/// and more of it if the task is large.
const SHARE_FOR_FIRST_LP: f64 = 0.2;
const SHARES_FOR_FIRST: (f64, f64) = (0.3, 0.15);
const SHARES_IF_LARGE: (f64, f64) = (0.2, 0.1);

/// Searches for an optimal plan with the heuristics that seem best. Each one is told as an
/// [`Event::Heuristic`] before it is used.
pub fn solve_automatically(
    task: &Task,
    params: Params,
    settings: &Settings,
    limits: &Limits,
) -> Result<Solution, Failure> {
    let (plain, heuristic_time) = (&PlainTask::new(task), Duration::ZERO);
    let mut schedule =
        Schedule { task, plain, params, settings, limits, heuristic_time, earlier: None };
    schedule.run()
}

/// A run of `auto`.
struct Schedule<'a> {
    task: &'a Task,
    /// What heuristics are about.
    plain: &'a PlainTask<'a>,
    params: Params,
    settings: &'a Settings,
    limits: &'a Limits,
    /// The time that computing functions took.
    heuristic_time: Duration,
    /// What searches found that were given up.
    earlier: Option<Searched>,
}

impl<'a> Schedule<'a> {
    fn run(&mut self) -> Result<Solution, Failure> {
        let opening = if self.is_large() { Some(self.open()?) } else { None };
        if let Some((running, result)) = &opening
            && result.outcome != Outcome::BudgetSpent
        {
            return Ok(self.solution(running, result.clone()));
        }
        let begin = Instant::now();
        let first = self.compute_first();
        self.heuristic_time += begin.elapsed();
        let opening = opening.map(|(running, _)| running);
        match (first, opening) {
            (Ok(Computed::Potential(first)), opening) => self.search_with(*first, opening),
            (Ok(blind), opening) => self.search_blindly(blind, opening),
            (Err(Failure::Stopped(stop)), Some(running)) => {
                let result = SearchResult { outcome: Outcome::Stopped(stop), ..running.result() };
                Ok(self.solution(&running, result))
            }
            (Err(failure), _) => Err(failure),
        }
    }

    fn is_large(&self) -> bool {
        self.task.operators().len() > self.params.large_operators
    }

    /// A short blind search.
    fn open(&self) -> Result<(Running<'a>, SearchResult), Failure> {
        log("blind first, because the task is large", self.limits);
        let mut running = Running::blind(self.task, self.plain, self.params, self.settings)?;
        let result = running.advance(self.params.opening_evaluated, self.settings, self.limits);
        Ok((running, result))
    }

    /// The first function; blind if there is none.
    fn compute_first(&self) -> Result<Computed, Failure> {
        let strong = PotentialSpec::strong(Some(self.params.first_nonzeros));
        let weak = PotentialSpec::new(FeatureChoice::Dimension(1));
        let shares = if self.is_large() { SHARES_IF_LARGE } else { SHARES_FOR_FIRST };
        for (spec, share) in [(strong.clone(), shares.0), (weak, shares.1)] {
            log(&format!("{spec} first"), self.limits);
            let settings = with_share(self.settings, SHARE_FOR_FIRST_LP, self.limits);
            let part = self.limits.with_share(share);
            match compute_plain(self.plain.task(), &Spec::Potential(spec), &settings, &part) {
                // It has used its share of the time.
                Err(Failure::Stopped(_)) if self.limits.check().is_ok() => {}
                computed => return computed,
            }
        }
        let (asked, used) = (strong.to_string(), "replaced by blind".to_owned());
        let reason = "its share of the time was not enough".to_owned();
        Ok(Computed::Blind(vec![Fallback { asked, used, reason }]))
    }

    /// Searches without a function, to the end.
    fn search_blindly(
        &mut self,
        blind: Computed,
        opening: Option<Running<'a>>,
    ) -> Result<Solution, Failure> {
        self.settings.events.tell(Event::Heuristic(&blind));
        let mut running = match opening {
            Some(running) => running,
            None => Running::blind(self.task, self.plain, self.params, self.settings)?,
        };
        let result = running.advance(u64::MAX, self.settings, self.limits);
        let solution = self.solution(&running, result);
        Ok(Solution { heuristic: blind, ..solution })
    }

    /// Searches with a first function and with better ones.
    fn search_with(
        &mut self,
        first: Potential,
        opening: Option<Running<'a>>,
    ) -> Result<Solution, Failure> {
        let Some(bound) = first.bound() else { return Ok(self.unsolvable(first.into())) };
        let normal = Arc::clone(first.normal_form());
        let mut running = match opening {
            Some(mut running) if bound <= running.lower_bound() => {
                running.add(vec![first]);
                running
            }
            opening => {
                self.give_up(opening);
                Running::new(self.task, self.plain, &normal, first, self.params, self.settings)?
            }
        };
        running.tell(self.settings);
        let mut turns = Turns::new(self.params);
        loop {
            let result = running.advance(turns.budget(&running), self.settings, self.limits);
            if result.outcome != Outcome::BudgetSpent {
                return Ok(self.solution(&running, result));
            }
            let Some(candidate) = turns.next(&running) else { continue };
            let judged = match self.judge(candidate, &mut running) {
                Err(Failure::Stopped(stop)) => {
                    let result =
                        SearchResult { outcome: Outcome::Stopped(stop), ..running.result() };
                    return Ok(self.solution(&running, result));
                }
                judged => judged?,
            };
            if running.result().outcome != Outcome::BudgetSpent {
                // It has ended while the candidate was computed.
                continue;
            }
            turns.note(candidate, &judged);
            match judged.verdict {
                Verdict::Rejected if turns.next(&running).is_none() && running.says_little() => {
                    log("blind from now on, because the function says no more", self.limits);
                    running.go_blind();
                }
                Verdict::Rejected => continue,
                Verdict::Added(others) => running.add(others),
                Verdict::Replaced(better, _) if better.bound() > Some(running.lower_bound()) => {
                    let abstractions = running.take_abstractions();
                    self.give_up(Some(running));
                    running = Running::new(
                        self.task,
                        self.plain,
                        &normal,
                        *better,
                        self.params,
                        self.settings,
                    )?;
                    if let Some(known) = abstractions {
                        running.abstract_with(known);
                    }
                }
                Verdict::Abstracted(all) if all.saturated.bound().is_none() => {
                    self.give_up(Some(running));
                    return Ok(self.unsolvable(Computed::Saturated(Box::new(all.saturated))));
                }
                Verdict::Abstracted(all) if all.saturated.bound() > Some(running.lower_bound()) => {
                    let first = running.functions()[0].clone();
                    self.give_up(Some(running));
                    running = Running::new(
                        self.task,
                        self.plain,
                        &normal,
                        first,
                        self.params,
                        self.settings,
                    )?;
                    running.abstract_with(all);
                }
                Verdict::Abstracted(all) => running.abstract_with(all),
                Verdict::Replaced(better, kept) => running.replace(*better, kept),
                Verdict::Unsolvable(proof) => {
                    self.give_up(Some(running));
                    return Ok(self.unsolvable(Computed::Potential(proof)));
                }
            }
            running.tell(self.settings);
        }
    }

    /// The result if a function proves that there is no plan.
    fn unsolvable(&self, proof: Computed) -> Solution {
        let searched = Searched { result: unsolvable(), time: Duration::ZERO };
        Solution::new(proof, self.heuristic_time, self.after_earlier(searched))
    }

    /// Computes a candidate and judges it. If one of several threads searches, it goes on meanwhile.
    fn judge(
        &mut self,
        candidate: Candidate,
        running: &mut Running<'_>,
    ) -> Result<Judged, Failure> {
        let begin = Instant::now();
        let (functions, states) = (running.functions().to_vec(), running.samples());
        let (layer, pace) = (running.lower_bound(), running.pace());
        let abstract_values = running.abstract_values(&states);
        let Self { settings, limits, .. } = *self;
        let task = self.plain.task();
        let improver = |settings, limits| Improver {
            task,
            settings,
            limits,
            functions,
            states,
            layer,
            abstract_values,
            pace,
        };
        let judged = if settings.threads > 1 && !running.is_parallel() {
            let settings = &Settings { threads: settings.threads - 1, ..settings.clone() };
            let own = &limits.with_own_requests();
            let improver = improver(settings, own);
            thread::scope(|scope| {
                let judging = scope.spawn(move || improver.judge(candidate));
                self.search_until(&|| judging.is_finished(), own, running);
                judging.join().unwrap_or_else(|panic| resume_unwind(panic))
            })
        } else {
            improver(settings, limits).judge(candidate)
        };
        self.heuristic_time += begin.elapsed();
        match judged {
            // Only its share of the time is used up, or the search has ended.
            Err(Failure::Stopped(_)) if limits.check().is_ok() => Ok(Judged::rejected()),
            judged => judged,
        }
    }

    /// Searches on with one thread until something else is done. If the search ends first, it asks the other for
    /// an end, by its limits.
    fn search_until(&self, is_done: &dyn Fn() -> bool, other: &Limits, running: &mut Running<'_>) {
        while !is_done() {
            let budget = running.evaluated().saturating_add(MEANWHILE);
            match running.advance_alone(budget, self.settings, self.limits).outcome {
                Outcome::BudgetSpent => {}
                Outcome::Stopped(stop) => return other.request(stop),
                Outcome::Solved(_) | Outcome::Unsolvable => {
                    return other.request(Stop::Interrupted);
                }
            }
        }
    }

    /// Keeps what a search has found that is not continued.
    fn give_up(&mut self, running: Option<Running<'_>>) {
        if let Some(running) = running {
            self.earlier = Some(self.after_earlier(running.searched(running.result())));
        }
    }

    fn after_earlier(&self, searched: Searched) -> Searched {
        match &self.earlier {
            Some(earlier) => searched.after(earlier),
            None => searched,
        }
    }

    fn solution(&self, running: &Running<'_>, result: SearchResult) -> Solution {
        let searched = self.after_earlier(running.finished(self.task, result));
        Solution::new(running.heuristic(), self.heuristic_time, searched)
    }
}

#[cfg(test)]
mod tests {
    use hipot_testing::{RandomTask, StateSpace};

    use super::abstractions::Abstractions;
    use super::*;
    use crate::compute::compute;

    /// Few samples, and threads that join the first one soon.
    const FEW: Params = Params {
        first_nonzeros: 100_000,
        first_evaluated: 500_000,
        probe_evaluated: 4,
        alone_evaluated: 3,
        samples: 5,
        large_operators: usize::MAX,
        opening_evaluated: 0,
    };

    fn potential(task: &Task, spec: &str, seed: u64) -> Potential {
        let (spec, settings) = (spec.parse().unwrap(), Settings::default());
        match compute(task, &spec, &settings, &Limits::none()).unwrap() {
            Computed::Potential(potential) => *potential,
            other => panic!("seed {seed}: {other}"),
        }
    }

    fn settings(seed: u64, threads: usize) -> Settings {
        Settings { seed, threads, ..Settings::default() }
    }

    fn abstractions(task: &Task, seed: u64) -> Box<Abstractions> {
        let spec = "scp(pot(dim=1), projections(size=2), orders=2)".parse().unwrap();
        match compute(task, &spec, &Settings::default(), &Limits::none()).unwrap() {
            Computed::Saturated(saturated) => Box::new(Abstractions::new(*saturated)),
            other => panic!("seed {seed}: {other}"),
        }
    }

    /// What becomes of a search that has paused.
    #[derive(Clone, Copy, Debug)]
    enum Event {
        Blind,
        Added,
        Abstracted,
        Replaced,
    }

    /// A search that goes on blindly, or with other functions, finds the same costs; with any
    /// number of threads.
    #[test]
    fn a_search_goes_on_with_other_functions_or_blindly() {
        let limits = Limits::none();
        let (mut gone_on, mut parallel) = (0, 0);
        for seed in 0..600 {
            let shape = RandomTask { variables: 6, operators: 24, ..RandomTask::default() };
            let task = if seed % 2 == 0 { RandomTask::default() } else { shape }.generate(seed);
            let threads = 1 + seed as usize / 2 % 3;
            let settings = settings(seed, threads);
            let first = potential(&task, "pot(dim=2)", seed);
            let normal = Arc::clone(first.normal_form());
            let mut running =
                Running::new(&task, &PlainTask::new(&task), &normal, first, FEW, &settings)
                    .unwrap();
            let mut result = running.advance(4, &settings, &limits);
            let events = [Event::Added, Event::Abstracted, Event::Replaced, Event::Blind];
            for event in events.into_iter().skip(seed as usize % 4) {
                if result.outcome != Outcome::BudgetSpent {
                    break;
                }
                gone_on += 1;
                match event {
                    Event::Blind => running.go_blind(),
                    Event::Added => running.add(vec![potential(&task, "pot(dim=1)", seed)]),
                    Event::Abstracted => running.abstract_with(abstractions(&task, seed)),
                    Event::Replaced => {
                        running.replace(potential(&task, "pot(dim=1)", seed), Vec::new());
                    }
                }
                let more = running.evaluated() + 4;
                result = running.advance(more, &settings, &limits);
            }
            parallel += u64::from(running.is_parallel());
            let result = running.advance(u64::MAX, &settings, &limits);
            let found = running.finished(&task, result).result;
            let cost = match found.outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                _ => None,
            };
            let space = StateSpace::explore(&task, 5000).unwrap();
            assert_eq!(cost, space.optimal_cost(), "seed {seed}");
        }
        assert!(gone_on > 40 && parallel > 20, "{gone_on} {parallel}");
    }

    /// Samples are reachable states of the given task, even if the search ran in a smaller
    /// one; with several threads, from all of them.
    #[test]
    fn samples_are_states_of_the_given_task() {
        let (limits, mut kept, mut parallel) = (Limits::none(), 0, 0);
        for seed in 0..300 {
            let task = RandomTask::default().generate(seed);
            let threads = 1 + seed as usize % 3;
            let settings = settings(seed, threads);
            let first = potential(&task, "pot(dim=1, mutexes=h2)", seed);
            let normal = Arc::clone(first.normal_form());
            let mut running =
                Running::new(&task, &PlainTask::new(&task), &normal, first, FEW, &settings)
                    .unwrap();
            let result = running.advance(u64::MAX, &settings, &limits);
            let space = StateSpace::explore(&task, 5000).unwrap();
            let samples = running.samples();
            assert!(samples.len() <= 5 && samples.len() as u64 <= result.statistics.expanded);
            for state in &samples {
                assert!(space.states.contains(state), "seed {seed}, {state:?}");
                kept += usize::from(normal.pruned().is_some());
                parallel += usize::from(running.is_parallel());
            }
        }
        assert!(kept > 40 && parallel > 40, "{kept} {parallel}");
    }
}
