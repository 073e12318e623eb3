//! Reads and writes `properties` files of Downward Lab.
//!
//! Such a file is one JSON object. For each run it has, under an arbitrary name, an object of
//! attributes, among them `algorithm`, `domain` and `problem`. Lab's reports can read what we
//! write; and we read what others ran with Lab, run by run, so that the size of a file does not
//! matter.
//!
//! Lab counts memory in units of 1024 bytes, and writes Python's `sys.maxsize` for an infinite
//! initial value. How a run ended is in the attribute `error`, in words that Lab derives from
//! Fast Downward's exit code. But `coverage` and `unsolvable` are what Lab's tables count, so
//! they take precedence.

mod attributes;
mod error_word;
mod place;
mod read;
mod write;

pub use place::Places;
pub use read::{Error, Imported, read};
