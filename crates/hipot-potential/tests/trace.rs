//! Elimination to be watched: a trace has the equations of the paper and the maximum that
//! certification computes.

mod common;

use common::{MANY_VARIABLES, all_features, complete_features, random_normal, random_task};
use hipot_analysis::OpenValues;
use hipot_potential::context_graph::ContextGraph;
use hipot_potential::contexts::{Domains, largest_decrease};
use hipot_potential::delta::Delta;
use hipot_potential::feature::{FeatureId, Features};
use hipot_potential::trace::{Expression, Function, Origin, Symbol, Trace, trace};
use hipot_potential::{MutexChoice, NormalForm};
use hipot_task::{Limits, OperatorId, VariableId};
use hipot_testing::Rng;

/// What is traced: an operator, the features, and their weights.
struct Case<'a> {
    features: &'a Features,
    delta: Delta,
    domains: Domains,
    weights: &'a [i64],
}

impl<'a> Case<'a> {
    fn new(
        normal: &NormalForm,
        features: &'a Features,
        weights: &'a [i64],
        operator: OperatorId,
    ) -> Option<Self> {
        let domains = Domains::of_operator(normal, operator)?;
        Some(Self { features, delta: Delta::new(normal, features, operator), domains, weights })
    }

    fn graph(&self) -> ContextGraph {
        ContextGraph::new(&self.delta, self.features.facts())
    }

    fn weight(&self, feature: FeatureId) -> i64 {
        self.weights[feature.index()]
    }

    fn trace(&self, order: &[usize]) -> Trace {
        let weight = |feature| self.weight(feature);
        trace(&self.delta, self.features.facts(), &self.domains, order, u64::MAX, weight).unwrap()
    }

    /// Max(Ψ_o), as certification computes it.
    fn max(&self) -> i128 {
        let weight = |feature| i128::from(self.weight(feature));
        let facts = self.features.facts();
        let decrease = largest_decrease(&self.delta, facts, &self.domains, weight);
        let independent = self.delta.independent.iter();
        let independent = independent.map(|it| weight(it.feature) * i128::from(it.sign));
        decrease.unwrap().unwrap() - independent.sum::<i128>()
    }

    /// Σ ψ_o^f in a context.
    fn value(&self, context: &[(usize, usize)]) -> i128 {
        let facts = self.features.facts();
        let mut values = vec![None; facts.variable_count()];
        for &(variable, place) in context {
            let possible = self.domains.possible(facts, VariableId::new(variable));
            values[variable] = Some(possible[place]);
        }
        let holds = |facts_of: &&[_]| {
            facts_of.iter().all(|&fact| values[facts.variable(fact).index()] == Some(fact))
        };
        let terms = self.delta.dependent().filter(|(_, context)| holds(context));
        terms.map(|(it, _)| i128::from(self.weight(it.feature)) * i128::from(it.sign)).sum()
    }

    /// The value of an expression from its terms.
    fn evaluate(&self, trace: &Trace, expression: &Expression) -> i128 {
        let value = |symbol: &Symbol| match *symbol {
            Symbol::Weight(it) => i128::from(self.weight(it.feature)) * i128::from(it.sign),
            Symbol::Aux(aux) => trace.auxiliaries[aux].value(),
        };
        expression.terms.iter().map(value).sum()
    }

    /// Every equation holds, uses earlier Aux only, and the last one is the maximum.
    fn check(&self, trace: &Trace, what: &str) {
        for (index, aux) in trace.auxiliaries.iter().enumerate() {
            let values: Vec<i128> = aux.alternatives.iter().map(|it| it.value).collect();
            assert_eq!(Some(&aux.value()), values.iter().max(), "{what}");
            for alternative in &aux.alternatives {
                assert_eq!(alternative.value, self.evaluate(trace, alternative), "{what}");
                let is_earlier = |it: &Symbol| !matches!(it, Symbol::Aux(aux) if *aux >= index);
                assert!(alternative.terms.iter().all(is_earlier), "{what}");
            }
        }
        assert_eq!(trace.result.value, self.evaluate(trace, &trace.result), "{what}");
        assert_eq!(trace.result.value, self.max(), "{what}");
        assert_eq!(self.value(&trace.context), self.max(), "{what}: the context attains it");
    }
}

fn random_weights(features: &Features, rng: &mut Rng) -> Vec<i64> {
    features.ids().map(|_| i64::from(rng.below(21)) - 10).collect()
}

/// The number of alternatives in a trace.
fn alternatives(trace: &Trace) -> u64 {
    trace.auxiliaries.iter().map(|aux| aux.alternatives.len() as u64).sum()
}

#[test]
fn traces_agree_with_certification_and_theorem_6() {
    let (mut wide, mut worse) = (0, 0);
    for seed in 0..60 {
        let normal = random_normal(MANY_VARIABLES, seed);
        let features = complete_features(&normal, 3);
        let mut rng = Rng::new(seed);
        let weights = random_weights(&features, &mut rng);
        for operator in normal.operator_ids() {
            let what = format!("seed {seed}, operator {operator}");
            let case = Case::new(&normal, &features, &weights, operator).unwrap();
            let graph = case.graph();
            let (best, width) = graph.best_order();
            let mut shuffled = best.clone();
            for place in (1..shuffled.len()).rev() {
                shuffled.swap(place, rng.below(place as u32 + 1) as usize);
            }
            for order in [&best, &shuffled] {
                let trace = case.trace(order);
                case.check(&trace, &what);
                let predicted = graph.elimination_size(order, case.domains.sizes());
                assert_eq!(alternatives(&trace), predicted, "{what}");
                let scopes = trace.steps.iter().map(|step| step.scope.len());
                assert_eq!(scopes.max().unwrap_or(0), graph.induced(order).1, "{what}");
                let eliminated: Vec<usize> = trace.steps.iter().map(|it| it.variable).collect();
                assert!(eliminated.iter().eq(order.iter().rev()), "{what}");
            }
            assert_eq!(graph.induced(&best).1, width, "{what}");
            wide += usize::from(width >= 2);
            worse += usize::from(graph.induced(&shuffled).1 > width);
        }
    }
    assert!(wide > 100, "{wide}");
    // All pairs are joined in dimension 3, so no order is worse than another.
    assert_eq!(worse, 0);
}

/// Where mutexes exclude values, contexts have fewer of them, and some need no step.
#[test]
fn traces_agree_with_certification_where_there_are_mutexes() {
    let mut fewer = 0;
    for seed in 0..60 {
        let task = random_task(MANY_VARIABLES, seed);
        let (open, limits) = (OpenValues::Unknown, Limits::none());
        let normal = NormalForm::new(&task, MutexChoice::H2, open, &limits).unwrap();
        let features = complete_features(&normal, 3);
        let weights = random_weights(&features, &mut Rng::new(seed));
        for operator in normal.operator_ids() {
            let Some(case) = Case::new(&normal, &features, &weights, operator) else { continue };
            let graph = case.graph();
            let order = graph.best_order().0;
            let trace = case.trace(&order);
            case.check(&trace, &format!("seed {seed}, operator {operator}"));
            let predicted = graph.elimination_size(&order, case.domains.sizes());
            assert!(alternatives(&trace) <= predicted);
            let all = Domains::all(features.facts());
            fewer += usize::from(predicted < graph.elimination_size(&order, all.sizes()));
        }
    }
    assert!(fewer > 20, "{fewer}");
}

/// With features chosen at random the graphs are sparse: orders differ, edges are added,
/// and the functions in a bucket are the ones that were put there.
#[test]
fn sparse_graphs_have_better_and_worse_orders() {
    let (mut worse, mut filled) = (0, 0);
    for seed in 0..60 {
        let normal = random_normal(MANY_VARIABLES, seed);
        let mut rng = Rng::new(seed);
        let all = all_features(normal.task(), 3);
        let lists = all.ids().filter(|_| rng.chance(8)).map(|it| all.conjuncts(it).to_vec());
        let features = Features::new(normal.facts().clone(), lists.collect()).unwrap();
        let weights = random_weights(&features, &mut rng);
        for operator in normal.operator_ids() {
            let what = format!("seed {seed}, operator {operator}");
            let case = Case::new(&normal, &features, &weights, operator).unwrap();
            let graph = case.graph();
            let (best, width) = graph.best_order();
            let order: Vec<usize> = graph.vertices().collect();
            let (induced, wider) = graph.induced(&order);
            let trace = case.trace(&order);
            case.check(&trace, &what);
            let predicted = graph.elimination_size(&order, case.domains.sizes());
            assert!(alternatives(&trace) <= predicted, "{what}");
            for step in &trace.steps {
                let scopes = step.bucket.iter().flat_map(|it| it.scope.iter().copied());
                let mut union: Vec<usize> = scopes.filter(|&it| it != step.variable).collect();
                union.sort_unstable();
                union.dedup();
                assert_eq!(union, step.scope, "{what}");
            }
            let functions = || trace.steps.iter().flat_map(|it| &it.bucket);
            let is_used = |it: &&Function| matches!(it.origin, Origin::Eliminated(_));
            let made = trace.steps.iter().filter(|it| !it.scope.is_empty()).count();
            assert_eq!(functions().filter(is_used).count(), made, "{what}");
            let given = functions().map(|it| match it.origin {
                Origin::Features(count) => count,
                Origin::Eliminated(_) => 0,
            });
            assert_eq!(given.sum::<usize>(), case.delta.dependent().count(), "{what}");
            let paper = ContextGraph::by_definition(&normal, &features, operator);
            let edges: Vec<_> = paper.edges().collect();
            assert!(graph.edges().all(|edge| edges.contains(&edge)), "{what}");
            assert!(wider >= width && graph.induced(&best).1 == width, "{what}");
            worse += usize::from(wider > width);
            filled += usize::from(induced.edges().count() > graph.edges().count());
        }
    }
    assert!(worse > 5 && filled > 5, "{worse} {filled}");
}

#[test]
fn too_wide_is_refused_with_the_predicted_size() {
    let normal = random_normal(MANY_VARIABLES, 1);
    let features = complete_features(&normal, 3);
    let weights = vec![1; features.len()];
    let operator = normal.operator_ids().next().unwrap();
    let case = Case::new(&normal, &features, &weights, operator).unwrap();
    let (graph, facts) = (case.graph(), features.facts());
    let order = graph.best_order().0;
    let entries = graph.elimination_size(&order, case.domains.sizes());
    let run = |max| trace(&case.delta, facts, &case.domains, &order, max, |_| 1);
    assert!(run(entries).is_ok());
    let refused = run(entries - 1).unwrap_err();
    assert_eq!((refused.entries, refused.max_entries), (entries, entries - 1));
}
