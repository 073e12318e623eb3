//! From PDDL to finite-domain tasks, one module a stage.

pub mod atoms;
pub mod normal;
