//! A language server for PDDL: `hipot lsp`.
//!
//! An editor starts it and talks to it over standard input and output, in the Language Server
//! Protocol. It shows mistakes and warnings as one types, and knows where names are declared and
//! used: go to the definition, find references, hover, completion, an outline, and formatting.
//!
//! A domain and a problem belong together. The domain of a problem is another open document or the
//! file that every command would take; see `documents`. Everything is computed anew from the texts
//! when it is asked for: a task that is written by hand is read within a millisecond.
//!
//! | module | what |
//! |---|---|
//! | `transport` | messages, with a limit on their size |
//! | `positions` | bytes of a text, and the positions of the protocol |
//! | `documents` | open documents, and which belong together |
//! | `checks` | mistakes and warnings |
//! | `names` | definitions, references, the outline |
//! | `hover` | what is said about a name |
//! | `completion` | what could stand at a place |
//! | `server` | which message gets what |

mod checks;
mod completion;
mod documents;
mod hover;
mod names;
mod positions;
mod server;
mod transport;

pub use server::run;
pub use transport::TransportError;
