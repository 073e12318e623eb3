//! HiGHS: an instance with a model that can change and be solved repeatedly.
//!
//! A [`Solver`] owns an instance of HiGHS, which holds the only mutable copy of
//! the model. A solve has three steps:
//!
//! 1. Choose the methods to try: the one that the caller named, or the list of
//!    [`choose`], each with its share of time and iterations.
//! 2. Run HiGHS once per method until an answer is conclusive.
//! 3. If the answer is doubtful, get a second opinion: primal simplex on the
//!    original problem, from scratch, without presolve. Doubtful answers are
//!    "unbounded or infeasible", "unbounded" without a ray, and "infeasible" if
//!    the caller knows better. If the answer is imprecise after presolve, the
//!    same method runs again without presolve.
//!
//! # Surprises of HiGHS 1.15
//!
//! Found in its source and by experiment; the functions below work around them.
//!
//! - *Maximization is not safe.* HiPDLP ignores the direction of optimization
//!   and minimizes. If presolve solves the whole problem, the interior point
//!   method and PDLP get dual values of the wrong sign and the verdict
//!   "unknown". So HiGHS always minimizes here, and objectives and dual values
//!   change their sign on the way in and out.
//! - *The choice of method does not bind HiGHS.* With the option `solver` at its
//!   default, it uses dual simplex. After presolve and postsolve, simplex may
//!   run once more on the original problem with a strategy of its own choice,
//!   usually dual. If presolve says "unbounded or infeasible", HiGHS starts
//!   primal simplex on the original problem, whatever the method and however
//!   large the problem, unless `allow_unbounded_or_infeasible` is set; we set
//!   it and start that run ourselves, with the remaining time.
//! - *A basis turns presolve off*: simplex started from a basis solves the
//!   original problem. So does simplex after a method that leaves values but
//!   no basis: HiGHS builds a basis from the values. We clear the state unless
//!   simplex follows simplex.
//! - *Clocks add up over runs*, so the time limit of the second run includes
//!   the first: we zero them before each run. PDLP has its own clock and uses
//!   the whole limit even if presolve has already used some of it.
//! - *A run that hits its limit after presolve has no values*: HiGHS drops the
//!   iterate of the reduced problem. A caller that wants the values of an
//!   unfinished first-order method must turn presolve off.
//! - *HiPDLP at its limit returns zeros*, not its last iterate; we drop them.
//! - *Dual values after presolve can be wrong*: methods without a basis (the
//!   interior point method and PDLP, not HiPDLP) use reductions that simplex
//!   does not, and on degenerate problems the dual values come back off by
//!   more than 1. HiGHS notices and says "unknown" about optimal values.
//! - *Optimal can turn into unknown*: first-order methods measure the error
//!   relative to the problem's norms and on the presolved problem; HiGHS then
//!   measures it again on the original one and withdraws the verdict. We report
//!   [`Status::Imprecise`], with the values.
//! - *HiPDLP has no test for infeasible and unbounded problems*: it runs until
//!   its limit. It also does so on some problems with three columns, and without
//!   presolve on most problems with free columns. PDLP has such a test and says
//!   "unbounded or infeasible".
//! - *PDLP logs to standard output* whenever logging is on, whatever the other
//!   options say. So logging is off for PDLP.
//! - *Rows without bounds* make the interior point method fail, and make PDLP
//!   print a warning to standard output, whatever the options say. Presolve
//!   removes them, so it is on for these methods if there are such rows.
//! - *The ray*: if HiGHS has no ray when one is requested, it solves the problem
//!   again, by whatever method is set. For a problem without rows, it returns
//!   an uninitialized flag.
//! - *A problem without columns* is "empty", whether its rows allow 0 or not.
//! - *A build with CUDA* runs PDLP and HiPDLP on the GPU only. PDLP resets the
//!   GPU when it ends, so runs on a GPU wait for each other. Errors on the GPU,
//!   most often too little memory, are printed to standard output, and HiPDLP
//!   (in places PDLP too) then ends the process.
//! - *The number of threads* belongs to the thread that calls HiGHS and is fixed
//!   by its first run. So a run with more than one thread gets a thread of its
//!   own.
//!
//! # Interruption
//!
//! Simplex and the interior point method ask a callback between iterations
//! whether to stop. Presolve, PDLP and HiPDLP do not. So a run that can be
//! interrupted gets a thread of its own, while the caller's thread polls the
//! flag. Once the flag is set, the run gets a moment to end by itself and is
//! then abandoned: the solve returns [`Status::Interrupted`] at once, the run
//! continues in the background until it ends or reaches its limit, and only
//! then is its memory freed. A later call on the same solver waits for it. The
//! same happens if HiGHS overruns its time limit. A run with a listener gets a
//! thread of its own too, so that the caller's thread can report its progress.

mod functions;
mod instance;
mod library;
mod monitor;

use std::ffi::CStr;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use highs_sys as ffi;
use highs_sys::HighsInt;

pub use self::instance::Error;
use self::instance::Instance;
pub use self::library::{Library, LoadError};
use self::monitor::{Hooks, Monitor, logs_iterations};
use crate::ladder::{Attempt, choose};
use crate::method::Method;
use crate::params::{Accepts, Params};
use crate::problem::{Bounds, Column, Problem, Row, Sense};
use crate::solution::{Solution, Status};

/// How often the caller's thread polls the interrupt flag during a run.
const POLL: Duration = Duration::from_millis(10);

/// How long a run may take to end by itself once the flag is set.
const GRACE: Duration = Duration::from_millis(100);

/// The stack size of a run's thread: that of a main thread.
const STACK_SIZE: usize = 8 << 20;

/// The smallest tolerance that HiGHS accepts.
const MIN_TOLERANCE: f64 = 1e-10;

/// The values of the option `simplex_strategy`.
const DUAL_STRATEGY: HighsInt = 1;
const PRIMAL_STRATEGY: HighsInt = 4;

/// Held during a run on the GPU, so that there is only one in this process: PDLP
/// ends with a reset of the GPU, which frees the memory of all other runs.
static GPU: Mutex<()> = Mutex::new(());

/// HiGHS with a model.
#[derive(Debug)]
pub struct Solver {
    library: Library,
    state: State,
    sense: Sense,
    /// Whether some row has or had no bounds.
    has_free_rows: bool,
    /// Whether the last run was simplex, so that there may be a basis.
    has_basis: bool,
}

/// Where the instance is.
#[derive(Debug)]
enum State {
    Idle(Instance),
    /// On the thread of a run that the caller has given up.
    Abandoned(Receiver<Ended>),
    /// Between the other two states.
    Moving,
}

/// The instance after a run, and the model status unless the run failed.
type Ended = (Instance, Option<HighsInt>);

/// The method and limits of one run.
#[derive(Clone, Copy, Debug)]
struct Run {
    method: Method,
    presolve: bool,
    iterations: Option<usize>,
    time: Option<Duration>,
}

/// HiGHS's answer to one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Known(Status),
    UnboundedOrInfeasible,
}

impl Solver {
    /// Copies a problem, to be solved by the linked HiGHS.
    pub fn new(problem: &Problem) -> Result<Self, Error> {
        Self::with_library(problem, Library::linked())
    }

    /// Copies a problem, to be solved by the given HiGHS.
    pub fn with_library(problem: &Problem, library: Library) -> Result<Self, Error> {
        let mut instance = Instance::new(library);
        instance.pass(problem)?;
        Ok(Self::with(instance, library))
    }

    /// Reads a problem from a file in CPLEX LP format (`.lp`) or MPS (`.mps`).
    pub fn read(file: &Path) -> Result<Self, Error> {
        let library = Library::linked();
        let mut instance = Instance::new(library);
        instance.read(file)?;
        Ok(Self::with(instance, library))
    }

    fn with(instance: Instance, library: Library) -> Self {
        Self {
            library,
            sense: instance.sense(),
            has_free_rows: instance.row_bounds().into_iter().any(Bounds::is_free),
            state: State::Idle(instance),
            has_basis: false,
        }
    }

    /// The instance; waits until it is idle.
    fn instance(&mut self) -> &mut Instance {
        if let State::Abandoned(receiver) = &self.state {
            self.state = State::Idle(receiver.recv().expect("HiGHS has not crashed").0);
            self.has_basis = false;
        }
        match &mut self.state {
            State::Idle(instance) => instance,
            State::Abandoned(_) | State::Moving => unreachable!("waited for the run"),
        }
    }

    /// The number of rows.
    pub fn num_rows(&mut self) -> usize {
        self.instance().num_rows()
    }

    /// The number of columns.
    pub fn num_columns(&mut self) -> usize {
        self.instance().num_columns()
    }

    /// The number of nonzero coefficients.
    pub fn num_nonzeros(&mut self) -> usize {
        self.instance().num_nonzeros()
    }

    /// Replaces the objective coefficients of some columns, each listed once.
    /// Keeps the basis, which is still primal feasible.
    pub fn change_objective(&mut self, objective: &[(Column, f64)]) -> Result<(), Error> {
        self.instance().change_costs(objective)
    }

    /// Replaces all objective coefficients.
    pub fn set_objective(&mut self, objective: &[f64]) -> Result<(), Error> {
        self.instance().change_all_costs(objective)
    }

    /// Replaces the bounds of some rows, each listed once. Keeps the basis,
    /// which is still dual feasible.
    pub fn change_row_bounds(&mut self, bounds: &[(Row, Bounds)]) -> Result<(), Error> {
        self.instance().change_row_bounds(bounds)?;
        self.has_free_rows |= bounds.iter().any(|(_, bounds)| bounds.is_free());
        Ok(())
    }

    /// Adds the columns and rows that `problem` has beyond those of the model,
    /// for callers with a growing problem. Ignores the rows and columns that the
    /// model already has. Keeps the basis; new rows are basic.
    pub fn append(&mut self, problem: &Problem) -> Result<(), Error> {
        let instance = self.instance();
        let old_rows = instance.num_rows();
        instance.append(problem)?;
        self.has_free_rows |=
            problem.rows().skip(old_rows).any(|row| problem.row_bounds(row).is_free());
        Ok(())
    }

    /// Adds a column with terms in rows of the model, each listed once, for
    /// column generation. Keeps the basis; the new column is nonbasic.
    pub fn add_column(
        &mut self,
        objective: f64,
        bounds: impl Into<Bounds>,
        terms: &[(Row, f64)],
    ) -> Result<Column, Error> {
        let instance = self.instance();
        let column = Column(instance.num_columns() as u32);
        instance.add_column(objective, bounds.into(), terms)?;
        Ok(column)
    }

    /// Clears the state that earlier solves left, so that the next starts cold.
    pub fn forget(&mut self) {
        self.instance().clear_solver();
        self.has_basis = false;
    }

    /// Solves the problem.
    pub fn solve(&mut self, params: &Params) -> Solution {
        let start = Instant::now();
        let mut solution = self.try_methods(params, start);
        solution.seconds = start.elapsed().as_secs_f64();
        solution
    }

    fn try_methods(&mut self, params: &Params, start: Instant) -> Solution {
        if params.is_interrupted() {
            return Solution::bare(Status::Interrupted, params.method);
        }
        let gpu = self.library.has_gpu();
        let instance = self.instance();
        if instance.num_columns() == 0 {
            return without_columns(&instance.row_bounds(), params.method);
        }
        let mut attempts = match params.method {
            Method::Auto | Method::Engine => {
                let (rows, columns) = (instance.num_rows(), instance.num_columns());
                choose(rows, columns, instance.num_nonzeros(), gpu)
            }
            method => {
                vec![Attempt { iterations: params.iteration_limit, ..Attempt::alone(method) }]
            }
        };
        if params.method.is_open() && !params.presolve {
            // Without presolve, it would only run to its limit.
            attempts.retain(|attempt| attempt.method != Method::HiPdlp);
        }
        let mut best: Option<Solution> = None;
        for attempt in attempts {
            let solution = self.attempt(attempt, params, start);
            let will_do = params.accepts == Accepts::Imprecise && worth(&solution) == MAX_WORTH;
            let is_answer = solution.status.is_conclusive() || will_do;
            if is_answer || solution.status == Status::Interrupted {
                return solution;
            }
            if best.as_ref().is_none_or(|best| worth(&solution) > worth(best)) {
                best = Some(solution);
            }
        }
        best.expect("at least one method is tried")
    }

    /// Tries one method, and gets a second opinion if its answer is doubtful.
    fn attempt(&mut self, attempt: Attempt, params: &Params, start: Instant) -> Solution {
        let left = || params.time_limit.map(|limit| limit.saturating_sub(start.elapsed()));
        let run = Run {
            method: attempt.method,
            presolve: params.presolve,
            iterations: attempt.iterations,
            time: left().map(|left| left.mul_f64(attempt.share)),
        };
        let (verdict, first) = self.run(run, params);
        let final_word = run.method == Method::PrimalSimplex && !run.presolve;
        let simplex = Run { method: Method::PrimalSimplex, presolve: false, ..run };
        let second = match verdict {
            Verdict::UnboundedOrInfeasible => simplex,
            Verdict::Known(Status::Unbounded) if params.ray && first.ray.is_none() => simplex,
            Verdict::Known(Status::Infeasible) if params.known_feasible && !final_word => simplex,
            Verdict::Known(Status::Imprecise) if params.accepts == Accepts::Imprecise => {
                return first;
            }
            Verdict::Known(Status::Imprecise) if run.presolve && !first.values.is_empty() => {
                Run { presolve: false, ..run }
            }
            Verdict::Known(_) => return first,
        };
        self.forget();
        let iterations = run.iterations.filter(|_| second.method == run.method);
        let (_, second) = self.run(Run { time: left(), iterations, ..second }, params);
        if second.status.is_conclusive() || second.status == Status::Interrupted {
            return second;
        }
        let unbounded = verdict == Verdict::Known(Status::Unbounded)
            || verdict == Verdict::UnboundedOrInfeasible && params.known_feasible;
        if unbounded {
            return self.unbounded(first);
        }
        if verdict == Verdict::Known(Status::Imprecise) { first } else { second }
    }

    /// The solution with the status and objective of an unbounded problem.
    fn unbounded(&self, solution: Solution) -> Solution {
        let objective = match self.sense {
            Sense::Minimize => f64::NEG_INFINITY,
            Sense::Maximize => f64::INFINITY,
        };
        Solution { status: Status::Unbounded, objective, ..solution }
    }

    /// One run of HiGHS.
    fn run(&mut self, run: Run, params: &Params) -> (Verdict, Solution) {
        let end = |status| (Verdict::Known(status), Solution::bare(status, run.method));
        if run.time.is_some_and(|time| time.is_zero()) {
            return end(Status::TimeLimit);
        }
        if !(self.has_basis && run.method.is_simplex()) {
            self.forget();
        }
        let fails_on_free_rows = matches!(run.method, Method::Pdlp | Method::Ipm);
        let presolve = run.presolve || fails_on_free_rows && self.has_free_rows;
        let hooks = Hooks::new(params);
        set_options(self.instance(), Run { presolve, ..run }, params, &hooks);
        let on_gpu = self.library.has_gpu() && run.method.is_first_order();
        let needs_a_thread = hooks.is_needed() || params.threads != 1;
        let verdict = if needs_a_thread {
            // HiGHS checks its clock only now and then.
            let deadline =
                run.time.and_then(|time| Instant::now().checked_add(time.saturating_add(GRACE)));
            let monitor = Monitor::new(params, hooks, run.method, self.sense);
            self.run_on_a_thread(on_gpu, params, deadline, monitor)
        } else {
            interpret(run_exclusively(self.instance(), on_gpu))
        };
        if let (State::Abandoned(_), Verdict::Known(status)) = (&self.state, verdict) {
            self.has_basis = false;
            return end(status);
        }
        self.has_basis = run.method.is_simplex();
        (verdict, self.read_solution(verdict, run.method))
    }

    /// Runs HiGHS on a thread of its own until it ends, the caller sets the flag, or
    /// the deadline passes. Meanwhile the monitor reports its progress.
    fn run_on_a_thread(
        &mut self,
        on_gpu: bool,
        params: &Params,
        deadline: Option<Instant>,
        monitor: Monitor<'_>,
    ) -> Verdict {
        self.instance();
        let State::Idle(mut instance) = std::mem::replace(&mut self.state, State::Moving) else {
            unreachable!("waited for the instance")
        };
        let (sender, receiver) = sync_channel::<Ended>(1);
        let body = move || {
            let status = run_exclusively(&mut instance, on_gpu);
            // If the receiver is gone, the instance is freed here.
            drop(sender.send((instance, status)));
        };
        thread::Builder::new().stack_size(STACK_SIZE).spawn(body).expect("a thread can be started");
        match wait(&receiver, params, deadline, monitor) {
            Ok((instance, status)) => {
                self.state = State::Idle(instance);
                interpret(status)
            }
            Err(status) => {
                self.state = State::Abandoned(receiver);
                Verdict::Known(status)
            }
        }
    }

    fn read_solution(&mut self, verdict: Verdict, method: Method) -> Solution {
        let instance = self.instance();
        let Verdict::Known(status) = verdict else {
            return Solution::bare(Status::Failed, method);
        };
        let mut solution = Solution::bare(status, method);
        if matches!(status, Status::Infeasible | Status::Interrupted | Status::Failed) {
            return solution;
        }
        (solution.values, solution.duals) = instance.solution();
        if method == Method::HiPdlp && !is_iterate(&solution) {
            return Solution::bare(status, method);
        }
        if !solution.values.is_empty() {
            solution.objective = instance.objective_value();
        }
        if status == Status::Unbounded {
            solution.ray = find_ray(instance);
            solution.duals.clear();
            return self.unbounded(solution);
        }
        solution
    }
}

/// Runs HiGHS; on the GPU, one run at a time: see [`GPU`].
fn run_exclusively(instance: &mut Instance, on_gpu: bool) -> Option<HighsInt> {
    let _exclusive = on_gpu.then(|| GPU.lock().unwrap_or_else(PoisonError::into_inner));
    instance.run()
}

/// Waits until the run ends, the flag is set, or the deadline passes. In the last
/// two cases, the error is the status to return.
fn wait(
    receiver: &Receiver<Ended>,
    params: &Params,
    deadline: Option<Instant>,
    mut monitor: Monitor<'_>,
) -> Result<Ended, Status> {
    if params.interrupt.is_none() && params.listener.is_none() && deadline.is_none() {
        return Ok(receiver.recv().expect("HiGHS has not crashed"));
    }
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(ended) => return Ok(ended),
            Err(RecvTimeoutError::Disconnected) => panic!("HiGHS has not crashed"),
            Err(RecvTimeoutError::Timeout) if params.is_interrupted() => {
                return receiver.recv_timeout(GRACE).map_err(|_| Status::Interrupted);
            }
            Err(RecvTimeoutError::Timeout) => monitor.report(),
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(Status::TimeLimit);
        }
    }
}

/// Whether these are not just the zeros that `HiPDLP` leaves at its limit.
fn is_iterate(solution: &Solution) -> bool {
    solution.status == Status::Optimal || solution.values.iter().any(|&value| value != 0.0)
}

/// The worth of an imprecise answer with values.
const MAX_WORTH: usize = 4;

/// The worth of an inconclusive answer. Of several with the same worth the first
/// is kept: its method is the better one on problems of this size.
fn worth(solution: &Solution) -> usize {
    match solution.status {
        Status::Imprecise if !solution.values.is_empty() => MAX_WORTH,
        Status::TimeLimit if !solution.values.is_empty() => 3,
        Status::TimeLimit => 2,
        Status::Imprecise => 1,
        _ => 0,
    }
}

/// The meaning of a model status, or of an error.
fn interpret(model_status: Option<HighsInt>) -> Verdict {
    Verdict::Known(match model_status.unwrap_or(ffi::MODEL_STATUS_SOLVE_ERROR) {
        ffi::MODEL_STATUS_OPTIMAL => Status::Optimal,
        ffi::MODEL_STATUS_INFEASIBLE => Status::Infeasible,
        ffi::MODEL_STATUS_UNBOUNDED => Status::Unbounded,
        ffi::MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE => return Verdict::UnboundedOrInfeasible,
        ffi::MODEL_STATUS_REACHED_TIME_LIMIT => Status::TimeLimit,
        ffi::MODEL_STATUS_REACHED_INTERRUPT => Status::Interrupted,
        ffi::MODEL_STATUS_REACHED_ITERATION_LIMIT | ffi::MODEL_STATUS_UNKNOWN => Status::Imprecise,
        _ => Status::Failed,
    })
}

/// The solution of a problem without columns: every row has the value 0.
fn without_columns(rows: &[Bounds], method: Method) -> Solution {
    if rows.iter().any(|bounds| bounds.violation(0.0) > 0.0) {
        return Solution::bare(Status::Infeasible, method);
    }
    let duals = vec![0.0; rows.len()];
    Solution { objective: 0.0, duals, ..Solution::bare(Status::Optimal, method) }
}

fn find_ray(instance: &Instance) -> Option<Vec<f64>> {
    if instance.num_nonzeros() > 0 {
        return instance.primal_ray();
    }
    // Without constraints, a single column can be a ray.
    let sign = match instance.sense() {
        Sense::Minimize => -1.0,
        Sense::Maximize => 1.0,
    };
    let columns = instance.columns();
    let improves = |&(cost, bounds): &(f64, Bounds)| {
        let end = if sign * cost > 0.0 { bounds.upper } else { bounds.lower };
        cost != 0.0 && end.is_infinite()
    };
    let column = columns.iter().position(improves)?;
    let mut ray = vec![0.0; columns.len()];
    ray[column] = sign * columns[column].0.signum();
    Some(ray)
}

fn set_options(instance: &mut Instance, run: Run, params: &Params, hooks: &Arc<Hooks>) {
    let (solver, strategy): (&CStr, _) = match run.method {
        Method::PrimalSimplex => (c"simplex", PRIMAL_STRATEGY),
        Method::DualSimplex => (c"simplex", DUAL_STRATEGY),
        Method::Ipm => (c"ipx", PRIMAL_STRATEGY),
        Method::Pdlp => (c"pdlp", PRIMAL_STRATEGY),
        Method::HiPdlp => (c"hipdlp", PRIMAL_STRATEGY),
        Method::Auto | Method::Engine => unreachable!("replaced by what is chosen"),
    };
    instance.set_string(c"solver", solver);
    instance.set_int(c"simplex_strategy", strategy);
    instance.set_string(c"run_crossover", c"off");
    instance.set_string(c"presolve", if run.presolve { c"on" } else { c"off" });
    instance.set_bool(c"allow_unbounded_or_infeasible", true);
    instance.set_double(c"kkt_tolerance", params.tolerance.max(MIN_TOLERANCE));
    let time = run.time.map_or(f64::INFINITY, |time| time.as_secs_f64());
    instance.set_double(c"time_limit", time);
    let iterations = run.iterations.and_then(|limit| HighsInt::try_from(limit).ok());
    let iterations = iterations.unwrap_or(HighsInt::MAX);
    for option in [c"simplex_iteration_limit", c"ipm_iteration_limit", c"pdlp_iteration_limit"] {
        instance.set_int(option, iterations);
    }
    instance.set_string(c"parallel", if params.threads == 1 { c"off" } else { c"choose" });
    instance.set_int(c"threads", HighsInt::try_from(params.threads).unwrap_or(1));
    let logs = hooks.is_observed() && logs_iterations(run.method);
    instance.set_bool(c"output_flag", logs);
    instance.set_int(c"log_dev_level", (logs && run.method == Method::HiPdlp).into());
    instance.set_hooks(Arc::clone(hooks));
}
