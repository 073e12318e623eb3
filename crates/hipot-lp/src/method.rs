//! Algorithms for linear programs, and which one to try on which problem.
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
//! problems, in a few thousand iterations or never; without presolve it ended
//! on none of these. PDLP is slower and more reliable. The interior point
//! method always ends, but needs a factorization that large problems cannot
//! afford. So [`choose`] gives a list to try in order, and every entry but the
//! last has a limit on its share of the time *and* on its iterations: the
//! latter so that runs without a time limit end too, and so that what is tried
//! does not depend on how busy the machine is.

/// Problems with at most this many nonzeros are solved to a vertex by simplex.
pub const SMALL_NONZEROS: usize = 10_000;

/// Problems with more nonzeros than this are not given to the interior point
/// method: its factorization would take hours, or all memory.
pub const LARGE_NONZEROS: usize = 1_000_000;

/// Problems with at most this many nonzeros are solved on the processor even if
/// there is a card: it has to be started, and each of PDLP's short steps asks it
/// for a dozen things in turn. A first guess, between problems on which a card
/// won clearly and those that the processor solves at once.
pub const GPU_NONZEROS: usize = 1_000_000;

/// Iterations of primal simplex before another method is tried, per row and
/// column. Runs that end well need about one.
pub const SIMPLEX_ITERATIONS_PER_LINE: usize = 10;

/// Iterations of `HiPDLP` before another method is tried.
pub const HIPDLP_ITERATIONS: usize = 5_000;

/// Iterations of PDLP before another method is tried.
pub const PDLP_ITERATIONS: usize = 100_000;

/// The share of the remaining time that a method gets if others wait.
pub const SHARE: f64 = 0.4;

/// An algorithm for linear programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// What [`choose`] says.
    Auto,
    /// Primal simplex: ends at a vertex, warm starts after new objectives.
    PrimalSimplex,
    /// Dual simplex: ends at a vertex, warm starts after new row bounds.
    DualSimplex,
    /// The interior point method, without crossover to a vertex.
    Ipm,
    /// PDLP: a first-order method, restarted primal-dual hybrid gradient.
    Pdlp,
    /// HiPDLP: the same idea with Halpern iterations. Does not notice that a
    /// problem is infeasible or unbounded: such a run ends at its limit.
    HiPdlp,
}

impl Method {
    /// All algorithms, `Auto` not included.
    pub const ALL: [Self; 5] =
        [Self::PrimalSimplex, Self::DualSimplex, Self::Ipm, Self::Pdlp, Self::HiPdlp];

    /// A short name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::PrimalSimplex => "simplex",
            Self::DualSimplex => "dual-simplex",
            Self::Ipm => "ipm",
            Self::Pdlp => "pdlp",
            Self::HiPdlp => "hipdlp",
        }
    }

    /// Whether it needs products with the matrix only, and runs on a card where
    /// the solver can.
    pub const fn is_first_order(self) -> bool {
        matches!(self, Self::Pdlp | Self::HiPdlp)
    }

    /// Whether it moves from vertex to vertex, and so has a basis.
    pub const fn is_simplex(self) -> bool {
        matches!(self, Self::PrimalSimplex | Self::DualSimplex)
    }
}

/// One entry of the list of methods to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// The method.
    pub method: Method,
    /// Its share of the time that is left.
    pub share: f64,
    /// Its limit on iterations.
    pub iterations: Option<usize>,
}

impl Attempt {
    /// A method that was asked for, without others behind it. First-order
    /// methods do not always converge; so that they never hang, they get a
    /// number of iterations.
    pub const fn alone(method: Method) -> Self {
        match method {
            Method::Pdlp | Method::HiPdlp => {
                Self { iterations: Some(PDLP_ITERATIONS), ..Self::last(method) }
            }
            _ => Self::last(method),
        }
    }

    /// A method that gets everything.
    pub const fn last(method: Method) -> Self {
        Self { method, share: 1.0, iterations: None }
    }

    /// A method behind which another waits.
    pub const fn limited(method: Method, iterations: usize) -> Self {
        Self { method, share: SHARE, iterations: Some(iterations) }
    }
}

/// The methods to try on a problem of this size, in order.
///
/// | nonzeros | methods |
/// |---|---|
/// | at most [`SMALL_NONZEROS`] | primal simplex, interior point |
/// | at most [`LARGE_NONZEROS`] | HiPDLP, PDLP, interior point |
/// | more | HiPDLP, PDLP |
///
/// A solve without presolve leaves HiPDLP out, and so does one on a card
/// (`gpu`): there, PDLP is the method that has been tried, and HiPDLP ends the
/// process if the card's memory is full.
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
    fn a_card_runs_pdlp() {
        let large = choose(300_000, 100_000, GPU_NONZEROS + 1, true);
        assert_eq!(large, [Attempt::last(Method::Pdlp)]);
    }
}
