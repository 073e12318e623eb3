//! Formulas: conditions in negation normal form, and their disjunctive normal
//! form.

use hipot_pddl::ast::{Condition, Term, VariableId};

use crate::normal::Literal;

/// A condition in which only atoms are negated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Formula {
    Literal(Literal),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Exists(Vec<VariableId>, Box<Formula>),
    Forall(Vec<VariableId>, Box<Formula>),
}

/// A conjunction of literals under existential quantifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conjunct {
    pub(crate) exists: Vec<VariableId>,
    pub(crate) literals: Vec<Literal>,
}

impl Formula {
    /// The condition, or its negation.
    pub(crate) fn new(condition: &Condition, negated: bool) -> Self {
        let all = |parts: &[Condition]| parts.iter().map(|part| Self::new(part, negated)).collect();
        match condition {
            Condition::Atom(atom) => Self::Literal(Literal {
                negated,
                predicate: atom.predicate,
                terms: atom.terms.clone(),
            }),
            Condition::Not(part) => Self::new(part, !negated),
            Condition::And(parts) => Self::junction(negated, all(parts)),
            Condition::Or(parts) => Self::junction(!negated, all(parts)),
            Condition::Imply(premise, conclusion) => Self::junction(
                !negated,
                vec![Self::new(premise, !negated), Self::new(conclusion, negated)],
            ),
            Condition::Exists(variables, part) => {
                Self::quantified(negated, variables.clone(), Self::new(part, negated))
            }
            Condition::Forall(variables, part) => {
                Self::quantified(!negated, variables.clone(), Self::new(part, negated))
            }
        }
    }

    fn junction(is_or: bool, parts: Vec<Self>) -> Self {
        if is_or { Self::Or(parts) } else { Self::And(parts) }
    }

    fn quantified(is_forall: bool, variables: Vec<VariableId>, part: Self) -> Self {
        let part = Box::new(part);
        if is_forall { Self::Forall(variables, part) } else { Self::Exists(variables, part) }
    }

    /// The negation.
    pub(crate) fn negate(self) -> Self {
        let all = |parts: Vec<Self>| parts.into_iter().map(Self::negate).collect();
        match self {
            Self::Literal(literal) => Self::Literal(literal.negate()),
            Self::And(parts) => Self::Or(all(parts)),
            Self::Or(parts) => Self::And(all(parts)),
            Self::Exists(variables, part) => Self::Forall(variables, Box::new(part.negate())),
            Self::Forall(variables, part) => Self::Exists(variables, Box::new(part.negate())),
        }
    }

    /// The number of conjuncts that [`disjuncts`](Self::disjuncts) gives.
    pub(crate) fn count_disjuncts(&self) -> usize {
        match self {
            Self::Literal(_) => 1,
            Self::And(parts) => {
                parts.iter().fold(1, |count, part| count.saturating_mul(part.count_disjuncts()))
            }
            Self::Or(parts) => {
                parts.iter().fold(0, |count, part| count.saturating_add(part.count_disjuncts()))
            }
            Self::Exists(_, part) | Self::Forall(_, part) => part.count_disjuncts(),
        }
    }

    /// The disjunctive normal form. All variables of an owner have different
    /// ids, so quantifiers can move outward freely.
    ///
    /// # Panics
    /// If there is a universal quantifier.
    pub(crate) fn disjuncts(&self) -> Vec<Conjunct> {
        match self {
            Self::Literal(literal) => {
                vec![Conjunct { exists: Vec::new(), literals: vec![literal.clone()] }]
            }
            Self::And(parts) => parts.iter().fold(vec![Conjunct::default()], |found, part| {
                let part = part.disjuncts();
                found.iter().flat_map(|left| part.iter().map(|right| left.and(right))).collect()
            }),
            Self::Or(parts) => parts.iter().flat_map(Self::disjuncts).collect(),
            Self::Exists(variables, part) => {
                let mut found = part.disjuncts();
                for conjunct in &mut found {
                    conjunct.exists.splice(0..0, variables.iter().copied());
                }
                found
            }
            Self::Forall(..) => unreachable!("universal quantifiers have become axioms"),
        }
    }

    /// Adds the free variables that are not in `bound`, each once, in the order
    /// in which they occur.
    pub(crate) fn free_variables(&self, bound: &mut Vec<VariableId>, free: &mut Vec<VariableId>) {
        match self {
            Self::Literal(literal) => {
                for &term in &literal.terms {
                    if let Term::Variable(variable) = term
                        && !bound.contains(&variable)
                        && !free.contains(&variable)
                    {
                        free.push(variable);
                    }
                }
            }
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.free_variables(bound, free);
                }
            }
            Self::Exists(variables, part) | Self::Forall(variables, part) => {
                bound.extend(variables);
                part.free_variables(bound, free);
                bound.truncate(bound.len() - variables.len());
            }
        }
    }

    /// The formula with other variables. `rename` sees quantified variables
    /// where they are bound, before their other occurrences.
    pub(crate) fn rename(self, rename: &mut impl FnMut(VariableId) -> VariableId) -> Self {
        match self {
            Self::Literal(literal) => Self::Literal(literal.rename(rename)),
            Self::And(parts) => {
                Self::And(parts.into_iter().map(|part| part.rename(rename)).collect())
            }
            Self::Or(parts) => {
                Self::Or(parts.into_iter().map(|part| part.rename(rename)).collect())
            }
            Self::Exists(variables, part) => {
                let variables = variables.into_iter().map(&mut *rename).collect();
                Self::Exists(variables, Box::new(part.rename(rename)))
            }
            Self::Forall(variables, part) => {
                let variables = variables.into_iter().map(&mut *rename).collect();
                Self::Forall(variables, Box::new(part.rename(rename)))
            }
        }
    }
}

impl Conjunct {
    fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.exists.extend_from_slice(&other.exists);
        for literal in &other.literals {
            if !both.literals.contains(literal) {
                both.literals.push(literal.clone());
            }
        }
        both
    }
}
