//! `properties` files of Downward Lab, in and out.
//!
//! Such a file is one JSON object: for each run, under a name that does not matter, an
//! object of attributes, among them `algorithm`, `domain` and `problem`. What we write is
//! read by Lab's reports; what others ran with Lab is read here, run by run, so that the
//! size of a file does not matter.
//!
//! Lab counts memory in units of 1024 bytes, and writes Python's `sys.maxsize` for an
//! infinite initial value. Its word for how a run ended is `error`, that of Fast
//! Downward's exit code; where there is none, `coverage` and `unsolvable` decide.

mod attributes;
mod error_word;
mod place;
mod read;
mod write;

pub use place::Places;
pub use read::{Error, Imported, read};
