//! Which projections to use.
//!
//! A *pattern* is the set of variables of a projection. The paper takes all projections to
//! one and two variables. Planners usually take fewer: those to *interesting* patterns.
//!
//! # Interesting patterns
//!
//! A pattern is interesting (Pommerening, Röger and Helmert, IJCAI 2013) if
//!
//! 1. the causal graph, restricted to the pattern, is weakly connected, and
//! 2. from each variable of the pattern, precondition arcs lead to a goal variable, through
//!    variables of the pattern only.
//!
//! The causal graph and the goal are those of the task as it is given. (In transition normal
//! form, every variable is a goal variable.) Under non-negative costs the other patterns add
//! nothing: (1) if no operator connects two parts of a pattern, its distances are the sums of
//! the distances in its parts, and (2) variables without such a path do not change distances.
//! When the paper was written, Fast Downward's systematic patterns were these, whatever they
//! were used for.
//!
//! With *negative* costs condition 2 loses something. A projection without any goal variable
//! is then useful: it can take a negative share of one operator's cost, and other projections
//! can use more of that cost than there is. Fast Downward has a weaker condition for this case
//! ([`Patterns::InterestingGeneral`]): the path may leave the pattern. A variable that is on no
//! path to a goal variable at all is of no use to any plan.
//!
//! # Subsets
//!
//! Patterns within others are left out: a function over a subset Q of P is one over P, with
//! the same decreases, so functions and shares of Q can be added to those of P.

use std::collections::{BTreeMap, BTreeSet};

use hipot_analysis::CausalGraph;
use hipot_task::{Facts, Limits, Task, VariableId};

use super::single::Choice;
use crate::error::Error;

/// The variables of a projection, in order.
pub type Pattern = Vec<VariableId>;

/// Which projections to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Patterns {
    /// All patterns of at most this many variables.
    All(usize),
    /// The interesting patterns of at most this many variables: each variable has a path to
    /// a goal variable within the pattern.
    Interesting(usize),
    /// The same, but paths may leave the pattern.
    InterestingGeneral(usize),
    /// These patterns.
    Given(Vec<Pattern>),
}

impl Default for Patterns {
    fn default() -> Self {
        Self::All(2)
    }
}

impl Patterns {
    /// The patterns for `task`, without subsets of others. `facts` are those of its transition
    /// normal form.
    pub(crate) fn select(
        &self,
        task: &Task,
        facts: &Facts,
        choice: Choice,
        limits: &Limits,
    ) -> Result<Vec<Pattern>, Error> {
        let patterns = match self {
            Self::All(dimension) => return all(facts, *dimension, choice, limits),
            Self::Interesting(dimension) | Self::InterestingGeneral(dimension) => {
                let graph = CausalGraph::new(task);
                let goal = task.goal().iter().map(|fact| fact.variable).collect();
                let everything = task.variable_ids().collect();
                let relevant = graph.ancestors(&goal, &everything);
                let mut patterns = connected(task, &graph, *dimension, choice, limits)?;
                patterns.retain(|pattern| match self {
                    Self::Interesting(_) => graph.leads_to(&goal, pattern),
                    _ => pattern.is_subset(&relevant),
                });
                patterns
            }
            Self::Given(patterns) => patterns.iter().map(|p| p.iter().copied().collect()).collect(),
        };
        let states = patterns.iter().map(|pattern| state_count(facts, pattern));
        choice.check("abstract states", states.fold(0, u64::saturating_add))?;
        Ok(maximal(&patterns))
    }
}

/// The number of abstract states of a projection.
fn state_count<'a>(facts: &Facts, pattern: impl IntoIterator<Item = &'a VariableId>) -> u64 {
    let sizes = pattern.into_iter().map(|&id| facts.domain_size(id) as u64);
    sizes.fold(1, u64::saturating_mul)
}

/// All sets of `dimension` variables; the set of all variables if there are fewer.
fn all(
    facts: &Facts,
    dimension: usize,
    choice: Choice,
    limits: &Limits,
) -> Result<Vec<Pattern>, Error> {
    let mut patterns: Vec<Pattern> = Vec::new();
    let mut states: u64 = 0;
    let mut chosen: Vec<usize> = (0..dimension.min(facts.variable_count())).collect();
    loop {
        limits.check()?;
        let pattern: Pattern = chosen.iter().map(|&index| VariableId::new(index)).collect();
        states = states.saturating_add(state_count(facts, &pattern));
        choice.check("abstract states", states)?;
        patterns.push(pattern);
        if !advance(&mut chosen, facts.variable_count()) {
            return Ok(patterns);
        }
    }
}

/// Moves to the next increasing sequence of numbers below `end`; false after the last.
fn advance(chosen: &mut [usize], end: usize) -> bool {
    let length = chosen.len();
    let Some(place) = (0..length).rev().find(|&i| chosen[i] + length - i < end) else {
        return false;
    };
    chosen[place] += 1;
    for later in place + 1..length {
        chosen[later] = chosen[later - 1] + 1;
    }
    true
}

type VariableSet = BTreeSet<VariableId>;

/// All sets of at most `dimension` variables that are connected in the causal graph, whatever
/// the direction of its arcs. Each is one such set and a neighbor.
fn connected(
    task: &Task,
    graph: &CausalGraph,
    dimension: usize,
    choice: Choice,
    limits: &Limits,
) -> Result<BTreeSet<VariableSet>, Error> {
    let mut layer: BTreeSet<VariableSet> =
        task.variable_ids().map(|variable| BTreeSet::from([variable])).collect();
    let mut found = layer.clone();
    for _ in 1..dimension {
        let mut next = BTreeSet::new();
        for pattern in &layer {
            limits.check()?;
            next.extend(graph.extensions(pattern));
            choice.check("connected patterns", (found.len() + next.len()) as u64)?;
        }
        found.extend(next.iter().cloned());
        layer = next;
    }
    Ok(found)
}

/// The patterns that are not within another.
fn maximal(patterns: &BTreeSet<VariableSet>) -> Vec<Pattern> {
    let mut with: BTreeMap<VariableId, Vec<&VariableSet>> = BTreeMap::new();
    for pattern in patterns {
        for &variable in pattern {
            with.entry(variable).or_default().push(pattern);
        }
    }
    let is_maximal = |pattern: &&VariableSet| {
        let fewest = pattern.iter().map(|variable| &with[variable]).min_by_key(|list| list.len());
        let is_within = |other: &&VariableSet| other != pattern && pattern.is_subset(other);
        fewest.is_none_or(|list| !list.iter().any(is_within))
    };
    patterns.iter().filter(is_maximal).map(|p| p.iter().copied().collect()).collect()
}
