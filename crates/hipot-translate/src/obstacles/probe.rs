//! The first condition that fails.

use hipot_pddl::ast::{Cost, FunctionId, ObjectId, PredicateId, Term};

use super::pattern::known;
use crate::normal::{Literal, NormalTask, Range};
use crate::reach::{Reached, domain_of};

/// The most tuples that are looked at.
const MAX_STEPS: usize = 300_000;

/// Conditions on variables, which have ranges and perhaps values.
pub(super) struct Probe<'a> {
    pub(super) task: &'a NormalTask,
    pub(super) reached: &'a Reached,
    pub(super) ranges: Vec<&'a Range>,
    pub(super) values: Vec<Option<u32>>,
    pub(super) literals: Vec<&'a Literal>,
    pub(super) costs: &'a [Cost],
}

/// The rank of literals that actions make true.
const CHANGING: usize = 2;

/// What fails.
#[derive(Clone, Debug)]
pub(super) enum Failing {
    /// There is no object for this variable.
    NoObject(usize),
    /// No objects make this literal true, given the values.
    Alone(Literal, Vec<Option<u32>>),
    /// Each condition can be true alone. Of these literals, each is never true for objects that satisfy
    /// all other conditions, such as the values beside it.
    Together(Vec<(Literal, Vec<Option<u32>>)>),
    /// The function has no value there.
    Cost(FunctionId, Vec<Term>, Vec<Option<u32>>),
    /// It is not known.
    Unknown,
}

/// One condition.
#[derive(Clone, Copy)]
enum Condition<'a> {
    Literal(&'a Literal),
    Value(FunctionId, &'a [Term]),
}

impl<'a> Condition<'a> {
    fn terms(self) -> &'a [Term] {
        match self {
            Self::Literal(literal) => &literal.terms,
            Self::Value(_, terms) => terms,
        }
    }

    /// Whether it is true where something is missing, so that it finds no values for variables.
    fn is_test(self) -> bool {
        matches!(self, Self::Literal(literal)
            if literal.negated || literal.predicate == PredicateId::EQUALITY)
    }

    fn failing(self, values: &[Option<u32>], is_alone: bool) -> Failing {
        let values = values.to_vec();
        match self {
            Self::Literal(literal) if is_alone => Failing::Alone(literal.clone(), values),
            Self::Literal(literal) => Failing::Together(vec![(literal.clone(), values)]),
            Self::Value(function, terms) => Failing::Cost(function, terms.to_vec(), values),
        }
    }
}

impl Probe<'_> {
    /// What fails; all conditions together never hold.
    pub(super) fn failing(&self) -> Failing {
        if let Some(empty) = self.ranges.iter().position(|Range(objects)| objects.is_empty()) {
            return Failing::NoObject(empty);
        }
        let literals = self.literals.iter().map(|literal| Condition::Literal(literal));
        let costs = self.costs.iter().filter_map(|cost| match cost {
            Cost::Number(_) => None,
            Cost::Value(function, terms) => Some(Condition::Value(*function, terms)),
        });
        let mut conditions: Vec<_> = literals.chain(costs).collect();
        for &condition in &conditions {
            let mut search = Search::new(self, std::slice::from_ref(&condition));
            if !search.is_satisfiable(0) && !search.is_exhausted() {
                return condition.failing(&self.values, true);
            }
        }
        // What no action changes comes first, so that what is named can be explained further.
        conditions.sort_by_key(|&condition| self.rank(condition));
        let changing = conditions.iter().filter(|&&condition| self.rank(condition) == CHANGING);
        let mut found = Vec::new();
        for &last in changing {
            let is_other =
                |condition: &&Condition<'_>| !std::ptr::eq(condition.terms(), last.terms());
            let others: Vec<_> = conditions.iter().filter(is_other).copied().collect();
            let mut search = Search::new(self, &others);
            if let (true, Condition::Literal(literal)) = (search.is_satisfiable(0), last) {
                found.push((literal.clone(), search.solution));
            }
        }
        if !found.is_empty() {
            return Failing::Together(found);
        }
        let mut search = Search::new(self, &conditions);
        if search.is_satisfiable(0) || search.is_exhausted() {
            return Failing::Unknown;
        }
        let (deepest, values) = search.deepest;
        conditions[deepest].failing(&values, false)
    }

    /// The order in which conditions are tried.
    fn rank(&self, condition: Condition<'_>) -> usize {
        match condition {
            _ if condition.is_test() => CHANGING + 1,
            Condition::Literal(literal) if !self.reached.is_static[literal.predicate.index()] => {
                CHANGING
            }
            Condition::Literal(_) => 0,
            Condition::Value(..) => 1,
        }
    }

    fn contains(&self, variable: usize, value: u32) -> bool {
        self.ranges[variable].0.binary_search(&ObjectId::new(value as usize)).is_ok()
    }
}

/// A search for values that satisfy all conditions, from the first to the last.
struct Search<'a> {
    probe: &'a Probe<'a>,
    conditions: &'a [Condition<'a>],
    values: Vec<Option<u32>>,
    /// The last condition that was come to, and the values there.
    deepest: (usize, Vec<Option<u32>>),
    /// The values that satisfy all conditions, once they are found.
    solution: Vec<Option<u32>>,
    steps: usize,
}

impl<'a> Search<'a> {
    fn new(probe: &'a Probe<'a>, conditions: &'a [Condition<'a>]) -> Self {
        let values = probe.values.clone();
        Self {
            probe,
            conditions,
            deepest: (0, values.clone()),
            solution: Vec::new(),
            values,
            steps: 0,
        }
    }

    fn is_exhausted(&self) -> bool {
        self.steps >= MAX_STEPS
    }

    /// Whether the conditions from this one on can be satisfied.
    fn is_satisfiable(&mut self, index: usize) -> bool {
        let Some(&condition) = self.conditions.get(index) else {
            self.solution.clone_from(&self.values);
            return true;
        };
        if index > self.deepest.0 {
            self.deepest = (index, self.values.clone());
        }
        if condition.is_test() { self.test(condition, index) } else { self.join(condition, index) }
    }

    /// Tries all atoms that are ever true.
    fn join(&mut self, condition: Condition<'a>, index: usize) -> bool {
        let probe = self.probe;
        let relation = match condition {
            Condition::Literal(literal) => literal.predicate,
            Condition::Value(function, _) => domain_of(function, probe.task),
        };
        let relation = &probe.reached.relations[relation.index()];
        let terms = condition.terms();
        let ground: Option<Vec<u32>> = terms.iter().map(|&it| known(it, &self.values)).collect();
        if let Some(tuple) = ground {
            self.steps += 1;
            return relation.find(&tuple).is_some() && self.is_satisfiable(index + 1);
        }
        let before = self.values.clone();
        for tuple in relation.tuples().iter() {
            self.steps += 1;
            if self.is_exhausted() {
                return false;
            }
            let is_done = self.bind(terms, tuple) && self.is_satisfiable(index + 1);
            self.values.clone_from(&before);
            if is_done {
                return true;
            }
        }
        false
    }

    /// Gives variables the values of a tuple, if they can have them.
    fn bind(&mut self, terms: &[Term], tuple: &[u32]) -> bool {
        terms.iter().zip(tuple).all(|(&term, &value)| match (known(term, &self.values), term) {
            (Some(known), _) => known == value,
            (None, Term::Variable(variable)) => {
                self.values[variable.index()] = Some(value);
                self.probe.contains(variable.index(), value)
            }
            (None, Term::Object(_)) => unreachable!("objects are known"),
        })
    }

    /// Tests a condition once its variables have values.
    fn test(&mut self, condition: Condition<'a>, index: usize) -> bool {
        let terms = condition.terms();
        let free = terms.iter().find_map(|&term| match term {
            Term::Variable(variable) if self.values[variable.index()].is_none() => {
                Some(variable.index())
            }
            _ => None,
        });
        if let Some(variable) = free {
            for object in self.probe.ranges[variable].0.iter() {
                self.steps += 1;
                if self.is_exhausted() {
                    break;
                }
                self.values[variable] = Some(object.index() as u32);
                if self.test(condition, index) {
                    return true;
                }
            }
            self.values[variable] = None;
            return false;
        }
        let Condition::Literal(literal) = condition else { return false };
        let tuple: Vec<u32> = terms.iter().filter_map(|&it| known(it, &self.values)).collect();
        let reached = self.probe.reached;
        let holds = if literal.predicate == PredicateId::EQUALITY {
            (tuple[0] == tuple[1]) != literal.negated
        } else {
            // What is not static becomes false, as far as reachability knows.
            !reached.is_static[literal.predicate.index()]
                || reached.relations[literal.predicate.index()].find(&tuple).is_none()
        };
        holds && self.is_satisfiable(index + 1)
    }
}
