//! Parameters of a solve.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::iterate::Iterate;
use crate::listener::Listener;
use crate::method::Method;

/// Parameters of a solve. The defaults suit most callers.
#[derive(Clone, Debug)]
pub struct Params {
    /// The algorithm; the default lets [`choose`](crate::choose) decide.
    pub method: Method,
    /// The limit on elapsed time; none by default. It is checked between
    /// iterations, so a large factorization or presolve can overrun it.
    pub time_limit: Option<Duration>,
    /// The limit on iterations; none by default. [`Method::Auto`] has its own
    /// limits.
    pub iteration_limit: Option<usize>,
    /// A flag that stops the solve once it is not zero.
    pub interrupt: Option<Arc<AtomicUsize>>,
    /// Receives the progress of the solve about ten times a second, on the thread that
    /// called [`solve`](crate::Solver::solve); none by default.
    pub listener: Option<Listener<Iterate>>,
    /// How far rows, bounds, reduced costs and the gap between primal and dual
    /// objective may be off; 10⁻⁷ by default, 10⁻¹⁰ at least. First-order
    /// methods take it relative to the problem's norms.
    pub tolerance: f64,
    /// Whether the solver may simplify the problem first.
    pub presolve: bool,
    /// The number of threads; 1 by default.
    pub threads: usize,
    /// Whether the caller knows that the problem is feasible. Then the answer
    /// "infeasible" must be a mistake, and it is accepted only if primal
    /// simplex without presolve confirms it.
    pub known_feasible: bool,
    /// Which answers are good enough.
    pub accepts: Accepts,
    /// Whether to look for a [`Solution::ray`](crate::Solution::ray) if the
    /// problem is unbounded, which can take another solve.
    pub ray: bool,
}

/// Which answers end a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Only conclusive ones; otherwise the next method is tried.
    Optimal,
    /// Also [`Imprecise`](crate::Status::Imprecise) values: the caller checks
    /// and repairs them.
    Imprecise,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            time_limit: None,
            iteration_limit: None,
            interrupt: None,
            listener: None,
            tolerance: 1e-7,
            presolve: true,
            threads: 1,
            known_feasible: false,
            accepts: Accepts::Optimal,
            ray: true,
        }
    }
}

impl Params {
    /// The default with this method.
    pub fn with(method: Method) -> Self {
        Self { method, ..Self::default() }
    }

    /// Whether the caller has set the interrupt flag.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed) != 0)
    }
}
