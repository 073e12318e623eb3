//! Free operators: those on cycles, and functions that raise φ along all others.
//!
//! A *free* operator costs nothing, so it must not lower φ, and no larger denominator helps if
//! it does by a little. Two kinds are treated differently:
//!
//! - *On cycles.* If free operators lead back to where they began, φ must stay the same along
//!   the way: such constraints are equations, which `lp::equalities` finds and solves.
//! - *Others.* If some variable that an operator changes cannot come back to its old value by
//!   free operators, then there is a function of that variable alone that no free operator
//!   lowers and this one raises. A multiple of it mends what rounding or an early end of the LP
//!   method has left (`pairs::mend`).
//!
//! Such a function is known without an LP: give a value v the number of values that free
//! operators do *not* lead to from v. Along a free operator from v to v′ this number does not
//! fall, because what v′ leads to, v leads to as well; if v′ does not lead back to v, it rises.
//! Nothing in this depends on the order of variables or values, so the function has all
//! symmetries of the task.
//!
//! Operators that are not on a cycle are removed and the rest is looked at again, because
//! without them more variables may be unable to come back: this gives *layers*. A function of a
//! later layer may lower φ along operators of earlier layers, but not the other way round. So
//! later layers are mended first.

use hipot_task::{FactId, OperatorId, VariableId};

use crate::certify::Costs;
use crate::normal_form::NormalForm;

/// Free operators, and functions that raise φ along those that are on no cycle.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeOperators {
    /// The operators all of whose changed variables can come back to their old values, in
    /// order.
    pub(crate) on_cycles: Vec<OperatorId>,
    /// The others, layer by layer.
    pub(crate) layers: Vec<Layer>,
}

/// Operators, and a function for each variable that none of them lowers.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Operators with a variable whose function they raise.
    pub(crate) raised: Vec<(OperatorId, VariableId)>,
    /// The functions: a number for each fact.
    heights: Vec<u32>,
}

impl Layer {
    /// The value of its variable's function for a fact.
    pub(crate) fn height(&self, fact: FactId) -> i64 {
        i64::from(self.heights[fact.index()])
    }
}

impl FreeOperators {
    /// The operators that are free with these costs.
    pub(crate) fn new(normal: &NormalForm, costs: Costs) -> Self {
        let is_free = |id: &OperatorId| costs.of(normal, *id) == 0;
        let mut found =
            Self { on_cycles: normal.operator_ids().filter(is_free).collect(), layers: Vec::new() };
        loop {
            let layer = found.layer(normal);
            if layer.raised.is_empty() {
                return found;
            }
            let mut raised = layer.raised.iter().map(|&(operator, _)| operator).peekable();
            found.on_cycles.retain(|id| raised.next_if_eq(id).is_none());
            found.layers.push(layer);
        }
    }

    /// The next layer; its operators are still among those on cycles.
    fn layer(&self, normal: &NormalForm) -> Layer {
        let facts = normal.facts();
        let mut successors: Vec<Vec<Vec<usize>>> =
            facts.variable_ids().map(|it| vec![Vec::new(); facts.domain_size(it)]).collect();
        for &operator in &self.on_cycles {
            for (variable, old, new) in changes(normal, operator) {
                successors[variable.index()][old].push(new);
            }
        }
        let reachable: Vec<Reachability> =
            successors.iter().map(|it| Reachability::new(it)).collect();
        let rises = |&operator: &OperatorId| {
            let is_one_way = |&(variable, old, new): &(VariableId, usize, usize)| {
                !reachable[variable.index()].reaches(new, old)
            };
            Some((operator, changes(normal, operator).find(is_one_way)?.0))
        };
        let heights = reachable.iter().flat_map(Reachability::heights);
        Layer {
            raised: self.on_cycles.iter().filter_map(rises).collect(),
            heights: heights.collect(),
        }
    }
}

/// The variables that an operator changes, with old and new values.
fn changes(
    normal: &NormalForm,
    operator: OperatorId,
) -> impl Iterator<Item = (VariableId, usize, usize)> + '_ {
    let changes = normal.mentions(operator).iter().filter(|mention| mention.is_change());
    changes.map(|mention| {
        let (old, new) = (normal.facts().fact(mention.before), normal.facts().fact(mention.after));
        (old.variable, old.value as usize, new.value as usize)
    })
}

/// Which values of a variable free operators lead to from which others.
struct Reachability {
    size: usize,
    reachable: Vec<bool>,
}

impl Reachability {
    fn new(successors: &[Vec<usize>]) -> Self {
        let size = successors.len();
        let mut reachable = vec![false; size * size];
        for from in 0..size {
            let mut stack = vec![from];
            while let Some(value) = stack.pop() {
                if !std::mem::replace(&mut reachable[from * size + value], true) {
                    stack.extend(&successors[value]);
                }
            }
        }
        Self { size, reachable }
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        self.reachable[from * self.size + to]
    }

    /// For each value, the number of values that it does not lead to.
    fn heights(&self) -> impl Iterator<Item = u32> + '_ {
        let missing = |row: &[bool]| row.iter().filter(|&&is_reached| !is_reached).count() as u32;
        self.reachable.chunks_exact(self.size).map(missing)
    }
}
