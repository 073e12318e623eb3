//! A reader for PDDL, the language of planning tasks. It turns text into a
//! [`Task`] with all names resolved, or into messages that show the place and
//! say what was expected.
//!
//! There are three stages. First, comments are removed and the text is cut into
//! words and parentheses. Second, these become a tree, whose depth is limited
//! so that later stages may recurse. Third, the sections of both files are
//! resolved in the order in which they depend on each other: types, constants
//! and objects, predicates and functions, rules and actions, the initial state,
//! the goal. Mistakes are noted and reading continues, so that one run shows
//! many of them. Only syntax errors end it, because after them everything would
//! look wrong.
//!
//! The reader is as lenient as the tasks of the planning competitions require:
//! sections may be in any order, requirements need not be declared, and names
//! may contain any character except white space, parentheses and semicolons.
//!
//! ```
//! use hipot_pddl::{Source, read};
//!
//! let domain = Source::new(
//!     "domain.pddl",
//!     "(define (domain light)
//!        (:predicates (on ?lamp))
//!        (:action switch :parameters (?lamp) :effect (on ?lamp)))",
//! );
//! let problem = Source::new(
//!     "problem.pddl",
//!     "(define (problem dark) (:domain light)
//!        (:objects desk) (:init) (:goal (onn desk)))",
//! );
//! let errors = read(&domain, &problem).unwrap_err();
//! assert_eq!(errors.diagnostics[0].message, "unknown predicate 'onn'");
//! assert_eq!(errors.diagnostics[0].help.as_deref(), Some("did you mean 'on'?"));
//! ```

pub mod ast;
mod clean;
mod diagnostics;
mod files;
pub mod format;
mod lexer;
pub mod lint;
mod resolve;
mod source;
pub mod symbols;
mod tree;

pub use ast::{MAX_COST, Task};
pub use diagnostics::{Diagnostic, Errors, Note, Place, Severity, nearest, shown};
pub use files::{domain_beside, domain_names, is_pddl};
pub use resolve::REQUIREMENTS;
pub use source::{File, Source, Span};

use diagnostics::Findings;
use source::Lines;

/// Reads a domain and a problem into one task.
pub fn read(domain: &Source, problem: &Source) -> Result<Task, Errors> {
    let mut findings = Findings::default();
    let trees = [(File::Domain, domain), (File::Problem, problem)]
        .map(|(file, source)| tree::read(file, source, &mut findings));
    let task = match &trees {
        [Some(domain_tree), Some(problem_tree)] if findings.is_empty() => {
            let lines = Lines::new(&domain.text);
            resolve::resolve(domain_tree, problem_tree, &lines, &mut findings)
        }
        _ => None,
    };
    match task {
        Some(task) if findings.is_empty() => Ok(task),
        _ => Err(Errors::new(findings, domain, problem)),
    }
}

/// Reads a domain alone, and says what is wrong with it.
pub fn read_domain(domain: &Source) -> Result<(), Errors> {
    let tree = tree::read(File::Domain, domain, &mut Findings::default());
    let header = tree.as_ref().and_then(|tree| tree.root().parts().nth(1));
    let name = header.and_then(|header| header.parts().nth(1)?.word()).unwrap_or("unknown");
    let problem = format!("(define (problem none) (:domain {name}) (:init) (:goal (and)))");
    let problem = Source::new(String::new(), problem);
    match read(domain, &problem) {
        Ok(_) => Ok(()),
        Err(mut errors) => {
            errors.diagnostics.retain(|it| it.place.file == domain.name);
            if errors.diagnostics.is_empty() { Ok(()) } else { Err(errors) }
        }
    }
}
