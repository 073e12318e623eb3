//! Symmetries of planning tasks.
//!
//! A *symmetry* is a permutation of the facts that maps the facts of each
//! variable onto those of a variable, the multiset of operators onto itself
//! (preconditions, effects and cost), and each of some given sets of facts,
//! such as the initial state and the goal, onto itself (structural symmetries:
//! Shleyfman, Katz, Helmert, Sievers & Wehrle, AAAI 2015). Whatever depends only
//! on preconditions, effects, costs and these sets is the same for all facts,
//! pairs of facts and operators of one orbit. If a linear program is defined this
//! way, the average of an optimal solution over a group of symmetries is an
//! optimal solution, too: one column for each orbit of columns suffices, and one
//! row for each orbit of rows. Any subgroup will do, so the search may miss
//! symmetries but must not invent any.
//!
//! | step | module |
//! |---|---|
//! | the task as a colored graph | `graph` |
//! | color refinement of it, which a second one can follow step by step | `partition`, `refine` |
//! | which facts to map where: a chain of stabilizers, deepest first | `search` |
//! | one attempt to map one fact to another | `matching` |
//! | the exact test of a symmetry | `verify` |
//! | orbits of facts, operators and pairs | `orbits` |
//!
//! Mutex groups are ignored, because not all symmetries preserve those that come
//! with a task. Mutexes that are computed from the initial state and the operators
//! without depending on any order, such as those of h², are preserved if the
//! initial state is; [`Mutexes::is_preserved_by`](crate::Mutexes::is_preserved_by) checks it.
//!
//! **Why not simpler.** The cells of color refinement are coarser than orbits
//! (openstacks-strips p06: 24 cells of facts, 114 orbits), and even coarser for
//! pairs of facts. Searching transpositions at the top of the chain, without going
//! down first, takes n² of them for n interchangeable objects. A bound on failed attempts alone does not bound
//! the time, since an attempt can cost as much as a refinement from scratch;
//! steps are counted instead. On 1211 IPC tasks in transition normal form the
//! search took at most 41 steps for each unit of size, and found the same
//! when it was not allowed to take back any image.
//!
//! ```
//! use hipot_analysis::symmetry::{PairOrbits, Params, Symmetries};
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
//! assert_eq!(symmetries.cells_of_facts(), 2);
//! // off, on, and pairs: both off, one of each, both on.
//! assert_eq!(PairOrbits::new(&symmetries, &Limits::none())?.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod graph;
mod matching;
mod orbits;
mod partition;
mod permutation;
mod refine;
mod search;
mod union_find;
mod verify;
mod work;

pub use orbits::PairOrbits;
pub use permutation::Permutation;
pub use search::Params;

use graph::Graph;
use hipot_task::{Fact, Facts, Limits, Task};
use search::Found;
use work::Work;

/// Generators of a group of symmetries of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetries {
    numbering: Facts,
    generators: Vec<Permutation>,
    cells: usize,
}

impl Symmetries {
    /// Searches for symmetries of `task` that map each of the sets `preserved`
    /// onto itself. When the work that `params` allow is done or `limits` are
    /// reached, returns what was found so far. Finds no symmetries of tasks with
    /// axioms or conditional effects.
    ///
    /// # Panics
    /// If `preserved` has a fact that the task does not have.
    pub fn find(task: &Task, preserved: &[&[Fact]], params: &Params, limits: &Limits) -> Self {
        const BY: &str = "the search for symmetries";
        let supported = task.require_no_axioms(BY).and(task.require_no_conditional_effects(BY));
        if supported.is_err() || limits.reserve(graph::bytes(task)).is_err() {
            return Self::none(task);
        }
        let graph = Graph::new(task, preserved);
        let mut work = Work::new(params.work(graph.size()), limits);
        let Found { cells, generators } = search::search(&graph, params, &mut work);
        Self { numbering: graph.numbering, generators, cells }
    }

    /// The trivial group.
    pub fn none(task: &Task) -> Self {
        let numbering = Facts::new(task);
        let cells = numbering.len();
        Self { numbering, generators: Vec::new(), cells }
    }

    /// The numbering of the facts.
    pub fn facts(&self) -> &Facts {
        &self.numbering
    }

    /// The generators, each a symmetry.
    pub fn generators(&self) -> &[Permutation] {
        &self.generators
    }

    /// In how many sets color refinement of the task's graph divides the facts: facts of
    /// different sets are in different orbits, but those of one set may be too. The number of
    /// facts if it was not refined.
    pub fn cells_of_facts(&self) -> usize {
        self.cells
    }

    /// Keeps only the generators that satisfy `keeps`, which generate a subgroup.
    pub fn retain(&mut self, keeps: impl FnMut(&Permutation) -> bool) {
        self.generators.retain(keeps);
    }

    /// Whether no symmetry except the identity is known.
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }
}
