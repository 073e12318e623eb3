//! The language of planning tasks, PDDL: from text to a [`Task`] with all
//! names resolved, or to messages that show the place and say what was
//! expected.
//!
//! The way there has three stages. The text of a file is cleaned of comments
//! and cut into words and parentheses, and these become a tree, with a limit
//! on its depth so that later stages may recurse. Then the sections of both
//! files are resolved in the order in which they need one another: types,
//! constants and objects, predicates and functions, rules and actions, the
//! initial state, the goal. What is wrong is noted and the reading goes on, so
//! that one run shows many mistakes; syntax errors alone end it, because after
//! them everything would look wrong.
//!
//! The reader is lenient where the tasks of the planning competitions are:
//! sections may stand in any order, requirements need not be declared, and
//! names may contain any character that is not white space, a parenthesis or
//! a semicolon.
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
mod lexer;
mod resolve;
mod source;
mod tree;

pub use ast::{MAX_COST, Task};
pub use diagnostics::{Diagnostic, Errors, Note, Place};
pub use files::{domain_beside, is_pddl};
pub use source::Source;

use diagnostics::Findings;
use source::{File, Lines};

/// Reads a domain and a problem.
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
