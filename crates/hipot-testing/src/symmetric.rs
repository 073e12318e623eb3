//! Random tiny SAS+ tasks with planted symmetries: copies of one component.

use hipot_task::{Effect, Fact, Operator, Rng, Task, TaskBuilder, Value, Variable, VariableId};

use crate::random::RandomTask;

/// Parameters of random symmetric tasks.
#[derive(Clone, Copy, Debug)]
pub struct SymmetricTask {
    /// The task whose variables, except the first, are the component.
    pub component: RandomTask,
    /// The number of copies, at least 1.
    pub copies: usize,
    /// Whether all copies start in corresponding states.
    pub starts_alike: bool,
}

/// A task, and symmetries that preserve its goal: each exchanges two neighboring copies. They are
/// given by the facts that they move, with their images.
#[derive(Clone, Debug)]
pub struct Symmetric {
    /// The task.
    pub task: Task,
    /// Generators of all permutations of the copies.
    pub generators: Vec<Vec<(Fact, Fact)>>,
}

const VALID: &str = "copies of valid parts are valid";

impl SymmetricTask {
    /// The task with number `seed`.
    pub fn generate(&self, seed: u64) -> Symmetric {
        let base = self.component.generate(seed);
        let rng = &mut Rng::new(seed);
        let copies = Copies::new(&base, self.copies, rng);
        let mut builder = TaskBuilder::new(base.uses_costs());
        copies.add_variables(&base, &mut builder);
        let mut initial = Vec::new();
        copies.for_each_variable(|copy, variable| {
            let size = base.variable(variable).domain_size();
            let differs = copy.is_some() && !self.starts_alike;
            let value = base.initial()[variable.index()];
            let value = if differs { rng.below(size) } else { value };
            initial.push(copies.fact(Fact::new(variable, value), copy.unwrap_or(0)).value);
        });
        builder.set_initial(initial).expect(VALID);
        let mut goal: Vec<Fact> = Vec::new();
        for copy in 0..self.copies {
            goal.extend(base.goal().iter().map(|&fact| copies.fact(fact, copy)));
        }
        goal.sort_unstable();
        goal.dedup();
        builder.set_goal(goal).expect(VALID);
        for operator in base.operators() {
            copies.add_operators(operator, rng.chance(30), &mut builder);
        }
        Symmetric { generators: copies.exchanges(&base), task: builder.build() }
    }
}

/// Where the facts of the component are in each copy. The first variable is shared by all.
struct Copies {
    count: usize,
    /// The number of variables of the component.
    size: usize,
    /// For each copy and variable, where its values are: copies differ in their order.
    orders: Vec<Vec<Vec<Value>>>,
}

impl Copies {
    fn new(base: &Task, count: usize, rng: &mut Rng) -> Self {
        let order = |rng: &mut Rng, size| {
            let mut order: Vec<Value> = (0..size).collect();
            for last in (1..order.len()).rev() {
                order.swap(last, rng.below(last as u32 + 1) as usize);
            }
            order
        };
        let mut orders = Vec::new();
        for _ in 0..count {
            let sizes = base.variables().iter().map(Variable::domain_size);
            orders.push(sizes.map(|size| order(rng, size)).collect());
        }
        Self { count, size: base.variables().len() - 1, orders }
    }

    /// Calls `visit` with all variables of the task: the copy and the variable in the base.
    fn for_each_variable(&self, mut visit: impl FnMut(Option<usize>, VariableId)) {
        visit(None, VariableId::new(0));
        for copy in 0..self.count {
            for index in 1..=self.size {
                visit(Some(copy), VariableId::new(index));
            }
        }
    }

    fn add_variables(&self, base: &Task, builder: &mut TaskBuilder) {
        self.for_each_variable(|copy, variable| {
            let mut variable = base.variable(variable).clone();
            let number = copy.map_or(String::new(), |copy| format!("/{copy}"));
            variable.name += &number;
            for value in &mut variable.values {
                *value += &number;
            }
            builder.add_variable(variable).expect(VALID);
        });
    }

    /// The fact of a copy that corresponds to a fact of the base.
    fn fact(&self, fact: Fact, copy: usize) -> Fact {
        let index = fact.variable.index();
        if index == 0 {
            return fact;
        }
        let value = self.orders[copy][index][fact.value as usize];
        Fact::new(VariableId::new(copy * self.size + index), value)
    }

    /// Adds the operator for each copy. If it `reaches_over`, it has its preconditions in one copy
    /// and its effects in another, for all pairs of copies.
    fn add_operators(&self, operator: &Operator, reaches_over: bool, builder: &mut TaskBuilder) {
        for from in 0..self.count {
            for to in 0..self.count {
                if reaches_over != (from != to) {
                    continue;
                }
                let preconditions = operator.preconditions.iter().map(|&it| self.fact(it, from));
                let effects = operator.effects.iter().map(|it| self.fact(it.fact, to));
                let copy = Operator {
                    name: format!("{}/{from}/{to}", operator.name),
                    preconditions: preconditions.collect(),
                    effects: effects.map(Effect::new).collect(),
                    cost: operator.cost,
                };
                builder.add_operator(copy).expect(VALID);
            }
        }
    }

    /// For each two neighboring copies, what exchanging them moves.
    fn exchanges(&self, base: &Task) -> Vec<Vec<(Fact, Fact)>> {
        let mut exchanges = Vec::new();
        for copy in 1..self.count {
            let mut moved = Vec::new();
            for variable in base.variable_ids().skip(1) {
                for value in 0..base.variable(variable).domain_size() {
                    let fact = Fact::new(variable, value);
                    let pair = [copy - 1, copy].map(|copy| self.fact(fact, copy));
                    moved.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
                }
            }
            moved.sort_unstable();
            exchanges.push(moved);
        }
        exchanges.retain(|moved| !moved.is_empty());
        exchanges
    }
}
