//! What crates must not depend on, whatever the features.
//!
//! The compiler keeps a crate from naming what it does not depend on. These
//! rules keep the dependencies themselves from growing: the checker stays
//! independent of what it checks, and the library and the Python package stay
//! free of the laboratory and its database.

use std::collections::BTreeSet;

use crate::cargo::{self, Features, Workspace};
use crate::error::Error;

/// A rule about what a package reaches by normal dependencies, direct or not.
struct Rule {
    package: &'static str,
    features: Features,
    demand: Demand,
}

enum Demand {
    /// Of the workspace, it reaches only these packages.
    OnlyMembers(&'static [&'static str]),
    /// It reaches none of these packages.
    None(&'static [&'static str]),
    /// No other member reaches it: it is for tests.
    Unreached,
}

const RULES: &[Rule] = &[
    Rule {
        package: "hipot-check",
        features: Features::All,
        demand: Demand::OnlyMembers(&["hipot-task", "hipot-pddl"]),
    },
    Rule {
        package: "hipot-verify",
        features: Features::All,
        demand: Demand::OnlyMembers(&["hipot-check", "hipot-task", "hipot-pddl"]),
    },
    Rule {
        package: "hipot-veripb",
        features: Features::All,
        demand: Demand::OnlyMembers(&["hipot-check", "hipot-task", "hipot-pddl"]),
    },
    Rule {
        package: "hipot",
        features: Features::Default,
        demand: Demand::None(&["hipot-lab", "rusqlite"]),
    },
    Rule {
        package: "hipot-python",
        features: Features::Default,
        demand: Demand::None(&["hipot-lab", "rusqlite"]),
    },
    Rule { package: "hipot-testing", features: Features::All, demand: Demand::Unreached },
];

/// Whether a rule holds, and the line that says so.
#[derive(Debug)]
pub(crate) struct Finding {
    /// Whether it holds.
    pub holds: bool,
    /// The rule, and what breaks it.
    pub text: String,
}

/// Checks all rules. One about a package that the workspace does not have
/// holds.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Finding>, Error> {
    RULES.iter().map(|rule| rule.check(workspace)).collect()
}

/// "a", "a and b", "a, b and c".
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl Rule {
    fn check(&self, workspace: &Workspace) -> Result<Finding, Error> {
        let statement = self.statement();
        if !workspace.packages.iter().any(|package| package.name == self.package) {
            return Ok(Finding { holds: true, text: format!("{statement}: no such crate yet") });
        }
        let culprits = self.culprits(workspace)?;
        let verdict = if culprits.is_empty() {
            "yes".to_owned()
        } else {
            let joined = culprits.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            match self.demand {
                Demand::Unreached => format!("no, {joined} can"),
                _ => format!("no, it reaches {joined}"),
            }
        };
        Ok(Finding { holds: culprits.is_empty(), text: format!("{statement}: {verdict}") })
    }

    fn statement(&self) -> String {
        let package = self.package;
        match self.demand {
            Demand::OnlyMembers(allowed) => {
                format!("{package} uses no crate of the workspace but {}", listed(allowed))
            }
            Demand::None(forbidden) => {
                format!("{package} does not need {}", forbidden.join(" or "))
            }
            Demand::Unreached => format!("{package} is used by tests only"),
        }
    }

    /// What breaks the rule.
    fn culprits(&self, workspace: &Workspace) -> Result<BTreeSet<String>, Error> {
        let reached = |package| cargo::reachable(&workspace.folder, package, self.features);
        let mut culprits = BTreeSet::new();
        match self.demand {
            Demand::OnlyMembers(allowed) => {
                let reached = reached(self.package)?;
                let members = workspace.packages.iter().map(|package| package.name.as_str());
                culprits.extend(
                    members
                        .filter(|&name| name != self.package && !allowed.contains(&name))
                        .filter(|&name| reached.contains(name))
                        .map(ToOwned::to_owned),
                );
            }
            Demand::None(forbidden) => {
                culprits = reached(self.package)?;
                culprits.retain(|name| forbidden.contains(&name.as_str()));
            }
            Demand::Unreached => {
                for package in &workspace.packages {
                    if package.name != self.package
                        && reached(&package.name)?.contains(self.package)
                    {
                        culprits.insert(package.name.clone());
                    }
                }
            }
        }
        Ok(culprits)
    }
}
