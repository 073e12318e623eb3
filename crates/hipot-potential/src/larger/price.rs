//! Which larger sets of variables can raise the bound.
//!
//! As for pairs (`pairs::price`), the column of a conjunction f that is not a
//! feature yet has the reduced cost
//!
//! ```text
//! [f in s_I] + (times f is entered) − [f in s_⋆] − (times f is left)
//! ```
//!
//! in the relaxed plan of the dual solution. If the two sides cannot be equal, the
//! weight of f can raise the bound. An operator o that changes a variable of f
//! enters or leaves f as often as it is used in a state that has the facts f_ō of
//! its context: always, if f_ō is empty; y_o(b) times for one fact b, where the
//! rows of the maxima give an interval ([`relaxed_plan`](super::relaxed_plan));
//! and for facts b and c between max(0, y_o(b) + y_o(c) − y_o) and
//! min(y_o(b), y_o(c)) times, because nothing else is known about how often the
//! two occur together. The *excess* of f is the smallest possible distance between
//! the two sides; that of a set of variables is the sum over its conjunctions.
//!
//! *Which conjunctions.* Only a conjunction that is certainly entered or left has
//! an excess. So the conjunctions of each used operator are enumerated, with all
//! facts that its context certainly has.
//!
//! *Which sets.* A candidate is a variable that a used operator changes, together
//! with others that the operator mentions or that interact with the variable (some
//! operator mentions both); or an existing set with one more variable. There may be
//! many thousands. They are ranked by how often they are used, where a use counts
//! half for each variable that is only in the context. The excess is computed for
//! the first of them, and then they are sorted by it; sets with the same excess
//! keep their order. (As the next criterion, the imbalance of a set if the facts of
//! a context were independent of each other was tried: psr-small and pathways gain
//! nothing.)

use std::collections::{BTreeMap, BTreeSet};

use hipot_analysis::Mention;
use hipot_task::{Fact, FactId, Facts, Limits, Stop, Value, VariableId};

use super::relaxed_plan::{MIN_COUNT, Use};
use super::sets::{Conjunction, Sets, VariableSet};
use crate::normal_form::NormalForm;

/// The maximum number of interacting variables that are considered for a variable.
const MAX_PARTNERS: usize = 30;

/// The maximum number of sets whose excess is computed.
const MAX_PRICED: usize = 4000;

/// For each variable, those that interact with it, the most frequent first.
pub(super) struct Partners(Vec<Vec<VariableId>>);

impl Partners {
    pub(super) fn new(normal: &NormalForm, limits: &Limits) -> Result<Self, Stop> {
        let facts = normal.facts();
        let mut counts: Vec<BTreeMap<VariableId, usize>> =
            vec![BTreeMap::new(); facts.variable_count()];
        for operator in normal.operator_ids() {
            limits.check()?;
            let mentions = normal.mentions(operator);
            for changed in mentions.iter().filter(|mention| mention.is_change()) {
                let own = facts.variable(changed.before);
                let others = mentions.iter().map(|mention| facts.variable(mention.before));
                for other in others.filter(|&other| other != own) {
                    *counts[own.index()].entry(other).or_default() += 1;
                    *counts[other.index()].entry(own).or_default() += 1;
                }
            }
        }
        let ranked = |counts: BTreeMap<VariableId, usize>| {
            let mut ranked: Vec<(VariableId, usize)> = counts.into_iter().collect();
            ranked.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            ranked.into_iter().map(|(variable, _)| variable).take(MAX_PARTNERS).collect()
        };
        Ok(Self(counts.into_iter().map(ranked).collect()))
    }
}

/// A set of variables, its excess, and how often it is used.
pub(super) struct Priced {
    pub(super) set: VariableSet,
    pub(super) excess: f64,
    pub(super) uses: f64,
    /// The conjunctions that have an excess.
    pub(super) conjunctions: Vec<(Conjunction, f64)>,
}

/// A relaxed plan, with its initial state and its goal.
pub(super) struct Prices<'a> {
    facts: &'a Facts,
    uses: &'a [Use],
    /// For each variable, the uses that change it.
    changing: Vec<Vec<usize>>,
    state: &'a [Value],
    goal: &'a [Value],
}

impl<'a> Prices<'a> {
    pub(super) fn new(normal: &'a NormalForm, uses: &'a [Use], state: &'a [Value]) -> Self {
        let facts = normal.facts();
        let mut changing = vec![Vec::new(); facts.variable_count()];
        for (number, step) in uses.iter().enumerate() {
            for changed in step.mentions.iter().filter(|mention| mention.is_change()) {
                changing[facts.variable(changed.before).index()].push(number);
            }
        }
        Self { facts, uses, changing, state, goal: normal.goal() }
    }

    /// The most promising sets of up to `dimension` variables that are not among
    /// `sets`, best first.
    pub(super) fn price(
        &self,
        sets: &Sets,
        partners: &Partners,
        dimension: usize,
        limits: &Limits,
    ) -> Result<Vec<Priced>, Stop> {
        let candidates = self.candidates(sets, partners, dimension, limits)?;
        let mut ranked: Vec<(VariableSet, f64)> = candidates.into_iter().collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranked.truncate(MAX_PRICED);
        let mut priced = Vec::with_capacity(ranked.len());
        for (set, uses) in ranked {
            limits.check()?;
            let conjunctions = self.excesses(&set);
            let excess = conjunctions.iter().map(|it| it.1).sum();
            priced.push(Priced { set, excess, uses, conjunctions });
        }
        priced.sort_by(|one, other| other.excess.total_cmp(&one.excess));
        Ok(priced)
    }

    /// The candidates, and how often operators are used on them.
    fn candidates(
        &self,
        sets: &Sets,
        partners: &Partners,
        dimension: usize,
        limits: &Limits,
    ) -> Result<BTreeMap<VariableSet, f64>, Stop> {
        let mut found: BTreeMap<VariableSet, f64> = BTreeMap::new();
        let mut add = |step: &Use, changed: VariableId, mut set: VariableSet| {
            set.sort_unstable();
            if self.first_changed(step, &set) == Some(changed) && !sets.contains(&set) {
                *found.entry(set.clone()).or_default() += self.weight(step, &set);
            }
        };
        for step in self.uses {
            limits.check()?;
            for changed in step.mentions.iter().filter(|mention| mention.is_change()) {
                let changed = self.facts.variable(changed.before);
                let members = self.members(step, changed, partners);
                for (place, &one) in members.iter().enumerate() {
                    for &other in &members[..place] {
                        add(step, changed, vec![changed, one, other]);
                    }
                }
                let own =
                    sets.larger().filter(|set| set.len() < dimension && set.contains(&changed));
                for set in own {
                    for &member in members.iter().filter(|member| !set.contains(member)) {
                        add(step, changed, set.iter().copied().chain([member]).collect());
                    }
                }
            }
        }
        Ok(found)
    }

    /// The variables that a use mentions or that interact with `changed`, except for
    /// `changed` itself.
    fn members(&self, step: &Use, changed: VariableId, partners: &Partners) -> Vec<VariableId> {
        let mentioned = step.mentions.iter().map(|mention| self.facts.variable(mention.before));
        let partners = partners.0[changed.index()].iter().copied();
        let members: BTreeSet<VariableId> = mentioned.chain(partners).collect();
        members.into_iter().filter(|&member| member != changed).collect()
    }

    /// The first variable of a set that a use changes.
    fn first_changed(&self, step: &Use, set: &[VariableId]) -> Option<VariableId> {
        let is_changed = |&&variable: &&VariableId| {
            step.mention(self.facts, variable).is_some_and(Mention::is_change)
        };
        set.iter().find(is_changed).copied()
    }

    /// How often a use counts for a set: halved for each variable of the context.
    fn weight(&self, step: &Use, set: &[VariableId]) -> f64 {
        let is_context = |&&variable: &&VariableId| step.mention(self.facts, variable).is_none();
        set.iter().filter(is_context).fold(step.count, |weight, _| weight / 2.0)
    }

    /// A set's conjunctions that have an excess.
    fn excesses(&self, set: &[VariableId]) -> Vec<(Conjunction, f64)> {
        let mut numbers: Vec<usize> =
            set.iter().flat_map(|it| self.changing[it.index()].iter().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let uses: Vec<&Use> = numbers.iter().map(|&number| &self.uses[number]).collect();
        let (initial, goal) = (self.facts_in(set, self.state), self.facts_in(set, self.goal));
        let mut conjunctions = BTreeSet::from([initial.clone(), goal.clone()]);
        for step in &uses {
            for side in Side::BOTH {
                conjunctions.extend(self.certain(step, set, side));
            }
        }
        let excess = |conjunction: &Conjunction| {
            let is = |state: &Vec<FactId>| f64::from(u8::from(state == conjunction));
            let (mut entered, mut left) = ((is(&initial), is(&initial)), (is(&goal), is(&goal)));
            for step in &uses {
                add(&mut entered, self.times(step, conjunction, Side::After));
                add(&mut left, self.times(step, conjunction, Side::Before));
            }
            (entered.0 - left.1).max(left.0 - entered.1)
        };
        let with_excess = conjunctions.into_iter().map(|it| {
            let excess = excess(&it);
            (it, excess)
        });
        with_excess.filter(|&(_, excess)| excess > MIN_COUNT).collect()
    }

    fn facts_in(&self, set: &[VariableId], state: &[Value]) -> Vec<FactId> {
        let fact = |&variable: &VariableId| Fact::new(variable, state[variable.index()]);
        set.iter().map(|variable| self.facts.id(fact(variable))).collect()
    }

    /// The conjunctions on a set that can hold on one side of a use and whose facts of the
    /// context all certainly occur.
    fn certain(&self, step: &Use, set: &[VariableId], side: Side) -> Vec<Vec<FactId>> {
        let mut found: Vec<Vec<FactId>> = vec![Vec::new()];
        for &variable in set {
            let facts: Vec<FactId> = match step.mention(self.facts, variable) {
                Some(mention) => vec![side.of(mention)],
                None => {
                    let facts = self.facts.of_variable(variable);
                    let is_certain = |fact: &FactId| step.interval(self.facts, *fact).0 > MIN_COUNT;
                    facts.filter(is_certain).collect()
                }
            };
            let extend = |list: &Vec<FactId>| {
                let longer = |&fact: &FactId| list.iter().copied().chain([fact]).collect();
                facts.iter().map(longer).collect::<Vec<Vec<FactId>>>()
            };
            found = found.iter().flat_map(extend).collect();
        }
        found
    }

    /// The smallest and the largest possible number of times that a conjunction holds on
    /// one side of a use.
    fn times(&self, step: &Use, conjunction: &[FactId], side: Side) -> (f64, f64) {
        let (mut min, mut max) = (step.count, step.count);
        for &fact in conjunction {
            match step.mention(self.facts, self.facts.variable(fact)) {
                Some(mention) if side.of(mention) == fact => {}
                Some(_) => return (0.0, 0.0),
                None => {
                    let (low, high) = step.interval(self.facts, fact);
                    min += low - step.count;
                    max = max.min(high);
                }
            }
        }
        (min.max(0.0), max)
    }
}

/// Before or after an operator.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl Side {
    const BOTH: [Self; 2] = [Self::Before, Self::After];

    fn of(self, mention: Mention) -> FactId {
        match self {
            Self::Before => mention.before,
            Self::After => mention.after,
        }
    }
}

fn add(sum: &mut (f64, f64), value: (f64, f64)) {
    sum.0 += value.0;
    sum.1 += value.1;
}
