//! A PDDL task as two texts.

use hipot_pddl::{Source, Task, read};

/// A task as PDDL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PddlText {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
}

impl PddlText {
    /// Reads the task.
    pub fn read(&self) -> Result<Task, hipot_pddl::Errors> {
        let domain = Source::new("domain.pddl", self.domain.as_str());
        read(&domain, &Source::new("problem.pddl", self.problem.as_str()))
    }
}
