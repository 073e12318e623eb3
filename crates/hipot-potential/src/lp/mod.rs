//! How the optimizer's LP is solved: which methods with which margins ([`mod@stages`]), and
//! the equations that cycles of free operators force ([`mod@equalities`]).

mod equalities;
mod inverses;
mod stages;

pub(crate) use equalities::{Equalities, Origin, equalities};
pub(crate) use stages::{Stage, ends_in_a_vertex, stages};
