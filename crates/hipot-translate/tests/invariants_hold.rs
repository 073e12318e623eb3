//! Mutex groups against brute force, on random tiny tasks.
//!
//! Each task is grounded naively and explored. In every state found, each
//! group has at most one true atom; and the groups chosen for variables are
//! disjoint, cover all atoms, and are parts of mutex groups.

use std::collections::HashSet;

use hipot_pddl::ast::{GroundAtom, ObjectId, PredicateId, Term, VariableId};
use hipot_task::Limits;
use hipot_translate::atoms::{AtomId, Atoms};
use hipot_translate::invariants::{Params, synthesize};
use hipot_translate::mutex_groups::{choose, instantiate};
use hipot_translate::normal::{Literal, NormalTask, Predicate, Range, Schema, SchemaEffect};

const TASKS: u64 = 40_000;
const MAX_STATES: usize = 400;

/// Random indices.
struct Rng(hipot_task::Rng);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u32) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// A random task: 2 to 4 predicates, 2 or 3 objects, 1 to 3 schemas.
fn random_task(rng: &mut Rng) -> NormalTask {
    let predicate =
        |name: &str, arity| Predicate { name: name.to_owned(), arity, is_derived: false };
    let mut predicates = vec![predicate("=", 2)];
    let names = ["a", "b", "c", "d"];
    let count = 2 + rng.below(3);
    predicates.extend(names[..count].iter().map(|name| predicate(name, rng.below(5) / 2)));
    let objects = 2 + rng.below(2);
    let schemas = 1 + rng.below(3);
    let mut task = NormalTask {
        first_auxiliary: usize::MAX,
        functions: Vec::new(),
        values: Vec::new(),
        uses_costs: false,
        predicates,
        objects,
        schemas: Vec::new(),
        axioms: Vec::new(),
        initial: Vec::new(),
        goal: Some(Vec::new()),
    };
    task.schemas = (0..schemas).map(|_| random_schema(&task, rng)).collect();
    task.initial = all_atoms(&task).into_iter().filter(|_| rng.one_in(3)).collect();
    task
}

fn random_schema(task: &NormalTask, rng: &mut Rng) -> Schema {
    let parameters = random_ranges(task, 1 + rng.below(3), 4, rng);
    let variables = parameters.len();
    let mut precondition: Vec<_> =
        (0..=rng.below(3)).map(|_| random_literal(task, variables, rng)).collect();
    if rng.one_in(3) {
        let terms = vec![random_term(task, variables, rng), random_term(task, variables, rng)];
        let negated = !rng.one_in(3);
        precondition.push(Literal { negated, predicate: PredicateId::EQUALITY, terms });
    }
    let count = 1 + rng.below(4);
    let effects = (0..count).map(|_| random_effect(task, variables, &precondition, rng));
    let effects = effects.collect();
    Schema {
        name: "schema".to_owned(),
        shown: variables,
        parameters,
        precondition,
        effects,
        cost: Vec::new(),
    }
}

/// A random effect; if it deletes, then mostly what a condition asks for.
fn random_effect(
    task: &NormalTask,
    variables: usize,
    precondition: &[Literal],
    rng: &mut Rng,
) -> SchemaEffect {
    let own = if rng.one_in(3) { 1 + rng.below(2) } else { 0 };
    let parameters = random_ranges(task, own, 2, rng);
    let conditions = if rng.one_in(2) { rng.below(3) } else { 0 };
    let condition: Vec<_> =
        (0..conditions).map(|_| random_literal(task, variables + own, rng)).collect();
    let mut literal = random_literal(task, variables + own, rng);
    literal.negated = rng.one_in(2);
    let known = precondition.iter().chain(&condition);
    let known: Vec<_> =
        known.filter(|known| !known.negated && known.predicate != PredicateId::EQUALITY).collect();
    if literal.negated && !known.is_empty() && !rng.one_in(4) {
        literal = Literal { negated: true, ..known[rng.below(known.len())].clone() };
        for term in &mut literal.terms {
            if own > 0 && rng.one_in(2) {
                *term = Term::Variable(VariableId::new(variables));
            }
        }
    }
    SchemaEffect { parameters, condition, literal }
}

/// Ranges of which one in `odds` leaves out an object.
fn random_ranges(task: &NormalTask, count: usize, odds: usize, rng: &mut Rng) -> Vec<Range> {
    let all: Vec<_> = (0..task.objects).map(ObjectId::new).collect();
    let mut range = || {
        let size = if rng.one_in(odds) { task.objects - 1 } else { task.objects };
        Range(all[..size].into())
    };
    (0..count).map(|_| range()).collect()
}

fn random_literal(task: &NormalTask, variables: usize, rng: &mut Rng) -> Literal {
    let index = 1 + rng.below(task.predicates.len() - 1);
    let arity = task.predicates[index].arity;
    let terms = (0..arity).map(|_| random_term(task, variables, rng)).collect();
    Literal { negated: rng.one_in(4), predicate: PredicateId::new(index), terms }
}

fn random_term(task: &NormalTask, variables: usize, rng: &mut Rng) -> Term {
    if variables == 0 || rng.one_in(8) {
        return Term::Object(ObjectId::new(rng.below(task.objects)));
    }
    Term::Variable(VariableId::new(rng.below(variables)))
}

/// All atoms, in the order of their names.
fn all_atoms(task: &NormalTask) -> Vec<GroundAtom> {
    let all = Range((0..task.objects).map(ObjectId::new).collect());
    let of_predicate = |index: usize| {
        let ranges = vec![all.clone(); task.predicates[index].arity];
        let predicate = PredicateId::new(index);
        assignments(&ranges).into_iter().map(move |objects| GroundAtom { predicate, objects })
    };
    (1..task.predicates.len()).flat_map(of_predicate).collect()
}

/// All tuples of objects in these ranges.
fn assignments(ranges: &[Range]) -> Vec<Vec<ObjectId>> {
    ranges.iter().fold(vec![Vec::new()], |tuples, Range(range)| {
        let extended = |tuple: &Vec<ObjectId>, object| [&tuple[..], &[object]].concat();
        let extended = &extended;
        tuples.iter().flat_map(|tuple| range.iter().map(move |&o| extended(tuple, o))).collect()
    })
}

/// The state space of a task; a state is a set of atoms.
struct Space {
    atoms: Vec<GroundAtom>,
}

impl Space {
    /// The states found, about [`MAX_STATES`] at most, and the applied
    /// instances: schemas with their objects.
    fn explore(&self, task: &NormalTask) -> (Vec<u64>, Vec<(usize, Vec<ObjectId>)>) {
        let initial = task.initial.iter().fold(0, |state, atom| state | self.bit(atom));
        let mut states = vec![initial];
        let mut known = HashSet::from([initial]);
        let mut applied = Vec::new();
        let mut next = 0;
        while next < states.len() && states.len() < MAX_STATES {
            for (index, schema) in task.schemas.iter().enumerate() {
                for objects in assignments(&schema.parameters) {
                    if self.holds(states[next], &schema.precondition, &objects) {
                        let successor = self.apply(states[next], schema, &objects);
                        applied.push((index, objects));
                        if known.insert(successor) {
                            states.push(successor);
                        }
                    }
                }
            }
            next += 1;
        }
        (states, applied)
    }

    fn apply(&self, state: u64, schema: &Schema, objects: &[ObjectId]) -> u64 {
        let (mut added, mut deleted) = (0, 0);
        for effect in &schema.effects {
            for own in assignments(&effect.parameters) {
                let objects = [objects, &own].concat();
                if self.holds(state, &effect.condition, &objects) {
                    let bit = self.bit(&ground(&effect.literal, &objects));
                    *if effect.literal.negated { &mut deleted } else { &mut added } |= bit;
                }
            }
        }
        (state & !deleted) | added
    }

    fn holds(&self, state: u64, condition: &[Literal], objects: &[ObjectId]) -> bool {
        condition.iter().all(|literal| {
            let atom = ground(literal, objects);
            let is_true = if atom.predicate == PredicateId::EQUALITY {
                atom.objects[0] == atom.objects[1]
            } else {
                state & self.bit(&atom) != 0
            };
            is_true != literal.negated
        })
    }

    fn bit(&self, atom: &GroundAtom) -> u64 {
        1 << self.atoms.iter().position(|other| other == atom).expect("a known atom")
    }
}

fn ground(literal: &Literal, values: &[ObjectId]) -> GroundAtom {
    let object = |&term: &Term| match term {
        Term::Object(object) => object,
        Term::Variable(variable) => values[variable.index()],
    };
    GroundAtom { predicate: literal.predicate, objects: literal.terms.iter().map(object).collect() }
}

/// For each schema, the pairs of parameters that no applied instance gives the
/// same object. None if not all instances are known.
fn unequal(
    task: &NormalTask,
    applied: &[(usize, Vec<ObjectId>)],
    complete: bool,
) -> Vec<Vec<(usize, usize)>> {
    let pairs = |index: usize| {
        let count = if complete { task.schemas[index].parameters.len() } else { 0 };
        let pairs = (0..count).flat_map(|q| (0..q).map(move |p| (p, q)));
        let equal = |&(p, q): &(usize, usize)| {
            applied.iter().any(|(schema, objects)| *schema == index && objects[p] == objects[q])
        };
        pairs.filter(|pair| !equal(pair)).collect()
    };
    (0..task.schemas.len()).map(pairs).collect()
}

fn number(task: &NormalTask) -> Atoms {
    let mut atoms = Atoms::default();
    let all = all_atoms(task);
    for index in 1..task.predicates.len() {
        let of_predicate = || all.iter().filter(|atom| atom.predicate.index() == index);
        let objects = of_predicate().flat_map(|atom| atom.objects.iter().copied());
        let arity = task.predicates[index].arity;
        atoms.add_predicate(PredicateId::new(index), arity, of_predicate().count(), objects);
    }
    atoms
}

fn assert_partition(groups: &[Vec<AtomId>], chosen: &[Vec<AtomId>], separate: &[bool]) {
    let mut covered: Vec<_> = chosen.iter().flatten().map(|atom| atom.index()).collect();
    covered.sort_unstable();
    assert!(covered.into_iter().eq(0..separate.len()));
    assert!(chosen.is_sorted());
    for group in chosen.iter().filter(|group| group.len() > 1) {
        assert!(group.iter().all(|atom| !separate[atom.index()]));
        let is_part = |other: &Vec<AtomId>| group.iter().all(|atom| other.contains(atom));
        assert!(groups.iter().any(is_part));
    }
}

#[test]
fn groups_have_one_true_atom_at_most() {
    let (mut several, mut conditional) = (0, 0);
    for seed in 0..TASKS {
        let mut rng = Rng(hipot_task::Rng::new(seed << 20));
        let task = random_task(&mut rng);
        let space = Space { atoms: all_atoms(&task) };
        let (states, applied) = space.explore(&task);
        let unequal = unequal(&task, &applied, states.len() < MAX_STATES);
        let limits = Limits::none();
        let invariants = synthesize(&task, &unequal, &Params::default(), &limits).unwrap();
        let groups = instantiate(&task, &invariants, &number(&task));
        for group in &groups {
            let mask = group.iter().fold(0u64, |mask, atom| mask | (1 << atom.index()));
            let broken = states.iter().find(|&&state| (state & mask).count_ones() > 1);
            assert_eq!(broken, None, "seed {seed}: {group:?} in {task:#?}");
            let changes = states.iter().any(|state| state & mask != states[0] & mask);
            several += usize::from(group.len() > 1 && changes);
            let mut effects = task.schemas.iter().flat_map(|schema| &schema.effects);
            conditional += usize::from(changes && effects.any(|e| !e.parameters.is_empty()));
        }
        let separate: Vec<_> = space.atoms.iter().map(|_| rng.one_in(6)).collect();
        assert_partition(&groups, &choose(&groups, separate.len(), &separate), &separate);
    }
    assert!(several > 500 && conditional > 200, "{several} and {conditional} groups");
}
