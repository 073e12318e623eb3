//! SAS+ tasks: variables, operators, axioms, mutex groups, initial state, goal.
//!
//! A [`Task`] is immutable and valid: its only constructor is [`TaskBuilder`](crate::TaskBuilder),
//! which checks every part as it comes and names what is wrong as a [`Defect`](crate::Defect).
//! Its ids index its lists without further checks.
//!
//! The meaning of the parts that go beyond the paper is Fast Downward's:
//!
//! - *Conditional effects*: all conditions are read in the state before the
//!   operator; effects that fire are written in their order, so that the later
//!   of two effects on one variable wins.
//! - *Axioms*: a derived variable has two values. It falls back to its default
//!   (the value in the initial state as written) after each operator, then the
//!   rules of each layer, lowest first, are applied until nothing changes. A
//!   rule may ask for the default value of a derived variable only in a lower
//!   layer (stratification), which makes the result unique.

use std::fmt;

use crate::ids::{Fact, OperatorId, Value, VariableId};

/// The largest cost of one operator: 2³¹ − 1, as in Fast Downward.
pub const MAX_COST: u32 = i32::MAX as u32;

/// A finite-domain variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name, as the task's source gives it.
    pub name: String,
    /// The layer of a derived variable; `None` for one that operators change.
    pub axiom_layer: Option<u32>,
    /// A name for each value.
    pub values: Vec<String>,
}

impl Variable {
    /// A variable that operators change.
    pub fn new(
        name: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self { name: name.into(), axiom_layer: None, values }
    }

    /// |dom(V)|.
    pub fn domain_size(&self) -> u32 {
        self.values.len() as u32
    }

    /// Whether axioms, not operators, determine the value.
    pub fn is_derived(&self) -> bool {
        self.axiom_layer.is_some()
    }
}

/// An effect, conditional or (with an empty list of conditions) unconditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The facts that must hold before the operator for the effect to fire.
    pub conditions: Vec<Fact>,
    /// The fact that holds afterwards.
    pub fact: Fact,
}

impl Effect {
    /// An effect that always fires.
    pub fn new(fact: Fact) -> Self {
        Self { conditions: Vec::new(), fact }
    }
}

/// An operator ⟨pre, eff, cost⟩.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// The name: an action and its arguments, without parentheses.
    pub name: String,
    /// pre(o), at most one fact per variable, in the order of variables.
    pub preconditions: Vec<Fact>,
    /// eff(o), in the order in which the effects are written.
    pub effects: Vec<Effect>,
    /// cost(o), at most [`MAX_COST`].
    pub cost: u32,
}

impl Operator {
    /// The value that the operator requires of `variable`.
    pub fn precondition_on(&self, variable: VariableId) -> Option<Value> {
        let found = self.preconditions.binary_search_by_key(&variable, |fact| fact.variable);
        found.ok().map(|index| self.preconditions[index].value)
    }
}

/// A rule: if the body holds, the head's variable takes the head's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axiom {
    /// The facts that must hold.
    pub body: Vec<Fact>,
    /// The fact that follows; never the default value of its variable.
    pub head: Fact,
}

/// A set of facts of which no reachable state has two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutexGroup {
    /// The facts, in the order in which the source lists them.
    pub facts: Vec<Fact>,
}

/// A planning task in finite-domain representation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub(crate) uses_costs: bool,
    pub(crate) decimals: u32,
    pub(crate) variables: Vec<Variable>,
    pub(crate) mutex_groups: Vec<MutexGroup>,
    pub(crate) initial: Vec<Value>,
    pub(crate) goal: Vec<Fact>,
    pub(crate) operators: Vec<Operator>,
    pub(crate) axioms: Vec<Axiom>,
}

impl Task {
    /// Whether the task minimizes action costs (metric 1 in the `.sas` format).
    pub fn uses_costs(&self) -> bool {
        self.uses_costs
    }

    /// 𝒱.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The number of decimals of costs in the problem that the task comes from: its costs are in units
    /// of the last decimal. 0 for integers, and always for tasks in the `.sas` format.
    pub fn decimals(&self) -> u32 {
        self.decimals
    }

    /// The variables' ids, in order.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len()).map(VariableId::new)
    }

    /// The variable with this id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The task without the operators in `left_out`, and the ids that the others have here, in
    /// order.
    pub fn without_operators(&self, left_out: &[OperatorId]) -> (Self, Vec<OperatorId>) {
        let mut is_left_out = vec![false; self.operators.len()];
        for id in left_out {
            is_left_out[id.index()] = true;
        }
        let kept: Vec<OperatorId> =
            self.operator_ids().filter(|id| !is_left_out[id.index()]).collect();
        let operators = kept.iter().map(|&id| self.operator(id).clone()).collect();
        let (mutex_groups, axioms) = (self.mutex_groups.clone(), self.axioms.clone());
        let (variables, initial) = (self.variables.clone(), self.initial.clone());
        let (uses_costs, decimals, goal) = (self.uses_costs, self.decimals, self.goal.clone());
        let task = Self {
            uses_costs,
            decimals,
            variables,
            mutex_groups,
            initial,
            goal,
            operators,
            axioms,
        };
        (task, kept)
    }

    /// The task with other costs, one for each operator. It minimizes them, even if it did not.
    ///
    /// # Panics
    /// If there are not as many costs as operators, or if one is above [`MAX_COST`].
    #[must_use]
    pub fn with_costs(&self, costs: &[u32]) -> Self {
        assert_eq!(costs.len(), self.operators.len(), "one cost for each operator");
        assert!(costs.iter().all(|&cost| cost <= MAX_COST), "costs have 31 bits");
        let mut task = Self { uses_costs: true, ..self.clone() };
        for (operator, &cost) in task.operators.iter_mut().zip(costs) {
            operator.cost = cost;
        }
        task
    }

    /// The mutex groups that came with the task.
    pub fn mutex_groups(&self) -> &[MutexGroup] {
        &self.mutex_groups
    }

    /// `s_I`, a value for each variable. Derived variables have their default
    /// values: the axioms are not applied yet.
    pub fn initial(&self) -> &[Value] {
        &self.initial
    }

    /// `s_⋆`, in the order of variables.
    pub fn goal(&self) -> &[Fact] {
        &self.goal
    }

    /// 𝒪.
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// The operators' ids, in order.
    pub fn operator_ids(&self) -> impl Iterator<Item = OperatorId> + use<> {
        (0..self.operators.len()).map(OperatorId::new)
    }

    /// The operator with this id.
    pub fn operator(&self, id: OperatorId) -> &Operator {
        &self.operators[id.index()]
    }

    /// The rules for derived variables.
    pub fn axioms(&self) -> &[Axiom] {
        &self.axioms
    }

    /// The number of facts: Σ |dom(V)|.
    pub fn fact_count(&self) -> usize {
        self.variables.iter().map(|variable| variable.values.len()).sum()
    }

    /// The name of a fact's value, for messages.
    pub fn fact_name(&self, fact: Fact) -> &str {
        &self.variable(fact.variable).values[fact.value as usize]
    }

    /// Whether every operator costs 1.
    pub fn is_unit_cost(&self) -> bool {
        self.operators.iter().all(|operator| operator.cost == 1)
    }

    /// The cheapest operator's cost; 0 if there are no operators.
    pub fn min_cost(&self) -> u32 {
        self.operators.iter().map(|operator| operator.cost).min().unwrap_or(0)
    }

    /// The most expensive operator's cost; 0 if there are no operators.
    pub fn max_cost(&self) -> u32 {
        self.operators.iter().map(|operator| operator.cost).max().unwrap_or(0)
    }

    /// Fails if the task has derived variables; `by` names the component that does not
    /// support them.
    pub fn require_no_axioms(&self, by: &'static str) -> Result<(), Unsupported> {
        match self.variables.iter().position(Variable::is_derived) {
            Some(index) => {
                let name = self.variables[index].name.clone();
                Err(Unsupported { by, feature: Feature::Axioms { derived_variable: name } })
            }
            None => Ok(()),
        }
    }

    /// Fails if an effect has conditions; `by` names the component that does not support them.
    pub fn require_no_conditional_effects(&self, by: &'static str) -> Result<(), Unsupported> {
        let conditional = |operator: &&Operator| {
            operator.effects.iter().any(|effect| !effect.conditions.is_empty())
        };
        match self.operators.iter().find(conditional) {
            Some(operator) => {
                let name = operator.name.clone();
                Err(Unsupported { by, feature: Feature::ConditionalEffects { operator: name } })
            }
            None => Ok(()),
        }
    }
}

/// The task uses a part of the input language that a component does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{by} does not support {feature}")]
pub struct Unsupported {
    /// The component.
    pub by: &'static str,
    /// What it does not support.
    pub feature: Feature,
}

/// A part of the input language that not every component supports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Derived variables.
    Axioms {
        /// The first such variable.
        derived_variable: String,
    },
    /// Effects with conditions.
    ConditionalEffects {
        /// The first operator that has one.
        operator: String,
    },
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Axioms { derived_variable } => {
                write!(f, "axioms (variable '{derived_variable}' is derived)")
            }
            Self::ConditionalEffects { operator } => {
                write!(f, "conditional effects (operator '{operator}' has one)")
            }
        }
    }
}
