//! Operators, grouped by what they change.
//!
//! z_V^o of Eq. 9 depends on what o changes, not on what else it requires. So operators with
//! the same changes form a *group* and share their maxima. Inside a group, an operator that
//! requires more and costs no less than another has the weaker constraint and is *dominated*.

use std::collections::HashMap;

use hipot_analysis::Mention;
use hipot_task::{FactId, Facts, OperatorId, VariableId};

use crate::normal_form::NormalForm;

/// What some operators change: facts before and after, one pair for each
/// changed variable, in the order of the variables.
pub(crate) type Changes = Vec<(FactId, FactId)>;

/// An operator of a group.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) operator: OperatorId,
    /// The facts that it requires and does not change.
    pub(crate) prevail: Vec<FactId>,
    pub(crate) cost: u32,
}

impl Member {
    /// Whether it requires a value of a variable that it does not change.
    pub(crate) fn requires(&self, variable: VariableId, facts: &Facts) -> bool {
        self.prevail.iter().any(|&fact| facts.variable(fact) == variable)
    }
}

/// The operators that make the same changes.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) changes: Changes,
    pub(crate) members: Vec<Member>,
    /// The members that no other one dominates.
    undominated: Vec<u32>,
}

impl Group {
    fn new(changes: Changes) -> Self {
        Self { changes, members: Vec::new(), undominated: Vec::new() }
    }

    /// The variables that change, in order.
    pub(crate) fn changed(&self, facts: &Facts) -> Vec<VariableId> {
        self.changes.iter().map(|&(before, _)| facts.variable(before)).collect()
    }

    /// The members that no other one dominates, by requiring a subset of their facts and
    /// costing no more: those who require the fewest facts first.
    pub(crate) fn undominated(&self) -> impl Iterator<Item = &Member> {
        self.undominated.iter().map(|&index| &self.members[index as usize])
    }

    /// Finds the undominated members. In large groups, each member is compared with the first
    /// few only.
    fn find_undominated(&mut self) {
        const MAX_COMPARED: usize = 200;
        let mut order: Vec<u32> = (0..self.members.len() as u32).collect();
        let member = |index: u32| &self.members[index as usize];
        order.sort_by_key(|&it| (member(it).prevail.len(), member(it).cost, member(it).operator));
        let mut kept: Vec<u32> = Vec::new();
        for index in order {
            let own = member(index);
            let dominates = |&other: &u32| {
                let other = member(other);
                other.cost <= own.cost && is_subset(&other.prevail, &own.prevail)
            };
            if !kept.iter().take(MAX_COMPARED).any(dominates) {
                kept.push(index);
            }
        }
        self.undominated = kept;
    }
}

/// The operators of a normal form, grouped by their changes. Operators that change
/// nothing have no constraint and are left out.
pub(crate) fn groups(normal: &NormalForm) -> Vec<Group> {
    let mut index_of: HashMap<Changes, usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for operator in normal.operator_ids() {
        let (changes, member) = split(normal, operator);
        if changes.is_empty() {
            continue;
        }
        let index = *index_of.entry(changes).or_insert_with_key(|changes| {
            groups.push(Group::new(changes.clone()));
            groups.len() - 1
        });
        groups[index].members.push(member);
    }
    groups.iter_mut().for_each(Group::find_undominated);
    groups
}

fn split(normal: &NormalForm, operator: OperatorId) -> (Changes, Member) {
    let (changed, kept): (Vec<Mention>, Vec<Mention>) =
        normal.mentions(operator).iter().partition(|mention| mention.is_change());
    let changes = changed.iter().map(|mention| (mention.before, mention.after)).collect();
    let prevail = kept.iter().map(|mention| mention.before).collect();
    (changes, Member { operator, prevail, cost: normal.cost(operator) })
}

/// Whether `part` is a subset of `whole`; `whole` is sorted.
fn is_subset(part: &[FactId], whole: &[FactId]) -> bool {
    part.iter().all(|fact| whole.binary_search(fact).is_ok())
}
