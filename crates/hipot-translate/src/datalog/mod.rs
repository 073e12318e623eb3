//! Datalog: all that follows from facts by rules.
//!
//! Relaxed reachability is a datalog program (Helmert 2009, Section 6): an
//! operator's instance follows from its positive preconditions, an added atom
//! from the instance. The size of the model is what grounding must write down
//! anyway; the art is not to enumerate much else. Two ideas do it:
//!
//! * **Joins two by two** ([`plan`]). A rule with many atoms in its body is
//!   evaluated by binary joins, whose order is chosen by the sizes of the
//!   relations: known exactly for static predicates, whose joins are computed
//!   while planning, bounded by the variables' domains for the others.
//! * **Tests as early as possible.** Types and static predicates with one
//!   parameter restrict the variables' domains before anything is joined;
//!   inequalities and negated static atoms are tested as soon as their
//!   variables are there. Fast Downward leaves both to the instantiation, so
//!   its relaxed reachability passes through instances that cannot exist.
//!
//! Evaluation ([`network`]) is semi-naive: each tuple flows once through each
//! join, where it meets all tuples of the other side that came before it.
//! A join's result holds each tuple once without looking, since it tells
//! which two tuples it came from; only where a variable is projected away, and
//! in the relations themselves, must duplicates be looked for.

mod network;
mod node;
mod plan;

pub(crate) use network::{Network, NodeId, Watch};
pub(crate) use node::Slot;
pub(crate) use plan::Rule;
