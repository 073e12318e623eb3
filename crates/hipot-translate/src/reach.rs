//! Relaxed reachability: which atoms can become true, and which instances of
//! schemas and axioms applicable, if nothing ever becomes false.
//!
//! Each schema is a rule, "the instance follows from its precondition", and
//! so is each of its effects, "the atom follows from the instance and the
//! effect's condition". Negated literals are ignored, but those of static
//! predicates and of equality, which are exact. Where an action's cost is the
//! value of a function, the function must have one: it counts as a static
//! predicate.

use fixedbitset::FixedBitSet;
use hipot_pddl::ast::{Cost, FunctionId, PredicateId, Term};
use hipot_task::{Limits, Stop};

use crate::datalog::{Network, NodeId, Rule, Slot, Watch};
use crate::normal::{AxiomSchema, Literal, NormalTask, Range, Schema, SchemaEffect};
use crate::tuples::{TupleSet, Tuples};

/// What is reachable.
#[derive(Debug)]
pub(crate) struct Reached {
    /// The atoms of each predicate; then, for each function, the objects for
    /// which it has a value, in the order of [`NormalTask::values`].
    pub(crate) relations: Vec<TupleSet>,
    /// The instances of each schema: the objects for its parameters.
    pub(crate) instances: Vec<Tuples>,
    /// The instances of each axiom's pattern.
    pub(crate) axioms: Vec<Tuples>,
    /// Whether a predicate is never changed and not derived.
    pub(crate) is_static: Vec<bool>,
}

/// Who wants to know how far the grounding has come.
pub trait Observer {
    /// So many atoms and operators are known to be reachable.
    fn reached(&mut self, facts: usize, operators: usize);
}

impl Observer for () {
    fn reached(&mut self, _: usize, _: usize) {}
}

/// Computes what is reachable in `task`.
pub(crate) fn reach(
    task: &NormalTask,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Reached, Stop> {
    let mut explorer = Explorer::new(task, limits, observer);
    let instances = explorer.schemas()?;
    let axioms = explorer.axioms()?;
    let Explorer { mut network, mut guard, is_static, .. } = explorer;
    network.settle(&mut guard)?;
    guard.look(&network)?;
    let mut take = |nodes: Vec<Option<NodeId>>| {
        let taken =
            nodes.into_iter().map(|node| node.map_or_else(Tuples::default, |it| network.take(it)));
        taken.collect::<Vec<_>>()
    };
    let (instances, axioms) = (take(instances), take(axioms));
    Ok(Reached { relations: network.into_relations(), instances, axioms, is_static })
}

/// The relation that holds the arguments for which a function has a value.
pub(crate) fn domain_of(function: FunctionId, task: &NormalTask) -> PredicateId {
    PredicateId::new(task.predicates.len() + function.index())
}

/// The predicates that neither effects nor axioms change.
fn static_predicates(task: &NormalTask) -> Vec<bool> {
    let mut is_static = vec![true; task.predicates.len() + task.functions.len()];
    let changed = task.schemas.iter().flat_map(|schema| &schema.effects);
    changed.for_each(|effect| is_static[effect.literal.predicate.index()] = false);
    for (index, predicate) in task.predicates.iter().enumerate() {
        is_static[index] &= !predicate.is_derived;
    }
    is_static
}

struct Explorer<'a> {
    task: &'a NormalTask,
    network: Network,
    guard: Guard<'a>,
    is_static: Vec<bool>,
}

/// Keeps the limits, and tells how far it is.
struct Guard<'a> {
    limits: &'a Limits,
    observer: &'a mut dyn Observer,
    schemas: Vec<NodeId>,
    fluents: Vec<PredicateId>,
}

impl Watch for Guard<'_> {
    fn look(&mut self, network: &Network) -> Result<(), Stop> {
        let facts = self.fluents.iter().map(|&fluent| network.relation(fluent).len()).sum();
        let operators = self.schemas.iter().map(|&node| network.tuples(node).len()).sum();
        self.observer.reached(facts, operators);
        self.limits.check()?;
        self.limits.reserve(0)
    }
}

impl<'a> Explorer<'a> {
    fn new(task: &'a NormalTask, limits: &'a Limits, observer: &'a mut dyn Observer) -> Self {
        let arities = task.predicates.iter().map(|predicate| predicate.arity);
        let mut network = Network::new(arities.chain(task.functions.iter().copied()));
        let raw = |objects: &[hipot_pddl::ast::ObjectId]| -> Vec<u32> {
            objects.iter().map(|object| object.index() as u32).collect()
        };
        for atom in &task.initial {
            network.insert(atom.predicate, &raw(&atom.objects));
        }
        for value in &task.values {
            network.insert(domain_of(value.function, task), &raw(&value.objects));
        }
        let is_static = static_predicates(task);
        let fluents = (0..task.predicates.len()).filter(|&index| !is_static[index]);
        let fluents = fluents.map(PredicateId::new).collect();
        let guard = Guard { limits, observer, schemas: Vec::new(), fluents };
        Self { task, network, guard, is_static }
    }

    fn schemas(&mut self) -> Result<Vec<Option<NodeId>>, Stop> {
        let mut nodes = Vec::new();
        for schema in &self.task.schemas {
            let node = self.schema(schema)?;
            if let Some(node) = node {
                self.guard.schemas.push(node);
                for effect in schema.effects.iter().filter(|effect| !effect.literal.negated) {
                    self.effect(schema, effect, node)?;
                }
            }
            nodes.push(node);
        }
        Ok(nodes)
    }

    fn schema(&mut self, schema: &Schema) -> Result<Option<NodeId>, Stop> {
        let costs = schema.cost.iter().filter_map(|cost| match cost {
            Cost::Number(_) => None,
            Cost::Value(function, terms) => {
                let predicate = domain_of(*function, self.task);
                Some(Literal { negated: false, predicate, terms: terms.clone() })
            }
        });
        let costs: Vec<_> = costs.collect();
        let rule = Rule {
            domains: self.domains(&schema.parameters),
            literals: schema.precondition.iter().chain(&costs).collect(),
            base: None,
            wanted: (0..schema.parameters.len()).collect(),
        };
        rule.compile(&mut self.network, &self.is_static, &mut self.guard)
    }

    fn effect(&mut self, schema: &Schema, effect: &SchemaEffect, node: NodeId) -> Result<(), Stop> {
        let Literal { predicate, terms, .. } = &effect.literal;
        if effect.parameters.is_empty() && effect.condition.is_empty() {
            self.network.add_head(node, *predicate, slots(terms, |variable| variable));
            return Ok(());
        }
        let mut wanted: Vec<usize> = terms.iter().filter_map(|&term| variable(term)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let all: Vec<Range> = schema.parameters.iter().chain(&effect.parameters).cloned().collect();
        let rule = Rule {
            domains: self.domains(&all),
            literals: effect.condition.iter().collect(),
            base: Some((node, schema.parameters.len())),
            wanted: wanted.clone(),
        };
        if let Some(node) = rule.compile(&mut self.network, &self.is_static, &mut self.guard)? {
            let position = |variable| wanted.binary_search(&variable).expect("it is wanted");
            self.network.add_head(node, *predicate, slots(terms, position));
        }
        Ok(())
    }

    fn axioms(&mut self) -> Result<Vec<Option<NodeId>>, Stop> {
        let mut nodes = Vec::new();
        for axiom in &self.task.axioms {
            nodes.push(self.axiom(axiom)?);
        }
        Ok(nodes)
    }

    fn axiom(&mut self, axiom: &AxiomSchema) -> Result<Option<NodeId>, Stop> {
        let rule = Rule {
            domains: self.domains(&axiom.parameters),
            literals: axiom.condition.iter().collect(),
            base: None,
            wanted: (0..axiom.parameters.len()).collect(),
        };
        let node = rule.compile(&mut self.network, &self.is_static, &mut self.guard)?;
        if let Some(node) = node {
            let arity = self.task.predicates[axiom.predicate.index()].arity;
            let terms = (0..arity).map(Slot::Position).collect();
            self.network.add_head(node, axiom.predicate, terms);
        }
        Ok(node)
    }

    fn domains(&self, ranges: &[Range]) -> Vec<FixedBitSet> {
        let domain = |Range(objects): &Range| {
            let mut domain = FixedBitSet::with_capacity(self.task.objects);
            domain.extend(objects.iter().map(|object| object.index()));
            domain
        };
        ranges.iter().map(domain).collect()
    }
}

fn variable(term: Term) -> Option<usize> {
    match term {
        Term::Object(_) => None,
        Term::Variable(variable) => Some(variable.index()),
    }
}

/// The terms as slots of a tuple that has variable v at `position(v)`.
fn slots(terms: &[Term], position: impl Fn(usize) -> usize) -> Vec<Slot> {
    let slot = |&term: &Term| match term {
        Term::Object(object) => Slot::Constant(object.index() as u32),
        Term::Variable(variable) => Slot::Position(position(variable.index())),
    };
    terms.iter().map(slot).collect()
}
