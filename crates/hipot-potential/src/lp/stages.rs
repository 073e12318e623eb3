//! The precision with which an LP is solved, and the margins.
//!
//! The solver's values are rounded, checked and repaired ([`certify`](crate::certify)), and
//! the bound is rounded up to an integer. So few digits are usually enough, and the last ones
//! can take most of the time: HiPDLP needs 8 seconds for freecell p02 with a relative
//! tolerance of 10⁻⁵, and never ends with 10⁻⁷. The *stages* require more and more precision,
//! until the bound is good enough. Within a stage, methods are tried in the order of the
//! [ladder](hipot_lp::first_order), until one of them ends with values.
//!
//! - *Small LPs* are solved by the simplex method: its vertices are often exact
//!   without a margin.
//! - *LPs that are a little larger* are solved by the simplex method too if that is quick
//!   ([`Stage::to_vertex`]), for the sake of exact numbers: a first-order method may be faster,
//!   but its values need a margin.
//! - *Others* are solved by first-order methods, with a loose tolerance at first (blocks 7-1
//!   takes half a second, and 18 seconds with 10⁻⁷). To make up for it, free operators get a
//!   larger margin, because rounding must not break their constraints. Operators that cost
//!   something are repaired by a larger denominator. Smaller margins were tried: pipesworld
//!   p05 is then not certified, because the solver's errors in free operators are larger.
//! - *If the bound, rounded up, might be too low*, more precise stages follow,
//!   in the end the interior-point method if the LP is not too large for its
//!   factorization.

use hipot_lp::{Attempt, GPU_NONZEROS, Library, Method, Size, VERTEX_NONZEROS};
use hipot_lp::{first_order, to_vertex};

/// Margins, a tolerance, and the methods to try with these in turn until one ends with values.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// The methods, each with its limit on iterations.
    pub(crate) attempts: Vec<Attempt>,
    /// The margin of operators that cost something: their costs are lowered by it.
    pub(crate) margin: f64,
    /// The margin of free operators.
    pub(crate) free_margin: f64,
    /// The tolerance, relative for first-order methods.
    pub(crate) tolerance: f64,
    /// Whether only an optimal vertex counts, not what a method has at its limit.
    pub(crate) needs_vertex: bool,
}

impl Stage {
    /// One precise method, with the same margin for all operators.
    pub(crate) fn precise(method: Method, margin: f64) -> Self {
        let attempts = vec![Attempt { method, share: 1.0, iterations: None }];
        Self { attempts, margin, free_margin: margin, tolerance: 1e-7, needs_vertex: false }
    }

    /// A limited attempt at an exact vertex, to be made before the other stages; `None` if the
    /// LP is too large, or if the other stages are such attempts themselves.
    pub(crate) fn to_vertex(method: Method, size: Size) -> Option<Self> {
        let is_too_large = size.nonzeros > VERTEX_NONZEROS as u64;
        if method != Method::Auto || is_too_large || ends_in_a_vertex(method, size) {
            return None;
        }
        let attempts = vec![to_vertex(size.rows, size.columns)];
        Some(Self { attempts, needs_vertex: true, ..Self::precise(method, 0.0) })
    }

    /// A limited attempt of the interior-point method, to be made before the other stages on what
    /// color refinement has left of a large LP; `None` if that is still large. Its steps are
    /// cheap then: openstacks p11, with 22,562 nonzeros left, takes 0.6 seconds, and 1.3 with
    /// HiPDLP.
    pub(crate) fn of_quotient(nonzeros: u64) -> Option<Self> {
        let attempt = Attempt { method: Method::Ipm, share: IPM_SHARE, iterations: None };
        (nonzeros <= MAX_QUICK_IPM_NONZEROS).then(|| Self {
            attempts: vec![attempt],
            tolerance: 1e-5,
            ..Self::precise(Method::Ipm, 1e-4)
        })
    }

    fn first_order(method: Method, margin: f64, free_margin: f64, tolerance: f64) -> Self {
        let attempts = first_order(method, tolerance);
        Self { attempts, margin, free_margin, tolerance, needs_vertex: false }
    }
}

/// For LPs with more nonzeros, interior-point steps take too long to be worth a try.
const MAX_IPM_NONZEROS: u64 = 300_000;

/// With at most so many, they are faster than first-order methods.
const MAX_QUICK_IPM_NONZEROS: u64 = 50_000;

/// The share of the remaining time that the interior-point method gets before other methods.
const IPM_SHARE: f64 = 0.4;

/// The iteration limit of the attempt at many digits.
const ITERATIONS_FOR_DIGITS: usize = 10_000;

/// The stages for an LP, to be tried until the bound is good enough.
///
/// With large costs (`is_scaled`), the last digits of the optimum are many units
/// of cost, so the first stage requires them: parcprinter's LPs converge to them
/// nearly at once.
pub(crate) fn stages(method: Method, size: Size, is_scaled: bool, library: Library) -> Vec<Stage> {
    // On a GPU, PDLP is the only method.
    let on_gpu = library.has_gpu() && size.nonzeros > GPU_NONZEROS as u64;
    let method = if on_gpu && method == Method::Auto { Method::Pdlp } else { method };
    if ends_in_a_vertex(method, size) {
        return [0.0, 1e-6, 1e-5, 1e-4].map(|margin| Stage::precise(method, margin)).into();
    }
    let mut stages = Vec::new();
    if is_scaled && method == Method::Auto {
        let iterations = Some(ITERATIONS_FOR_DIGITS);
        let attempts = vec![Attempt { method: Method::HiPdlp, share: 1.0, iterations }];
        let precise = Stage::precise(Method::HiPdlp, 1e-6);
        stages.push(Stage { attempts, tolerance: 1e-9, ..precise });
    }
    stages.extend([
        Stage::first_order(method, 1e-4, 1e-4, 1e-5),
        Stage::first_order(method, 1e-4, 5e-4, 1e-5),
        Stage::first_order(method, 1e-5, 1e-5, 1e-7),
    ]);
    if size.nonzeros <= MAX_IPM_NONZEROS {
        stages.extend([1e-6, 1e-7].map(|margin| Stage::precise(Method::Ipm, margin)));
    }
    let method = if on_gpu { method } else { Method::Auto };
    stages.extend([
        Stage::first_order(method, 1e-4, 1e-4, 1e-7),
        Stage::first_order(method, 1e-3, 1e-3, 1e-7),
    ]);
    stages
}

/// Whether the simplex method will solve an LP of this size.
pub(crate) fn ends_in_a_vertex(method: Method, size: Size) -> bool {
    match method {
        Method::Auto => size.nonzeros <= hipot_lp::SMALL_NONZEROS as u64,
        method => method.is_simplex(),
    }
}
