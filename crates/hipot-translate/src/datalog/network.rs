//! Nodes that hold tuples, and readers that carry them from node to node.

use std::collections::VecDeque;

use hipot_pddl::ast::PredicateId;
use hipot_task::Stop;

use super::node::{Gate, Node, Slot, Store};
use crate::tuples::{TupleSet, Tuples};

/// A node of a [`Network`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeId(usize);

/// The state of a join: for each key the tuples of both sides that have it,
/// as linked lists.
#[derive(Debug, Default)]
struct Join {
    target: NodeId,
    inputs: [NodeId; 2],
    key_positions: [Vec<usize>; 2],
    /// Where the right tuple has the variables that the left one lacks.
    right_only: Vec<usize>,
    keys: TupleSet,
    heads: [Vec<u32>; 2],
    next: [Vec<u32>; 2],
    /// Memory for a key or a pair of tuples.
    both: Vec<u32>,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
enum Source {
    Relation(PredicateId),
    Node(NodeId),
}

/// The tuples of a relation by the objects at some positions, and the nodes
/// that want those with given objects there. Domains written for one instance
/// have thousands of schemas full of constants: each must not read it all.
#[derive(Debug)]
struct Dispatcher {
    predicate: PredicateId,
    positions: Vec<usize>,
    reader: usize,
    keys: TupleSet,
    /// For each key, the tuples that have it, and the nodes that want it.
    tuples: Vec<Vec<u32>>,
    targets: Vec<Vec<NodeId>>,
}

impl Dispatcher {
    fn key(&mut self, key: &[u32]) -> usize {
        let (number, is_new) = self.keys.insert(key);
        if is_new {
            self.tuples.push(Vec::new());
            self.targets.push(Vec::new());
        }
        number
    }
}

#[derive(Clone, Debug)]
enum Action {
    Offer(NodeId),
    Dispatch(usize),
    /// A join, and which of its sides is read.
    Join(usize, usize),
    Insert(PredicateId, Vec<Slot>),
}

#[derive(Debug)]
struct Reader {
    source: Source,
    action: Action,
    seen: usize,
    queued: bool,
}

/// Who watches the evaluation, and may end it.
pub(crate) trait Watch {
    /// Called now and then.
    fn look(&mut self, network: &Network) -> Result<(), Stop>;
}

/// Relations, one for each predicate, and the nodes between them.
#[derive(Debug, Default)]
pub(crate) struct Network {
    relations: Vec<TupleSet>,
    readers_of: Vec<Vec<usize>>,
    nodes: Vec<Node>,
    readers: Vec<Reader>,
    dispatchers: Vec<Dispatcher>,
    joins: Vec<Join>,
    queue: VecDeque<usize>,
    scratch: Vec<u32>,
    ticks: u32,
}

impl Network {
    /// Empty relations of these arities.
    pub(crate) fn new(arities: impl IntoIterator<Item = usize>) -> Self {
        let relations: Vec<_> = arities.into_iter().map(TupleSet::new).collect();
        let readers_of = vec![Vec::new(); relations.len()];
        Self { relations, readers_of, ..Self::default() }
    }

    pub(crate) fn relation(&self, predicate: PredicateId) -> &TupleSet {
        &self.relations[predicate.index()]
    }

    pub(crate) fn tuples(&self, node: NodeId) -> &Tuples {
        self.nodes[node.0].store.tuples()
    }

    /// Takes the tuples out of a node that nothing reads any more.
    pub(crate) fn take(&mut self, node: NodeId) -> Tuples {
        match std::mem::take(&mut self.nodes[node.0].store) {
            Store::List(tuples) => tuples,
            Store::Set(set) => set.tuples().clone(),
        }
    }

    /// Ends the evaluation for good: only the relations stay.
    pub(crate) fn into_relations(self) -> Vec<TupleSet> {
        self.relations
    }

    pub(crate) fn insert(&mut self, predicate: PredicateId, tuple: &[u32]) {
        if self.relations[predicate.index()].insert(tuple).1 {
            enqueue(&mut self.readers, &mut self.queue, &self.readers_of[predicate.index()]);
        }
    }

    /// A node with the tuples of a relation that have these objects at these
    /// positions, and pass `gate`.
    pub(crate) fn add_scan(
        &mut self,
        predicate: PredicateId,
        constants: &[(usize, u32)],
        gate: Gate,
    ) -> NodeId {
        let node = self.add_node(gate);
        if constants.is_empty() {
            self.add_reader(Source::Relation(predicate), Action::Offer(node));
            return node;
        }
        self.subscribe(predicate, constants, node);
        node
    }

    /// A node that has the empty tuple once all of these atoms hold: given by
    /// their predicates and their objects.
    pub(crate) fn add_conjunction(&mut self, atoms: &[(PredicateId, Vec<(usize, u32)>)]) -> NodeId {
        let node = self.add_node(Gate::default());
        self.nodes[node.0].missing = atoms.len() - 1;
        for (predicate, objects) in atoms {
            self.subscribe(*predicate, objects, node);
        }
        node
    }

    /// Offers to a node the tuples of a relation that have these objects at
    /// these positions, now and whenever there is a new one.
    fn subscribe(&mut self, predicate: PredicateId, constants: &[(usize, u32)], node: NodeId) {
        let (positions, key): (Vec<usize>, Vec<u32>) = constants.iter().copied().unzip();
        let dispatcher = self.dispatcher(predicate, positions);
        let key = self.dispatchers[dispatcher].key(&key);
        let known = self.dispatchers[dispatcher].tuples[key].clone();
        self.dispatchers[dispatcher].targets[key].push(node);
        for tuple in known {
            self.offer_one(predicate, tuple as usize, node);
        }
    }

    /// The dispatcher for these positions, with all tuples so far.
    fn dispatcher(&mut self, predicate: PredicateId, positions: Vec<usize>) -> usize {
        let is_it = |it: &Dispatcher| it.predicate == predicate && it.positions == positions;
        let index = self.dispatchers.iter().position(is_it).unwrap_or_else(|| {
            let index = self.dispatchers.len();
            let reader = self.add_reader(Source::Relation(predicate), Action::Dispatch(index));
            let keys = TupleSet::new(positions.len());
            let (tuples, targets) = <_>::default();
            self.dispatchers.push(Dispatcher {
                predicate,
                positions,
                reader,
                keys,
                tuples,
                targets,
            });
            index
        });
        self.dispatch(index);
        index
    }

    /// Hands the unread tuples of a relation to the nodes that want them.
    fn dispatch(&mut self, index: usize) {
        let mut key = Vec::new();
        let Dispatcher { predicate, reader, .. } = self.dispatchers[index];
        for tuple in self.unread(reader) {
            let dispatcher = &mut self.dispatchers[index];
            let objects = self.relations[predicate.index()].tuples().get(tuple);
            key.clear();
            key.extend(dispatcher.positions.iter().map(|&position| objects[position]));
            let number = dispatcher.key(&key);
            dispatcher.tuples[number].push(tuple as u32);
            for target in 0..dispatcher.targets[number].len() {
                let node = self.dispatchers[index].targets[number][target];
                self.offer_one(predicate, tuple, node);
            }
        }
    }

    fn offer_one(&mut self, predicate: PredicateId, tuple: usize, target: NodeId) {
        let objects = self.relations[predicate.index()].tuples().get(tuple);
        let node = &mut self.nodes[target.0];
        if node.accept(objects, &mut self.scratch, &self.relations) {
            enqueue(&mut self.readers, &mut self.queue, &node.readers);
        }
    }

    /// A node with the tuples of another that pass `gate`.
    pub(crate) fn add_view(&mut self, of: NodeId, gate: Gate) -> NodeId {
        let node = self.add_node(gate);
        self.add_reader(Source::Node(of), Action::Offer(node));
        node
    }

    /// A node with given tuples, of which `gate` has nothing to drop.
    pub(crate) fn add_values(&mut self, arity: usize, values: impl Iterator<Item = u32>) -> NodeId {
        let gate = Gate { output: (0..arity).collect(), ..Gate::default() };
        let node = self.add_node(gate);
        let Store::List(tuples) = &mut self.nodes[node.0].store else { unreachable!() };
        if arity == 0 {
            tuples.push(&[]);
        } else {
            values.for_each(|value| tuples.push(&[value]));
        }
        node
    }

    /// A node with the join of two others. Tuples come to `gate` as the left
    /// tuple and then the positions `right_only` of the right one.
    pub(crate) fn add_join(
        &mut self,
        inputs: [NodeId; 2],
        key_positions: [Vec<usize>; 2],
        right_only: Vec<usize>,
        gate: Gate,
    ) -> NodeId {
        let target = self.add_node(gate);
        let keys = TupleSet::new(key_positions[0].len());
        let join = Join { target, inputs, key_positions, right_only, keys, ..Join::default() };
        self.joins.push(join);
        for (side, input) in inputs.into_iter().enumerate() {
            self.add_reader(Source::Node(input), Action::Join(self.joins.len() - 1, side));
        }
        target
    }

    /// Puts an atom for each tuple of a node into a relation.
    pub(crate) fn add_head(&mut self, node: NodeId, predicate: PredicateId, terms: Vec<Slot>) {
        self.add_reader(Source::Node(node), Action::Insert(predicate, terms));
    }

    fn add_node(&mut self, gate: Gate) -> NodeId {
        let arity = gate.output.len();
        let store = if gate.distinct {
            Store::Set(TupleSet::new(arity))
        } else {
            Store::List(Tuples::new(arity))
        };
        self.nodes.push(Node { gate, store, missing: 0, readers: Vec::new() });
        NodeId(self.nodes.len() - 1)
    }

    fn add_reader(&mut self, source: Source, action: Action) -> usize {
        let reader = self.readers.len();
        match source {
            Source::Relation(predicate) => self.readers_of[predicate.index()].push(reader),
            Source::Node(node) => self.nodes[node.0].readers.push(reader),
        }
        self.readers.push(Reader { source, action, seen: 0, queued: true });
        self.queue.push_back(reader);
        reader
    }

    /// Evaluates until nothing new follows.
    pub(crate) fn settle(&mut self, watch: &mut impl Watch) -> Result<(), Stop> {
        while let Some(reader) = self.queue.pop_front() {
            self.readers[reader].queued = false;
            let action = self.readers[reader].action.clone();
            match action {
                Action::Offer(target) => self.offer(reader, target, watch)?,
                Action::Dispatch(dispatcher) => self.dispatch(dispatcher),
                Action::Join(join, side) => self.join(reader, join, side, watch)?,
                Action::Insert(predicate, terms) => {
                    self.add_atoms(reader, predicate, &terms, watch)?;
                }
            }
        }
        Ok(())
    }

    fn unread(&mut self, reader: usize) -> std::ops::Range<usize> {
        let Reader { source, seen, .. } = self.readers[reader];
        let len = self.source(source).len();
        self.readers[reader].seen = len;
        seen..len
    }

    fn source(&self, source: Source) -> &Tuples {
        match source {
            Source::Relation(predicate) => self.relations[predicate.index()].tuples(),
            Source::Node(node) => self.nodes[node.0].store.tuples(),
        }
    }

    fn offer(&mut self, reader: usize, target: NodeId, watch: &mut impl Watch) -> Result<(), Stop> {
        let source = self.readers[reader].source;
        let mut node = std::mem::take(&mut self.nodes[target.0]);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut grew = false;
        let mut ended = Ok(());
        for index in self.unread(reader) {
            let tuple = self.source(source).get(index);
            grew |= node.accept(tuple, &mut scratch, &self.relations);
            ended = self.tick(watch);
            if ended.is_err() {
                break;
            }
        }
        self.put_back(target, node, scratch, grew);
        ended
    }

    fn join(
        &mut self,
        reader: usize,
        index: usize,
        side: usize,
        watch: &mut impl Watch,
    ) -> Result<(), Stop> {
        let mut join = std::mem::take(&mut self.joins[index]);
        let mut node = std::mem::take(&mut self.nodes[join.target.0]);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut grew = false;
        let mut ended = Ok(());
        for tuple in self.unread(reader) {
            ended = self.join_one(&mut join, side, tuple, |network, both| {
                grew |= node.accept(both, &mut scratch, &network.relations);
                network.tick(watch)
            });
            if ended.is_err() {
                break;
            }
        }
        self.put_back(join.target, node, scratch, grew);
        self.joins[index] = join;
        ended
    }

    /// Joins the next tuple of one side with all that the other side has.
    fn join_one(
        &mut self,
        join: &mut Join,
        side: usize,
        tuple: usize,
        mut found: impl FnMut(&mut Self, &[u32]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut both = std::mem::take(&mut join.both);
        both.clear();
        let objects = self.tuples(join.inputs[side]).get(tuple);
        both.extend(join.key_positions[side].iter().map(|&position| objects[position]));
        let mut partner = join.add(&both, side);
        while partner != NONE {
            let mut pair = [tuple, partner as usize];
            if side == 1 {
                pair.swap(0, 1);
            }
            both.clear();
            both.extend_from_slice(self.tuples(join.inputs[0]).get(pair[0]));
            let right = self.tuples(join.inputs[1]).get(pair[1]);
            both.extend(join.right_only.iter().map(|&position| right[position]));
            found(self, &both)?;
            partner = join.next[1 - side][partner as usize];
        }
        join.both = both;
        Ok(())
    }

    fn add_atoms(
        &mut self,
        reader: usize,
        predicate: PredicateId,
        terms: &[Slot],
        watch: &mut impl Watch,
    ) -> Result<(), Stop> {
        let source = self.readers[reader].source;
        let mut relation = std::mem::take(&mut self.relations[predicate.index()]);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut grew = false;
        let mut ended = Ok(());
        for index in self.unread(reader) {
            let tuple = self.source(source).get(index);
            scratch.clear();
            scratch.extend(terms.iter().map(|term| term.value(tuple)));
            grew |= relation.insert(&scratch).1;
            ended = self.tick(watch);
            if ended.is_err() {
                break;
            }
        }
        self.relations[predicate.index()] = relation;
        self.scratch = scratch;
        if grew {
            enqueue(&mut self.readers, &mut self.queue, &self.readers_of[predicate.index()]);
        }
        ended
    }

    fn put_back(&mut self, target: NodeId, node: Node, scratch: Vec<u32>, grew: bool) {
        if grew {
            enqueue(&mut self.readers, &mut self.queue, &node.readers);
        }
        self.nodes[target.0] = node;
        self.scratch = scratch;
    }

    fn tick(&mut self, watch: &mut impl Watch) -> Result<(), Stop> {
        const EVERY: u32 = 1 << 13;
        self.ticks += 1;
        if self.ticks < EVERY {
            return Ok(());
        }
        self.ticks = 0;
        watch.look(self)
    }
}

fn enqueue(readers: &mut [Reader], queue: &mut VecDeque<usize>, grown: &[usize]) {
    for &reader in grown {
        if !std::mem::replace(&mut readers[reader].queued, true) {
            queue.push_back(reader);
        }
    }
}

impl Join {
    /// Adds the next tuple of a side under its key; the first of the tuples
    /// of the other side with that key.
    fn add(&mut self, key: &[u32], side: usize) -> u32 {
        let (number, is_new) = self.keys.insert(key);
        if is_new {
            self.heads.iter_mut().for_each(|heads| heads.push(NONE));
        }
        let tuple = self.next[side].len() as u32;
        let head = &mut self.heads[side][number];
        self.next[side].push(std::mem::replace(head, tuple));
        self.heads[1 - side][number]
    }
}
