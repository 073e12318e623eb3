//! Relaxed plans: what a plan might look like if nothing ever became false.
//!
//! The heuristic h^FF (Hoffmann & Nebel, JAIR 2001), with the choice of achievers by h^add as in
//! Keyder & Geffner (ECAI 2008). It overestimates, so it cannot prove anything about costs; but it
//! leads a greedy search to *some* plan of tasks whose optimal plans are out of reach, and it names
//! the *preferred* operators, those that the relaxed plan begins with.
//!
//! Each effect of an operator is a rule: its fact follows from the operator's precondition and the
//! effect's conditions. Axioms are rules that cost nothing. Derived variables may have their default
//! at any time, which is a relaxation, too; so a state without a relaxed plan has no plan at all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hipot_task::{Fact, FactId, Facts, OperatorId, StateView, Task, VariableId};

/// How the costs of operators count in relaxed plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Costs {
    /// Each operator counts as one: the plan should be short.
    Unit,
    /// Costs as they are, and one more, because even free steps have to be found.
    PlusOne,
}

/// What follows from facts.
struct Rule {
    head: FactId,
    /// `None`: an axiom.
    operator: Option<OperatorId>,
    cost: u64,
    conditions: u32,
}

/// A relaxed plan for one state after another.
pub(crate) struct RelaxedPlans {
    facts: Facts,
    rules: Vec<Rule>,
    /// For each fact, where its rules begin in `rules_of`: those that have it as a condition.
    begins: Vec<u32>,
    rules_of: Vec<u32>,
    /// The conditions of each rule, one after another.
    condition_begins: Vec<u32>,
    conditions: Vec<FactId>,
    /// Rules without conditions, and defaults of derived variables.
    always: Vec<u32>,
    defaults: Vec<FactId>,
    goal: Vec<FactId>,
    exploration: Exploration,
}

/// The values of h^add in one state.
#[derive(Default)]
struct Exploration {
    cost: Vec<u64>,
    /// The rule that gives each fact its cost.
    achiever: Vec<u32>,
    missing: Vec<u32>,
    /// The cost of each rule: its own, and that of the conditions that hold so far.
    rule_cost: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    is_marked: Vec<bool>,
    marked: Vec<FactId>,
}

const UNREACHED: u64 = u64::MAX;
const NONE: u32 = u32::MAX;

impl RelaxedPlans {
    pub(crate) fn new(task: &Task, costs: Costs) -> Self {
        let facts = Facts::new(task);
        let mut plans = Self {
            rules: Vec::new(),
            begins: Vec::new(),
            rules_of: Vec::new(),
            condition_begins: vec![0],
            conditions: Vec::new(),
            always: Vec::new(),
            defaults: defaults(task).map(|fact| facts.id(fact)).collect(),
            goal: task.goal().iter().map(|&fact| facts.id(fact)).collect(),
            exploration: Exploration::default(),
            facts,
        };
        for (index, operator) in task.operators().iter().enumerate() {
            let cost = match costs {
                Costs::Unit => 1,
                Costs::PlusOne if task.is_unit_cost() => 1,
                Costs::PlusOne => u64::from(operator.cost) + 1,
            };
            for effect in &operator.effects {
                let conditions = operator.preconditions.iter().chain(&effect.conditions);
                plans.add(effect.fact, conditions, Some(OperatorId::new(index)), cost);
            }
        }
        for axiom in task.axioms() {
            plans.add(axiom.head, axiom.body.iter(), None, 0);
        }
        plans.index();
        plans
    }

    fn add<'a>(
        &mut self,
        head: Fact,
        conditions: impl Iterator<Item = &'a Fact>,
        operator: Option<OperatorId>,
        cost: u64,
    ) {
        let mut conditions: Vec<FactId> = conditions.map(|&fact| self.facts.id(fact)).collect();
        conditions.sort_unstable();
        conditions.dedup();
        let head = self.facts.id(head);
        if conditions.is_empty() {
            self.always.push(self.rules.len() as u32);
        }
        self.rules.push(Rule { head, operator, cost, conditions: conditions.len() as u32 });
        self.conditions.append(&mut conditions);
        self.condition_begins.push(self.conditions.len() as u32);
    }

    /// Lists for each fact the rules that have it as a condition.
    fn index(&mut self) {
        let mut begins = vec![0; self.facts.len() + 1];
        for fact in &self.conditions {
            begins[fact.index() + 1] += 1;
        }
        for index in 1..begins.len() {
            begins[index] += begins[index - 1];
        }
        let mut ends = begins.clone();
        self.rules_of = vec![0; self.conditions.len()];
        for (rule, range) in self.condition_begins.windows(2).enumerate() {
            for fact in &self.conditions[range[0] as usize..range[1] as usize] {
                self.rules_of[ends[fact.index()] as usize] = rule as u32;
                ends[fact.index()] += 1;
            }
        }
        self.begins = begins;
    }

    /// The cost of a relaxed plan for `state`, whose operators that are applicable in it are put
    /// into `preferred`; `None` if there is no relaxed plan, and hence no plan.
    pub(crate) fn plan(
        &mut self,
        state: StateView<'_>,
        preferred: &mut Vec<OperatorId>,
    ) -> Option<u64> {
        preferred.clear();
        self.explore(state)?;
        Some(self.extract(preferred))
    }

    /// Computes h^add until all goals have their values.
    fn explore(&mut self, state: StateView<'_>) -> Option<()> {
        let mut exploration = std::mem::take(&mut self.exploration);
        exploration.begin(self.facts.len(), &self.rules);
        for variable in self.facts.variable_ids() {
            let fact = self.facts.id(Fact::new(variable, state.value(variable)));
            exploration.reach(fact, 0, NONE);
        }
        for &fact in &self.defaults {
            exploration.reach(fact, 0, NONE);
        }
        for &rule in &self.always {
            let Rule { head, cost, .. } = self.rules[rule as usize];
            exploration.reach(head, cost, rule);
        }
        let mut open_goals = self.goal.len();
        while open_goals > 0 {
            let Some(Reverse((cost, number))) = exploration.queue.pop() else { break };
            if cost > exploration.cost[number as usize] {
                continue;
            }
            open_goals -= usize::from(self.goal.contains(&FactId::new(number)));
            let range =
                self.begins[number as usize] as usize..self.begins[number as usize + 1] as usize;
            for &rule in &self.rules_of[range] {
                let index = rule as usize;
                exploration.missing[index] -= 1;
                exploration.rule_cost[index] = exploration.rule_cost[index].saturating_add(cost);
                if exploration.missing[index] == 0 {
                    let cost = exploration.rule_cost[index];
                    exploration.reach(self.rules[index].head, cost, rule);
                }
            }
        }
        self.exploration = exploration;
        (open_goals == 0).then_some(())
    }

    /// Follows the achievers back from the goal. Each operator counts once.
    fn extract(&mut self, preferred: &mut Vec<OperatorId>) -> u64 {
        let Self { rules, conditions, condition_begins, goal, exploration, .. } = self;
        let mut chosen: Vec<(OperatorId, u64)> = Vec::new();
        for &fact in goal.iter() {
            exploration.mark(fact);
        }
        while let Some(fact) = exploration.marked.pop() {
            let achiever = exploration.achiever[fact.index()];
            if achiever == NONE {
                continue;
            }
            let rule = &rules[achiever as usize];
            let range = condition_begins[achiever as usize] as usize
                ..condition_begins[achiever as usize + 1] as usize;
            if let Some(operator) = rule.operator {
                chosen.push((operator, rule.cost));
                if exploration.rule_cost[achiever as usize] == rule.cost {
                    preferred.push(operator);
                }
            }
            for &condition in &conditions[range] {
                exploration.mark(condition);
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        preferred.sort_unstable();
        preferred.dedup();
        chosen.iter().map(|(_, cost)| cost).sum()
    }
}

impl Exploration {
    fn begin(&mut self, facts: usize, rules: &[Rule]) {
        self.cost.clear();
        self.cost.resize(facts, UNREACHED);
        self.achiever.clear();
        self.achiever.resize(facts, NONE);
        self.is_marked.clear();
        self.is_marked.resize(facts, false);
        self.missing.clear();
        self.missing.extend(rules.iter().map(|rule| rule.conditions));
        self.rule_cost.clear();
        self.rule_cost.extend(rules.iter().map(|rule| rule.cost));
        self.queue.clear();
    }

    fn reach(&mut self, fact: FactId, cost: u64, achiever: u32) {
        if cost < self.cost[fact.index()] {
            self.cost[fact.index()] = cost;
            self.achiever[fact.index()] = achiever;
            self.queue.push(Reverse((cost, fact.number())));
        }
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
