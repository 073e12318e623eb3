//! Random tiny SAS+ tasks.

use hipot_task::{
    Axiom, Effect, Fact, MutexGroup, Operator, Rng, Task, TaskBuilder, Value, Variable, VariableId,
};

/// Parameters of random tasks. Counts are upper bounds.
#[derive(Clone, Copy, Debug)]
pub struct RandomTask {
    /// The number of variables that operators change, at least 1.
    pub variables: u32,
    /// The number of derived variables.
    pub derived: u32,
    /// The number of values of a variable, at least 1.
    pub domain: u32,
    /// The number of operators.
    pub operators: u32,
    /// The cost of an operator.
    pub cost: u32,
    /// The percentage of operators that are free.
    pub percent_free: u32,
    /// The percentage of effects that have conditions.
    pub percent_conditional: u32,
}

impl Default for RandomTask {
    fn default() -> Self {
        Self {
            variables: 4,
            derived: 0,
            domain: 3,
            operators: 10,
            cost: 5,
            percent_free: 0,
            percent_conditional: 0,
        }
    }
}

const VALID: &str = "random parts are valid";

impl RandomTask {
    /// The task with number `seed`.
    pub fn generate(&self, seed: u64) -> Task {
        let mut rng = Rng::new(seed);
        let mut builder = TaskBuilder::new(rng.chance(90));
        let fluents = self.add_fluents(&mut builder, &mut rng);
        let derived = self.add_derived(&mut builder, &mut rng);
        let mut initial: Vec<Value> = fluents.iter().map(|&(_, size)| rng.below(size)).collect();
        initial.extend(derived.iter().map(|_| rng.below(2)));
        builder.set_initial(initial.clone()).expect(VALID);

        let all: Vec<(VariableId, u32)> = fluents.iter().chain(&derived).copied().collect();
        let goal = partial_state(&all, 40, &mut rng);
        builder.set_goal(goal).expect(VALID);
        for number in 0..rng.below(self.operators + 1) {
            let operator = self.operator(number, &fluents, &all, &mut rng);
            builder.add_operator(operator).expect(VALID);
        }
        for _ in 0..rng.below(3 * derived.len() as u32 + 1) {
            let axiom = axiom(&fluents, &derived, &initial, &mut rng);
            // Some rules are not stratified; the builder rejects them.
            drop(builder.add_axiom(axiom));
        }
        for variable in &fluents {
            if rng.chance(20) {
                let facts = (0..variable.1).map(|value| Fact::new(variable.0, value)).collect();
                builder.add_mutex_group(MutexGroup { facts }).expect(VALID);
            }
        }
        builder.build()
    }

    fn add_fluents(&self, builder: &mut TaskBuilder, rng: &mut Rng) -> Vec<(VariableId, u32)> {
        let mut fluents = Vec::new();
        for number in 0..=rng.below(self.variables) {
            let size = 1 + rng.below(self.domain);
            let values = (0..size).map(|value| format!("v{number}={value}"));
            let variable = Variable::new(format!("v{number}"), values);
            fluents.push((builder.add_variable(variable).expect(VALID), size));
        }
        fluents
    }

    fn add_derived(&self, builder: &mut TaskBuilder, rng: &mut Rng) -> Vec<(VariableId, u32)> {
        let mut derived = Vec::new();
        for number in 0..rng.below(self.derived + 1) {
            let values = (0..2).map(|value| format!("d{number}={value}"));
            let mut variable = Variable::new(format!("d{number}"), values);
            variable.axiom_layer = Some(rng.below(3));
            derived.push((builder.add_variable(variable).expect(VALID), 2));
        }
        derived
    }

    fn operator(
        &self,
        number: u32,
        fluents: &[(VariableId, u32)],
        all: &[(VariableId, u32)],
        rng: &mut Rng,
    ) -> Operator {
        let mut effects = Vec::new();
        for fact in partial_state(fluents, 45, rng) {
            if !rng.chance(self.percent_conditional) {
                effects.push(Effect::new(fact));
                continue;
            }
            for _ in 0..=rng.below(2) {
                let conditions = partial_state(all, 30, rng);
                let size = fluents[fact.variable.index()].1;
                // Without conditions it would be unconditional, perhaps twice.
                if !conditions.is_empty() {
                    let fact = Fact::new(fact.variable, rng.below(size));
                    effects.push(Effect { conditions, fact });
                }
            }
        }
        let cost = if rng.chance(self.percent_free) { 0 } else { rng.below(self.cost + 1) };
        let preconditions = partial_state(all, 35, rng);
        Operator { name: format!("o{number}"), preconditions, effects, cost }
    }
}

/// A random fact for about `percent` of 100 variables.
fn partial_state(variables: &[(VariableId, u32)], percent: u32, rng: &mut Rng) -> Vec<Fact> {
    let mut facts = Vec::new();
    for &(variable, size) in variables {
        if rng.chance(percent) {
            facts.push(Fact::new(variable, rng.below(size)));
        }
    }
    facts
}

fn axiom(
    fluents: &[(VariableId, u32)],
    derived: &[(VariableId, u32)],
    initial: &[Value],
    rng: &mut Rng,
) -> Axiom {
    let head = derived[rng.below(derived.len() as u32) as usize].0;
    let mut body = partial_state(fluents, 25, rng);
    body.extend(partial_state(derived, 35, rng));
    Axiom { body, head: Fact::new(head, 1 - initial[head.index()]) }
}
