//! The causal graph: which variables matter for changing which others.
//!
//! There are two kinds of arcs between variables V ≠ W (Helmert, JAIR 2006):
//!
//! - a *precondition arc* V → W if an operator with an effect on W requires a value of V,
//!   as a precondition or as a condition of that effect, or if an axiom for W has a fact of
//!   V in its body;
//! - *effect arcs* V → W and W → V if an operator has effects on both.

use std::collections::BTreeSet;

use hipot_task::{Fact, Operator, Task, VariableId};

/// The causal graph of a task.
#[derive(Clone, Debug)]
pub struct CausalGraph {
    /// For each variable W, the variables with a precondition arc to W.
    predecessors: Vec<BTreeSet<VariableId>>,
    /// For each variable, those that an arc connects it with, whatever its kind and direction.
    neighbors: Vec<BTreeSet<VariableId>>,
}

impl CausalGraph {
    /// The causal graph of `task`.
    pub fn new(task: &Task) -> Self {
        let empty = vec![BTreeSet::new(); task.variables().len()];
        let mut graph = Self { predecessors: empty.clone(), neighbors: empty };
        for operator in task.operators() {
            graph.add_operator(operator);
        }
        for axiom in task.axioms() {
            graph.add_preconditions(&axiom.body, axiom.head.variable);
        }
        graph
    }

    /// The variables with a precondition arc to `variable`, in order.
    pub fn predecessors(&self, variable: VariableId) -> impl Iterator<Item = VariableId> {
        self.predecessors[variable.index()].iter().copied()
    }

    /// The variables that an arc connects with `variable`, in order.
    pub fn neighbors(&self, variable: VariableId) -> impl Iterator<Item = VariableId> {
        self.neighbors[variable.index()].iter().copied()
    }

    /// The variables of `within` from which precondition arcs among them lead to one of
    /// `targets`, and the targets in `within` themselves.
    pub fn ancestors(
        &self,
        targets: &BTreeSet<VariableId>,
        within: &BTreeSet<VariableId>,
    ) -> BTreeSet<VariableId> {
        let mut found: BTreeSet<VariableId> = targets.intersection(within).copied().collect();
        let mut open: Vec<VariableId> = found.iter().copied().collect();
        while let Some(variable) = open.pop() {
            for before in self.predecessors(variable).filter(|before| within.contains(before)) {
                if found.insert(before) {
                    open.push(before);
                }
            }
        }
        found
    }

    /// The sets that have one neighbor of `pattern` more than `pattern`. From single variables,
    /// this reaches all sets that are connected, whatever the direction of the arcs.
    pub fn extensions(
        &self,
        pattern: &BTreeSet<VariableId>,
    ) -> impl Iterator<Item = BTreeSet<VariableId>> {
        let neighbors = pattern.iter().flat_map(|&variable| self.neighbors(variable));
        let new = neighbors.filter(|neighbor| !pattern.contains(neighbor));
        new.map(|neighbor| pattern.iter().copied().chain([neighbor]).collect())
    }

    /// Whether precondition arcs among the variables of `pattern` lead from each of them to one of
    /// `goal`. A connected pattern with this property is *interesting* (Pommerening, Röger and
    /// Helmert, IJCAI 2013).
    pub fn leads_to(&self, goal: &BTreeSet<VariableId>, pattern: &BTreeSet<VariableId>) -> bool {
        self.ancestors(goal, pattern) == *pattern
    }

    fn add_operator(&mut self, operator: &Operator) {
        for effect in &operator.effects {
            let variable = effect.fact.variable;
            self.add_preconditions(&operator.preconditions, variable);
            self.add_preconditions(&effect.conditions, variable);
            for other in &operator.effects {
                self.connect(variable, other.fact.variable);
            }
        }
    }

    fn add_preconditions(&mut self, conditions: &[Fact], changed: VariableId) {
        for condition in conditions.iter().filter(|fact| fact.variable != changed) {
            self.predecessors[changed.index()].insert(condition.variable);
            self.connect(condition.variable, changed);
        }
    }

    fn connect(&mut self, one: VariableId, other: VariableId) {
        if one != other {
            self.neighbors[one.index()].insert(other);
            self.neighbors[other.index()].insert(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use hipot_task::{Effect, TaskBuilder, Variable};

    use super::*;

    /// Operators given by the variables that they require and those that they change.
    fn graph(variables: usize, operators: &[(&[usize], &[usize])]) -> CausalGraph {
        let mut builder = TaskBuilder::new(false);
        for number in 0..variables {
            builder.add_variable(Variable::new(format!("v{number}"), ["0", "1"])).unwrap();
        }
        builder.set_initial(vec![0; variables]).unwrap();
        let fact = |&number: &usize, value| Fact::new(VariableId::new(number), value);
        for (required, changed) in operators {
            builder
                .add_operator(Operator {
                    name: "o".to_owned(),
                    preconditions: required.iter().map(|number| fact(number, 0)).collect(),
                    effects: changed.iter().map(|number| Effect::new(fact(number, 1))).collect(),
                    cost: 1,
                })
                .unwrap();
        }
        CausalGraph::new(&builder.build())
    }

    fn ids(numbers: &[usize]) -> BTreeSet<VariableId> {
        numbers.iter().map(|&number| VariableId::new(number)).collect()
    }

    #[test]
    fn arcs_are_those_of_the_definition() {
        let graph = graph(5, &[(&[0, 1], &[1, 2]), (&[3], &[0])]);
        let predecessors = |number| -> BTreeSet<VariableId> {
            graph.predecessors(VariableId::new(number)).collect()
        };
        let neighbors =
            |number| -> BTreeSet<VariableId> { graph.neighbors(VariableId::new(number)).collect() };
        assert_eq!([predecessors(0), predecessors(1)], [ids(&[3]), ids(&[0])]);
        // An effect arc alone is not a precondition arc, but 1 is also required for 2.
        assert_eq!([predecessors(2), predecessors(3)], [ids(&[0, 1]), ids(&[])]);
        assert_eq!([neighbors(0), neighbors(1)], [ids(&[1, 2, 3]), ids(&[0, 2])]);
        assert_eq!([neighbors(2), neighbors(4)], [ids(&[0, 1]), ids(&[])]);
    }

    #[test]
    fn patterns_grow_by_neighbors_and_lead_to_goals_inside() {
        let graph = graph(4, &[(&[0], &[1]), (&[1], &[2])]);
        let found: BTreeSet<_> = graph.extensions(&ids(&[1])).collect();
        assert_eq!(found, BTreeSet::from([ids(&[0, 1]), ids(&[1, 2])]));
        let goal = ids(&[2]);
        assert!(graph.leads_to(&goal, &ids(&[1, 2])));
        assert!(!graph.leads_to(&goal, &ids(&[0, 2])));
    }

    #[test]
    fn ancestors_stay_within_the_given_variables() {
        let graph = graph(4, &[(&[0], &[1]), (&[1], &[2]), (&[], &[2, 3])]);
        let goal = ids(&[2]);
        assert_eq!(graph.ancestors(&goal, &ids(&[0, 1, 2, 3])), ids(&[0, 1, 2]));
        assert_eq!(graph.ancestors(&goal, &ids(&[0, 2])), ids(&[2]));
        assert_eq!(graph.ancestors(&goal, &ids(&[0, 1])), ids(&[]));
    }
}
