//! Saturated cost partitionings: what each component gets of each cost, in the order that is best
//! in the initial state.

use hipot::sums::{Saturated, Sum};
use hipot_abstraction::partitioning::Part;
use hipot_abstraction::{Abstraction, Collection, INFINITE, NONE};
use hipot_task::{OperatorId, Task, VariableId};

use super::super::Cost;
use super::super::Ratio;
use super::{CostsOf, Lp, Partition, Projection, Projections, Row, Rows, Share};

/// A component: what it is, its value in the initial state, and its saturated costs.
struct Component {
    variables: Vec<String>,
    title: String,
    value: i128,
    costs: Vec<i64>,
}

/// Explains the sum with the highest value in the initial state.
pub(in super::super) fn of_saturated(task: &Task, saturated: &Saturated, top: usize) -> Partition {
    let best = saturated.best();
    let (components, denominator) = match (&best, &saturated.initial) {
        (Some((_, sum)), Some(states)) => {
            (components(task, saturated, sum, states), sum.denominator)
        }
        _ => (Vec::new(), 1),
    };
    let ratio = |numerator: i128| Ratio::of_units(numerator, denominator.into(), task.decimals());
    let shown = components.len().min(top);
    let (first, rest) = components.split_at(shown);
    let projection = |component: &Component| Projection {
        variables: component.variables.clone(),
        title: component.title.clone(),
        initial: ratio(component.value),
        operators: component.costs.iter().filter(|&&cost| cost != 0).count(),
    };
    let projections = Projections {
        count: components.len(),
        used: components.len(),
        shown: first.iter().map(projection).collect(),
        rest_count: rest.len(),
        rest: ratio(rest.iter().map(|component| component.value).sum()),
    };
    let function = best.as_ref().and_then(|(_, sum)| sum.function.as_ref());
    Partition {
        spec: saturated.spec.to_string(),
        costs_of: CostsOf::GivenOperators,
        initial: saturated.bound().map(|bound| Cost::of(bound, task)),
        initial_exact: ratio(components.iter().map(|component| component.value).sum()),
        projections,
        operators: rows(task, &components, shown, denominator, top),
        transitions: None,
        lp: function.map(|(_, report)| Lp {
            rows: report.size.rows,
            columns: report.size.columns,
            nonzeros: report.size.nonzeros,
            seconds: report.seconds,
        }),
    }
}

/// The function first, then abstractions in the order in which they take their shares.
fn components(task: &Task, saturated: &Saturated, sum: &Sum, states: &[u32]) -> Vec<Component> {
    let potential = sum.function.as_ref().map(|(function, _)| Component {
        variables: Vec::new(),
        title: saturated.spec.potential().map_or(String::new(), ToString::to_string),
        value: function.numerator(saturated.normal.initial()),
        costs: sum.taken.clone(),
    });
    let parts = sum.first.parts.iter().map(|part| {
        let abstraction = &saturated.collection.abstractions()[part.abstraction];
        let value = part.values[states[part.abstraction] as usize];
        let costs = saturated_costs(&saturated.collection, part);
        let (variables, title) = describe(task, abstraction);
        Component {
            variables,
            title,
            value: i128::from(value) * i128::from(sum.unit),
            costs: costs.into_iter().map(|cost| cost.saturating_mul(sum.unit)).collect(),
        }
    });
    potential.into_iter().chain(parts).collect()
}

fn describe(task: &Task, abstraction: &Abstraction) -> (Vec<String>, String) {
    match abstraction {
        Abstraction::Projection(projection) => {
            let name = |id: VariableId| task.variable(id).name.clone();
            let names: Vec<String> = projection.pattern().into_iter().map(name).collect();
            let title = format!("projection to {}", names.join(", "));
            (names, title)
        }
        Abstraction::Cartesian(cartesian) => {
            (Vec::new(), format!("Cartesian abstraction, {} states", cartesian.size()))
        }
    }
}

/// What the values of an abstraction need of each cost; 0 of operators on no plan.
fn saturated_costs(collection: &Collection, part: &Part) -> Vec<i64> {
    let abstraction = &collection.abstractions()[part.abstraction];
    let mut values = part.values.clone();
    for (state, value) in values.iter_mut().enumerate() {
        if collection.is_dead(part.abstraction, state as u32) {
            *value = INFINITE;
        }
    }
    let mut costs = vec![0; collection.operators()];
    abstraction.saturate(&values, &mut costs);
    for (index, cost) in costs.iter_mut().enumerate() {
        if *cost == NONE || collection.is_impossible(OperatorId::new(index)) {
            *cost = 0;
        }
    }
    costs
}

fn rows(task: &Task, components: &[Component], shown: usize, denominator: i64, top: usize) -> Rows {
    let ratio = |numerator: i128| Ratio::of_units(numerator, denominator.into(), task.decimals());
    let used = |id: OperatorId| -> i128 {
        components.iter().map(|component| i128::from(component.costs[id.index()])).sum()
    };
    let has_share = |id: &OperatorId| components.iter().any(|it| it.costs[id.index()] != 0);
    let cost = |id: OperatorId| i128::from(task.operator(id).cost) * i128::from(denominator);
    let mut shared: Vec<OperatorId> = task.operator_ids().filter(has_share).collect();
    let used_up = shared.iter().filter(|&&id| cost(id) > 0 && used(id) == cost(id)).count();
    let count = shared.len();
    shared.sort_by_key(|&id| std::cmp::Reverse(used(id)));
    let row = |&id: &OperatorId| {
        let share = |projection: usize| {
            let own = ratio(components[projection].costs[id.index()].into());
            Share { projection, smallest: own, largest: own }
        };
        let others = components[shown..].iter().map(|it| i128::from(it.costs[id.index()]));
        let others: Vec<i128> = others.filter(|&cost| cost != 0).collect();
        let shares = (0..shown).filter(|&it| components[it].costs[id.index()] != 0).map(share);
        Row {
            operator: task.operator(id).name.clone(),
            state: None,
            cost: Cost::of(task.operator(id).cost, task),
            shares: shares.collect(),
            rest_count: others.len(),
            rest: Some(ratio(others.iter().sum())),
            sum: Some(ratio(used(id))),
            left: Some(ratio(cost(id) - used(id))),
        }
    };
    let shown = shared.iter().take(top).map(row).collect();
    Rows { count: task.operators().len(), shared: count, used_up, shown }
}
