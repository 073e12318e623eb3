//! A task in the making, for parts that are right by construction.
//!
//! [`TaskBuilder`] checks each part and may refuse it. The families here make
//! no part that it would refuse, so a refusal is a bug and panics.

use hipot_task::{
    Axiom, Effect, Fact, MutexGroup, Operator, Task, TaskBuilder, Value, Variable, VariableId,
};

const VALID: &str = "generated parts are valid";

/// A task in the making.
pub(super) struct Draft {
    builder: TaskBuilder,
}

impl Draft {
    /// A task with these variables and their initial values.
    pub(super) fn new(
        uses_costs: bool,
        variables: impl IntoIterator<Item = (Variable, Value)>,
    ) -> Self {
        let mut builder = TaskBuilder::new(uses_costs);
        let mut initial = Vec::new();
        for (variable, value) in variables {
            builder.add_variable(variable).expect(VALID);
            initial.push(value);
        }
        builder.set_initial(initial).expect(VALID);
        Self { builder }
    }

    /// Adds a set of facts of which no reachable state has two.
    pub(super) fn mutex_group(&mut self, facts: Vec<Fact>) {
        self.builder.add_mutex_group(MutexGroup { facts }).expect(VALID);
    }

    /// Adds an operator of cost 1 without conditional effects.
    pub(super) fn operator(&mut self, name: String, preconditions: Vec<Fact>, effects: &[Fact]) {
        self.costly_operator(name, preconditions, effects, 1);
    }

    /// Adds an operator without conditional effects.
    pub(super) fn costly_operator(
        &mut self,
        name: String,
        preconditions: Vec<Fact>,
        effects: &[Fact],
        cost: u32,
    ) {
        let effects = effects.iter().copied().map(Effect::new).collect();
        self.any_operator(Operator { name, preconditions, effects, cost });
    }

    /// Adds an operator.
    pub(super) fn any_operator(&mut self, operator: Operator) {
        self.builder.add_operator(operator).expect(VALID);
    }

    /// Adds a rule for a derived variable.
    pub(super) fn axiom(&mut self, body: Vec<Fact>, head: Fact) {
        self.builder.add_axiom(Axiom { body, head }).expect(VALID);
    }

    /// The finished task.
    pub(super) fn build(mut self, goal: Vec<Fact>) -> Task {
        self.builder.set_goal(goal).expect(VALID);
        self.builder.build()
    }
}

/// The fact that the variable with this index has this value.
pub(super) fn fact(variable: u32, value: Value) -> Fact {
    Fact::new(VariableId::new(variable as usize), value)
}
