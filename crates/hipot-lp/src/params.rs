//! How to solve.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::{Method, Observer};

/// How to solve a problem. The default asks for what suits most callers.
#[derive(Clone, Debug)]
pub struct Params {
    /// The algorithm; the default lets [`choose`](crate::choose) decide.
    pub method: Method,
    /// Elapsed time after which to stop; none by default. Checked between
    /// iterations, so a large factorization or presolve can overrun it.
    pub time_limit: Option<Duration>,
    /// Iterations after which to stop; none by default. [`Method::Auto`] has
    /// its own.
    pub iteration_limit: Option<usize>,
    /// A flag that stops the solve once it is not zero.
    pub interrupt: Option<Arc<AtomicUsize>>,
    /// Told how far the solve is; none by default.
    pub observer: Option<Observer>,
    /// How far rows, bounds, reduced costs and the gap between primal and dual
    /// objective may be off; 10⁻⁷ by default, no less than 10⁻¹⁰.
    /// First-order methods mean it relative to the problem's norms.
    pub tolerance: f64,
    /// Whether the solver may simplify the problem first.
    pub presolve: bool,
    /// The number of threads; 1 by default.
    pub threads: usize,
    /// The caller knows a feasible point, so the answer "infeasible" must be a
    /// mistake: it is not believed before primal simplex, without presolve,
    /// has said it too.
    pub known_feasible: bool,
    /// What is good enough.
    pub accepts: Accepts,
    /// Whether to look for a [`Solution::ray`](crate::Solution::ray) if the
    /// problem is unbounded, which can take another solve.
    pub ray: bool,
}

/// Which answers end a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Only conclusive ones; before that, other methods are tried.
    Optimal,
    /// Values that are [`Imprecise`](crate::Status::Imprecise) too: the caller
    /// checks and repairs them.
    Imprecise,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            time_limit: None,
            iteration_limit: None,
            interrupt: None,
            observer: None,
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

    /// Whether the caller has raised the flag.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed) != 0)
    }
}
