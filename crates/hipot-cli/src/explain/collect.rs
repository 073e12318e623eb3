//! From a heuristic to its explanation.
//!
//! A function's features are visited once, in their order. If a list is cut, equal weights
//! keep that order. So the same function always has the same explanation.

use std::collections::BTreeMap;

use hipot::heuristic::{Computed, Potential, ProvedPart};
use hipot::report::TaskReport;
use hipot::spec::FeatureChoice;
use hipot::{Failure, Status};
use hipot_lp::Size;
use hipot_potential::Optimality;
use hipot_potential::feature::FeatureId;

use hipot_analysis::PlainTask;
use hipot_task::{Fact, Limits, Stop, Task, Value, VariableId};

use super::names::{Names, titles};
use super::operators::operators;
use super::search::{Search, search};
use super::shares::{of_partitioning, of_potential, of_saturated};
use super::{
    Cost, Explanation, Features, Function, Lp, Pair, Ratio, Sum, ValueWeight, Variable, Weighted,
};

/// How much is explained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    /// The number of features, projections and operators to name.
    pub(crate) top: usize,
    /// Whether potential functions are shown as transition cost partitionings.
    pub(crate) as_transition_costs: bool,
    /// The number of states to expand in a search; 0 for no search.
    pub(crate) search: u64,
}

/// Explains each potential function and each cost partitioning in `heuristic`, a heuristic for
/// `task`.
pub(crate) fn explain(
    (name, task): (String, &Task),
    heuristic: &Computed,
    amount: Amount,
    limits: &Limits,
) -> Result<Explanation, Failure> {
    let (top, plain) = (amount.top, PlainTask::new(task));
    let (mut functions, mut partitions) = (Vec::new(), Vec::new());
    for part in heuristic.parts() {
        match part {
            ProvedPart::Partition(partitioning) => {
                partitions.push(of_partitioning(task, partitioning, top, limits)?);
            }
            ProvedPart::Saturated(saturated) => {
                partitions.push(of_saturated(plain.task(), saturated, top));
            }
            ProvedPart::Potential(potential) if amount.as_transition_costs => {
                partitions.push(of_potential(potential, top, limits)?);
            }
            ProvedPart::Potential(potential) => {
                functions.push(explain_function(potential, top, limits)?);
            }
        }
    }
    let lower_bound = heuristic.best().map_or(Some(0), ProvedPart::bound);
    let lower_bound = lower_bound.map(|bound| Cost::of(bound, task));
    let search = match amount.search {
        0 => None,
        expanded => Some(search(task, heuristic, expanded, limits)?),
    };
    let proves_it = |search: &Search| search.lower_bound.is_none();
    let is_unsolvable = lower_bound.is_none() || search.as_ref().is_some_and(proves_it);
    Ok(Explanation {
        schema: Explanation::SCHEMA,
        status: if is_unsolvable { Status::Unsolvable } else { Status::Solved },
        name,
        heuristic: heuristic.to_string(),
        fallbacks: heuristic.fallbacks().into_iter().cloned().collect(),
        lower_bound,
        task: TaskReport::new(task),
        functions,
        partitions,
        search,
    })
}

fn explain_function(potential: &Potential, top: usize, limits: &Limits) -> Result<Function, Stop> {
    let view = View::new(potential);
    Ok(Function {
        spec: potential.spec.to_string(),
        initial: potential.bound().map(|bound| Cost::of(bound, potential.normal_form().task())),
        initial_exact: view.ratio(potential.function.numerator(&view.initial)),
        variables: view.variables(),
        features: view.features(top),
        sum: view.sum(top),
        pairs: view.pairs(),
        operators: operators(potential, limits)?,
        lp: lp(potential),
    })
}

/// A function with what is needed again and again.
struct View<'a> {
    potential: &'a Potential,
    names: Names<'a>,
    initial: Vec<Value>,
    goal: Vec<Value>,
    /// The features with nonzero weights, largest absolute weights first.
    ranked: Vec<FeatureId>,
}

impl<'a> View<'a> {
    fn new(potential: &'a Potential) -> Self {
        let task = potential.normal_form().task();
        let weights = potential.function.weights();
        let is_nonzero = |feature: &FeatureId| weights[feature.index()] != 0;
        let mut ranked: Vec<FeatureId> =
            potential.function.features().ids().filter(is_nonzero).collect();
        ranked.sort_by_key(|feature| std::cmp::Reverse(weights[feature.index()].unsigned_abs()));
        Self {
            potential,
            names: Names::new(potential.normal_form()),
            initial: task.initial().to_vec(),
            goal: potential.normal_form().goal().to_vec(),
            ranked,
        }
    }

    fn all(&self) -> &'a hipot_potential::feature::Features {
        self.potential.function.features()
    }

    fn ratio(&self, numerator: i128) -> Ratio {
        let decimals = self.potential.normal_form().task().decimals();
        Ratio::of_units(numerator, self.potential.function.denominator().into(), decimals)
    }

    fn numerator(&self, feature: FeatureId) -> i64 {
        self.potential.function.weights()[feature.index()]
    }

    fn weight(&self, feature: FeatureId) -> Ratio {
        self.ratio(self.numerator(feature).into())
    }

    fn name(&self, feature: FeatureId) -> String {
        self.names.feature(self.all(), feature)
    }

    fn weighted(&self, feature: FeatureId) -> Weighted {
        Weighted {
            feature: self.name(feature),
            weight: self.weight(feature),
            initial: self.all().holds(feature, &self.initial),
            goal: self.all().holds(feature, &self.goal),
        }
    }

    fn features(&self, top: usize) -> Features {
        let count = self.all().len();
        Features {
            count,
            zero: count - self.ranked.len(),
            dimension: self.all().dimension(),
            top: self.ranked.iter().take(top).map(|&feature| self.weighted(feature)).collect(),
        }
    }

    fn sum(&self, top: usize) -> Sum {
        let holds = |feature: &FeatureId| self.all().holds(*feature, &self.initial);
        let true_ones: Vec<FeatureId> = self.ranked.iter().copied().filter(holds).collect();
        let (shown, rest) = true_ones.split_at(top.min(true_ones.len()));
        let function = &self.potential.function;
        Sum {
            constant: self.ratio(function.constant().into()),
            terms: shown.iter().map(|&feature| self.weighted(feature)).collect(),
            rest_count: rest.len(),
            rest: self.ratio(rest.iter().map(|&feature| i128::from(self.numerator(feature))).sum()),
            zero: self.all().ids().filter(holds).count() - true_ones.len(),
            total: self.ratio(function.numerator(&self.initial)),
        }
    }

    fn variables(&self) -> Vec<Variable> {
        let task = self.potential.normal_form().task();
        let mut strongest = vec![0; task.variables().len()];
        for &feature in &self.ranked {
            for &fact in self.all().conjuncts(feature) {
                let largest: &mut i128 = &mut strongest[self.all().facts().variable(fact).index()];
                *largest = (*largest).max(i128::from(self.numerator(feature)).abs());
            }
        }
        let variable = |(id, title): (VariableId, String)| {
            let variable = task.variable(id);
            let values = 0..variable.values.len() as Value;
            Variable {
                name: variable.name.clone(),
                title,
                values: values.map(|value| self.value(Fact::new(id, value))).collect(),
                strongest: self.ratio(strongest[id.index()]),
            }
        };
        let titles = titles(self.potential.normal_form());
        task.variable_ids().zip(titles).map(variable).collect()
    }

    fn value(&self, fact: Fact) -> ValueWeight {
        let mentioning = self.all().mentioning(self.all().facts().id(fact));
        let alone = mentioning.iter().find(|&&feature| self.all().conjuncts(feature).len() == 1);
        // Of all features up to a size, those with a reference value are left out.
        let is_complete = matches!(self.potential.spec.features, FeatureChoice::Dimension(_));
        let reference = is_complete && mentioning.is_empty();
        let weight = alone.map(|&feature| self.weight(feature));
        let index = fact.variable.index();
        ValueWeight {
            name: self.potential.normal_form().task().fact_name(fact).to_owned(),
            weight: if reference { Some(self.ratio(0)) } else { weight },
            reference,
            unknown: self.potential.normal_form().unknown(fact.variable) == Some(fact.value),
            initial: self.initial[index] == fact.value,
            goal: self.goal[index] == fact.value,
        }
    }

    /// The pairs of variables in features with nonzero weights. The largest
    /// weights come first in `ranked`, so a pair's first feature stays.
    fn pairs(&self) -> Vec<Pair> {
        let mut found: BTreeMap<(usize, usize), (FeatureId, usize)> = BTreeMap::new();
        for &feature in &self.ranked {
            let conjuncts = self.all().conjuncts(feature);
            for (index, &first) in conjuncts.iter().enumerate() {
                for &second in &conjuncts[index + 1..] {
                    let variable = |fact| self.all().facts().variable(fact).index();
                    let pair = (variable(first), variable(second));
                    found.entry(pair).or_insert((feature, 0)).1 += 1;
                }
            }
        }
        let pair = |((first, second), (feature, features))| Pair {
            first,
            second,
            features,
            feature: self.name(feature),
            weight: self.weight(feature),
        };
        found.into_iter().map(pair).collect()
    }
}

fn lp(potential: &Potential) -> Lp {
    let Size { rows, columns, nonzeros } = potential.report.size;
    let method = potential.report.method.name();
    let (rung, seconds) = (potential.report.rung, potential.report.seconds);
    let (optimal, gap) = match potential.report.optimality {
        Optimality::Proved => (true, 0.0),
        Optimality::Within(gap) => (false, gap),
    };
    let optimality = potential.report.optimality;
    Lp { rows, columns, nonzeros, method, rung, optimal, gap, optimality, seconds }
}
