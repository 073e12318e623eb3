//! Moves: what operators do in a projection.
//!
//! A move asks for some digits, may exclude values of others (by mutexes), and adds a constant to
//! the number of a state. An operator that changes a digit that it does not ask for has a move for
//! each value of that digit. Operators that change nothing in the pattern have no moves: they are
//! loops.

use std::collections::HashMap;

use hipot_task::{Fact, Limits, OperatorId, Stop};

use super::digit::Digit;
use crate::frame::Frame;

/// The number of operators between two checks of the limits.
const OPERATORS_PER_CHECK: usize = 1024;

/// The same change of some digits, by any of some operators.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// What is added to the number of a state.
    pub(super) difference: i32,
    conditions: (u32, u32),
    restrictions: (u32, u32),
    operators: (u32, u32),
}

/// A digit that a move asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Condition {
    /// The place of the digit.
    pub(super) place: u32,
    pub(super) before: u32,
    pub(super) after: u32,
}

/// The ranks that a move allows for a digit that it does not ask for, in order.
type Restriction = (u32, Vec<u32>);

/// All moves of a projection.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    pub(super) all: Vec<Move>,
    conditions: Vec<Condition>,
    restrictions: Vec<Restriction>,
    operators: Vec<OperatorId>,
    changing: Vec<OperatorId>,
    /// Operators that change the pattern in some states, but not in all.
    pub(super) loops: Vec<OperatorId>,
    /// Operators without any transition.
    pub(super) impossible: Vec<OperatorId>,
}

/// What determines the sources and targets of a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    conditions: Vec<Condition>,
    restrictions: Vec<Restriction>,
}

impl Moves {
    /// The moves of the operators that change a digit.
    pub(super) fn new(frame: &Frame<'_>, digits: &[Digit], limits: &Limits) -> Result<Self, Stop> {
        let mut changing: Vec<OperatorId> = Vec::new();
        for digit in digits {
            changing.extend(frame.changing(digit.variable));
        }
        changing.sort_unstable();
        changing.dedup();
        let mut moves = Self::default();
        let mut index_of: HashMap<Shape, usize> = HashMap::new();
        let mut shapes: Vec<(Shape, Vec<OperatorId>)> = Vec::new();
        for (number, &operator) in changing.iter().enumerate() {
            if number % OPERATORS_PER_CHECK == 0 {
                limits.check()?;
                limits.reserve(128 * shapes.len() as u64)?;
            }
            let own = shapes_of(frame, digits, operator);
            if own.is_empty() {
                moves.impossible.push(operator);
            }
            for shape in own {
                if shape.conditions.iter().all(|it| it.before == it.after) {
                    moves.loops.push(operator);
                    continue;
                }
                let index = *index_of.entry(shape).or_insert_with_key(|shape| {
                    shapes.push((shape.clone(), Vec::new()));
                    shapes.len() - 1
                });
                shapes[index].1.push(operator);
            }
        }
        moves.changing = changing;
        for (shape, operators) in shapes {
            moves.add(shape, operators, digits);
        }
        Ok(moves)
    }

    fn add(&mut self, shape: Shape, operators: Vec<OperatorId>, digits: &[Digit]) {
        let Shape { conditions, restrictions } = shape;
        let difference = conditions.iter().map(|it| {
            let step = i64::from(digits[it.place as usize].step);
            (i64::from(it.after) - i64::from(it.before)) * step
        });
        let difference = i32::try_from(difference.sum::<i64>()).expect("sizes are limited");
        let conditions = extend(&mut self.conditions, conditions);
        let restrictions = extend(&mut self.restrictions, restrictions);
        let operators = extend(&mut self.operators, operators);
        self.all.push(Move { difference, conditions, restrictions, operators });
    }

    /// The operators of a move.
    pub(super) fn operators(&self, found: &Move) -> &[OperatorId] {
        &self.operators[found.operators.0 as usize..found.operators.1 as usize]
    }

    /// The digits that a move asks for.
    pub(super) fn conditions(&self, found: &Move) -> &[Condition] {
        &self.conditions[found.conditions.0 as usize..found.conditions.1 as usize]
    }

    fn restrictions(&self, found: &Move) -> &[Restriction] {
        &self.restrictions[found.restrictions.0 as usize..found.restrictions.1 as usize]
    }

    /// The operators that change the pattern somewhere, or would if they had a transition.
    pub(super) fn changing(&self) -> &[OperatorId] {
        &self.changing
    }

    /// Whether a state that has the digits that a move asks for has only values that it allows.
    /// It does not matter whether that is the state before or after.
    pub(super) fn allows(&self, found: &Move, digits: &[Digit], state: u32) -> bool {
        let is_allowed = |(place, allowed): &Restriction| {
            allowed.binary_search(&digits[*place as usize].of(state)).is_ok()
        };
        self.restrictions(found).iter().all(is_allowed)
    }

    /// About how many transitions a move has.
    pub(super) fn count(&self, found: &Move, digits: &[Digit]) -> u64 {
        let size = |place: usize| digits[place].values.len() as u64;
        let all: u64 = (0..digits.len()).map(size).product();
        self.conditions(found).iter().fold(all, |left, it| left / size(it.place as usize))
    }

    /// The states from which a move leads.
    pub(super) fn sources(&self, found: &Move, digits: &[Digit], sources: &mut Vec<u32>) {
        let conditions = self.conditions(found).iter();
        let fixed: Vec<(usize, u32)> =
            conditions.map(|it| (it.place as usize, it.before)).collect();
        fill(digits, &fixed, self.restrictions(found), sources);
    }
}

fn extend<T>(list: &mut Vec<T>, more: Vec<T>) -> (u32, u32) {
    let begin = list.len() as u32;
    list.extend(more);
    (begin, list.len() as u32)
}

/// All states that have the digits in `fixed`, and in others only ranks that are allowed.
pub(super) fn fill(
    digits: &[Digit],
    fixed: &[(usize, u32)],
    restrictions: &[Restriction],
    states: &mut Vec<u32>,
) {
    states.clear();
    states.push(fixed.iter().map(|&(place, rank)| rank * digits[place].step).sum());
    for (place, digit) in digits.iter().enumerate() {
        if fixed.iter().any(|&(other, _)| other == place) {
            continue;
        }
        let restriction = restrictions.iter().find(|(other, _)| *other as usize == place);
        let allowed = restriction.map(|(_, allowed)| allowed);
        let rank = |index: usize| allowed.map_or(index as u32, |allowed| allowed[index]);
        let count = states.len();
        for index in 1..allowed.map_or(digit.values.len(), Vec::len) {
            for offset in 0..count {
                states.push(states[offset] + rank(index) * digit.step);
            }
        }
        states[..count].iter_mut().for_each(|state| *state += rank(0) * digit.step);
    }
}

/// The shapes of an operator that changes a digit; none if it has no transition.
fn shapes_of(frame: &Frame<'_>, digits: &[Digit], operator: OperatorId) -> Vec<Shape> {
    let mut shapes = vec![Shape { conditions: Vec::new(), restrictions: Vec::new() }];
    for (place, digit) in digits.iter().enumerate() {
        let place = place as u32;
        let mut changes = frame.changes(operator).iter();
        let change = changes.find(|change| change.variable == digit.variable);
        let required = frame.task().operator(operator).precondition_on(digit.variable);
        let allowed = || {
            let values = digit.values.iter().enumerate();
            let facts = values.map(|(rank, &value)| (rank, Fact::new(digit.variable, value)));
            let allowed = facts.filter(|&(_, fact)| frame.may_precede(operator, fact));
            allowed.map(|(rank, _)| rank as u32).collect::<Vec<u32>>()
        };
        let before = match required {
            Some(value) => digit.rank(value).into_iter().collect(),
            None => allowed(),
        };
        let after = match change {
            Some(change) => digit.rank(change.after).map(Some),
            None => Some(None),
        };
        let (Some(after), false) = (after, before.is_empty()) else { return Vec::new() };
        if change.is_none() && required.is_none() {
            if before.len() < digit.values.len() {
                for shape in &mut shapes {
                    shape.restrictions.push((place, before.clone()));
                }
            }
            continue;
        }
        let conditions = before.iter().map(|&before| Condition {
            place,
            before,
            after: after.unwrap_or(before),
        });
        let conditions: Vec<Condition> = conditions.collect();
        shapes = shapes
            .iter()
            .flat_map(|shape| {
                conditions.iter().map(|&condition| {
                    let mut shape = shape.clone();
                    shape.conditions.push(condition);
                    shape
                })
            })
            .collect();
    }
    shapes
}
