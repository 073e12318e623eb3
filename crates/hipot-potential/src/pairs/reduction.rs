//! Which features share a weight, and which operators speak for others.

use std::collections::HashMap;

use hipot_task::symmetry::{PairOrbits, Params, Symmetries};
use hipot_task::{Fact, Limits, OperatorId, Stop, Task, Value, VariableId};

use super::classes::Classes;
use super::exclusions::Exclusions;
use super::formulate::predict;
use super::scope::Scope;
use crate::feature::{Facts, fact_uses, frequent_values};
use crate::model::Size;
use crate::optimize::Extent;

/// What the symmetries of a task that keep a state and the goal make equal.
pub(crate) struct Reduction {
    facts: Facts,
    references: Vec<Option<Value>>,
    exclusions: Exclusions,
    orbits: Orbits,
    symmetries: Symmetries,
    /// The first operator of each one's orbit.
    representatives: Vec<OperatorId>,
}

/// Where a symmetry maps the variables that it does not keep.
pub(crate) type Moves = HashMap<VariableId, VariableId>;

/// Orbits of facts, and of pairs of facts where these are needed.
enum Orbits {
    Trivial,
    OfFacts(Vec<u32>),
    OfPairs(PairOrbits),
}

impl Reduction {
    /// The reduction for features of size up to `dimension`, 1 or 2, and for
    /// the value in `state`. Where orbits of pairs do not fit into memory, no
    /// symmetries are used; those that do not keep the mutexes are not.
    pub(crate) fn new(
        task: &Task,
        dimension: usize,
        state: &[Value],
        exclusions: Exclusions,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let facts = Facts::new(task);
        let state: Vec<Fact> =
            task.variable_ids().zip(state).map(|(it, &value)| Fact::new(it, value)).collect();
        let mut symmetries =
            Symmetries::find(task, &[&state, task.goal()], &Params::default(), limits);
        if let Some(mutexes) = exclusions.mutexes() {
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
            let references = frequent_values(task).into_iter().map(Some);
            (references.collect(), task.operator_ids().collect())
        } else {
            let uses = fact_uses(task, &facts);
            let score = |fact| u64::from(uses[facts.id(fact).index()]);
            (symmetries.invariant_values(score), symmetries.orbits_of_operators(task))
        };
        Ok(Self { facts, references, exclusions, orbits, symmetries, representatives })
    }

    /// No symmetries: for functions that are to be best in any state.
    pub(crate) fn without_symmetries(task: &Task, exclusions: Exclusions) -> Self {
        Self {
            facts: Facts::new(task),
            references: frequent_values(task).into_iter().map(Some).collect(),
            exclusions,
            orbits: Orbits::Trivial,
            symmetries: Symmetries::none(task),
            representatives: task.operator_ids().collect(),
        }
    }

    /// The features of size 1, and those of size 2 on the variables in
    /// `scope`, which symmetries must map to itself.
    pub(crate) fn classes(&self, scope: Scope) -> Classes {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut number = |orbit: u32| {
            let next = numbers.len() as u32 + 1;
            *numbers.entry(orbit).or_insert(next)
        };
        let (facts, references) = (self.facts.clone(), &self.references);
        let exclusions = self.exclusions.clone();
        match &self.orbits {
            Orbits::Trivial => Classes::singletons(facts, scope, exclusions, references),
            Orbits::OfFacts(orbits) => {
                Classes::new(facts, scope, exclusions, references, |a, _| {
                    number(orbits[a as usize])
                })
            }
            Orbits::OfPairs(orbits) => {
                Classes::new(facts, scope, exclusions, references, |a, b| {
                    number(orbits.class(a, b).expect("facts of different variables"))
                })
            }
        }
    }

    /// The scope of all features of size up to `dimension`.
    pub(crate) fn complete(&self, dimension: usize) -> Scope {
        let variables = self.facts.variable_count();
        if dimension > 1 { Scope::all(variables) } else { Scope::atoms(variables) }
    }

    /// How many of all pairs of variables a scope has.
    pub(crate) fn extent(&self, scope: &Scope) -> Extent {
        let variables = self.facts.variable_count();
        let all = variables * variables.saturating_sub(1) / 2;
        match scope.len() {
            pairs if pairs == all => Extent::Complete,
            pairs => Extent::Chosen { pairs, of: all },
        }
    }

    /// The size of the LP, if it has at most so many nonzeros.
    pub(crate) fn size(&self, task: &Task, classes: &Classes, most: u64) -> Option<Size> {
        predict(task, classes, |operator| self.represents(operator), most)
    }

    /// The table of [`classes`](Self::classes) for all pairs takes so many
    /// bytes, or a little more.
    pub(crate) fn bytes_for_all(&self) -> u64 {
        4 * (self.facts.len() as u64).pow(2)
    }

    /// Whether the constraint of an operator stands for its orbit.
    pub(crate) fn represents(&self, operator: OperatorId) -> bool {
        self.representative(operator) == operator
    }

    /// The first operator of an operator's orbit.
    pub(crate) fn representative(&self, operator: OperatorId) -> OperatorId {
        self.representatives[operator.index()]
    }

    /// How the symmetries that are used move the variables.
    pub(crate) fn moved_variables(&self) -> Vec<Moves> {
        if matches!(self.orbits, Orbits::Trivial) {
            return Vec::new();
        }
        let variable = |fact: u32| self.facts.variable_of(fact);
        let moves = |moved: &[(u32, u32)]| {
            let variables = moved.iter().map(|&(from, to)| (variable(from), variable(to)));
            variables.filter(|(from, to)| from != to).collect()
        };
        self.symmetries.generators().iter().map(|it| moves(it.moved())).collect()
    }

    /// The facts.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }
}
