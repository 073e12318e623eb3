//! Symmetries of planning tasks.
//!
//! A *symmetry* is a permutation of the facts that maps the facts of each
//! variable onto those of a variable, the multiset of operators onto itself
//! (preconditions, effects and cost), and each of some given sets of facts,
//! such as the initial state and the goal, onto itself (structural symmetries:
//! Shleyfman, Katz, Helmert, Sievers & Wehrle, AAAI 2015). What is said of
//! a task by preconditions, effects, costs and these sets alone comes out the
//! same for the facts, pairs of facts and operators of one orbit. If such
//! a task leads to a linear program, the average of an optimal solution over
//! a group of symmetries is an optimal solution, too: one column an orbit
//! of columns suffices, and one row an orbit of rows. Any subgroup will do,
//! so the search may miss symmetries but must not invent any.
//!
//! | step | module |
//! |---|---|
//! | the task as a colored graph | `graph` |
//! | color refinement of it, to be followed step by step by another one | `partition`, `refine` |
//! | which facts to move where: a chain of stabilizers, deepest first | `search` |
//! | one attempt to move one fact to another | `matching` |
//! | the exact test of what was found | `verify` |
//! | what follows from it for facts, operators and pairs | `orbits` |
//!
//! Mutex groups are not looked at, because not all symmetries preserve those
//! that come with a task. Mutexes computed from the initial state and the
//! operators in a way that does not depend on any order, such as h²'s, are
//! preserved if the initial state is; [`Mutexes::is_preserved_by`](crate::Mutexes::is_preserved_by)
//! tells.
//!
//! **Why not simpler.** The cells of color refinement are coarser than orbits
//! (openstacks-strips p06: 24 cells of facts, 114 orbits), and pairs of facts
//! in the same cells still less alike. One transposition after another at the
//! top of the chain, without going down first, takes n² of them for n
//! interchangeable objects. A bound on failed attempts alone does not bound
//! the time, since an attempt can cost as much as a refinement from scratch;
//! steps are counted instead. On 1211 IPC tasks in transition normal form the
//! search took at most 41 steps for each unit of size, and found the same
//! when it was not allowed to take back any image.
//!
//! ```
//! use hipot_task::symmetry::{PairOrbits, Params, Symmetries};
//! use hipot_task::{Effect, Fact, Limits, Operator, TaskBuilder, Variable};
//!
//! // Three lamps, to be switched on one by one.
//! let mut builder = TaskBuilder::new(false);
//! let lamps: Vec<_> = (0..3)
//!     .map(|_| builder.add_variable(Variable::new("lamp", ["off", "on"])))
//!     .collect::<Result<_, _>>()?;
//! builder.set_initial(vec![0; 3])?;
//! builder.set_goal(lamps.iter().map(|&lamp| Fact::new(lamp, 1)).collect())?;
//! for &lamp in &lamps {
//!     builder.add_operator(Operator {
//!         name: "switch-on".into(),
//!         preconditions: vec![Fact::new(lamp, 0)],
//!         effects: vec![Effect::new(Fact::new(lamp, 1))],
//!         cost: 1,
//!     })?;
//! }
//! let task = builder.build();
//! let initial: Vec<Fact> = lamps.iter().map(|&lamp| Fact::new(lamp, 0)).collect();
//! let preserved = [&initial[..], task.goal()];
//! let symmetries = Symmetries::find(&task, &preserved, &Params::default(), &Limits::none());
//! assert_eq!(symmetries.generators().len(), 2);
//! assert_eq!(symmetries.orbits_of_facts(), [0, 1, 0, 1, 0, 1]);
//! // off, on, and pairs: both off, one of each, both on.
//! assert_eq!(PairOrbits::new(&symmetries, &Limits::none())?.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod graph;
mod matching;
mod numbering;
mod orbits;
mod partition;
mod permutation;
mod refine;
mod search;
mod union_find;
mod verify;
mod work;

pub use numbering::FactNumbering;
pub use orbits::PairOrbits;
pub use permutation::Permutation;

use crate::ids::Fact;
use crate::limits::Limits;
use crate::task::Task;
use graph::Graph;
use work::Work;

/// How hard to look for symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Steps allowed for each fact, variable, operator and mention of a fact
    /// in an operator.
    pub steps_per_size: u64,
    /// Steps allowed whatever the size.
    pub steps: u64,
    /// How many images of facts may prove wrong within an attempt.
    pub wrong_images: u32,
    /// How many attempts to move one fact may fail.
    pub failures_per_level: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self { steps_per_size: 100, steps: 20_000_000, wrong_images: 16, failures_per_level: 64 }
    }
}

impl Params {
    /// Steps allowed for a graph of this size.
    fn work(&self, size: u64) -> u64 {
        self.steps.saturating_add(self.steps_per_size.saturating_mul(size))
    }
}

/// Generators of a group of symmetries of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetries {
    numbering: FactNumbering,
    generators: Vec<Permutation>,
}

impl Symmetries {
    /// Looks for symmetries of `task` that map each of the sets `preserved`
    /// onto itself. Ends early with what was found when the work that
    /// `params` allows is done or `limits` are reached. Finds none of a task
    /// with axioms or conditional effects.
    ///
    /// # Panics
    /// If `preserved` has a fact that is none of the task's.
    pub fn find(task: &Task, preserved: &[&[Fact]], params: &Params, limits: &Limits) -> Self {
        const BY: &str = "the search for symmetries";
        let supported = task.require_no_axioms(BY).and(task.require_no_conditional_effects(BY));
        if supported.is_err() || limits.reserve(graph::bytes(task)).is_err() {
            return Self::none(task);
        }
        let graph = Graph::new(task, preserved);
        let mut work = Work::new(params.work(graph.size()), limits);
        let generators = search::generators(&graph, params, &mut work);
        Self { numbering: graph.numbering, generators }
    }

    /// The trivial group.
    pub fn none(task: &Task) -> Self {
        Self { numbering: FactNumbering::new(task), generators: Vec::new() }
    }

    /// The numbers of the facts.
    pub fn numbering(&self) -> &FactNumbering {
        &self.numbering
    }

    /// The generators, each a symmetry.
    pub fn generators(&self) -> &[Permutation] {
        &self.generators
    }

    /// Keeps the generators that `keeps` is true for: a subgroup.
    pub fn retain(&mut self, keeps: impl FnMut(&Permutation) -> bool) {
        self.generators.retain(keeps);
    }

    /// Whether there is no symmetry but the identity, as far as is known.
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }
}
