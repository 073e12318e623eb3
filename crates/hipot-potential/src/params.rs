//! Parameters of the optimizer.

use hipot_lp::{Library, Listener, Method};

use crate::progress::Progress;

/// How the LP is solved.
#[derive(Clone, Debug)]
pub struct Params {
    /// The LP method.
    pub method: Method,
    /// The HiGHS to solve with.
    pub library: Library,
    /// The maximum number of nonzeros of an LP over all features up to a dimension; no limit
    /// by default. If it is exceeded, features of size 2 and more are chosen on demand.
    pub budget: Option<u64>,
    /// Whether all requested features must be used.
    pub completeness: Completeness,
    /// Whether [`Report::lp`](crate::Report::lp) holds the LP that was solved, with names.
    pub keeps_lp: bool,
    /// How precisely small LPs are solved.
    pub precision: Precision,
    /// The maximum number of threads.
    pub threads: usize,
    /// Receives the progress of the LP about ten times a second, on the thread that
    /// optimizes; none by default.
    pub listener: Option<Listener<Progress>>,
}

/// What to do if the LP over all requested features cannot be solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Completeness {
    /// Use some of the features.
    #[default]
    Optional,
    /// Fail.
    Required,
}

/// How precisely an LP is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Small LPs to an exact vertex, even if another method is faster; others as for a bound.
    #[default]
    Vertex,
    /// Until more digits would not raise the bound, which is an integer.
    Bound,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            library: Library::linked(),
            budget: None,
            completeness: Completeness::Optional,
            keeps_lp: false,
            precision: Precision::Vertex,
            threads: 1,
            listener: None,
        }
    }
}
