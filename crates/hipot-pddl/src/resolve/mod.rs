//! From trees to a task: sections are found, and names become ids.
//!
//! Every mistake is noted and replaced by something harmless, so that one
//! mistake does not cause a second message. The resulting task is valid only if
//! nothing was noted.
//!
//! Sections are resolved in the order in which they depend on each other,
//! whatever their order in the file: types, constants, predicates and functions
//! ([`Vocabulary`]), then rules and actions, and only then the problem's
//! objects, so that the domain cannot name them. `Formulas` reads conditions,
//! effects and costs; its methods are spread over `terms`, `conditions`,
//! `effects` and `costs`.

mod actions;
mod conditions;
mod costs;
mod effects;
mod hierarchy;
mod initial;
mod metric;
mod names;
mod numbers;
mod objects;
mod requirements;
mod rules;
mod scale;
mod scope;
mod sections;
mod signatures;
mod terms;
mod typed_list;
mod types;
mod vocabulary;

pub use requirements::REQUIREMENTS;

use crate::ast::{Goal, Task};
use crate::diagnostics::Findings;
use crate::source::{File, Lines};
use crate::tree::Tree;
use sections::Definition;
use terms::Formulas;
use vocabulary::Vocabulary;

/// The task of a domain and a problem; mistakes are noted.
pub(crate) fn resolve(
    domain: &Tree,
    problem: &Tree,
    lines: &Lines,
    findings: &mut Findings,
) -> Option<Task> {
    let (domain, problem) = sections::definitions(domain, problem, findings)?;
    requirements::check(&domain, findings);
    requirements::check(&problem, findings);
    let accumulator = metric::accumulator(&domain, &problem);
    let decimals = scale::decimals_of_costs(&domain, &problem, accumulator);
    let objects = problem.section(":objects");
    let mut vocabulary = Vocabulary::of_domain(&domain, objects, accumulator, findings);
    vocabulary.functions.decimals = decimals;
    rules::find_derived(&domain, &mut vocabulary.predicates, findings);
    let rules = rules::rules(&domain, &vocabulary, findings);
    let actions = actions::actions(&domain, &vocabulary, lines, findings);
    let Vocabulary { types, objects, .. } = &mut vocabulary;
    objects.declare(problem.section(":objects"), types, File::Problem, findings);
    let (initial, values) = initial::initial(&problem, &vocabulary, &actions, findings);
    let goal = goal(&problem, &vocabulary, findings);
    let uses_costs = metric::uses_costs(&problem, &vocabulary, findings);
    Some(Task {
        domain: domain.name.to_owned(),
        problem: problem.name.to_owned(),
        types: vocabulary.types.list,
        objects: vocabulary.objects.list,
        predicates: vocabulary.predicates.list,
        functions: vocabulary.functions.list,
        actions,
        rules,
        initial,
        values,
        goal,
        uses_costs,
        decimals: if uses_costs { decimals } else { 0 },
    })
}

fn goal(problem: &Definition<'_>, vocabulary: &Vocabulary<'_>, findings: &mut Findings) -> Goal {
    let mut formulas = Formulas::new(vocabulary, findings);
    let condition = match problem.only_part(":goal", "the goal", formulas.findings) {
        Some(node) => formulas.condition(node),
        None => conditions::truth(),
    };
    Goal { variables: formulas.scope.variables, condition }
}
