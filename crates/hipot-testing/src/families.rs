//! Tasks of any size whose state spaces are known.

use hipot_task::{Effect, Fact, Operator, Task, TaskBuilder, Variable, VariableId};

const VALID: &str = "the task is valid";

/// `bits` switches that are off, each of which can be switched on at this cost; the goal is to
/// have all of them on, and one that nothing switches unless `is_solvable`.
pub fn switches(bits: u32, cost: u32, is_solvable: bool) -> Task {
    let mut builder = TaskBuilder::new(true);
    let mut goal = Vec::new();
    for number in 0..=bits {
        let variable = Variable::new(number.to_string(), ["off", "on"]);
        let id = builder.add_variable(variable).expect(VALID);
        if number < bits {
            let effects = vec![Effect::new(Fact::new(id, 1))];
            let (name, preconditions) = (format!("switch {number}"), vec![Fact::new(id, 0)]);
            builder.add_operator(Operator { name, preconditions, effects, cost }).expect(VALID);
        }
        if number < bits || !is_solvable {
            goal.push(Fact::new(id, 1));
        }
    }
    builder.set_initial(vec![0; bits as usize + 1]).expect(VALID);
    builder.set_goal(goal).expect(VALID);
    builder.build()
}

/// A binary counter with `bits` bits from 0 to all ones; each step costs `cost`. Its plan visits
/// all 2^bits states, one in each layer.
pub fn counter(bits: u32, cost: u32) -> Task {
    let mut builder = TaskBuilder::new(true);
    let ids: Vec<VariableId> = (0..bits)
        .map(|bit| builder.add_variable(Variable::new(bit.to_string(), ["0", "1"])).expect(VALID))
        .collect();
    builder.set_initial(vec![0; bits as usize]).expect(VALID);
    builder.set_goal(ids.iter().map(|&id| Fact::new(id, 1)).collect()).expect(VALID);
    for (position, &bit) in ids.iter().enumerate() {
        let carried = &ids[..position];
        let mut preconditions: Vec<Fact> = carried.iter().map(|&id| Fact::new(id, 1)).collect();
        preconditions.push(Fact::new(bit, 0));
        let mut effects: Vec<Effect> =
            carried.iter().map(|&id| Effect::new(Fact::new(id, 0))).collect();
        effects.push(Effect::new(Fact::new(bit, 1)));
        let name = format!("carry {position}");
        builder.add_operator(Operator { name, preconditions, effects, cost }).expect(VALID);
    }
    builder.build()
}
