//! Which larger sets of variables can raise the bound.
//!
//! As for pairs (`pairs::price`): the column of a conjunction f that is no
//! feature yet has the reduced cost
//!
//! ```text
//! [f in s_I] + (times f is entered) − [f in s_⋆] − (times f is left)
//! ```
//!
//! in the relaxed plan of the dual solution, and if the two sides cannot be
//! equal, its weight raises the bound. An operator o that changes a variable of f
//! enters or leaves f as often as it is used in a state that has the facts f_ō of
//! its context: always, if f_ō is empty; y_o(b) times for one fact b, of which
//! the rows of the maxima tell an interval ([`relaxed_plan`]); and for facts b
//! and c between max(0, y_o(b) + y_o(c) − y_o) and min(y_o(b), y_o(c)) times, for
//! nothing else is known about how the two go together. The *excess* of f is the
//! least distance between the two sides, that of a set of variables the sum over
//! its conjunctions.
//!
//! An excess needs a conjunction that is surely entered or left, so those of each
//! used operator are gone through, with all facts that its context surely has.
//! Candidates are a variable that a used operator changes and others that it
//! mentions, or that interact with the first (some operator mentions both); and
//! sets that are there already with one more. There may be many thousands: those
//! come first that are used most often, uses with variables that are only in the
//! context counting half for each of these, and of these the excess is computed.
//! Where it is 0 this order remains. (By how much a set is out of balance if the
//! facts of a context are independent of each other was tried as the next
//! criterion: psr-small and pathways gain nothing.)

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::{Limits, Stop, Task, Value, VariableId};

use super::relaxed_plan::{LEAST_COUNT, Use};
use super::sets::{Sets, VariableSet};
use crate::feature::Facts;
use crate::pairs::{Mention, mentions};

/// How many variables that interact with one are considered.
const MOST_PARTNERS: usize = 30;

/// How many sets' excesses are computed.
const MOST_PRICED: usize = 4000;

/// For each variable those that interact with it: most often first.
pub(super) struct Partners(Vec<Vec<VariableId>>);

impl Partners {
    pub(super) fn new(task: &Task, facts: &Facts, limits: &Limits) -> Result<Self, Stop> {
        let mut counts: Vec<BTreeMap<VariableId, usize>> =
            vec![BTreeMap::new(); facts.variable_count()];
        for operator in task.operator_ids() {
            limits.check()?;
            let mentions = mentions(task, facts, operator);
            for changed in mentions.iter().filter(|mention| mention.changes()) {
                let own = facts.variable_of(changed.before);
                let others = mentions.iter().map(|mention| facts.variable_of(mention.before));
                for other in others.filter(|&other| other != own) {
                    *counts[own.index()].entry(other).or_default() += 1;
                    *counts[other.index()].entry(own).or_default() += 1;
                }
            }
        }
        let ranked = |counts: BTreeMap<VariableId, usize>| {
            let mut ranked: Vec<(VariableId, usize)> = counts.into_iter().collect();
            ranked.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            ranked.into_iter().map(|(variable, _)| variable).take(MOST_PARTNERS).collect()
        };
        Ok(Self(counts.into_iter().map(ranked).collect()))
    }
}

/// A set of variables, and what speaks for it.
pub(super) struct Priced {
    pub(super) set: VariableSet,
    pub(super) excess: f64,
    pub(super) uses: f64,
}

/// A relaxed plan and what it goes between.
pub(super) struct Prices<'a> {
    facts: &'a Facts,
    uses: Vec<Use>,
    /// The uses that change each variable.
    changing: Vec<Vec<usize>>,
    state: &'a [Value],
    goal: Vec<Value>,
}

impl<'a> Prices<'a> {
    pub(super) fn new(task: &Task, facts: &'a Facts, uses: Vec<Use>, state: &'a [Value]) -> Self {
        let mut changing = vec![Vec::new(); facts.variable_count()];
        for (number, step) in uses.iter().enumerate() {
            for changed in step.mentions.iter().filter(|mention| mention.changes()) {
                changing[facts.variable_of(changed.before).index()].push(number);
            }
        }
        let goal = task.goal().iter().map(|fact| fact.value).collect();
        Self { facts, uses, changing, state, goal }
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
        ranked.truncate(MOST_PRICED);
        let mut priced = Vec::with_capacity(ranked.len());
        for (set, uses) in ranked {
            limits.check()?;
            let excess = self.excess(&set);
            priced.push(Priced { set, excess, uses });
        }
        priced.sort_by(|one, other| other.excess.total_cmp(&one.excess));
        Ok(priced)
    }

    /// Sets that are not there, and how often operators are used on them.
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
        for step in &self.uses {
            limits.check()?;
            for changed in step.mentions.iter().filter(|mention| mention.changes()) {
                let changed = self.facts.variable_of(changed.before);
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

    /// What a use mentions besides one variable, and what interacts with it.
    fn members(&self, step: &Use, changed: VariableId, partners: &Partners) -> Vec<VariableId> {
        let mentioned = step.mentions.iter().map(|mention| self.facts.variable_of(mention.before));
        let partners = partners.0[changed.index()].iter().copied();
        let members: BTreeSet<VariableId> = mentioned.chain(partners).collect();
        members.into_iter().filter(|&member| member != changed).collect()
    }

    /// The first variable of a set that a use changes.
    fn first_changed(&self, step: &Use, set: &[VariableId]) -> Option<VariableId> {
        let is_changed = |&&variable: &&VariableId| {
            step.mention(self.facts, variable).is_some_and(Mention::changes)
        };
        set.iter().find(is_changed).copied()
    }

    /// How often a set is used: half for each variable of the context.
    fn weight(&self, step: &Use, set: &[VariableId]) -> f64 {
        let is_context = |&&variable: &&VariableId| step.mention(self.facts, variable).is_none();
        set.iter().filter(is_context).fold(step.count, |weight, _| weight / 2.0)
    }

    /// The sum of the excesses of a set's conjunctions.
    fn excess(&self, set: &[VariableId]) -> f64 {
        let mut numbers: Vec<usize> =
            set.iter().flat_map(|it| self.changing[it.index()].iter().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let uses: Vec<&Use> = numbers.iter().map(|&number| &self.uses[number]).collect();
        let (initial, goal) = (self.facts_in(set, self.state), self.facts_in(set, &self.goal));
        let mut conjunctions = BTreeSet::from([initial.clone(), goal.clone()]);
        for step in &uses {
            for side in Side::BOTH {
                conjunctions.extend(self.sure(step, set, side));
            }
        }
        let excess = |conjunction: &Vec<u32>| {
            let is = |state: &Vec<u32>| f64::from(u8::from(state == conjunction));
            let (mut entered, mut left) = ((is(&initial), is(&initial)), (is(&goal), is(&goal)));
            for step in &uses {
                add(&mut entered, self.times(step, conjunction, Side::After));
                add(&mut left, self.times(step, conjunction, Side::Before));
            }
            (entered.0 - left.1).max(left.0 - entered.1)
        };
        let excesses = conjunctions.iter().map(excess);
        excesses.filter(|&excess| excess > LEAST_COUNT).sum()
    }

    fn facts_in(&self, set: &[VariableId], state: &[Value]) -> Vec<u32> {
        let begin = |variable: VariableId| self.facts.range_of(variable).start as u32;
        set.iter().map(|&variable| begin(variable) + state[variable.index()]).collect()
    }

    /// The conjunctions of a set that a use has surely on one side, now and then.
    fn sure(&self, step: &Use, set: &[VariableId], side: Side) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = vec![Vec::new()];
        for &variable in set {
            let facts: Vec<u32> = match step.mention(self.facts, variable) {
                Some(mention) => vec![side.of(mention)],
                None => {
                    let facts = self.facts.range_of(variable).map(|fact| fact as u32);
                    let is_sure = |fact: &u32| step.interval(self.facts, *fact).0 > LEAST_COUNT;
                    facts.filter(is_sure).collect()
                }
            };
            let extend = |list: &Vec<u32>| {
                let longer = |&fact: &u32| list.iter().copied().chain([fact]).collect();
                facts.iter().map(longer).collect::<Vec<Vec<u32>>>()
            };
            found = found.iter().flat_map(extend).collect();
        }
        found
    }

    /// Between which numbers of times a use has a conjunction on one side.
    fn times(&self, step: &Use, conjunction: &[u32], side: Side) -> (f64, f64) {
        let (mut least, mut most) = (step.count, step.count);
        for &fact in conjunction {
            match step.mention(self.facts, self.facts.variable_of(fact)) {
                Some(mention) if side.of(mention) == fact => {}
                Some(_) => return (0.0, 0.0),
                None => {
                    let (low, high) = step.interval(self.facts, fact);
                    least += low - step.count;
                    most = most.min(high);
                }
            }
        }
        (least.max(0.0), most)
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

    fn of(self, mention: Mention) -> u32 {
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
