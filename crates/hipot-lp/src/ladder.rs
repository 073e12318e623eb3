//! The ladder: which algorithm to try on which problem, in which order, and for how long.
//!
//! The LPs of potential heuristics are hugely degenerate and have free
//! columns, and solvers' own defaults are wrong for them. Seconds for
//! two-dimensional potentials of Gripper, not reduced (one thread, presolve,
//! T: more than 8):
//!
//! | balls | nonzeros | primal simplex | dual simplex | interior point | PDLP | HiPDLP |
//! |---|---|---|---|---|---|---|
//! | 4 | 2.8k | .004 | .019 | .015 | .005 | .004 |
//! | 8 | 11k | .055 | .52 | .087 | .038 | .011 |
//! | 16 | 43k | 1.5 | – | .86 | .18 | .077 |
//! | 32 | 173k | T | – | T | .86 | T |
//!
//! Dual simplex, the default of HiGHS, is the slowest, and gets worse with
//! size. Primal simplex is fine on small problems, where it gives an exact
//! vertex and a basis to start from next time. HiPDLP is the fastest on most
//! problems: it converges in a few thousand iterations or never; without
//! presolve it converged on none of these. PDLP is slower and more reliable.
//! The interior point method always ends, but needs a factorization that large
//! problems cannot afford. So methods are tried in order, and each but the last
//! has a limit on its share of the time *and* on its iterations. The iteration
//! limit makes runs without a time limit end, and keeps the choice independent
//! of how busy the machine is.
//!
//! There are two lists, for two kinds of callers. [`choose`] is for those that
//! use the answer as it is ([`Method::Auto`]). [`first_order`] is for those that
//! round, check and repair it, as `hipot-potential` does: few digits are enough
//! for them, and alternating HiPDLP and PDLP with more and more iterations works
//! better than falling back on a factorization.

use crate::method::Method;

/// Problems with at most this many nonzeros are solved to a vertex by simplex.
pub const SMALL_NONZEROS: usize = 10_000;

/// For problems with at most this many nonzeros, [`to_vertex`] is worth a try even if
/// another method is faster.
pub const VERTEX_NONZEROS: usize = 25_000;

/// Problems with more nonzeros than this are not solved by the interior point
/// method: its factorization would take hours, or all memory.
const LARGE_NONZEROS: usize = 1_000_000;

/// Problems with at most this many nonzeros are solved on the processor even if
/// there is a GPU: starting it takes time, and each of PDLP's short steps makes a
/// dozen calls to it in turn. A first guess, between problems on which a GPU
/// clearly won and those that the processor solves at once.
pub const GPU_NONZEROS: usize = 1_000_000;

/// Iterations of primal simplex before another method is tried, per row and
/// column. Runs that end well need about one.
const SIMPLEX_ITERATIONS_PER_LINE: usize = 10;

/// The same limit for callers that can do without a vertex.
const VERTEX_ITERATIONS_PER_LINE: usize = 2;

/// Iterations of `HiPDLP` before another method is tried.
const HIPDLP_ITERATIONS: usize = 5_000;

/// Iterations of PDLP before another method is tried.
const PDLP_ITERATIONS: usize = 100_000;

/// The share of the remaining time that a method gets if others come after it.
const SHARE: f64 = 0.4;

/// One entry of the list of methods to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// The method.
    pub method: Method,
    /// Its share of the remaining time.
    pub share: f64,
    /// Its limit on iterations.
    pub iterations: Option<usize>,
}

impl Attempt {
    /// A method that the caller named, with no others after it. First-order
    /// methods do not always converge; an iteration limit keeps them from
    /// running forever.
    pub(crate) const fn alone(method: Method) -> Self {
        match method {
            Method::Pdlp | Method::HiPdlp => {
                Self { iterations: Some(PDLP_ITERATIONS), ..Self::last(method) }
            }
            _ => Self::last(method),
        }
    }

    /// The last method, without limits.
    const fn last(method: Method) -> Self {
        Self { method, share: 1.0, iterations: None }
    }

    /// A method with others after it.
    const fn limited(method: Method, iterations: usize) -> Self {
        Self { method, share: SHARE, iterations: Some(iterations) }
    }
}

/// The methods to try on a problem of this size, in order.
///
/// | nonzeros | methods |
/// |---|---|
/// | at most [`SMALL_NONZEROS`] | primal simplex, interior point |
/// | at most a million | HiPDLP, PDLP, interior point |
/// | more | HiPDLP, PDLP |
///
/// A solve without presolve skips HiPDLP, and so does one on a GPU (`gpu`):
/// there, PDLP is the method that has been tested, and HiPDLP ends the process
/// if the GPU runs out of memory.
pub fn choose(rows: usize, columns: usize, nonzeros: usize, gpu: bool) -> Vec<Attempt> {
    if nonzeros <= SMALL_NONZEROS {
        let iterations = SIMPLEX_ITERATIONS_PER_LINE * (rows + columns);
        return vec![
            Attempt::limited(Method::PrimalSimplex, iterations),
            Attempt::last(Method::Ipm),
        ];
    }
    let mut attempts = Vec::new();
    if !gpu {
        attempts.push(Attempt::limited(Method::HiPdlp, HIPDLP_ITERATIONS));
    }
    if nonzeros <= LARGE_NONZEROS {
        attempts.push(Attempt::limited(Method::Pdlp, PDLP_ITERATIONS));
        attempts.push(Attempt::last(Method::Ipm));
    } else {
        attempts.push(Attempt::last(Method::Pdlp));
    }
    attempts
}

/// An attempt to solve a problem of this size to a vertex, which can be made exact, by a
/// caller that has other methods if it fails.
pub fn to_vertex(rows: u64, columns: u64) -> Attempt {
    let lines = usize::try_from(rows.saturating_add(columns)).unwrap_or(usize::MAX);
    let iterations = Some(lines.saturating_mul(VERTEX_ITERATIONS_PER_LINE));
    Attempt { method: Method::PrimalSimplex, share: 1.0, iterations }
}

/// If PDLP has not converged after this many iterations, it never will.
const MAX_PDLP_ITERATIONS: usize = 200_000;

/// The methods to try for an answer of this tolerance that the caller will repair: the given
/// method, or for [`Method::Auto`] the first-order methods in turn with more and more
/// iterations. HiPDLP either converges in a few thousand iterations or takes very long, so
/// it gets few, and fewer still for a small tolerance. Then PDLP gets some; it also detects
/// unbounded problems. Then both get more.
pub fn first_order(method: Method, tolerance: f64) -> Vec<Attempt> {
    let attempt = |method, iterations| Attempt { method, share: 1.0, iterations };
    if method != Method::Auto {
        // First-order methods may never converge.
        return vec![attempt(method, method.is_first_order().then_some(MAX_PDLP_ITERATIONS))];
    }
    let few = if tolerance > 1e-6 { 40_000 } else { 5_000 };
    vec![
        attempt(Method::HiPdlp, Some(few)),
        attempt(Method::Pdlp, Some(20_000)),
        attempt(Method::HiPdlp, Some(100_000)),
        attempt(Method::Pdlp, Some(MAX_PDLP_ITERATIONS)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_method_is_unlimited_and_none_is_the_solvers_default() {
        let sizes = [0, 1, 1_000, 100_000, 1_000_000, 100_000_000];
        for (nonzeros, gpu) in sizes.into_iter().flat_map(|size| [(size, false), (size, true)]) {
            let attempts = choose(nonzeros / 5, nonzeros / 10, nonzeros, gpu);
            let (last, others) = attempts.split_last().expect("something to try");
            assert_eq!((last.share, last.iterations), (1.0, None));
            assert!(others.iter().all(|attempt| attempt.iterations.is_some()));
            assert!(attempts.iter().all(|attempt| attempt.method != Method::Auto));
            assert!(attempts.iter().all(|attempt| attempt.method != Method::DualSimplex));
        }
    }

    #[test]
    fn a_gpu_runs_pdlp() {
        let large = choose(300_000, 100_000, GPU_NONZEROS + 1, true);
        assert_eq!(large, [Attempt::last(Method::Pdlp)]);
    }
}
