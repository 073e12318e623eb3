//! The conditions of a certificate of a search.

use std::io::BufRead;
use std::ops::Range;

use hipot_task::{Fact, OperatorId, Packing, StateView, Task, Value, VariableId};
use num_bigint::BigInt;

use super::decode::ListedStates;
use super::evaluate::{Values, values};
use super::listed::{Listed, Lookup};
use super::operators::{Changed, Operators, changes};
use super::rejection::{SearchRejection, Uncovered, shortened};
use super::stream::States;
use super::{Function, SearchCertificate};
use crate::certificate::normal_form::fact_name;
use crate::certificate::plain::plain;
use crate::certificate::unproved::unproved;
use crate::certificate::verify::verify_function;
use crate::certificate::{Claim, Rejection, fingerprint};
use crate::mutexes::{self, Proved};
use crate::semantics::{apply, derive, initial_state, is_goal};

/// What has been proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedSearch {
    /// The claim, which holds.
    pub claim: Claim,
    /// The number of listed states.
    pub states: u64,
    /// The number of functions.
    pub functions: usize,
    /// The number of pairs that layers prove to be mutex, dead facts included; for each set of
    /// layers.
    pub mutexes: usize,
}

/// Checks whether the certificate with these listed states proves its claim about `task`.
///
/// # Panics
/// If the task has a name that no `.sas` file can hold; see [`fingerprint()`].
pub fn verify_search<R: BufRead>(
    task: &Task,
    certificate: &SearchCertificate,
    states: States<R>,
) -> Result<VerifiedSearch, SearchRejection> {
    let whole = |rejection| SearchRejection::Function { function: None, rejection };
    let (named, found) = (certificate.fingerprint(), fingerprint(task));
    if named != found {
        let certificate = named.to_owned();
        return Err(whole(Rejection::OtherTask { certificate, task: found }));
    }
    let plain = plain(task);
    let mutexes = prove_functions(&plain, &certificate.functions)?;
    let packing = Packing::new(task);
    let listed = read(task, &packing, states)?;
    let mut check = Check::new((task, &plain), certificate, &mutexes, &packing, &listed);
    // If mutexes show that there is no plan, nothing more is needed.
    if !mutexes.iter().any(Proved::is_unsolvable) {
        check.initial()?;
        let mut block = Block::default();
        for begin in (0..listed.len()).step_by(BLOCK as usize) {
            check.expand(begin..listed.len().min(begin.saturating_add(BLOCK)), &mut block);
            check.successors(&block)?;
        }
    }
    Ok(VerifiedSearch {
        claim: certificate.claim,
        states: listed.len().into(),
        functions: certificate.functions.len(),
        mutexes: mutexes.iter().map(Proved::pair_count).sum(),
    })
}

/// Proves the layers of functions and the functions themselves, all about the plain task; returns the
/// mutexes.
fn prove_functions<'t>(
    task: &'t Task,
    functions: &[Function],
) -> Result<Vec<Proved<'t>>, SearchRejection> {
    let (mut all, mut is_last_proved) = (Vec::new(), false);
    for (index, function) in functions.iter().enumerate() {
        let wrong = |rejection| SearchRejection::Function { function: Some(index + 1), rejection };
        if let Some(layers) = &function.layers {
            is_last_proved = !layers.is_empty();
            if is_last_proved {
                let proved = mutexes::check(task, layers);
                all.push(proved.map_err(|it| wrong(unproved(task, layers, it)))?);
            }
        }
        let mutexes = if is_last_proved { all.last() } else { None };
        verify_function(task, &function.certificate, mutexes).map_err(wrong)?;
    }
    Ok(all)
}

/// Reads the list, and checks that none of its states is a goal state.
fn read<R: BufRead>(
    task: &Task,
    packing: &Packing,
    states: States<R>,
) -> Result<Listed, SearchRejection> {
    let mut states = ListedStates::new(task, states);
    let mut listed = Listed::new(packing.width());
    let mut values = task.initial().to_vec();
    let mut words = Vec::new();
    while let Some(cost) = states.next(&mut values)? {
        if !task.axioms().is_empty() {
            derive(task, &mut values);
        }
        if is_goal(task, &values) {
            let (state, facts) = (u64::from(listed.len()) + 1, names(task, &values));
            return Err(SearchRejection::Goal { state, facts });
        }
        pack(packing, &values, &mut words);
        match listed.insert(&words, cost) {
            Ok(true) => {}
            Ok(false) => return Err(states.error("a state is listed twice").into()),
            Err(_) => {
                let message = "there are more states than this checker can count";
                return Err(states.error(message).into());
            }
        }
    }
    Ok(listed)
}

fn pack(packing: &Packing, values: &[Value], words: &mut Vec<u32>) {
    words.clear();
    words.resize(packing.width(), 0);
    for (variable, &value) in values.iter().enumerate() {
        let slot = packing.slot(VariableId::new(variable));
        words[slot.word as usize] |= value << slot.shift;
    }
}

/// The value of the plain task's additional variable, if it has one, in states of the task.
const NO_MARK: Value = 0;

/// A state of the task as one of its plain task.
fn plain_state(plain: &Task, mut state: Vec<Value>) -> Vec<Value> {
    state.resize(plain.variables().len(), NO_MARK);
    state
}

/// The names of a state's facts.
fn names(task: &Task, state: &[Value]) -> Vec<String> {
    let state = &state[..task.variables().len()];
    let name = |(variable, &value): (usize, &Value)| fact_name(task, variable, value);
    shortened(state.iter().enumerate().map(name).collect())
}

/// Conditions 2 and 3.
struct Check<'a> {
    task: &'a Task,
    /// The plain task, which functions and mutexes are about.
    plain: &'a Task,
    claim: Claim,
    /// The mutexes of each set of layers.
    mutexes: &'a [Proved<'a>],
    packing: &'a Packing,
    listed: &'a Listed,
    operators: Operators,
    /// The functions that operators lower by their cost at most.
    bounds: Vec<Box<dyn Values>>,
    /// The functions that no operator lowers.
    never_lowered: Vec<Box<dyn Values>>,
    /// The cost of the cheapest operator.
    step: u64,
    /// The current state as one of the plain task, and whether the functions have entered it.
    state: Vec<Value>,
    is_entered: bool,
    words: Vec<u32>,
    successor: Vec<u32>,
    changed: Vec<Changed>,
}

/// So many listed states are expanded before their successors are looked up.
const BLOCK: u32 = 32;

/// The successors of some listed states.
#[derive(Default)]
struct Block {
    /// The numbers of the listed states, and the places of their successors.
    sources: Vec<(u32, Range<usize>)>,
    /// For each successor, the operator that leads to it.
    operators: Vec<OperatorId>,
    /// What is changed, and for each successor where its changes end.
    changed: Vec<Changed>,
    changed_ends: Vec<usize>,
    /// The packed successors.
    words: Vec<u32>,
    /// Their numbers in the list.
    found: Vec<Option<u32>>,
    lookup: Lookup,
}

impl Block {
    fn clear(&mut self) {
        self.sources.clear();
        self.operators.clear();
        self.changed.clear();
        self.changed_ends.clear();
        self.words.clear();
    }

    /// What is changed on the way to a successor.
    fn changed(&self, place: usize) -> &[Changed] {
        let begin = if place == 0 { 0 } else { self.changed_ends[place - 1] };
        &self.changed[begin..self.changed_ends[place]]
    }

    fn words(&self, place: usize, width: usize) -> &[u32] {
        &self.words[place * width..(place + 1) * width]
    }
}

impl<'a> Check<'a> {
    fn new(
        (task, plain): (&'a Task, &'a Task),
        certificate: &SearchCertificate,
        mutexes: &'a [Proved<'a>],
        packing: &'a Packing,
        listed: &'a Listed,
    ) -> Self {
        // The operators of the plain task may be others.
        let is_given = std::ptr::eq(task, plain);
        let is_useless = |id| is_given && mutexes.iter().any(|proved| proved.is_useless(id));
        let useful = task.operator_ids().filter(|&id| !is_useless(id));
        let functions = certificate.functions.iter().map(|function| &function.certificate);
        let (bounds, never_lowered): (Vec<_>, Vec<_>) =
            functions.partition(|function| function.claim() != Claim::Unsolvable);
        let evaluated =
            |functions: Vec<_>| functions.into_iter().map(|it| values(plain, it)).collect();
        Self {
            task,
            plain,
            claim: certificate.claim,
            mutexes,
            packing,
            listed,
            operators: Operators::new(task, useful),
            bounds: evaluated(bounds),
            never_lowered: evaluated(never_lowered),
            step: task.operators().iter().map(|it| u64::from(it.cost)).min().unwrap_or(0),
            state: plain_state(plain, initial_state(task)),
            is_entered: false,
            words: Vec::new(),
            successor: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Condition 2: the initial state is covered at cost 0.
    fn initial(&mut self) -> Result<(), SearchRejection> {
        // As if nothing had led to it: no changes.
        pack(self.packing, &self.state[..self.task.variables().len()], &mut self.successor);
        let is_listed = self.is_listed(self.listed.find(&self.successor), 0);
        if is_listed || self.is_far(0) || self.is_in_no_plan() || self.has_mutex() {
            return Ok(());
        }
        Err(SearchRejection::Initial(Box::new(self.uncovered(0))))
    }

    /// Moves to a listed state.
    fn move_to(&mut self, number: u32) {
        self.words.clear();
        self.words.extend_from_slice(self.listed.words(number));
        let view = StateView::new(self.packing, &self.words);
        for (variable, value) in self.state[..self.task.variables().len()].iter_mut().enumerate() {
            *value = view.value(VariableId::new(variable));
        }
        self.is_entered = false;
    }

    /// Collects the successors of some listed states, and looks them up.
    fn expand(&mut self, numbers: Range<u32>, block: &mut Block) {
        block.clear();
        for number in numbers {
            self.move_to(number);
            let begin = block.operators.len();
            self.operators.collect(&self.state, &mut block.operators);
            for place in begin..block.operators.len() {
                self.apply(block.operators[place]);
                block.words.extend_from_slice(&self.successor);
                block.changed.extend_from_slice(&self.changed);
                block.changed_ends.push(block.changed.len());
            }
            block.sources.push((number, begin..block.operators.len()));
        }
        self.listed.find_all(&block.words, &mut block.lookup, &mut block.found);
    }

    /// Condition 3 for some listed states.
    fn successors(&mut self, block: &Block) -> Result<(), SearchRejection> {
        for (number, places) in &block.sources {
            let (cost, mut is_there) = (self.listed.cost(*number), false);
            for place in places.clone() {
                let id = block.operators[place];
                let reached = cost.saturating_add(self.task.operator(id).cost.into());
                if self.is_listed(block.found[place], reached) {
                    continue;
                }
                if !std::mem::replace(&mut is_there, true) {
                    self.move_to(*number);
                }
                self.changed.clear();
                self.changed.extend_from_slice(block.changed(place));
                self.successor.clear();
                self.successor.extend_from_slice(block.words(place, self.packing.width()));
                if self.is_far(reached) || self.is_in_no_plan() {
                    continue;
                }
                if self.has_mutex() {
                    // No plan has the listed state.
                    break;
                }
                let facts = names(self.task, &self.after());
                let operator = self.task.operator(id).name.clone();
                let (state, uncovered) =
                    (u64::from(*number) + 1, Box::new(self.uncovered(reached)));
                return Err(SearchRejection::Successor { state, cost, operator, facts, uncovered });
            }
        }
        Ok(())
    }

    /// Sets `changed` and `successor` to what an operator does in the current state.
    fn apply(&mut self, id: OperatorId) {
        let operator = self.task.operator(id);
        if self.task.axioms().is_empty() {
            changes(operator, &self.state, &mut self.changed);
        } else {
            let after = apply(self.task, operator, &self.state);
            let pairs = self.state.iter().zip(&after).enumerate();
            let differing = pairs.filter(|(_, (before, after))| before != after);
            self.changed.clear();
            self.changed
                .extend(differing.map(|(variable, (&before, &after))| (variable, before, after)));
        }
        self.successor.clear();
        self.successor.extend_from_slice(&self.words);
        for &(variable, before, after) in &self.changed {
            let slot = self.packing.slot(VariableId::new(variable));
            self.successor[slot.word as usize] ^= (before ^ after) << slot.shift;
        }
    }

    /// The successor's values.
    fn after(&self) -> Vec<Value> {
        let mut state = self.state.clone();
        for &(variable, _, after) in &self.changed {
            state[variable] = after;
        }
        state
    }

    /// Whether the successor is a goal state.
    fn is_goal(&self) -> bool {
        let successor = StateView::new(self.packing, &self.successor);
        self.task.goal().iter().all(|fact| successor.value(fact.variable) == fact.value)
    }

    /// Whether a state with this number in the list is covered by it at this cost.
    fn is_listed(&self, found: Option<u32>, cost: u64) -> bool {
        match self.claim {
            Claim::Bound(_) => found.is_some_and(|number| self.listed.cost(number) <= cost),
            Claim::Unsolvable => found.is_some(),
        }
    }

    /// Whether no plan through the successor, reached at this cost, is cheaper than claimed.
    fn is_far(&mut self, cost: u64) -> bool {
        let Claim::Bound(claimed) = self.claim else { return false };
        let missing = claimed.saturating_sub(cost);
        if missing == 0 || missing <= self.step && !self.is_goal() {
            return true;
        }
        self.enter();
        let changed = &self.changed;
        self.bounds.iter_mut().any(|function| function.is_at_least(changed, missing))
    }

    /// Whether no plan has the successor.
    fn is_in_no_plan(&mut self) -> bool {
        self.enter();
        let (changed, mutexes) = (&self.changed, self.mutexes);
        if self.never_lowered.iter_mut().any(|function| function.is_at_least(changed, 1)) {
            return true;
        }
        let successor = StateView::new(self.packing, &self.successor);
        let fact = |&(variable, _, after): &Changed| Fact::new(VariableId::new(variable), after);
        let count = self.task.variables().len();
        let value = |variable: VariableId| match variable.index() {
            index if index < count => successor.value(variable),
            _ => NO_MARK,
        };
        mutexes.iter().any(|proved| proved.exclude(value, changed.iter().map(fact)))
    }

    /// Whether the current state has a mutex, so that no plan has it.
    fn has_mutex(&self) -> bool {
        let value = |variable: VariableId| self.state[variable.index()];
        let facts = || self.plain.variable_ids().map(|id| Fact::new(id, value(id)));
        self.mutexes.iter().any(|proved| proved.exclude(value, facts()))
    }

    /// Lets the functions enter the current state.
    fn enter(&mut self) {
        if !std::mem::replace(&mut self.is_entered, true) {
            for function in self.bounds.iter_mut().chain(&mut self.never_lowered) {
                function.enter(&self.state);
            }
        }
    }

    /// Why the successor, reached at this cost, is not covered.
    fn uncovered(&mut self, cost: u64) -> Uncovered {
        self.enter();
        let (changed, step) = (&self.changed, BigInt::from(self.step));
        let bounds = self.bounds.iter_mut().map(|function| function.rounded(changed));
        let bound = bounds.max().unwrap_or(BigInt::ZERO).max(BigInt::ZERO);
        let bound = if self.is_goal() { bound } else { bound.max(step) };
        let listed = self.listed.find(&self.successor).map(|number| self.listed.cost(number));
        Uncovered { claim: self.claim, cost, listed, bound: bound.to_string() }
    }
}
