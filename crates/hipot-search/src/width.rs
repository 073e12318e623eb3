//! A search that looks for what is new: best-first width search.
//!
//! BFWS(f5) of Lipovetzky and Geffner (AAAI 2017). Two numbers say how far a state is: the number of
//! open goals, and how much of a relaxed plan has come true. The relaxed plan is that of the last
//! state on the path with fewer open goals than the one before. Among states with the same two
//! numbers, those with something new come first ([`Novelty`]), and among those, the ones that are less
//! far. So a state takes little time, and the search gets away from plateaus where relaxed
//! plans do not help.

use std::collections::{BTreeMap, VecDeque};

use hipot_task::{Fact, FactId, Facts, Limits, OperatorId, StateView, Stop, Task, VariableId};

use crate::found::{Found, extract_plan, registry_of};
use crate::novelty::{Mask, Newness, Novelty};
use crate::registry::{AnyWidth, Registry, StateId};
use crate::relaxed::RelaxedPlans;
use crate::rules::Rules;
use crate::word_tests::holds;

/// The work for a new state, if a unit is as much as for a condition of a rule in a relaxed plan: to wait
/// for memory takes most of it. Words are marked many at once.
const WORK_OF_STATE: u64 = 64;
const MARKS_AT_ONCE: usize = 8;

/// The number of expansions between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1 << 6;

/// The search, which can be interrupted and goes on where it was.
pub(crate) struct WidthSearch {
    facts: Facts,
    goal: Vec<Fact>,
    /// The variables in each word of a packed state.
    variables_of: Vec<Vec<VariableId>>,
    registry: Registry<AnyWidth<2>>,
    notes: Vec<Note>,
    /// The facts of relaxed plans that states on the way to others had.
    guides: Vec<Vec<FactId>>,
    guide_facts: u64,
    /// Bits for the facts of guides that have come true.
    come_true: Vec<u32>,
    novelty: Novelty,
    /// By what is new, the number of open goals, and what is left of the guide.
    open: BTreeMap<(Newness, u32, u32), VecDeque<StateId>>,
    /// The bytes beside the registry that memory was asked for.
    reserved: u64,
    work: u64,
    expanded: u64,
    scratch: Scratch,
}

/// What is known of a state.
#[derive(Clone, Copy)]
struct Note {
    open_goals: u32,
    guide: u32,
    /// Where its bits begin in `come_true`.
    come_true: u32,
}

#[derive(Default)]
struct Scratch {
    successor: Vec<u32>,
    facts: Vec<FactId>,
    parent_masks: Vec<Mask>,
    masks: Vec<Mask>,
    /// The facts that the parent does not have.
    new: Vec<FactId>,
    applicable: Vec<OperatorId>,
    helpful: Vec<OperatorId>,
}

impl WidthSearch {
    /// A search from the initial state; `None` if there is not enough memory.
    pub(crate) fn new(task: &Task, rules: &Rules, limits: &Limits) -> Result<Option<Self>, Stop> {
        let facts = Facts::new(task);
        let Some(novelty) = Novelty::new(facts.len(), limits) else { return Ok(None) };
        let registry = registry_of(rules, limits)?;
        let mut variables_of = vec![Vec::new(); rules.packing.width()];
        for variable in facts.variable_ids() {
            variables_of[rules.packing.slot(variable).word as usize].push(variable);
        }
        Ok(Some(Self {
            facts,
            goal: task.goal().to_vec(),
            variables_of,
            registry,
            notes: Vec::new(),
            guides: Vec::new(),
            guide_facts: 0,
            come_true: Vec::new(),
            novelty,
            open: BTreeMap::new(),
            reserved: 0,
            work: 0,
            expanded: 0,
            scratch: Scratch { successor: vec![0; rules.packing.width()], ..Scratch::default() },
        }))
    }

    /// Searches on for so much `work`, or until there is a plan or no state is left.
    pub(crate) fn advance(
        &mut self,
        rules: &mut Rules,
        relaxed: &mut RelaxedPlans,
        work: u64,
        limits: &Limits,
    ) -> Result<Found, Stop> {
        let end = self.work.saturating_add(work);
        if self.notes.is_empty() {
            self.list_facts(rules, StateId::FIRST);
            self.scratch.new.clone_from(&self.scratch.facts);
            self.enter(StateId::FIRST, None, rules, relaxed);
            if holds(&rules.goal, &rules.initial) {
                return Ok(Found::Plan(extract_plan(&self.registry, StateId::FIRST, rules)));
            }
        }
        while self.work < end {
            let Some(state) = self.next() else { return Ok(Found::Nothing) };
            if let Some(goal) = self.expand(state, rules, relaxed, limits)? {
                return Ok(Found::Plan(extract_plan(&self.registry, goal, rules)));
            }
        }
        Ok(Found::NothingYet)
    }

    fn next(&mut self) -> Option<StateId> {
        let mut first = self.open.first_entry()?;
        let state = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        state
    }

    /// Enters the successors of a state, and returns the first one in which the goal holds.
    fn expand(
        &mut self,
        state: StateId,
        rules: &mut Rules,
        relaxed: &mut RelaxedPlans,
        limits: &Limits,
    ) -> Result<Option<StateId>, Stop> {
        if self.expanded.is_multiple_of(CLOCK_INTERVAL) {
            limits.check()?;
        }
        self.expanded += 1;
        let mut applicable = std::mem::take(&mut self.scratch.applicable);
        applicable.clear();
        rules.generator.collect(self.registry.words(state), &mut applicable);
        self.registry.make_room(applicable.len(), limits)?;
        self.list_facts(rules, state);
        std::mem::swap(&mut self.scratch.masks, &mut self.scratch.parent_masks);
        let mut goal = None;
        for &operator in &applicable {
            let Some(successor) = self.take(state, operator, rules) else { continue };
            self.list_new_facts(rules, state, successor);
            self.enter(successor, Some(state), rules, relaxed);
            if holds(&rules.goal, self.registry.words(successor)) {
                goal = Some(successor);
                break;
            }
        }
        self.work += (self.scratch.facts.len() + applicable.len()) as u64;
        self.scratch.applicable = applicable;
        self.reserve(limits)?;
        Ok(goal)
    }

    /// The state that an operator leads to, if it is new.
    fn take(&mut self, state: StateId, operator: OperatorId, rules: &mut Rules) -> Option<StateId> {
        let words = self.registry.words(state);
        let successor = &mut self.scratch.successor;
        successor.copy_from_slice(words);
        rules.transitions.apply(operator, words, successor);
        let hash = self.registry.hash(successor);
        let (reached, is_new) = self.registry.insert(successor, hash);
        if !is_new {
            return None;
        }
        let cost = self.registry.cost(state).0 + u64::from(rules.costs[operator.index()]);
        self.registry.set_parent(reached, state);
        self.registry.set_cost(reached, cost, false);
        Some(reached)
    }

    /// Puts the facts of a state into `facts`, and their masks into `masks`.
    fn list_facts(&mut self, rules: &Rules, state: StateId) {
        let view = StateView::new(&rules.packing, self.registry.words(state));
        let facts = &self.facts;
        let fact_of = |variable| facts.id(Fact::new(variable, view.value(variable)));
        self.scratch.facts.clear();
        self.scratch.facts.extend(facts.variable_ids().map(fact_of));
        Mask::list(&self.scratch.facts, &mut self.scratch.masks);
    }

    /// Puts the facts that the parent does not have into `new`, and the masks of all into `masks`.
    fn list_new_facts(&mut self, rules: &Rules, parent: StateId, state: StateId) {
        let Self { facts, registry, scratch, .. } = self;
        let Scratch { parent_masks, masks, new, .. } = scratch;
        let (before, after) = (registry.words(parent), registry.words(state));
        let views = (StateView::new(&rules.packing, before), StateView::new(&rules.packing, after));
        new.clear();
        masks.clone_from(parent_masks);
        for (word, variables) in self.variables_of.iter().enumerate() {
            if before[word] == after[word] {
                continue;
            }
            for &variable in variables {
                let fact =
                    |view: StateView<'_>| facts.id(Fact::new(variable, view.value(variable)));
                let (old, fact) = (fact(views.0), fact(views.1));
                if fact != old {
                    new.push(fact);
                    Mask::replace(old, fact, masks);
                }
            }
        }
        let marks = masks.len() * (new.len() + 1);
        self.work += WORK_OF_STATE + (before.len() + marks / MARKS_AT_ONCE) as u64;
    }

    /// Notes a new state, whose facts are listed, and opens it unless it has no relaxed plan.
    fn enter(
        &mut self,
        state: StateId,
        parent: Option<StateId>,
        rules: &Rules,
        relaxed: &mut RelaxedPlans,
    ) {
        let view = StateView::new(&rules.packing, self.registry.words(state));
        let is_open = |fact: &&Fact| view.value(fact.variable) != fact.value;
        let open_goals = self.goal.iter().filter(is_open).count() as u32;
        let parent = parent.map(|parent| self.notes[parent.number() as usize]);
        let come_true = self.come_true.len() as u32;
        let guide = match parent {
            Some(parent) if open_goals >= parent.open_goals => {
                self.follow(parent);
                Some(parent.guide)
            }
            _ => self.new_guide(state, rules, relaxed),
        };
        let note = Note { open_goals, guide: guide.unwrap_or(0), come_true };
        self.notes.push(note);
        if guide.is_none() {
            return;
        }
        let progress = self.come_true[come_true as usize..].iter().map(|word| word.count_ones());
        let progress = progress.sum();
        let class = (open_goals, progress);
        let newness = self.novelty.see(class, &self.scratch.masks, &self.scratch.new);
        let left = self.guides[note.guide as usize].len() as u32 - progress;
        self.open.entry((newness, open_goals, left)).or_default().push_back(state);
    }

    /// Takes over what has come true of the parent's guide, and adds the new facts.
    fn follow(&mut self, parent: Note) {
        let guide = &self.guides[parent.guide as usize];
        let (begin, old) = (self.come_true.len(), parent.come_true as usize);
        self.come_true.extend_from_within(old..old + guide.len().div_ceil(32));
        for fact in &self.scratch.new {
            if let Ok(index) = guide.binary_search(fact) {
                self.come_true[begin + index / 32] |= 1 << (index % 32);
            }
        }
    }

    /// The relaxed plan of a state, if there is one, as a guide of which nothing has come true.
    fn new_guide(
        &mut self,
        state: StateId,
        rules: &Rules,
        relaxed: &mut RelaxedPlans,
    ) -> Option<u32> {
        self.work += relaxed.work();
        let view = StateView::new(&rules.packing, self.registry.words(state));
        relaxed.plan(view, &mut self.scratch.helpful)?;
        let facts: Vec<FactId> = relaxed.facts_made_true().collect();
        self.come_true.resize(self.come_true.len() + facts.len().div_ceil(32), 0);
        self.guide_facts += facts.len() as u64;
        self.guides.push(facts);
        Some(self.guides.len() as u32 - 1)
    }

    /// Asks for memory from time to time.
    fn reserve(&mut self, limits: &Limits) -> Result<(), Stop> {
        const PIECE: u64 = 1 << 22;
        let own = (self.notes.len() * size_of::<(Note, StateId)>()) as u64
            + (self.come_true.len() * size_of::<u32>()) as u64
            + self.guide_facts * size_of::<FactId>() as u64;
        if own > self.reserved {
            // Vectors double, so for a moment there are two.
            limits.reserve(own + PIECE)?;
            self.reserved = 2 * own + PIECE;
        }
        // Positions in `come_true` have 32 bits.
        if self.come_true.len() > u32::MAX as usize / 2 { Err(Stop::MemoryLimit) } else { Ok(()) }
    }
}
