//! A search that follows relaxed plans, greedily or with an eye to costs.
//!
//! States are evaluated when they are expanded, not when they are generated, because a relaxed plan
//! takes long. So an entry of an open list is an operator in a state that was expanded, with the
//! estimate of that state. One open list has all operators, a second one the preferred ones. They
//! take turns, and the second has more of them whenever the search makes progress. A step is left
//! out if the path costs as much as the best known plan.
//!
//! In a hurry, the search follows the whole relaxed plan of a state as far as it goes, which leads to
//! a plan at once where steps hardly disturb each other; and every fourth step is any step, at random.

use std::collections::{BTreeMap, VecDeque};

use hipot_task::{Growth, Limits, OperatorId, StateView, Stop};

use crate::found::{Found, extract_plan, registry_of};
use crate::registry::{AnyWidth, Registry, StateId};
use crate::relaxed::RelaxedPlans;
use crate::rules::Rules;
use crate::word_tests::holds;

/// How many steps the preferred operators have ahead after progress.
const AHEAD: i64 = 1000;

/// How a search chooses its next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// By estimates, and some of them at random. Relaxed plans are followed to their end.
    Hurried,
    /// By estimates.
    Greedy,
    /// By the cost so far, and the estimate with this weight.
    Weighted(u64),
}

impl Choice {
    /// Whether a cheaper path to a known state is followed.
    pub(crate) fn weighs_costs(self) -> bool {
        matches!(self, Self::Weighted(_))
    }
}

/// Every so many expansions, one of any state follows: it gets away from a plateau.
const ANY_STEP: u64 = 4;

/// A factor of a linear congruential generator modulo 2⁶⁴.
const FACTOR: u64 = 6_364_136_223_846_793_005;

/// The number of expansions between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1 << 4;

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

    /// Any step: first any key, then any step with it (Xie, Müller, Holte & Imai, AAAI 2014).
    fn pop_any(&mut self, random: u64) -> Option<Step> {
        let at = random as usize % self.by_key.len().max(1);
        let key = *self.by_key.keys().nth(at)?;
        let steps = self.by_key.get_mut(&key)?;
        let step = steps.swap_remove_front((random >> 32) as usize % steps.len());
        if steps.is_empty() {
            self.by_key.remove(&key);
        }
        step
    }
}

/// A search, which can be interrupted and goes on where it was.
pub(crate) struct Greedy {
    choice: Choice,
    registry: Registry<AnyWidth<2>>,
    /// The state to expand before any step is taken.
    next: Option<StateId>,
    all: Steps,
    preferred: Steps,
    /// The lowest estimate so far.
    lowest: Option<u64>,
    expanded: u64,
    successor: Vec<u32>,
    applicable: Vec<OperatorId>,
    helpful: Vec<OperatorId>,
    growth: Growth,
    work: u64,
    /// The state of a generator of random numbers.
    random: u64,
}

impl Greedy {
    /// A search from the initial state.
    pub(crate) fn new(rules: &Rules, choice: Choice, limits: &Limits) -> Result<Self, Stop> {
        let registry = registry_of(rules, limits)?;
        Ok(Self {
            choice,
            registry,
            next: Some(StateId::FIRST),
            all: Steps::default(),
            preferred: Steps::default(),
            lowest: None,
            expanded: 0,
            successor: vec![0; rules.packing.width()],
            applicable: Vec::new(),
            helpful: Vec::new(),
            growth: Growth::default(),
            work: 0,
            random: 0,
        })
    }

    /// Searches on for so much `work`, or until there is a plan that costs less than `best`, or no
    /// step is left.
    pub(crate) fn advance(
        &mut self,
        rules: &mut Rules,
        relaxed: &mut RelaxedPlans,
        best: Option<u64>,
        work: u64,
        limits: &Limits,
    ) -> Result<Found, Stop> {
        let end = self.work.saturating_add(work);
        let is_cheaper = |cost: u64| best.is_none_or(|best| cost < best);
        loop {
            while let Some(reached) = self.next.take() {
                if holds(&rules.goal, self.registry.words(reached)) {
                    return Ok(Found::Plan(extract_plan(&self.registry, reached, rules)));
                }
                let is_alive = self.expand(reached, rules, relaxed, limits)?;
                if is_alive && self.choice == Choice::Hurried {
                    self.next = self.look_ahead(reached, rules, relaxed, &is_cheaper, limits)?;
                }
                if self.work >= end {
                    return Ok(Found::NothingYet);
                }
            }
            let Some(step) = self.next_step() else { return Ok(Found::Nothing) };
            self.next = self.take(step, rules, &is_cheaper, limits)?;
        }
    }

    fn next_step(&mut self) -> Option<Step> {
        if self.choice == Choice::Hurried && self.expanded.is_multiple_of(ANY_STEP) {
            self.random = self.random.wrapping_mul(FACTOR).wrapping_add(1);
            if let Some(step) = self.all.pop_any(self.random >> 1) {
                return Some(step);
            }
        }
        let prefers = self.preferred.turns <= self.all.turns;
        let (first, second) = if prefers {
            (&mut self.preferred, &mut self.all)
        } else {
            (&mut self.all, &mut self.preferred)
        };
        first.pop().or_else(|| second.pop())
    }

    /// The state that a step leads to, if it is to be expanded.
    fn take(
        &mut self,
        step: Step,
        rules: &mut Rules,
        is_cheaper: &dyn Fn(u64) -> bool,
        limits: &Limits,
    ) -> Result<Option<StateId>, Stop> {
        let reached = self.reach(step, rules, is_cheaper, limits)?;
        Ok(reached.filter(|(_, is_open)| *is_open).map(|(state, _)| state))
    }

    /// The state that a step leads to, and whether it is to be expanded, for the first time or because
    /// the path is cheaper; `None` if the path costs too much.
    fn reach(
        &mut self,
        Step { parent, operator }: Step,
        rules: &mut Rules,
        is_cheaper: &dyn Fn(u64) -> bool,
        limits: &Limits,
    ) -> Result<Option<(StateId, bool)>, Stop> {
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
        let (old_cost, is_expanded) = self.registry.cost(state);
        // Where costs do not count, all paths are good.
        if is_new || self.choice.weighs_costs() && cost < old_cost {
            self.registry.set_parent(state, parent);
            self.registry.set_cost(state, cost, false);
            return Ok(Some((state, true)));
        }
        Ok(Some((state, !is_expanded)))
    }

    /// Follows the relaxed plan of the state that was just expanded, as far as its steps are
    /// applicable (Vidal, ICAPS 2004); the last state on that way, if it is to be expanded. The
    /// states before it stay for later.
    fn look_ahead(
        &mut self,
        state: StateId,
        rules: &mut Rules,
        relaxed: &RelaxedPlans,
        is_cheaper: &dyn Fn(u64) -> bool,
        limits: &Limits,
    ) -> Result<Option<StateId>, Stop> {
        let (mut last, mut is_open) = (state, false);
        let mut steps = relaxed.steps().to_vec();
        let mut count = usize::MAX;
        while steps.len() < count {
            count = steps.len();
            let mut left = Vec::new();
            for step in steps {
                let view = StateView::new(&rules.packing, self.registry.words(last));
                if !relaxed.is_applicable(step, view) {
                    left.push(step);
                    continue;
                }
                let step = Step { parent: last, operator: step.operator };
                let Some(reached) = self.reach(step, rules, is_cheaper, limits)? else {
                    return Ok(None);
                };
                (last, is_open) = reached;
            }
            steps = left;
        }
        Ok(is_open.then_some(last))
    }

    /// Evaluates a state and lists the steps from it; whether there may be a plan from there.
    fn expand(
        &mut self,
        state: StateId,
        rules: &mut Rules,
        relaxed: &mut RelaxedPlans,
        limits: &Limits,
    ) -> Result<bool, Stop> {
        if self.expanded.is_multiple_of(CLOCK_INTERVAL) {
            limits.check()?;
        }
        self.expanded += 1;
        self.work += relaxed.work();
        let (cost, _) = self.registry.cost(state);
        self.registry.set_cost(state, cost, true);
        let words = self.registry.words(state);
        let view = StateView::new(&rules.packing, words);
        let Some(estimate) = relaxed.plan(view, &mut self.helpful) else { return Ok(false) };
        if self.lowest.is_none_or(|lowest| estimate < lowest) {
            self.lowest = Some(estimate);
            self.preferred.turns -= AHEAD;
        }
        let key = match self.choice {
            Choice::Hurried | Choice::Greedy => estimate,
            Choice::Weighted(weight) => {
                self.registry.cost(state).0.saturating_add(weight.saturating_mul(estimate))
            }
        };
        self.applicable.clear();
        rules.generator.collect(words, &mut self.applicable);
        // A step may be in both lists.
        self.growth.add((2 * self.applicable.len() * size_of::<Step>()) as u64, limits)?;
        for &operator in &self.applicable {
            let step = Step { parent: state, operator };
            self.all.push(key, step);
            if self.helpful.binary_search(&operator).is_ok() {
                self.preferred.push(key, step);
            }
        }
        Ok(true)
    }
}
