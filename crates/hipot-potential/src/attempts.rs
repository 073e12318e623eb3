//! Which methods to try on an LP, with how much precision.
//!
//! What the solver returns is rounded, checked and repaired ([`certify`]), and
//! the bound is rounded up to an integer. So few digits are enough as a rule,
//! and the last ones can take most of the time: HiPDLP needs 8 seconds for
//! freecell p02 with a relative tolerance of 10⁻⁵, and never ends with 10⁻⁷.
//!
//! - *Small LPs* go to the simplex method: its vertices are often exact
//!   without a margin.
//! - *Others* go to first-order methods. HiPDLP either ends in a few thousand
//!   iterations or takes very long, so it gets few, then PDLP gets some, which
//!   also notices that an LP is unbounded, then both get more. They begin with
//!   a loose tolerance (blocks 7-1 takes half a second, and 18 seconds with
//!   10⁻⁷); what it leaves uncertain is made up by a larger margin for free
//!   operators, which rounding must not break, while those that cost something
//!   are repaired by a larger denominator. Smaller margins were tried:
//!   pipesworld p05 is then not certified, because the solver's errors in free
//!   operators are larger.
//! - *Where the bound rounded up might be too low*, more precise attempts
//!   follow, at last by the interior-point method if the LP is not too large
//!   for its factorization.
//!
//! [`certify`]: crate::certify

use hipot_lp::{GPU_NONZEROS, Library, Method};

use crate::model::Size;

/// One try at the LP.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    /// Attempts of one stage ask for the same: one that ends is enough.
    pub(crate) stage: usize,
    pub(crate) method: Method,
    pub(crate) iterations: Option<usize>,
    /// By how much the costs of operators are lowered.
    pub(crate) margin: f64,
    /// The same for operators that cost nothing.
    pub(crate) free_margin: f64,
    /// The tolerance, relative for first-order methods.
    pub(crate) tolerance: f64,
}

impl Attempt {
    /// A method without margins.
    pub(crate) fn precise(method: Method) -> Self {
        let (margin, free_margin) = (0.0, 0.0);
        Self { stage: 0, method, iterations: None, margin, free_margin, tolerance: 1e-7 }
    }

    fn with_margin(self, margin: f64) -> Self {
        Self { margin, free_margin: margin, ..self }
    }
}

/// Above this many nonzeros, interior-point steps take too long to be worth a
/// try.
const LARGEST_FOR_IPM: u64 = 300_000;

/// Where PDLP has not ended by then, it will not.
const MOST_ITERATIONS: usize = 200_000;

/// Methods, margins and tolerances, to be tried in turn until the bound is
/// good enough.
///
/// With large costs (`is_scaled`), the last digits of the optimum are many units
/// of cost, so the first attempt asks for them: parcprinter's LPs give them
/// nearly at once.
pub(crate) fn attempts(
    method: Method,
    size: Size,
    is_scaled: bool,
    library: Library,
) -> Vec<Attempt> {
    // On a graphics card there is PDLP alone.
    let on_card = library.has_gpu() && size.nonzeros > GPU_NONZEROS as u64;
    let method = if on_card && method == Method::Auto { Method::Pdlp } else { method };
    let mut attempts = Attempts::default();
    if ends_in_a_vertex(method, size) {
        for margin in [0.0, 1e-6, 1e-5, 1e-4] {
            attempts.add_stage([Attempt::precise(method).with_margin(margin)]);
        }
        return attempts.0;
    }
    if is_scaled && method == Method::Auto {
        let iterations = Some(MOST_FOR_DIGITS);
        let precise = Attempt::precise(Method::HiPdlp).with_margin(1e-6);
        attempts.add_stage([Attempt { iterations, tolerance: 1e-9, ..precise }]);
    }
    attempts.first_order(method, 1e-4, 1e-4, 1e-5);
    attempts.first_order(method, 1e-4, 5e-4, 1e-5);
    attempts.first_order(method, 1e-5, 1e-5, 1e-7);
    if size.nonzeros <= LARGEST_FOR_IPM {
        for margin in [1e-6, 1e-7] {
            attempts.add_stage([Attempt::precise(Method::Ipm).with_margin(margin)]);
        }
    }
    let method = if on_card { method } else { Method::Auto };
    attempts.first_order(method, 1e-4, 1e-4, 1e-7);
    attempts.first_order(method, 1e-3, 1e-3, 1e-7);
    attempts.0
}

/// Iterations of the attempt at many digits.
const MOST_FOR_DIGITS: usize = 10_000;

#[derive(Default)]
struct Attempts(Vec<Attempt>);

impl Attempts {
    fn add_stage(&mut self, attempts: impl IntoIterator<Item = Attempt>) {
        let stage = self.0.last().map_or(0, |last| last.stage + 1);
        self.0.extend(attempts.into_iter().map(|attempt| Attempt { stage, ..attempt }));
    }

    /// First-order methods with these margins and this tolerance: the given
    /// one, or each in turn with more and more iterations.
    fn first_order(&mut self, method: Method, margin: f64, free_margin: f64, tolerance: f64) {
        let attempt = Attempt { margin, free_margin, tolerance, ..Attempt::precise(method) };
        if method != Method::Auto {
            // First-order methods may never end.
            let iterations = method.is_first_order().then_some(MOST_ITERATIONS);
            return self.add_stage([Attempt { iterations, ..attempt }]);
        }
        let few = if tolerance > 1e-6 { 40_000 } else { 5_000 };
        let turns = [
            (Method::HiPdlp, Some(few)),
            (Method::Pdlp, Some(20_000)),
            (Method::HiPdlp, Some(100_000)),
            (Method::Pdlp, Some(MOST_ITERATIONS)),
        ];
        self.add_stage(turns.map(|(method, iterations)| Attempt { method, iterations, ..attempt }));
    }
}

/// Whether the simplex method will solve an LP of this size.
pub(crate) fn ends_in_a_vertex(method: Method, size: Size) -> bool {
    match method {
        Method::Auto => size.nonzeros <= hipot_lp::SMALL_NONZEROS as u64,
        method => method.is_simplex(),
    }
}
