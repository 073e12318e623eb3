//! Which features share a weight, and which operators represent others.
//!
//! A [`Reduction`] computes what the symmetries of a task allow to leave out, for the value of
//! φ in one state s. Used are the symmetries that keep s and the goal state; the argument why
//! one weight per orbit of features, and one constraint per orbit of operators, is enough is
//! in the essay of [`pairs`](super). Symmetries that do not keep the mutexes are dropped: they
//! would map an LP without some contexts to another one. If no symmetry is left, or the orbits
//! of pairs do not fit into memory, every feature and operator is its own orbit.
//!
//! *Reference values with symmetries.* The features that remain after reference values are
//! dropped must be mapped to themselves by all symmetries. So a reference value is chosen only
//! if the symmetries map it to a reference value again; among these, one that occurs in many
//! operators saves most. A variable without such a value has none, and keeps all its features.
//! Without symmetries each variable has one.
//!
//! *Sizes first.* The tables take some bytes for each pair of facts; their size
//! ([`Reduction::bytes_for_all`]) and that of the LP ([`Reduction::size`]) are known before
//! any of them is built.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use hipot_analysis::symmetry::{PairOrbits, Params, Symmetries};
use hipot_lp::Size;
use hipot_task::{Fact, FactId, Limits, OperatorId, Stop, Value};

use super::classes::Classes;
use super::formulate::predict;
use super::groups::{Group, groups};
use super::pair_set::PairSet;
use crate::feature::{fact_uses, frequent_values};
use crate::normal_form::NormalForm;
use crate::report::Extent;

/// The engine's step sizes take two tables in double precision, and its features a list.
const BYTES_PER_PAIR: u64 = 48;

/// Orbits of facts for each cell of color refinement, from which on it is coarse.
const MIN_FACTS_PER_CELL: usize = 3;

/// The reductions that the symmetries of a task which keep a state and the goal allow.
pub(crate) struct Reduction<'a> {
    normal: &'a NormalForm,
    /// The reference value of each variable, if any.
    references: Vec<Option<Value>>,
    orbits: Orbits,
    symmetries: Symmetries,
    /// For each operator, the first operator of its orbit.
    representatives: Vec<OperatorId>,
    /// The operators, grouped by their changes.
    groups: OnceLock<Arc<[Group]>>,
}

/// The images of the facts that a symmetry does not keep.
pub(crate) type Moves = HashMap<FactId, FactId>;

/// Orbits of facts, or of pairs of facts if there are features of size 2.
enum Orbits {
    Trivial,
    OfFacts(Vec<u32>),
    OfPairs(PairOrbits),
}

impl<'a> Reduction<'a> {
    /// The reduction for features of size up to `dimension`, 1 or 2, and for the
    /// value in `state`. No symmetries are used if the orbits of pairs do not fit
    /// into memory.
    pub(crate) fn new(
        normal: &'a NormalForm,
        dimension: usize,
        state: &[Value],
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let (task, facts) = (normal.task(), normal.facts());
        let state: Vec<Fact> =
            task.variable_ids().zip(state).map(|(it, &value)| Fact::new(it, value)).collect();
        let mut symmetries =
            Symmetries::find(task, &[&state, task.goal()], &Params::default(), limits);
        if let Some(mutexes) = normal.mutexes() {
            symmetries.retain(|symmetry| mutexes.is_preserved_by(symmetry));
        }
        let orbits = match dimension {
            _ if symmetries.is_trivial() => Orbits::Trivial,
            1 => Orbits::OfFacts(symmetries.orbits_of_facts()),
            _ => match PairOrbits::new(&symmetries, limits) {
                Ok(orbits) => Orbits::OfPairs(orbits),
                Err(Stop::MemoryLimit) => Orbits::Trivial,
                Err(stop) => return Err(stop),
            },
        };
        let (references, representatives) = if matches!(orbits, Orbits::Trivial) {
            let references = frequent_values(normal).into_iter().map(Some);
            (references.collect(), task.operator_ids().collect())
        } else {
            let uses = fact_uses(normal);
            let score = |fact| u64::from(uses[facts.id(fact).index()]);
            (symmetries.invariant_values(score), symmetries.orbits_of_operators(task))
        };
        let groups = OnceLock::new();
        Ok(Self { normal, references, orbits, symmetries, representatives, groups })
    }

    /// The reduction without symmetries: for functions that may be optimized for any state.
    pub(crate) fn without_symmetries(normal: &'a NormalForm) -> Self {
        Self {
            normal,
            references: frequent_values(normal).into_iter().map(Some).collect(),
            orbits: Orbits::Trivial,
            symmetries: Symmetries::none(normal.task()),
            representatives: normal.operator_ids().collect(),
            groups: OnceLock::new(),
        }
    }

    /// Whether color refinement tells few of the facts apart that symmetries do not map to each
    /// other. Then it may make the LP much smaller than symmetries do.
    pub(crate) fn is_coarse(&self) -> bool {
        let orbits = match &self.orbits {
            Orbits::Trivial => self.normal.facts().len(),
            _ => {
                let orbits = self.symmetries.orbits_of_facts();
                orbits.iter().max().map_or(0, |&last| last as usize + 1)
            }
        };
        self.symmetries.cells_of_facts() * MIN_FACTS_PER_CELL <= orbits
    }

    /// The classes of all features of size 1, and of those of size 2 in `pairs`. Symmetries must
    /// map `pairs` to itself.
    pub(crate) fn classes(&self, pairs: PairSet) -> Classes {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut number = |orbit: u32| {
            let next = numbers.len() as u32 + 1;
            *numbers.entry(orbit).or_insert(next)
        };
        let (normal, references) = (self.normal, &self.references);
        match &self.orbits {
            Orbits::Trivial => Classes::singletons(normal, pairs, references),
            Orbits::OfFacts(orbits) => {
                Classes::new(normal, pairs, references, |a, _| number(orbits[a.index()]))
            }
            Orbits::OfPairs(orbits) => Classes::new(normal, pairs, references, |a, b| {
                let class = orbits.class(a.number(), b.number());
                number(class.expect("facts of different variables"))
            }),
        }
    }

    /// All pairs of variables for dimension 2, none for dimension 1.
    pub(crate) fn complete(&self, dimension: usize) -> PairSet {
        let variables = self.normal.facts().variable_count();
        if dimension > 1 { PairSet::all(variables) } else { PairSet::atoms(variables) }
    }

    /// How many of all pairs of variables are in a set.
    pub(crate) fn extent(&self, pairs: &PairSet) -> Extent {
        let variables = self.normal.facts().variable_count();
        let all = variables * variables.saturating_sub(1) / 2;
        match pairs.len() {
            chosen if chosen == all && !pairs.has_parts() => Extent::Complete,
            chosen => Extent::Chosen { pairs: chosen, of: all },
        }
    }

    /// The size of the LP; `None` if it has more than `max_nonzeros`.
    pub(crate) fn size(
        &self,
        classes: &Classes,
        max_nonzeros: u64,
        limits: &Limits,
    ) -> Result<Option<Size>, Stop> {
        let is_representative = |operator| self.represents(operator);
        predict(self.normal, classes, self.groups(), is_representative, max_nonzeros, limits)
    }

    /// The approximate number of bytes of the tables over all pairs of facts: that of
    /// [`classes`](Self::classes), and those of the engine.
    pub(crate) fn bytes_for_all(&self) -> u64 {
        BYTES_PER_PAIR * (self.normal.facts().len() as u64).pow(2)
    }

    /// A bound on the number of alternatives of all maxima of the LP over all pairs.
    pub(crate) fn alternatives(&self) -> u64 {
        let facts = self.normal.facts();
        let of_operator = |operator| {
            let mentions = self.normal.mentions(operator).iter();
            let mentioned: usize =
                mentions.map(|it| facts.domain_size(facts.variable(it.before))).sum();
            (facts.len() - mentioned) as u64
        };
        let represented = self.normal.operator_ids().filter(|&it| self.represents(it));
        represented.map(of_operator).sum()
    }

    /// Whether the constraint of an operator stands for its orbit.
    pub(crate) fn represents(&self, operator: OperatorId) -> bool {
        self.representative(operator) == operator
    }

    /// The first operator of an operator's orbit.
    pub(crate) fn representative(&self, operator: OperatorId) -> OperatorId {
        self.representatives[operator.index()]
    }

    /// For each symmetry that is used, where it moves the facts that it does not keep.
    pub(crate) fn moved_facts(&self) -> Vec<Moves> {
        if matches!(self.orbits, Orbits::Trivial) {
            return Vec::new();
        }
        let moves = |moved: &[(u32, u32)]| {
            moved.iter().map(|&(from, to)| (FactId::new(from), FactId::new(to))).collect()
        };
        self.symmetries.generators().iter().map(|it| moves(it.moved())).collect()
    }

    /// The operators, grouped by their changes. With a million operators that takes a second, so
    /// all LPs share the groups.
    pub(super) fn groups(&self) -> &Arc<[Group]> {
        self.groups.get_or_init(|| groups(self.normal).into())
    }

    /// The task in normal form.
    pub(crate) fn normal(&self) -> &'a NormalForm {
        self.normal
    }
}
