//! Theorem 5: features of any size.
//!
//! [PHB17, Theorem 5; thm:tractable:general.] With larger features the
//! contexts of an operator are no longer independent, and the largest
//! decrease of φ is a maximum over joint assignments, Max(Ψ_o). Bucket
//! elimination over linear expressions writes it as a system of maxima, and
//! each maximum as a column that is at least every alternative. The size of the
//! LP is exponential in the induced width of the context-dependency graph
//! (Theorem 6). In the worst case that is exponential in the size of the task;
//! Theorem 2 says that this cannot be avoided.

use hipot_lp::{Bounds, Column};
use hipot_task::{OperatorId, VariableId};

use crate::binary::weighted;
use crate::contexts::{Domains, TooWide, maximize};
use crate::delta::Delta;
use crate::elimination::ValueSet;
use crate::feature::Features;
use crate::model::Model;

/// Adds the constraints of one operator.
pub fn add_operator(
    model: &mut Model,
    features: &Features,
    domains: &Domains,
    operator: OperatorId,
    cost: f64,
    delta: &Delta,
) -> Result<(), TooWide> {
    let mut sum = weighted(model, delta.independent.iter().copied());
    let mut expressions = Expressions { model, operator };
    let value = |expressions: &mut Expressions<'_>, term: crate::delta::Term| {
        vec![(expressions.model.w(term.feature), f64::from(term.sign))]
    };
    // [PHB17, Eq. 13; constraint:gen:consistency:2]
    //
    //     the constraints P_LP(Ψ_o, σ_o)
    //
    // Aux_{Ψ_o} is at least Max(Ψ_o) and may equal it.
    let max = maximize(delta, features.facts(), domains, &mut expressions, value)?;
    // [PHB17, Eq. 12; constraint:gen:consistency:1]
    //
    //     Δ_o^ind + Aux_{Ψ_o} ≤ cost(o)
    //
    // If Ψ_o falls into independent parts, the sum of their maxima is used
    // directly, without a column for it.
    sum.extend(max);
    model.add_row(..=cost, &sum);
    Ok(())
}

/// The paper's 𝔼: linear expressions over the columns of an LP, in which a
/// maximum is a new column.
struct Expressions<'a> {
    model: &'a mut Model,
    operator: OperatorId,
}

impl ValueSet for Expressions<'_> {
    type Value = Vec<(Column, f64)>;

    fn zero(&mut self) -> Self::Value {
        Vec::new()
    }

    fn add(&mut self, sum: &mut Self::Value, value: &Self::Value) {
        sum.extend_from_slice(value);
    }

    fn max(&mut self, variable: usize, mut alternatives: Vec<Self::Value>) -> Self::Value {
        if alternatives.len() == 1 {
            return alternatives.remove(0);
        }
        let count = alternatives.len();
        alternatives.retain(|alternative| !alternative.is_empty());
        if alternatives.is_empty() {
            return Vec::new();
        }
        let has_zero = alternatives.len() < count;
        let bounds = if has_zero { Bounds::from(0.0..) } else { Bounds::FREE };
        let aux = self.model.z(self.operator, VariableId::new(variable), bounds);
        for alternative in alternatives {
            let mut row = vec![(aux, 1.0)];
            row.extend(alternative.into_iter().map(|(column, value)| (column, -value)));
            self.model.add_row(0.0.., &row);
        }
        vec![(aux, 1.0)]
    }
}
