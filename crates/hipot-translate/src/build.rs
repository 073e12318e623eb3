//! The finished task: numbers get their names.

use std::iter;

use hipot_pddl::Task as PddlTask;
use hipot_task::{Axiom, Effect, Fact, MutexGroup, Operator, Task, TaskBuilder, Variable};

use crate::atoms::{AtomId, Atoms};
use crate::encode::FactPair;
use crate::encoded::{EncodedOperator, EncodedTask};
use crate::error::Error;
use crate::normal::NormalTask;
use crate::reach::Reached;
use crate::simplify::Renaming;

/// Where the names come from.
pub(crate) struct Names<'a> {
    pub(crate) source: &'a PddlTask,
    pub(crate) task: &'a NormalTask,
    pub(crate) reached: &'a Reached,
    pub(crate) atoms: &'a Atoms,
}

impl Names<'_> {
    /// An atom as Fast Downward writes it: `on(a, b)`.
    pub(crate) fn atom(&self, atom: AtomId) -> String {
        let predicate = &self.task.predicates[self.atoms.predicate(atom).index()].name;
        let objects = self.atoms.objects(atom).iter();
        let objects: Vec<&str> =
            objects.map(|object| &*self.source.objects[object.index()].name).collect();
        format!("{predicate}({})", objects.join(", "))
    }

    /// An operator's name: the action's, and the objects for its parameters.
    fn operator(&self, operator: &EncodedOperator) -> String {
        let schema = &self.task.schemas[operator.schema as usize];
        let objects =
            self.reached.instances[operator.schema as usize].get(operator.instance as usize);
        let objects = objects[..schema.shown].iter();
        let objects = objects.map(|&object| &*self.source.objects[object as usize].name);
        // Joining takes no more memory than the name has letters.
        iter::once(&*schema.name).chain(objects).collect::<Vec<_>>().join(" ")
    }
}

/// The rank of each object in the order of names.
pub(crate) fn object_ranks(source: &PddlTask) -> Vec<u32> {
    let mut order: Vec<usize> = (0..source.objects.len()).collect();
    order.sort_by_key(|&object| &source.objects[object].name);
    let mut ranks = vec![0; order.len()];
    for (rank, &object) in (0..).zip(&order) {
        ranks[object] = rank;
    }
    ranks
}

/// The finished task. `chosen` are the groups of atoms that the variables stood
/// for before `renaming`.
pub(crate) fn build(
    encoded: EncodedTask,
    layers: &[Option<u32>],
    renaming: &Renaming,
    chosen: &[Vec<AtomId>],
    names: &Names<'_>,
) -> Result<Task, Error> {
    let mut builder = TaskBuilder::new(names.task.uses_costs);
    builder.set_decimals(names.source.decimals);
    for (number, (&old, values)) in renaming.variables.iter().zip(&renaming.values).enumerate() {
        let group = &chosen[old as usize];
        let value_names = values.iter().map(|&value| value_name(group, value, names));
        let variable = Variable::new(format!("var{number}"), value_names);
        builder.add_variable(Variable { axiom_layer: layers[number], ..variable })?;
    }
    builder.set_initial(encoded.initial)?;
    builder.set_goal(facts(&encoded.goal))?;
    for group in &encoded.mutex_groups {
        builder.add_mutex_group(MutexGroup { facts: facts(group) })?;
    }
    for operator in encoded.operators {
        let effects = operator
            .changes
            .iter()
            .map(|change| Effect { conditions: facts(&change.condition), fact: fact(change.pair) });
        builder.add_operator(Operator {
            name: names.operator(&operator),
            preconditions: facts(&operator.condition),
            effects: effects.collect(),
            cost: u32::try_from(operator.cost).unwrap_or(u32::MAX),
        })?;
    }
    for axiom in &encoded.axioms {
        builder.add_axiom(Axiom { body: facts(&axiom.body), head: fact(axiom.head) })?;
    }
    Ok(builder.build())
}

fn value_name(group: &[AtomId], value: u32, names: &Names<'_>) -> String {
    match (group.get(value as usize), group) {
        (Some(&atom), _) => format!("Atom {}", names.atom(atom)),
        (None, &[atom]) => format!("NegatedAtom {}", names.atom(atom)),
        (None, _) => "<none of those>".to_owned(),
    }
}

fn facts(pairs: &[FactPair]) -> Vec<Fact> {
    pairs.iter().map(|&pair| fact(pair)).collect()
}

fn fact(pair: FactPair) -> Fact {
    Fact::new(hipot_task::VariableId::new(pair.variable as usize), pair.value)
}

/// A task without operators whose goal holds, or cannot be reached.
pub(crate) fn trivial(is_solved: bool, uses_costs: bool) -> Result<Task, Error> {
    let mut builder = TaskBuilder::new(uses_costs);
    let variable =
        builder.add_variable(Variable::new("var0", ["Atom solved()", "NegatedAtom solved()"]))?;
    builder.set_initial(vec![u32::from(!is_solved)])?;
    builder.set_goal(vec![Fact::new(variable, 0)])?;
    Ok(builder.build())
}
