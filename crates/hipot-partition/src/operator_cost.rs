//! Optimal operator cost partitioning over projections: `ocp(dim=K, patterns=…)`.
//!
//! A cost partitioning gives each projection α a share c_α(o) of each
//! operator's cost, with Σ_α c_α(o) ≤ cost(o). Shares may be negative
//! (Pommerening et al., AAAI 2015). Then the sum over α of distances to the
//! goal with costs c_α is admissible, and the shares with the largest sum in a
//! given state are the solution of a linear program (Katz & Domshlak, AIJ
//! 2010):
//!
//! ```text
//! maximize Σ_α h(α(s))  subject to
//!   h(α(s_⋆)) = 0                 for all α
//!   h(a) − h(b) ≤ c_α(o)          for all transitions a –o→ b of all α
//!   Σ_α c_α(o) ≤ cost(o)          for all o
//! ```
//!
//! Only the objective depends on the state, so one LP serves all states.
//!
//! # What is left out, without changing the optimum
//!
//! - c_α(o) is only a bound on the decreases of h along o's transitions in α. So
//!   there is one column for all operators of a [`Label`], and none if the label
//!   has a single transition, whose decrease takes its place.
//! - Of operators with the same terms in their rows, only the cheapest has a row.
//! - Functions of one variable V can be moved from one projection to another
//!   that contains V. Along operators that change V, f(V) falls by the same
//!   amount in all transitions, so h and shares move together; along others it
//!   does not change. Each variable has a *home*, the first projection that
//!   contains it, and elsewhere h is 0 in abstract states that differ from the
//!   goal in this variable alone.
//!
//! [`Patterns::All`] includes projections whose only goal value is `unknown`: with
//! negative costs they are not useless.

use std::collections::BTreeMap;

use hipot_analysis::TnfTask;
use hipot_lp::{Column, Problem};
use hipot_task::{Limits, Task, VariableId};

use crate::certify::Constraints;
use crate::error::Error;
use crate::heuristic::PartitionLp;
use crate::projection::{
    AbstractState, AbstractStates, Choice, Label, LabelId, Patterns, Projection, Projections,
    Standing,
};
use crate::warm::Columns;

/// Which projections to use, and how large they may be.
#[derive(Clone, Debug)]
pub struct Params {
    /// The sets of variables to project to.
    pub patterns: Patterns,
    /// Which abstract states take part.
    pub states: AbstractStates,
    /// The maximum number of nonzeros of the LP, predicted before it is reduced.
    pub max_nonzeros: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            patterns: Patterns::default(),
            states: AbstractStates::default(),
            max_nonzeros: 5_000_000,
        }
    }
}

/// The LP of optimal operator cost partitioning.
#[derive(Debug)]
pub struct OperatorCosts {
    projections: Projections,
    /// The costs and labels of operators; no two have the same labels.
    operators: Vec<(u32, Vec<LabelId>)>,
    /// The variables and labels of forgetting operators.
    forgetting: Vec<(VariableId, Vec<LabelId>)>,
}

impl OperatorCosts {
    /// The LP for a task, given with its transition normal form.
    pub fn formulate(
        task: &Task,
        tnf: &TnfTask,
        params: &Params,
        limits: &Limits,
    ) -> Result<PartitionLp<Self>, Error> {
        let choice = Choice { states: params.states, max_nonzeros: params.max_nonzeros };
        let patterns = params.patterns.select(task, tnf.facts(), choice, limits)?;
        let projections = Projections::new(tnf, patterns, choice, limits)?;
        let operators = distinct_operators(tnf.task(), &projections);
        let labels = |operator| Some(projections.of_operator(operator)?.to_vec());
        let forgetting =
            tnf.forgetting().filter_map(|(id, variable)| Some((variable, labels(id)?)));
        let forgetting = forgetting.collect();
        let (problem, columns) = formulate(&projections, &operators);
        let constraints = Self { projections, operators, forgetting };
        Ok(PartitionLp { problem, columns, constraints })
    }
}

/// The labels of all operators, and the cost of the cheapest operator with these labels.
fn distinct_operators(task: &Task, projections: &Projections) -> Vec<(u32, Vec<LabelId>)> {
    let mut costs: BTreeMap<&[LabelId], u32> = BTreeMap::new();
    for operator in task.operator_ids() {
        let Some(labels) = projections.of_operator(operator) else { continue };
        let cost = task.operator(operator).cost;
        costs.entry(labels).and_modify(|min| *min = cost.min(*min)).or_insert(cost);
    }
    costs.into_iter().map(|(labels, cost)| (cost, labels.to_vec())).collect()
}

fn formulate(projections: &Projections, operators: &[(u32, Vec<LabelId>)]) -> (Problem, Columns) {
    let mut problem = Problem::maximize();
    let columns = add_functions(&mut problem, projections);
    let shares: Vec<Share> =
        projections.labels().iter().map(|label| share(&mut problem, &columns, label)).collect();
    for (cost, labels) in operators {
        let terms = labels.iter().flat_map(|label| shares[label.index()].iter().copied());
        let terms: Vec<(Column, f64)> = terms.collect();
        if !terms.is_empty() {
            problem.add_row(..=f64::from(*cost), terms);
        }
    }
    (problem, columns)
}

/// Adds a column for each value of h that is not fixed at 0.
fn add_functions(problem: &mut Problem, projections: &Projections) -> Columns {
    let mut columns = vec![None; projections.state_count()];
    let mut has_home: Vec<VariableId> = Vec::new();
    for projection in projections.iter() {
        let moves = |variable: &VariableId| has_home.contains(variable);
        for state in projection.states() {
            let is_kept = projections.standing(state) == Standing::Kept;
            if is_kept && !is_zero(projection, state, moves) {
                columns[state.index()] = Some(problem.add_column(0.0, ..));
            }
        }
        has_home.extend(projection.variables());
    }
    columns
}

/// Whether h is fixed at 0 in a state: it is the goal, or it differs from the goal only in
/// a variable whose home is elsewhere.
fn is_zero(
    projection: &Projection,
    state: AbstractState,
    moves: impl Fn(&VariableId) -> bool,
) -> bool {
    match &projection.off_goal(state)[..] {
        [] => true,
        [variable] => moves(variable),
        _ => false,
    }
}

/// A linear expression.
type Share = Vec<(Column, f64)>;

/// c_α for the operators of a label: at least each decrease of h.
fn share(problem: &mut Problem, columns: &Columns, label: &Label) -> Share {
    let decrease = |&(from, to): &(AbstractState, AbstractState)| -> Share {
        let signed = [(columns[from.index()], 1.0), (columns[to.index()], -1.0)];
        signed.into_iter().filter_map(|(column, sign)| Some((column?, sign))).collect()
    };
    if let [transition] = label.transitions() {
        return decrease(transition);
    }
    let share = problem.add_column(0.0, ..);
    for terms in label.transitions().iter().map(decrease) {
        if terms.is_empty() {
            problem.set_column_bounds(share, 0.0..);
        } else {
            problem.add_row(..=0.0, terms.into_iter().chain([(share, -1.0)]));
        }
    }
    vec![(share, 1.0)]
}

impl Constraints for OperatorCosts {
    fn projections(&self) -> &Projections {
        &self.projections
    }

    fn decreases(&self, h: &[i64], visit: &mut dyn FnMut(u32, i128) -> bool) -> bool {
        let labels = self.projections.labels();
        let shares: Vec<i128> = labels.iter().map(|label| largest_decrease(h, label)).collect();
        self.operators.iter().all(|(cost, labels)| {
            visit(*cost, labels.iter().map(|label| shares[label.index()]).sum())
        })
    }

    fn forgetting(&self, h: &[i64], visit: &mut dyn FnMut(VariableId, i128)) {
        for (variable, labels) in &self.forgetting {
            let labels = labels.iter().map(|label| &self.projections.labels()[label.index()]);
            visit(*variable, labels.map(|label| largest_decrease(h, label)).sum());
        }
    }
}

/// The smallest share of a label that h allows.
fn largest_decrease(h: &[i64], label: &Label) -> i128 {
    let value = |state: AbstractState| i128::from(h[state.index()]);
    let all = label.transitions().iter().map(|&(from, to)| value(from) - value(to));
    all.max().unwrap_or(0)
}
