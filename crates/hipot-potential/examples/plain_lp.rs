//! Two-dimensional potentials of one task in two ways, timed against each other.
//!
//! *Ours* is [`optimize`]: the reduced LP, methods chosen by size, the
//! weights certified. *Plain* is what one gets from the paper and a solver
//! without further thought: all facts and pairs of facts as features, Eq. 8 and 9
//! as they stand, HiGHS with its default options. Both begin with the task as it
//! was read and go through transition normal form.
//!
//! Where the two are treated differently, the plain side has the advantage:
//!
//! - Its weights are neither rounded nor certified; it ends with the solver's
//!   floating-point numbers.
//! - Ours comes first, with cold caches and a cold allocator.
//! - Where it does not end, its time counts as the limit, however long it would
//!   have taken.
//!
//! There is no row for goal-awareness (Eq. 1): as everywhere in this crate, the LP
//! maximizes φ(s_I) − φ(s_⋆). The optimum is the same, and so is the time: with the
//! row, six small tasks took 0.9 to 1.3 times as long.
//!
//! ```text
//! cargo run --release -p hipot-potential --example plain_lp -- TASK.sas [SECONDS [NONZEROS]]
//! ```
//!
//! SECONDS is the limit for each way (300 by default). If the plain LP has more
//! than NONZEROS, nothing is solved. The output is one JSON object on one line;
//! `experiments/potentials/run.py plain` makes a table of many.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_lp::{Method, Size, Solver, Status};
use hipot_potential::feature::Features;
use hipot_potential::model::Model;
use hipot_potential::{FeatureSet, NormalForm, Optimum, Params, Report, optimize, textbook};
use hipot_task::{Fact, Limits, Operator, Stop, Task, Value};

/// The memory that either way may use.
const MEMORY: u64 = 8 << 30;

/// A rough bound on the memory for a nonzero of the plain LP: ours and HiGHS's.
const BYTES_PER_NONZERO: u64 = 100;

/// What takes fewer seconds is measured three times, and the shortest time counts.
const SHORT: f64 = 0.2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("give the file of a task")?;
    let seconds: f64 = arguments.next().map_or(Ok(300.0), |text| text.parse())?;
    let most: u64 = arguments.next().map_or(Ok(u64::MAX), |text| text.parse())?;
    let task = hipot_task::sas::read(&std::fs::read(&file)?)?;
    let predicted = plain_size(NormalForm::plain(&task)?.task());
    if predicted.nonzeros > most {
        println!(r#"{{"task": {file:?}, "plain": {{{}}}}}"#, json_size(predicted));
        return Ok(());
    }
    let (ours, our_seconds) = timed(|| ours(&task, &limits(seconds)));
    let (plain, plain_seconds) = timed(|| plain(&task, predicted, &limits(seconds)));
    let plain_seconds = if plain.has_ended() { plain_seconds } else { seconds };
    println!(
        r#"{{"task": {file:?}, "ours": {{{}, "seconds": {our_seconds:.6}}}, "plain": {{{}, "seconds": {plain_seconds:.6}}}}}"#,
        ours.json(),
        plain.json()
    );
    Ok(())
}

/// The limits of one way, from now on.
fn limits(seconds: f64) -> Limits {
    Limits::new(Some(Instant::now() + Duration::from_secs_f64(seconds)), Some(MEMORY))
}

/// What `way` gives, and the seconds it takes; the best of three if it is short.
fn timed<T>(way: impl Fn() -> T) -> (T, f64) {
    let once = || {
        let begin = Instant::now();
        let result = way();
        (result, begin.elapsed().as_secs_f64())
    };
    let (result, mut seconds) = once();
    if seconds < SHORT {
        seconds = seconds.min(once().1).min(once().1);
    }
    (result, seconds)
}

/// The result of the reduced LP.
struct Ours {
    /// How the LP was solved, if it was.
    report: Option<Report>,
    /// The certified bound; `None` without a plan or a function.
    bound: Option<u64>,
    /// Why there is no function.
    error: String,
}

fn ours(task: &Task, limits: &Limits) -> Ours {
    let normal = Arc::new(NormalForm::plain(task).expect("checked before"));
    let state = normal.initial();
    match optimize(&normal, FeatureSet::UpTo(2), state, &Params::default(), limits) {
        Ok(Optimum::Function(function, report)) => {
            let bound = Some(function.bound(state));
            Ours { report: Some(report), bound, error: String::new() }
        }
        Ok(Optimum::Unsolvable(_, report)) => {
            Ours { report: Some(report), bound: None, error: "unsolvable".to_owned() }
        }
        Err(error) => Ours { report: None, bound: None, error: error.to_string() },
    }
}

impl Ours {
    fn json(&self) -> String {
        let Some(report) = &self.report else { return format!(r#""error": {:?}"#, self.error) };
        format!(
            r#"{}, "method": {:?}, "rung": "{}", "objective": {}, "bound": {}, "error": {:?}"#,
            json_size(report.size),
            report.method.name(),
            report.rung,
            json_number(report.objective),
            self.bound.map_or("null".to_owned(), |bound| bound.to_string()),
            self.error
        )
    }
}

/// The result of the plain LP.
struct Plain {
    size: Size,
    /// How the solver ended, or the limit that was met before.
    end: Result<Status, Stop>,
    /// The optimum.
    objective: f64,
    /// The time for features and LP, a part of the whole.
    writing: f64,
}

fn plain(task: &Task, predicted: Size, limits: &Limits) -> Plain {
    let begin = Instant::now();
    let stopped =
        |stop| Plain { size: predicted, end: Err(stop), objective: f64::NAN, writing: 0.0 };
    if let Err(stop) = limits.reserve(predicted.nonzeros.saturating_mul(BYTES_PER_NONZERO)) {
        return stopped(stop);
    }
    let model = plain_model(task);
    let problem = model.problem();
    let size = Size {
        rows: problem.num_rows() as u64,
        columns: problem.num_columns() as u64,
        nonzeros: problem.num_nonzeros() as u64,
    };
    let mut solver = Solver::new(problem).expect("the LP is well-formed");
    let writing = begin.elapsed().as_secs_f64();
    if let Err(stop) = limits.check() {
        return stopped(stop);
    }
    let solution = solver.solve(&default_options(limits));
    let has_ended = solution.status == Status::Optimal;
    let objective = if has_ended { solution.objective } else { f64::NAN };
    Plain { size, end: Ok(solution.status), objective, writing }
}

/// HiGHS's defaults: with the options `solver` and `presolve` at "choose" an LP is
/// presolved and goes to `simplex`, whose `simplex_strategy` is 1 by default, the
/// serial dual simplex method; tolerances are 10⁻⁷.
fn default_options(limits: &Limits) -> hipot_lp::Params {
    let left = limits.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
    hipot_lp::Params {
        time_limit: left,
        // HiGHS may look at its clock too rarely; with a flag to watch, the
        // caller's thread does.
        interrupt: Some(limits.requested()),
        presolve: true,
        tolerance: 1e-7,
        ray: false,
        ..hipot_lp::Params::with(Method::DualSimplex)
    }
}

/// The LP of Theorem 1 over all facts and pairs of facts.
fn plain_model(task: &Task) -> Model {
    let normal = NormalForm::plain(task).expect("checked before");
    // No variable has this value, so that none is left out as a reference.
    let references = vec![Value::MAX; normal.facts().variable_count()];
    let features = Features::complete(normal.facts().clone(), 2, &references);
    let mut model = textbook::model(&normal, &features).expect("pairs are never too wide");
    textbook::maximize_in_state(&mut model, &normal, &features, normal.initial());
    model
}

impl Plain {
    /// Whether the solver gave an answer, right or wrong, within the time that was
    /// measured.
    fn has_ended(&self) -> bool {
        !matches!(self.end, Err(_) | Ok(Status::TimeLimit | Status::Interrupted))
    }

    fn json(&self) -> String {
        let end = match self.end {
            Ok(status) => format!("{status:?}"),
            Err(stop) => stop.to_string(),
        };
        format!(
            r#"{}, "end": {end:?}, "ended": {}, "objective": {}, "writing": {:.6}"#,
            json_size(self.size),
            self.has_ended(),
            json_number(self.objective),
            self.writing
        )
    }
}

/// The size of the plain LP, in closed form: for large tasks the list of features
/// alone does not fit. Exact where all variables have two values or more; those
/// with one need less than is counted here.
fn plain_size(task: &Task) -> Size {
    let domains: Vec<u64> =
        task.variables().iter().map(|variable| variable.domain_size().into()).collect();
    let facts: u64 = domains.iter().sum();
    let squares: u64 = domains.iter().map(|size| size * size).sum();
    let features = facts + (facts * facts - squares) / 2;
    let mut size = Size { rows: 0, columns: features, nonzeros: 0 };
    for operator in task.operators() {
        let own = operator.preconditions.iter().map(|fact| domains[fact.variable.index()]);
        add_operator(&mut size, &domains, facts, own, changed_variables(operator));
    }
    size
}

/// The number of its variables that an operator in TNF changes.
fn changed_variables(operator: &Operator) -> u64 {
    let stays = |fact: &&Fact| operator.effects.iter().any(|effect| effect.fact == **fact);
    let staying = operator.preconditions.iter().filter(stays).count();
    (operator.preconditions.len() - staying) as u64
}

/// Adds the rows of an operator over m variables with the domains `own`, of which
/// it changes k. Over its own facts alone, k facts and C(m, 2) − C(m−k, 2) pairs
/// hold before it and not after it, and as many after it and not before. With each
/// value of each other variable, k pairs do, and k do.
fn add_operator(
    size: &mut Size,
    domains: &[u64],
    facts: u64,
    own: impl ExactSizeIterator<Item = u64>,
    k: u64,
) {
    let m = own.len() as u64;
    let pairs = |count: u64| count * count.saturating_sub(1) / 2;
    size.rows += 1;
    size.nonzeros += 2 * (k + pairs(m) - pairs(m - k));
    if k > 0 {
        let maxima = domains.len() as u64 - m;
        let alternatives = facts - own.sum::<u64>();
        size.columns += maxima;
        size.rows += alternatives;
        size.nonzeros += maxima + alternatives * (1 + 2 * k);
    }
}

fn json_size(size: Size) -> String {
    let Size { rows, columns, nonzeros } = size;
    format!(r#""rows": {rows}, "columns": {columns}, "nonzeros": {nonzeros}"#)
}

/// A finite number, or null.
fn json_number(number: f64) -> String {
    if number.is_finite() { format!("{number:.9}") } else { "null".to_owned() }
}
