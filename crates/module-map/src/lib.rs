//! Reads the imports of every crate of the workspace, refuses cycles and draws
//! `docs/architecture.md`.
//!
//! Three things are checked:
//!
//! 1. *No two modules of a crate import each other*, directly or through
//!    others. A module here is a file, and it imports another if its code names
//!    an item defined there; see `imports` for what exactly counts. Code that
//!    only tests compile does not. The cycles are the strongly connected
//!    components of more than one module.
//! 2. *The crates depend on each other as promised*: the rules are listed in
//!    `rules`.
//! 3. *The document is up to date.* The drawing of the crates and the table of
//!    each crate's modules are generated from what was read, so they cannot be
//!    wrong for long.
//!
//! The compiler could answer the first question exactly, but offers no stable
//! way to ask. This reads the source text instead (with `syn`), and resolves
//! names on its own: modules, imports, re-exports, globs, blocks and local
//! variables, but not types, so methods and fields go unseen. On this
//! workspace every path is resolved to an item, another crate, a generic
//! parameter or an item made by a macro.

mod cargo;
mod check;
mod crate_map;
mod document;
mod error;
mod graph;
mod imports;
mod macros;
mod rules;
mod scopes;
mod test_only;
mod tree;

pub use check::{Options, Report, check};
pub use crate_map::Detail;
pub use error::Error;
