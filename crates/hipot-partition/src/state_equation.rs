//! The state equation heuristic: `seq`.
//!
//! A plan from s to the goal produces each fact as often as it consumes it, but
//! for the facts of s (consumed once more) and of the goal (produced once
//! more). Counts x of operators that satisfy these equations and cost least are
//! a lower bound (van den Briel et al., CP 2007; Bonet, IJCAI 2013). In TNF
//! every operator's production and consumption is known, so that there is one
//! equation a fact:
//!
//! ```text
//! minimize Σ_o cost(o) x(o)  subject to  x ≥ 0 and, for all facts f,
//!   Σ_{o: f ∈ eff(o) \ pre(o)} x(o) − Σ_{o: f ∈ pre(o) \ eff(o)} x(o) = [f ∈ s_⋆] − [f ∈ s]
//! ```
//!
//! The equations of one variable sum up to 0 = 0, so that of its goal value is
//! left out. Only the right-hand sides depend on the state. The dual solution
//! stays feasible from state to state, and dual simplex goes on from there.
//!
//! The dual solution, with its sign changed, is a function h of facts with
//! h(pre(o)) − h(eff(o)) ≤ cost(o): an atomic potential function. It is what is
//! certified; the counts are not looked at. If the equations have no solution,
//! the state is a dead end. A second LP, which is made when it is needed first,
//! looks for the proof: a function with values between −1 and 1 that no
//! operator lowers and that is positive in s.

use std::collections::BTreeMap;

use hipot_lp::{Bounds, Column, Method, Problem, Row, Solver, Status};
use hipot_task::{Limits, Task};

use crate::Error;
use crate::certify::Decreases;
use crate::operator_cost::{Columns, move_objective, solve_for_function};
use crate::projection::{AbstractState, Choice, Label, Projections, Scope};
use crate::reoptimize::{Answer, Formulation, Size};

/// A fact's number of times that an operator consumes it, less those that it
/// produces it: 1 or −1.
type Terms = Vec<(AbstractState, i8)>;

/// The LP of the state equation.
#[derive(Debug)]
pub struct StateEquation {
    /// Projections to one variable: their states are facts.
    projections: Projections,
    /// The cost of operators and what they consume and produce, each once.
    operators: Vec<(u32, Terms)>,
    /// The row of each fact; `None` for goals.
    rows: Vec<Option<Row>>,
    size: Size,
    solver: Solver,
    /// The facts of the state that the rows are about.
    state: Vec<AbstractState>,
    dead_ends: Option<DeadEnds>,
}

impl StateEquation {
    /// The LP for `task`, which is in TNF.
    pub fn new(task: &Task, limits: &Limits) -> Result<Self, Error> {
        let choice = Choice { dimension: 1, scope: Scope::All, most_nonzeros: u64::MAX };
        let projections = Projections::new(task, choice, limits)?;
        let operators = distinct_operators(task, &projections);
        let (problem, rows) = formulate(&projections, &operators);
        let size = Size::of(&problem);
        let solver = Solver::new(&problem)?;
        let (state, dead_ends) = (Vec::new(), None);
        Ok(Self { projections, operators, rows, size, solver, state, dead_ends })
    }

    /// Makes the rows be about `state`.
    fn move_rows(&mut self, state: &[AbstractState]) {
        let mut changes = Vec::new();
        for (index, fact) in state.iter().enumerate() {
            let before = self.state.get(index);
            if before == Some(fact) {
                continue;
            }
            let row = |fact: &AbstractState| self.rows[fact.index()];
            changes.extend(before.and_then(row).map(|row| (row, Bounds::equal(0.0))));
            changes.extend(row(fact).map(|row| (row, Bounds::equal(-1.0))));
        }
        self.solver.change_row_bounds(&changes).expect("the rows are the LP's");
        self.state.clear();
        self.state.extend_from_slice(state);
    }
}

/// The cheapest of all operators that consume and produce the same.
fn distinct_operators(task: &Task, projections: &Projections) -> Vec<(u32, Terms)> {
    let mut costs: BTreeMap<Terms, u32> = BTreeMap::new();
    for operator in task.operator_ids() {
        let labels = projections.of_operator(operator).expect("no operator is dropped");
        let label = |id: &crate::projection::LabelId| &projections.labels()[id.index()];
        let terms = labels.iter().map(label).flat_map(|label: &Label| {
            let (from, to) = label.transitions()[0];
            [(from, 1), (to, -1)]
        });
        let cost = task.operator(operator).cost;
        let entry = costs.entry(terms.collect());
        entry.and_modify(|least| *least = cost.min(*least)).or_insert(cost);
    }
    costs.into_iter().map(|(terms, cost)| (cost, terms)).collect()
}

/// The state equation of the goal state.
fn formulate(projections: &Projections, operators: &[(u32, Terms)]) -> (Problem, Vec<Option<Row>>) {
    let mut problem = Problem::minimize();
    let mut terms: Vec<Vec<(Column, f64)>> = vec![Vec::new(); projections.state_count()];
    for (cost, changes) in operators {
        let count = problem.add_column(f64::from(*cost), 0.0..);
        for &(fact, change) in changes {
            terms[fact.index()].push((count, -f64::from(change)));
        }
    }
    let mut rows = vec![None; projections.state_count()];
    for projection in projections.iter() {
        for fact in projection.states().filter(|&fact| fact != projection.goal()) {
            let terms = std::mem::take(&mut terms[fact.index()]);
            rows[fact.index()] = Some(problem.add_row(Bounds::equal(0.0), terms));
        }
    }
    (problem, rows)
}

impl Decreases for StateEquation {
    fn decreases(&self, h: &[i64], visit: &mut dyn FnMut(u32, i128) -> bool) -> bool {
        self.operators.iter().all(|(cost, terms)| {
            let change = |&(fact, sign): &(AbstractState, i8)| {
                i128::from(h[fact.index()]) * i128::from(sign)
            };
            visit(*cost, terms.iter().map(change).sum())
        })
    }
}

impl Formulation for StateEquation {
    fn projections(&self) -> &Projections {
        &self.projections
    }

    fn size(&self) -> Size {
        self.size
    }

    fn maximize(&mut self, state: &[AbstractState], params: &hipot_lp::Params) -> Answer {
        self.move_rows(state);
        let own = hipot_lp::Params { method: Method::DualSimplex, ..params.clone() };
        let solution = self.solver.solve(&own);
        match solution.status {
            // Without operators there are no dual values: h is 0.
            Status::Optimal | Status::Imprecise => {
                let dual = |row: Row| solution.duals.get(row.index()).copied();
                let value = |row: &Option<Row>| -row.and_then(dual).unwrap_or(0.0);
                Answer::Function(self.rows.iter().map(value).collect(), solution.objective)
            }
            Status::Infeasible => {
                let new = || DeadEnds::new(&self.projections, &self.operators);
                let dead_ends = self.dead_ends.get_or_insert_with(new);
                dead_ends.prove(state, params)
            }
            status => Answer::Nothing(status),
        }
    }

    fn forget(&mut self) {
        self.solver.forget();
        self.dead_ends = None;
    }
}

/// The LP that proves dead ends.
#[derive(Debug)]
struct DeadEnds {
    columns: Columns,
    solver: Solver,
    objective: Vec<AbstractState>,
}

impl DeadEnds {
    fn new(projections: &Projections, operators: &[(u32, Terms)]) -> Self {
        let mut problem = Problem::maximize();
        let mut columns = vec![None; projections.state_count()];
        for projection in projections.iter() {
            for fact in projection.states().filter(|&fact| fact != projection.goal()) {
                columns[fact.index()] = Some(problem.add_column(0.0, -1.0..=1.0));
            }
        }
        for (_, terms) in operators {
            let column = |&(fact, sign): &(AbstractState, i8)| {
                Some((columns[fact.index()]?, f64::from(sign)))
            };
            problem.add_row(..=0.0, terms.iter().filter_map(column));
        }
        let solver = Solver::new(&problem).expect("a problem that is small and valid");
        Self { columns, solver, objective: Vec::new() }
    }

    fn prove(&mut self, state: &[AbstractState], params: &hipot_lp::Params) -> Answer {
        move_objective(&mut self.solver, &self.columns, &mut self.objective, state);
        // HiGHS's postsolve prints a line about columns with two bounds.
        let params = hipot_lp::Params { presolve: false, ..params.clone() };
        match solve_for_function(&mut self.solver, &self.columns, &params) {
            Answer::Function(ray, _) => Answer::Ray(ray),
            other => other,
        }
    }
}
