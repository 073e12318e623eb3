//! Tests of what the library has private.

mod auto;
mod explain_cases;
mod larger;
