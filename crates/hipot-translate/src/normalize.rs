//! Normalization: every condition becomes a conjunction of literals.
//!
//! The transformations are those of Helmert, *Concise finite-domain
//! representations for PDDL planning tasks*, Artificial Intelligence 173
//! (2009), Section 4, in one pass over each action, rule and goal:
//!
//! 1. Negation moves down to the atoms (`Formula::new`).
//! 2. ∀x φ becomes ¬p, where the axiom p ← ∃x ¬φ defines a new predicate p
//!    over the free variables. Equal formulas share one predicate.
//! 3. The rest has a disjunctive normal form. An action becomes one schema for
//!    each disjunct of its precondition, a rule one axiom for each, and a
//!    conditional effect one effect for each.
//! 4. Existential variables become parameters: of the schema, the axiom or the
//!    effect.
//!
//! Each step keeps the plans. In step 3, a state satisfies the precondition if
//! and only if it satisfies one of the disjuncts, and the schemas share their
//! effects and costs. Step 4 is right because an action applies as soon as *some*
//! value satisfies the precondition; its effects do not mention the variable.
//!
//! A goal that is a conjunction stays one; otherwise an auxiliary predicate
//! without parameters stands for it. A disjunctive normal form with more than
//! [`MAX_DISJUNCTS`] parts is not multiplied out: its outermost disjunctions
//! become auxiliary predicates, defined by axioms. Fast Downward has no such
//! limit, and grows exponentially there.
//!
//! Auxiliary predicates are derived, and heuristics that know nothing of axioms
//! would not apply. So on the ground most of them are replaced by what they
//! stand for (module `axioms`).

use std::sync::Arc;

use hipot_pddl::ast::{
    Action, Condition, Effect, ObjectId, PredicateId, Rule, Task, Term, TypeId, Variable,
    VariableId,
};
use rustc_hash::FxHashMap;

use crate::formula::{Conjunct, Formula};
use crate::normal::{AxiomSchema, Literal, NormalTask, Predicate, Range, Schema, SchemaEffect};

/// The number of parts of the largest disjunctive normal form that is
/// multiplied out.
pub const MAX_DISJUNCTS: usize = 4096;

/// The normal form of `task`.
pub fn normalize(task: &Task) -> NormalTask {
    let mut normalizer = Normalizer::new(task);
    let goal = normalizer.goal();
    let schemas = task.actions.iter().flat_map(|action| normalizer.action(action)).collect();
    task.rules.iter().for_each(|rule| normalizer.rule(rule));
    NormalTask {
        first_auxiliary: task.predicates.len(),
        predicates: normalizer.predicates,
        objects: task.objects.len(),
        functions: task.functions.iter().map(|function| function.parameters.len()).collect(),
        values: task.values.clone(),
        uses_costs: task.uses_costs,
        schemas,
        axioms: normalizer.axioms,
        initial: task.initial.clone(),
        goal,
    }
}

struct Normalizer<'a> {
    task: &'a Task,
    members: Vec<Vec<ObjectId>>,
    ranges: FxHashMap<Vec<TypeId>, Range>,
    predicates: Vec<Predicate>,
    axioms: Vec<AxiomSchema>,
    /// The auxiliary predicates, by what they stand for: a formula over
    /// variables numbered from 0, and the types of these variables.
    stand_ins: FxHashMap<(Formula, Vec<Vec<TypeId>>), PredicateId>,
}

/// An effect in normal form, but still over its action's variables.
struct FlatEffect {
    parameters: Vec<VariableId>,
    condition: Vec<Literal>,
    literal: Literal,
}

impl<'a> Normalizer<'a> {
    fn new(task: &'a Task) -> Self {
        let predicates = task.predicates.iter().map(|predicate| Predicate {
            name: predicate.name.clone(),
            arity: predicate.parameters.len(),
            is_derived: predicate.is_derived,
        });
        Self {
            task,
            members: task.objects_by_type(),
            ranges: FxHashMap::default(),
            predicates: predicates.collect(),
            axioms: Vec::new(),
            stand_ins: FxHashMap::default(),
        }
    }

    fn action(&mut self, action: &Action) -> Vec<Schema> {
        let owner = &action.variables;
        let effects = self.effects(action);
        let disjuncts = self.disjuncts(Formula::new(&action.precondition, false), owner);
        let schema = |Conjunct { exists, literals }| {
            let mut numbers = Renumbering::of_parameters(action.parameters);
            numbers.add(&exists);
            Schema {
                name: action.name.clone(),
                parameters: numbers.ranges(self, owner),
                shown: action.parameters,
                precondition: numbers.literals(literals),
                effects: effects.iter().map(|effect| numbers.effect(self, effect, owner)).collect(),
                cost: action.cost.clone(),
            }
        };
        disjuncts.into_iter().map(schema).collect()
    }

    fn effects(&mut self, action: &Action) -> Vec<FlatEffect> {
        let mut found = Vec::new();
        self.effect(&action.effect, &mut Vec::new(), &mut Vec::new(), action, &mut found);
        found
    }

    /// Adds the simple effects of `effect`, which is inside quantifiers over
    /// `forall` and inside `conditions`.
    fn effect<'e>(
        &mut self,
        effect: &'e Effect,
        forall: &mut Vec<VariableId>,
        conditions: &mut Vec<&'e Condition>,
        action: &Action,
        found: &mut Vec<FlatEffect>,
    ) {
        let (negated, atom) = match effect {
            Effect::Add(atom) => (false, atom),
            Effect::Delete(atom) => (true, atom),
            Effect::And(parts) => {
                for part in parts {
                    self.effect(part, forall, conditions, action, found);
                }
                return;
            }
            Effect::When(condition, part) => {
                conditions.push(condition);
                self.effect(part, forall, conditions, action, found);
                conditions.pop();
                return;
            }
            Effect::Forall(variables, part) => {
                forall.extend(variables);
                self.effect(part, forall, conditions, action, found);
                forall.truncate(forall.len() - variables.len());
                return;
            }
        };
        let literal = Literal { negated, predicate: atom.predicate, terms: atom.terms.clone() };
        let all = conditions.iter().map(|condition| Formula::new(condition, false)).collect();
        for Conjunct { exists, literals } in self.disjuncts(Formula::And(all), &action.variables) {
            let parameters = forall.iter().copied().chain(exists).collect();
            found.push(FlatEffect { parameters, condition: literals, literal: literal.clone() });
        }
    }

    fn rule(&mut self, rule: &Rule) {
        let parameters = self.predicates[rule.predicate.index()].arity;
        let formula = Formula::new(&rule.condition, false);
        self.define(rule.predicate, parameters, formula, &rule.variables);
    }

    fn goal(&mut self) -> Option<Vec<Literal>> {
        let owner = &self.task.goal.variables;
        let formula = self.without_forall(Formula::new(&self.task.goal.condition, false), owner);
        if formula.count_disjuncts() <= 1 {
            match formula.disjuncts().pop() {
                None => return None,
                Some(conjunct) if conjunct.exists.is_empty() => return Some(conjunct.literals),
                Some(_) => {}
            }
        }
        Some(vec![self.stand_in(formula, "goal", owner)])
    }

    /// The disjunctive normal form of a formula over an owner's variables.
    fn disjuncts(&mut self, formula: Formula, owner: &[Variable]) -> Vec<Conjunct> {
        let mut formula = self.without_forall(formula, owner);
        if formula.count_disjuncts() > MAX_DISJUNCTS {
            formula = self.without_or(formula, owner);
        }
        formula.disjuncts()
    }

    /// Replaces ∀x φ by a literal ¬p, with p ← ∃x ¬φ.
    fn without_forall(&mut self, formula: Formula, owner: &[Variable]) -> Formula {
        match formula {
            Formula::Literal(_) => formula,
            Formula::And(parts) => Formula::And(
                parts.into_iter().map(|part| self.without_forall(part, owner)).collect(),
            ),
            Formula::Or(parts) => Formula::Or(
                parts.into_iter().map(|part| self.without_forall(part, owner)).collect(),
            ),
            Formula::Exists(variables, part) => {
                Formula::Exists(variables, Box::new(self.without_forall(*part, owner)))
            }
            Formula::Forall(variables, part) => {
                let counterexample = Formula::Exists(variables, Box::new(part.negate()));
                let literal = self.stand_in(counterexample, "not-all", owner);
                Formula::Literal(literal.negate())
            }
        }
    }

    /// Replaces the outermost disjunctions by literals.
    fn without_or(&mut self, formula: Formula, owner: &[Variable]) -> Formula {
        match formula {
            Formula::And(parts) => {
                Formula::And(parts.into_iter().map(|part| self.without_or(part, owner)).collect())
            }
            Formula::Exists(variables, part) => {
                Formula::Exists(variables, Box::new(self.without_or(*part, owner)))
            }
            Formula::Or(_) => Formula::Literal(self.stand_in(formula, "one-of", owner)),
            Formula::Literal(_) | Formula::Forall(..) => formula,
        }
    }

    /// The literal p(x₁, …, xₙ) of an auxiliary predicate that is true if and
    /// only if the formula with the free variables x₁, …, xₙ is.
    fn stand_in(&mut self, formula: Formula, name: &str, owner: &[Variable]) -> Literal {
        let mut free = Vec::new();
        formula.free_variables(&mut Vec::new(), &mut free);
        let mut numbers = free.clone();
        let formula = formula.rename(&mut |variable| number(&mut numbers, variable));
        let variables: Vec<Variable> =
            numbers.iter().map(|variable| owner[variable.index()].clone()).collect();
        let key = (formula.clone(), variables.iter().map(|it| it.types.clone()).collect());
        let predicate = match self.stand_ins.get(&key) {
            Some(&predicate) => predicate,
            None => {
                let predicate = self.new_predicate(name, free.len());
                self.stand_ins.insert(key, predicate);
                self.define(predicate, free.len(), formula, &variables);
                predicate
            }
        };
        let terms = free.into_iter().map(Term::Variable).collect();
        Literal { negated: false, predicate, terms }
    }

    fn new_predicate(&mut self, name: &str, arity: usize) -> PredicateId {
        let taken = |name: &String| self.predicates.iter().any(|predicate| predicate.name == *name);
        let name = (self.stand_ins.len()..).map(|number| format!("{name}@{number}"));
        let name = name.into_iter().find(|name| !taken(name)).expect("there are enough numbers");
        self.predicates.push(Predicate { name, arity, is_derived: true });
        PredicateId::new(self.predicates.len() - 1)
    }

    /// Adds the axioms `predicate`(first variables) ← `formula`.
    fn define(
        &mut self,
        predicate: PredicateId,
        parameters: usize,
        formula: Formula,
        owner: &[Variable],
    ) {
        for Conjunct { exists, literals } in self.disjuncts(formula, owner) {
            let mut numbers = Renumbering::of_parameters(parameters);
            numbers.add(&exists);
            let parameters = numbers.ranges(self, owner);
            let condition = numbers.literals(literals);
            self.axioms.push(AxiomSchema { parameters, predicate, condition });
        }
    }

    fn range(&mut self, types: &[TypeId]) -> Range {
        if let Some(range) = self.ranges.get(types) {
            return range.clone();
        }
        let range = Range(Arc::from(Task::range(&self.members, types)));
        self.ranges.insert(types.to_vec(), range.clone());
        range
    }
}

/// The position of `variable` in `numbers`, to which it is added if necessary.
fn number(numbers: &mut Vec<VariableId>, variable: VariableId) -> VariableId {
    let found = numbers.iter().position(|&known| known == variable);
    VariableId::new(found.unwrap_or_else(|| {
        numbers.push(variable);
        numbers.len() - 1
    }))
}

/// New numbers for the variables of an owner: the parameters keep theirs, and
/// the others follow in the order in which they are added.
#[derive(Clone)]
struct Renumbering {
    variables: Vec<VariableId>,
}

impl Renumbering {
    fn of_parameters(parameters: usize) -> Self {
        Self { variables: (0..parameters).map(VariableId::new).collect() }
    }

    fn add(&mut self, variables: &[VariableId]) {
        for &variable in variables {
            number(&mut self.variables, variable);
        }
    }

    fn literal(&self, literal: Literal) -> Literal {
        literal.rename(&mut |variable| {
            let found = self.variables.iter().position(|&known| known == variable);
            VariableId::new(found.expect("all variables are numbered"))
        })
    }

    fn literals(&self, literals: Vec<Literal>) -> Vec<Literal> {
        literals.into_iter().map(|literal| self.literal(literal)).collect()
    }

    fn ranges(&self, normalizer: &mut Normalizer<'_>, owner: &[Variable]) -> Vec<Range> {
        let types = self.variables.iter().map(|variable| &owner[variable.index()].types);
        types.map(|types| normalizer.range(types)).collect()
    }

    fn effect(
        &self,
        normalizer: &mut Normalizer<'_>,
        effect: &FlatEffect,
        owner: &[Variable],
    ) -> SchemaEffect {
        let mut numbers = self.clone();
        numbers.add(&effect.parameters);
        let parameters = numbers.ranges(normalizer, owner).split_off(self.variables.len());
        SchemaEffect {
            parameters,
            condition: numbers.literals(effect.condition.clone()),
            literal: numbers.literal(effect.literal.clone()),
        }
    }
}
