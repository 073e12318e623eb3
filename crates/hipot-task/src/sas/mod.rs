//! The `.sas` format, version 3: what Fast Downward's translator writes.
//!
//! The grammar, one item per line. `N` is a count, and `*` repeats an item as
//! often as the preceding count says:
//!
//! ```text
//! begin_version 3 end_version                       (three lines)
//! begin_metric 0|1 end_metric                       (0: every operator costs 1)
//! N  begin_variable name layer N atom* end_variable *
//! N  begin_mutex_group N (var value)* end_mutex_group *
//! begin_state value* end_state
//! begin_goal N (var value)* end_goal
//! N  begin_operator name N (var value)* N effect* cost end_operator *
//! N  begin_rule N (var value)* (var old new) end_rule *
//!
//! effect = N (var value)* var old new               (one line; old -1: any)
//! ```
//!
//! Reading is strict: nothing is guessed, skipped or repaired, and every error
//! has a line and a column. The reader accepts extra white space only around the
//! numbers of a line, at the end of a line (hence also Windows line endings), and
//! as blank lines at the end of the file.

mod error;
mod lines;
mod read;
mod write;

pub use error::{Problem, SasError};
pub use read::read;
pub use write::write;
