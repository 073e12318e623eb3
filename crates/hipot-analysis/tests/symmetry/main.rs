//! Symmetries of tasks, against a checker and an enumeration that share
//! nothing with the search.

mod checker;
mod handmade;
mod random;

use checker::Checker;
use hipot_analysis::symmetry::{Params, Symmetries};
use hipot_task::{Fact, Limits, Task, VariableId};

/// The initial state as a set of facts.
fn initial_facts(task: &Task) -> Vec<Fact> {
    task.variable_ids().zip(task.initial()).map(|(id, &value)| Fact::new(id, value)).collect()
}

/// The symmetries of a task that preserve initial state and goal; all
/// generators are checked, and so is all that follows from them.
fn find(task: &Task) -> Symmetries {
    let initial = initial_facts(task);
    let preserved = [&initial[..], task.goal()];
    let symmetries = Symmetries::find(task, &preserved, &Params::default(), &Limits::none());
    let checker = Checker::new(task, &preserved);
    for generator in symmetries.generators() {
        assert!(generator.support().len() > 0, "the identity is not a generator");
        assert!(checker.is_symmetry(&|fact| generator.apply(fact)));
    }
    checker.check_numbering(&symmetries);
    checker.check_orbits(&symmetries);
    checker.check_pairs(&symmetries);
    checker.check_invariant_values(&symmetries, |fact| {
        u64::from(fact.value * 7 % 5) + fact.variable.index() as u64 % 2
    });
    symmetries
}

/// The number of different numbers.
fn distinct<T: Ord + Clone>(numbers: &[T]) -> usize {
    let mut numbers = numbers.to_vec();
    numbers.sort();
    numbers.dedup();
    numbers.len()
}

fn fact(variable: usize, value: u32) -> Fact {
    Fact::new(VariableId::new(variable), value)
}
