//! From a function to its partition.
//!
//! The operators are visited twice: first to find out which projections and operators matter
//! most, then to describe those. Ties keep the order of the task, so the same function always has
//! the same explanation.

use std::cmp::Reverse;

use hipot::Failure;
use hipot::correspondence::DistanceFunction;
use hipot::heuristic::Potential;
use hipot::partitioning::Partitioning;
use hipot::spec::PartitionSpec;
use hipot_lp::Size;
use hipot_potential::NormalForm;
use hipot_potential::shares::{ShareRange, Shares};
use hipot_task::{Limits, OperatorId, Task};

use super::super::Cost;
use super::super::Ratio;
use super::super::names::{Names, titles};
use super::reachable::{Transition, facts, transitions};
use super::{CostsOf, Lp, Partition, Projection, Projections, Row, Rows, Share};

/// How many transitions are listed for each feature that would be.
const TRANSITIONS: usize = 3;

/// The shares of a cost partitioning for `task`, with at most `top` projections and operators.
pub(in super::super) fn of_partitioning(
    task: &Task,
    partitioning: &Partitioning,
    top: usize,
    limits: &Limits,
) -> Result<Partition, Failure> {
    let spec = &partitioning.spec;
    let function = DistanceFunction::new(task, partitioning)?;
    let costs_of = match spec {
        PartitionSpec::StateEquation | PartitionSpec::OperatorCosts { .. } => CostsOf::Operators,
        PartitionSpec::TransitionCosts(_) => CostsOf::Transitions,
    };
    let view = View {
        normal: &function.normal,
        shares: function.shares(),
        denominator: function.denominator,
        costs_of,
        is_unsolvable: partitioning.bound().is_none(),
    };
    let mut described = view.describe(top, limits)?;
    described.projections.count = partitioning.projections;
    let lp = lp(partitioning.size, partitioning.seconds);
    Ok(described.partition(spec.to_string(), costs_of, view.bound(partitioning.bound()), lp))
}

/// A potential function as a transition cost partitioning.
pub(in super::super) fn of_potential(
    potential: &Potential,
    top: usize,
    limits: &Limits,
) -> Result<Partition, Failure> {
    let function = &potential.function;
    let view = View {
        normal: potential.normal_form(),
        shares: Shares::new(potential.normal_form(), function.features(), function.weights()),
        denominator: function.denominator(),
        costs_of: CostsOf::Transitions,
        is_unsolvable: potential.proves_unsolvable,
    };
    let described = view.describe(top, limits)?;
    let lp = lp(potential.report.size, potential.report.seconds);
    let spec = potential.spec.to_string();
    Ok(described.partition(spec, CostsOf::Transitions, view.bound(potential.bound()), lp))
}

fn lp(Size { rows, columns, nonzeros }: Size, seconds: f64) -> Lp {
    Lp { rows, columns, nonzeros, seconds }
}

/// What is said about a function of any origin.
struct Described {
    initial_exact: Ratio,
    projections: Projections,
    operators: Rows,
    transitions: Option<Rows>,
}

impl Described {
    fn partition(
        self,
        spec: String,
        costs_of: CostsOf,
        initial: Option<Cost>,
        lp: Lp,
    ) -> Partition {
        let Self { initial_exact, projections, operators, transitions } = self;
        Partition {
            spec,
            costs_of,
            initial,
            initial_exact,
            projections,
            operators,
            transitions,
            lp: Some(lp),
        }
    }
}

/// A function, and how its shares are to be seen.
struct View<'a> {
    normal: &'a NormalForm,
    shares: Shares<'a>,
    denominator: i64,
    costs_of: CostsOf,
    is_unsolvable: bool,
}

/// What the first visit of the operators finds out.
#[derive(Default)]
struct Survey {
    /// For each pattern, the sum of its shares without their signs, and the number of operators.
    patterns: Vec<(i128, usize)>,
    /// The operators with shares; what is used of their costs, and the number of shares.
    operators: Vec<(OperatorId, i128, usize)>,
    used_up: usize,
}

impl Survey {
    /// Whether a pattern has a share, or a distance in the initial state.
    fn is_used(&self, pattern: usize, distances: &[i128]) -> bool {
        self.patterns[pattern].1 > 0 || distances[pattern] != 0
    }
}

impl View<'_> {
    fn describe(&self, top: usize, limits: &Limits) -> Result<Described, Failure> {
        let survey = self.survey(limits)?;
        let distances = self.shares.distances(self.normal.initial());
        let shown = most_important(&survey, &distances, top);
        let initial_exact = self.ratio(distances.iter().sum());
        let projections = self.projections(&survey, &distances, &shown);
        let operators = self.operators(survey, &shown, top)?;
        let transitions = match self.costs_of {
            CostsOf::Operators | CostsOf::GivenOperators => None,
            CostsOf::Transitions => self.transitions(&shown, TRANSITIONS * top, limits)?,
        };
        Ok(Described { initial_exact, projections, operators, transitions })
    }

    fn ratio(&self, numerator: i128) -> Ratio {
        Ratio::of_units(numerator, self.denominator.into(), self.normal.task().decimals())
    }

    fn bound(&self, units: Option<u64>) -> Option<Cost> {
        units.map(|units| Cost::of(units, self.normal.task()))
    }

    fn cost(&self, operator: OperatorId) -> u32 {
        if self.is_unsolvable { 0 } else { self.normal.cost(operator) }
    }

    /// The shares of an operator: a range, or the one share for all of its transitions.
    fn ranges(&self, operator: OperatorId) -> Vec<ShareRange> {
        let mut ranges = self.shares.of_operator(operator).unwrap_or_default();
        if self.costs_of == CostsOf::Operators {
            for range in &mut ranges {
                range.smallest = range.largest;
            }
            ranges.retain(|range| range.largest != 0);
        }
        ranges
    }

    /// The most that is used of an operator's cost.
    fn sum(&self, operator: OperatorId, ranges: &[ShareRange]) -> Option<i128> {
        match self.costs_of {
            CostsOf::Operators | CostsOf::GivenOperators => {
                Some(ranges.iter().map(|range| range.largest).sum())
            }
            CostsOf::Transitions => self.shares.largest_sum(operator),
        }
    }

    /// What is left of a cost; an error if more was given away than there was.
    fn left(&self, operator: OperatorId, sum: i128) -> Result<i128, Failure> {
        let left = i128::from(self.cost(operator)) * i128::from(self.denominator) - sum;
        if left >= 0 {
            return Ok(left);
        }
        let name = &self.normal.task().operator(operator).name;
        Err(Failure::Solver(format!("the shares of ({name}) add up to more than its cost")))
    }

    fn survey(&self, limits: &Limits) -> Result<Survey, Failure> {
        let patterns = vec![(0, 0); self.shares.patterns().len()];
        let mut survey = Survey { patterns, ..Survey::default() };
        for operator in self.normal.operator_ids() {
            limits.check()?;
            let ranges = self.ranges(operator);
            let sum = self.sum(operator, &ranges);
            let left = sum.map(|sum| self.left(operator, sum)).transpose()?;
            survey.used_up += usize::from(self.cost(operator) > 0 && left == Some(0));
            if !ranges.is_empty() {
                survey.operators.push((operator, sum.unwrap_or(0), ranges.len()));
            }
            for ShareRange { pattern, smallest, largest } in ranges {
                survey.patterns[pattern].0 += smallest.abs().max(largest.abs());
                survey.patterns[pattern].1 += 1;
            }
        }
        Ok(survey)
    }

    fn projections(&self, survey: &Survey, distances: &[i128], shown: &[usize]) -> Projections {
        let task = self.normal.task();
        let titles = titles(self.normal);
        let projection = |&pattern: &usize| {
            let variables = &self.shares.patterns()[pattern];
            let names = variables.iter().map(|&id| task.variable(id).name.clone());
            let title: Vec<&str> = variables.iter().map(|id| titles[id.index()].as_str()).collect();
            Projection {
                variables: names.collect(),
                title: title.join(" and "),
                initial: self.ratio(distances[pattern]),
                operators: survey.patterns[pattern].1,
            }
        };
        let used = (0..distances.len()).filter(|&it| survey.is_used(it, distances)).count();
        let all: i128 = distances.iter().sum();
        let of_shown: i128 = shown.iter().map(|&pattern| distances[pattern]).sum();
        Projections {
            count: distances.len(),
            used,
            shown: shown.iter().map(projection).collect(),
            rest_count: used - shown.len(),
            rest: self.ratio(all - of_shown),
        }
    }

    fn operators(&self, survey: Survey, shown: &[usize], top: usize) -> Result<Rows, Failure> {
        let mut ranked = survey.operators;
        let shared = ranked.len();
        ranked.sort_by_key(|&(_, sum, shares)| Reverse((sum, shares)));
        ranked.truncate(top);
        let row = |&(operator, _, _): &(OperatorId, i128, usize)| {
            let ranges = self.ranges(operator);
            let sum = self.sum(operator, &ranges);
            self.row(operator, None, &ranges, sum, shown)
        };
        let shown = ranked.iter().map(row).collect::<Result<_, _>>()?;
        let count = self.normal.task().operators().len();
        Ok(Rows { count, shared, used_up: survey.used_up, shown })
    }

    fn transitions(
        &self,
        shown: &[usize],
        top: usize,
        limits: &Limits,
    ) -> Result<Option<Rows>, Failure> {
        let names = Names::new(self.normal);
        let Some(all) = transitions(self.normal, limits)? else { return Ok(None) };
        let mut rows = Rows { count: all.len(), shared: 0, used_up: 0, shown: Vec::new() };
        for Transition { before, operator, after } in &all {
            let parts = self.shares.of_transition(before, after);
            let sum: i128 = parts.iter().sum();
            let left = self.left(*operator, sum)?;
            rows.used_up += usize::from(self.cost(*operator) > 0 && left == 0);
            let parts = parts.iter().enumerate().filter(|(_, part)| **part != 0);
            let ranges: Vec<ShareRange> = parts
                .map(|(pattern, &part)| ShareRange { pattern, smallest: part, largest: part })
                .collect();
            rows.shared += usize::from(!ranges.is_empty());
            if rows.shown.len() < top && !ranges.is_empty() {
                let state = facts(before).map(|fact| names.fact(fact)).collect();
                rows.shown.push(self.row(*operator, Some(state), &ranges, Some(sum), shown)?);
            }
        }
        Ok(Some(rows))
    }

    fn row(
        &self,
        operator: OperatorId,
        state: Option<Vec<String>>,
        ranges: &[ShareRange],
        sum: Option<i128>,
        shown: &[usize],
    ) -> Result<Row, Failure> {
        let place = |range: &ShareRange| shown.iter().position(|&own| own == range.pattern);
        let share = |range: &ShareRange| {
            let (smallest, largest) = (self.ratio(range.smallest), self.ratio(range.largest));
            Some(Share { projection: place(range)?, smallest, largest })
        };
        let rest = || ranges.iter().filter(|range| place(range).is_none());
        let is_fixed = rest().all(|range| range.smallest == range.largest);
        let left = sum.map(|sum| self.left(operator, sum)).transpose()?;
        Ok(Row {
            operator: self.normal.task().operator(operator).name.clone(),
            state,
            cost: Cost::of(self.cost(operator), self.normal.task()),
            shares: ranges.iter().filter_map(share).collect(),
            rest_count: rest().count(),
            rest: is_fixed.then(|| self.ratio(rest().map(|range| range.largest).sum())),
            sum: sum.map(|sum| self.ratio(sum)),
            left: left.map(|left| self.ratio(left)),
        })
    }
}

/// The patterns with the largest distances in the initial state, then those with the largest
/// shares.
fn most_important(survey: &Survey, distances: &[i128], top: usize) -> Vec<usize> {
    let is_used = |&pattern: &usize| survey.is_used(pattern, distances);
    let mut shown: Vec<usize> = (0..distances.len()).filter(is_used).collect();
    let importance = |&pattern: &usize| (distances[pattern].abs(), survey.patterns[pattern].0);
    shown.sort_by_key(|pattern| Reverse(importance(pattern)));
    shown.truncate(top);
    shown
}
