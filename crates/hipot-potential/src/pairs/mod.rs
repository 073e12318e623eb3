//! The LP that `pot(dim=1)` and `pot(dim=2)` solve: Theorem 1, reduced without loss.
//!
//! The textbook form is in [`binary`](crate::binary);
//! `tests/certify.rs::run_reduced` checks that both have the same optimum.
//!
//! Over all features of size at most 2, much of Eq. 8 and 9 is redundant. What is
//! left out here, and why nothing is lost:
//!
//! - **Reference values** (`reduction`). Features that mention one chosen value
//!   of each variable are linear combinations of others and a constant (see
//!   [`Features::complete`]), and the rows of Eq. 9 for such a value become
//!   z ≥ 0.
//! - **Symmetries** (`reduction`). A permutation σ of the facts that maps
//!   variables to variables, operators to operators of the same cost, and both
//!   the initial and the goal state to themselves, maps solutions of the LP to
//!   solutions of the same value. The average of a solution over the group of
//!   all such σ is a solution too, of the same value, and gives all features of
//!   one orbit the same weight. So one column for each orbit of features
//!   suffices, and then the constraints of an operator and of its image are the
//!   same: one operator for each orbit of operators suffices.
//! - **One maximum for each group of operators** (`groups`). z_V^o depends on what o
//!   changes, not on what else it requires: operators with the same changes
//!   share it. An operator that requires V = v has the sum for v in place of z.
//! - **Dominated operators** (`groups`). Of two operators with the same
//!   changes, one that requires more and costs no less has the weaker
//!   constraint: its contexts are among the other's.
//! - **Equal maxima** (`formulate`). With shared columns, the rows of Eq. 9 for
//!   different variables may be the same; one z with a factor stands for all of
//!   them. So a task with hundreds of interchangeable objects has a small LP.
//! - **Mutexes** (`exclusions`), if any are given: contexts that contain a mutex
//!   need no rows, and pairs of facts that are mutex need no columns.
//!
//! The LP never has more than one column for each pair of facts, and a table
//! leads from each pair to its column (`classes`). The same table makes the exact
//! check (`exact`) fast: what an operator's changes take from φ for each fact of
//! the context is a sum of rows of the table.
//!
//! If even this LP is too large, the features are restricted to some pairs of
//! variables or of facts (`pair_set`); `price` finds pairs that can raise the bound,
//! `changes` what they add to the LP, and `choose` selects among them.
//!
//! [`Features::complete`]: crate::feature::Features::complete

mod changes;
mod choose;
mod classes;
mod exact;
mod formulate;
mod groups;
mod mend;
mod pair_set;
mod price;
mod reduction;
mod units;

use std::cell::OnceCell;
use std::sync::Arc;

use hipot_lp::{Problem, Size};
use hipot_task::{Limits, OperatorId};

pub(crate) use self::choose::PairChooser;
pub(crate) use self::classes::Classes;
pub(crate) use self::pair_set::PairSet;
pub(crate) use self::reduction::Reduction;

use self::exact::ClassWeights;
use self::formulate::{PairModel, predict};
use self::groups::Group;
use self::mend::mend;
use self::units::structure;
use crate::certify::{Certified, Costs, Violation, certify};
use crate::engine::Structure;
use crate::family::{Constraint, ConstraintFamily};
use crate::free_operators::FreeOperators;
use crate::helpers::Helpers;
use crate::normal_form::NormalForm;
use crate::objective::Average;

/// The reduced LP of Theorem 1 as a family of constraints.
pub(crate) struct ReducedPairs<'a> {
    normal: &'a Arc<NormalForm>,
    classes: Classes,
    size: Size,
    /// For each operator, whether its constraint stands for its orbit.
    represents: Vec<bool>,
    /// The operators, grouped by their changes.
    groups: Arc<[Group]>,
    is_coarse: bool,
    free: OnceCell<FreeOperators>,
    /// The LP, which is written when it is asked for: the engine does not need it.
    model: OnceCell<PairModel>,
}

impl<'a> ReducedPairs<'a> {
    /// The LP over `classes` of `reduction`, whose [size](Reduction::size) is known.
    pub(crate) fn new(
        normal: &'a Arc<NormalForm>,
        reduction: &Reduction<'_>,
        classes: Classes,
        size: Size,
    ) -> Self {
        let represents = normal.operator_ids().map(|it| reduction.represents(it)).collect();
        let groups = Arc::clone(reduction.groups());
        let is_coarse = reduction.is_coarse();
        let (free, model) = (OnceCell::new(), OnceCell::new());
        Self { normal, classes, size, represents, groups, is_coarse, free, model }
    }

    /// Whether the constraint of an operator stands for its orbit.
    fn represents(&self, operator: OperatorId) -> bool {
        self.represents[operator.index()]
    }

    fn free(&self) -> &FreeOperators {
        self.free.get_or_init(|| FreeOperators::new(self.normal, Costs::Given))
    }

    fn model(&self) -> &PairModel {
        let is_representative = |operator| self.represents(operator);
        self.model.get_or_init(|| {
            PairModel::new(self.normal, &self.classes, &self.groups, self.size, is_representative)
        })
    }
}

impl ConstraintFamily for ReducedPairs<'_> {
    fn problem(&self) -> &Problem {
        &self.model().problem
    }

    fn problem_mut(&mut self) -> &mut Problem {
        self.model();
        &mut self.model.get_mut().expect("it was written").problem
    }

    fn forget_problem(&mut self) {
        self.model.take();
    }

    fn is_coarse(&self) -> bool {
        self.is_coarse
    }

    fn weights(&self) -> usize {
        self.classes.len()
    }

    fn constraints(&self) -> &[Constraint] {
        &self.model().constraints
    }

    fn has_atomic_features(&self) -> bool {
        true
    }

    fn shares(&self, average: &Average) -> Vec<f64> {
        self.classes.shares(average)
    }

    fn on_free_cycles(&self) -> Option<(Box<dyn ConstraintFamily + '_>, Size)> {
        let mut represents = vec![false; self.represents.len()];
        for &operator in &self.free().on_cycles {
            represents[operator.index()] = self.represents(operator);
        }
        let classes = self.classes.clone();
        let is_representative = |operator: OperatorId| represents[operator.index()];
        let size = match self.free().on_cycles.len() {
            0 => Size::default(),
            _ => {
                let limits = Limits::none();
                predict(self.normal, &classes, &self.groups, is_representative, u64::MAX, &limits)
                    .ok()??
            }
        };
        let family = Self {
            normal: self.normal,
            classes,
            size,
            represents,
            groups: Arc::clone(&self.groups),
            is_coarse: self.is_coarse,
            free: OnceCell::new(),
            model: OnceCell::new(),
        };
        Some((Box::new(family), size))
    }

    fn structure(&self, limits: &Limits) -> Option<Structure> {
        let is_representative = |operator| self.represents(operator);
        structure(self.normal, &self.classes, &self.groups, is_representative, limits)
    }

    fn weight_names(&self) -> Vec<String> {
        self.classes.names(self.normal.task())
    }

    fn description(&self) -> Vec<String> {
        let (classes, weights) = (&self.classes, self.classes.len());
        let features: u64 = (1..=weights as u32).map(|it| u64::from(classes.size(it))).sum();
        let mut lines = vec![
            "Eq. 8 and 9 (Theorem 1) of Pommerening, Helmert and Bonet (AAAI 2017), reduced:",
            "Features that mention a reference value are left out.",
            "Operators that others dominate, or that are symmetric to others, have no row.",
            "Operators that change the same facts share their maxima z.",
        ];
        if self.normal.mutexes().is_some() {
            lines.push("Features and contexts that mutexes exclude are left out.");
        }
        let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        if features > weights as u64 {
            lines.push(format!(
                "{features} features share {weights} weights: w(f){{n}} is that of n symmetric \
                 features, of which f is one."
            ));
        }
        lines
    }

    fn certify(
        &self,
        numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
        helpers: &Helpers,
    ) -> Result<Certified, Violation> {
        let mut weights = ClassWeights::new(self.normal, &self.classes, &self.groups, numerators);
        if costs == Costs::Given {
            mend(&mut weights, self.free());
        }
        certify(self.normal, weights, denominator, costs, helpers)
    }
}
