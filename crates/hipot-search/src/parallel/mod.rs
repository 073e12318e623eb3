//! A* by several threads, each of which owns the states that their hashes give it.
//!
//! This is HDA* (Kishimoto, Fukunaga and Botea, *Evaluation of a simple, scalable, parallel
//! best-first search strategy*, AIJ 2013), but in rounds. Each state belongs to one thread, which its hash chooses (`address`). That thread alone keeps
//! its record and expands it, so no record needs a lock (`share`). A successor that belongs to
//! another thread is written into a buffer, and full buffers go to the owner's inbox (`mail`). So
//! threads meet only when a buffer is handed over, and hashes spread the work evenly.
//!
//! | module | what |
//! |---|---|
//! | `params` | parameters |
//! | `address` | who owns a state, and its name outside its thread |
//! | `mail` | messages, buffers, inboxes |
//! | `filter` | states sent lately, which need not be sent again |
//! | `share` | the states of one thread |
//! | `batch` | states that are expanded together |
//! | `rounds` | what threads share: rounds, the best plan so far, the end |
//! | `worker` | the loop of one thread |
//!
//! # Rounds
//!
//! The search is cut into *rounds*. A thread expands its own states in the order of its own open
//! list, least f first, as long as f is at most the limit of the round and below the cost of the
//! best plan so far. Otherwise it sends what it has not sent yet, and *rests* until there is mail.
//! A round is over when all threads rest and no message is on its way. Then the least f of all
//! open states is computed, and the next round begins.
//!
//! A round has no limit at first. A thread that has expanded a few hundred states in it sets the
//! limit to the f that it is at. So where a layer of f has many states, a round is a layer: no
//! thread gets far ahead of another, hardly a state is expanded that one thread would not expand,
//! and hardly one is reopened. And where layers have few states, as with costs in the thousands, a
//! round has several layers, and threads wait for each other rarely. Any limit is right, as the
//! next section does not mention it.
//!
//! # Why the plan is optimal
//!
//! *Nothing is overlooked.* Let C be the cost of an optimal plan, and suppose that no goal state
//! was expanded at cost C. On an optimal plan, take the first state s that its owner has not
//! expanded at the optimal cost g*(s). If s is the initial state, it is in its owner's open list.
//! Otherwise its predecessor was expanded at its optimal cost, so s was generated at g*(s), and
//! that is in a message, or in the open list of its owner. (It was not dropped: states are dropped
//! only if the owner knows of a path that is no dearer, or if such a path was sent to it before.)
//! Its f is at most g*(s) + h*(s) = C, for the estimate is admissible.
//!
//! *At the end of a round*, no message is on its way, so that s is in an open list. Hence the
//! least f of all open states is at most C: it is a lower bound. It is also the bound that is
//! reported: the largest one of all rounds.
//!
//! *The end.* The best plan so far is optimal if it costs no more than the bound, which can be
//! seen at once if a round is a layer; or if, at the end of a round, no open state has a smaller f.
//! If there are no open states at all and no plan, there is no plan. The search does end: each
//! state is expanded only finitely often, each time at a lower cost.
//!
//! *The plan* is found by following parents, across threads. A record's cost may have fallen since
//! its child was generated, so the path costs at most what the goal state's record says. That is
//! optimal, so it costs as much. It has no cycle: around a cycle costs would not rise, but the
//! record that was written last has a lower cost than its child on the cycle saw.
//!
//! *States may be reopened* even with a consistent heuristic: a message with a cheaper path may
//! come after a state was expanded. They are counted. Nothing above needs consistency.
//!
//! # Why a round ends exactly when nothing is left to do
//!
//! `work` counts threads that do not rest and buffers on their way. A thread counts a buffer
//! before it sends it. Whoever takes a buffer from its inbox does not rest, and only then is the
//! buffer no longer counted. A thread that is woken by mail counts itself before it takes the
//! buffer, and a thread that begins to rest has sent all messages before it is no longer counted.
//! So `work` is never lower than the number of threads and buffers it stands for, and 0 means that
//! all threads rest and all inboxes are empty. This is stable: only mail or a new round wakes a
//! thread, and only threads that do not rest send mail. Exactly one thread, the last one to rest,
//! has seen the counter fall to 0. It alone computes the bound from what the others have left on
//! their desks, sets the counter to the number of threads and begins the next round. These are
//! atomic operations on one counter, each of which sees what happened before the earlier ones, so
//! the desks are up to date.
//!
//! A resting thread must not take mail of the next round for mail of the last one, or it would
//! count itself twice. So it looks at its inbox first and at the number of the round after that:
//! mail of the next round is in the inbox only if the next round has begun.
//!
//! # Limits
//!
//! Each thread checks the limits, also while it rests. The first reason to end is kept, and all
//! threads see that the search is over. If a thread panics, the others end, too, and the panic goes
//! on in the caller. Threads that grow their tables at the same time must not be promised the
//! same memory, see [`Limits::promise`](hipot_task::Limits::promise). A thread with too much mail
//! makes those wait who send to it. These read their own mail meanwhile, which sends nothing, so
//! nobody waits in a circle.
//!
//! # What is different with several threads
//!
//! Costs and bounds are the same. Plan and counters may differ from run to run, because the order
//! of messages does. `expanded_until_last_jump` and the like are counted when the bound last rose
//! at the end of a round, and a budget of states is exceeded by some thousands.
//!
//! A message that leads to a lower h than any before in its layer is sent at once. Otherwise, where
//! the bound is perfect and one thread would walk straight to the goal, the others expand
//! whatever they have while the next step waits in a buffer. Dives (see `ties`) go from thread to
//! thread: if the best successor belongs to another one, the message says so, and the owner goes on
//! with the dive when it is its turn to dive. But the sender does not know whether that state is
//! new, and if it is not, the dive ends there. So dives are shorter than with one thread: visitall-opt14
//! p-1-10 with `pot(dim=1)` takes twenty times the states and more. That is why the planner lets
//! one thread search for a short time first.
//!
//! Tried and dropped: without passing dives on at all, that task was not solved. If a thread that
//! dives itself decides between its dive and one that it is handed, dives end after three steps
//! on average, instead of fourteen.
//!
//! # Who evaluates a state
//!
//! Potential functions evaluate a successor from its parent in a fraction of the time for a whole
//! state, but only the sender knows the parent. The owner knows whether the state is new. So with
//! heuristics that say that they are [incremental](Heuristic::is_incremental) the sender evaluates
//! states and holds back those that it has sent lately; with others, such as the blind one, the
//! owner does, and messages are shorter.
//!
//! The figures are in `experiments/threads`.

mod address;
mod batch;
mod filter;
mod mail;
mod params;
mod rounds;
mod share;
mod worker;

use std::panic::resume_unwind;
use std::thread;

use hipot_task::{Estimate, Heuristic, Limits, Packing, Plan, StateView, Stop, Task};

use crate::astar::{Outcome, SearchResult, is_expensive};
use crate::layer_search::Ending;
use crate::progress::Progress;
use crate::registry::{AnyWidth, Fixed, Layout, StateId};
use crate::rules::Rules;

use self::address::{Address, Distribution};
use self::mail::Format;
pub use self::params::{MAX_THREADS, ParallelParams};
use self::rounds::{End, Rounds};
use self::share::{Origin, Share};
use self::worker::{Common, Tell, Worker};

/// Searches for an optimal plan for `task` with one thread for each of `heuristics`, at most
/// [`MAX_THREADS`]. These are copies of one admissible heuristic and read states packed by
/// `packing`, a packing for `task`. `tell` is called with the progress, in the calling thread.
///
/// # Panics
/// If there is no heuristic, or if a thread panics.
pub fn parallel_astar<H: Heuristic + Send>(
    task: &Task,
    packing: &Packing,
    heuristics: &mut [H],
    params: ParallelParams,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress<'_>),
) -> SearchResult {
    let threads = heuristics.len().min(MAX_THREADS);
    let heuristics = &mut heuristics[..threads];
    let search = &mut Search { task, packing, heuristics, params, limits, tell };
    let width = packing.width();
    let narrow = match width {
        _ if is_expensive(task) => Err(Ending::CostTooLarge),
        1 => search.run(Fixed::<1>),
        2 => search.run(Fixed::<2>),
        3 => search.run(Fixed::<3>),
        4 => search.run(Fixed::<4>),
        5 => search.run(Fixed::<5>),
        6 => search.run(Fixed::<6>),
        7 => search.run(Fixed::<7>),
        8 => search.run(Fixed::<8>),
        _ => search.run(AnyWidth::<1>(width)),
    };
    let ended = match narrow {
        Err(Ending::CostTooLarge) => search.run(AnyWidth::<2>(width)),
        ended => ended,
    };
    ended.unwrap_or_else(|ending| match ending {
        Ending::Stop(stop) => SearchResult::stopped(stop),
        _ => unreachable!("64 bits hold every cost"),
    })
}

/// A search that is about to begin.
struct Search<'a, H> {
    task: &'a Task,
    packing: &'a Packing,
    heuristics: &'a mut [H],
    params: ParallelParams,
    limits: &'a Limits,
    tell: &'a mut dyn FnMut(Progress<'_>),
}

impl<H: Heuristic + Send> Search<'_, H> {
    /// Searches with records of this layout. Fails if a cost is too large for it, or if a limit
    /// is reached before the first estimate.
    fn run<L: Layout + Send + Sync>(&mut self, layout: L) -> Result<SearchResult, Ending> {
        self.limits.check()?;
        let threads = self.heuristics.len();
        let mut rules = Rules::new(self.task, self.packing, None);
        let distribution = Distribution::new(threads);
        let mut shares = Vec::new();
        for number in 0..threads {
            let (ties, capacity) = (self.params.search.ties, distribution.capacity());
            shares.push(Share::new(layout, ties, number, threads, capacity)?);
        }
        let initial = self.heuristics[0].estimate(StateView::new(self.packing, &rules.initial));
        let rounds = Rounds::new(threads, initial.cost().unwrap_or(0));
        begin(&mut shares, distribution, &rules, initial, self.limits)?;
        let common = Common {
            rounds: &rounds,
            distribution,
            format: Format::new(layout, self.heuristics[0].is_incremental()),
            params: self.params,
            limits: self.limits,
        };
        let shares = self.run_threads(common, shares);
        let lower_bound = rounds.round().lower_bound;
        let (best, statistics) = (rounds.best(), rounds.statistics());
        let outcome = match rounds.into_end() {
            End::Answer => best.map_or(Outcome::Unsolvable, |(cost, goal)| {
                Outcome::Solved(extract_plan(&shares, distribution, goal, cost, &mut rules))
            }),
            End::Early(Ending::Stop(stop)) => Outcome::Stopped(stop),
            End::Early(Ending::BudgetSpent) => Outcome::BudgetSpent,
            End::Early(Ending::CostTooLarge) => return Err(Ending::CostTooLarge),
        };
        let lower_bound = match &outcome {
            Outcome::Solved(plan) => plan.cost,
            _ => lower_bound,
        };
        let (initial, symmetries) = (Some(initial), 0);
        Ok(SearchResult { outcome, initial, lower_bound, statistics, symmetries })
    }

    /// Runs all threads, this one among them, until the search is over.
    fn run_threads<L: Layout + Send + Sync>(
        &mut self,
        common: Common<'_, L>,
        shares: Vec<Share<L>>,
    ) -> Vec<Share<L>> {
        let (task, packing) = (self.task, self.packing);
        let mut all = self.heuristics.iter_mut().zip(shares).enumerate();
        let Some((_, (own_heuristic, own_share))) = all.next() else {
            panic!("a search needs a heuristic");
        };
        let run = move |number, heuristic, share, tell: Tell<'_>| {
            let _guard = EndIfPanicking(common.rounds);
            let rules = Rules::new(task, packing, None);
            Worker::new(number, common, rules, heuristic, share).run(tell)
        };
        thread::scope(|scope| {
            let mut handles = Vec::new();
            for (number, (heuristic, share)) in all {
                let thread = move || run(number, heuristic, share, None);
                match thread::Builder::new().spawn_scoped(scope, thread) {
                    Ok(handle) => handles.push(handle),
                    // There is no memory for its stack.
                    Err(_) => common.rounds.finish(End::Early(Stop::MemoryLimit.into())),
                }
            }
            let mut shares = vec![run(0, own_heuristic, own_share, Some(self.tell))];
            let ended = handles.into_iter().map(thread::ScopedJoinHandle::join);
            shares.extend(ended.map(|share| share.unwrap_or_else(|panic| resume_unwind(panic))));
            shares
        })
    }
}

/// Ends the search for all threads if one of them panics.
struct EndIfPanicking<'a>(&'a Rounds);

impl Drop for EndIfPanicking<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.finish(End::Early(Stop::Interrupted.into()));
        }
    }
}

/// Enters the initial state.
fn begin<L: Layout>(
    shares: &mut [Share<L>],
    distribution: Distribution,
    rules: &Rules,
    estimate: Estimate,
    limits: &Limits,
) -> Result<(), Stop> {
    let hash = shares[0].registry.hash(&rules.initial);
    let owner = distribution.owner(hash);
    let share = &mut shares[owner];
    share.make_room(1, limits)?;
    let entered = share.enter(&rules.initial, hash, 0);
    let (state, is_new) = entered.expect("the first state is new");
    let address = distribution.address(owner, state);
    share.settle((state, is_new), address, 0, estimate, Origin::Own);
    Ok(())
}

/// Follows the parents from `goal` and finds the operators between them.
fn extract_plan<L: Layout>(
    shares: &[Share<L>],
    distribution: Distribution,
    goal: Address,
    cost: u64,
    rules: &mut Rules,
) -> Plan {
    let words = |address| {
        let (thread, state): (usize, StateId) = distribution.locate(address);
        (shares[thread].registry.words(state), shares[thread].parent(state))
    };
    let mut operators = Vec::new();
    let mut child = goal;
    loop {
        let (to, parent) = words(child);
        if parent == child {
            break;
        }
        operators.push(rules.cheapest_operator(words(parent).0, to));
        child = parent;
    }
    operators.reverse();
    let plan_cost = operators.iter().map(|id| u64::from(rules.costs[id.index()])).sum();
    assert_eq!(cost, plan_cost, "the plan costs what the search says");
    Plan { operators, cost }
}
