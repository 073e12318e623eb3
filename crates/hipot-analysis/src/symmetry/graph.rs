//! The task as a colored graph of facts, variables and operators.
//!
//! Vertices are numbered facts first (as in [`Facts`]), then
//! variables, then operators. A fact is joined to its variable, and an
//! operator to each fact that it mentions, labeled with the fact's [`Role`]:
//! required and kept, required and changed, or set. An effect that repeats a
//! precondition, as in transition normal form, adds nothing to the precondition
//! and makes no edge of its own.

use hipot_task::{Fact, FactId, Facts, Operator, Task};

/// The role of a fact in an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Kept,
    Changed,
    Set,
}

/// An edge as seen from one end: the vertex at the other end and the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge(u32);

impl Edge {
    const ROLE_BITS: u32 = 2;

    pub(super) fn new(vertex: u32, role: Role) -> Self {
        Self(vertex << Self::ROLE_BITS | role as u32)
    }

    pub(super) fn vertex(self) -> u32 {
        self.0 >> Self::ROLE_BITS
    }

    /// The edge with this role to another vertex.
    pub(super) fn with_vertex(self, vertex: u32) -> Self {
        Self(vertex << Self::ROLE_BITS | self.role())
    }

    pub(super) fn role(self) -> u32 {
        self.0 & ((1 << Self::ROLE_BITS) - 1)
    }

    pub(super) fn code(self) -> u32 {
        self.0
    }
}

/// The graph of a task; each vertex has a color that symmetries preserve.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) numbering: Facts,
    /// Where the edges of each vertex begin, and at the end their number.
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// What a symmetry preserves: for facts the membership in sets, for
    /// operators the cost. Only vertices of one kind are compared.
    pub(super) colors: Vec<u32>,
}

/// An estimate of the memory that the search needs, in bytes.
pub(super) fn bytes(task: &Task) -> u64 {
    const PER_VERTEX: usize = 96;
    const PER_MENTION: usize = 16;
    let mention = |operator: &Operator| operator.preconditions.len() + operator.effects.len();
    let mentions: usize = task.operators().iter().map(mention).sum();
    let vertices = 2 * task.fact_count() + task.operators().len();
    (PER_VERTEX * vertices + PER_MENTION * mentions) as u64
}

impl Graph {
    pub(super) fn new(task: &Task, preserved: &[&[Fact]]) -> Self {
        let numbering = Facts::new(task);
        let mut colors = fact_colors(&numbering, preserved);
        colors.extend(task.variables().iter().map(|_| 0));
        colors.extend(task.operators().iter().map(|operator| operator.cost));
        let ends = ends(task, &numbering);
        let (first, edges) = adjacency(colors.len(), &ends);
        Self { numbering, first, edges, colors }
    }

    pub(super) fn vertices(&self) -> usize {
        self.colors.len()
    }

    pub(super) fn facts(&self) -> usize {
        self.numbering.len()
    }

    /// The number of the first operator's vertex.
    pub(super) fn first_operator(&self) -> usize {
        self.numbering.len() + self.numbering.variable_count()
    }

    /// The number of vertices, plus the number of edges counted from both ends.
    pub(super) fn size(&self) -> u64 {
        (self.colors.len() + self.edges.len()) as u64
    }

    /// The edges of a vertex, in order.
    pub(super) fn edges(&self, vertex: u32) -> &[Edge] {
        let vertex = vertex as usize;
        &self.edges[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    /// The operators that mention a fact, as vertices.
    pub(super) fn operators_of(&self, fact: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.first_operator() as u32;
        self.edges(fact).iter().map(|edge| edge.vertex()).filter(move |&vertex| vertex >= first)
    }
}

/// Two facts have the same color if they are in the same sets.
fn fact_colors(numbering: &Facts, sets: &[&[Fact]]) -> Vec<u32> {
    let mut colors = vec![0; numbering.len()];
    for &set in sets {
        let mut refined: Vec<(u32, bool)> = colors.iter().map(|&color| (color, false)).collect();
        for &fact in set {
            refined[numbering.id(fact).number() as usize].1 = true;
        }
        let mut ranks = refined.clone();
        ranks.sort_unstable();
        ranks.dedup();
        let rank = |key| ranks.partition_point(|&rank| rank < key) as u32;
        colors = refined.into_iter().map(rank).collect();
    }
    colors
}

/// All edges, each from a fact to a variable or an operator.
fn ends(task: &Task, numbering: &Facts) -> Vec<(u32, Edge)> {
    let facts = numbering.len() as u32;
    let of_variable = |fact| {
        (fact, Edge::new(facts + numbering.variable(FactId::new(fact)).index() as u32, Role::Kept))
    };
    let mut ends: Vec<(u32, Edge)> = (0..facts).map(of_variable).collect();
    let first_operator = facts + numbering.variable_count() as u32;
    for (vertex, operator) in (first_operator..).zip(task.operators()) {
        mention(operator, |fact, role| {
            ends.push((numbering.id(fact).number(), Edge::new(vertex, role)));
        });
    }
    ends
}

/// Calls `mentioned` for each fact of the operator with its role.
fn mention(operator: &Operator, mut mentioned: impl FnMut(Fact, Role)) {
    let mut changed: Vec<Fact> = Vec::with_capacity(operator.effects.len());
    changed.extend(operator.effects.iter().map(|effect| effect.fact));
    changed.retain(|fact| operator.precondition_on(fact.variable) != Some(fact.value));
    changed.sort_unstable();
    for &fact in &operator.preconditions {
        let changes = changed.binary_search_by_key(&fact.variable, |fact| fact.variable).is_ok();
        mentioned(fact, if changes { Role::Changed } else { Role::Kept });
    }
    for fact in changed {
        mentioned(fact, Role::Set);
    }
}

/// Each edge listed at both of its ends, by counting.
fn adjacency(vertices: usize, ends: &[(u32, Edge)]) -> (Vec<u32>, Vec<Edge>) {
    let mut first = vec![0_u32; vertices + 1];
    for &(fact, edge) in ends {
        first[fact as usize + 1] += 1;
        first[edge.vertex() as usize + 1] += 1;
    }
    for vertex in 0..vertices {
        first[vertex + 1] += first[vertex];
    }
    let mut next = first.clone();
    let mut edges = vec![Edge(0); 2 * ends.len()];
    let mut put = |vertex: u32, edge: Edge| {
        let place = &mut next[vertex as usize];
        edges[*place as usize] = edge;
        *place += 1;
    };
    for &(fact, edge) in ends {
        put(fact, edge);
        put(edge.vertex(), edge.with_vertex(fact));
    }
    for vertex in 0..vertices {
        edges[first[vertex] as usize..first[vertex + 1] as usize].sort_unstable();
    }
    (first, edges)
}
