//! Planning: from the body of a rule to a tree of joins.
//!
//! Each literal of the body gets a role. Static literals with one variable
//! *restrict* its domain, here and now. Equalities and negated static literals
//! are *tests*: they cost no join, and are attached to the first node that has
//! all their variables. Every other positive literal is *joined*. Negated
//! literals of fluent predicates are ignored, which is what makes the
//! reachability relaxed.
//!
//! The joined literals are the first operands, each a scan of its relation with
//! the domains of its variables as tests. Then, as long as there are two
//! operands, the pair whose join is estimated to be smallest is replaced by its
//! join. The estimate assumes independence: |L| · |R| divided by the number of
//! values that the common variables can take together. Operands without common
//! variables, whose join is a product, come last. A variable is projected away
//! as soon as neither the result nor another operand nor a test needs it.
//!
//! Operands over static predicates only are *complete*: all their tuples are
//! known before any fluent atom is reached, so they are evaluated while
//! planning, and their sizes are exact. The size of any other scan is estimated
//! by the product of its domains. The order of the joins affects time and
//! memory, never the result.
//!
//! Fast Downward chooses the joins greedily as well, but by numbers of
//! variables, without looking at the objects.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hipot_pddl::ast::{PredicateId, Term};
use hipot_task::Stop;

use super::network::{Network, Watch};
use super::node::{Gate, NodeId, Slot, Test};
use crate::normal::Literal;

/// The body of a rule, and the variables wanted of it.
pub(crate) struct Rule<'a> {
    /// The domain of each variable.
    pub(crate) domains: Vec<FixedBitSet>,
    /// The conjunction. Negated literals of predicates that are not static are
    /// ignored.
    pub(crate) literals: Vec<&'a Literal>,
    /// A node whose tuples are values of the first variables, and the number
    /// of these variables.
    pub(crate) base: Option<(NodeId, usize)>,
    /// The variables that the result must hold, in this order.
    pub(crate) wanted: Vec<usize>,
}

/// An operand of the joins: a relation over some of the rule's variables.
struct Operand {
    node: NodeId,
    variables: Vec<usize>,
    /// The number of tuples that it has, or an estimate.
    rows: f64,
    /// Whether it depends on static predicates only, so that all its tuples are
    /// known.
    is_complete: bool,
}

/// A condition that is tested, not joined, once all its variables are bound.
struct Filter {
    variables: Vec<usize>,
    literal: Literal,
}

struct Planner<'n, 'a, W> {
    network: &'n mut Network,
    watch: &'n mut W,
    is_static: &'a [bool],
    domains: Vec<Arc<FixedBitSet>>,
    wanted: Vec<usize>,
    filters: Vec<Filter>,
    operands: Vec<Operand>,
}

impl Rule<'_> {
    /// Adds the joins of the rule to the network. Gives the node that will hold
    /// the results, or `None` if the static part of the body cannot be true.
    pub(crate) fn compile(
        self,
        network: &mut Network,
        is_static: &[bool],
        watch: &mut impl Watch,
    ) -> Result<Option<NodeId>, Stop> {
        let Self { mut domains, literals, base, wanted } = self;
        let mut filters = Vec::new();
        let mut joined: Vec<&Literal> = Vec::new();
        for literal in literals {
            match role(literal, is_static) {
                Role::Ignored => {}
                Role::Joined => joined.push(literal),
                Role::Restriction(variable) => restrict(&mut domains[variable], literal, network),
                Role::Test(variables) => {
                    filters.push(Filter { variables, literal: literal.clone() });
                }
            }
        }
        let ground: Vec<Filter> =
            filters.extract_if(.., |filter| filter.variables.is_empty()).collect();
        let holds = ground.iter().all(|filter| holds_now(&filter.literal, network));
        if !holds || domains.iter().any(FixedBitSet::is_clear) {
            return Ok(None);
        }
        let domains = domains.into_iter().map(Arc::new).collect();
        let operands = Vec::new();
        let mut planner = Planner { network, watch, is_static, domains, wanted, filters, operands };
        planner.leaves(base, &joined)?;
        while planner.operands.len() > 1 {
            planner.join_best()?;
        }
        Ok(planner.operands.pop().map(|operand| operand.node))
    }
}

/// What a literal of a body is used for.
enum Role {
    Ignored,
    Joined,
    /// It restricts the domain of this variable.
    Restriction(usize),
    /// It is tested once these variables are bound.
    Test(Vec<usize>),
}

fn role(literal: &Literal, is_static: &[bool]) -> Role {
    let is_equality = literal.predicate == PredicateId::EQUALITY;
    if !is_equality && !is_static[literal.predicate.index()] {
        return if literal.negated { Role::Ignored } else { Role::Joined };
    }
    let variables = variables(literal);
    match variables[..] {
        [variable] if is_equality || literal.terms.len() == 1 => {
            if is_equality && literal.terms[0] == literal.terms[1] {
                return Role::Test(variables);
            }
            Role::Restriction(variable)
        }
        [] => Role::Test(variables),
        _ if is_equality || literal.negated => Role::Test(variables),
        _ => Role::Joined,
    }
}

/// The variables of a literal, each once.
fn variables(literal: &Literal) -> Vec<usize> {
    let mut found = Vec::new();
    for &term in &literal.terms {
        if let Term::Variable(variable) = term
            && !found.contains(&variable.index())
        {
            found.push(variable.index());
        }
    }
    found
}

/// Restricts a domain to the objects for which a literal with one variable
/// holds.
fn restrict(domain: &mut FixedBitSet, literal: &Literal, network: &Network) {
    let constant = literal.terms.iter().find_map(|&term| match term {
        Term::Object(object) => Some(object.index() as u32),
        Term::Variable(_) => None,
    });
    let holds = |object: u32| match constant {
        Some(constant) => object == constant,
        None => network.relation(literal.predicate).find(&[object]).is_some(),
    };
    let is_left = |&object: &usize| holds(object as u32) != literal.negated;
    *domain = domain.ones().filter(is_left).collect();
}

/// Whether a static literal without variables holds.
fn holds_now(literal: &Literal, network: &Network) -> bool {
    let objects: Vec<u32> = literal.terms.iter().map(|&term| constant(term)).collect();
    let holds = if literal.predicate == PredicateId::EQUALITY {
        objects[0] == objects[1]
    } else {
        network.relation(literal.predicate).find(&objects).is_some()
    };
    holds != literal.negated
}

fn constant(term: Term) -> u32 {
    match term {
        Term::Object(object) => object.index() as u32,
        Term::Variable(_) => unreachable!("the literal has no variables"),
    }
}

/// What a first operand is made of.
enum Leaf<'a> {
    Atom(&'a Literal),
    /// Atoms without variables, together.
    Ground(Vec<&'a Literal>),
    /// The tuples of a node, which are values of this many variables.
    Base(NodeId, usize),
    /// The domain of a variable that is in no atom.
    Domain(usize),
    /// The empty tuple, for a body without anything to join.
    Unit,
}

impl Leaf<'_> {
    fn variables(&self) -> Vec<usize> {
        match *self {
            Self::Atom(literal) => variables(literal),
            Self::Ground(_) | Self::Unit => Vec::new(),
            Self::Base(_, arity) => (0..arity).collect(),
            Self::Domain(variable) => vec![variable],
        }
    }
}

impl<W: Watch> Planner<'_, '_, W> {
    /// Makes an operand of each joined literal, of the base, and of each
    /// variable that none of them has.
    fn leaves(&mut self, base: Option<(NodeId, usize)>, joined: &[&Literal]) -> Result<(), Stop> {
        let (ground, lifted): (Vec<&Literal>, Vec<&Literal>) =
            joined.iter().partition(|literal| variables(literal).is_empty());
        let mut leaves: Vec<Leaf<'_>> = lifted.into_iter().map(Leaf::Atom).collect();
        if !ground.is_empty() {
            leaves.push(Leaf::Ground(ground));
        }
        leaves.extend(base.map(|(node, arity)| Leaf::Base(node, arity)));
        let mut covered = vec![false; self.domains.len()];
        leaves.iter().flat_map(Leaf::variables).for_each(|variable| covered[variable] = true);
        let uncovered = (0..covered.len()).filter(|&variable| !covered[variable]);
        leaves.extend(uncovered.map(Leaf::Domain));
        if leaves.is_empty() {
            leaves.push(Leaf::Unit);
        }
        let variables: Vec<_> = leaves.iter().map(Leaf::variables).collect();
        for (index, leaf) in leaves.iter().enumerate() {
            let others = variables.iter().enumerate().filter(|&(other, _)| other != index);
            let others: Vec<usize> = others.flat_map(|(_, of)| of).copied().collect();
            self.add_leaf(leaf, &variables[index], &others, leaves.len() == 1)?;
        }
        Ok(())
    }

    fn add_leaf(
        &mut self,
        leaf: &Leaf<'_>,
        variables: &[usize],
        others: &[usize],
        is_last: bool,
    ) -> Result<(), Stop> {
        let (mut gate, kept) = self.gate(variables, others, is_last);
        let (node, is_complete) = match *leaf {
            Leaf::Atom(literal) => {
                let mut tests = Vec::new();
                let positions = atom_tests(literal, variables, &self.domains, &mut tests);
                gate.move_to(&positions);
                gate.tests.splice(0..0, tests);
                let is_static = self.is_static[literal.predicate.index()];
                let constants = constants(literal);
                (self.network.add_scan(literal.predicate, &constants, gate), is_static)
            }
            Leaf::Ground(ref literals) => {
                let atoms: Vec<_> =
                    literals.iter().map(|it| (it.predicate, constants(it))).collect();
                (self.network.add_conjunction(&atoms), false)
            }
            Leaf::Base(node, _) => (self.network.add_view(node, gate), false),
            Leaf::Domain(variable) => {
                let values = Arc::clone(&self.domains[variable]);
                let node = self.network.add_values(1, values.ones().map(|object| object as u32));
                let needs_view = !gate.tests.is_empty() || gate.output != [0];
                let node = if needs_view { self.network.add_view(node, gate) } else { node };
                (node, true)
            }
            Leaf::Unit => (self.network.add_values(0, std::iter::empty()), true),
        };
        let rows = self.combinations(variables);
        self.add_operand(Operand { node, variables: kept, rows, is_complete })
    }

    /// Adds an operand, and evaluates it if it is complete.
    fn add_operand(&mut self, mut operand: Operand) -> Result<(), Stop> {
        if operand.is_complete {
            self.network.settle(self.watch)?;
            operand.rows = self.network.tuples(operand.node).len() as f64;
        }
        self.operands.push(operand);
        Ok(())
    }

    /// The gate of a node over `variables`, and the variables that it keeps,
    /// when the operands not yet joined have the variables `others`: all tests
    /// that are ready, and all variables that are still needed. Positions are
    /// those in `variables`.
    fn gate(&mut self, variables: &[usize], others: &[usize], is_last: bool) -> (Gate, Vec<usize>) {
        let position = |variable: usize| variables.iter().position(|&it| it == variable);
        let is_ready =
            |filter: &mut Filter| filter.variables.iter().all(|&it| position(it).is_some());
        let ready = self.filters.extract_if(.., is_ready);
        let tests = ready.map(|filter| filter.test(|variable| position(variable).expect("ready")));
        let tests = tests.collect();
        let kept: Vec<usize> = if is_last {
            self.wanted.clone()
        } else {
            let later = |variable: &usize| {
                self.wanted.contains(variable)
                    || others.contains(variable)
                    || self.filters.iter().any(|filter| filter.variables.contains(variable))
            };
            variables.iter().copied().filter(later).collect()
        };
        let output: Vec<usize> =
            kept.iter().map(|&variable| position(variable).expect("it is bound")).collect();
        let distinct = output.len() < variables.len();
        (Gate { tests, output, distinct }, kept)
    }

    /// Replaces the two operands whose join is estimated to be smallest by
    /// their join. Operands without common variables come last.
    fn join_best(&mut self) -> Result<(), Stop> {
        let pairs =
            (0..self.operands.len()).flat_map(|left| (0..left).map(move |right| (left, right)));
        let (left, right) = pairs
            .min_by(|&one, &other| {
                self.estimate(one).partial_cmp(&self.estimate(other)).expect("no NaN")
            })
            .expect("there are two operands");
        let left = self.operands.swap_remove(left);
        let right = self.operands.swap_remove(right);
        self.add_join(&left, &right)
    }

    /// Whether the join of two operands is a product, and its estimated size.
    fn estimate(&self, (left, right): (usize, usize)) -> (bool, f64) {
        let (left, right) = (&self.operands[left], &self.operands[right]);
        let common = left.variables.iter().filter(|variable| right.variables.contains(variable));
        let common: Vec<usize> = common.copied().collect();
        (common.is_empty(), left.rows * right.rows / self.combinations(&common))
    }

    /// The number of values that the variables can take together.
    fn combinations(&self, variables: &[usize]) -> f64 {
        variables.iter().map(|&variable| self.domains[variable].count_ones(..) as f64).product()
    }

    fn add_join(&mut self, left: &Operand, right: &Operand) -> Result<(), Stop> {
        let mut key_positions = [Vec::new(), Vec::new()];
        let mut right_only = Vec::new();
        let mut variables = left.variables.clone();
        for (position, &variable) in right.variables.iter().enumerate() {
            match left.variables.iter().position(|&it| it == variable) {
                Some(in_left) => {
                    key_positions[0].push(in_left);
                    key_positions[1].push(position);
                }
                None => {
                    right_only.push(position);
                    variables.push(variable);
                }
            }
        }
        let common = key_positions[0].iter().map(|&position| left.variables[position]);
        let common: Vec<usize> = common.collect();
        let rows = left.rows * right.rows / self.combinations(&common);
        let others: Vec<usize> =
            self.operands.iter().flat_map(|operand| operand.variables.iter().copied()).collect();
        let (gate, kept) = self.gate(&variables, &others, self.operands.is_empty());
        let rows = rows.min(self.combinations(&kept));
        let node = self.network.add_join([left.node, right.node], key_positions, right_only, gate);
        let is_complete = left.is_complete && right.is_complete;
        self.add_operand(Operand { node, variables: kept, rows, is_complete })
    }
}

impl Filter {
    fn test(self, position: impl Fn(usize) -> usize) -> Test {
        let Literal { negated, predicate, terms } = self.literal;
        let slot = |&term: &Term| match term {
            Term::Object(object) => Slot::Constant(object.index() as u32),
            Term::Variable(variable) => Slot::Position(position(variable.index())),
        };
        let slots: Vec<Slot> = terms.iter().map(slot).collect();
        if predicate == PredicateId::EQUALITY {
            Test::Equal(slots[0], slots[1], !negated)
        } else {
            debug_assert!(negated, "positive static literals are joined");
            Test::Absent(predicate, slots)
        }
    }
}

/// The positions at which a literal has objects, and these objects.
fn constants(literal: &Literal) -> Vec<(usize, u32)> {
    let terms = literal.terms.iter().enumerate();
    let constant = |(position, &term): (usize, &Term)| match term {
        Term::Object(object) => Some((position, object.index() as u32)),
        Term::Variable(_) => None,
    };
    terms.filter_map(constant).collect()
}

/// Adds the tests for the domains and the repeated variables of an atom. Gives
/// the position of each variable in the atom.
fn atom_tests(
    literal: &Literal,
    variables: &[usize],
    domains: &[Arc<FixedBitSet>],
    tests: &mut Vec<Test>,
) -> Vec<usize> {
    let mut positions = vec![usize::MAX; variables.len()];
    for (position, &term) in literal.terms.iter().enumerate() {
        let Term::Variable(variable) = term else { continue };
        let index = variables.iter().position(|&it| it == variable.index());
        let first = &mut positions[index.expect("the variable is the atom's")];
        if *first == usize::MAX {
            *first = position;
            tests.push(Test::Member(position, Arc::clone(&domains[variable.index()])));
        } else {
            let (first, again) = (Slot::Position(*first), Slot::Position(position));
            tests.push(Test::Equal(first, again, true));
        }
    }
    positions
}
