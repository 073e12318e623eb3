//! A* by several threads, each of which owns the states that their hashes give it.
//!
//! This is HDA* (Kishimoto, Fukunaga and Botea, *Evaluation of a simple, scalable, parallel
//! best-first search strategy*, AIJ 2013), but in rounds. Each state belongs to one thread, which
//! its hash chooses (`address`). That thread alone keeps its record and expands it, so no record
//! needs a lock (`share`). A successor that belongs to another thread is written into a buffer, and
//! full buffers go to the owner's inbox (`mail`). So threads meet only when a buffer is handed over,
//! and hashes spread the work evenly.
//!
//! A [`ParallelAStar`] is a value, as an [`AStar`] is: it can pause, get another heuristic and go
//! on, and it can begin where a search by one thread has paused.
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
//! | `team` | the states of all threads, from one advance to the next |
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
//! # Pauses
//!
//! A search pauses when its budget is spent, or if it is to stop for another reason than memory.
//! From then on no state is admitted, so that all threads come to rest as at the end of any round:
//! they finish what they are expanding, and read the mail that is still on its way. The end of that
//! round is the end of the advance. Its least f is a lower bound, as at the end of any other. The
//! threads end, and their shares stay, with the best plan so far. The next advance begins with a
//! round for which all that was said above holds: no message is on its way, and each state on an
//! optimal plan that is to be expanded next is in an open list. It takes some milliseconds to come
//! to rest, at most the time to read the buffers that may wait for a thread (`MAX_WAITING`). If the
//! memory is full there may be no room for what they hold; then the search ends at once, and is not
//! continued.
//!
//! *From one thread to several.* An [`AStar`] that has paused has no messages at all, so its states
//! are divided among shares as they are, with their costs, parents and entries of open states. In
//! its proof, too, the first state of an optimal plan that was not expanded at its optimal cost is
//! open at that cost. So nothing is lost, and the lower bound stays.
//!
//! # When the heuristic changes
//!
//! Between two advances, heuristics may be added or dropped. As in [`AStar`], entries of open states
//! keep their estimates, and are told apart by epochs. An entry from before the change is evaluated
//! again when it comes up. If the estimate is higher now, the state goes back to its owner's open
//! list with the higher one; if not, it is expanded.
//!
//! *All of the above still holds*, for it needs only that each estimate in an open list is
//! admissible, whichever heuristic it comes from: then the f of the state s is at most C. So the
//! least f at the end of each round is a lower bound, and the plan is optimal. The end comes, too:
//! a state goes back only with a higher estimate than before, so once for each change. (A goal state
//! has estimates of 0 only.) If the new heuristic finds a dead end, s is not that state, because a
//! plan leads through s. No message brings an estimate of an earlier heuristic, because none is on
//! its way in a pause.
//!
//! *Nothing is assumed about reopening*, so it makes no difference here whether functions were
//! [added](Change::Higher) or [dropped](Change::Other). The `filter` of a thread begins empty in
//! each advance, and so do the dives that wait for another thread. Both are only short cuts.
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
//! Each thread checks the limits, also while it rests. The first reason to pause is kept, and all
//! threads see it. If memory is full or a cost too large, the search is over at once for all of
//! them. If a thread panics, the others end, too, and the panic goes on in the caller. Threads that grow their tables at the same time must not be promised the
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
//! p-1-10 with `pot(dim=1)` takes twenty times the states and more. That is why one thread
//! searches for some time first (`threaded`).
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
mod team;
mod worker;

use hipot_task::{Estimate, Heuristic, Limits, Packing, Stop, Task};

use crate::astar::{AStar, Change, Outcome, SearchResult, is_expensive};
use crate::layer_search::Ending;
use crate::layouts::{ByLayout, Family, for_width, in_any, map_any};
use crate::progress::{Progress, StateBudget};
use crate::registry::{AnyWidth, Layout};
use crate::rules::Rules;

pub use self::params::{MAX_THREADS, ParallelParams};
use self::team::{Advance, Team};

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
    match ParallelAStar::new(task, packing, threads, params) {
        Ok(mut search) => search.advance(heuristics, params.search.budget, limits, tell),
        Err(stop) => SearchResult::stopped(stop),
    }
}

/// A search by several threads that can be continued, as [`AStar`] can.
pub struct ParallelAStar {
    /// For each thread.
    rules: Vec<Rules>,
    params: ParallelParams,
    team: AnyTeam,
    /// How it ended, if it cannot be continued.
    outcome: Option<Outcome>,
}

/// The teams with records of some layout.
struct Teams;

impl Family for Teams {
    type Of<L: Layout> = Team<L>;
}

type AnyTeam = ByLayout<Teams>;

/// A team with 32-bit costs.
fn narrow(width: usize, threads: usize, params: &ParallelParams) -> Result<AnyTeam, Stop> {
    Ok(for_width!(width, layout => Team::new(layout, threads, params)?))
}

/// A team with 64-bit costs.
fn wide(width: usize, threads: usize, params: &ParallelParams) -> Result<AnyTeam, Stop> {
    Ok(ByLayout::Wide(Team::new(AnyWidth(width), threads, params)?))
}

impl ParallelAStar {
    /// A search for an optimal plan for `task`, whose states `packing` packs, by so many threads,
    /// at most [`MAX_THREADS`]. Fails if there is no memory at all.
    ///
    /// # Panics
    /// If there is no thread, or if there are too many.
    pub fn new(
        task: &Task,
        packing: &Packing,
        threads: usize,
        params: ParallelParams,
    ) -> Result<Self, Stop> {
        let new = if is_expensive(task) { wide } else { narrow };
        let team = new(packing.width(), threads, &params)?;
        let rules = Rules::new(task, packing, None);
        Ok(Self::of_team(&rules, threads, params, team, None))
    }

    /// A search that goes on where `search`, which uses no symmetries, has paused. Fails if a limit
    /// is reached; `search` can be continued then.
    ///
    /// # Panics
    /// If there is no thread, or if there are too many.
    pub fn dividing(
        search: &AStar,
        threads: usize,
        params: ParallelParams,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let AStar { rules, search, outcome, .. } = search;
        assert!(rules.orbits.is_none(), "symmetries are used by one thread only");
        let team = map_any!(search, it => Team::dividing(it, threads, &params, limits)?);
        Ok(Self::of_team(rules, threads, params, team, outcome.clone()))
    }

    fn of_team(
        rules: &Rules,
        threads: usize,
        params: ParallelParams,
        team: AnyTeam,
        outcome: Option<Outcome>,
    ) -> Self {
        assert!((1..=MAX_THREADS).contains(&threads), "{threads} threads");
        Self { rules: vec![rules.clone(); threads], params, team, outcome }
    }

    /// Searches on until all threads together have seen as many states in all as `budget` allows,
    /// with a heuristic for each thread. These are copies of one admissible heuristic, the same as
    /// in the last advance, unless a change was [announced](Self::change_heuristic). A search that
    /// has ended, or run out of memory, stays so.
    ///
    /// # Panics
    /// If there are more or fewer heuristics than threads, or if a thread panics.
    pub fn advance<H: Heuristic + Send>(
        &mut self,
        heuristics: &mut [H],
        budget: StateBudget,
        limits: &Limits,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> SearchResult {
        if let Some(outcome) = self.outcome.clone() {
            return self.result(outcome);
        }
        let Self { rules, params, team, .. } = self;
        let (width, threads, params) = (rules[0].packing.width(), rules.len(), *params);
        assert_eq!(heuristics.len(), threads, "a heuristic for each thread");
        let advance = &mut Advance { rules, heuristics, params, budget, limits, tell };
        let mut ended = in_any!(&mut *team, team => team.advance(advance));
        if let Err(Ending::CostTooLarge) = ended {
            ended = match wide(width, threads, &params) {
                Ok(wide) => {
                    *team = wide;
                    in_any!(team, team => team.advance(advance))
                }
                Err(stop) => Err(stop.into()),
            };
        }
        let outcome = match ended {
            Ok(Some(plan)) => Outcome::Solved(plan),
            Ok(None) => Outcome::Unsolvable,
            Err(Ending::Stop(stop)) => Outcome::Stopped(stop),
            Err(Ending::BudgetSpent) => Outcome::BudgetSpent,
            Err(Ending::CostTooLarge) => unreachable!("64 bits hold every cost"),
        };
        self.outcome = (!outcome.can_go_on()).then(|| outcome.clone());
        self.result(outcome)
    }

    /// Announces that the heuristic of the next advance is another one. Whether it is nowhere lower
    /// makes no difference here, because states may be reopened anyway.
    pub fn change_heuristic(&mut self, _: Change) {
        in_any!(&mut self.team, team => team.change_heuristic());
    }

    /// What the search has found so far; as if its budget were spent, if it can be continued.
    pub fn result_so_far(&self) -> SearchResult {
        self.result(self.outcome.clone().unwrap_or(Outcome::BudgetSpent))
    }

    fn result(&self, outcome: Outcome) -> SearchResult {
        let (initial, f, statistics) = in_any!(&self.team, team => team.report());
        let lower_bound = f.max(initial.and_then(Estimate::cost).unwrap_or(0));
        SearchResult { outcome, initial, lower_bound, statistics, symmetries: 0 }
    }
}
