//! Projections, also known as pattern databases.
//!
//! The projection to a *pattern*, a set of variables, has a state for each assignment to it. The
//! states are numbered like the digits of a number in a mixed radix ("perfect hashing"): one
//! digit for each variable, which counts only the values that are not dead. Everything about a
//! state follows from its number by arithmetic.
//!
//! *Transitions are computed, never stored.* An operator becomes *moves*: a few digits
//! that it asks for and the difference of the numbers of source and target. Operators with the
//! same moves share them. From sources to targets, moves are enumerated by filling in the other
//! digits; from targets to sources, by a match tree.

mod digit;
mod match_tree;
mod moves;

use hipot_task::{Fact, Limits, OperatorId, Value, VariableId};

use self::digit::{DEAD, Digit, digits};
use self::match_tree::MatchTree;
use self::moves::{Move, Moves};
use crate::cost::{Costs, INFINITE, NONE};
use crate::error::Error;
use crate::frame::Frame;
use crate::queue::Queue;

/// The variables of a projection, in order.
pub type Pattern = Vec<VariableId>;

/// The projection of a task to a pattern.
#[derive(Clone, Debug)]
pub struct Projection {
    digits: Vec<Digit>,
    size: u32,
    /// The states that satisfy the goal.
    goals: Vec<u32>,
    /// The states with a mutex pair, in order.
    left_out: Vec<u32>,
    moves: Moves,
    tree: MatchTree,
}

/// The number of states of the projection to a pattern, at most `u64::MAX`.
pub fn predicted_size(frame: &Frame<'_>, pattern: &[VariableId]) -> u64 {
    let sizes = pattern.iter().map(|&it| u64::from(frame.layout().count(it, frame.alive())));
    sizes.fold(1, u64::saturating_mul)
}

impl Projection {
    /// The projection to `pattern`; `None` if it has more than `max_states` states,
    /// or none.
    pub fn new(
        frame: &Frame<'_>,
        pattern: &[VariableId],
        max_states: u32,
        limits: &Limits,
    ) -> Result<Option<Self>, Error> {
        let states = predicted_size(frame, pattern);
        let Some(size) = u32::try_from(states).ok().filter(|size| (1..=max_states).contains(size))
        else {
            return Ok(None);
        };
        // One table of distances, and the queue.
        limits.reserve(32 * states)?;
        let digits = digits(frame, pattern);
        let moves = Moves::new(frame, &digits, limits)?;
        let tree = MatchTree::new(&digits, &moves);
        let left_out = left_out(frame, &digits, size);
        let mut projection = Self { digits, size, goals: Vec::new(), left_out, moves, tree };
        projection.goals = projection.goal_states(frame);
        Ok(Some(projection))
    }

    fn goal_states(&self, frame: &Frame<'_>) -> Vec<u32> {
        let mut wanted = Vec::new();
        for (place, digit) in self.digits.iter().enumerate() {
            let goal = frame.task().goal().iter().find(|fact| fact.variable == digit.variable);
            match goal.map(|fact| digit.rank(fact.value)) {
                Some(None) => return Vec::new(),
                Some(Some(rank)) => wanted.push((place, rank)),
                None => {}
            }
        }
        let mut goals = Vec::new();
        moves::fill(&self.digits, &wanted, &[], &mut goals);
        goals.retain(|state| self.left_out.binary_search(state).is_err());
        goals
    }

    /// The pattern, in order.
    pub fn pattern(&self) -> Pattern {
        self.digits.iter().map(|digit| digit.variable).collect()
    }

    /// The number of states.
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// The number of moves: kinds of transitions.
    pub fn move_count(&self) -> usize {
        self.moves.all.len()
    }

    /// About how many states and transitions it has.
    pub(crate) fn work(&self) -> u64 {
        u64::from(self.size)
            + self.moves.all.iter().map(|it| self.moves.count(it, &self.digits)).sum::<u64>()
    }

    /// The projection without moves: only states can be asked for.
    pub(crate) fn only_states(&self) -> Self {
        let (moves, tree) = (Moves::default(), MatchTree::new(&self.digits, &Moves::default()));
        let (goals, left_out) = (Vec::new(), Vec::new());
        Self { digits: self.digits.clone(), size: self.size, goals, left_out, moves, tree }
    }

    /// α(s); `None` if s has a dead value.
    pub fn state(&self, state: &[Value]) -> Option<u32> {
        let mut number = 0;
        for digit in &self.digits {
            let rank = digit.ranks[state[digit.variable.index()] as usize];
            if rank == DEAD {
                return None;
            }
            number += rank * digit.step;
        }
        Some(number)
    }

    /// For each variable of the pattern, what each of its values adds to the number of a state,
    /// `None` if it is dead.
    pub fn places(&self) -> impl Iterator<Item = (VariableId, Vec<Option<u32>>)> {
        self.digits.iter().map(|digit| {
            let places = (0..digit.ranks.len() as Value).map(|value| digit.rank(value));
            (digit.variable, places.map(|rank| Some(rank? * digit.step)).collect())
        })
    }

    /// The facts of a state.
    pub fn facts(&self, state: u32) -> impl Iterator<Item = Fact> {
        let value = move |digit: &Digit| digit.values[digit.of(state) as usize];
        self.digits.iter().map(move |digit| Fact::new(digit.variable, value(digit)))
    }

    /// The operators that change the pattern.
    pub(crate) fn touched(&self) -> &[OperatorId] {
        self.moves.changing()
    }

    /// The operators that are known to have no transition, whatever the costs.
    pub(crate) fn impossible(&self) -> &[OperatorId] {
        &self.moves.impossible
    }

    /// The distance of each state to the goal, by Dijkstra's algorithm.
    pub(crate) fn distances(&self, costs: &Costs, limits: &Limits) -> Result<Vec<i64>, Error> {
        let move_costs: Vec<i64> = self.moves.all.iter().map(|it| self.cost(it, costs)).collect();
        let mut distances = vec![INFINITE; self.size()];
        // States that were left out are taken as settled, so that nothing reaches them.
        self.left_out.iter().for_each(|&state| distances[state as usize] = NONE);
        let mut queue = Queue::new();
        for &goal in &self.goals {
            distances[goal as usize] = 0;
            queue.push(0, goal);
        }
        let mut settled = 0_usize;
        while let Some((distance, target)) = queue.pop() {
            if distances[target as usize] != distance {
                continue;
            }
            settled += 1;
            if settled.is_multiple_of(4096) {
                limits.check()?;
            }
            self.tree.visit(target, &mut |index| {
                let (found, cost) = (&self.moves.all[index as usize], move_costs[index as usize]);
                if cost == INFINITE || !self.moves.allows(found, &self.digits, target) {
                    return;
                }
                let source = target.wrapping_sub(found.difference.cast_unsigned());
                if distance + cost < distances[source as usize] {
                    distances[source as usize] = distance + cost;
                    queue.push(distance + cost, source);
                }
            });
        }
        self.left_out.iter().for_each(|&state| distances[state as usize] = INFINITE);
        Ok(distances)
    }

    fn cost(&self, found: &Move, costs: &Costs) -> i64 {
        let operators = self.moves.operators(found);
        operators.iter().map(|&operator| costs.of(operator)).min().unwrap_or(INFINITE)
    }

    /// Sets the saturated costs of the operators that change the pattern.
    pub(crate) fn saturate(&self, values: &[i64], saturated: &mut [i64]) {
        self.touched().iter().for_each(|operator| saturated[operator.index()] = NONE);
        for &operator in &self.moves.loops {
            saturated[operator.index()] = 0;
        }
        let mut sources = Vec::new();
        for found in &self.moves.all {
            self.moves.sources(found, &self.digits, &mut sources);
            let mut largest = NONE;
            for &source in &sources {
                let target = source.wrapping_add(found.difference.cast_unsigned()) as usize;
                let (before, after) = (values[source as usize], values[target]);
                if before != INFINITE && after != INFINITE {
                    largest = largest.max(before - after);
                }
            }
            for operator in self.moves.operators(found) {
                let own = &mut saturated[operator.index()];
                *own = largest.max(*own);
            }
        }
    }
}

/// The states with a mutex pair.
fn left_out(frame: &Frame<'_>, digits: &[Digit], size: u32) -> Vec<u32> {
    let Some(mutexes) = frame.mutexes() else { return Vec::new() };
    let mut found = Vec::new();
    for (place, one) in digits.iter().enumerate() {
        for (other_place, other) in digits.iter().enumerate().take(place) {
            for (rank, &value) in one.values.iter().enumerate() {
                for (other_rank, &other_value) in other.values.iter().enumerate() {
                    let fact = Fact::new(one.variable, value);
                    if mutexes.are_mutex(fact, Fact::new(other.variable, other_value)) {
                        found.push([(place, rank as u32), (other_place, other_rank as u32)]);
                    }
                }
            }
        }
    }
    let mut is_left_out = vec![false; if found.is_empty() { 0 } else { size as usize }];
    let mut states = Vec::new();
    for pair in found {
        moves::fill(digits, &pair, &[], &mut states);
        for &state in &states {
            is_left_out[state as usize] = true;
        }
    }
    let states = is_left_out.iter().enumerate().filter(|(_, out)| **out);
    states.map(|(state, _)| state as u32).collect()
}
