//! A second objective for the same LP: from the last point, and from nothing.
//!
//! For each task, the LP over all pairs is solved for the initial state and for three other
//! objectives: φ in the end of a random walk, its average over 200 such states, and its average
//! over 200 others. Each is solved by a new optimizer (from nothing) and by one that has just
//! solved another objective. A line says how long that took, in seconds.
//!
//! ```text
//! cargo run --release -p hipot --example objectives -- SECONDS TASK.pddl…
//! ```

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot::events::Events;
use hipot::input::read_task;
use hipot_analysis::OpenValues;
use hipot_potential::{
    Average, Certified, FeatureSet, Found, MutexChoice, NormalForm, Objective, Optimizer, Params,
    Repeats,
};
use hipot_search::Walks;
use hipot_task::{Limits, Rng};

/// Weights are at most this many times the largest one for the initial state: the average over
/// states with dead ends among them has no maximum.
const MAX_WEIGHT_FACTOR: f64 = 8.0;

/// The number of states in an average.
const STATES: usize = 200;

/// A task with all that its LPs need.
struct Lps<'a> {
    normal: &'a Arc<NormalForm>,
    max_weight: Option<f64>,
    limits: &'a Limits,
}

impl Lps<'_> {
    /// Solves the LP for some objectives in turn; returns the function for the last one and how
    /// long that took.
    fn last(&self, objectives: &[&Objective]) -> Result<(Certified, f64), Box<dyn Error>> {
        let (params, all) = (Params::default(), FeatureSet::UpTo(2));
        let mut optimizer =
            Optimizer::new(self.normal, all, Repeats::Few, self.max_weight, &params, self.limits)?;
        let mut last = None;
        for objective in objectives {
            let begin = Instant::now();
            let found = optimizer.maximize(objective)?;
            self.limits.check()?;
            let Found::Function(function, _) = found else { return Err("no function".into()) };
            last = Some((*function, begin.elapsed().as_secs_f64()));
        }
        Ok(last.expect("there are objectives"))
    }
}

fn line(file: &str, seconds: f64) -> Result<String, Box<dyn Error>> {
    let limits = Limits::new(Some(Instant::now() + Duration::from_secs_f64(seconds)), None);
    let task = read_task(&[PathBuf::from(file)], &limits, &Events::none())?.task;
    let normal = NormalForm::new(&task, MutexChoice::None, OpenValues::Unknown, &limits)?;
    let normal = Arc::new(normal);
    let mut lps = Lps { normal: &normal, max_weight: None, limits: &limits };
    let initial = Objective::state(normal.initial());
    let (function, first) = lps.last(&[&initial])?;
    let largest = function.weights().iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
    lps.max_weight = Some(MAX_WEIGHT_FACTOR * largest as f64 / function.denominator() as f64);
    let mut walks = Walks::new(&task, function.bound(normal.initial()));
    let mut states = walks.sample(2 * STATES + 1, &mut Rng::new(0), |_| true, &limits)?;
    let state = Objective::state(&states.pop().ok_or("no states")?);
    let others = states.split_off(states.len() / 2);
    let [one, other] = [states, others].map(|it| Objective::average(Average::States(it)));
    let mut cells = vec![format!("{first:.2}")];
    for (from, to) in [(&initial, &state), (&initial, &one), (&one, &other)] {
        let (cold, warm) = (lps.last(&[to])?.1, lps.last(&[from, to])?.1);
        cells.push(format!("{cold:.2} | {warm:.2} | {:.1}", cold / warm));
    }
    Ok(cells.join(" | "))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("usage: objectives SECONDS TASK.pddl…")?.parse()?;
    println!(
        "| task | initial state | state: from nothing | from the initial state | ratio | average: from nothing | from the initial state | ratio | other average: from nothing | from the first | ratio |"
    );
    println!("|---|{}", "--:|".repeat(10));
    for file in arguments {
        match line(&file, seconds) {
            Ok(line) => println!("| {file} | {line} |"),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
    Ok(())
}
