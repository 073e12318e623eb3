//! The language of planning tasks, PDDL: from text to a [`Task`] with all
//! names resolved, or to messages that show the place and say what was
//! expected.

pub mod ast;

pub use ast::Task;
