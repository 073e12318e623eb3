//! The proof that a function has the highest value that the LP allows.
//!
//! A certified function proves a lower bound on plans, whatever the solver did. That no function
//! over the same features proves more is another claim, and it needs another proof: dual values
//! of the LP with the same objective ([`exact_dual_bound`]). At a vertex of the simplex method
//! they are usually fractions with small denominators. So for small LPs the claim can be checked
//! exactly too, in integers and without trusting the solver.
//!
//! The dual values must be those of the family's LP itself. If the equations of free operators
//! were substituted, the solver's dual values belong to a smaller LP, and it is not proved
//! that these equations follow from the constraints. Then the LP is solved once more as it is.

use hipot_lp::{Params, Solver, VERTEX_NONZEROS, exact_dual_bound, to_vertex};
use hipot_task::Value;

use super::{Aim, Optimizer, lp_params};
use crate::lp::Stage;
use crate::report::Optimality;

impl Optimizer<'_> {
    /// How near the best function is to the LP's optimum.
    pub(super) fn optimality(&self) -> Optimality {
        match &self.aim {
            Aim::State(state) if self.is_optimal(state) => Optimality::Proved,
            _ => Optimality::Within((self.report.objective - self.best.value).max(0.0)),
        }
    }

    /// Whether the value of the best function in `state`, which the LP was made for, is proved
    /// to be the LP's optimum.
    fn is_optimal(&self, state: &[Value]) -> bool {
        if !self.report.method.is_simplex() || self.size.nonzeros > VERTEX_NONZEROS as u64 {
            return false;
        }
        let (problem, value) = (self.family.problem(), self.best.function.exact(state));
        let bound = if self.substitution.is_none() {
            exact_dual_bound(problem, &self.duals)
        } else {
            self.duals_of_all().and_then(|duals| exact_dual_bound(problem, &duals))
        };
        let Some((numerator, denominator)) = bound else { return false };
        let scaled = value.numerator.checked_mul(denominator.into());
        scaled.is_some() && scaled == numerator.checked_mul(value.denominator)
    }

    /// The dual values of the family's LP, without substitutions; `None` if solving it takes
    /// too long.
    fn duals_of_all(&self) -> Option<Vec<f64>> {
        let attempt = to_vertex(self.size.rows, self.size.columns);
        let stage = Stage::precise(attempt.method, 0.0);
        let params = Params { ray: false, ..lp_params(self.limits, &stage, attempt) };
        let solution = Solver::new(self.family.problem()).ok()?.solve(&params);
        solution.is_optimal().then_some(solution.duals)
    }
}
