//! Candidates for a better heuristic, their turns, and how they are judged.
//!
//! *Out of a plateau.* If the bound is h*, A* has to look only at states with f = h*, but these
//! can be too many: an estimate that is too low by one puts a state among them, with all of its
//! successors. Tasks such as miconic's have a perfect bound and millions of such states. No order
//! among them helps, because the estimates themselves are too low. But such states are easy to
//! find: they are the ones that were expanded. The function with the highest average over a sample
//! of them, whatever it says about the initial state, is higher in nearly all of them, and the
//! maximum with it closes that way into the plateau. If the search is stuck again, in other states,
//! the same is done again.
//!
//! *Another objective.* If the search has come beyond the bound, one function is enough if it may
//! be: among those whose bound in the initial state is no lower, the one with the highest average
//! over the sample. It may have features on further pairs of variables, which do nothing for the
//! initial state but something for others. It replaces the first one.
//!
//! *Functions for facts* come next, once for each set of features: for some facts, the function with
//! the highest average over the states of the sample that contain the fact. Those that are
//! often higher than all others are added. (Blocks 9-0: 61,000 states are expanded with a function
//! that is best in the initial state, 1,600 with another objective, 200 with eight functions for
//! facts.)
//!
//! *More features* take longer, so they come last: an LP with four times the nonzeros, and
//! again, until it has all pairs or takes most of its share of the time, or until two in a row say
//! little. A function with a higher bound, or with the same and a higher average, replaces the
//! first one. (Grid prob03 has a bound of 31
//! with up to 400,000 nonzeros, and of 38 with 440,000, after 1.6 s.)
//!
//! *Abstractions* that share costs with the first function come after functions for facts, and once
//! more when more features have given a better function. They are the only candidate whose
//! estimates take much longer, so their use is predicted (`abstractions`).
//!
//! *A function says little* if its bound is not above the layer reached and its average over the states
//! is not above the lowest cost of an operator that is not free. The blind heuristic says about as
//! much. Then another objective over the same features will hardly say more, but abstractions may.

use hipot_potential::Extent;

use super::abstractions::Abstractions;
use super::params::Params;
use super::running::Running;
use crate::heuristic::Potential;
use crate::spec::FeatureChoice;

/// An LP over more features has this many times the nonzeros of the last one, within bounds.
const FEATURES_GROWTH: u64 = 4;
const MIN_NONZEROS: u64 = 400_000;
const MAX_NONZEROS: u64 = 1 << 25;

/// The largest number of functions whose maximum is taken.
const MAX_FUNCTIONS: usize = 8;

/// After another objective, the search sees this many times the states before the next one.
const AVERAGE_GROWTH: u64 = 4;

/// After a candidate that was rejected, the search sees this many times the states.
const REJECTED_GROWTH: u64 = 2;

/// Something that may give a better heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// The function with the highest average over the states expanded, to be added.
    Plateau,
    /// The same among functions that keep the initial state's bound.
    Average,
    /// Functions for states that contain a fact, to be added: so many at most.
    Facts(usize),
    /// The best function in the initial state over more features, with so many nonzeros.
    Features(u64),
    /// Abstractions that share costs with the first function, to be added.
    Abstractions,
}

/// What becomes of a candidate.
pub(super) enum Verdict {
    Rejected,
    /// These are added to the maximum.
    Added(Vec<Potential>),
    /// It replaces the first function; these are kept beside it.
    Replaced(Box<Potential>, Vec<Potential>),
    /// These are added to the maximum, or replace those that were.
    Abstracted(Box<Abstractions>),
    /// It proves that there is no plan.
    Unsolvable(Box<Potential>),
}

/// A verdict, and whether another candidate of the same kind is not worth its time.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) is_last: bool,
}

impl Judged {
    /// A verdict on a function; a rejected one is the last of its kind.
    pub(super) fn new(verdict: Option<Verdict>) -> Self {
        let is_last = verdict.is_none();
        Self { verdict: verdict.unwrap_or(Verdict::Rejected), is_last }
    }

    /// The last one of its kind, rejected.
    pub(super) fn rejected() -> Self {
        Self::new(None)
    }
}

/// A kind of candidate.
#[derive(Clone, Copy)]
enum Kind {
    Plateau,
    Average,
    Facts,
    Features,
    Abstractions,
}

/// Kinds of candidates that have nothing more to give.
#[derive(Default)]
struct Over([bool; 5]);

impl Over {
    fn has(&self, kind: Kind) -> bool {
        self.0[kind as usize]
    }

    fn has_all(&self) -> bool {
        self.0.iter().all(|&it| it)
    }

    fn set(&mut self, kind: Kind, is_over: bool) {
        self.0[kind as usize] = is_over;
    }

    fn add_if(&mut self, kind: Kind, is_over: bool) {
        self.0[kind as usize] |= is_over;
    }
}

/// Which kind of candidate comes first.
#[derive(Clone, Copy)]
enum Stage {
    /// Other states than the initial one: the function for it is new.
    Objective,
    Facts,
    Abstractions,
    Features,
}

/// Whose turn it is.
pub(super) struct Turns {
    /// The number of states that the search evaluates in its next turn.
    step: u64,
    /// The same for a turn that comes before all others.
    probe: Option<u64>,
    /// The number of nonzeros of the last LP for the initial state.
    nonzeros: u64,
    /// Which kinds of candidates are not tried again, unless more features change everything.
    over: Over,
    stage: Stage,
}

impl Turns {
    /// The turns after the first LP.
    pub(super) fn new(params: Params) -> Self {
        let Params { first_evaluated: step, first_nonzeros: nonzeros, .. } = params;
        let probe = Some(params.probe_evaluated.min(step));
        Self { step, probe, nonzeros, over: Over::default(), stage: Stage::Objective }
    }

    /// The number of states evaluated in all at which the turn of the search ends.
    pub(super) fn budget(&self, running: &Running<'_>) -> u64 {
        let is_over = self.over.has_all() || running.functions().is_empty();
        let so_far = running.evaluated();
        if is_over { u64::MAX } else { so_far.saturating_add(self.probe.unwrap_or(self.step)) }
    }

    /// The next candidate; `None` if the search goes on.
    pub(super) fn next(&mut self, running: &Running<'_>) -> Option<Candidate> {
        let says_little = running.says_little();
        if self.probe.take().is_some() && !says_little {
            return None;
        }
        self.over.add_if(Kind::Features, has_all_pairs(&running.functions()[0]));
        let nonzeros = self.nonzeros.saturating_mul(FEATURES_GROWTH).max(MIN_NONZEROS);
        let room = MAX_FUNCTIONS.saturating_sub(running.functions().len());
        self.over.add_if(Kind::Plateau, room == 0);
        self.over.add_if(Kind::Facts, room == 0);
        let is_single = running.functions().len() == 1;
        let own = if running.is_stuck() {
            (Candidate::Plateau, self.over.has(Kind::Plateau))
        } else {
            (Candidate::Average, self.over.has(Kind::Average) || !is_single)
        };
        let facts = (Candidate::Facts(room), self.over.has(Kind::Facts));
        let features = (Candidate::Features(nonzeros), self.over.has(Kind::Features));
        let abstractions = (Candidate::Abstractions, self.over.has(Kind::Abstractions));
        let turns = match self.stage {
            Stage::Objective => [own, facts, abstractions, features],
            Stage::Facts => [facts, abstractions, features, own],
            Stage::Abstractions => [abstractions, features, own, facts],
            Stage::Features => [features, own, facts, abstractions],
        };
        let is_about_initial = |candidate: Candidate| {
            matches!(candidate, Candidate::Features(_) | Candidate::Abstractions)
        };
        let is_open = |&(candidate, is_over): &(Candidate, bool)| {
            !is_over && (!says_little || is_about_initial(candidate))
        };
        let next = turns.into_iter().find(is_open).map(|(candidate, _)| candidate);
        if next.is_none() {
            self.step = self.step.saturating_mul(REJECTED_GROWTH);
        }
        next
    }

    /// Notes what became of a candidate.
    pub(super) fn note(&mut self, candidate: Candidate, judged: &Judged) {
        let is_rejected = matches!(judged.verdict, Verdict::Rejected);
        match candidate {
            Candidate::Plateau => self.over.add_if(Kind::Plateau, judged.is_last),
            Candidate::Average => self.over.add_if(Kind::Average, judged.is_last),
            Candidate::Facts(_) => self.over.set(Kind::Facts, true),
            Candidate::Abstractions => self.over.set(Kind::Abstractions, true),
            Candidate::Features(nonzeros) => {
                self.nonzeros = nonzeros;
                if !is_rejected {
                    self.over = Over::default();
                }
                self.over.set(Kind::Features, judged.is_last || nonzeros >= MAX_NONZEROS);
            }
        }
        self.stage = match candidate {
            Candidate::Average => Stage::Facts,
            Candidate::Features(_) if !is_rejected => Stage::Objective,
            Candidate::Plateau | Candidate::Facts(_) => Stage::Abstractions,
            Candidate::Abstractions | Candidate::Features(_) => Stage::Features,
        };
        let growth = match candidate {
            _ if is_rejected => REJECTED_GROWTH,
            Candidate::Average => AVERAGE_GROWTH,
            Candidate::Plateau
            | Candidate::Facts(_)
            | Candidate::Features(_)
            | Candidate::Abstractions => 1,
        };
        self.step = self.step.saturating_mul(growth);
    }
}

/// Whether a potential is over all pairs of facts.
pub(super) fn has_all_pairs(potential: &Potential) -> bool {
    let has_pairs = potential.spec.features == FeatureChoice::Dimension(2);
    has_pairs && potential.report.extent == Extent::Complete
}
