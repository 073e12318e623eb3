//! Relaxed plans: what a plan might look like if nothing ever became false.
//!
//! The heuristic h^FF (Hoffmann & Nebel, JAIR 2001), with the choice of achievers by h^add as in
//! Keyder & Geffner (ECAI 2008). It overestimates, so it cannot prove anything about costs; but it
//! leads a greedy search to *some* plan of tasks whose optimal plans are out of reach, and it names
//! the *preferred* operators, those that the relaxed plan begins with.
//!
//! The effects of an operator that have the same conditions are a rule: their facts follow from the
//! operator's precondition and these conditions. Axioms are rules that cost nothing. Derived variables may have their default
//! at any time, which is a relaxation, too; so a state without a relaxed plan has no plan at all.
//!
//! Most rules of the largest tasks have one condition (a satellite turns from here to there). They
//! stand with their heads in the list of that condition, which is read from front to back. Only
//! rules with more conditions have a [`Counter`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hipot_task::{Effect, Fact, FactId, Facts, OperatorId, StateView, Task, VariableId};

/// How the costs of operators count in relaxed plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Costs {
    /// Each operator counts as one: the plan should be short.
    Unit,
    /// Costs as they are, and one more, because even free steps have to be found.
    PlusOne,
}

/// Facts that follow from facts.
#[derive(Clone, Copy)]
struct Rule {
    /// `None`: an axiom.
    operator: Option<OperatorId>,
    cost: u32,
}

/// What the cost of a fact leads to.
#[derive(Clone, Copy)]
enum Use {
    /// A fact that follows from it alone.
    Head { head: FactId, cost: u32, rule: u32 },
    /// The counter of a rule that has it as one of several conditions.
    Counter(u32),
}

/// What an exploration knows of a rule with several conditions.
#[derive(Clone, Copy)]
struct Counter {
    /// The number of conditions that do not hold yet.
    missing: u32,
    /// Its own cost, and that of the conditions that hold so far.
    cost: u32,
}

/// A step of a relaxed plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RelaxedStep {
    /// Its cost, with all that comes before it.
    cost: u32,
    pub(crate) operator: OperatorId,
    rule: u32,
}

/// Lists of facts or rules, stored as one.
struct Lists<T> {
    begins: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    const EMPTY: Self = Self { begins: Vec::new(), items: Vec::new() };

    fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.begins.push(self.items.len() as u32);
        self.items.extend(list);
    }

    #[inline]
    fn get(&self, index: usize) -> &[T] {
        let end = self.begins.get(index + 1).map_or(self.items.len(), |&end| end as usize);
        &self.items[self.begins[index] as usize..end]
    }
}

/// A relaxed plan for one state after another.
pub(crate) struct RelaxedPlans {
    facts: Facts,
    rules: Vec<Rule>,
    /// What follows by each rule, and from what.
    heads: Lists<FactId>,
    conditions: Lists<FactId>,
    /// The uses of each fact, in the order of the rules.
    uses: Lists<Use>,
    /// The counters as an exploration begins with them, and their rules.
    counters: Vec<Counter>,
    counted: Vec<u32>,
    /// The cost of each operator.
    costs: Vec<u64>,
    /// Rules without conditions, and defaults of derived variables.
    always: Vec<u32>,
    defaults: Vec<FactId>,
    goal: Vec<FactId>,
    is_goal: Vec<bool>,
    exploration: Exploration,
    /// The number of states whose relaxed plan was computed.
    computed: u64,
    /// The steps of the last relaxed plan, in an order in which they may be applicable.
    steps: Vec<RelaxedStep>,
}

/// The values of h^add in one state.
#[derive(Default)]
struct Exploration {
    cost: Vec<u32>,
    /// The rule that gives each fact its cost.
    achiever: Vec<u32>,
    counters: Vec<Counter>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    is_marked: Vec<bool>,
    /// Marked facts whose achievers are still to be looked at.
    marked: Vec<FactId>,
}

const UNREACHED: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

/// The cost of facts that cost this much or more.
const HIGHEST: u32 = UNREACHED - 1;

fn sum(one: u32, other: u32) -> u32 {
    one.saturating_add(other).min(HIGHEST)
}

impl RelaxedPlans {
    pub(crate) fn new(task: &Task, costs: Costs) -> Self {
        let facts = Facts::new(task);
        let goal: Vec<FactId> = task.goal().iter().map(|&fact| facts.id(fact)).collect();
        let mut is_goal = vec![false; facts.len()];
        for fact in &goal {
            is_goal[fact.index()] = true;
        }
        let mut plans = Self {
            rules: Vec::new(),
            heads: Lists::EMPTY,
            conditions: Lists::EMPTY,
            uses: Lists::EMPTY,
            counters: Vec::new(),
            counted: Vec::new(),
            costs: Vec::new(),
            always: Vec::new(),
            defaults: defaults(task).map(|fact| facts.id(fact)).collect(),
            goal,
            is_goal,
            exploration: Exploration::default(),
            computed: 0,
            steps: Vec::new(),
            facts,
        };
        let counts_as_one = costs == Costs::Unit || task.is_unit_cost();
        for (index, operator) in task.operators().iter().enumerate() {
            let cost = if counts_as_one { 1 } else { sum(operator.cost, 1) };
            plans.costs.push(cost.into());
            let mut effects: Vec<&Effect> = operator.effects.iter().collect();
            effects.sort_by(|one, other| one.conditions.cmp(&other.conditions));
            for effects in effects.chunk_by(|one, other| one.conditions == other.conditions) {
                let conditions = operator.preconditions.iter().chain(&effects[0].conditions);
                let heads = effects.iter().map(|effect| effect.fact);
                plans.add(heads, conditions, Rule { operator: Some(OperatorId::new(index)), cost });
            }
        }
        for axiom in task.axioms() {
            plans.add([axiom.head], axiom.body.iter(), Rule { operator: None, cost: 0 });
        }
        plans.index();
        plans
    }

    fn add<'a>(
        &mut self,
        heads: impl IntoIterator<Item = Fact>,
        conditions: impl Iterator<Item = &'a Fact>,
        rule: Rule,
    ) {
        let mut conditions: Vec<FactId> = conditions.map(|&fact| self.facts.id(fact)).collect();
        conditions.sort_unstable();
        conditions.dedup();
        if conditions.is_empty() {
            self.always.push(self.rules.len() as u32);
        }
        self.rules.push(rule);
        self.conditions.push(conditions);
        self.heads.push(heads.into_iter().map(|fact| self.facts.id(fact)));
    }

    /// Lists the uses of each fact.
    fn index(&mut self) {
        let mut uses = vec![Vec::new(); self.facts.len()];
        for (index, &Rule { cost, .. }) in self.rules.iter().enumerate() {
            let (conditions, rule) = (self.conditions.get(index), index as u32);
            if let [condition] = conditions {
                let heads = self.heads.get(index).iter();
                uses[condition.index()].extend(heads.map(|&head| Use::Head { head, cost, rule }));
            } else if !conditions.is_empty() {
                for condition in conditions {
                    uses[condition.index()].push(Use::Counter(self.counters.len() as u32));
                }
                self.counters.push(Counter { missing: conditions.len() as u32, cost });
                self.counted.push(rule);
            }
        }
        for uses in uses {
            self.uses.push(uses);
        }
    }

    /// A measure of the work for one state.
    pub(crate) fn work(&self) -> u64 {
        (self.rules.len() + self.conditions.items.len() + self.heads.items.len()) as u64
    }

    /// These relaxed plans, as if so many were computed already.
    #[must_use]
    pub(crate) fn counted_from(self, computed: u64) -> Self {
        Self { computed, ..self }
    }

    /// The number of states whose relaxed plan was computed, or found not to exist.
    pub(crate) fn computed(&self) -> u64 {
        self.computed
    }

    /// The steps of the last relaxed plan.
    pub(crate) fn steps(&self) -> &[RelaxedStep] {
        &self.steps
    }

    /// Whether a step does in `state` what the relaxed plan has it for.
    pub(crate) fn is_applicable(&self, step: RelaxedStep, state: StateView<'_>) -> bool {
        let mut facts = self.conditions.get(step.rule as usize).iter();
        facts.all(|&fact| {
            let fact = self.facts.fact(fact);
            state.value(fact.variable) == fact.value
        })
    }

    /// The facts that the last relaxed plan makes true, goals among them.
    pub(crate) fn facts_made_true(&self) -> impl Iterator<Item = FactId> + '_ {
        self.exploration.made_true()
    }

    /// The cost of a relaxed plan for `state`, whose operators that are applicable in it are put
    /// into `preferred`; `None` if there is no relaxed plan, and hence no plan.
    pub(crate) fn plan(
        &mut self,
        state: StateView<'_>,
        preferred: &mut Vec<OperatorId>,
    ) -> Option<u64> {
        preferred.clear();
        self.computed += 1;
        self.explore(state)?;
        Some(self.extract(preferred))
    }

    /// Computes h^add until all goals have their values.
    fn explore(&mut self, state: StateView<'_>) -> Option<()> {
        let mut exploration = std::mem::take(&mut self.exploration);
        exploration.begin(self.facts.len(), &self.counters);
        for variable in self.facts.variable_ids() {
            let fact = self.facts.id(Fact::new(variable, state.value(variable)));
            exploration.reach(fact, 0, NONE);
        }
        for &fact in &self.defaults {
            exploration.reach(fact, 0, NONE);
        }
        for &rule in &self.always {
            for &head in self.heads.get(rule as usize) {
                exploration.reach(head, self.rules[rule as usize].cost, rule);
            }
        }
        let mut open_goals = self.goal.len();
        while open_goals > 0 {
            let Some(Reverse((cost, number))) = exploration.queue.pop() else { break };
            if cost > exploration.cost[number as usize] {
                continue;
            }
            open_goals -= usize::from(self.is_goal[number as usize]);
            for &it in self.uses.get(number as usize) {
                match it {
                    Use::Head { head, cost: own, rule } => {
                        exploration.reach(head, sum(cost, own), rule);
                    }
                    Use::Counter(index) => {
                        let counter = &mut exploration.counters[index as usize];
                        counter.missing -= 1;
                        counter.cost = sum(counter.cost, cost);
                        if counter.missing == 0 {
                            let (cost, rule) = (counter.cost, self.counted[index as usize]);
                            for &head in self.heads.get(rule as usize) {
                                exploration.reach(head, cost, rule);
                            }
                        }
                    }
                }
            }
        }
        self.exploration = exploration;
        (open_goals == 0).then_some(())
    }

    /// Follows the achievers back from the goal. Each operator counts once.
    fn extract(&mut self, preferred: &mut Vec<OperatorId>) -> u64 {
        let Self { rules, conditions, goal, exploration, steps, .. } = self;
        steps.clear();
        for &fact in goal.iter() {
            exploration.mark(fact);
        }
        while let Some(fact) = exploration.marked.pop() {
            let achiever = exploration.achiever[fact.index()];
            if achiever == NONE {
                continue;
            }
            let rule = &rules[achiever as usize];
            let cost = exploration.cost[fact.index()];
            if let Some(operator) = rule.operator {
                steps.push(RelaxedStep { cost, operator, rule: achiever });
                if cost == rule.cost {
                    preferred.push(operator);
                }
            }
            for &condition in conditions.get(achiever as usize) {
                exploration.mark(condition);
            }
        }
        steps.sort_unstable_by_key(|step| (step.operator, step.cost, step.rule));
        steps.dedup_by_key(|step| step.operator);
        steps.sort_unstable();
        preferred.sort_unstable();
        preferred.dedup();
        steps.iter().map(|step| self.costs[step.operator.index()]).sum()
    }
}

impl Exploration {
    fn begin(&mut self, facts: usize, counters: &[Counter]) {
        self.cost.clear();
        self.cost.resize(facts, UNREACHED);
        self.achiever.clear();
        self.achiever.resize(facts, NONE);
        self.is_marked.clear();
        self.is_marked.resize(facts, false);
        self.counters.clear();
        self.counters.extend_from_slice(counters);
        self.queue.clear();
    }

    #[inline]
    fn reach(&mut self, fact: FactId, cost: u32, achiever: u32) {
        if cost < self.cost[fact.index()] {
            self.cost[fact.index()] = cost;
            self.achiever[fact.index()] = achiever;
            self.queue.push(Reverse((cost, fact.number())));
        }
    }

    /// The facts that are marked and did not hold in the state.
    fn made_true(&self) -> impl Iterator<Item = FactId> + '_ {
        let facts = (0..self.is_marked.len()).filter(|&fact| self.is_marked[fact]);
        facts.filter(|&fact| self.achiever[fact] != NONE).map(|fact| FactId::new(fact as u32))
    }

    fn mark(&mut self, fact: FactId) {
        if !std::mem::replace(&mut self.is_marked[fact.index()], true) {
            self.marked.push(fact);
        }
    }
}

/// The facts that hold if nothing is derived.
fn defaults(task: &Task) -> impl Iterator<Item = Fact> + '_ {
    let is_derived = |id: &VariableId| task.variable(*id).is_derived();
    task.variable_ids().filter(is_derived).map(|id| Fact::new(id, task.initial()[id.index()]))
}
