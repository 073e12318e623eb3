//! Datalog: everything that follows from facts by rules.
//!
//! Relaxed reachability is a datalog program (Helmert 2009, Section 6): an
//! instance of a schema follows from its positive preconditions, and an added
//! atom from the instance. Grounding has to write down the model of the program
//! anyway. The point is to enumerate little else. Two ideas achieve that:
//!
//! * **Joins of two, in a good order** ([`plan`]). A rule with many atoms in its
//!   body is evaluated by binary joins. Their order is chosen by the sizes of
//!   the relations. For static predicates these are known exactly, and joins of
//!   static predicates are computed while planning; for the others, the domains
//!   of the variables give an upper bound.
//! * **Tests as early as possible.** Types and static predicates with one
//!   parameter restrict the domains of the variables before anything is joined.
//!   Inequalities and negated static atoms are tested as soon as their variables
//!   are bound. Fast Downward leaves both to the instantiation, so its relaxed
//!   reachability passes through instances that cannot exist.
//!
//! Evaluation ([`network`]) is semi-naive: each tuple flows once through each
//! join, where it meets all tuples of the other side that came before it. The
//! results of a join are distinct without a check, because a joined tuple
//! determines the two tuples it came from. Duplicates can occur only where a
//! variable is projected away, and in the relations themselves.

mod dispatcher;
mod join;
mod network;
mod node;
mod plan;

pub(crate) use network::{Network, Watch};
pub(crate) use node::{NodeId, Slot};
pub(crate) use plan::Rule;
