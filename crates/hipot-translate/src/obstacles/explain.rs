//! The chains of reasons.

use hipot_pddl::Task as PddlTask;
use hipot_pddl::ast::{PredicateId, Term, VariableId};
use hipot_task::{Limits, Stop};

use super::by::By;
use super::conflicts::conflicts;
use super::pattern::Pattern;
use super::probe::{Failing, Probe};
use super::words::Words;
use crate::normal::{Literal, NormalTask, Range};
use crate::normalize::normalize;
use crate::reach::{Reached, reach};

/// The number of goals and of actions that are explained.
const MAX_EXPLAINED: usize = 20;

/// The longest chain of reasons.
const MAX_REASONS: usize = 12;

/// What can never happen in a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obstacles {
    /// The goals that are never true; none if relaxed reachability reaches all of them.
    pub goals: Vec<Obstacle>,
    /// Pairs of goals that are never true together, because an invariant excludes it.
    pub conflicts: Vec<(String, String)>,
    /// The actions that are never applied.
    pub actions: Vec<Obstacle>,
}

/// Something that never happens, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The goal, such as `(at p b)`, or the name of the action.
    pub what: String,
    /// Why, each reason explaining the one before.
    pub reasons: Vec<String>,
    /// What the last reason is about.
    pub root: Root,
}

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// Atoms of this predicate.
    Predicate(String),
    /// Values of this function.
    Function(String),
    /// Objects of one of these types.
    Type(Vec<String>),
    /// Nothing single.
    Unknown,
}

/// What can never happen in a task, and why.
pub fn obstacles(source: &PddlTask, limits: &Limits) -> Result<Obstacles, Stop> {
    let task = normalize(source);
    let reached = reach(&task, limits, &mut |_| {})?;
    let words = Words::new(source, &task);
    let conflicts = conflicts(source, &task, &reached, &words, limits)?;
    let view = View { words, task: &task, reached: &reached };
    Ok(Obstacles { goals: view.goals(), conflicts, actions: view.actions(source) })
}

/// A task, and what is reachable in it.
struct View<'a> {
    words: Words<'a>,
    task: &'a NormalTask,
    reached: &'a Reached,
}

/// What makes an atom true, if its variables have these values.
struct Achiever<'a> {
    by: By<'a>,
    values: Vec<Option<u32>>,
}

/// A chain of reasons in the making.
#[derive(Default)]
struct Chain {
    reasons: Vec<String>,
    /// What was explained on the way.
    seen: Vec<Pattern>,
}

impl<'a> View<'a> {
    /// The goals that are never true.
    fn goals(&self) -> Vec<Obstacle> {
        let Some(goal) = &self.task.goal else {
            let (what, reasons) = ("the goal".to_owned(), vec!["it is never true".to_owned()]);
            return vec![Obstacle { what, reasons, root: Root::Unknown }];
        };
        let missing = goal.iter().filter(|literal| !self.can_hold(literal));
        missing.take(MAX_EXPLAINED).map(|literal| self.goal(literal)).collect()
    }

    /// Whether a literal without variables is ever true, as far as reachability knows.
    fn can_hold(&self, literal: &Literal) -> bool {
        if literal.predicate == PredicateId::EQUALITY {
            return (literal.terms[0] == literal.terms[1]) != literal.negated;
        }
        let is_reached = Pattern::of(literal, &[]).is_in(self.reached);
        is_reached != literal.negated || (literal.negated && !self.is_static(literal))
    }

    fn is_static(&self, literal: &Literal) -> bool {
        self.reached.is_static[literal.predicate.index()]
    }

    fn goal(&self, literal: &Literal) -> Obstacle {
        let what = self.words.literal(literal, &[], None);
        let mut chain = Chain::default();
        let root = self.explain_literal(literal, &[], &what, &mut chain);
        if chain.reasons.is_empty() {
            chain.reasons.push("no action changes it".to_owned());
        }
        Obstacle { what, reasons: chain.reasons, root }
    }

    /// The actions that are never applied.
    fn actions(&self, source: &PddlTask) -> Vec<Obstacle> {
        let is_applied = |name: &str| {
            let mut schemas = self.task.schemas.iter().zip(&self.reached.instances);
            schemas.any(|(schema, instances)| schema.name == name && instances.len() > 0)
        };
        let never = source.actions.iter().filter(|action| !is_applied(&action.name));
        never.take(MAX_EXPLAINED).map(|action| self.action(&action.name)).collect()
    }

    fn action(&self, name: &str) -> Obstacle {
        let mut chain = Chain::default();
        let root = match self.task.schemas.iter().find(|schema| schema.name == name) {
            Some(schema) => {
                let by = By::Action(schema, None);
                let values = vec![None; schema.parameters.len()];
                let failing = self.failing(&Achiever { by, values });
                self.follow(by, failing, "it", &mut chain)
            }
            None => {
                chain.reasons.push("its precondition is never true".to_owned());
                Root::Unknown
            }
        };
        Obstacle { what: name.to_owned(), reasons: chain.reasons, root }
    }

    /// Explains why a literal is never true.
    fn explain_literal(
        &self,
        literal: &Literal,
        values: &[Option<u32>],
        words: &str,
        chain: &mut Chain,
    ) -> Root {
        if literal.negated || literal.predicate == PredicateId::EQUALITY {
            return Root::Predicate(self.words.predicate(literal.predicate));
        }
        self.explain(Pattern::of(literal, values), words, chain)
    }

    /// Explains why no atom of a pattern is ever true.
    fn explain(&self, pattern: Pattern, words: &str, chain: &mut Chain) -> Root {
        let here = Root::Predicate(self.words.predicate(pattern.predicate));
        let achievers = self.achievers(&pattern);
        if achievers.is_empty() {
            chain
                .reasons
                .push(format!("{words} is not true initially, and no action makes it true"));
            return here;
        }
        if chain.seen.contains(&pattern) || chain.reasons.len() >= MAX_REASONS {
            return here;
        }
        let names = self.words.names(achievers.iter().map(|achiever| achiever.by));
        chain.seen.push(pattern);
        let failing = achievers.iter().map(|achiever| (achiever.by, self.failing(achiever)));
        let failing: Vec<_> = failing.collect();
        if failing.len() > 1 && failing.iter().all(|(_, failing)| self.is_about_kind(failing)) {
            return self.list_kinds(&failing, words, chain);
        }
        let best = failing.into_iter().min_by_key(|(_, failing)| self.vagueness(failing));
        let Some((by, failing)) = best else { return here };
        let name = self.words.name(by);
        let (who, subject) = match names.len() {
            1 => (format!("only {name} makes {words} true"), "it"),
            2 => (format!("{} and {} make {words} true", names[0], names[1]), &*name),
            count => (format!("{count} actions make {words} true, among them {name}"), "it"),
        };
        self.follow(by, failing, &format!("{who}, but {subject}"), chain)
    }

    /// Whether the objects seem to be of the wrong kind: a fact about them is missing that no action
    /// makes true, such as `(truck p)`.
    fn is_about_kind(&self, failing: &Failing) -> bool {
        let Failing::Alone(literal, values) = failing else { return false };
        let pattern = Pattern::of(literal, values);
        self.is_static(literal) && pattern.terms.len() == 1 && pattern.terms[0].is_some()
    }

    /// Lists the facts of which one would do.
    fn list_kinds(&self, failing: &[(By<'a>, Failing)], words: &str, chain: &mut Chain) -> Root {
        let mut facts: Vec<String> = Vec::new();
        let mut root = Root::Unknown;
        for (by, failing) in failing {
            let Failing::Alone(literal, values) = failing else { continue };
            let fact = self.words.literal(literal, values, Some(*by));
            if !facts.contains(&fact) {
                facts.push(fact);
            }
            root = Root::Predicate(self.words.predicate(literal.predicate));
        }
        let facts = facts.join(" or ");
        let reason = format!("{words} becomes true only with {facts}, which is never true");
        chain.reasons.push(reason);
        root
    }

    /// What says most comes first: what no action can change, then what fails on its own. An action for
    /// objects of another kind says least.
    fn vagueness(&self, failing: &Failing) -> usize {
        match failing {
            _ if self.is_about_kind(failing) => 4,
            Failing::NoObject(_) | Failing::Cost(..) => 0,
            Failing::Alone(literal, _) => usize::from(!self.is_static(literal)),
            Failing::Together(..) => 2,
            Failing::Unknown => 3,
        }
    }

    /// Says what fails, and why that is so.
    fn follow(&self, by: By<'a>, failing: Failing, beginning: &str, chain: &mut Chain) -> Root {
        match failing {
            Failing::NoObject(variable) => {
                let (name, types) = self.words.parameter(by, variable);
                let of_type = if types.is_empty() { "" } else { " of type " };
                let types_in_words = types.join(" or ");
                chain.reasons.push(format!(
                    "{beginning} needs an object for {name}, and there is none{of_type}{types_in_words}"
                ));
                Root::Type(types)
            }
            Failing::Cost(function, terms, values) => {
                let (name, words) = self.words.function(function, &terms, &values, by);
                chain.reasons.push(format!("{beginning} costs {words}, which has no value"));
                Root::Function(name)
            }
            Failing::Alone(literal, values) => {
                let words = self.words.literal(&literal, &values, Some(by));
                if chain.seen.contains(&Pattern::of(&literal, &values)) {
                    let reason =
                        format!("{beginning} needs {words}, and none of these is true initially");
                    chain.reasons.push(reason);
                    return Root::Predicate(self.words.predicate(literal.predicate));
                }
                chain.reasons.push(format!("{beginning} needs {words}, which is never true"));
                self.explain_literal(&literal, &values, &words, chain)
            }
            Failing::Together(candidates) => {
                let is_new = |(literal, values): &&(Literal, Vec<Option<u32>>)| {
                    !chain.seen.contains(&Pattern::of(literal, values))
                };
                let new = candidates.iter().find(is_new);
                let Some((literal, values)) = new.or(candidates.first()) else {
                    return Root::Unknown;
                };
                let words = self.words.literal(literal, values, Some(by));
                chain.reasons.push(format!(
                    "{beginning} has conditions that are never true together; where the others are \
                     true, for example {words} is not"
                ));
                self.explain_literal(literal, values, &words, chain)
            }
            Failing::Unknown => {
                let reason = format!("{beginning} has conditions that are never true together");
                chain.reasons.push(reason);
                Root::Unknown
            }
        }
    }

    /// What would make an atom of the pattern true.
    fn achievers(&self, pattern: &Pattern) -> Vec<Achiever<'a>> {
        let mut found = Vec::new();
        let mut add = |by: By<'a>, terms: &[Term]| {
            let ranges = by.ranges();
            let Some(values) = pattern.unify(terms, ranges.len()) else { return };
            let fits = |(range, value): (&&Range, &Option<u32>)| {
                let is_in = |value: u32| range.0.iter().any(|it| it.index() as u32 == value);
                value.is_none_or(is_in)
            };
            if ranges.iter().zip(&values).all(fits) {
                found.push(Achiever { by, values });
            }
        };
        for schema in &self.task.schemas {
            for effect in &schema.effects {
                if !effect.literal.negated && effect.literal.predicate == pattern.predicate {
                    add(By::Action(schema, Some(effect)), &effect.literal.terms);
                }
            }
        }
        for rule in self.task.axioms.iter().filter(|rule| rule.predicate == pattern.predicate) {
            let arity = self.task.predicates[rule.predicate.index()].arity;
            let variables = (0..arity).map(|index| Term::Variable(VariableId::new(index)));
            add(By::Rule(rule), &variables.collect::<Vec<_>>());
        }
        found
    }

    fn failing(&self, achiever: &Achiever<'a>) -> Failing {
        let costs = match achiever.by {
            By::Action(schema, _) => schema.cost.as_slice(),
            By::Rule(_) => &[],
        };
        let probe = Probe {
            task: self.task,
            reached: self.reached,
            ranges: achiever.by.ranges(),
            values: achiever.values.clone(),
            literals: achiever.by.literals(),
            costs,
        };
        probe.failing()
    }
}
