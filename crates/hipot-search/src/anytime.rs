//! A first plan soon, and cheaper ones later.
//!
//! A greedy best-first search follows relaxed plans (`relaxed`) to a first plan; then weighted A*
//! searches with falling weights look for cheaper ones (Richter & Westphal, JAIR 2010). Nothing here
//! proves that a plan is optimal: that is left to [`AStar`](crate::AStar), for which the cost of a
//! plan is an upper bound.
//!
//! States are evaluated when they are expanded, not when they are generated, because a relaxed plan
//! takes long. So an entry of an open list is an operator in a state that was expanded, with the
//! estimate of that state. One open list has all operators, a second one the preferred ones. They
//! take turns, and the second has more of them whenever the search makes progress. A step is left
//! out if the path costs as much as the best known plan.

use std::collections::{BTreeMap, VecDeque};

use hipot_task::{Limits, OperatorId, Packing, Plan, StateView, Stop, Task};

use crate::registry::{AnyWidth, Registry, StateId};
use crate::relaxed::{Costs, RelaxedPlans};
use crate::rules::Rules;
use crate::word_tests::holds;

/// How many steps the preferred operators have ahead after progress.
const AHEAD: i64 = 1000;

/// The searches, one after another: how costs count, and the weight of the estimate (`None`: only
/// the estimate counts).
const STAGES: [(Costs, Option<u64>); 6] = [
    (Costs::Unit, None),
    (Costs::PlusOne, None),
    (Costs::PlusOne, Some(5)),
    (Costs::PlusOne, Some(3)),
    (Costs::PlusOne, Some(2)),
    (Costs::PlusOne, Some(1)),
];

/// The number of expansions between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1 << 4;

/// A search for plans, each cheaper than the one before.
pub struct Anytime<'a> {
    task: &'a Task,
    rules: Rules,
    relaxed: RelaxedPlans,
    stage: usize,
    search: Option<Greedy>,
    best: Option<u64>,
}

impl<'a> Anytime<'a> {
    /// A search in `task`, whose states `packing` packs.
    pub fn new(task: &'a Task, packing: &Packing) -> Self {
        Self {
            task,
            rules: Rules::new(task, packing, None),
            relaxed: RelaxedPlans::new(task, STAGES[0].0),
            stage: 0,
            search: None,
            best: None,
        }
    }

    /// The next plan, which is cheaper than all before; `None` if there is none.
    pub fn next_plan(&mut self, limits: &Limits) -> Result<Option<Plan>, Stop> {
        limits.check()?;
        // Nothing is cheaper than a plan that costs nothing.
        while self.best != Some(0) {
            let weight = STAGES[self.stage].1;
            let search = match &mut self.search {
                Some(search) => search,
                none => none.insert(Greedy::new(&self.rules, weight, limits)?),
            };
            let plan = search.advance(&mut self.rules, &mut self.relaxed, self.best, limits)?;
            // A search that keeps the first path to each state may miss cheaper plans.
            let is_last_word = weight.is_some() || self.best.is_none();
            if let Some(plan) = &plan {
                self.best = Some(plan.cost);
            } else if is_last_word {
                return Ok(None);
            }
            self.next_stage();
            if plan.is_some() {
                return Ok(plan);
            }
        }
        Ok(None)
    }

    /// The last stage goes on where it is; the others end with a plan.
    fn next_stage(&mut self) {
        if self.stage + 1 < STAGES.len() {
            let costs = STAGES[self.stage].0;
            self.stage += 1;
            self.search = None;
            if STAGES[self.stage].0 != costs {
                self.relaxed = RelaxedPlans::new(self.task, STAGES[self.stage].0);
            }
        }
    }
}

/// A step from a state: not looked at yet.
#[derive(Clone, Copy)]
struct Step {
    parent: StateId,
    operator: OperatorId,
}

/// Steps by their keys, oldest first among equals.
#[derive(Default)]
struct Steps {
    by_key: BTreeMap<u64, VecDeque<Step>>,
    /// How many steps were taken, less those that the list had ahead.
    turns: i64,
}

impl Steps {
    fn push(&mut self, key: u64, step: Step) {
        self.by_key.entry(key).or_default().push_back(step);
    }

    fn pop(&mut self) -> Option<Step> {
        let mut first = self.by_key.first_entry()?;
        let step = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        self.turns += 1;
        step
    }
}

/// One of the searches.
struct Greedy {
    weight: Option<u64>,
    registry: Registry<AnyWidth<2>>,
    all: Steps,
    preferred: Steps,
    /// The lowest estimate so far.
    lowest: Option<u64>,
    expanded: u64,
    successor: Vec<u32>,
    applicable: Vec<OperatorId>,
    helpful: Vec<OperatorId>,
    /// The bytes of steps that memory was asked for.
    reserved: u64,
}

impl Greedy {
    fn new(rules: &Rules, weight: Option<u64>, limits: &Limits) -> Result<Self, Stop> {
        let width = rules.packing.width();
        let mut registry = Registry::new(AnyWidth(width), false)?;
        registry.make_room(1, limits)?;
        let (state, _) = registry.insert(&rules.initial, registry.hash(&rules.initial));
        registry.set_parent(state, state);
        registry.set_cost(state, 0, false);
        Ok(Self {
            weight,
            registry,
            all: Steps::default(),
            preferred: Steps::default(),
            lowest: None,
            expanded: 0,
            successor: vec![0; width],
            applicable: Vec::new(),
            helpful: Vec::new(),
            reserved: 0,
        })
    }

    /// Searches on until there is a plan that costs less than `best`, or no step is left.
    fn advance(
        &mut self,
        rules: &mut Rules,
        relaxed: &mut RelaxedPlans,
        best: Option<u64>,
        limits: &Limits,
    ) -> Result<Option<Plan>, Stop> {
        let is_cheaper = |cost: u64| best.is_none_or(|best| cost < best);
        let mut state = (self.expanded == 0).then_some(StateId::FIRST);
        loop {
            if let Some(reached) = state {
                if holds(&rules.goal, self.registry.words(reached)) {
                    return Ok(Some(self.extract_plan(reached, rules)));
                }
                self.expand(reached, rules, relaxed, limits)?;
            }
            let Some(step) = self.next_step() else { return Ok(None) };
            state = self.take(step, rules, &is_cheaper, limits)?;
        }
    }

    fn next_step(&mut self) -> Option<Step> {
        let prefers = self.preferred.turns <= self.all.turns;
        let (first, second) = if prefers {
            (&mut self.preferred, &mut self.all)
        } else {
            (&mut self.all, &mut self.preferred)
        };
        first.pop().or_else(|| second.pop())
    }

    /// The state that a step leads to, if it is new or reached by a cheaper path.
    fn take(
        &mut self,
        Step { parent, operator }: Step,
        rules: &mut Rules,
        is_cheaper: &dyn Fn(u64) -> bool,
        limits: &Limits,
    ) -> Result<Option<StateId>, Stop> {
        let cost = self.registry.cost(parent).0 + u64::from(rules.costs[operator.index()]);
        if !is_cheaper(cost) {
            return Ok(None);
        }
        self.registry.make_room(1, limits)?;
        let words = self.registry.words(parent);
        self.successor.copy_from_slice(words);
        rules.transitions.apply(operator, words, &mut self.successor);
        let hash = self.registry.hash(&self.successor);
        let (state, is_new) = self.registry.insert(&self.successor, hash);
        // With the first plan, only new states matter.
        let is_reached = is_new || self.weight.is_some() && cost < self.registry.cost(state).0;
        if is_reached {
            self.registry.set_parent(state, parent);
            self.registry.set_cost(state, cost, false);
        }
        Ok(is_reached.then_some(state))
    }

    /// Evaluates a state and lists the steps from it.
    fn expand(
        &mut self,
        state: StateId,
        rules: &mut Rules,
        relaxed: &mut RelaxedPlans,
        limits: &Limits,
    ) -> Result<(), Stop> {
        if self.expanded.is_multiple_of(CLOCK_INTERVAL) {
            limits.check()?;
        }
        self.expanded += 1;
        let words = self.registry.words(state);
        let view = StateView::new(&rules.packing, words);
        let Some(estimate) = relaxed.plan(view, &mut self.helpful) else { return Ok(()) };
        if self.lowest.is_none_or(|lowest| estimate < lowest) {
            self.lowest = Some(estimate);
            self.preferred.turns -= AHEAD;
        }
        let key = match self.weight {
            None => estimate,
            Some(weight) => {
                self.registry.cost(state).0.saturating_add(weight.saturating_mul(estimate))
            }
        };
        self.applicable.clear();
        rules.generator.collect(words, &mut self.applicable);
        self.reserve(limits)?;
        for &operator in &self.applicable {
            let step = Step { parent: state, operator };
            self.all.push(key, step);
            if self.helpful.binary_search(&operator).is_ok() {
                self.preferred.push(key, step);
            }
        }
        Ok(())
    }

    /// Asks for memory from time to time.
    fn reserve(&mut self, limits: &Limits) -> Result<(), Stop> {
        const PIECE: u64 = 1 << 22;
        self.reserved += (self.applicable.len() * size_of::<Step>()) as u64;
        if self.reserved >= PIECE {
            self.reserved = 0;
            limits.reserve(2 * PIECE)?;
        }
        Ok(())
    }

    fn extract_plan(&self, goal: StateId, rules: &mut Rules) -> Plan {
        let mut operators = Vec::new();
        let mut child = goal;
        while child != StateId::FIRST {
            let parent = self.registry.parent(child);
            let (from, to) = (self.registry.words(parent), self.registry.words(child));
            operators.push(rules.cheapest_operator(from, to));
            child = parent;
        }
        operators.reverse();
        let cost = operators.iter().map(|id| u64::from(rules.costs[id.index()])).sum();
        Plan { operators, cost }
    }
}
