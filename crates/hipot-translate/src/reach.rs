//! Relaxed reachability: the atoms that can become true, and the instances of
//! schemas and axioms that can become applicable, if nothing ever becomes
//! false.
//!
//! **What is computed.** The least model of a datalog program (Helmert 2009,
//! Section 6). Each schema is a rule: "the instance follows from its
//! precondition". Each of its add effects is one more: "the atom follows from
//! the instance and the effect's condition". An effect without condition and
//! own variables needs no body; its atom follows from the instance directly.
//! Axioms are rules already.
//!
//! **Why it is safe.** Negated literals of fluent predicates are ignored, and
//! delete effects too. So every atom that is true in some reachable state, and
//! every instance applicable in one, is found; what is not found can be dropped.
//! Negated literals of static predicates and inequalities are not ignored: they
//! never change, so testing them is exact. This is stronger than Fast
//! Downward's translator, which tests them only on the finished instances; in
//! tidybot it saves up to half of the operators.
//!
//! **Costs.** If the cost of an action is the value of a function, an instance
//! exists only where the function has a value. Its domain of definition counts
//! as a static predicate and is joined like one.
//!
//! The instances are kept as tuples of objects, not as operators. A large task
//! has millions, and [`instantiate`](crate::instantiate) makes each operator
//! only when it is encoded.

use fixedbitset::FixedBitSet;
use hipot_pddl::ast::{Cost, FunctionId, PredicateId, Term};
use hipot_task::{Limits, Stop};

use crate::datalog::{Network, NodeId, Rule, Slot, Watch};
use crate::normal::{AxiomSchema, Literal, NormalTask, Range, Schema, SchemaEffect};
use crate::tuples::{TupleSet, Tuples};

/// The reachable atoms and instances.
#[derive(Debug)]
pub(crate) struct Reached {
    /// The atoms of each predicate; then, for each function, the objects for
    /// which it has a value, in the order of [`NormalTask::values`].
    pub(crate) relations: Vec<TupleSet>,
    /// The instances of each schema: the objects for its parameters.
    pub(crate) instances: Vec<Tuples>,
    /// The instances of each axiom schema.
    pub(crate) axioms: Vec<Tuples>,
    /// Whether a predicate is static: neither changed by effects nor derived.
    pub(crate) is_static: Vec<bool>,
}

/// How far the grounding has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of atoms reached so far.
    pub facts: usize,
    /// The number of operators reached so far.
    pub operators: usize,
}

/// Computes what is reachable in `task`, and calls `report` now and then.
pub(crate) fn reach(
    task: &NormalTask,
    limits: &Limits,
    report: &mut dyn FnMut(Progress),
) -> Result<Reached, Stop> {
    let mut explorer = Explorer::new(task, limits, report);
    let instances = explorer.schemas()?;
    let axioms = explorer.axioms()?;
    let Explorer { mut network, mut monitor, is_static, .. } = explorer;
    network.settle(&mut monitor)?;
    monitor.check(&network)?;
    let mut take = |nodes: Vec<Option<NodeId>>| {
        let taken =
            nodes.into_iter().map(|node| node.map_or_else(Tuples::default, |it| network.take(it)));
        taken.collect::<Vec<_>>()
    };
    let (instances, axioms) = (take(instances), take(axioms));
    Ok(Reached { relations: network.into_relations(), instances, axioms, is_static })
}

/// The relation that holds the objects for which a function has a value.
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
    monitor: Monitor<'a>,
    is_static: Vec<bool>,
}

/// Checks the limits, and reports the progress.
struct Monitor<'a> {
    limits: &'a Limits,
    report: &'a mut dyn FnMut(Progress),
    schemas: Vec<NodeId>,
    fluents: Vec<PredicateId>,
}

impl Watch for Monitor<'_> {
    fn check(&mut self, network: &Network) -> Result<(), Stop> {
        let facts = self.fluents.iter().map(|&fluent| network.relation(fluent).len()).sum();
        let operators = self.schemas.iter().map(|&node| network.tuples(node).len()).sum();
        (self.report)(Progress { facts, operators });
        self.limits.check()?;
        self.limits.reserve(0)
    }
}

impl<'a> Explorer<'a> {
    fn new(task: &'a NormalTask, limits: &'a Limits, report: &'a mut dyn FnMut(Progress)) -> Self {
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
        let monitor = Monitor { limits, report, schemas: Vec::new(), fluents };
        Self { task, network, monitor, is_static }
    }

    fn schemas(&mut self) -> Result<Vec<Option<NodeId>>, Stop> {
        let mut nodes = Vec::new();
        for schema in &self.task.schemas {
            let node = self.schema(schema)?;
            if let Some(node) = node {
                self.monitor.schemas.push(node);
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
        rule.compile(&mut self.network, &self.is_static, &mut self.monitor)
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
        if let Some(node) = rule.compile(&mut self.network, &self.is_static, &mut self.monitor)? {
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
        let node = rule.compile(&mut self.network, &self.is_static, &mut self.monitor)?;
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
