//! The states that the proof of a search has to list.
//!
//! Suppose that every plan costs at least C. The proof of that needs a list of states with costs g
//! that begins with the initial state, at 0, and has each successor t of a listed state unless
//! g + cost(o) + h(t) ≥ C (see `hipot-check`). A [`Listing`] finds the smallest such list whose costs
//! are those of paths: Dijkstra's algorithm among the states with g + h < C, whatever h is. States
//! come in the order of their costs, each once and at its final cost, so a heuristic that is not
//! consistent makes no difference. In a proof that there is no plan, C is infinite, and costs do not
//! matter: all are taken to be 0.
//!
//! This is another pass after a search, which knows nothing of it. A* expands the same states, but
//! not in this order, it forgets why it left out others, and its heuristic may have changed on the
//! way, or have parts that no proof can use.

use std::collections::BTreeMap;
use std::io;

use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Packing, StateView, Stop, Task};

use crate::layouts::{ByLayout, Family, for_width, in_any};
use crate::registry::{AnyWidth, Fixed, Layout, Registry, StateId};
use crate::rules::Rules;

/// Why states could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// A limit is reached.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A listed state could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What states are listed, and how.
pub struct Listing<'a, H: ?Sized> {
    /// The task.
    pub task: &'a Task,
    /// A packing for its states.
    pub packing: &'a Packing,
    /// A lower bound on the distance from the goal.
    pub heuristic: &'a mut H,
    /// The bound C to be proved; `None` if there is no plan.
    pub bound: Option<u64>,
    /// Limits on time and memory.
    pub limits: &'a Limits,
}

/// The number of states between two looks at the limits.
const STATES_PER_CHECK: u64 = 1 << 10;

impl<H: Heuristic + ?Sized> Listing<'_, H> {
    /// Calls `found` with the cost of each state and the state, in the order of costs.
    pub fn each(
        self,
        found: &mut dyn FnMut(u64, StateView<'_>) -> io::Result<()>,
    ) -> Result<(), ListError> {
        let width = self.packing.width();
        // All costs are below the bound.
        let mut states: ByLayout<AllListed> =
            if self.bound.unwrap_or(0) <= <Fixed<1> as Layout>::MAX_COST {
                for_width!(width, layout => Listed::new(layout)?)
            } else {
                ByLayout::Wide(Listed::new(AnyWidth(width))?)
            };
        in_any!(&mut states, states => self.list(states, found))
    }

    fn list<L: Layout>(
        self,
        states: &mut Listed<L>,
        found: &mut dyn FnMut(u64, StateView<'_>) -> io::Result<()>,
    ) -> Result<(), ListError> {
        let Self { task, packing, heuristic, bound, limits } = self;
        let mut rules = Rules::new(task, packing, None);
        if bound.is_none() {
            rules.costs.fill(0);
        }
        let initial = rules.initial.clone();
        let estimate = heuristic.estimate(StateView::new(packing, &initial));
        states.registry.make_room(1, limits)?;
        if is_near(estimate, 0, bound) {
            states.reach(&initial, states.registry.hash(&initial), 0);
        }
        let (mut parent, mut successors) = (Vec::new(), Successors::default());
        let mut count = 0_u64;
        while let Some((cost, reached)) = states.queue.pop_first() {
            for state in reached {
                if states.registry.cost(state) != (cost, false) {
                    continue;
                }
                if count.is_multiple_of(STATES_PER_CHECK) {
                    limits.check()?;
                }
                count += 1;
                states.registry.set_cost(state, cost, true);
                parent.clear();
                parent.extend_from_slice(states.registry.words(state));
                found(cost, StateView::new(packing, &parent))?;
                successors.collect(&parent, &mut rules, &states.registry);
                states.registry.make_room(successors.operators.len(), limits)?;
                states.add(&successors, (packing, &parent), cost, &rules.costs, heuristic, bound);
            }
        }
        Ok(())
    }
}

/// Whether a state with this estimate, reached at this cost, may be on a plan below the bound.
fn is_near(estimate: Estimate, cost: u64, bound: Option<u64>) -> bool {
    let (Some(estimate), bound) = (estimate.cost(), bound.unwrap_or(u64::MAX)) else {
        return false;
    };
    cost.saturating_add(estimate) < bound
}

/// The successors of a state.
#[derive(Default)]
struct Successors {
    operators: Vec<OperatorId>,
    hashes: Vec<u64>,
    /// Their words, one after the other.
    words: Vec<u32>,
}

impl Successors {
    /// Computes the successors of a state, and prefetches what a registry has on them.
    fn collect<L: Layout>(&mut self, parent: &[u32], rules: &mut Rules, registry: &Registry<L>) {
        self.operators.clear();
        self.hashes.clear();
        self.words.clear();
        rules.generator.collect(parent, &mut self.operators);
        for &operator in &self.operators {
            let begin = self.words.len();
            self.words.extend_from_slice(parent);
            rules.transitions.apply(operator, parent, &mut self.words[begin..]);
            let hash = registry.hash(&self.words[begin..]);
            registry.prefetch_slot(hash);
            self.hashes.push(hash);
        }
        for &hash in &self.hashes {
            registry.prefetch_candidate(hash);
        }
    }
}

/// The listed states of some layout, and those to be listed.
struct AllListed;

impl Family for AllListed {
    type Of<L: Layout> = Listed<L>;
}

struct Listed<L> {
    registry: Registry<L>,
    /// States by the cost at which they were reached, perhaps once more at a higher cost.
    queue: BTreeMap<u64, Vec<StateId>>,
}

impl<L: Layout> Listed<L> {
    fn new(layout: L) -> Result<Self, Stop> {
        Ok(Self { registry: Registry::new(layout, false)?, queue: BTreeMap::new() })
    }

    /// Adds those successors of a state of this cost that may be on a plan below the bound. There
    /// is room for them.
    fn add<H: Heuristic + ?Sized>(
        &mut self,
        successors: &Successors,
        (packing, parent): (&Packing, &[u32]),
        cost: u64,
        costs: &[u32],
        heuristic: &mut H,
        bound: Option<u64>,
    ) {
        let mut is_entered = false;
        let words = successors.words.chunks_exact(packing.width());
        for ((&operator, &hash), words) in
            successors.operators.iter().zip(&successors.hashes).zip(words)
        {
            let reached = cost + u64::from(costs[operator.index()]);
            if bound.is_some_and(|bound| reached >= bound) {
                continue;
            }
            match self.registry.find(words, hash) {
                Ok(state) if self.registry.cost(state).0 <= reached => continue,
                Ok(_) => {}
                Err(_) => {
                    if !std::mem::replace(&mut is_entered, true) {
                        heuristic.enter(StateView::new(packing, parent));
                    }
                    let view = StateView::new(packing, words);
                    if !is_near(heuristic.estimate_successor(operator, view), reached, bound) {
                        continue;
                    }
                }
            }
            self.reach(words, hash, reached);
        }
    }

    /// Adds a state, or lowers its cost.
    fn reach(&mut self, words: &[u32], hash: u64, cost: u64) {
        let (state, _) = self.registry.insert(words, hash);
        self.registry.set_cost(state, cost, false);
        self.queue.entry(cost).or_default().push(state);
    }
}
