//! All stages of the translation, in order.

use hipot_pddl::Task as PddlTask;
use hipot_pddl::ast::PredicateId;
use hipot_task::{Limits, Stop, Task};

use crate::atoms::AtomId;
use crate::axioms::{self, Inliner};
use crate::build;
use crate::encode::{Encoding, FactPair};
use crate::encoded::{EncodedAxiom, EncodedOperator, EncodedTask};
use crate::error::Error;
use crate::ground::{GroundAtoms, GroundLiteral};
use crate::instantiate::{GroundAxiom, GroundOperator, Instantiator};
use crate::invariants::{self, Params};
use crate::normal::{NormalTask, Schema};
use crate::normalize::normalize;
use crate::reach::{Progress, Reached, reach};
use crate::simplify::{Outcome, simplify};
use crate::tuples::Tuples;
use crate::{layers, mutex_groups};

/// Translates a PDDL task; `report` is called now and then during grounding.
pub fn translate(
    source: &PddlTask,
    limits: &Limits,
    report: &mut dyn FnMut(Progress),
) -> Result<Task, Error> {
    let task = normalize(source);
    let reached = reach(&task, limits, report)?;
    let ground = GroundAtoms::new(&task, &reached, &build::object_ranks(source));
    let mut instantiator = Instantiator::new(&task, &reached, &ground);
    let Some(goal) = instantiator.goal() else {
        return build::trivial(false, task.uses_costs);
    };
    let invariants =
        invariants::synthesize(&task, &unequal(&task, &reached), &Params::default(), limits)?;
    let groups = mutex_groups::instantiate(&task, &invariants, &ground.atoms);
    let chosen =
        mutex_groups::choose(&groups, ground.atoms.len(), &negated(&goal, ground.atoms.len()));
    let mut encoder = Encoder {
        encoding: Encoding::new(ground.atoms.len(), &chosen, &groups),
        task: &task,
        reached: &reached,
        ground: &ground,
        limits,
    };
    let Some(mut encoded) = encoder.encode(&mut instantiator, goal, &groups)? else {
        return build::trivial(false, task.uses_costs);
    };
    let (outcome, renaming) = simplify(&mut encoded);
    match outcome {
        Outcome::Open => {}
        Outcome::Unsolvable => return build::trivial(false, task.uses_costs),
        Outcome::Trivial => return build::trivial(true, task.uses_costs),
    }
    let names = build::Names { source, task: &task, reached: &reached, atoms: &ground.atoms };
    let layers = layers::layers(&encoded).map_err(|variable| {
        let atom = chosen[renaming.variables[variable as usize] as usize][0];
        Error::NotStratified(names.atom(atom))
    })?;
    build::build(encoded, &layers, &renaming, &chosen, &names)
}

/// For each schema, the pairs of parameters that no instance gives the same
/// object.
pub(crate) fn unequal(task: &NormalTask, reached: &Reached) -> Vec<Vec<(usize, usize)>> {
    let of_schema = |(schema, instances): (&Schema, &Tuples)| {
        let parameters = schema.parameters.len();
        let pairs =
            (0..parameters).flat_map(|left| (left + 1..parameters).map(move |right| (left, right)));
        let mut pairs: Vec<_> = pairs.collect();
        for objects in instances.iter() {
            pairs.retain(|&(left, right)| objects[left] != objects[right]);
        }
        pairs
    };
    task.schemas.iter().zip(&reached.instances).map(of_schema).collect()
}

/// Whether the goal negates each atom. Such atoms get variables of their own,
/// since the goal of a finite-domain task cannot exclude one of several values.
fn negated(goal: &[GroundLiteral], atoms: usize) -> Vec<bool> {
    let mut negated = vec![false; atoms];
    for literal in goal.iter().filter(|literal| literal.negated) {
        negated[literal.atom.index()] = true;
    }
    negated
}

struct Encoder<'a> {
    encoding: Encoding,
    task: &'a NormalTask,
    reached: &'a Reached,
    ground: &'a GroundAtoms<'a>,
    limits: &'a Limits,
}

impl Encoder<'_> {
    /// Encodes the task; `None` if mutex groups rule out the goal.
    fn encode(
        &mut self,
        instantiator: &mut Instantiator<'_>,
        mut goal: Vec<GroundLiteral>,
        groups: &[Vec<AtomId>],
    ) -> Result<Option<EncodedTask>, Stop> {
        let mut ground_axioms = axioms::simplify(self.axioms(instantiator));
        let is_auxiliary =
            |atom: AtomId| self.ground.atoms.predicate(atom).index() >= self.task.first_auxiliary;
        let inliner = Inliner::new(&ground_axioms, is_auxiliary, &self.encoding);
        inliner.inline(&mut goal);
        let Some(goal) = self.encoding.conditions(&goal, self.limits)?.pop() else {
            return Ok(None);
        };
        for axiom in &mut ground_axioms {
            inliner.inline(&mut axiom.body);
        }
        let operators = self.operators(instantiator, &inliner)?;
        let (initial, is_derived) = self.variables();
        Ok(Some(EncodedTask {
            sizes: self.encoding.sizes.clone(),
            is_derived,
            initial,
            goal,
            operators,
            axioms: self.encode_axioms(&ground_axioms)?,
            mutex_groups: groups.iter().map(|group| self.pairs(group)).collect(),
        }))
    }

    fn pairs(&self, atoms: &[AtomId]) -> Vec<FactPair> {
        let mut pairs: Vec<FactPair> = atoms.iter().map(|&atom| self.encoding.pair(atom)).collect();
        pairs.sort_unstable();
        pairs
    }

    fn axioms(&self, instantiator: &mut Instantiator<'_>) -> Vec<GroundAxiom> {
        let mut axioms = Vec::new();
        for (index, instances) in self.reached.axioms.iter().enumerate() {
            axioms
                .extend(instances.iter().filter_map(|objects| instantiator.axiom(index, objects)));
        }
        axioms
    }

    fn encode_axioms(&mut self, axioms: &[GroundAxiom]) -> Result<Vec<EncodedAxiom>, Stop> {
        let mut encoded = Vec::new();
        for axiom in axioms {
            let head = self.encoding.pair(axiom.head);
            let bodies = self.encoding.conditions(&axiom.body, self.limits)?;
            encoded.extend(bodies.into_iter().map(|body| EncodedAxiom { head, body }));
        }
        Ok(encoded)
    }

    fn operators(
        &mut self,
        instantiator: &mut Instantiator<'_>,
        inliner: &Inliner,
    ) -> Result<Vec<EncodedOperator>, Stop> {
        const CHECK_EVERY: usize = 1 << 12;
        let mut encoded = Vec::new();
        let mut operator = GroundOperator::default();
        let mut seen: usize = 0;
        let schemas = self.task.schemas.iter().zip(&self.reached.instances);
        for (number, (schema, instances)) in (0..).zip(schemas) {
            for (instance, objects) in instances.iter().enumerate() {
                seen += 1;
                if seen.is_multiple_of(CHECK_EVERY) {
                    self.limits.check()?;
                    self.limits.reserve(1 << 20)?;
                }
                if !instantiator.operator(schema, objects, &mut operator) {
                    continue;
                }
                inliner.inline_operator(&mut operator);
                self.operator(number, instance as u32, &operator, &mut encoded)?;
            }
        }
        Ok(encoded)
    }

    fn operator(
        &mut self,
        schema: u32,
        instance: u32,
        operator: &GroundOperator,
        encoded: &mut Vec<EncodedOperator>,
    ) -> Result<(), Stop> {
        for mut condition in self.encoding.conditions(&operator.precondition, self.limits)? {
            let mut changes = self.encoding.changes(operator, &condition, self.limits)?;
            if !changes.is_empty() {
                let cost = operator.cost;
                // There may be millions of them.
                condition.shrink_to_fit();
                changes.shrink_to_fit();
                encoded.push(EncodedOperator { schema, instance, cost, condition, changes });
            }
        }
        Ok(())
    }

    /// The initial state, and whether each variable is derived.
    fn variables(&self) -> (Vec<u32>, Vec<bool>) {
        let variables = 0..self.encoding.sizes.len() as u32;
        let mut initial: Vec<u32> = variables.map(|it| self.encoding.none_of_those(it)).collect();
        for atom in &self.task.initial {
            if !self.reached.is_static[atom.predicate.index()] {
                let objects: Vec<u32> = atom.objects.iter().map(|it| it.index() as u32).collect();
                let found = self.ground.find(atom.predicate, &objects);
                let pair = self.encoding.pair(found.expect("what holds initially is reached"));
                initial[pair.variable as usize] = pair.value;
            }
        }
        let mut is_derived = vec![false; initial.len()];
        for (index, predicate) in self.task.predicates.iter().enumerate() {
            if predicate.is_derived {
                let atoms = self.ground.atoms.of_predicate(PredicateId::new(index));
                for atom in atoms {
                    is_derived[self.encoding.pair(AtomId::new(atom)).variable as usize] = true;
                }
            }
        }
        (initial, is_derived)
    }
}
