//! Alternating forward and backward passes, until neither finds more.

use crate::bit_matrix::{ones, set};
use crate::mutexes::Mutexes;
use hipot_task::{Fact, Limits, OperatorId, Stop, Task};

use super::disambiguate::Disambiguator;
use super::layers::{Direction, End, H2, Layer};
use super::pass::{Pass, Rule};
use super::transition::{Enricher, Transition};

/// Equal sizes mean that a pass repeats the last one in its direction: the number of
/// rules, of facts that they need, of facts that they give, and of pairs that the other
/// direction has found.
type Size = (usize, usize, usize, u64);

/// The search for a fixpoint.
pub(super) struct Search<'a> {
    task: &'a Task,
    limits: &'a Limits,
    h2: H2,
    /// The size of the last pass in each direction.
    last: [Option<Size>; 2],
    /// The number of pairs found in each direction.
    found: [u64; 2],
}

impl<'a> Search<'a> {
    pub(super) fn new(task: &'a Task, limits: &'a Limits) -> Result<Self, Stop> {
        let mutexes = Mutexes::new(task, limits)?;
        let empty = Layer { direction: Direction::Forward, mutexes: Mutexes::new(task, limits)? };
        let h2 = H2 { layers: vec![empty], mutexes, useless: Vec::new(), end: End::Fixpoint };
        Ok(Self { task, limits, h2, last: [None; 2], found: [0; 2] })
    }

    /// Makes at most `passes` passes.
    pub(super) fn run(mut self, passes: usize) -> H2 {
        self.h2.end = self.alternate(passes).unwrap_or_else(End::Stopped);
        self.h2
    }

    /// Makes passes, forward first.
    fn alternate(&mut self, passes: usize) -> Result<End, Stop> {
        let mut direction = Direction::Forward;
        let mut transitions = self.transitions()?;
        let mut number = 0;
        loop {
            if self.is_unsolvable() {
                self.h2.useless = self.task.operator_ids().collect();
                return Ok(End::Unsolvable);
            }
            let rules = rules(direction, &transitions);
            let size = self.size(direction, &rules);
            if self.last[direction as usize].replace(size) == Some(size) {
                return Ok(End::Fixpoint);
            }
            if number == passes {
                return Ok(End::Passes);
            }
            let mutexes = self.pass(direction, &rules)?;
            if self.keep(Layer { direction, mutexes }, number) {
                transitions = self.transitions()?;
            }
            direction = direction.reversed();
            number += 1;
        }
    }

    /// The transitions of operators that the mutexes allow; the other operators become
    /// useless.
    fn transitions(&mut self) -> Result<Vec<Transition>, Stop> {
        let useless = &self.h2.useless;
        let left = self.task.operator_ids().filter(|id| useless.binary_search(id).is_err());
        let mut enricher = Enricher::new(self.task, &self.h2.mutexes);
        let transitions = enricher.transitions(left, self.limits)?;
        self.h2.useless = missing(self.task, &transitions);
        Ok(transitions)
    }

    /// The pairs that one pass finds.
    fn pass(&self, direction: Direction, rules: &[Rule<'_>]) -> Result<Mutexes, Stop> {
        let mut pass = Pass::new(&self.h2.mutexes, self.limits)?;
        let start = match direction {
            Direction::Forward => self.initial(),
            Direction::Backward => self.goal().expect("an impossible goal was found before"),
        };
        pass.start(&start, self.limits)?;
        pass.run(rules, self.limits)
    }

    /// Adds the pairs of a pass; false if there are none.
    fn keep(&mut self, layer: Layer, number: usize) -> bool {
        let count = layer.mutexes.count();
        self.h2.mutexes.union_with(&layer.mutexes);
        self.found[layer.direction as usize] += count;
        if number == 0 {
            self.h2.layers[0] = layer;
        } else if count > 0 {
            self.h2.layers.push(layer);
        }
        count > 0
    }

    fn size(&self, direction: Direction, rules: &[Rule<'_>]) -> Size {
        let needs = rules.iter().map(|rule| rule.needs.len()).sum();
        let gives = rules.iter().map(|rule| rule.gives.len()).sum();
        (rules.len(), needs, gives, self.found[direction.reversed() as usize])
    }

    /// Whether the mutexes exclude the initial state, or every goal state.
    fn is_unsolvable(&self) -> bool {
        let initial = self.initial();
        let excluded =
            |fact| self.h2.mutexes.row(fact).iter().zip(&initial).any(|(a, b)| a & b != 0);
        ones(&initial).any(excluded) || self.goal().is_none()
    }

    /// The facts of the initial state, as a row.
    fn initial(&self) -> Vec<u64> {
        let mut row = vec![0; self.h2.mutexes.row_words()];
        for (variable, &value) in self.task.variable_ids().zip(self.task.initial()) {
            let fact = Fact::new(variable, value);
            set(&mut row, self.h2.mutexes.facts().id(fact).number());
        }
        row
    }

    /// The facts that are compatible with the goal and all it implies, as a row.
    fn goal(&self) -> Option<Vec<u64>> {
        let numbering = self.h2.mutexes.facts();
        let mut goal = self.task.goal().iter().map(|&fact| numbering.id(fact).number()).collect();
        let mut disambiguator = Disambiguator::new(&self.h2.mutexes);
        disambiguator.close(&mut goal).then(|| disambiguator.compatible().to_vec())
    }
}

/// The operators that have no transition, in order.
fn missing(task: &Task, transitions: &[Transition]) -> Vec<OperatorId> {
    let mut present = transitions.iter().map(|transition| transition.operator).peekable();
    task.operator_ids().filter(|id| present.next_if_eq(id).is_none()).collect()
}

fn rules(direction: Direction, transitions: &[Transition]) -> Vec<Rule<'_>> {
    let rule = match direction {
        Direction::Forward => Transition::forward,
        Direction::Backward => Transition::backward,
    };
    transitions.iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::h2::{self, Params};

    fn example(name: &str) -> Task {
        let path = format!("{}/../../examples/{name}.sas", env!("CARGO_MANIFEST_DIR"));
        hipot_task::sas::read(&std::fs::read(path).unwrap()).unwrap()
    }

    /// Where the search says that both directions are done, they are.
    #[test]
    fn another_pass_finds_nothing() {
        let mut passes = 0;
        for name in ["blocks", "circuit", "coffee", "hanoi", "jugs", "rings", "river", "train"] {
            let task = example(name);
            let limits = Limits::none();
            let mut search = Search::new(&task, &limits).unwrap();
            if search.alternate(usize::MAX) != Ok(End::Fixpoint) {
                continue;
            }
            search.h2.useless.clear();
            let transitions = search.transitions().unwrap();
            for direction in [Direction::Forward, Direction::Backward] {
                let mutexes = search.pass(direction, &rules(direction, &transitions)).unwrap();
                assert_eq!(mutexes.count(), 0, "{name}, {direction:?}");
                passes += 1;
            }
        }
        assert!(passes >= 10);
    }

    #[test]
    fn one_pass_is_forward() {
        let params = Params { passes: 1, ..Params::default() };
        let h2 = h2::h2(&example("river"), &params, &Limits::none()).unwrap();
        assert_eq!((h2.end(), h2.layers().len()), (End::Passes, 1));
        assert_eq!(h2.forward(), h2.mutexes());
    }
}
