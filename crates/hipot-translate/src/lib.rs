//! From PDDL to finite-domain tasks, one module a stage.

pub mod atoms;
mod axioms;
mod datalog;
mod encode;
mod encoded;
mod formula;
mod ground;
mod instantiate;
mod layers;
pub mod normal;
pub mod normalize;
mod reach;
mod simplify;
mod tuples;
