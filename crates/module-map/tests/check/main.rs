//! The check on tiny workspaces.

mod cycles;
mod document;
mod workspace;
