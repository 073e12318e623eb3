//! The symmetries that a search may use: those of the searched task that preserve its goal.
//!
//! The searched task may have more symmetries than the given one, because operators and facts
//! that made a difference were pruned.

use hipot_analysis::symmetry::{Params, Symmetries};
use hipot_search::{MovedFacts, Orbits};
use hipot_task::{FactId, Limits, Packing, Task};

/// The orbits of states of `task`, as far as symmetries are found.
pub(crate) fn orbits(task: &Task, packing: &Packing, limits: &Limits) -> Orbits {
    let symmetries = Symmetries::find(task, &[task.goal()], &Params::default(), limits);
    tracing::info!("symmetries: {}", symmetries.generators().len());
    let fact = |number| symmetries.facts().fact(FactId::new(number));
    let moved = |&(from, to): &(u32, u32)| (fact(from), fact(to));
    let generators: Vec<MovedFacts> =
        symmetries.generators().iter().map(|it| it.moved().iter().map(moved).collect()).collect();
    Orbits::new(task, packing, &generators)
}
