//! What a search with the heuristic is like: how many states each f layer takes,
//! and how near the estimates are to the truth along an optimal plan.

use hipot_check::apply;
use hipot_search::{Observer, Outcome, Statistics};
use hipot_task::{Limits, Plan, Stop, Task};
use serde::Serialize;

use crate::failure::Failure;
use crate::heuristic::Computed;
use crate::pipeline::solve;

/// What a search found that ends after a number of states.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// Whether it ended by itself.
    pub complete: bool,
    /// The states expanded.
    pub expanded: u64,
    /// What every plan costs at least, by then; `None` where there is no plan.
    pub lower_bound: Option<u64>,
    /// The cost of the optimal plan, if one was found.
    pub cost: Option<u64>,
    /// The f layers, in the order of the search.
    pub layers: Vec<Layer>,
    /// The states along the plan, from the initial state to the goal; empty where
    /// none was found.
    pub plan: Vec<Step>,
}

/// People are shown so many f layers, the last ones,
const MOST_LAYERS: usize = 30;
/// and so many steps, the first ones.
const MOST_STEPS: usize = 200;

impl Search {
    /// The layers to show, and how many there are before them.
    pub(super) fn last_layers(&self) -> (usize, &[Layer]) {
        let cut = self.layers.len().saturating_sub(MOST_LAYERS);
        (cut, &self.layers[cut..])
    }

    /// The steps to show, and how many there are after them.
    pub(super) fn first_steps(&self) -> (&[Step], usize) {
        let shown = self.plan.len().min(MOST_STEPS);
        (&self.plan[..shown], self.plan.len() - shown)
    }

    /// What came of it, as a sentence.
    pub(super) fn summary(&self) -> String {
        let states = match self.expanded {
            1 => "1 state expanded".to_owned(),
            expanded => format!("{expanded} states expanded"),
        };
        match (self.cost, self.lower_bound) {
            (Some(cost), _) => format!("a plan of cost {cost}, which is optimal; {states}"),
            (None, None) => format!("there is no plan; {states}"),
            (None, Some(bound)) => {
                format!("no plan yet, but every plan costs at least {bound}; {states}")
            }
        }
    }
}

/// The states with one value of f = g + h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Layer {
    /// f.
    pub f: u64,
    /// How many of them were expanded.
    pub expanded: u64,
}

/// A state of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The action that follows; `None` in the goal.
    pub action: Option<String>,
    /// h*: what the rest of the plan costs, and every other way to the goal at least.
    pub left: u64,
    /// What the potential functions say of that.
    pub estimate: u64,
}

/// The search gets this share of the time that is left.
const SHARE: f64 = 0.5;

/// Searches with `heuristic` until a plan is found or `most` states, or a few more,
/// are expanded. A limit that is reached first ends the search and nothing else.
pub(super) fn search(
    task: &Task,
    heuristic: &Computed,
    most: u64,
    limits: &Limits,
) -> Result<Search, Failure> {
    let mut layers = Layers { most, begun: Vec::new() };
    let result = solve(task, heuristic, &limits.with_share(SHARE), &mut layers)?.result;
    let plan = match &result.outcome {
        Outcome::Solved(plan) => Some(plan),
        Outcome::Stopped(Stop::Interrupted) => return Err(Stop::Interrupted.into()),
        _ => None,
    };
    let is_unsolvable = matches!(result.outcome, Outcome::Unsolvable);
    Ok(Search {
        complete: plan.is_some() || is_unsolvable,
        expanded: result.statistics.expanded,
        lower_bound: (!is_unsolvable).then_some(result.lower_bound),
        cost: plan.map(|plan| plan.cost),
        layers: layers.count(result.statistics.expanded),
        plan: plan.map_or(Vec::new(), |plan| steps(task, heuristic, plan)),
    })
}

/// Notes when each layer begins.
struct Layers {
    most: u64,
    /// f, and the states expanded before it.
    begun: Vec<(u64, u64)>,
}

impl Layers {
    /// How many states each layer has had, of so many in all.
    fn count(&self, expanded: u64) -> Vec<Layer> {
        let ends = self.begun.iter().skip(1).map(|&(_, before)| before).chain([expanded]);
        let layer = |(&(f, begin), end): (&(u64, u64), u64)| Layer { f, expanded: end - begin };
        self.begun.iter().zip(ends).map(layer).collect()
    }
}

impl Observer for Layers {
    fn layer(&mut self, f: u64, statistics: &Statistics) {
        self.begun.push((f, statistics.expanded));
    }

    fn stop(&mut self, statistics: &Statistics) -> Option<Stop> {
        (statistics.expanded >= self.most).then_some(Stop::TimeLimit)
    }
}

/// The states along `plan`.
fn steps(task: &Task, heuristic: &Computed, plan: &Plan) -> Vec<Step> {
    let potentials = heuristic.potentials();
    let functions: Vec<_> = potentials
        .iter()
        .flat_map(|potential| std::iter::once(&potential.function).chain(&potential.others))
        .collect();
    let estimate = |state: &[_]| functions.iter().map(|it| it.bound(state)).max().unwrap_or(0);
    let mut state = task.initial().to_vec();
    let mut left = plan.cost;
    let mut steps = Vec::new();
    for (action, &id) in plan.steps(task).zip(&plan.operators) {
        steps.push(Step { action: Some(action), left, estimate: estimate(&state) });
        left -= u64::from(task.operator(id).cost);
        state = apply(task, task.operator(id), &state);
    }
    steps.push(Step { action: None, left, estimate: estimate(&state) });
    steps
}
