//! The only way to build a [`Task`]: part by part, each part checked when it is added.

use crate::defect::{Defect, Place};
use crate::ids::{Fact, OperatorId, Value, VariableId};
use crate::task::{Axiom, Effect, MAX_COST, MutexGroup, Operator, Task, Variable};

/// Builds a [`Task`] part by part: variables, then the initial state, then
/// the rest in any order. Each part is checked as it is added.
#[derive(Clone, Debug)]
pub struct TaskBuilder {
    task: Task,
}

impl TaskBuilder {
    /// A task without variables.
    pub fn new(uses_costs: bool) -> Self {
        let task = Task {
            uses_costs,
            decimals: 0,
            variables: Vec::new(),
            mutex_groups: Vec::new(),
            initial: Vec::new(),
            goal: Vec::new(),
            operators: Vec::new(),
            axioms: Vec::new(),
        };
        Self { task }
    }

    /// Says that costs are in units of the last of so many decimals.
    pub fn set_decimals(&mut self, decimals: u32) {
        self.task.decimals = decimals;
    }

    /// The variables so far.
    pub fn variables(&self) -> &[Variable] {
        &self.task.variables
    }

    /// The fact ⟨`variable`, `value`⟩, if it exists.
    pub fn fact(&self, variable: u32, value: u32) -> Result<Fact, Defect> {
        let id = self.variable_id(variable)?;
        let found = self.task.variable(id);
        if value >= found.domain_size() {
            let (name, domain_size) = (found.name.clone(), found.domain_size());
            return Err(Defect::UnknownValue { variable: name, value, domain_size });
        }
        Ok(Fact::new(id, value))
    }

    /// The variable with this index, if it exists.
    pub(crate) fn variable_id(&self, variable: u32) -> Result<VariableId, Defect> {
        let variables = self.task.variables.len() as u32;
        if variable >= variables {
            return Err(Defect::UnknownVariable { variable, variables });
        }
        Ok(VariableId::new(variable as usize))
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, variable: Variable) -> Result<VariableId, Defect> {
        if variable.values.is_empty() {
            return Err(Defect::EmptyDomain(variable.name));
        }
        if variable.is_derived() && variable.domain_size() != 2 {
            let domain_size = variable.domain_size();
            return Err(Defect::DerivedDomain { name: variable.name, domain_size });
        }
        self.task.variables.push(variable);
        Ok(VariableId::new(self.task.variables.len() - 1))
    }

    /// Adds a mutex group.
    pub fn add_mutex_group(&mut self, group: MutexGroup) -> Result<(), Defect> {
        let mut facts = group.facts.clone();
        self.check_facts(&facts)?;
        facts.sort_unstable();
        if let Some(pair) = facts.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Defect::FactTwice(self.task.fact_name(pair[0]).to_owned()));
        }
        self.task.mutex_groups.push(group);
        Ok(())
    }

    /// Sets the initial state, with derived variables at their defaults.
    ///
    /// # Panics
    /// If there are axioms already: they were checked against other defaults.
    pub fn set_initial(&mut self, initial: Vec<Value>) -> Result<(), Defect> {
        assert!(self.task.axioms.is_empty(), "set_initial comes before add_axiom");
        let variables = self.task.variables.len();
        if initial.len() != variables {
            return Err(Defect::InitialLength { given: initial.len(), variables });
        }
        for (variable, &value) in (0..).zip(&initial) {
            self.fact(variable, value)?;
        }
        self.task.initial = initial;
        Ok(())
    }

    /// Sets the goal.
    pub fn set_goal(&mut self, goal: Vec<Fact>) -> Result<(), Defect> {
        self.task.goal = self.partial_state(goal, Place::Goal)?;
        Ok(())
    }

    /// Adds an operator; its preconditions may come in any order. In a task
    /// that does not use costs its cost becomes 1.
    pub fn add_operator(&mut self, mut operator: Operator) -> Result<OperatorId, Defect> {
        if operator.name.is_empty() {
            return Err(Defect::UnnamedOperator);
        }
        operator.preconditions = self.partial_state(operator.preconditions, Place::Precondition)?;
        let effects = operator.effects.into_iter().map(|effect| self.check_effect(effect));
        operator.effects = effects.collect::<Result<_, _>>()?;
        let unconditional = operator.effects.iter().filter(|effect| effect.conditions.is_empty());
        self.partial_state(unconditional.map(|effect| effect.fact).collect(), Place::Effects)?;
        if operator.cost > MAX_COST {
            return Err(Defect::CostTooLarge(operator.cost.into()));
        }
        if !self.task.uses_costs {
            operator.cost = 1;
        }
        self.task.operators.push(operator);
        Ok(OperatorId::new(self.task.operators.len() - 1))
    }

    /// Checks an effect and sorts its conditions.
    pub(crate) fn check_effect(&self, mut effect: Effect) -> Result<Effect, Defect> {
        self.check_facts(&[effect.fact])?;
        let variable = self.task.variable(effect.fact.variable);
        if variable.is_derived() {
            return Err(Defect::EffectOnDerived(variable.name.clone()));
        }
        effect.conditions = self.partial_state(effect.conditions, Place::EffectCondition)?;
        Ok(effect)
    }

    /// Adds an axiom. The initial state must be set: it holds the default values.
    pub fn add_axiom(&mut self, mut axiom: Axiom) -> Result<(), Defect> {
        self.check_facts(&[axiom.head])?;
        axiom.body = self.partial_state(axiom.body, Place::AxiomBody)?;
        let head = self.task.variable(axiom.head.variable);
        let Some(head_layer) = head.axiom_layer else {
            return Err(Defect::HeadNotDerived(head.name.clone()));
        };
        if axiom.head.value == self.default_value(axiom.head.variable) {
            return Err(Defect::HeadIsDefault(head.name.clone()));
        }
        for &fact in &axiom.body {
            let body = self.task.variable(fact.variable);
            let Some(body_layer) = body.axiom_layer else { continue };
            let asks_default = fact.value == self.default_value(fact.variable);
            if body_layer > head_layer || (body_layer == head_layer && asks_default) {
                let (head, body) = (head.name.clone(), body.name.clone());
                return Err(Defect::NotStratified {
                    head,
                    head_layer,
                    body,
                    body_layer,
                    asks_default,
                });
            }
        }
        self.task.axioms.push(axiom);
        Ok(())
    }

    /// The finished task.
    ///
    /// # Panics
    /// If the initial state was not set.
    pub fn build(self) -> Task {
        assert_eq!(self.task.initial.len(), self.task.variables.len(), "set_initial comes first");
        self.task
    }

    fn default_value(&self, variable: VariableId) -> Value {
        let initial = self.task.initial.get(variable.index());
        *initial.expect("set_initial comes before add_axiom")
    }

    fn check_facts(&self, facts: &[Fact]) -> Result<(), Defect> {
        for fact in facts {
            self.fact(fact.variable.index() as u32, fact.value)?;
        }
        Ok(())
    }

    /// `facts` checked, sorted by variable, each variable at most once.
    fn partial_state(&self, mut facts: Vec<Fact>, place: Place) -> Result<Vec<Fact>, Defect> {
        self.check_facts(&facts)?;
        facts.sort_unstable();
        if let Some(pair) = facts.windows(2).find(|pair| pair[0].variable == pair[1].variable) {
            let variable = self.task.variable(pair[0].variable).name.clone();
            return Err(if place == Place::Precondition && pair[0].value != pair[1].value {
                let [first, second] =
                    [pair[0], pair[1]].map(|fact| self.task.fact_name(fact).to_owned());
                Defect::Contradiction { variable, first, second }
            } else {
                Defect::VariableTwice { place, variable }
            });
        }
        Ok(facts)
    }
}
