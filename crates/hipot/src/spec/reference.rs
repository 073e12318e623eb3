//! All heuristics that specs can name, with their arguments: for help texts, and for the
//! messages about names that are not here.
//!
//! The reader of specs refuses each argument that is not in these tables. The tests read
//! each value that they list, and compare each default with a spec that leaves it out.

use serde::Serialize;

/// A heuristic, or a component of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name in specs.
    pub name: &'static str,
    /// How it is written, with what it cannot do without; the first form is the usual one.
    pub forms: &'static [&'static str],
    /// What it is, in one line.
    pub meaning: &'static str,
    /// What may stand between its parentheses.
    pub arguments: &'static [Argument],
}

/// An argument of a heuristic: a word, or a key with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// The word or the key.
    pub name: &'static str,
    /// What may follow `=`. Capitals stand for something: K and N for numbers, FILE for the
    /// name of a file, TIME for a time such as 20 or 1m. A word has no values.
    pub values: &'static [&'static str],
    /// The value if there is no such argument, where it is always the same.
    pub default: Option<&'static str>,
    /// What it does, in one line.
    pub meaning: &'static str,
}

const fn word(name: &'static str, meaning: &'static str) -> Argument {
    Argument { name, values: &[], default: None, meaning }
}

const fn open(
    name: &'static str,
    values: &'static [&'static str],
    meaning: &'static str,
) -> Argument {
    Argument { name, values, default: None, meaning }
}

const fn with_default(
    name: &'static str,
    values: &'static [&'static str],
    default: &'static str,
    meaning: &'static str,
) -> Argument {
    Argument { name, values, default: Some(default), meaning }
}

/// The values of `mutexes=`.
const MUTEXES: &[&str] = &["none", "groups", "h2"];

/// The values of `patterns=`.
const PATTERNS: &[&str] = &["all", "interesting", "interesting-general", "FILE"];

const PATTERNS_MEANING: &str = "which projections: all; those that can help without negative costs; \
                                those that can help at all; those that a file lists (without dim=K)";

/// The heuristics.
pub const HEURISTICS: &[Entry] = &[
    Entry {
        name: "blind",
        forms: &["blind"],
        meaning: "0 in goal states, the cost of the cheapest operator elsewhere",
        arguments: &[],
    },
    Entry {
        name: "pot",
        forms: &["pot(dim=K)", "pot(features=FILE)", "pot1", "pot2", "pot3"],
        meaning: "a potential heuristic: a weight for each feature, chosen by an LP and proved in \
                  exact arithmetic. pot1, pot2 and pot3 stand for pot(dim=1), pot(dim=2), pot(dim=3)",
        arguments: &[
            open("dim", &["K"], "all features of at most K facts; some, if all are too many"),
            open("features", &["FILE"], "the features that a file lists"),
            word("paper", "as the paper defines it: mutexes=none, open=unknown, objective=initial"),
            with_default(
                "mutexes",
                MUTEXES,
                "groups",
                "which mutexes raise the bound: none (the default with features=FILE), those of \
                 the task's mutex groups, or those of h² forward and backward",
            ),
            with_default(
                "open",
                &["unknown", "cases"],
                "unknown",
                "what stands for values that operators and the goal leave open: an additional \
                 value, or each value in turn, which is never lower",
            ),
            with_default(
                "objective",
                &["initial", "all", "samples(N)", "diverse(N)", "facts(N)", "every-state"],
                "initial",
                "what is maximized: the value of the initial state; the average over all states, \
                 or over N random ones; the maximum of several functions for N random states, or \
                 for N facts; the value of each state that the search meets",
            ),
            with_default(
                "initial",
                &["maximal", "free"],
                "maximal",
                "whether objective=all and samples(N) keep the best value of the initial state",
            ),
            open("budget", &["N"], "the LP has at most N nonzeros, for dim=2 and higher"),
            with_default(
                "lp",
                &["auto", "engine", "simplex", "dual-simplex", "ipm", "pdlp", "hipdlp"],
                "auto",
                "how the LP is solved: hipot's own engine for large LPs over pairs, the others \
                 by HiGHS",
            ),
        ],
    },
    Entry {
        name: "seq",
        forms: &["seq"],
        meaning: "the state equation: an LP in each state; in the initial state it equals \
                  pot(dim=1, mutexes=none)",
        arguments: &[],
    },
    Entry {
        name: "ocp",
        forms: &["ocp(dim=K)"],
        meaning: "optimal cost partitioning over projections: an LP in each state",
        arguments: &[
            with_default("dim", &["K"], "2", "projections to at most K variables"),
            with_default("patterns", PATTERNS, "all", PATTERNS_MEANING),
            open(
                "states",
                &["all", "reachable"],
                "which abstract states have constraints: all, as bound and certificates need it, \
                 or those that plans may visit, as solve has it",
            ),
            word("paper", "as the paper defines it: patterns=all, states=all"),
        ],
    },
    Entry {
        name: "tcp",
        forms: &["tcp(dim=K)"],
        meaning: "optimal transition cost partitioning over projections, for tasks with at most \
                  20,000 transitions; in the initial state it equals pot(dim=K, mutexes=none)",
        arguments: &[
            with_default("dim", &["K"], "2", "projections to at most K variables"),
            with_default("patterns", PATTERNS, "all", PATTERNS_MEANING),
        ],
    },
    Entry {
        name: "scp",
        forms: &["scp(A, B, …)"],
        meaning: "saturated cost partitioning: the sum of the components A, B, …, which share the \
                  costs of operators in this order",
        arguments: &[
            with_default(
                "orders",
                &["N"],
                "50",
                "the largest number of orders of abstractions, whose maximum is taken",
            ),
            with_default(
                "rounds",
                &["N"],
                "2",
                "how often the LP of pot(…) is solved, under the costs that the others leave",
            ),
            with_default(
                "saturator",
                &["all", "perim", "perimstar"],
                "perimstar",
                "for which states an abstraction keeps its values: all; those as near to the goal \
                 as the given one; these first, then the others",
            ),
            with_default(
                "mutexes",
                MUTEXES,
                "h2",
                "which mutexes leave out abstract states and transitions",
            ),
            open(
                "time",
                &["TIME"],
                "the time for building; by default a third of the time left, a minute at most",
            ),
        ],
    },
    Entry {
        name: "max",
        forms: &["max(A, B, …)"],
        meaning: "the maximum of the heuristics A, B, …",
        arguments: &[],
    },
    Entry {
        name: "auto",
        forms: &["auto"],
        meaning: "what seems best for the task and the limits: potentials first, then, while the \
                  search goes on, more of them and abstractions",
        arguments: &[],
    },
];

/// The components of `scp`, other than `pot(…)` with `objective=initial`.
pub const COMPONENTS: &[Entry] = &[
    Entry {
        name: "projections",
        forms: &["projections"],
        meaning: "pattern databases for patterns that are of use, small ones first",
        arguments: &[
            with_default("size", &["N"], "3", "the largest pattern of the first ones, up to 20"),
            with_default("states", &["N"], "200000", "the most abstract states of each"),
        ],
    },
    Entry {
        name: "cartesian",
        forms: &["cartesian"],
        meaning: "Cartesian abstractions for the goal, its facts and landmarks, refined as long as \
                  the limits allow",
        arguments: &[with_default(
            "transitions",
            &["N"],
            "1000000",
            "the most abstract transitions of all of them together",
        )],
    },
];

/// What is written about a heuristic or a component of this name.
pub(super) fn entry(name: &str) -> Option<&'static Entry> {
    HEURISTICS.iter().chain(COMPONENTS).find(|entry| entry.name == name)
}

/// The names of heuristics, short forms included.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let short = |entry: &Entry| entry.forms.iter().filter(|form| !form.contains('('));
    HEURISTICS.iter().flat_map(move |entry| [entry.name].into_iter().chain(short(entry).copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    /// Something that the capitals stand for.
    fn example(text: &str) -> String {
        let text = text.replace("FILE", "some.json").replace("TIME", "2.5");
        text.replace("A, B, …", "cartesian").replace('K', "2").replace('N', "7")
    }

    /// The spec with a heuristic or component, with an argument if there is one. `pot` needs to
    /// know its features, and components belong to `scp`.
    fn spec(entry: &Entry, argument: Option<String>) -> Result<Spec, super::super::SpecError> {
        let has_features =
            argument.as_ref().is_some_and(|it| it.starts_with("dim") || it.starts_with("features"));
        let first = match entry.name {
            "pot" if !has_features => Some("dim=2".to_owned()),
            "scp" => Some("cartesian".to_owned()),
            "max" => Some("blind".to_owned()),
            _ => None,
        };
        let is_average = argument.as_ref().is_some_and(|it| it == "initial=free");
        let last = is_average.then(|| "objective=all".to_owned());
        let arguments: Vec<String> = first.into_iter().chain(argument).chain(last).collect();
        let text = format!("{}({})", entry.name, arguments.join(", "));
        let is_component = COMPONENTS.contains(entry);
        if is_component { format!("scp({text})").parse() } else { text.parse() }
    }

    fn all_arguments() -> impl Iterator<Item = (&'static Entry, &'static Argument)> {
        let entries = HEURISTICS.iter().chain(COMPONENTS);
        entries.flat_map(|entry| entry.arguments.iter().map(move |argument| (entry, argument)))
    }

    #[test]
    fn every_form_is_read() {
        for entry in HEURISTICS {
            for form in entry.forms {
                let form = example(form).replace("max(cartesian)", "max(blind)");
                form.parse::<Spec>().unwrap_or_else(|error| panic!("{form}: {error}"));
            }
        }
        for name in names() {
            let found = format!("{name}x").parse::<Spec>().unwrap_err().to_string();
            assert!(found.contains(&format!("did you mean '{name}'?")), "{found}");
        }
    }

    #[test]
    fn every_value_is_read() {
        for (entry, argument) in all_arguments() {
            let name = argument.name;
            let with = argument.values.iter().map(|value| format!("{name}={}", example(value)));
            let texts: Vec<String> =
                if argument.values.is_empty() { vec![name.to_owned()] } else { with.collect() };
            for text in texts {
                let read = spec(entry, Some(text.clone()));
                assert!(read.is_ok(), "{}({text}): {read:?}", entry.name);
            }
        }
    }

    #[test]
    fn defaults_are_what_is_left_out() {
        for (entry, argument) in all_arguments() {
            let Some(default) = argument.default else { continue };
            let given = spec(entry, Some(format!("{}={default}", argument.name))).unwrap();
            let left_out = spec(entry, None).unwrap();
            assert_eq!(given.to_string(), left_out.to_string(), "{}", argument.name);
        }
    }

    /// A choice between words is refused with all of them, so none is missing here.
    #[test]
    fn no_value_is_missing() {
        for (entry, argument) in all_arguments() {
            let is_choice = !argument.values.iter().any(|value| value.contains(char::is_uppercase));
            if argument.values.is_empty() || !is_choice && argument.name != "objective" {
                continue;
            }
            let (last, others) = argument.values.split_last().unwrap();
            let expected =
                format!("{} must be {} or {last}, not ", argument.name, others.join(", "));
            let found = spec(entry, Some(format!("{}=?", argument.name))).unwrap_err().to_string();
            assert!(found.starts_with(&expected), "{found}, not {expected}");
        }
    }
}
