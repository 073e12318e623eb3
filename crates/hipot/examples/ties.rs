//! How many states a search expands, by the order among states with the least f.
//!
//! ```text
//! cargo run --release -p hipot --example ties -- SPEC EVALUATED TASK.pddl…
//! ```
//!
//! For each task, the heuristic is computed once, and each order searches with it until about
//! that many states are evaluated. A line is the task, its bound in the initial state, and for
//! each order the number of states expanded, in the last layer only, with `>` if the search is
//! not over. For orders with a seed there are three searches.

use std::error::Error;
use std::path::PathBuf;

use hipot::compute::compute;
use hipot::events::Events;
use hipot::heuristic::Computed;
use hipot::input::read_task;
use hipot::search::search;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot_search::{Outcome, SearchParams, StateBudget, Ties, UseOfSymmetries};
use hipot_task::{Limits, Task};

const SEEDS: u64 = 3;

/// Each order with its name; several times if it has a seed.
fn orders() -> Vec<(&'static str, Vec<Ties>)> {
    let patience = 1000;
    let seeds = || 0..SEEDS;
    vec![
        ("newest", vec![Ties::Newest]),
        ("oldest", vec![Ties::Oldest]),
        ("either end", seeds().map(|seed| Ties::EitherEnd { seed }).collect()),
        ("any h", seeds().map(|seed| Ties::AnyH { seed, patience }).collect()),
        ("dives", seeds().map(Ties::dives).collect()),
    ]
}

fn expanded(
    task: &Task,
    heuristic: &Computed,
    evaluated: u64,
    ties: Ties,
) -> Result<String, Box<dyn Error>> {
    let budget = StateBudget { evaluated, ..StateBudget::default() };
    let symmetries = UseOfSymmetries::Never;
    let params = SearchParams { budget, ties, symmetries, ..SearchParams::default() };
    let result = search(task, heuristic, params, &Limits::none(), &Events::none())?.result;
    let count = result.statistics.expanded - result.statistics.expanded_until_last_jump;
    let is_over = matches!(result.outcome, Outcome::Solved(_) | Outcome::Unsolvable);
    Ok(format!("{}{count}", if is_over { "" } else { ">" }))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: ties SPEC EVALUATED TASK.pddl…";
    let spec: Spec = arguments.next().ok_or(usage)?.parse()?;
    let evaluated: u64 = arguments.next().ok_or(usage)?.parse()?;
    for file in arguments {
        let limits = Limits::none();
        let task = read_task(&[PathBuf::from(&file)], &limits, &Events::none())?.task;
        let heuristic = compute(&task, &spec, &Settings::default(), &limits)?;
        let bound = heuristic.bound(&task).map_or("none".to_owned(), |bound| bound.to_string());
        print!("{file}\tbound {bound}");
        for (name, all) in orders() {
            let counts = all.into_iter().map(|ties| expanded(&task, &heuristic, evaluated, ties));
            print!("\t{name} {}", counts.collect::<Result<Vec<_>, _>>()?.join(" "));
        }
        println!();
    }
    Ok(())
}
