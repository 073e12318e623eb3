//! The meaning of PDDL once more: everything expanded over all objects.

use std::collections::BTreeSet;

use hipot_check::pddl::{GroundAction, Semantics};
use hipot_pddl::Task;
use hipot_pddl::ast::{Atom, Condition, Effect, ObjectId, PredicateId, Term, Variable, VariableId};

/// The atoms that hold: predicate and objects, as indices.
pub(crate) type Atoms = BTreeSet<(usize, Vec<usize>)>;
type Values = Vec<Option<ObjectId>>;

/// All values of the variables of these types.
fn values(task: &Task, variables: &[&Variable]) -> Vec<Vec<ObjectId>> {
    let mut tuples = vec![Vec::new()];
    for variable in variables {
        let objects = (0..task.objects.len()).filter(|index| {
            let types = task.with_ancestors(&task.objects[*index].types);
            variable.types.iter().any(|of_type| types.contains(of_type))
        });
        let objects: Vec<_> = objects.map(ObjectId::new).collect();
        let extend = |tuple: Vec<ObjectId>| {
            objects
                .iter()
                .map(move |object| [tuple.clone(), vec![*object]].concat())
                .collect::<Vec<_>>()
        };
        tuples = tuples.into_iter().flat_map(extend).collect();
    }
    tuples
}

/// The settings of all variables in which `ids` have all their values.
fn expand(task: &Task, all: &[Variable], ids: &[VariableId], outer: &Values) -> Vec<Values> {
    let variables: Vec<&Variable> = ids.iter().map(|id| &all[id.index()]).collect();
    let set = |tuple: Vec<ObjectId>| {
        let mut inner = outer.clone();
        for (id, value) in ids.iter().zip(tuple) {
            inner[id.index()] = Some(value);
        }
        inner
    };
    values(task, &variables).into_iter().map(set).collect()
}

fn ground(atom: &Atom, values: &Values) -> (usize, Vec<usize>) {
    let object = |term: &Term| match *term {
        Term::Object(object) => object.index(),
        Term::Variable(id) => values[id.index()].unwrap().index(),
    };
    (atom.predicate.index(), atom.terms.iter().map(object).collect())
}

fn holds(
    task: &Task,
    all: &[Variable],
    atoms: &Atoms,
    condition: &Condition,
    values: &Values,
) -> bool {
    let holds = |part: &Condition, values: &Values| holds(task, all, atoms, part, values);
    match condition {
        Condition::Atom(atom) if atom.predicate == PredicateId::EQUALITY => {
            let (_, objects) = ground(atom, values);
            objects[0] == objects[1]
        }
        Condition::Atom(atom) => atoms.contains(&ground(atom, values)),
        Condition::Not(part) => !holds(part, values),
        Condition::And(parts) => parts.iter().all(|part| holds(part, values)),
        Condition::Or(parts) => parts.iter().any(|part| holds(part, values)),
        Condition::Imply(one, other) => !holds(one, values) || holds(other, values),
        Condition::Exists(ids, part) => {
            expand(task, all, ids, values).iter().any(|values| holds(part, values))
        }
        Condition::Forall(ids, part) => {
            expand(task, all, ids, values).iter().all(|values| holds(part, values))
        }
    }
}

fn changes(
    task: &Task,
    all: &[Variable],
    before: &Atoms,
    effect: &Effect,
    values: &Values,
    (added, deleted): (&mut Atoms, &mut Atoms),
) {
    match effect {
        Effect::Add(atom) => drop(added.insert(ground(atom, values))),
        Effect::Delete(atom) => drop(deleted.insert(ground(atom, values))),
        Effect::And(parts) => {
            for part in parts {
                changes(task, all, before, part, values, (added, deleted));
            }
        }
        Effect::When(condition, part) => {
            if holds(task, all, before, condition, values) {
                changes(task, all, before, part, values, (added, deleted));
            }
        }
        Effect::Forall(ids, part) => {
            for values in expand(task, all, ids, values) {
                changes(task, all, before, part, &values, (added, deleted));
            }
        }
    }
}

/// Adds what the rules derive, naively: the predicates one after the other as
/// random tasks declare them, the lower strata first.
fn derive(task: &Task, atoms: &mut Atoms) {
    atoms.retain(|(predicate, _)| !task.predicates[*predicate].is_derived);
    for (index, predicate) in task.predicates.iter().enumerate() {
        let rules = || task.rules.iter().filter(|rule| rule.predicate.index() == index);
        let ids: Vec<_> = (0..predicate.parameters.len()).map(VariableId::new).collect();
        loop {
            let before = atoms.clone();
            for rule in rules() {
                let open = vec![None; rule.variables.len()];
                for values in expand(task, &rule.variables, &ids, &open) {
                    if holds(task, &rule.variables, &before, &rule.condition, &values) {
                        let tuple = ids.iter().map(|id| values[id.index()].unwrap().index());
                        atoms.insert((index, tuple.collect()));
                    }
                }
            }
            if *atoms == before {
                break;
            }
        }
    }
}

pub(crate) fn initial(task: &Task) -> Atoms {
    let tuple = |objects: &[ObjectId]| objects.iter().map(|object| object.index()).collect();
    let atoms = task.initial.iter().map(|atom| (atom.predicate.index(), tuple(&atom.objects)));
    let mut atoms: Atoms = atoms.collect();
    derive(task, &mut atoms);
    atoms
}

pub(crate) fn is_goal(task: &Task, atoms: &Atoms) -> bool {
    let values = vec![None; task.goal.variables.len()];
    holds(task, &task.goal.variables, atoms, &task.goal.condition, &values)
}

/// All applicable steps, with their successors.
pub(crate) fn successors(task: &Task, atoms: &Atoms) -> Vec<(GroundAction, Atoms)> {
    let mut found = Vec::new();
    for (index, action) in task.actions.iter().enumerate() {
        let ids: Vec<_> = (0..action.parameters).map(VariableId::new).collect();
        let open = vec![None; action.variables.len()];
        for values in expand(task, &action.variables, &ids, &open) {
            if !holds(task, &action.variables, atoms, &action.precondition, &values) {
                continue;
            }
            let (mut added, mut deleted) = (Atoms::new(), Atoms::new());
            let both = (&mut added, &mut deleted);
            changes(task, &action.variables, atoms, &action.effect, &values, both);
            let mut successor: Atoms = atoms.difference(&deleted).cloned().collect();
            successor.append(&mut added);
            derive(task, &mut successor);
            let arguments = values.into_iter().take(action.parameters).flatten().collect();
            found.push((GroundAction { action: index, arguments }, successor));
        }
    }
    found
}

/// The state of the semantics in the form of this file.
pub(crate) fn atoms_of(state: &hipot_check::pddl::State) -> Atoms {
    let tuple = |objects: &[ObjectId]| objects.iter().map(|object| object.index()).collect();
    state.atoms().map(|atom| (atom.predicate.index(), tuple(&atom.objects))).collect()
}

/// Whether the two agree on the steps from here.
pub(crate) fn agrees(semantics: &Semantics<'_>, state: &hipot_check::pddl::State) -> bool {
    let atoms = atoms_of(state);
    let steps = successors(semantics.task(), &atoms);
    let expected: Vec<GroundAction> = steps.iter().map(|(step, _)| step.clone()).collect();
    let same = |(step, successor): &(GroundAction, Atoms)| {
        let mut after = state.clone();
        semantics.apply(step, &mut after);
        semantics.is_applicable(step, state) && atoms_of(&after) == *successor
    };
    semantics.applicable_steps(state) == expected
        && steps.iter().all(same)
        && semantics.is_goal(state) == is_goal(semantics.task(), &atoms)
}
