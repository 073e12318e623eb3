//! Heuristic specs from text: `NAME` or `NAME(ARGUMENT, …)`, where an argument is
//! `key=value` or, in `max`, a spec.

use std::path::PathBuf;
use std::str::FromStr;

use hipot_abstraction::partitioning::Saturator;
use hipot_abstraction::{cartesian, systematic};
use hipot_analysis::OpenValues;
use hipot_lp::Method;
use hipot_partition::projection::AbstractStates;
use hipot_potential::MutexChoice;
use hipot_task::parse_time;

use super::reference::{HEURISTICS, entry, names};
use super::{
    FeatureChoice, MUTEX_NAMES, Objective, PartitionSpec, PatternChoice, PotentialSpec,
    SATURATOR_NAMES, SaturatedComponent, SaturatedSpec, Spec, default_mutexes,
};

/// The largest number of random walks.
const MAX_SAMPLES: usize = 1_000_000;

/// The default of K in `ocp(dim=K)` and `tcp(dim=K)`.
const DEFAULT_DIMENSION: usize = 2;

/// What is wrong with a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(String);

fn wrong(message: impl Into<String>) -> SpecError {
    SpecError(message.into())
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (name, arguments) = match text.split_once('(') {
            None => (text, Vec::new()),
            Some((name, rest)) => {
                let inner = rest.strip_suffix(')');
                let inner = inner.ok_or_else(|| wrong(format!("'{text}' needs a closing ')'")))?;
                (name.trim(), split_arguments(inner)?)
            }
        };
        match name {
            "blind" => without_arguments(name, &arguments, Self::Blind),
            "auto" => without_arguments(name, &arguments, Self::Auto),
            "pot" => potential(&arguments),
            "pot1" => without_arguments(name, &arguments, Self::dimension(1)),
            "pot2" => without_arguments(name, &arguments, Self::dimension(2)),
            "pot3" => without_arguments(name, &arguments, Self::dimension(3)),
            "seq" => {
                let equation = Self::Partition(PartitionSpec::StateEquation);
                without_arguments(name, &arguments, equation)
            }
            "ocp" => operator_costs(&arguments),
            "tcp" => transition_costs(&arguments),
            "scp" => saturated(&arguments),
            "max" if arguments.is_empty() => Err(wrong("max needs at least one heuristic")),
            "max" => arguments
                .iter()
                .map(|argument| argument.parse())
                .collect::<Result<_, _>>()
                .map(Self::Max),
            _ => Err(unknown(name)),
        }
    }
}

fn unknown(name: &str) -> SpecError {
    let guess = hipot_pddl::nearest(name, names());
    let guess = guess.map_or(String::new(), |guess| format!("did you mean '{guess}'? "));
    let forms: Vec<&str> = HEURISTICS.iter().flat_map(|entry| entry.forms).copied().collect();
    wrong(format!("unknown heuristic '{name}'; {guess}known are: {}", forms.join(", ")))
}

/// Splits at the commas outside of parentheses.
fn split_arguments(text: &str) -> Result<Vec<&str>, SpecError> {
    let mut depth = 0_usize;
    let mut begin = 0;
    let mut arguments = Vec::new();
    for (index, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or_else(|| wrong("unexpected ')'"))?,
            ',' if depth == 0 => {
                arguments.push(text[begin..index].trim());
                begin = index + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(wrong("a ')' is missing"));
    }
    arguments.push(text[begin..].trim());
    if arguments == [""] {
        arguments.clear();
    }
    Ok(arguments)
}

/// The key and the value of an argument, if the heuristic or component `name` has it.
fn key_and_value<'a>(name: &str, argument: &'a str) -> Result<(&'a str, &'a str), SpecError> {
    let known = entry(name).map_or(&[][..], |entry| entry.arguments);
    let Some((key, value)) = argument.split_once('=') else {
        let words = known.iter().filter(|it| it.values.is_empty());
        let words: String = words.flat_map(|it| [" or ", it.name]).collect();
        return Err(wrong(format!("expected key=value{words} in {name}(…), found '{argument}'")));
    };
    let key = key.trim();
    if known.iter().any(|it| it.name == key && !it.values.is_empty()) {
        return Ok((key, value.trim()));
    }
    Err(no_argument(name, key))
}

fn no_argument(name: &str, key: &str) -> SpecError {
    let known = entry(name).map_or(&[][..], |entry| entry.arguments);
    let known: Vec<&str> = known.iter().map(|it| it.name).collect();
    let verb = if known.len() == 1 { "is" } else { "are" };
    wrong(format!("{name} has no argument '{key}'; known {verb}: {}", known.join(", ")))
}

fn without_arguments(name: &str, arguments: &[&str], spec: Spec) -> Result<Spec, SpecError> {
    match arguments.first() {
        None => Ok(spec),
        Some(argument) => Err(wrong(format!("{name} takes no arguments, but got '{argument}'"))),
    }
}

fn potential(arguments: &[&str]) -> Result<Spec, SpecError> {
    let mut features = None;
    let (mut method, mut budget, mut mutexes) = (Method::Auto, None, None);
    let (mut objective, mut keeps_initial) = (Objective::Initial, true);
    let (mut open, mut is_paper) = (OpenValues::Unknown, false);
    for argument in arguments {
        if *argument == "paper" {
            is_paper = true;
            continue;
        }
        let (key, value) = key_and_value("pot", argument)?;
        match key {
            "dim" | "features" if features.is_some() => {
                return Err(wrong("pot takes one of dim=K and features=FILE, once"));
            }
            "dim" => features = Some(FeatureChoice::Dimension(dimension(value)?)),
            "features" => features = Some(FeatureChoice::File(PathBuf::from(value))),
            "lp" => method = lp_method(value)?,
            "budget" => budget = Some(nonzeros(value)?),
            "objective" => objective = parse_objective(value)?,
            "initial" => keeps_initial = is_maximal(value)?,
            "mutexes" => mutexes = Some(mutex_choice(value)?),
            "open" => open = open_values(value)?,
            _ => return Err(no_argument("pot", key)),
        }
    }
    let features = features.ok_or_else(|| wrong("pot needs dim=K or features=FILE"))?;
    if budget.is_some() && !matches!(features, FeatureChoice::Dimension(2..)) {
        return Err(wrong("budget=N needs dim=2 or more"));
    }
    if is_paper {
        let is_default = open == OpenValues::Unknown && objective == Objective::Initial;
        if !is_default || mutexes.is_some_and(|choice| choice != MutexChoice::None) {
            return Err(wrong("paper means mutexes=none, open=unknown and objective=initial"));
        }
        mutexes = Some(MutexChoice::None);
    }
    let mutexes = mutexes.unwrap_or_else(|| default_mutexes(&features));
    if !keeps_initial && !objective.is_average() {
        return Err(wrong("initial=free needs objective=all or objective=samples(N)"));
    }
    let new = PotentialSpec { features, method, budget, mutexes, open, objective, keeps_initial };
    Ok(Spec::Potential(new))
}

/// `scp(A, B, …)`: components, then or between them options.
fn saturated(arguments: &[&str]) -> Result<Spec, SpecError> {
    let mut spec = SaturatedSpec::default();
    for argument in arguments {
        if argument.split_once('=').is_none_or(|(key, _)| key.contains('(')) {
            spec.components.push(component(argument)?);
            continue;
        }
        let (key, value) = key_and_value("scp", argument)?;
        match key {
            "orders" => spec.orders = number(key, value, 1, MAX_SAMPLES)?,
            "rounds" => spec.rounds = number(key, value, 1, 100)?,
            "saturator" => spec.saturator = saturator(value)?,
            "mutexes" => spec.mutexes = mutex_choice(value)?,
            "time" => {
                let time = parse_time(value);
                spec.time = Some(time.map_err(|reason| wrong(format!("time: {reason}")))?);
            }
            _ => return Err(no_argument("scp", key)),
        }
    }
    let is_function = |it: &&SaturatedComponent| matches!(it, SaturatedComponent::Potential(_));
    match spec.components.iter().filter(is_function).count() {
        _ if spec.components.is_empty() => {
            Err(wrong("scp needs components: pot(…), projections(…), cartesian(…)"))
        }
        0 | 1 => Ok(Spec::Saturated(spec)),
        _ => Err(wrong("scp takes one potential heuristic: give it all features")),
    }
}

fn saturator(text: &str) -> Result<Saturator, SpecError> {
    let found = SATURATOR_NAMES.into_iter().find(|&(_, name)| name == text);
    let saturator = found.map(|(saturator, _)| saturator);
    let message = || wrong(format!("saturator must be all, perim or perimstar, not '{text}'"));
    saturator.ok_or_else(message)
}

/// A number in a range.
fn number<T>(key: &str, text: &str, least: T, most: T) -> Result<T, SpecError>
where
    T: Copy + FromStr + PartialOrd + std::fmt::Display,
{
    let number = text.parse().ok().filter(|number| (&least..=&most).contains(&number));
    let message = || wrong(format!("{key} must be a number from {least} to {most}, not '{text}'"));
    number.ok_or_else(message)
}

/// A component of a saturated cost partitioning.
fn component(text: &str) -> Result<SaturatedComponent, SpecError> {
    let (name, inner) = text.split_once('(').unwrap_or((text, ")"));
    let inner = inner.strip_suffix(')');
    let inner = inner.ok_or_else(|| wrong(format!("'{text}' needs a closing ')'")))?;
    let (mut projections, mut cartesian) =
        (systematic::Params::default(), cartesian::Params::default());
    let name = name.trim();
    if !["projections", "cartesian"].contains(&name) {
        let Ok(Spec::Potential(spec)) = text.parse() else {
            let unknown = format!("'{text}' is no component of scp; known are: pot(…), ");
            return Err(match text.parse::<Spec>() {
                Err(error) if name == "pot" => error,
                _ => wrong(unknown + "projections(…), cartesian(…)"),
            });
        };
        if !matches!(spec.objective, Objective::Initial) {
            return Err(wrong("in scp, pot(…) has objective=initial"));
        }
        return Ok(SaturatedComponent::Potential(spec));
    }
    for argument in split_arguments(inner)? {
        let (key, value) = key_and_value(name, argument)?;
        match (name, key) {
            ("projections", "size") => projections.max_size = number(key, value, 1, 20)?,
            ("projections", "states") => {
                projections.max_states = number(key, value, 1, 100_000_000)?;
            }
            ("cartesian", "transitions") => {
                cartesian.max_transitions = number(key, value, 1, 1_000_000_000)?;
                cartesian.max_states = cartesian.max_transitions;
            }
            _ => return Err(no_argument(name, key)),
        }
    }
    Ok(match name {
        "projections" => SaturatedComponent::Projections(projections),
        _ => SaturatedComponent::Cartesian(cartesian),
    })
}

/// The arguments of `ocp` and `tcp`.
#[derive(Default)]
struct PartitionArguments {
    dimension: Option<usize>,
    patterns: Option<String>,
    states: Option<AbstractStates>,
}

fn operator_costs(arguments: &[&str]) -> Result<Spec, SpecError> {
    let (paper, rest): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|it| **it == "paper");
    let mut given = partition_arguments("ocp", &rest)?;
    if !paper.is_empty() {
        let is_all = given.patterns.as_deref().is_none_or(|patterns| patterns == "all");
        if !is_all || given.states == Some(AbstractStates::Reachable) {
            return Err(wrong("in ocp, paper means patterns=all and states=all"));
        }
        given.states = Some(AbstractStates::All);
    }
    let states = given.states;
    let patterns = pattern_choice("ocp", &given)?;
    Ok(Spec::Partition(PartitionSpec::OperatorCosts { patterns, states }))
}

fn transition_costs(arguments: &[&str]) -> Result<Spec, SpecError> {
    if arguments.iter().any(|argument| argument.starts_with("states")) {
        return Err(wrong("tcp has no argument 'states': it always takes all abstract states"));
    }
    let given = partition_arguments("tcp", arguments)?;
    Ok(Spec::Partition(PartitionSpec::TransitionCosts(pattern_choice("tcp", &given)?)))
}

fn partition_arguments(name: &str, arguments: &[&str]) -> Result<PartitionArguments, SpecError> {
    let mut given = PartitionArguments::default();
    for argument in arguments {
        let (key, value) = key_and_value(name, argument)?;
        let is_repeated = match key {
            "dim" => given.dimension.replace(dimension(value)?).is_some(),
            "patterns" => given.patterns.replace(value.to_owned()).is_some(),
            "states" => given.states.replace(abstract_states(value)?).is_some(),
            _ => return Err(no_argument(name, key)),
        };
        if is_repeated {
            return Err(wrong(format!("{name} takes {key}=… once")));
        }
    }
    Ok(given)
}

fn pattern_choice(name: &str, given: &PartitionArguments) -> Result<PatternChoice, SpecError> {
    let dimension = given.dimension.unwrap_or(DEFAULT_DIMENSION);
    match given.patterns.as_deref() {
        None | Some("all") => Ok(PatternChoice::All(dimension)),
        Some("interesting") => Ok(PatternChoice::Interesting(dimension)),
        Some("interesting-general") => Ok(PatternChoice::InterestingGeneral(dimension)),
        Some("") => Err(wrong("patterns must be all, interesting, interesting-general or a file")),
        Some(_) if given.dimension.is_some() => {
            Err(wrong(format!("{name} takes dim=K or patterns=FILE, not both")))
        }
        Some(file) => Ok(PatternChoice::File(PathBuf::from(file))),
    }
}

fn abstract_states(text: &str) -> Result<AbstractStates, SpecError> {
    match text {
        "all" => Ok(AbstractStates::All),
        "reachable" => Ok(AbstractStates::Reachable),
        _ => Err(wrong(format!("states must be all or reachable, not '{text}'"))),
    }
}

fn mutex_choice(text: &str) -> Result<MutexChoice, SpecError> {
    let found = MUTEX_NAMES.into_iter().find(|&(_, name)| name == text);
    found
        .map(|(choice, _)| choice)
        .ok_or_else(|| wrong(format!("mutexes must be none, groups or h2, not '{text}'")))
}

fn open_values(text: &str) -> Result<OpenValues, SpecError> {
    match text {
        "unknown" => Ok(OpenValues::Unknown),
        "cases" => Ok(OpenValues::Cases),
        _ => Err(wrong(format!("open must be unknown or cases, not '{text}'"))),
    }
}

fn nonzeros(text: &str) -> Result<u64, SpecError> {
    let message = || wrong(format!("budget must be a number of nonzeros, not '{text}'"));
    text.parse().map_err(|_| message())
}

fn dimension(text: &str) -> Result<usize, SpecError> {
    let dimension = text.parse().ok().filter(|dimension| (1..=20).contains(dimension));
    dimension.ok_or_else(|| wrong(format!("dim must be a number from 1 to 20, not '{text}'")))
}

fn lp_method(text: &str) -> Result<Method, SpecError> {
    match text {
        "auto" => Ok(Method::Auto),
        "simplex" => Ok(Method::PrimalSimplex),
        "dual-simplex" => Ok(Method::DualSimplex),
        "ipm" => Ok(Method::Ipm),
        "pdlp" => Ok(Method::Pdlp),
        "hipdlp" => Ok(Method::HiPdlp),
        "engine" => Ok(Method::Engine),
        _ => Err(wrong(format!(
            "lp must be auto, engine, simplex, dual-simplex, ipm, pdlp or hipdlp, not '{text}'"
        ))),
    }
}

fn parse_objective(text: &str) -> Result<Objective, SpecError> {
    let message = || {
        wrong(format!(
            "objective must be initial, all, samples(N), diverse(N), facts(N) or every-state, \
             not '{text}'"
        ))
    };
    match text {
        "initial" => Ok(Objective::Initial),
        "all" => Ok(Objective::All),
        "every-state" => Ok(Objective::EveryState),
        _ => {
            let (name, count) = text.split_once('(').ok_or_else(message)?;
            let count = count.strip_suffix(')').and_then(|count| count.trim().parse().ok());
            let count = count.filter(|count| (1..=MAX_SAMPLES).contains(count));
            let count = count
                .ok_or_else(|| wrong(format!("'{text}' needs a number from 1 to {MAX_SAMPLES}")))?;
            match name.trim() {
                "samples" => Ok(Objective::Samples(count)),
                "diverse" => Ok(Objective::Diverse(count)),
                "facts" => Ok(Objective::Facts(count)),
                _ => Err(message()),
            }
        }
    }
}

/// Whether the initial state's value stays maximal.
fn is_maximal(text: &str) -> Result<bool, SpecError> {
    match text {
        "maximal" => Ok(true),
        "free" => Ok(false),
        _ => Err(wrong(format!("initial must be maximal or free, not '{text}'"))),
    }
}

#[cfg(test)]
mod tests;
