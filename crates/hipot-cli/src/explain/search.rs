//! What a search with the heuristic is like: how many states each f layer takes, and how
//! close the estimates are to the truth along an optimal plan.

use std::sync::{Arc, Mutex, PoisonError};

use hipot::Failure;
use hipot::events::{Event, Events};
use hipot::heuristic::{Computed, ProvedPart};
use hipot::sum_heuristic::saturated_heuristic;
use hipot_analysis::PlainTask;
use hipot_analysis::plain::image;
use hipot_check::{apply, initial_state};
use hipot_potential::Certified;
use hipot_search::{Outcome, SearchParams, StateBudget};
use hipot_task::{Heuristic, Limits, Packing, Plan, StateView, Stop, Task, Value};
use serde::Serialize;

use super::Cost;
use crate::wording::counted;

/// What a search with a budget of states found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Search {
    /// Whether it ended by itself.
    pub(crate) complete: bool,
    /// The states expanded.
    pub(crate) expanded: u64,
    /// Every plan costs at least this much; `None` if there is no plan.
    pub(crate) lower_bound: Option<Cost>,
    /// The cost of the optimal plan, if one was found.
    pub(crate) cost: Option<Cost>,
    /// The f layers, in the order of the search.
    pub(crate) layers: Vec<Layer>,
    /// The states along the plan, from the initial state to the goal; empty if no plan was
    /// found.
    pub(crate) plan: Vec<Step>,
}

/// The number of f layers that are shown to people, the last ones.
const MAX_LAYERS: usize = 30;
/// The number of steps that are shown to people, the first ones.
const MAX_STEPS: usize = 200;

impl Search {
    /// The layers to show, and the number of layers before them.
    pub(super) fn last_layers(&self) -> (usize, &[Layer]) {
        let cut = self.layers.len().saturating_sub(MAX_LAYERS);
        (cut, &self.layers[cut..])
    }

    /// A note on the layers that are not shown, if any.
    pub(super) fn hidden_layers(&self) -> Option<String> {
        let hidden = self.last_layers().0;
        (hidden > 0).then(|| format!("{} not shown", counted(hidden, "earlier layer")))
    }

    /// The steps to show, and the number of steps after them.
    pub(super) fn first_steps(&self) -> (&[Step], usize) {
        let shown = self.plan.len().min(MAX_STEPS);
        (&self.plan[..shown], self.plan.len() - shown)
    }

    /// The outcome as a sentence.
    pub(super) fn summary(&self) -> String {
        let states = format!("{} expanded", counted(self.expanded, "state"));
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
pub(crate) struct Layer {
    /// f.
    pub(crate) f: Cost,
    /// The number of states expanded.
    pub(crate) expanded: u64,
}

/// A state of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Step {
    /// The action that follows; `None` in the goal.
    pub(crate) action: Option<String>,
    /// h*: the cost of the rest of the plan, which is optimal.
    pub(crate) left: Cost,
    /// The heuristic's estimate.
    pub(crate) estimate: Cost,
}

/// The search gets this share of the remaining time.
const SHARE: f64 = 0.5;

/// Searches with `heuristic` until a plan is found or about `expanded` states are expanded.
/// A limit that is reached first ends the search and nothing else.
pub(super) fn search(
    task: &Task,
    heuristic: &Computed,
    expanded: u64,
    limits: &Limits,
) -> Result<Search, Failure> {
    let layers = Layers::default();
    let budget = StateBudget { expanded, ..StateBudget::default() };
    let params = SearchParams { budget, ..SearchParams::default() };
    let limits = limits.with_share(SHARE);
    let searched = hipot::search::search(task, heuristic, params, &limits, &layers.events());
    let result = searched?.result;
    let plan = match &result.outcome {
        Outcome::Solved(plan) => Some(plan),
        Outcome::Stopped(Stop::Interrupted) => return Err(Stop::Interrupted.into()),
        _ => None,
    };
    let is_unsolvable = matches!(result.outcome, Outcome::Unsolvable);
    Ok(Search {
        complete: plan.is_some() || is_unsolvable,
        expanded: result.statistics.expanded,
        lower_bound: (!is_unsolvable).then(|| Cost::of(result.lower_bound, task)),
        cost: plan.map(|plan| Cost::of(plan.cost, task)),
        layers: layers.count(result.statistics.expanded, task),
        plan: plan.map_or(Ok(Vec::new()), |plan| steps(task, heuristic, plan, &limits))?,
    })
}

/// Notes when each layer begins: f, and the number of states expanded before.
#[derive(Clone, Default)]
struct Layers(Arc<Mutex<Vec<(u64, u64)>>>);

impl Layers {
    /// The events of the search.
    fn events(&self) -> Events {
        let begun = Arc::clone(&self.0);
        Events::new(move |event| {
            if let Event::Search(progress) = event
                && progress.is_new_layer
            {
                let begin = (progress.f, progress.statistics.expanded);
                begun.lock().unwrap_or_else(PoisonError::into_inner).push(begin);
            }
        })
    }

    /// The layers with the number of states expanded in each, of `expanded` in all.
    fn count(&self, expanded: u64, task: &Task) -> Vec<Layer> {
        let begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = begun.iter().skip(1).map(|&(_, before)| before).chain([expanded]);
        let layer = |(&(f, begin), end): (&(u64, u64), u64)| Layer {
            f: Cost::of(f, task),
            expanded: end - begin,
        };
        begun.iter().zip(ends).map(layer).collect()
    }
}

/// The states along `plan`.
fn steps(
    task: &Task,
    heuristic: &Computed,
    plan: &Plan,
    limits: &Limits,
) -> Result<Vec<Step>, Failure> {
    let mut estimates = Estimates::new(task, heuristic, limits)?;
    let mut state = initial_state(task);
    let mut left = plan.cost;
    let mut steps = Vec::new();
    for (action, &id) in plan.steps(task).zip(&plan.operators) {
        let estimate = Cost::of(estimates.of(&state), task);
        steps.push(Step { action: Some(action), left: Cost::of(left, task), estimate });
        left -= u64::from(task.operator(id).cost);
        state = apply(task, task.operator(id), &state);
    }
    let estimate = Cost::of(estimates.of(&state), task);
    steps.push(Step { action: None, left: Cost::of(left, task), estimate });
    Ok(steps)
}

/// All parts of a heuristic, for states of the given task.
struct Estimates<'a> {
    /// The number of variables of the plain task, which they are about.
    variables: usize,
    functions: Vec<&'a Certified>,
    packing: Packing,
    partitionings: Vec<Box<dyn Heuristic>>,
}

impl<'a> Estimates<'a> {
    fn new(task: &Task, heuristic: &'a Computed, limits: &Limits) -> Result<Self, Failure> {
        let (mut functions, mut partitionings) = (Vec::new(), Vec::new());
        let plain = PlainTask::new(task);
        let task = plain.task();
        for part in heuristic.parts() {
            match part {
                ProvedPart::Potential(potential) => functions.extend(potential.functions()),
                ProvedPart::Partition(partitioning) => {
                    partitionings.push(partitioning.build(task, limits)?);
                }
                ProvedPart::Saturated(saturated) => {
                    partitionings.push(saturated_heuristic(saturated, task));
                }
            }
        }
        let (variables, packing) = (task.variables().len(), Packing::new(task));
        Ok(Self { variables, functions, packing, partitionings })
    }

    fn of(&mut self, state: &[Value]) -> u64 {
        let state = &image(state, self.variables);
        let words = self.packing.pack(state);
        let view = StateView::new(&self.packing, &words);
        let functions = self.functions.iter().map(|function| function.bound(state));
        let others = self.partitionings.iter_mut().filter_map(|it| it.estimate(view).cost());
        functions.chain(others).max().unwrap_or(0)
    }
}
