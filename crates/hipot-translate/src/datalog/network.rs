//! Evaluation: relations, nodes, and the readers that carry tuples between
//! them.
//!
//! A network is what a datalog program compiles to. **Relations** hold the
//! atoms of the predicates, **nodes** the intermediate results of rule bodies.
//! Every tuple is written once, at the end of a list, and never changes or
//! moves. So a **reader** is just a position in a list: what is before it has
//! been handled, what is after it is new. Its consumer is one of four:
//!
//! * a *gate* offers the tuples to a node, which tests and projects them;
//! * a *dispatcher* hands the tuples of a relation to the nodes that want the
//!   objects they have at some positions;
//! * a *join* combines the tuples with all that the other side has so far;
//! * a *head* turns the tuples into atoms of a relation.
//!
//! [`Network::settle`] is semi-naive evaluation. Readers with unread tuples wait
//! in a queue; the first one reads all it has, and whoever reads what it wrote
//! is enqueued. **Why this is complete**: a pair of tuples of a join is found by
//! the reader of whichever tuple is read later, because each tuple is filed
//! under its key before its partners are looked up. **Why each pair is found
//! once**: at the moment the earlier tuple is read, the later one is not filed
//! yet. So a join needs no duplicate check; nodes that project a variable away
//! and relations do, and keep sets. **Why it ends**: there are finitely many
//! tuples over the objects, and each is written once.
//!
//! The order of the queue is first in, first out, hence the result, with the
//! order of its tuples, depends on nothing but the task.
//!
//! **Departures from the literature.** Helmert (2009) splits rules into rules
//! with at most two atoms in the body and gives each intermediate result a
//! predicate of its own, and Fast Downward handles one atom at a time from one
//! queue. Here a reader handles all its new tuples in one go. The ground atoms of
//! a precondition, of which some domains have thousands, would each be a join of
//! one tuple; they are counted instead ([`Network::add_conjunction`]). Before
//! that, three tasks of the archive needed more than half of Fast Downward's
//! memory (`experiments/translation/README.md`).

use std::collections::VecDeque;

use hipot_pddl::ast::PredicateId;
use hipot_task::Stop;

use super::dispatcher::Dispatcher;
use super::join::{Join, NONE};
use super::node::{Gate, Node, NodeId, Slot, Store};
use crate::tuples::{TupleSet, Tuples};

/// Where a reader reads.
#[derive(Clone, Copy, Debug)]
enum Source {
    Relation(PredicateId),
    Node(NodeId),
}

/// What happens to the tuples that a reader reads.
#[derive(Clone, Debug)]
enum Consumer {
    /// The node takes those that pass its gate.
    Gate(NodeId),
    /// The dispatcher with this number hands them on.
    Dispatcher(usize),
    /// The join with this number gets them on this side: 0 is left, 1 is right.
    Join(usize, usize),
    /// They become atoms of this predicate.
    Head(PredicateId, Vec<Slot>),
}

#[derive(Debug)]
struct Reader {
    source: Source,
    consumer: Consumer,
    /// The number of tuples read so far.
    read: usize,
    is_queued: bool,
}

/// Watches the evaluation, and may end it.
pub(crate) trait Watch {
    /// Called every few thousand tuples.
    fn check(&mut self, network: &Network) -> Result<(), Stop>;
}

/// Relations, one for each predicate, and the nodes between them.
#[derive(Debug, Default)]
pub(crate) struct Network {
    relations: Vec<TupleSet>,
    /// The readers of each relation.
    readers_of: Vec<Vec<usize>>,
    nodes: Vec<Node>,
    readers: Vec<Reader>,
    dispatchers: Vec<Dispatcher>,
    joins: Vec<Join>,
    /// The readers that may have unread tuples.
    queue: VecDeque<usize>,
    /// Memory for a tuple.
    scratch: Vec<u32>,
    /// The number of tuples since the last check of the limits.
    unchecked: u32,
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

    /// Takes the tuples out of a node that nothing reads anymore.
    pub(crate) fn take(&mut self, node: NodeId) -> Tuples {
        match std::mem::take(&mut self.nodes[node.0].store) {
            Store::List(tuples) => tuples,
            Store::Set(set) => set.tuples().clone(),
        }
    }

    /// Ends the evaluation for good; only the relations are kept.
    pub(crate) fn into_relations(self) -> Vec<TupleSet> {
        self.relations
    }

    pub(crate) fn insert(&mut self, predicate: PredicateId, tuple: &[u32]) {
        if self.relations[predicate.index()].insert(tuple).1 {
            enqueue(&mut self.readers, &mut self.queue, &self.readers_of[predicate.index()]);
        }
    }

    /// A new node with the tuples of a relation that have these objects at
    /// these positions and pass `gate`.
    pub(crate) fn add_scan(
        &mut self,
        predicate: PredicateId,
        constants: &[(usize, u32)],
        gate: Gate,
    ) -> NodeId {
        let node = self.add_node(gate);
        if constants.is_empty() {
            self.add_reader(Source::Relation(predicate), Consumer::Gate(node));
            return node;
        }
        self.subscribe(predicate, constants, node);
        node
    }

    /// A new node that gets the empty tuple once all of these ground atoms are
    /// reached. Each atom is offered once, so counting them is enough.
    pub(crate) fn add_conjunction(&mut self, atoms: &[(PredicateId, Vec<(usize, u32)>)]) -> NodeId {
        let node = self.add_node(Gate::default());
        self.nodes[node.0].offers_to_skip = atoms.len() - 1;
        for (predicate, objects) in atoms {
            self.subscribe(*predicate, objects, node);
        }
        node
    }

    /// Offers a node the tuples of a relation that have these objects at these
    /// positions: those that are there, and from now on each new one.
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

    /// The dispatcher for these positions, up to date with its relation.
    fn dispatcher(&mut self, predicate: PredicateId, positions: Vec<usize>) -> usize {
        let is_it = |it: &Dispatcher| it.predicate == predicate && it.positions == positions;
        let index = self.dispatchers.iter().position(is_it).unwrap_or_else(|| {
            let index = self.dispatchers.len();
            let consumer = Consumer::Dispatcher(index);
            let reader = self.add_reader(Source::Relation(predicate), consumer);
            self.dispatchers.push(Dispatcher::new(predicate, positions, reader));
            index
        });
        self.dispatch(index);
        index
    }

    /// Hands a dispatcher's unread tuples to the nodes that want them.
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

    /// Offers one tuple of a relation to a node.
    fn offer_one(&mut self, predicate: PredicateId, tuple: usize, target: NodeId) {
        let objects = self.relations[predicate.index()].tuples().get(tuple);
        let node = &mut self.nodes[target.0];
        if node.accept(objects, &mut self.scratch, &self.relations) {
            enqueue(&mut self.readers, &mut self.queue, &node.readers);
        }
    }

    /// A new node with the tuples of another that pass `gate`.
    pub(crate) fn add_view(&mut self, of: NodeId, gate: Gate) -> NodeId {
        let node = self.add_node(gate);
        self.add_reader(Source::Node(of), Consumer::Gate(node));
        node
    }

    /// A new node that holds these values as tuples or, if `arity` is 0, the
    /// empty tuple.
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

    /// A new node with the join of two others. The gate sees the left tuple,
    /// followed by what is at the positions `right_only` of the right one.
    pub(crate) fn add_join(
        &mut self,
        inputs: [NodeId; 2],
        key_positions: [Vec<usize>; 2],
        right_only: Vec<usize>,
        gate: Gate,
    ) -> NodeId {
        let target = self.add_node(gate);
        let join = Join::new(target, inputs, key_positions, right_only);
        self.joins.push(join);
        for (side, input) in inputs.into_iter().enumerate() {
            self.add_reader(Source::Node(input), Consumer::Join(self.joins.len() - 1, side));
        }
        target
    }

    /// Adds an atom of `predicate` for each tuple of a node.
    pub(crate) fn add_head(&mut self, node: NodeId, predicate: PredicateId, terms: Vec<Slot>) {
        self.add_reader(Source::Node(node), Consumer::Head(predicate, terms));
    }

    fn add_node(&mut self, gate: Gate) -> NodeId {
        let arity = gate.output.len();
        let store = if gate.distinct {
            Store::Set(TupleSet::new(arity))
        } else {
            Store::List(Tuples::new(arity))
        };
        self.nodes.push(Node { gate, store, offers_to_skip: 0, readers: Vec::new() });
        NodeId(self.nodes.len() - 1)
    }

    fn add_reader(&mut self, source: Source, consumer: Consumer) -> usize {
        let reader = self.readers.len();
        match source {
            Source::Relation(predicate) => self.readers_of[predicate.index()].push(reader),
            Source::Node(node) => self.nodes[node.0].readers.push(reader),
        }
        self.readers.push(Reader { source, consumer, read: 0, is_queued: true });
        self.queue.push_back(reader);
        reader
    }

    /// Evaluates until nothing new follows.
    pub(crate) fn settle(&mut self, watch: &mut impl Watch) -> Result<(), Stop> {
        while let Some(reader) = self.queue.pop_front() {
            self.readers[reader].is_queued = false;
            match self.readers[reader].consumer.clone() {
                Consumer::Gate(target) => self.offer(reader, target, watch)?,
                Consumer::Dispatcher(dispatcher) => self.dispatch(dispatcher),
                Consumer::Join(join, side) => self.join(reader, join, side, watch)?,
                Consumer::Head(predicate, terms) => {
                    self.add_atoms(reader, predicate, &terms, watch)?;
                }
            }
        }
        Ok(())
    }

    /// The unread tuples of a reader, which count as read from now on.
    fn unread(&mut self, reader: usize) -> std::ops::Range<usize> {
        let Reader { source, read, .. } = self.readers[reader];
        let len = self.source(source).len();
        self.readers[reader].read = len;
        read..len
    }

    fn source(&self, source: Source) -> &Tuples {
        match source {
            Source::Relation(predicate) => self.relations[predicate.index()].tuples(),
            Source::Node(node) => self.nodes[node.0].store.tuples(),
        }
    }

    /// Offers a reader's unread tuples to a node.
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

    /// Joins a reader's unread tuples with those of the other side.
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

    /// Files the next tuple of one side, and joins it with all tuples of the
    /// other side that are filed.
    fn join_one(
        &mut self,
        join: &mut Join,
        side: usize,
        tuple: usize,
        mut found: impl FnMut(&mut Self, &[u32]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut both = std::mem::take(&mut join.buffer);
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
            partner = join.older(1 - side, partner);
        }
        join.buffer = both;
        Ok(())
    }

    /// Adds an atom for each unread tuple of a reader.
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

    /// Puts back a node that was taken out to be written to.
    fn put_back(&mut self, target: NodeId, node: Node, scratch: Vec<u32>, grew: bool) {
        if grew {
            enqueue(&mut self.readers, &mut self.queue, &node.readers);
        }
        self.nodes[target.0] = node;
        self.scratch = scratch;
    }

    /// Counts a tuple, and checks the limits now and then.
    fn tick(&mut self, watch: &mut impl Watch) -> Result<(), Stop> {
        const CHECK_INTERVAL: u32 = 1 << 13;
        self.unchecked += 1;
        if self.unchecked < CHECK_INTERVAL {
            return Ok(());
        }
        self.unchecked = 0;
        watch.check(self)
    }
}

/// Enqueues readers whose source has grown.
fn enqueue(readers: &mut [Reader], queue: &mut VecDeque<usize>, grown: &[usize]) {
    for &reader in grown {
        if !std::mem::replace(&mut readers[reader].is_queued, true) {
            queue.push_back(reader);
        }
    }
}
