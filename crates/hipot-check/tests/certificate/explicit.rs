//! The conditions of a certificate by looking at every state and transition
//! of the task in transition normal form, as `hipot_task` makes it. Where there
//! are mutexes, what they imply is written into the task first, and of the
//! transitions those are kept that have only possible values.

use hipot_analysis::{Mutexes, TnfTask};
use hipot_check::mutexes::{Layer, Proved, check};
use hipot_check::{Certificate, Claim, FeatureFact, OpenValues, State, applicable, apply};
use hipot_task::{Fact, Limits, Operator, Task, TaskBuilder, VariableId};

/// All syntactic states of a tiny task in transition normal form.
pub(super) struct Explicit {
    tnf: TnfTask,
    pub(super) states: Vec<State>,
    /// ⟨source, cost, target⟩.
    pub(super) transitions: Vec<(usize, i128, usize)>,
    pub(super) initial: usize,
    pub(super) goal: usize,
    /// What stands for open values.
    pub(super) open: OpenValues,
    /// What the transitions rest on.
    pub(super) layers: Vec<Layer>,
}

impl Explicit {
    pub(super) fn new(task: &Task) -> Self {
        Self::make(TnfTask::new(task).unwrap(), |_, _| true)
    }

    /// Where no state of a plan has a pair of `layers`.
    pub(super) fn under(task: &Task, layers: &[Layer]) -> Self {
        let proved = check(task, layers).unwrap();
        let tnf = TnfTask::new(&disambiguated(task, &proved)).unwrap();
        let explicit = Self::make(tnf, |operator, state| possible(task, &proved, operator, state));
        Self { layers: layers.to_vec(), ..explicit }
    }

    /// By cases, and where no state of a plan has a pair of `layers`.
    pub(super) fn by_cases(task: &Task, layers: &[Layer]) -> Self {
        let proved = check(task, layers).unwrap();
        let mut mutexes = Mutexes::new(task, &Limits::none()).unwrap();
        for (fact, partners) in layers.iter().flat_map(Layer::rows) {
            for &partner in partners {
                mutexes.insert(fact, partner);
            }
        }
        let mutexes = Some(&mutexes).filter(|_| !layers.is_empty());
        let open = hipot_analysis::OpenValues::Cases;
        let tnf = TnfTask::with_open_values(task, open, mutexes).unwrap();
        let explicit = Self::make(tnf, |operator, state| possible(task, &proved, operator, state));
        Self { layers: layers.to_vec(), open: OpenValues::Cases, ..explicit }
    }

    fn make(tnf: TnfTask, is_possible: impl Fn(&Operator, &State) -> bool) -> Self {
        let normal = tnf.task();
        let mut states: Vec<State> = vec![Vec::new()];
        for variable in normal.variables() {
            let extend = |state: &State| {
                let state = state.clone();
                let values = 0..variable.domain_size();
                values.map(move |value| state.iter().copied().chain([value]).collect())
            };
            states = states.iter().flat_map(extend).collect();
        }
        let position = |state: &State| states.binary_search(state).unwrap();
        let mut transitions = Vec::new();
        for operator in normal.operators() {
            for (source, state) in states.iter().enumerate() {
                if applicable(operator, state) && is_possible(operator, state) {
                    let target = position(&apply(normal, operator, state));
                    transitions.push((source, i128::from(operator.cost), target));
                }
            }
        }
        let initial = position(&normal.initial().to_vec());
        let goal = position(&normal.goal().iter().map(|fact| fact.value).collect());
        let (open, layers) = (OpenValues::Unknown, Vec::new());
        Self { tnf, states, transitions, initial, goal, open, layers }
    }

    pub(super) fn fact(&self, variable: usize, value: u32) -> FeatureFact {
        let variable = VariableId::new(variable);
        let known = self.tnf.unknown(variable) != Some(value);
        FeatureFact::new(variable, known.then_some(value))
    }

    pub(super) fn domain_size(&self, variable: usize) -> u32 {
        self.tnf.task().variables()[variable].domain_size()
    }

    pub(super) fn operator_count(&self) -> usize {
        self.tnf.task().operators().len()
    }

    /// All facts of a state.
    pub(super) fn facts(&self, state: usize) -> Vec<FeatureFact> {
        let values = self.states[state].iter().enumerate();
        values.map(|(variable, &value)| self.fact(variable, value)).collect()
    }

    /// φ, times the denominator, in every state.
    pub(super) fn potentials(&self, certificate: &Certificate) -> Vec<i128> {
        let potential = |state| {
            let facts: Vec<FeatureFact> = self.facts(state);
            let holds = |feature: &[FeatureFact]| feature.iter().all(|fact| facts.contains(fact));
            let features = certificate.features().filter(|(_, feature)| holds(feature));
            let sum: i128 = features.map(|(weight, _)| i128::try_from(weight).unwrap()).sum();
            sum + i128::try_from(certificate.constant()).unwrap()
        };
        (0..self.states.len()).map(potential).collect()
    }

    /// Whether the certificate satisfies all conditions.
    pub(super) fn accepts(&self, certificate: &Certificate) -> bool {
        let potentials = self.potentials(certificate);
        let denominator = i128::try_from(certificate.denominator()).unwrap();
        let (cost_factor, least) = match certificate.claim() {
            Claim::Bound(bound) => (denominator, (i128::from(bound) - 1) * denominator),
            Claim::Unsolvable => (0, 0),
        };
        let is_consistent = |&(source, cost, target): &(usize, i128, usize)| {
            potentials[source] - potentials[target] <= cost * cost_factor
        };
        potentials[self.goal] <= 0
            && potentials[self.initial] > least
            && self.transitions.iter().all(is_consistent)
    }

    /// h* of every state; `None` for dead ends.
    pub(super) fn goal_distances(&self) -> Vec<Option<i128>> {
        let mut distances = vec![None; self.states.len()];
        distances[self.goal] = Some(0);
        loop {
            let before = distances.clone();
            for &(source, cost, target) in &self.transitions {
                if let Some(distance) = distances[target].map(|rest| rest + cost) {
                    let known = distances[source].unwrap_or(i128::MAX);
                    distances[source] = Some(distance.min(known));
                }
            }
            if distances == before {
                return distances;
            }
        }
    }
}

/// The task with the preconditions and goals that mutexes imply.
fn disambiguated(task: &Task, proved: &Proved<'_>) -> Task {
    let complete = |given: &[Fact], variables: &mut dyn Iterator<Item = VariableId>| {
        let mut facts = given.to_vec();
        for variable in variables.filter(|id| given.iter().all(|fact| fact.variable != *id)) {
            let values = (0..task.variable(variable).domain_size()).map(|v| Fact::new(variable, v));
            let is_left = |fact: &Fact| {
                let excludes = |&other: &Fact| proved.are_mutex(other, *fact);
                !excludes(fact) && !given.iter().any(excludes)
            };
            let left: Vec<Fact> = values.filter(is_left).collect();
            facts.extend(left.first().filter(|_| left.len() == 1));
        }
        facts
    };
    let mut builder = TaskBuilder::new(true);
    for variable in task.variables() {
        builder.add_variable(variable.clone()).unwrap();
    }
    builder.set_initial(task.initial().to_vec()).unwrap();
    builder.set_goal(complete(task.goal(), &mut task.variable_ids())).unwrap();
    for operator in task.operators() {
        let mut set = operator.effects.iter().map(|effect| effect.fact.variable);
        let preconditions = complete(&operator.preconditions, &mut set);
        builder.add_operator(Operator { preconditions, ..operator.clone() }).unwrap();
    }
    builder.build()
}

/// Whether the operator, applicable in `state`, has no pair of known facts
/// before and none after, and each other variable a value that is possible.
fn possible(task: &Task, proved: &Proved<'_>, operator: &Operator, state: &State) -> bool {
    let known = |fact: &Fact| fact.value < task.variable(fact.variable).domain_size();
    let before: Vec<Fact> = operator.preconditions.iter().copied().filter(known).collect();
    let set = operator.effects.iter().map(|effect| effect.fact);
    let after: Vec<Fact> = set.filter(known).collect();
    let excluded = |fact: &Fact, by: &[Fact]| by.iter().any(|&by| proved.are_mutex(by, *fact));
    let other = |id: &VariableId| operator.precondition_on(*id).is_none();
    let context = task.variable_ids().filter(other).map(|id| Fact::new(id, state[id.index()]));
    !before.iter().any(|fact| excluded(fact, &before))
        && !after.iter().any(|fact| excluded(fact, &after))
        && !context.filter(known).any(|fact| {
            excluded(&fact, &[fact]) || excluded(&fact, &before) || excluded(&fact, &after)
        })
}
