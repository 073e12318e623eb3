//! A first plan soon, and cheaper ones later.
//!
//! Two searches take turns until one has a plan: one follows relaxed plans (`greedy`), the other one
//! looks for what is new (`width`). They do well on different tasks. Then weighted A* searches with
//! falling weights look for cheaper plans (Richter & Westphal, JAIR 2010). Each plan is rid of useless
//! steps (`elimination`) before it counts. Nothing here proves that a plan is optimal: that is left to
//! [`AStar`](crate::AStar), for which the cost of a plan is an upper bound.
//!
//! Turns are measured in work and not in time, so that a run can be repeated.

use hipot_task::{Limits, Packing, Plan, Stop, Task};

use crate::elimination::without_useless_steps;
use crate::found::Found;
use crate::greedy::{Choice, Greedy};
use crate::relaxed::{Costs, RelaxedPlans};
use crate::rules::Rules;
use crate::width::WidthSearch;

/// The searches after the first plan, one after another.
const STAGES: [Choice; 5] = [
    Choice::Greedy,
    Choice::Weighted(5),
    Choice::Weighted(3),
    Choice::Weighted(2),
    Choice::Weighted(1),
];

/// The work of a turn.
const TURN: u64 = 1 << 22;

/// The turns of a search that does not look at costs: it may be lost where the first one was not.
const GREEDY_TURNS: u64 = 32;

/// A search for plans, each cheaper than the one before.
pub struct Anytime<'a> {
    task: &'a Task,
    rules: Rules,
    relaxed: RelaxedPlans,
    phase: Phase,
    best: Option<u64>,
}

enum Phase {
    /// There is no plan yet.
    First(First),
    /// The number of a stage, and its search if it has begun.
    Stage(usize, Option<Box<Greedy>>),
    /// There is no cheaper plan, or no plan at all.
    Done,
}

/// The two searches for the first plan; `None` for one that ran out of memory.
#[derive(Default)]
struct First {
    has_begun: bool,
    greedy: Option<Box<Greedy>>,
    width: Option<Box<WidthSearch>>,
}

impl<'a> Anytime<'a> {
    /// A search in `task`, whose states `packing` packs.
    pub fn new(task: &'a Task, packing: &Packing) -> Self {
        Self {
            task,
            rules: Rules::new(task, packing, None),
            relaxed: RelaxedPlans::new(task, Costs::Unit),
            phase: Phase::First(First::default()),
            best: None,
        }
    }

    /// The next plan, which is cheaper than all before; `None` if there is none. From time to time
    /// `tell` is called with the number of relaxed plans that were computed by now.
    pub fn next_plan(
        &mut self,
        limits: &Limits,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Option<Plan>, Stop> {
        limits.check()?;
        let mut plan = None;
        while plan.is_none() && !matches!(self.phase, Phase::Done) {
            plan = match &mut self.phase {
                Phase::First(first) => {
                    first.next_plan(self.task, &mut self.rules, &mut self.relaxed, limits, tell)?
                }
                _ => self.cheaper_plan(limits, tell)?,
            };
            plan =
                plan.map(|plan| without_useless_steps(&plan, self.task, &mut self.rules, limits));
            self.next_phase(plan.as_ref());
        }
        Ok(plan)
    }

    /// What the search of this stage finds.
    fn cheaper_plan(
        &mut self,
        limits: &Limits,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Option<Plan>, Stop> {
        let Phase::Stage(stage, search) = &mut self.phase else { return Ok(None) };
        let search = match search {
            Some(search) => search,
            none => none.insert(Box::new(Greedy::new(&self.rules, STAGES[*stage], limits)?)),
        };
        let turns = if STAGES[*stage].weighs_costs() { u64::MAX } else { GREEDY_TURNS };
        for _ in 0..turns {
            match search.advance(&mut self.rules, &mut self.relaxed, self.best, TURN, limits)? {
                Found::Plan(plan) => return Ok(Some(plan)),
                Found::Nothing => break,
                Found::NothingYet => tell(self.relaxed.computed()),
            }
        }
        Ok(None)
    }

    /// Goes on after a search has found a plan, or nothing.
    fn next_phase(&mut self, plan: Option<&Plan>) {
        self.best = plan.map(|plan| plan.cost).or(self.best);
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        let is_last = |stage| stage + 1 == STAGES.len();
        self.phase = match phase {
            // Nothing is cheaper than a plan that costs nothing.
            _ if self.best == Some(0) => Phase::Done,
            Phase::First(_) if plan.is_some() => {
                let computed = self.relaxed.computed();
                self.relaxed = RelaxedPlans::new(self.task, Costs::PlusOne).counted_from(computed);
                Phase::Stage(0, None)
            }
            // The last search goes on where it is.
            Phase::Stage(stage, search) if is_last(stage) && plan.is_some() => {
                Phase::Stage(stage, search)
            }
            // A search that keeps the first path to each state, or ends early, may miss cheaper plans.
            Phase::Stage(stage, _) if plan.is_some() || !STAGES[stage].weighs_costs() => {
                Phase::Stage(stage + 1, None)
            }
            _ => Phase::Done,
        };
    }
}

impl First {
    /// Both searches, in turns.
    fn next_plan(
        &mut self,
        task: &Task,
        rules: &mut Rules,
        relaxed: &mut RelaxedPlans,
        limits: &Limits,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Option<Plan>, Stop> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.greedy = Some(Box::new(Greedy::new(rules, Choice::Hurried, limits)?));
            self.width = WidthSearch::new(task, rules, limits)?.map(Box::new);
        }
        while self.greedy.is_some() || self.width.is_some() {
            let greedy =
                |search: &mut Box<Greedy>| search.advance(rules, relaxed, None, TURN, limits);
            let mut found = turn(&mut self.greedy, greedy)?;
            if let Found::NothingYet = found {
                let width =
                    |search: &mut Box<WidthSearch>| search.advance(rules, relaxed, TURN, limits);
                found = turn(&mut self.width, width)?;
            }
            match found {
                Found::Plan(plan) => return Ok(Some(plan)),
                Found::Nothing => return Ok(None),
                Found::NothingYet => tell(relaxed.computed()),
            }
        }
        Err(Stop::MemoryLimit)
    }
}

/// A turn of a search, which ends for good if there is no memory for it.
fn turn<S>(
    search: &mut Option<S>,
    advance: impl FnOnce(&mut S) -> Result<Found, Stop>,
) -> Result<Found, Stop> {
    match search.as_mut().map(advance) {
        Some(Err(Stop::MemoryLimit)) => *search = None,
        Some(found) => return found,
        None => {}
    }
    Ok(Found::NothingYet)
}

#[cfg(test)]
mod tests {
    use hipot_testing::{RandomTask, StateSpace};

    use super::*;
    use crate::word_tests::holds;

    /// Each of the two searches alone finds a plan, unless there is none.
    #[test]
    fn each_search_is_complete() {
        let shapes = [
            RandomTask { variables: 6, operators: 14, ..RandomTask::default() },
            RandomTask { percent_conditional: 50, ..RandomTask::default() },
            RandomTask { derived: 2, ..RandomTask::default() },
        ];
        let (mut solved, mut unsolvable) = (0, 0);
        for seed in 0..1500 {
            let task = shapes[seed as usize % shapes.len()].generate(seed);
            let has_plan = StateSpace::explore(&task, 20_000).unwrap().optimal_cost().is_some();
            let mut rules = Rules::new(&task, &Packing::new(&task), None);
            let mut relaxed = RelaxedPlans::new(&task, Costs::Unit);
            let limits = Limits::none();
            let mut greedy = Greedy::new(&rules, Choice::Hurried, &limits).unwrap();
            let mut width = WidthSearch::new(&task, &rules, &limits).unwrap().unwrap();
            let greedy = greedy.advance(&mut rules, &mut relaxed, None, u64::MAX, &limits);
            let width = width.advance(&mut rules, &mut relaxed, u64::MAX, &limits);
            for found in [greedy.unwrap(), width.unwrap()] {
                match found {
                    Found::Plan(plan) => {
                        assert!(leads_to_the_goal(&plan, &mut rules), "seed {seed}");
                        solved += 1;
                    }
                    Found::Nothing => {
                        assert!(!has_plan, "seed {seed}");
                        unsolvable += 1;
                    }
                    Found::NothingYet => panic!("seed {seed}: there is no limit"),
                }
            }
        }
        assert!(solved > 200 && unsolvable > 200, "{solved} {unsolvable}");
    }

    /// What is left of a plan is a plan, and each further step is needed.
    #[test]
    fn useless_steps_are_left_out() {
        let shape = RandomTask { variables: 9, operators: 30, ..RandomTask::default() };
        let mut shorter = 0;
        for seed in 0..600 {
            let task = shape.generate(seed);
            let mut rules = Rules::new(&task, &Packing::new(&task), None);
            let mut relaxed = RelaxedPlans::new(&task, Costs::Unit);
            let limits = Limits::none();
            let mut search = Greedy::new(&rules, Choice::Hurried, &limits).unwrap();
            let found = search.advance(&mut rules, &mut relaxed, None, u64::MAX, &limits);
            let Found::Plan(plan) = found.unwrap() else { continue };
            let less = without_useless_steps(&plan, &task, &mut rules, &limits);
            assert!(leads_to_the_goal(&less, &mut rules) && less.cost <= plan.cost, "seed {seed}");
            assert_eq!(without_useless_steps(&less, &task, &mut rules, &limits), less);
            shorter += usize::from(less.operators.len() < plan.operators.len());
        }
        assert!(shorter > 5, "{shorter}");
    }

    fn leads_to_the_goal(plan: &Plan, rules: &mut Rules) -> bool {
        let mut state = rules.initial.clone();
        for operator in &plan.operators {
            let mut applicable = Vec::new();
            rules.generator.collect(&state, &mut applicable);
            if !applicable.contains(operator) {
                return false;
            }
            let before = state.clone();
            rules.transitions.apply(*operator, &before, &mut state);
        }
        holds(&rules.goal, &state)
    }
}
