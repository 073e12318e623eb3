//! From potential functions to what they say about one operator.

use hipot::heuristic::{Computed, Potential};
use hipot::{Failure, Status};
use hipot_potential::Certified;
use hipot_potential::context_graph::ContextGraph;
use hipot_potential::contexts::{Domains, largest_decrease};
use hipot_potential::delta::{Delta, Term};
use hipot_potential::feature::FeatureId;
use hipot_potential::trace::trace;
use hipot_task::{FactId, Limits, OperatorId};

use super::super::names::Names;
use super::super::{Cost, Ratio};
use super::choose::{Choice, Found};
use super::graph::Contexts;
use super::steps::Words;
use super::{
    Balance, Change, Effect, Elimination, MAX_ENTRIES, OperatorExplanation, Partition, View,
};

/// Explains the chosen operator for each potential function in `heuristic`.
pub(crate) fn explain_operator(
    heuristic: &Computed,
    choice: &Choice,
    limits: &Limits,
) -> Result<OperatorExplanation, Failure> {
    let mut functions = Vec::new();
    let mut name = None;
    let potentials = heuristic.potentials();
    for potential in &potentials {
        let task = potential.normal_form().task();
        let Some(found) = choice.find(task) else { continue };
        name = Some(task.operators()[found.index].name.clone());
        for function in potential.functions() {
            limits.check()?;
            functions.push(view(potential, function, found, choice.order.as_deref()));
        }
    }
    let missing = || choice.missing(potentials[0].normal_form().task());
    let is_unsolvable = potentials.iter().any(|potential| potential.proves_unsolvable);
    Ok(OperatorExplanation {
        schema: OperatorExplanation::SCHEMA,
        status: if is_unsolvable { Status::Unsolvable } else { Status::Solved },
        heuristic: heuristic.to_string(),
        operator: name.ok_or_else(missing)?,
        functions,
    })
}

fn view(
    potential: &Potential,
    function: &Certified,
    found: Found,
    listed: Option<&[usize]>,
) -> View {
    let operator = OperatorId::new(found.index);
    let normal = function.normal_form();
    let source = Source::new(potential, function, operator);
    let partition = source.partition();
    let graph = ContextGraph::new(&source.delta, normal.facts());
    let contexts = Contexts::new(potential, function, operator, graph);
    let best = contexts.graph.best_order().0;
    let chosen = listed.map(|listed| Contexts::complete(listed, &contexts.graph));
    let order = |order: &Vec<usize>| contexts.order(order, source.domains.as_ref());
    let elimination = source.elimination(chosen.as_ref().unwrap_or(&best));
    let dependent = source.delta.dependent();
    View {
        spec: potential.spec.to_string(),
        number: found.number,
        namesakes: found.namesakes,
        unsolvable: potential.proves_unsolvable,
        cost: Cost::of(source.cost(), source.function.normal_form().task()),
        forgets: normal.origin(operator).is_none(),
        applicable: source.domains.is_some(),
        changes: source.changes(),
        features: partition,
        independent: source.effects(source.delta.independent.iter().map(|&term| (term, &[][..]))),
        dependent: source.effects(dependent),
        graph: contexts.describe(&partition, listed),
        chosen: chosen.as_ref().map(order),
        best: order(&best),
        elimination,
        max_entries: MAX_ENTRIES,
        balance: source.balance(),
    }
}

/// An operator, a function, and what the operator does to its features.
struct Source<'a> {
    potential: &'a Potential,
    function: &'a Certified,
    operator: OperatorId,
    names: Names<'a>,
    delta: Delta,
    /// `None` if the operator is never applied.
    domains: Option<Domains>,
}

impl<'a> Source<'a> {
    fn new(potential: &'a Potential, function: &'a Certified, operator: OperatorId) -> Self {
        let normal = function.normal_form();
        Self {
            potential,
            function,
            operator,
            names: Names::new(normal),
            delta: Delta::new(normal, function.features(), operator),
            domains: Domains::of_operator(normal, operator),
        }
    }

    fn ratio(&self, numerator: i128) -> Ratio {
        let decimals = self.function.normal_form().task().decimals();
        Ratio::of_units(numerator, self.function.denominator().into(), decimals)
    }

    fn weight(&self, feature: FeatureId) -> i64 {
        self.function.weights()[feature.index()]
    }

    /// cost(o); costs do not count in a proof that there is no plan.
    fn cost(&self) -> u32 {
        let cost = self.function.normal_form().cost(self.operator);
        if self.potential.proves_unsolvable { 0 } else { cost }
    }

    fn changes(&self) -> Vec<Change> {
        let normal = self.function.normal_form();
        let value = |id| normal.task().fact_name(normal.facts().fact(id)).to_owned();
        let change = |mention: &hipot_analysis::Mention| {
            let variable = normal.facts().variable(mention.before);
            let variable = normal.task().variable(variable).name.clone();
            Change { variable, before: value(mention.before), after: value(mention.after) }
        };
        normal.mentions(self.operator).iter().map(change).collect()
    }

    /// The paper's partition, which goes by variables alone.
    fn partition(&self) -> Partition {
        let (normal, features) = (self.function.normal_form(), self.function.features());
        let mut mentions = vec![None; normal.facts().variable_count()];
        for mention in normal.mentions(self.operator) {
            mentions[normal.facts().variable(mention.before).index()] = Some(*mention);
        }
        let mut partition = Partition { count: features.len(), ..Partition::default() };
        for feature in features.ids() {
            let conjuncts = features.conjuncts(feature);
            let own = conjuncts.iter().filter_map(|&fact| {
                let mention = mentions[normal.facts().variable(fact).index()]?;
                Some([mention.before == fact, mention.after == fact])
            });
            let own: Vec<[bool; 2]> = own.collect();
            let holds = |side: usize| own.iter().all(|sides| sides[side]);
            match own.len() {
                0 => partition.irrelevant += 1,
                count if count == conjuncts.len() => partition.independent += 1,
                _ => {
                    partition.dependent += 1;
                    partition.kept += usize::from(holds(0) && holds(1));
                    partition.never += usize::from(!holds(0) && !holds(1));
                }
            }
        }
        let contexts = self.delta.dependent().map(|(_, context)| context);
        partition.excluded = contexts.filter(|context| self.is_excluded(context)).count();
        partition
    }

    /// Whether mutexes exclude a context.
    fn is_excluded(&self, context: &[FactId]) -> bool {
        let facts = self.function.features().facts();
        let is_possible =
            |domains: &Domains| context.iter().all(|&fact| domains.place(facts, fact).is_some());
        !self.domains.as_ref().is_some_and(is_possible)
    }

    /// What happens to these features, by decreasing absolute weight.
    fn effects<'b>(&self, terms: impl Iterator<Item = (Term, &'b [FactId])>) -> Vec<Effect> {
        let features = self.function.features();
        let mut terms: Vec<(Term, &[FactId])> = terms.collect();
        let by_weight = |&(term, _): &(Term, &[FactId])| {
            (std::cmp::Reverse(self.weight(term.feature).unsigned_abs()), term.feature)
        };
        terms.sort_by_key(by_weight);
        let effect = |(term, context): (Term, &[FactId])| Effect {
            number: term.feature.index() + 1,
            feature: self.names.feature(features, term.feature),
            delta: term.sign,
            weight: self.ratio(self.weight(term.feature).into()),
            context: context.iter().map(|&id| self.names.fact(features.facts().fact(id))).collect(),
        };
        terms.into_iter().map(effect).collect()
    }

    fn elimination(&self, order: &[usize]) -> Option<Elimination> {
        let domains = self.domains.as_ref()?;
        let facts = self.function.features().facts();
        let weight = |feature| self.weight(feature);
        let trace = trace(&self.delta, facts, domains, order, MAX_ENTRIES, weight).ok()?;
        Some(Words::new(self.function, &self.names, domains, &trace).elimination())
    }

    /// What the operator takes from φ at most, whichever order is shown.
    fn balance(&self) -> Balance {
        let weight = |feature| i128::from(self.weight(feature));
        let independent = self.delta.independent.iter();
        let independent: i128 =
            independent.map(|term| weight(term.feature) * i128::from(term.sign)).sum();
        let facts = self.function.features().facts();
        let decrease = self
            .domains
            .as_ref()
            .and_then(|domains| largest_decrease(&self.delta, facts, domains, weight).ok()?);
        let cost = i128::from(self.cost()) * i128::from(self.function.denominator());
        Balance {
            independent: self.ratio(independent),
            max: decrease.map(|decrease| self.ratio(decrease - independent)),
            decrease: decrease.map(|decrease| self.ratio(decrease)),
            slack: decrease.map(|decrease| self.ratio(cost - decrease)),
        }
    }
}
