//! From PDDL to finite-domain tasks, one module a stage.

pub mod atoms;
pub mod invariants;
pub mod mutex_groups;
pub mod normal;
