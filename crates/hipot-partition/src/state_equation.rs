//! The state equation heuristic: `seq`.
//!
//! A plan from s to the goal produces each fact as often as it consumes it,
//! except for the facts of s (consumed once more) and of the goal (produced once
//! more). The minimum cost of operator counts x that satisfy these equations is a
//! lower bound (van den Briel et al., CP 2007; Bonet, IJCAI 2013). In TNF, every
//! operator's production and consumption is known, so there is one equation per
//! fact:
//!
//! ```text
//! minimize Σ_o cost(o) x(o)  subject to  x ≥ 0 and, for all facts f,
//!   Σ_{o: f ∈ eff(o) \ pre(o)} x(o) − Σ_{o: f ∈ pre(o) \ eff(o)} x(o) = [f ∈ s_⋆] − [f ∈ s]
//! ```
//!
//! The equations of one variable sum up to 0 = 0, so the one of its goal value is
//! left out. Only the right-hand sides depend on the state.
//!
//! The LP is formulated here as its dual, over a function h of facts:
//! maximize h(s) − h(s_⋆) subject to h(pre(o)) − h(eff(o)) ≤ cost(o) for all o.
//! So h is an atomic potential function. It is certified; the counts are not used.
//! The solver gets the dual of this formulation, which is the equations above: see
//! `warm`.

use std::collections::BTreeMap;

use hipot_analysis::TnfTask;
use hipot_lp::Problem;
use hipot_task::{Limits, OperatorId, Task, VariableId};

use crate::certify::Constraints;
use crate::error::Error;
use crate::heuristic::PartitionLp;
use crate::projection::{AbstractState, AbstractStates, Choice, Projections};
use crate::warm::Columns;

/// The facts that an operator consumes (1) and produces (−1).
type Terms = Vec<(AbstractState, i8)>;

/// The LP of the state equation.
#[derive(Debug)]
pub struct StateEquation {
    /// Projections to one variable: their states are facts.
    projections: Projections,
    /// The costs of operators, and what they consume and produce; no two have the same facts.
    operators: Vec<(u32, Terms)>,
    /// The variables of forgetting operators, and what these consume and produce.
    forgetting: Vec<(VariableId, Terms)>,
}

impl StateEquation {
    /// The LP for a task in TNF.
    pub fn formulate(tnf: &TnfTask, limits: &Limits) -> Result<PartitionLp<Self>, Error> {
        let choice = Choice { states: AbstractStates::All, max_nonzeros: u64::MAX };
        let variables = tnf.task().variable_ids();
        let patterns = variables.map(|variable| vec![variable]).collect();
        let projections = Projections::new(tnf, patterns, choice, limits)?;
        let operators = distinct_operators(tnf.task(), &projections);
        let (problem, columns) = formulate(&projections, &operators);
        let forgetting =
            tnf.forgetting().map(|(id, variable)| (variable, terms(&projections, id))).collect();
        let constraints = Self { projections, operators, forgetting };
        Ok(PartitionLp { problem, columns, constraints })
    }
}

/// What operators consume and produce, and the cost of the cheapest one with these facts.
fn distinct_operators(task: &Task, projections: &Projections) -> Vec<(u32, Terms)> {
    let mut costs: BTreeMap<Terms, u32> = BTreeMap::new();
    for operator in task.operator_ids() {
        let cost = task.operator(operator).cost;
        let entry = costs.entry(terms(projections, operator));
        entry.and_modify(|min| *min = cost.min(*min)).or_insert(cost);
    }
    costs.into_iter().map(|(terms, cost)| (cost, terms)).collect()
}

/// What an operator consumes and produces.
fn terms(projections: &Projections, operator: OperatorId) -> Terms {
    let labels = projections.of_operator(operator).expect("no operator is dropped");
    let terms = labels.iter().flat_map(|label| {
        let (from, to) = projections.labels()[label.index()].transitions()[0];
        [(from, 1), (to, -1)]
    });
    terms.collect()
}

/// h(pre(o)) − h(eff(o)) ≤ cost(o) for all o: the dual of the state equation.
fn formulate(projections: &Projections, operators: &[(u32, Terms)]) -> (Problem, Columns) {
    let mut problem = Problem::maximize();
    let mut columns = vec![None; projections.state_count()];
    for projection in projections.iter() {
        for fact in projection.states().filter(|&fact| fact != projection.goal()) {
            columns[fact.index()] = Some(problem.add_column(0.0, ..));
        }
    }
    for (cost, terms) in operators {
        let column =
            |&(fact, sign): &(AbstractState, i8)| Some((columns[fact.index()]?, f64::from(sign)));
        problem.add_row(..=f64::from(*cost), terms.iter().filter_map(column));
    }
    (problem, columns)
}

impl Constraints for StateEquation {
    fn projections(&self) -> &Projections {
        &self.projections
    }

    fn decreases(&self, h: &[i64], visit: &mut dyn FnMut(u32, i128) -> bool) -> bool {
        self.operators.iter().all(|(cost, terms)| visit(*cost, decrease(h, terms)))
    }

    fn forgetting(&self, h: &[i64], visit: &mut dyn FnMut(VariableId, i128)) {
        for (variable, terms) in &self.forgetting {
            visit(*variable, decrease(h, terms));
        }
    }
}

/// h(pre(o)) − h(eff(o)).
fn decrease(h: &[i64], terms: &Terms) -> i128 {
    let value =
        |&(fact, sign): &(AbstractState, i8)| i128::from(h[fact.index()]) * i128::from(sign);
    terms.iter().map(value).sum()
}
